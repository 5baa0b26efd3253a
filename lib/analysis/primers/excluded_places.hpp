// Places where no primer can match.
#pragma once

#include <cstdint>

#include "text/text.hpp"

namespace gsx {

/// How many places of `length` symbols in the records hold one that was kept out of the text, such
/// as N, and so match nothing; each is counted once, for both strands. Cost: linear in the
/// segments.
std::uint64_t count_excluded_places(const TextView& text, const RecordsView& records,
                                    std::uint64_t length);

}  // namespace gsx
