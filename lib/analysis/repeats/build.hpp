// The repeats of a text, found by its suffix array on any device.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "analysis/repeats/repeat_values.hpp"
#include "analysis/repeats/shared_rows.hpp"
#include "device/backend.hpp"
#include "text/both_strands.hpp"
#include "text/text.hpp"

namespace gsx {

/// Sorts the suffixes of a text once, and keeps of them what repeats.
class Repeats {
 public:
  /// Refers to the text: both strands of it, or one. The suffix array is sorted in blocks where
  /// options.memory has no room for all of it. Pre: min_length > 0. Throws ResourceError, and what
  /// the back end throws. Memory: repeat_bytes() beside the suffix array, and that of SharedRows.
  Repeats(Backend& backend, const BothStrandsView& text, std::uint64_t min_length,
          const BuildOptions& options);

  /// As RepeatFinder. Pre: request.min_length is that of the constructor, and require_askable().
  /// Throws ResourceError, and what `take` throws.
  void find(const RepeatRequest& request, const TakeRepeat& take) const;
  /// As RepeatPairFinder. Throws as find() does.
  void find_pairs(const TakeRepeatPair& take) const;
  /// An SVG image (analysis/repeats/dot_plot_svg.hpp).
  std::string dot_plot(const RecordsView& records) const;

 private:
  template <class Pos>
  SharedRows<Pos> shared_rows(Backend& backend, std::uint64_t min_length, BuildOptions options);
  template <class Work>
  void with_rows(const Work& work) const;
  template <class Pos, class Actions>
  void go_through(const SharedRows<Pos>& rows, Actions& actions) const;

  BothStrandsView text_;
  RequireMemory require_;
  ProgressReport progress_;
  std::variant<SharedRows<std::uint32_t>, SharedRows<std::uint64_t>> rows_;
};

/// Throws UsageError for lengths, counts and places that are too small.
void require_askable(const RepeatRequest& request);

/// Bytes that a search takes beside the suffix array where little repeats.
std::uint64_t repeat_bytes(const BothStrandsView& text);

}  // namespace gsx
