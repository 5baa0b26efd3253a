// What the parts of gsx bench share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "bench/device_bench.hpp"
#include "io/temporary_file.hpp"
#include "machine/resources.hpp"
#include "query_run.hpp"

namespace gsx::app {

struct BenchOptions {
  std::string kind = "genome";
  std::string file;
  std::string output;
  std::string write_text;
  DeviceOptions device;
  std::uint64_t length = 20'000'000;
  std::uint64_t seed = 1;
  int repeat = 3;
  std::vector<std::string> work = {"ceilings", "build",  "device",  "sequence",
                                   "count",    "locate", "pipeline"};
  std::vector<std::uint32_t> sample_rates = {1, 4, 16, 32};
  std::uint64_t reads = 200'000;
  bool csv = false;

  bool does(const std::string& what) const {
    return std::find(work.begin(), work.end(), what) != work.end();
  }
};

/// What a work asks of the memory, and which ceilings that is held against.
struct Traffic {
  double rate = 0;          ///< a second; 0: not known
  std::string unit;         ///< B/s, or lines/s or gathers/s as the ceilings have it
  std::uint64_t bytes = 0;  ///< random reads: the memory they are spread over
};

/// One line of the result.
struct Row {
  std::string work;
  double seconds;  ///< median; 0 where only a rate is known
  double rate;
  std::string unit;
  Traffic traffic = {};
};

/// All of it.
struct Report {
  std::vector<Ceiling> ceilings;
  std::vector<Row> rows;

  /// The ceiling that a traffic cannot exceed: the one of its unit that was measured over the least
  /// memory in which its own has room, else over the most; null when none has the unit.
  const Ceiling* ceiling_of(const Traffic& traffic) const;
  std::string as_table() const;
  std::string as_csv() const;
};

/// Runs a work once for nothing, so that caches, page tables and memory pools fill, then `repeat`
/// times: a row with the median. `amount` is what one run does, in `unit` without the "/s".
template <class Work>
Row measure(const std::string& work, double amount, const std::string& unit, int repeat,
            const Work& run) {
  std::vector<double> seconds;
  run();
  for (int round = 0; round < repeat; ++round) {
    const Stopwatch watch;
    run();
    seconds.push_back(watch.seconds());
  }
  std::nth_element(seconds.begin(), seconds.begin() + repeat / 2, seconds.end());
  const double median = seconds[static_cast<std::size_t>(repeat / 2)];
  return {work, median, amount / median, unit};
}

/// A file in a folder of its own, which nobody else can write to, in the folder for temporary
/// files; both are removed at the end.
class BenchFile {
 public:
  explicit BenchFile(const std::string& name);
  const std::string& path() const { return file_.path(); }

 private:
  ScratchFolder folder_;  // outlives the file
  RemovedFile file_;
};

/// Suffix array, BWT and FM-index, and peak memory.
void bench_builds(const BenchOptions& options, Backend& backend, const Text& text, Session& session,
                  Report& report);
/// Access, rank and select in batches, from the BWT of an open index.
void bench_sequence(const BenchOptions& options, const Index& index,
                    const RankSelectQueries& queries, int threads, Report& report);
/// Count by length and kind of the reads.
void bench_count(const BenchOptions& options, const Index& index, const Searcher& searcher,
                 int threads, Report& report);
/// Locate, the sampling rate being that of the index.
Row bench_locate(const BenchOptions& options, const Index& index, const Searcher& searcher,
                 int threads, const Report& report);
/// FASTQ file to TSV and BED files.
void bench_pipeline(const BenchOptions& options, const Index& index, const Searcher& searcher,
                    int threads, Report& report);

/// `count` reads of `length` symbols from random places of an index's text, as its own symbols;
/// fewer where segments are short. About `changes` of the symbols are replaced.
RecordBatch cut_reads(const Index& index, std::uint64_t length, std::uint64_t count,
                      double changes);

}  // namespace gsx::app
