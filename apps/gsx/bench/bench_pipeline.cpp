// gsx bench: from FASTQ to TSV and BED, as count and locate do it.
#include <algorithm>
#include <fstream>
#include <iterator>

#include "bench/bench.hpp"
#include "bytes/output.hpp"
#include "records/sequence_reader.hpp"
#include "run/query_results.hpp"
#include "run/query_tasks.hpp"

namespace gsx::app {
namespace {

/// How often the file for a GPU holds the reads: 3 million take 0.1 s there, as long as to start
/// the threads, which then touch their memory for the first time.
constexpr std::size_t copies_for_gpu = 8;

/// Writes the reads, some times over, and returns the size of the file.
std::uint64_t write_fastq(const std::string& path, const RecordBatch& reads, std::size_t copies) {
  Output out(path);
  std::string record;
  for (std::size_t i = 0; i < copies * reads.size(); ++i) {
    const std::string_view read = reads.sequence(i % reads.size());
    record = "@read" + std::to_string(i) + "\n";
    record += read;
    record += "\n+\n" + std::string(read.size(), 'I') + "\n";
    out.write(record);
  }
  const std::uint64_t bytes = out.offset();
  out.commit();
  return bytes;
}

/// Counts hits: each is one line of BED.
double count_lines(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return static_cast<double>(
      std::count(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>(), '\n'));
}

using MakeTask = std::function<std::unique_ptr<QueryTask>()>;

void run_file(const std::string& from, const std::string& to, const Index& index,
              const Searcher& searcher, int threads, StageTimes& times, const MakeTask& make_task) {
  SequenceReader reader({from}, {.threads = threads,
                                 .block_bytes = QueryOptions().batch,
                                 .pack_bases = searcher.takes_packed(),
                                 .times = &times});
  Output out(to);
  run_pipeline(
      {.searcher = &searcher,
       .alphabet = &index.alphabet(),
       .threads = threads,
       .times = &times,
       .overlaps = true},
      [&](RecordBatch& batch) { return reader.next(batch); }, out, make_task);
  out.commit();
}

}  // namespace

void bench_pipeline(const BenchOptions& options, const Index& index, const Searcher& searcher,
                    int threads, Report& report) {
  constexpr std::uint64_t length = 150;
  const RecordBatch reads = cut_reads(index, length, options.reads, 0.01);
  if (reads.size() == 0) return;
  const QueryRun run{.request = {.max_hits = 100}};
  const QueryTargets targets{index.records(), index.fm().segments};
  const BenchFile fastq("reads.fq"), results("results.txt");
  const std::size_t copies = report.gpu ? copies_for_gpu : 1;
  const std::uint64_t queries = copies * reads.size();
  const auto bytes = static_cast<double>(write_fastq(fastq.path(), reads, copies));
  const auto add = [&](const std::string& name, const MakeTask& make_task) {
    Row row = measure(name, static_cast<double>(queries), "reads/s", options.repeat, [&] {
      StageTimes times;
      run_file(fastq.path(), results.path(), index, searcher, threads, times, make_task);
      log_times(times, queries);
    });
    row.traffic = {bytes / row.seconds, "B/s of FASTQ"};
    report.rows.push_back(row);
  };
  add("FASTQ to TSV, count, 1 % changed of 150", [] { return make_count_task({}); });
  add("FASTQ to BED, locate, 1 % changed of 150",
      [&] { return make_locate_task(run, targets, ResultFormat::bed); });
  const Row& last = report.rows.back();
  const double hits = count_lines(results.path());
  report.rows.push_back({last.work + ", hits", last.seconds, hits / last.seconds, "hits/s"});
}

}  // namespace gsx::app
