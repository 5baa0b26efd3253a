#include "gsx/index.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/messages.hpp"
#include "base/public_call.hpp"
#include "index/fm/kmer_table.hpp"
#include "index/store/index_batches.hpp"
#include "index/store/part_of_record.hpp"
#include "index/store/shard_manifest.hpp"
#include "run/build_job.hpp"
#include "text/extract.hpp"
#include "text/read_text_within.hpp"
#include "text/require_text.hpp"

namespace gsx {
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
