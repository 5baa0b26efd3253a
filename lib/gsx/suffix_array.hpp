// Suffix arrays, LCP arrays and Burrows-Wheeler transforms of what is in memory, in one call: as a
// whole, or delivered to a sink chunk by chunk.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/export.hpp"
#include "base/progress.hpp"
#include "gsx/index.hpp"
#include "index/lcp/common_extension.hpp"
#include "index/lcp/lcp_array.hpp"
#include "index/sa/chunks.hpp"
#include "index/sa/suffix_array.hpp"
#include "search/exact/hits.hpp"

namespace gsx {

/// Where and how suffixes are sorted. The result does not depend on it.
struct SortOptions {
  std::string device = "auto";  ///< as SearchOptions::device of gsx/search.hpp
  int threads = 0;              ///< 0: as many as this process may run
  /// Bytes of host memory that the process may take meanwhile. With less than is fast, suffixes are
  /// sorted in blocks, where the whole suffix array is not asked for, and with fewer threads.
  /// Kept within about 10 %; LIBRARY.md says how little is enough.
  std::uint64_t memory_limit = unlimited;
  std::uint64_t gpu_memory = unlimited;  ///< bytes of a GPU's memory to use
  /// Most rows or codes in a chunk of stream_suffix_array and stream_bwt, at least 1.
  std::uint64_t rows_at_once = std::uint64_t{1} << 20;
  ProgressReport progress = {};  ///< may be empty; what it throws ends the work and comes out here
};

/// The suffix array of `bytes`: n positions, in the order of the suffixes that start there, a
/// shorter suffix before the longer ones that it begins. This is what libdivsufsort gives.
/// Positions are 32 bits wide for n < 2^32 - 1, which leaves room for a separator, else 64. Throws
/// UsageError for more than 255 different byte values, ResourceError, and DeviceError where a GPU
/// was demanded. Cost: lib/index/sa/README.md has time and memory by kind of text; human DNA takes
/// about 17 ns per byte on one thread.
GSX_API SuffixArray suffix_array(std::span<const std::uint8_t> bytes,
                                 const SortOptions& options = {});
GSX_API SuffixArray suffix_array(std::string_view bytes, const SortOptions& options = {});

/// The suffix array of a text, entry for entry as store and search use it: the rows of its m
/// separators first, in the order of their positions.
GSX_API SuffixArray suffix_array(const Text& text, const SortOptions& options = {});

/// Gives `sink` the rows that suffix_array returns, chunk by chunk, in order: at most
/// options.rows_at_once at a time, each of them once. One call of the sink at a time, in the thread
/// that called; what it throws ends the work and comes out here. Memory: the whole suffix array is
/// sorted before the first call, unless options.memory_limit leaves no room for it. Then suffixes
/// are sorted block by block, which takes longer, and a block is dropped once the sink has had
/// it; a GPU does not sort in blocks of host memory, so the CPU does, or, where a GPU was demanded,
/// ResourceError is thrown. Throws what suffix_array throws; UsageError for a rows_at_once of 0 or
/// an empty sink.
GSX_API void stream_suffix_array(std::span<const std::uint8_t> bytes, const SortOptions& options,
                                 const RowSink& sink);
GSX_API void stream_suffix_array(std::string_view bytes, const SortOptions& options,
                                 const RowSink& sink);
GSX_API void stream_suffix_array(const Text& text, const SortOptions& options, const RowSink& sink);

/// The inverse of a suffix array: for each position, the row of the suffix that starts there, in
/// entries of the same width. `threads` is 0 for as many as this process may run. Throws UsageError
/// for an array that lacks some of its rows, ResourceError. Memory: that of `rows` once more. Cost:
/// one random write per row: about 9 ns on one thread for 100 million rows in random order.
GSX_API InverseSuffixArray inverse_suffix_array(const SuffixArray& rows, int threads = 0);

/// The Burrows-Wheeler transform of bytes, as if a symbol smaller than all others stood behind
/// them.
struct BytesBwt {
  Buffer<std::uint8_t> bytes;  ///< n bytes: the byte before each suffix, in suffix order
  /// Which of the n + 1 rows has that symbol, which is left out of `bytes`: it would stand before
  /// bytes[primary].
  std::uint64_t primary = 0;
};
GSX_API BytesBwt bwt(std::span<const std::uint8_t> bytes, const SortOptions& options = {});
GSX_API BytesBwt bwt(std::string_view bytes, const SortOptions& options = {});

/// The bytes whose transform is `bwt`. Throws InputError if no bytes have it, UsageError for 256
/// different byte values, ResourceError, and DeviceError where a GPU was demanded. Cost: one random
/// access per byte. Memory, beside `bwt`: 2.5 bytes per byte for at most four different ones, else
/// 6.2 (10.3 from 2^32 on); more below 100 million bytes on many threads.
GSX_API Buffer<std::uint8_t> inverse_bwt(const BytesBwt& bwt, const SortOptions& options = {});

/// The text of a transform that has one byte for each row, and `separator` for the rows of
/// separators, as gsx bwt writes it: each segment of the text, followed by `separator`. Throws what
/// inverse_bwt() of bytes throws, and InputError also where no row has the separator. Memory: 80
/// bytes per segment more than that takes; where segments have fewer than about 4,000 symbols, 6.2
/// bytes per symbol for any alphabet.
GSX_API Buffer<std::uint8_t> inverse_bwt(std::string_view bwt, char separator,
                                         const SortOptions& options = {});

/// The transform of a text: one code per row, 0xFF for separators.
GSX_API Buffer<std::uint8_t> bwt(const Text& text, const SortOptions& options = {});

/// Gives `sink` what bwt returns, as stream_suffix_array gives rows. Of bytes, the chunks hold
/// BytesBwt::bytes, and BytesBwt::primary is returned; of a text, they hold codes.
GSX_API std::uint64_t stream_bwt(std::span<const std::uint8_t> bytes, const SortOptions& options,
                                 const CodeSink& sink);
GSX_API std::uint64_t stream_bwt(std::string_view bytes, const SortOptions& options,
                                 const CodeSink& sink);
GSX_API void stream_bwt(const Text& text, const SortOptions& options, const CodeSink& sink);

/// The LCP array of a text: entry r is the number of symbols that the suffixes in rows r - 1 and r
/// of `rows`, the suffix array of the text, have in common. `threads` is 0 for as many as this
/// process may run. Throws UsageError if `rows` lacks some rows, ResourceError. Cost: about 14 ns
/// per base of human DNA on one thread; linear for any text. Memory: 1.03 bytes per symbol, and 4
/// for each value of 255 and more (8 from 2^32 symbols on); while it is built, up to 12 more for
/// each value of 58 and more.
GSX_API LcpArray lcp_array(const Text& text, const SuffixArray& rows, int threads = 0);

/// The LCP array of bytes and of what suffix_array() gives of them. Throws and costs as that of a
/// text; UsageError for more than 255 different byte values, too.
GSX_API LcpArray lcp_array(std::span<const std::uint8_t> bytes, const SuffixArray& rows,
                           int threads = 0);
GSX_API LcpArray lcp_array(std::string_view bytes, const SuffixArray& rows, int threads = 0);

/// Answers how far any two positions of the text agree. Refers to `text` and `lcp`, the LCP array
/// that belongs to `rows`. Throws UsageError if `rows` or `lcp` lacks some rows, ResourceError.
GSX_API CommonExtensions common_extensions(const Text& text, const SuffixArray& rows,
                                           const LcpArray& lcp, int threads = 0);
CommonExtensions common_extensions(Text&&, const SuffixArray&, const LcpArray&, int = 0) = delete;
CommonExtensions common_extensions(const Text&, const SuffixArray&, LcpArray&&, int = 0) = delete;

}  // namespace gsx
