#include "bwt/bwt.hpp"

namespace gsx {

void Bwt::codes(std::uint64_t begin, std::uint64_t end, std::uint8_t* out) const {
  rows_->visit([&](const auto* rows) {
    // Position p of row i is needed twice, its text a cache miss away: ask for it early.
    constexpr std::uint64_t ahead = 24;
    for (std::uint64_t i = begin; i < end; ++i) {
      if (i + ahead < end) {
        const std::uint64_t soon = rows[i + ahead];
        __builtin_prefetch(text_.symbols.bytes + (soon * text_.symbols.bits >> 3));
      }
      const std::uint64_t p = rows[i];
      // The slot of a separator holds code 0, so only code 0 has to be looked at twice.
      const std::uint64_t code = p == 0 ? 0 : text_.symbols[p - 1];
      out[i - begin] =
          code == 0 && text_.segments.starts_at(p) ? separator : static_cast<std::uint8_t>(code);
    }
  });
}

}  // namespace gsx
