#include "text/text.hpp"

#include "base/bits.hpp"

namespace gsx {

Segments::Segments(std::vector<std::uint64_t> starts) : starts_(std::move(starts)) {
  const std::uint64_t count = starts_.size() - 1;
  const std::uint64_t length = starts_.back();
  // Chunks of about the mean segment length hold about one separator each.
  const std::uint64_t mean = count == 0 ? 1 : length / count;
  shift_ = static_cast<std::uint32_t>(bit_length(mean));
  first_.resize((length >> shift_) + 2);
  std::uint64_t segment = 0;
  for (std::uint64_t chunk = 0; chunk < first_.size(); ++chunk) {
    while (segment < count && starts_[segment + 1] - 1 < chunk << shift_)
      ++segment;
    first_[chunk] = segment;
  }
}

}  // namespace gsx
