// Telling tied suffixes apart by more of the text, group by group.
#pragma once

#include <cstdint>

#include "kernels/index/sa/first_sort.hpp"
#include "kernels/index/sa/known_depth.hpp"
#include "kernels/index/sa/tied_rows.hpp"
#include "text/text_view.hpp"

namespace gsx::cuda {

/// Which rows of a batch are still tied to the row before them, a bit per row, lowest bit first: in
/// groups that were sorted, and in those that were too large for a warp.
struct BatchTies {
  DeviceBuffer<std::uint32_t> small;
  DeviceBuffer<std::uint32_t> large;
  /// [2]: the fewest symbols that keys of tied rows carried, of small and of large groups; ~0
  /// where none are tied.
  DeviceBuffer<std::uint32_t> least_symbols;
};

/// Symbols of `rounds` keys.
std::uint64_t resolved_depth(const TextView& text, unsigned rounds);

/// Sorts each group of a batch of at most warp_group_limit (kernels/base/tuning.hpp) suffixes by
/// up to `rounds` keys of the text behind the first `depth` symbols and those that its key carries,
/// and replaces batch.rows. A warp holds the groups that begin in its stretch of rows, and goes on
/// while any of them has ties. With `with_codes`, batch.codes is made of what keys carry, or
/// unknown_code where the order is open. Without `with_order`, a group ends, after the first key,
/// once all of its suffixes have the same code before them. Cost: 5 bytes per suffix and a quarter
/// of a byte; one gather per tied suffix and round. Asynchronous. Throws ResourceError,
/// DeviceError.
template <class Key, class Pos>
BatchTies resolve_batch_async(SortedBatch<Key, Pos>& batch, const TextView& d_text,
                              std::uint64_t depth, unsigned rounds, bool with_codes,
                              bool with_order, DeviceStream stream);

/// The functions below sort groups of tied suffixes, of up to some size, in their slots, and drop
/// the suffixes that are then alone, writing them to `rows`. Without `with_order`, a group ends,
/// too, once all of its suffixes have the same code before them. Those with a number return how
/// many suffixes are in groups that were too large, and stay as they are; if there are none, all
/// groups have been compared as far as was asked. Pre: tied.size() > 0; known depths are below 64
/// or all suffixes are longer. They wait for the stream, and throw ResourceError, DeviceError.

/// Groups of at most warp_group_limit suffixes, by up to `rounds` keys; as resolve_batch_async.
template <class Pos>
std::uint64_t resolve_in_warps(TiedRows<Pos>& tied, const TextView& d_text, std::uint64_t depth,
                               unsigned rounds, bool with_order, DeviceBuffer<Pos>& rows);

/// Groups of at most group_limit suffixes, by up to `rounds` keys. A block holds the groups that
/// begin in its stretch of slots.
template <class Pos>
std::uint64_t resolve_in_blocks(TiedRows<Pos>& tied, const TextView& d_text,
                                const KnownDepth& known, unsigned rounds, bool with_order,
                                DeviceBuffer<Pos>& rows);

/// The same, and drops all groups but those that are too large: of the others, `ties` gets a bit
/// for each row that is still tied to the row before.
template <class Pos>
void split_in_blocks(TiedRows<Pos>& tied, const TextView& d_text, const KnownDepth& known,
                     unsigned rounds, bool with_order, DeviceBuffer<Pos>& rows,
                     DeviceBuffer<std::uint32_t>& ties);

/// By up to `rounds` times 32 keys. A warp takes one group and compares two suffixes at a time, a
/// key per lane: for long repeats of few copies. Pre: no group has more than warp_group_limit
/// suffixes, all of which are longer than `depth`. Cost: O(g log g) comparisons for a group of g.
template <class Pos>
void compare_by_warps(TiedRows<Pos>& tied, const TextView& d_text, std::uint64_t depth,
                      unsigned rounds, bool with_order, DeviceBuffer<Pos>& rows);

/// The same for repeats so long, and so few, that the whole grid compares them: `stretches` warps
/// take compared_stretch times 32 keys (kernels/base/tuning.hpp) each of every two neighbours of
/// a group. Then each group is sorted by a stretch from where its suffixes part. One that agrees on
/// all stretches stays as it is.
template <class Pos>
void compare_by_grid(TiedRows<Pos>& tied, const TextView& d_text, std::uint64_t depth,
                     std::uint64_t stretches, bool with_order, DeviceBuffer<Pos>& rows);

/// The mean number of keys on which two tied suffixes agree behind `depth`, of `probes` pairs, each
/// compared by at most `most` times 32 keys. Pre: tied.size() > 0, none is alone in its group, and
/// all are longer than `depth`. Waits for
/// the stream. Throws ResourceError, DeviceError.
template <class Pos>
double mean_agreement(TiedRows<Pos>& tied, const TextView& d_text, std::uint64_t depth,
                      std::uint64_t probes, unsigned most);

}  // namespace gsx::cuda
