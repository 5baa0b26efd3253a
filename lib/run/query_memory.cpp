#include "run/query_memory.hpp"

#include <algorithm>
#include <string>

#include "base/byte_text.hpp"
#include "base/error.hpp"
#include "bytes/line_sorter.hpp"
#include "records/decoding.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t kib = 1024, mib = 1024 * kib;

/// For the program, its output buffer, and what the C library keeps.
constexpr std::uint64_t fixed_bytes = 10 * mib;
/// For the stack of a thread, and memory that its allocations leave unused.
constexpr std::uint64_t thread_bytes = mib;

/// Bytes that a batch takes per byte of input, from the block read to counts and rows: 4 for reads
/// of 150 bases, at most 64 for records of a byte or two.
constexpr std::uint64_t batch_ratio = 64;
constexpr std::uint64_t least_batch = 16 * kib;
/// Most bytes that a long query takes per symbol. A record takes 3: the symbols, their copy while
/// the string grows, and the codes. A line of a list that is its own name takes 5: also the name,
/// twice.
constexpr std::uint64_t query_ratio = 5;

constexpr std::uint64_t usual_piece = 4 * mib, least_piece = 64 * kib;
/// A string grows by doubling, and exceeds its bound by up to a line; and a thread may have handed
/// over one that waits to be written, and small ones that together take a piece.
constexpr std::uint64_t piece_ratio = 5;

constexpr std::uint64_t hit_bytes = sizeof(Hit);
/// Hits that all threads hold together: more than most 6-mers of a genome have, and as many as make
/// room for the maximal matches of a batch that a GPU searches.
constexpr std::uint64_t usual_hits = 128 * mib / hit_bytes, least_hits = 16 * kib;
constexpr std::uint64_t usual_sort = 64 * mib;
constexpr std::uint64_t ahead_per_thread = 16 * mib, most_ahead = 256 * mib;

/// The least memory in which one thread can work.
constexpr std::uint64_t least_thread_bytes =
    thread_bytes + least_batch * batch_ratio + least_piece * piece_ratio + least_hits * hit_bytes;

QueryMemory usual_memory(const QueryMemoryRequest& request) {
  QueryMemory memory;
  memory.threads = request.threads;
  memory.batch_bytes = request.batch_bytes;
  memory.piece_bytes = usual_piece;
  memory.sort_bytes = usual_sort;
  memory.query_bytes = unlimited;
  memory.unpack_bytes = Decoding::usual_unpack_bytes;
  const auto threads = static_cast<std::uint64_t>(request.threads);
  memory.search.hits_at_once = std::max(least_hits, usual_hits / threads);
  return memory;
}

}  // namespace

QueryMemory plan_query_memory(const QueryMemoryRequest& request) {
  if (request.limit == unlimited) return usual_memory(request);
  const std::uint64_t sort_least = request.sorts ? LineSorter::least_memory : 0;
  const std::uint64_t fixed = fixed_bytes + request.table_bytes;
  const std::uint64_t least = fixed + sort_least + least_thread_bytes;
  if (request.limit < least) {
    throw ResourceError(memory_shortage("searching", least, request.limited_by, request.limit));
  }
  QueryMemory memory = usual_memory(request);
  std::uint64_t room = request.limit - fixed;
  memory.sort_bytes = request.sorts ? std::clamp(room / 2, sort_least, usual_sort) : 0;
  room -= memory.sort_bytes;
  memory.threads = static_cast<int>(std::clamp<std::uint64_t>(
      room / least_thread_bytes, 1, static_cast<std::uint64_t>(request.threads)));
  // Of the share of a thread, the batch, the text and the hits get a quarter each; the last quarter
  // is a reserve.
  const std::uint64_t share =
      room / static_cast<std::uint64_t>(memory.threads) - least_thread_bytes;
  const std::uint64_t part = share / 4;
  memory.batch_bytes = std::min(request.batch_bytes, least_batch + part / batch_ratio);
  memory.ample = 2 * request.batch_bytes * batch_ratio <= part;
  memory.overlaps = 3 * request.batch_bytes * batch_ratio <= part;
  memory.piece_bytes = std::min<std::uint64_t>(usual_piece, least_piece + part / piece_ratio);
  memory.search.hits_at_once = std::min(memory.search.hits_at_once, least_hits + part / hit_bytes);
  // A long query may use the share of the batch and the reserve.
  memory.query_bytes = (least_batch * batch_ratio + 2 * part) / query_ratio;
  // The reserves of all threads.
  memory.record_bytes = part * static_cast<std::uint64_t>(memory.threads);
  memory.unpack_bytes = std::min(memory.unpack_bytes, memory.record_bytes);
  // The index is copied while nothing else needs that much.
  memory.search.index_copy = part;
  return memory;
}

std::uint64_t memory_of_index(const Index& index) {
  const SegmentsView segments = index.fm().segments;
  const std::uint64_t starts = segments.count + 1;
  const std::uint64_t first = (segments.length() >> segments.shift) + 2;
  const std::uint64_t tables = (starts + first) * sizeof(std::uint64_t);
  const std::uint64_t held = tables + (index.is_mapped() ? 0 : index.file_bytes());
  if (index.parts().empty()) return held;
  const RecordsView records = index.records();
  return held + records.names.size() + records.comments.size() +
         records.size() * (sizeof(RecordInfo) + 2 * sizeof(std::uint64_t)) +
         records.gaps.size() * sizeof(Gap);
}

std::uint64_t joined_text_bytes(const Index& index) {
  if (index.parts().empty()) return 0;
  return index.meta().length / 4 + index.fm().segments.count * 4 * sizeof(std::uint64_t);
}

ReaderOptions reader_options(const QueryMemory& memory, int threads, const CramReferences& cram) {
  return {.threads = threads,
          .block_bytes = memory.batch_bytes,
          .record_bytes = memory.query_bytes,
          .header_bytes = memory.query_bytes,
          .allow_empty = true,
          .hands_over = memory.ample,
          .decoding = {.unpack_bytes = memory.unpack_bytes,
                       .record_bytes = memory.record_bytes,
                       .cram = cram,
                       .allow_no_eof = true,
                       .lists = ListForm::named}};
}

std::uint64_t usual_read_ahead(int threads) {
  return std::min(most_ahead, static_cast<std::uint64_t>(threads) * ahead_per_thread);
}

}  // namespace gsx
