#include "gsx/suffix_array.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "backend/registry.hpp"
#include "base/bits.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "bwt/bwt.hpp"
#include "machine/machine.hpp"
#include "sa/inverse.hpp"

namespace gsx {
namespace {

BuildOptions build_options(const SortOptions& options) {
  BuildOptions build;
  build.threads = options.threads > 0 ? options.threads : available_threads();
  build.progress = options.progress;
  return build;
}

/// Bytes as a text of one segment, with the smallest alphabet that holds them.
class BytesText {
 public:
  BytesText(std::span<const std::uint8_t> bytes, int threads)
      : segments_({0, bytes.size() + 1}), symbols_(code_all(bytes, threads)) {}

  TextView view() const { return {symbols_.view(), segments_.view(), sigma_}; }
  std::uint8_t byte(std::uint8_t code) const { return bytes_[code]; }

 private:
  static constexpr std::uint32_t most_symbols = 255;  // the code that is left marks separators

  /// Pieces are of a multiple of 8 symbols, so that they end between bytes.
  PackedArray code_all(std::span<const std::uint8_t> bytes, int threads) {
    const auto pieces = static_cast<std::uint64_t>(threads) * 4;
    std::vector<std::array<bool, 256>> occurs(pieces);
    parallel_for(threads, pieces, [&](std::uint64_t piece, int) {
      const Slice slice = slice_of(bytes.size(), pieces, piece, 8);
      for (std::uint64_t i = slice.begin; i < slice.end; ++i)
        occurs[piece][bytes[i]] = true;
    });
    std::array<std::uint8_t, 256> codes{};
    for (std::size_t byte = 0; byte < 256; ++byte) {
      if (std::ranges::none_of(occurs, [byte](const auto& some) { return some[byte]; })) continue;
      if (sigma_ == most_symbols) {
        throw UsageError("a suffix array is built of bytes of at most 255 different values");
      }
      codes[byte] = static_cast<std::uint8_t>(sigma_);
      bytes_[sigma_++] = static_cast<std::uint8_t>(byte);
    }
    PackedArray symbols(bytes.size() + 1, bits_for(std::max(1u, sigma_ - 1)), "text");
    parallel_for(threads, pieces, [&](std::uint64_t piece, int) {
      const Slice slice = slice_of(bytes.size() + 1, pieces, piece, 8);
      PackedWriter writer = symbols.writer(slice.begin);
      for (std::uint64_t i = slice.begin; i < slice.end; ++i)
        writer.push(i < bytes.size() ? codes[bytes[i]] : 0);
      writer.finish();
    });
    return symbols;
  }

  std::uint32_t sigma_ = 0;
  std::array<std::uint8_t, 256> bytes_{};  ///< of each code
  Segments segments_;
  PackedArray symbols_;
};

std::span<const std::uint8_t> as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

SuffixArray suffix_array(std::span<const std::uint8_t> bytes, const SortOptions& options) {
  if (bytes.empty()) return SuffixArray(Buffer<std::uint32_t>());
  const BuildOptions build = build_options(options);
  const BytesText text(bytes, build.threads);
  SuffixArray rows =
      make_backend(options.device, options.gpu_memory)->build_suffix_array(text.view(), build);
  rows.drop_first(1);  // the separator's
  return rows;
}

SuffixArray suffix_array(std::string_view bytes, const SortOptions& options) {
  return suffix_array(as_bytes(bytes), options);
}

SuffixArray suffix_array(const Text& text, const SortOptions& options) {
  return make_backend(options.device, options.gpu_memory)
      ->build_suffix_array(text.view(), build_options(options));
}

InverseSuffixArray inverse_suffix_array(const SuffixArray& rows, int threads) {
  return invert(rows, threads > 0 ? threads : available_threads());
}

BytesBwt bwt(std::span<const std::uint8_t> bytes, const SortOptions& options) {
  if (bytes.empty()) return {};
  const BuildOptions build = build_options(options);
  const BytesText text(bytes, build.threads);
  const Buffer<std::uint8_t> codes =
      make_backend(options.device, options.gpu_memory)->build_bwt(text.view(), build);
  BytesBwt result{Buffer<std::uint8_t>(bytes.size(), "BWT"), 0};
  const auto* const separator = std::find(codes.begin(), codes.end(), Bwt::separator);
  result.primary = static_cast<std::uint64_t>(separator - codes.begin());
  const auto byte = [&](std::uint8_t code) { return text.byte(code); };
  auto* const rest = std::transform(codes.begin(), separator, result.bytes.begin(), byte);
  std::transform(separator + 1, codes.end(), rest, byte);
  return result;
}

BytesBwt bwt(std::string_view bytes, const SortOptions& options) {
  return bwt(as_bytes(bytes), options);
}

Buffer<std::uint8_t> bwt(const Text& text, const SortOptions& options) {
  return make_backend(options.device, options.gpu_memory)
      ->build_bwt(text.view(), build_options(options));
}

}  // namespace gsx
