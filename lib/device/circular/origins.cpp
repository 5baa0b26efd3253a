#include "device/circular/origins.hpp"

#include <algorithm>
#include <bit>

namespace gsx {

Origins::Origins(const TextView& text, const RecordsView& records,
                 std::span<const std::uint64_t> circular, const JunctionOptions& options)
    : text_(text), circles_(circles_of(text, records, circular)), options_(options) {
  for (const Circle& circle : circles_)
    longest_ = std::max(longest_, circle.length);
}

std::size_t Origins::class_of(std::uint64_t length) const {
  if (length < 2 || length > longest_) return 0;
  return static_cast<std::size_t>(std::bit_width(length - 1));
}

const Junctions& Origins::junctions(std::size_t size_class) const {
  Class& made = classes_[size_class];
  std::call_once(made.made, [&] {
    const std::lock_guard lock(making_);
    const std::uint64_t longest =
        size_class >= 63 ? longest_ : std::min(longest_, std::uint64_t{1} << size_class);
    JunctionOptions options = options_;
    if (options.most_bytes != unlimited) options.most_bytes -= std::min(bytes_, options.most_bytes);
    made.junctions = std::make_unique<const Junctions>(text_, circles_, longest, options);
    bytes_ += made.junctions->bytes();
  });
  return *made.junctions;
}

}  // namespace gsx
