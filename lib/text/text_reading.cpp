#include "text/text_reading.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <functional>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/machine.hpp"
#include "base/messages.hpp"
#include "base/ordered_pipeline.hpp"
#include "records/reading_bounds.hpp"
#include "text/text_builder.hpp"

namespace gsx {
namespace {

/// Bytes of all files together; 0 if one of them is not a regular file.
std::uint64_t bytes_of(const std::vector<std::string>& paths) {
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
constexpr std::uint64_t share_of_blocks = 512;

/// Bytes of a block of that part, however small.
std::uint64_t block_share(const MemoryLimit* memory, int threads) {
  if (memory == nullptr) return ~std::uint64_t{0};
  return memory->bytes() / share_of_blocks / static_cast<std::uint64_t>(threads);
}

std::uint64_t block_bytes(const ReadTextOptions& options, const MemoryLimit* memory, int threads) {
  constexpr std::uint64_t least = std::uint64_t{1} << 14;
  return std::min(options.block_bytes, std::max(least, block_share(memory, threads)));
}

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

ReaderOptions reader_options(const ReadTextOptions& options, const MemoryLimit* memory, int threads,
                             std::uint64_t first_batch) {
  const ReadingBounds bounds =
      reading_bounds(memory == nullptr ? ~std::uint64_t{0} : memory->bytes());
  return {.threads = threads,
          .block_bytes = block_bytes(options, memory, threads),
          .split_records = true,
          .header_bytes = bounds.header_bytes,
          .whole_header = options.whole_header,
          .first_number = first_batch,
          .hands_over = options.block_bytes <= block_share(memory, threads),
          .decoding = {.unpack_bytes = bounds.unpack_bytes,
                       .record_bytes = bounds.record_bytes,
                       .cram = options.cram,
                       .allow_no_eof = options.allow_no_eof,
                       .on_warning = options.on_warning}};
}

const std::vector<std::string>& checked(const std::vector<std::string>& paths) {
  std::ranges::for_each(paths, require_path);
  return paths;
}

}  // namespace

std::string BatchSource::first_symbols(std::uint64_t count) {
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

bool BatchSource::next(RecordBatch& batch) {
  const std::size_t i = given_.fetch_add(1, std::memory_order_relaxed);
  if (i >= first_.size()) return reader_.next(batch);
  batch = std::move(first_[i]);
  return true;
}

TextReading::TextReading(MemoryLimit* memory, const std::vector<std::string>& paths,
                         const ReadTextOptions& options, const ProgressReport& progress,
                         std::uint64_t first_batch)
    : memory_(memory),
      progress_(progress),
      threads_(threads_for(options.threads)),
      total_(bytes_of(paths)),
      reader_(checked(paths), reader_options(options, memory, threads_, first_batch)),
      source_(reader_),
      options_(options.text),
      whole_header_(options.whole_header) {
  if (options_.alphabet) return;
  const std::string first = source_.first_symbols(guess_symbols);
  if (first.empty()) return;
  options_.alphabet = guess_alphabet(first);
  options_.guessed = true;
  log().info("alphabet: {}", name_of(*options_.alphabet));
}

void TextReading::report() const {
  if (!progress_) return;
  const double read = static_cast<double>(reader_.bytes_read());
  progress_("reading", total_ > 0 ? read / static_cast<double>(total_) : -1);
}

Text TextReading::read(const NextBatch& next, std::uint64_t symbols) {
  Text text = text_of_batches(next, symbols, options_, memory_, threads_, [this] { report(); });
  text.whole_header = whole_header_;
  return text;
}

Text text_of_batches(const NextBatch& next, std::uint64_t symbols, const TextOptions& options,
                     MemoryLimit* memory, int threads, const std::function<void()>& report) {
  TextBuilder builder(options, memory);
  builder.reserve(symbols);
  run_in_order<RecordBatch>(next, threads, [&] { return TextWorker(builder, report); });
  return builder.finish(threads);
}

}  // namespace gsx
