#include "text/read_text.hpp"

#include <sys/stat.h>

#include <future>

#include "base/log.hpp"
#include "seq/sequence_reader.hpp"

namespace gsx {
namespace {

/// Bytes of all files together, or 0 when one is not a regular file.
std::uint64_t total_bytes(const std::vector<std::string>& paths) {
  std::uint64_t total = 0;
  for (const std::string& path : paths) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return 0;
    total += static_cast<std::uint64_t>(status.st_size);
  }
  return total;
}

}  // namespace

Text read_text(const std::vector<std::string>& paths, const ReadTextOptions& options,
               const ProgressReport& progress) {
  SequenceReader reader(
      paths,
      {.threads = options.threads, .batch_symbols = options.batch_symbols, .split_records = true});
  const std::uint64_t total = total_bytes(paths);
  RecordBatch batch, next_batch;
  std::optional<TextBuilder> builder;
  bool more = reader.next(batch);
  while (more || !builder) {
    if (!builder) {
      TextOptions text = options.text;
      if (options.guess && !batch.symbols.empty()) {
        text.alphabet = guess_alphabet(batch.symbols);
        log().info("alphabet: {}", name_of(text.alphabet));
      }
      builder.emplace(text);
      if (!more) break;
    }
    auto next = std::async(std::launch::async, [&] { return reader.next(next_batch); });
    builder->add(batch);
    more = next.get();
    std::swap(batch, next_batch);
    if (progress) {
      const double read = static_cast<double>(reader.bytes_read());
      progress("reading", total > 0 ? read / static_cast<double>(total) : -1);
    }
  }
  return builder->finish();
}

}  // namespace gsx
