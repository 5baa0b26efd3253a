// How much of a text repeats itself.
#pragma once

#include <cstdint>
#include <vector>

#include "text/text_view.hpp"

namespace gsx {

/// An estimate of the share of B* suffixes that agree with an earlier one on
/// SyncmerRule(text).depth() symbols. `sample` is that of BStarSorter, which has `size` B*
/// suffixes; a sample far from its expected size means that few different suffixes are all there
/// is. Cost: 50 ns per suffix of the sample.
template <class Pos>
double repeated_share(const TextView& text, std::uint64_t size, const std::vector<Pos>& sample);

}  // namespace gsx
