#include "text/read_text.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "base/ordered_pipeline.hpp"
#include "base/public_call.hpp"
#include "machine/machine.hpp"
#include "seq/sequence_reader.hpp"
#include "text/read_text_within.hpp"
#include "text/text_builder.hpp"

namespace gsx {
namespace {

/// Bytes of all files together; 0 if one of them is not a regular file.
std::uint64_t total_bytes(const std::vector<std::string>& paths) {
  std::uint64_t total = 0;
  for (const std::string& path : paths) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return 0;
    total += static_cast<std::uint64_t>(status.st_size);
  }
  return total;
}

/// How many symbols and records decide between DNA and protein, whatever the size of a batch.
constexpr std::uint64_t guess_symbols = std::uint64_t{1} << 16;

/// A batch of short runs takes 30 times its bytes, so a low memory limit makes batches smaller:
/// those of all threads together remain a small part of the limit.
std::uint64_t block_bytes(const ReadTextOptions& options, const MemoryLimit* memory, int threads) {
  constexpr std::uint64_t least = std::uint64_t{1} << 14, share = 512;
  if (memory == nullptr) return options.block_bytes;
  return std::min(options.block_bytes,
                  std::max(least, memory->bytes() / share / static_cast<std::uint64_t>(threads)));
}

/// A header is held, as it is read, in up to six copies and the growth of arrays.
std::uint64_t header_bytes(const MemoryLimit* memory) {
  constexpr std::uint64_t share = 8, least = std::uint64_t{1} << 16;
  return memory == nullptr ? ~std::uint64_t{0} : std::max(least, memory->bytes() / share);
}

/// Gives the reader's batches, and lets a caller see the first ones before they are handed out.
class BatchSource {
 public:
  explicit BatchSource(SequenceReader& reader) : reader_(reader) {}

  /// The first symbols: symbols and records together count up to `count`. Ends early at an error,
  /// which next() throws in its turn, since the records before it may have errors of their own.
  /// Call it before any next().
  std::string first_symbols(std::uint64_t count) {
    std::string symbols;
    RecordBatch batch;
    try {
      while (count != 0 && reader_.next(batch)) {
        for (std::size_t i = 0; i < batch.size() && count != 0; ++i) {
          if (i != 0 || !batch.continues) --count;
          const std::string_view taken = batch.sequence(i).substr(0, count);
          symbols += taken;
          count -= taken.size();
        }
        first_.push_back(std::move(batch));
      }
    } catch (const InputError&) {
    }
    return symbols;
  }

  /// As SequenceReader::next.
  bool next(RecordBatch& batch) {
    const std::size_t i = given_.fetch_add(1, std::memory_order_relaxed);
    if (i >= first_.size()) return reader_.next(batch);
    batch = std::move(first_[i]);
    return true;
  }

 private:
  SequenceReader& reader_;
  std::vector<RecordBatch> first_;
  std::atomic<std::size_t> given_{0};
};

class TextWorker {
 public:
  TextWorker(TextBuilder& builder, const std::function<void()>& report)
      : builder_(builder), report_(report) {}
  void prepare(const RecordBatch& batch, const ItemTurn&) { builder_.scan(batch, runs_); }
  void commit(const RecordBatch& batch) {
    builder_.place(batch, runs_);
    report_();
  }
  void finish(const RecordBatch& batch) { builder_.pack(batch, runs_); }

 private:
  TextBuilder& builder_;
  const std::function<void()>& report_;
  SymbolRuns runs_;
};

Text read_all(MemoryLimit* memory, const std::vector<std::string>& paths,
              const ReadTextOptions& options, const ProgressReport& progress) {
  std::ranges::for_each(paths, require_path);
  const int threads = threads_for(options.threads);
  SequenceReader reader(paths, {.threads = threads,
                                .block_bytes = block_bytes(options, memory, threads),
                                .split_records = true,
                                .header_bytes = header_bytes(memory)});
  BatchSource source(reader);
  TextOptions text = options.text;
  if (!text.alphabet) {
    const std::string first = source.first_symbols(guess_symbols);
    if (!first.empty()) {
      text.alphabet = guess_alphabet(first);
      text.guessed = true;
      log().info("alphabet: {}", name_of(*text.alphabet));
    }
  }
  TextBuilder builder(text, memory);
  const std::uint64_t total = total_bytes(paths);
  // A plain file holds at least one byte per symbol, and one per separator.
  builder.reserve(total + 1);
  const std::function<void()> report = [&] {
    if (!progress) return;
    const double read = static_cast<double>(reader.bytes_read());
    progress("reading", total > 0 ? read / static_cast<double>(total) : -1);
  };
  run_in_order<RecordBatch>([&](RecordBatch& batch) { return source.next(batch); }, threads,
                            [&] { return TextWorker(builder, report); });
  Text made = builder.finish(threads);
  if (progress) progress("reading", 1);
  return made;
}

}  // namespace

Text read_text(const std::vector<std::string>& paths, const ReadTextOptions& options,
               const ProgressReport& progress) {
  return with_gsx_errors([&] {
    std::optional<MemoryLimit> memory = MemoryLimit::below(options.memory_limit);
    return read_all(memory ? &*memory : nullptr, paths, options, progress);
  });
}

Text read_text_within(MemoryLimit* memory, const std::vector<std::string>& paths,
                      const ReadTextOptions& options, const ProgressReport& progress) {
  return with_gsx_errors([&] { return read_all(memory, paths, options, progress); });
}

}  // namespace gsx
