// gsx bench: FASTQ to TSV, as count and locate do it.
#include "base/output.hpp"
#include "bench.hpp"
#include "query/patterns.hpp"
#include "query/pipeline.hpp"
#include "report/query_report.hpp"
#include "seq/sequence_reader.hpp"

namespace gsx::app {
namespace {

/// Gives the file's size.
std::uint64_t write_fastq(const std::string& path, const RecordBatch& reads) {
  Output out(path);
  std::string record;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const std::string_view read = reads.sequence(i);
    record = "@read" + std::to_string(i) + "\n";
    record += read;
    record += "\n+\n" + std::string(read.size(), 'I') + "\n";
    out.write(record);
  }
  const std::uint64_t bytes = out.offset();
  out.commit();
  return bytes;
}

using Work = std::function<void(const RecordBatch&, const Patterns&, std::string&)>;

void run_file(const std::string& from, const std::string& to, const Index& index,
              const Searcher& searcher, const Work& work) {
  ReaderOptions reading;
  reading.batch_symbols = QueryOptions().batch;
  SequenceReader reader({from}, reading);
  Output out(to);
  run_pipeline([&](RecordBatch& batch) { return reader.next(batch); }, searcher.concurrency(), out,
               [&](const RecordBatch& batch, std::string& text) {
                 PatternBuffer buffer;
                 buffer.encode(batch, index.alphabet());
                 work(batch, buffer.patterns(), text);
               });
  out.commit();
}

}  // namespace

void bench_pipeline(const BenchOptions& options, const Index& index, const Searcher& searcher,
                    Report& report) {
  constexpr std::uint64_t length = 150, max_hits = 100;
  const RecordBatch reads = cut_reads(index, length, options.reads, 0.01);
  if (reads.size() == 0) return;
  const TemporaryFile fastq(".fq"), tsv(".tsv");
  const auto bytes = static_cast<double>(write_fastq(fastq.path(), reads));
  const auto add = [&](const std::string& name, const Work& work) {
    Row row = measure(name, static_cast<double>(reads.size()), "reads/s", options.repeat,
                      [&] { run_file(fastq.path(), tsv.path(), index, searcher, work); });
    row.traffic = {bytes / row.seconds, "B/s of FASTQ"};
    report.rows.push_back(row);
  };
  add("FASTQ to TSV, count, 1 % changed of 150",
      [&](const RecordBatch& batch, const Patterns& patterns, std::string& text) {
        std::vector<StrandCounts> counts;
        searcher.count(patterns, Strands::both, counts);
        append_counts(text, batch, counts);
      });
  add("FASTQ to TSV, locate, 1 % changed of 150",
      [&](const RecordBatch& batch, const Patterns& patterns, std::string& text) {
        Hits hits;
        searcher.locate(patterns, Strands::both, max_hits, hits);
        append_hits(text, batch, hits, index.records(), index.fm().segments, LocateFormat::tsv);
      });
}

}  // namespace gsx::app
