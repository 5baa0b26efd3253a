#include "gsx/suffix_array.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/public_call.hpp"
#include "device/products.hpp"
#include "index/bwt/bwt.hpp"
#include "index/bwt/bwt_bytes.hpp"
#include "index/lcp/lcp_builder.hpp"
#include "index/sa/inverse.hpp"
#include "run/build_job.hpp"
#include "text/bytes_text.hpp"
#include "text/require_text.hpp"

namespace gsx {
namespace {

/// What work(job) makes of a text whose suffixes it sorts.
template <class Work>
auto sort_with(const SortOptions& options, std::uint64_t symbols, const Work& work) {
  return run_build(options, cost_of_sorting(symbols), threads_for(options.threads, symbols), work);
}

/// Throws UsageError for a size that no chunk can have.
std::uint64_t chunk_size(const SortOptions& options) {
  if (options.rows_at_once > 0) return options.rows_at_once;
  throw UsageError("rows_at_once is 0, and must be at least 1");
}

std::span<const std::uint8_t> as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// What work(job, text) makes of bytes.
template <class Work>
auto sort_bytes_with(const SortOptions& options, std::span<const std::uint8_t> bytes,
                     const Work& work) {
  return with_gsx_errors([&] {
    const BytesText text(bytes, threads_for(options.threads, bytes.size()));
    return sort_with(options, text.view().length(), [&](BuildJob& job) { return work(job, text); });
  });
}

/// Gives the BWT of bytes to `give` part by part, as bytes, without the symbol that would stand
/// behind all. Returns the row of that symbol.
template <class Give>
std::uint64_t give_bwt(const BytesText& text, const BuildJob& job, const Give& give) {
  std::uint64_t first = 0, primary = 0;
  job.backend.build_codes(text.view(), job.build, [&](Buffer<std::uint8_t> codes) {
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

Buffer<std::uint8_t> inverse(const BwtBytes& bwt, const SortOptions& options) {
  return sort_with(options, bwt.rows(),
                   [&](const BuildJob& job) { return job.backend.invert(bwt, job.build); });
}

}  // namespace

SuffixArray suffix_array(std::span<const std::uint8_t> bytes, const SortOptions& options) {
  if (bytes.empty()) return SuffixArray(Buffer<std::uint32_t>());
  return sort_bytes_with(options, bytes, [](const BuildJob& job, const BytesText& text) {
    SuffixArray rows = build_suffix_array(job.backend, text.view(), job.build);
    rows.drop_first(1);  // the separator's
    return rows;
  });
}

SuffixArray suffix_array(std::string_view bytes, const SortOptions& options) {
  return suffix_array(as_bytes(bytes), options);
}

SuffixArray suffix_array(const Text& text, const SortOptions& options) {
  require_text(text);
  return sort_with(options, text.length(), [&](const BuildJob& job) {
    return build_suffix_array(job.backend, text.view(), job.build);
  });
}

void stream_suffix_array(std::span<const std::uint8_t> bytes, const SortOptions& options,
                         const RowSink& sink) {
  require_sink(sink);
  const std::uint64_t most = chunk_size(options);
  if (bytes.empty()) return;
  sort_bytes_with(options, bytes, [&](const BuildJob& job, const BytesText& text) {
    std::uint64_t first = 0;
    bool started = false;
    job.backend.build_rows(text.view(), job.build, [&](SuffixArray rows) {
      if (!std::exchange(started, true)) rows.drop_first(1);  // the separator's
      give_in_pieces(rows, first, most, sink);
      first += rows.size();
    });
  });
}

void stream_suffix_array(std::string_view bytes, const SortOptions& options, const RowSink& sink) {
  stream_suffix_array(as_bytes(bytes), options, sink);
}

void stream_suffix_array(const Text& text, const SortOptions& options, const RowSink& sink) {
  require_sink(sink);
  require_text(text);
  sort_with(options, text.length(), [&](const BuildJob& job) {
    stream_suffix_array(job.backend, text.view(), job.build, chunk_size(options), sink);
  });
}

InverseSuffixArray inverse_suffix_array(const SuffixArray& rows, int threads) {
  return with_gsx_errors([&] { return invert(rows, threads_for(threads, rows.size())); });
}

BytesBwt bwt(std::span<const std::uint8_t> bytes, const SortOptions& options) {
  if (bytes.empty()) return {};
  return sort_bytes_with(options, bytes, [&](BuildJob& job, const BytesText& text) {
    job.build.whole = true;
    BytesBwt result;
    result.primary = give_bwt(text, job, [&](auto some, std::uint64_t first) {
      if (first == 0) result.bytes = Buffer<std::uint8_t>(bytes.size(), "BWT");
      std::ranges::copy(some, result.bytes.begin() + first);
    });
    return result;
  });
}

BytesBwt bwt(std::string_view bytes, const SortOptions& options) {
  return bwt(as_bytes(bytes), options);
}

Buffer<std::uint8_t> inverse_bwt(const BytesBwt& bwt, const SortOptions& options) {
  return inverse(BwtBytes::without_separator(bwt.bytes.span(), bwt.primary), options);
}

Buffer<std::uint8_t> inverse_bwt(std::string_view bwt, char separator, const SortOptions& options) {
  return inverse(BwtBytes::with_separators(as_bytes(bwt), static_cast<std::uint8_t>(separator)),
                 options);
}

Buffer<std::uint8_t> bwt(const Text& text, const SortOptions& options) {
  require_text(text);
  return sort_with(options, text.length(), [&](const BuildJob& job) {
    return build_bwt(job.backend, text.view(), job.build);
  });
}

std::uint64_t stream_bwt(std::span<const std::uint8_t> bytes, const SortOptions& options,
                         const CodeSink& sink) {
  require_sink(sink);
  const std::uint64_t most = chunk_size(options);
  if (bytes.empty()) return 0;
  return sort_bytes_with(options, bytes, [&](const BuildJob& job, const BytesText& text) {
    return give_bwt(text, job, [&](auto some, std::uint64_t first) {
      give_in_pieces(some, first, most, sink);
    });
  });
}

std::uint64_t stream_bwt(std::string_view bytes, const SortOptions& options, const CodeSink& sink) {
  return stream_bwt(as_bytes(bytes), options, sink);
}

void stream_bwt(const Text& text, const SortOptions& options, const CodeSink& sink) {
  require_sink(sink);
  require_text(text);
  sort_with(options, text.length(), [&](const BuildJob& job) {
    stream_bwt(job.backend, text.view(), job.build, chunk_size(options), sink);
  });
}

namespace {

void require_all_rows(const Text& text, std::uint64_t rows, const char* array) {
  if (rows == text.length()) return;
  throw UsageError(std::string(array) + " has " + std::to_string(rows) + " rows, and the text " +
                   std::to_string(text.length()) + " symbols, separators included");
}

}  // namespace

LcpArray lcp_array(const Text& text, const SuffixArray& rows, int threads) {
  return with_gsx_errors([&] {
    require_all_rows(text, rows.size(), "the suffix array");
    return build_lcp_array(text.view(), rows, threads_for(threads, text.length()));
  });
}

LcpArray lcp_array(std::span<const std::uint8_t> bytes, const SuffixArray& rows, int threads) {
  if (rows.size() != bytes.size()) {
    throw UsageError("the suffix array has " + std::to_string(rows.size()) +
                     " rows, and there are " + std::to_string(bytes.size()) + " bytes");
  }
  return with_gsx_errors([&] {
    const int some = threads_for(threads, bytes.size());
    return build_lcp_array(BytesText(bytes, some).view(), rows, some);
  });
}

LcpArray lcp_array(std::string_view bytes, const SuffixArray& rows, int threads) {
  return lcp_array(as_bytes(bytes), rows, threads);
}

CommonExtensions common_extensions(const Text& text, const SuffixArray& rows, const LcpArray& lcp,
                                   int threads) {
  return with_gsx_errors([&] {
    require_all_rows(text, rows.size(), "the suffix array");
    require_all_rows(text, lcp.size(), "the LCP array");
    const int some = threads_for(threads, text.length());
    return CommonExtensions(text.segments.view(), invert(rows, some), lcp, some);
  });
}

}  // namespace gsx
