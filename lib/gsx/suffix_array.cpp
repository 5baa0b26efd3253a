#include "gsx/suffix_array.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "base/error.hpp"
#include "base/last_report.hpp"
#include "base/machine.hpp"
#include "base/parallel.hpp"
#include "base/public_call.hpp"
#include "device/cost.hpp"
#include "device/products.hpp"
#include "device/registry.hpp"
#include "index/bwt/bwt.hpp"
#include "index/bwt/bwt_bytes.hpp"
#include "index/sa/inverse.hpp"
#include "text/byte_alphabet.hpp"
#include "text/require_text.hpp"

namespace gsx {
namespace {

/// The memory that is left counts from here, so what has to be there before is made first.
BuildOptions build_options(const SortOptions& options, std::uint64_t symbols) {
  BuildOptions build;
  build.threads = threads_for(options.threads, symbols);
  build.progress = options.progress;
  build.memory = HostMemory::below(options.memory_limit);
  return build;
}

BuildOptions build_options(const SortOptions& options, const TextView& text) {
  return build_options(options, text.length());
}

std::unique_ptr<Backend> backend_for(const SortOptions& options, std::uint64_t symbols) {
  return make_backend(faster_device(options.device, cost_of_sorting(symbols),
                                    threads_for(options.threads, symbols)),
                      options.gpu_memory);
}

std::unique_ptr<Backend> backend_for(const SortOptions& options, const TextView& text) {
  return backend_for(options, text.length());
}

/// Does the work of a public function with the options that it is given. Its last report is of 1.
template <class Work>
decltype(auto) sort_with(const SortOptions& options, const Work& work) {
  return with_gsx_errors([&] {
    LastReport last(options.progress);
    SortOptions own = options;
    own.progress = last.progress();
    if constexpr (std::is_void_v<decltype(work(own))>) {
      work(own);
      last.finish();
    } else {
      auto result = work(own);
      last.finish();
      return result;
    }
  });
}

/// Throws UsageError for a size that no chunk can have.
std::uint64_t chunk_size(const SortOptions& options) {
  if (options.rows_at_once > 0) return options.rows_at_once;
  throw UsageError("rows_at_once is 0, and must be at least 1");
}

/// Bytes as a text of one segment, with the smallest alphabet that holds them.
class BytesText {
 public:
  BytesText(std::span<const std::uint8_t> bytes, int threads)
      : alphabet_(occurring(bytes, threads)),
        segments_({0, bytes.size() + 1}),
        symbols_(code_all(bytes, threads)) {}

  TextView view() const { return {symbols_.view(), segments_.view(), alphabet_.size}; }
  std::uint8_t byte(std::uint8_t code) const { return alphabet_.byte_of[code]; }

 private:
  static std::uint64_t pieces_for(int threads) { return static_cast<std::uint64_t>(threads) * 4; }

  static std::array<bool, 256> occurring(std::span<const std::uint8_t> bytes, int threads) {
    const std::uint64_t pieces = pieces_for(threads);
    std::vector<std::array<bool, 256>> occurs(pieces);
    parallel_for(threads, pieces, [&](std::uint64_t piece, int) {
      const Slice slice = slice_of(bytes.size(), pieces, piece);
      for (std::uint64_t i = slice.begin; i < slice.end; ++i)
        occurs[piece][bytes[i]] = true;
    });
    std::array<bool, 256> any{};
    for (std::size_t byte = 0; byte < any.size(); ++byte)
      any[byte] = std::ranges::any_of(occurs, [byte](const auto& some) { return some[byte]; });
    return any;
  }

  /// Pieces are of a multiple of 8 symbols, so that they end between bytes.
  PackedArray code_all(std::span<const std::uint8_t> bytes, int threads) const {
    const std::uint64_t pieces = pieces_for(threads);
    PackedArray symbols(bytes.size() + 1, alphabet_.bits(), "text");
    parallel_for(threads, pieces, [&](std::uint64_t piece, int) {
      const Slice slice = slice_of(bytes.size() + 1, pieces, piece, 8);
      PackedWriter writer = symbols.writer(slice.begin);
      for (std::uint64_t i = slice.begin; i < slice.end; ++i)
        writer.push(i < bytes.size() ? alphabet_.code_of[bytes[i]] : 0);
      writer.finish();
    });
    return symbols;
  }

