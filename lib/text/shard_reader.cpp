#include "text/shard_reader.hpp"

#include <atomic>

#include "base/machine.hpp"
#include "base/parallel.hpp"
#include "base/public_call.hpp"
#include "records/file_stem.hpp"
#include "records/reading_bounds.hpp"
#include "text/record_names.hpp"
#include "text/text_reading.hpp"

namespace gsx {
namespace {

/// The symbols that can be indexed; empty if all can.
std::string_view indexed_symbols(const TextOptions& options) {
  if (options.alphabet.value_or(SymbolPolicy::dna) != SymbolPolicy::dna) return "";
  return options.soft_mask == SoftMaskPolicy::split ? "ACGTU" : "ACGTUacgtu";
}

}  // namespace

struct ShardReader::State {
  State(MemoryLimit* memory, std::vector<std::string> files, const ReadTextOptions& options,
        const ProgressReport& report, IsShardFull is_full, bool prefix_names)
      : paths(std::move(files)),
        progress(report),
        threads(threads_for(options.threads)),
        limit(memory),
        names_by_file(prefix_names),
        stems(options.keep_files ? file_stems(paths, options.file_names)
                                 : std::vector<std::string>()),
        reading(memory, paths, options, progress),
        source([this](RecordBatch& batch) { return reading.next(batch); }, std::move(is_full),
               indexed_symbols(reading.text_options())) {}

  std::vector<std::string> paths;
  ProgressReport progress;
  int threads;
  MemoryLimit* limit;
  bool names_by_file;
  std::vector<std::string> stems;  ///< empty unless files are kept
  TextReading reading;
  ShardSource source;
};

ShardReader::ShardReader(MemoryLimit* memory, std::vector<std::string> paths,
                         const ReadTextOptions& options, const ProgressReport& progress,
                         IsShardFull is_full, bool names_by_file)
    : state_(std::make_unique<State>(memory, std::move(paths), options, progress,
                                     std::move(is_full), names_by_file)) {}
ShardReader::~ShardReader() = default;

std::optional<Text> ShardReader::next() {
  State& state = *state_;
  return with_gsx_errors([&]() -> std::optional<Text> {
    if (!state.source.begin_shard()) return std::nullopt;
    Text text = state.reading.read([&](RecordBatch& batch) { return state.source.next(batch); }, 0);
    if (!state.stems.empty()) {
      const std::size_t first = state.source.first_file();
      std::size_t end = first + text.files.record_ends.size();
      if (state.source.has_ended()) end = state.stems.size();  // files without records, too
      for (std::size_t f = first; f < end; ++f)
        text.files.add_name(state.stems[f]);
      text.files.record_ends.resize(end - first, text.records.size());
      if (state.names_by_file) name_by_file(text, state.limit);
    }
    return text;
  });
}

std::size_t ShardReader::first_file() const {
  return state_->source.first_file();
}

std::optional<ShardSize> ShardReader::skip() {
  State& state = *state_;
  return with_gsx_errors([&]() -> std::optional<ShardSize> {
    if (!state.source.begin_shard()) return std::nullopt;
    std::atomic<std::uint64_t> records{0}, symbols{0};
    run_threads(state.threads, [&](int) {
      RecordBatch batch;
      while (state.source.next(batch)) {
        records.fetch_add(batch.size() - (batch.continues ? 1 : 0), std::memory_order_relaxed);
        symbols.fetch_add(batch.symbols.size(), std::memory_order_relaxed);
      }
    });
    return ShardSize{records.load(), symbols.load()};
  });
}

InputFigures figures_of_input(MemoryLimit* memory, const std::vector<std::string>& paths,
                              const ReadTextOptions& options) {
  return with_gsx_errors([&] {
    const int threads = threads_for(options.threads);
    const ReadingBounds bounds = reading_bounds(options.memory_limit);
    SequenceReader reader(paths, {.threads = threads,
                                  .block_bytes = options.block_bytes,
                                  .split_records = true,
                                  .header_bytes = bounds.header_bytes,
                                  .whole_header = options.whole_header,
                                  .decoding = {.unpack_bytes = bounds.unpack_bytes,
                                               .record_bytes = bounds.record_bytes,
                                               .cram = options.cram,
                                               .allow_no_eof = options.allow_no_eof,
                                               .warns = false}});
    const bool compares_names = options.keep_files && paths.size() > 1;
    SharedNames names(memory);
    std::atomic<std::uint64_t> symbols{0};
    run_threads(threads, [&](int) {
      RecordBatch batch;
      std::vector<SharedNames::Key> keys;
      while (reader.next(batch)) {
        symbols.fetch_add(batch.symbols.size(), std::memory_order_relaxed);
        if (!compares_names) continue;
        keys.clear();
        for (std::size_t i = batch.continues ? 1 : 0; i < batch.size(); ++i)
          keys.push_back(SharedNames::key_of(batch.name(i), batch.file));
        names.add(keys);
      }
    });
    return InputFigures{symbols.load(), names.found()};
  });
}

}  // namespace gsx
