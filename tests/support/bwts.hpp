// BWTs as bytes, made by definition and inverted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "index/bwt/bwt.hpp"
#include "index/bwt/inverse.hpp"
#include "text/text.hpp"

namespace gsx::testing {

/// The BWT by definition: separators are smaller than all other symbols and ordered by position.
inline std::string naive_bwt(const std::string& text, char separator) {
  std::vector<std::size_t> suffixes(text.size());
  std::iota(suffixes.begin(), suffixes.end(), std::size_t{0});
  std::sort(suffixes.begin(), suffixes.end(), [&](std::size_t a, std::size_t b) {
    for (std::size_t i = a, j = b; a != b; ++i, ++j) {
      if (text[i] == separator && text[j] == separator) return i < j;
      if (text[i] == separator || text[j] == separator) return text[i] == separator;
      if (text[i] != text[j]) {
        return static_cast<unsigned char>(text[i]) < static_cast<unsigned char>(text[j]);
      }
    }
    return false;
  });
  std::string bwt;
  for (const std::size_t at : suffixes)
    bwt += at == 0 ? separator : text[at - 1];
  return bwt;
}

/// The bytes of a text's BWT.
inline std::string spelled_bwt(const Text& text, const SuffixArray& rows, char separator) {
  const Bwt bwt(text.view(), rows);
  std::vector<std::uint8_t> codes(bwt.size());
  bwt.codes(0, bwt.size(), codes.data());
  std::string out;
  for (const auto code : codes) {
    out += code == Bwt::separator ? separator : text.alphabet.symbol(code);
  }
  return out;
}

/// Those of the text.
inline std::string spelled_text(const Text& text, char separator) {
  std::string out;
  for (std::uint64_t p = 0; p < text.length(); ++p) {
    out += text.segments.view().separator_from(p) == p
               ? separator
               : text.alphabet.symbol(text.symbols.view()[p]);
  }
  return out;
}

/// The text of a BWT in which `separator` stands for separators.
inline std::string inverted(std::string_view bwt, char separator,
                            const InverseOptions& options = {}) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(bwt.data());
  const Buffer<std::uint8_t> text = invert_bwt(
      BwtBytes::with_separators({bytes, bwt.size()}, static_cast<std::uint8_t>(separator)),
      options);
  return {text.begin(), text.end()};
}

}  // namespace gsx::testing