  ByteAlphabet alphabet_;
  Segments segments_;
  PackedArray symbols_;
};

std::span<const std::uint8_t> as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// Gives the BWT of bytes to `give` part by part, as bytes, without the symbol that would stand
/// behind all. Returns the row of that symbol.
template <class Give>
std::uint64_t give_bwt(const BytesText& text, const BuildOptions& build, const SortOptions& options,
                       const Give& give) {
  std::uint64_t first = 0, primary = 0;
  backend_for(options, text.view())
      ->build_codes(text.view(), build, [&](Buffer<std::uint8_t> codes) {
        auto* const separator = std::find(codes.begin(), codes.end(), Bwt::separator);
        const auto before = static_cast<std::size_t>(separator - codes.begin());
        const auto give_bytes = [&](std::span<std::uint8_t> some) {
          std::ranges::transform(some, some.begin(),
                                 [&](std::uint8_t code) { return text.byte(code); });
          give(std::span<const std::uint8_t>(some), first);
          first += some.size();
        };
        give_bytes(codes.span().first(before));
        if (before == codes.size()) return;
        primary = first;
        give_bytes(codes.span().subspan(before + 1));
      });
  return primary;
}

Buffer<std::uint8_t> inverse(const BwtBytes& bwt, const SortOptions& given) {
  return sort_with(given, [&](const SortOptions& options) {
    return backend_for(options, bwt.rows())->invert(bwt, build_options(options, bwt.rows()));
  });
}

}  // namespace

SuffixArray suffix_array(std::span<const std::uint8_t> bytes, const SortOptions& given) {
  if (bytes.empty()) return SuffixArray(Buffer<std::uint32_t>());
  return sort_with(given, [&](const SortOptions& options) {
    const BytesText text(bytes, threads_for(options.threads, bytes.size()));
    SuffixArray rows = build_suffix_array(*backend_for(options, text.view()), text.view(),
                                          build_options(options, text.view()));
    rows.drop_first(1);  // the separator's
    return rows;
  });
}

SuffixArray suffix_array(std::string_view bytes, const SortOptions& options) {
  return suffix_array(as_bytes(bytes), options);
}

SuffixArray suffix_array(const Text& text, const SortOptions& given) {
  require_text(text);
  return sort_with(given, [&](const SortOptions& options) {
    return build_suffix_array(*backend_for(options, text.view()), text.view(),
                              build_options(options, text.view()));
  });
}

void stream_suffix_array(std::span<const std::uint8_t> bytes, const SortOptions& given,
                         const RowSink& sink) {
  require_sink(sink);
  const std::uint64_t most = chunk_size(given);
  if (bytes.empty()) return;
  sort_with(given, [&](const SortOptions& options) {
    const BytesText text(bytes, threads_for(options.threads, bytes.size()));
    std::uint64_t first = 0;
    bool started = false;
    const auto give = [&](SuffixArray rows) {
      if (!std::exchange(started, true)) rows.drop_first(1);  // the separator's
      give_in_pieces(rows, first, most, sink);
      first += rows.size();
    };
    backend_for(options, text.view())
        ->build_rows(text.view(), build_options(options, text.view()), give);
  });
}

void stream_suffix_array(std::string_view bytes, const SortOptions& options, const RowSink& sink) {
  stream_suffix_array(as_bytes(bytes), options, sink);
}

void stream_suffix_array(const Text& text, const SortOptions& given, const RowSink& sink) {
  require_sink(sink);
  require_text(text);
  sort_with(given, [&](const SortOptions& options) {
    stream_suffix_array(*backend_for(options, text.view()), text.view(),
                        build_options(options, text.view()), chunk_size(options), sink);
  });
}

InverseSuffixArray inverse_suffix_array(const SuffixArray& rows, int threads) {
  return with_gsx_errors([&] { return invert(rows, threads_for(threads, rows.size())); });
}

BytesBwt bwt(std::span<const std::uint8_t> bytes, const SortOptions& given) {
  if (bytes.empty()) return {};
  return sort_with(given, [&](const SortOptions& options) {
    const BytesText text(bytes, threads_for(options.threads, bytes.size()));
    BuildOptions build = build_options(options, text.view());
    build.whole = true;
    BytesBwt result;
    result.primary = give_bwt(text, build, options, [&](auto some, std::uint64_t first) {
      if (first == 0) result.bytes = Buffer<std::uint8_t>(bytes.size(), "BWT");
      std::ranges::copy(some, result.bytes.begin() + first);
    });
    return result;
  });
}

BytesBwt bwt(std::string_view bytes, const SortOptions& options) {
  return bwt(as_bytes(bytes), options);
}

Buffer<std::uint8_t> inverse_bwt(const BytesBwt& bwt, const SortOptions& given) {
  return inverse(BwtBytes::without_separator(bwt.bytes.span(), bwt.primary), given);
}

Buffer<std::uint8_t> inverse_bwt(std::string_view bwt, char separator, const SortOptions& given) {
  return inverse(BwtBytes::with_separators(as_bytes(bwt), static_cast<std::uint8_t>(separator)),
                 given);
}

Buffer<std::uint8_t> bwt(const Text& text, const SortOptions& given) {
  require_text(text);
  return sort_with(given, [&](const SortOptions& options) {
    return build_bwt(*backend_for(options, text.view()), text.view(),
                     build_options(options, text.view()));
  });
}

std::uint64_t stream_bwt(std::span<const std::uint8_t> bytes, const SortOptions& given,
                         const CodeSink& sink) {
  require_sink(sink);
  const std::uint64_t most = chunk_size(given);
  if (bytes.empty()) return 0;
  return sort_with(given, [&](const SortOptions& options) {
    const BytesText text(bytes, threads_for(options.threads, bytes.size()));
    return give_bwt(
        text, build_options(options, text.view()), options,
        [&](auto some, std::uint64_t first) { give_in_pieces(some, first, most, sink); });
  });
}

std::uint64_t stream_bwt(std::string_view bytes, const SortOptions& options, const CodeSink& sink) {
  return stream_bwt(as_bytes(bytes), options, sink);
}

void stream_bwt(const Text& text, const SortOptions& given, const CodeSink& sink) {
  require_sink(sink);
  require_text(text);
  sort_with(given, [&](const SortOptions& options) {
    stream_bwt(*backend_for(options, text.view()), text.view(), build_options(options, text.view()),
               chunk_size(options), sink);
  });
}

}  // namespace gsx
