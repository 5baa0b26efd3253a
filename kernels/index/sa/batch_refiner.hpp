// Telling the suffixes of a sorted batch apart that its keys did not.
#pragma once

#include <cstdint>

#include "kernels/index/sa/first_sort.hpp"
#include "kernels/index/sa/rank_bit_vector.hpp"
#include "text/text_view.hpp"

namespace gsx::cuda {

/// The rows of a batch that are still tied to the row before, as bits, and the symbols on which
/// tied suffixes agree, at least; no bits where all are told apart. And what comparing them in vain
/// has taken: how many they are, and the most symbols of one that were fetched.
struct StillTied {
  DeviceBuffer<RankBitBlock> bits;
  std::uint64_t depth = ~std::uint64_t{0};
  std::uint64_t rows = 0;
  std::uint64_t compared = 0;
};

struct RefineSetup {
  TextView d_text;
  std::uint64_t least_depth = 0;  ///< symbols on which suffixes agree before ranks help
  bool wants_codes = false;       ///< whether the code before each suffix is to be kept
  bool wants_order = true;        ///< as RowConsumer::wants_order()
  double ranking = 0;  ///< seconds that ranks take, about, beside what each tied row takes
};

/// Compares suffixes whose keys, of `depth` symbols, are equal, in the text, as far as that pays:
/// it is cheap while few suffixes are tied; where most of a text repeats, ranks get further with
/// the same work, and where little is left, ranking costs more. Without wants_order, suffixes that
/// agree and have the same code before them come in any order, as if told apart. Frees the keys.
/// Waits for the stream. Throws ResourceError, DeviceError.
template <class Key, class Pos>
StillTied refine_batch(SortedBatch<Key, Pos>& sorted, std::uint64_t depth, const RefineSetup& setup,
                       DeviceStream stream);

}  // namespace gsx::cuda
