#include "arrays/wavelet/query_checks.hpp"

#include <string>

#include "base/error.hpp"
#include "base/public_call.hpp"

namespace gsx {
namespace {

void require_positions(std::span<const std::uint64_t> positions, std::uint64_t end) {
  for (std::size_t k = 0; k < positions.size(); ++k) {
    if (positions[k] < end) continue;
    throw UsageError("position " + std::to_string(positions[k]) + " of query " + std::to_string(k) +
                     " is outside of the sequence");
  }
}

}  // namespace

void require_access(std::uint64_t size, std::span<const std::uint64_t> positions,
                    std::span<const std::uint64_t> values) {
  require_size(values.size(), positions.size(), "values");
  require_positions(positions, size);
}

void require_rank(std::uint64_t size, std::span<const std::uint64_t> values,
                  std::span<const std::uint64_t> positions, std::span<const std::uint64_t> ranks) {
  require_size(positions.size(), values.size(), "positions");
  require_size(ranks.size(), values.size(), "ranks");
  require_positions(positions, size + 1);
}

void require_select(std::span<const std::uint64_t> values, std::span<const std::uint64_t> numbers,
                    std::span<const std::uint64_t> positions) {
  require_size(numbers.size(), values.size(), "numbers");
  require_size(positions.size(), values.size(), "positions");
}

}  // namespace gsx
