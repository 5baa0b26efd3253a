// What is refused of the queries to a wavelet sequence, whatever answers them.
#pragma once

#include <cstdint>
#include <span>

namespace gsx {

/// Each throws UsageError if the spans differ in size, or for a position outside of a sequence of
/// `size` elements. Cost: one pass over the positions.
void require_access(std::uint64_t size, std::span<const std::uint64_t> positions,
                    std::span<const std::uint64_t> values);
/// A position of a rank may be the end, too.
void require_rank(std::uint64_t size, std::span<const std::uint64_t> values,
                  std::span<const std::uint64_t> positions, std::span<const std::uint64_t> ranks);
void require_select(std::span<const std::uint64_t> values, std::span<const std::uint64_t> numbers,
                    std::span<const std::uint64_t> positions);

}  // namespace gsx
