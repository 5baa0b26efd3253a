#include "gsx/lcp.hpp"

#include <string>

#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/public_call.hpp"
#include "index/lcp/lcp_builder.hpp"
#include "index/sa/inverse.hpp"
#include "text/bytes_text.hpp"

namespace gsx {
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
