#include "index/bwt/bwt.hpp"

namespace gsx {

template <class Pos>
void bwt_codes(const TextView& text, const Pos* sa, std::uint64_t count, std::uint8_t* out) {
  // The text at sa[i] is needed soon and is a cache miss away: prefetch it.
  constexpr std::uint64_t ahead = 24;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i + ahead < count) {
      const std::uint64_t soon = sa[i + ahead];
      __builtin_prefetch(text.symbols.bytes + (soon * text.symbols.bits >> 3));
    }
    const std::uint64_t p = sa[i];
    // Separators are stored as code 0, so only code 0 needs a second look.
    const std::uint64_t code = p == 0 ? 0 : text.symbols[p - 1];
    out[i] =
        code == 0 && text.segments.starts_at(p) ? Bwt::separator : static_cast<std::uint8_t>(code);
  }
}

template void bwt_codes(const TextView&, const std::uint32_t*, std::uint64_t, std::uint8_t*);
template void bwt_codes(const TextView&, const std::uint64_t*, std::uint64_t, std::uint8_t*);

void Bwt::codes(std::uint64_t begin, std::uint64_t end, std::uint8_t* out) const {
  sa_->visit([&](const auto* sa) { bwt_codes(text_, sa + begin, end - begin, out); });
}

}  // namespace gsx
