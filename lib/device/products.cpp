#include "device/products.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace gsx {

SuffixArray build_suffix_array(Backend& backend, const TextView& text, BuildOptions options) {
  options.whole = true;
  std::optional<SuffixArray> whole;
  backend.build_rows(text, options, [&](SuffixArray rows) { whole = std::move(rows); });
  return std::move(whole).value();
}

Buffer<std::uint8_t> build_bwt(Backend& backend, const TextView& text, BuildOptions options) {
  options.whole = true;
  Buffer<std::uint8_t> whole;
  std::uint64_t taken = 0;
  backend.build_codes(text, options, [&](Buffer<std::uint8_t> codes) {
    if (codes.size() == text.length()) {
      whole = std::move(codes);
      return;
    }
    if (taken == 0) whole = Buffer<std::uint8_t>(text.length(), "BWT");
    std::ranges::copy(codes, whole.begin() + taken);
    taken += codes.size();
  });
  return whole;
}

void stream_suffix_array(Backend& backend, const TextView& text, const BuildOptions& options,
                         std::uint64_t most, const RowSink& sink) {
  std::uint64_t first = 0;
  backend.build_rows(text, options, [&](const SuffixArray& rows) {
    give_in_pieces(rows, first, most, sink);
    first += rows.size();
  });
}

void stream_bwt(Backend& backend, const TextView& text, const BuildOptions& options,
                std::uint64_t most, const CodeSink& sink) {
  std::uint64_t first = 0;
  backend.build_codes(text, options, [&](const Buffer<std::uint8_t>& codes) {
    give_in_pieces(codes.span(), first, most, sink);
    first += codes.size();
  });
}

}  // namespace gsx
