#include "gsx/index.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/messages.hpp"
#include "base/public_call.hpp"
#include "index/fm/kmer_table.hpp"
#include "index/store/index_batches.hpp"
#include "index/store/part_of_record.hpp"
#include "index/store/shard_manifest.hpp"
#include "records/sequence_file.hpp"
#include "records/symbol_scan.hpp"
#include "run/build_job.hpp"
#include "text/extract.hpp"
#include "text/read_text_within.hpp"
#include "text/require_text.hpp"
#include "text/text_builder.hpp"

namespace gsx {
namespace {

/// Symbols by which an alphabet is guessed.
constexpr std::size_t guess_symbols = std::size_t{1} << 16;

void require_header(const Sequence& sequence, bool whole_header) {
  const std::string_view name = sequence.name, comment = sequence.comment;
  const char* const refused = whole_header ? "\t\n" : " \t\n";
  const bool has_blanks_around = name.starts_with(' ') || name.ends_with(' ');
  if (is_header(name) && is_header(comment) && name.find_first_of(refused) == name.npos &&
      comment.find('\n') == comment.npos && !has_blanks_around &&
      (!whole_header || comment.empty())) {
    return;
  }
  throw InputError("the sequence '" + shown_name(name) +
                   "' has a name or comment that does not fit a FASTA header");
}

/// Throws InputError for a symbol that no line of a FASTA file can hold. `number` counts from 1.
void require_symbols(const Sequence& sequence, std::uint64_t number) {
  if (all_symbols(sequence.symbols)) return;
  const auto* const wrong = std::ranges::find_if_not(sequence.symbols, [](const char& symbol) {
    return all_symbols({&symbol, 1});
  });
  throw input_error("memory", number, sequence.name, 0,
                    "'" + printable({wrong, 1}) +
                        "' is not a symbol: a sequence has no blanks, line ends, control bytes or "
                        "'>'");
}

Text build_text(std::span<const Sequence> sequences, const ReadTextOptions& options) {
  std::uint64_t symbols = 0;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    require_header(sequences[i], options.whole_header);
    require_symbols(sequences[i], i + 1);
    symbols += sequences[i].symbols.size();
  }
  TextOptions text = options.text;
  if (!text.alphabet) {
    std::string first;
    for (const Sequence& sequence : sequences) {
      if (first.size() >= guess_symbols) break;
      first += sequence.symbols.substr(0, guess_symbols - first.size());
    }
    text.alphabet = guess_alphabet(first);
    text.guessed = true;
  }
  std::optional<MemoryLimit> memory = MemoryLimit::below(options.memory_limit);
  TextBuilder builder(text, memory ? &*memory : nullptr);
  RecordBatch batch;
  batch.source = std::make_shared<const std::string>("memory");
  std::uint64_t record = 0;
  // What comes next begins in the current record. Long sequences are split, as files are.
  const auto add_batch = [&] {
    builder.add(batch);
    const std::uint64_t number = batch.number + 1;
    batch.clear();
    batch.number = number;
    batch.first_record = record;
    batch.first_in_source = record + 1;
  };
  const std::size_t most = std::max<std::uint64_t>(1, options.block_bytes);
  for (; record < sequences.size(); ++record) {
    const Sequence& sequence = sequences[record];
    if (batch.symbols.size() >= most) add_batch();
    batch.begin_record(sequence.name, sequence.comment);
    for (std::string_view rest = sequence.symbols; !rest.empty();) {
      if (batch.symbols.size() >= most) add_batch();
      const std::size_t taken = std::min(rest.size(), most - batch.symbols.size());
      batch.append(rest.substr(0, taken));
      rest.remove_prefix(taken);
    }
  }
  builder.add(batch);
  Text made = builder.finish(threads_for(options.threads, symbols));
  made.whole_header = options.whole_header;
  return made;
}

}  // namespace

Text make_text(std::span<const Sequence> sequences, const ReadTextOptions& options) {
  return with_gsx_errors([&] { return build_text(sequences, options); });
}

namespace {

/// Throws UsageError for options that no index can have.
void check_options(const Text& text, const IndexOptions& options) {
  if (options.sample_rate == 0 || options.sample_rate > RowSampling::most_rate) {
    throw UsageError("sample_rate is " + std::to_string(options.sample_rate) +
                     ", and must be from 1 to " + std::to_string(RowSampling::most_rate));
  }
  const std::uint32_t sigma = text.alphabet.size(), longest = longest_kmer(sigma);
  if (options.kmer_length.value_or(0) > longest) {
    throw UsageError("kmer_length is " + std::to_string(*options.kmer_length) +
                     ", and must be at most " + std::to_string(longest) + " for an alphabet of " +
                     std::to_string(sigma) + " symbols");
  }
}

/// The text of all records of shards, as reading their files gives it.
Text text_of_shards(const Index& shards, const IndexOptions& options) {
  IndexBatches batches(shards);
  ReadTextOptions reading;
  reading.text.alphabet = shards.alphabet().policy();
  reading.text.soft_mask = shards.letter_case().kept            ? SoftMaskPolicy::keep
                           : shards.meta().soft_mask_split != 0 ? SoftMaskPolicy::split
                                                                : SoftMaskPolicy::fold;
  reading.threads = options.threads;
  reading.memory_limit = options.memory_limit;
  Text text = text_of_records([&](RecordBatch& batch) { return batches.next(batch); },
                              shards.meta().length, reading);
  const SourceFilesView files = shards.records().files;
  for (std::uint64_t f = 0; f < files.size(); ++f)
    text.files.add_name(files.name(f));
  text.names_by_file = shards.names_by_file();
  text.whole_header = shards.whole_header();
  if (!files.empty())
    text.files.record_ends.assign(files.record_ends.begin(), files.record_ends.end());
  return text;
}

}  // namespace

Index open_index(const std::string& path, Load load, int threads) {
  return begins_as_manifest(path) ? Index::open_shards(path, load, threads)
                                  : Index::open(path, load, threads);
}

Index join_shards(const Index& shards, const IndexOptions& options) {
  if (shards.parts().empty())
    throw UsageError("the index '" + printable(shards.path()) + "' is not in shards");
  return with_gsx_errors([&] {
    shards.check_content(options.threads);  // the new index has checksums of its own
    IndexOptions all = options;
    all.sample_rate = shards.meta().sample_rate;
    all.md5 = !shards.md5s().empty();
    return build_index(text_of_shards(shards, all), all);
  });
}

Index build_index(Text text, const IndexOptions& options) {
  require_text(text);
  check_options(text, options);
  return run_build(options, cost_of_sorting(text.length()),
                   threads_for(options.threads, text.length()), [&](BuildJob& job) {
                     job.build.sample_rate = options.sample_rate;
                     job.build.kmer_length = options.kmer_length;
                     text.keeps_md5 = options.md5;
                     return build_in_memory(job, text);
                   });
}

std::string extract(const Index& index, std::uint64_t record, std::uint64_t begin,
                    std::uint64_t end) {
  const RecordsView& records = index.records();
  if (record >= records.size()) {
    throw UsageError("there is no record " + std::to_string(record) + ": the index has " +
                     std::to_string(records.size()));
  }
  end = std::min(end, records.infos[record].length);
  if (begin > end) {
    throw UsageError("record " + std::to_string(record) + " cannot be read from " +
                     std::to_string(begin) + " to " + std::to_string(end));
  }
  return with_gsx_errors([&] {
    const auto [part, number] = part_of_record(index, record);
    std::string symbols;
    extract(part.text(), part.records(), part.alphabet(), number, begin, end, symbols);
    return symbols;
  });
}

}  // namespace gsx
