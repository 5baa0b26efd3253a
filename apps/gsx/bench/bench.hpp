// What the parts of gsx bench share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/resources.hpp"
#include "bench/device_bench.hpp"
#include "bytes/temporary_file.hpp"
#include "device/backend.hpp"
#include "queries/query_run.hpp"

namespace gsx::app {

struct BenchOptions {
  std::string kind = "genome";
  std::string file;
  std::string alphabet = "auto";  ///< of the file
  std::string output;
  std::string write_text;
  DeviceOptions device;
  std::uint64_t length = 20'000'000;
  std::uint64_t seed = 1;
  std::uint64_t haplotypes = 1;
  int repeat = 3;
  std::vector<std::string> work = {"ceilings", "build",  "device",  "sequence",
                                   "count",    "locate", "pipeline"};
  std::vector<std::uint32_t> sample_rates = {1, 4, 8, 32};
  std::uint64_t reads = 200'000;
  bool csv = false;

  bool does(const std::string& what) const {
    return std::find(work.begin(), work.end(), what) != work.end();
  }
  /// Whether bench makes the text, instead of taking that of a file.
  bool makes_text() const { return file.empty() || haplotypes > 1; }
  /// Whether it builds `what`: sa, bwt or fm. "build" is all three.
  bool builds(const std::string& what) const { return does("build") || does(what); }
  bool builds_anything() const {
    return builds("sa") || builds("bwt") || builds("fm") || does("inverse");
  }
};

/// How much a work reads or writes in memory, to compare with a ceiling.
struct Traffic {
  double rate = 0;          ///< per second; 0 if not known
  std::string unit;         ///< B/s, or the unit of the ceilings: lines/s or gathers/s
  std::uint64_t bytes = 0;  ///< for random reads: the size of the memory that they are spread over
  double each = 0;          ///< per read that is searched for; 0 if not known
};

/// One line of the results.
struct Row {
  std::string work;
  double seconds;  ///< median; 0 if only a rate is known
  double rate;
  std::string unit;
  Traffic traffic = {};
  std::vector<double> runs = {};  ///< seconds of each run; empty if only a rate is known
};

/// The work of the row for the most host memory, and the unit of the rows for memory.
inline constexpr const char* peak_host_memory = "peak host memory";
inline constexpr const char* memory_unit = "B/symbol";

/// All results.
struct Report {
  bool gpu = false;                ///< whether a GPU builds and searches
  std::uint64_t symbols = 0;       ///< of the text, with separators
  std::uint64_t bytes_before = 0;  ///< of host memory that the process held before the text
  std::vector<Ceiling> ceilings;
  std::vector<Row> rows;

  /// The ceiling for a traffic, among those of its unit: the one measured over the least memory
  /// that holds that of the traffic, otherwise over the most memory. Null if none has the unit.
  const Ceiling* ceiling_of(const Traffic& traffic) const;
  /// Blocks of rows of the same units, each with a heading; "" if there are no results.
  std::string as_table() const;
  std::string as_csv() const;
};

/// Runs a work once to fill caches, page tables and memory pools, then `repeat` times. Returns a
/// row with the median and all runs. `amount` is the size of one run, in `unit` without "/s".
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
  std::vector<double> sorted = seconds;
  std::nth_element(sorted.begin(), sorted.begin() + repeat / 2, sorted.end());
  const double median = sorted[static_cast<std::size_t>(repeat / 2)];
  return {work, median, amount / median, unit, {}, std::move(seconds)};
}

/// A file in a folder of its own, which other users cannot write to, inside the folder for
/// temporary files. The destructor removes both.
class BenchFile {
 public:
  explicit BenchFile(const std::string& name);
  const std::string& path() const { return file_.path(); }

 private:
  ScratchFolder folder_;  // must outlive the file
  RemovedFile file_;
};

/// Throws UsageError if the text that the options ask for cannot be made.
void check_text(const BenchOptions& options);
/// Generates the text, or reads it. What it makes, it also writes to `out`, if that is not null,
/// and finishes it.
Text make_text(const BenchOptions& options, Output* out, Session& session);
/// Measures suffix array, BWT and its inverse, and FM-index, as far as asked for, and the peak
/// memory.
void bench_builds(const BenchOptions& options, Backend& backend, const Text& text, Session& session,
                  Report& report);
/// Measures batches of access, rank and select on the BWT of an open index.
void bench_sequence(const BenchOptions& options, const Index& index,
                    const RankSelectQueries& queries, int threads, Report& report);
/// Measures count for several lengths and kinds of reads.
void bench_count(const BenchOptions& options, const Index& index, const Searcher& searcher,
                 int threads, Report& report);
/// Measures locate at the sampling rate of the index.
Row bench_locate(const BenchOptions& options, const Index& index, const Searcher& searcher,
                 int threads, const Report& report);
/// Measures searches with mismatches: scans, reads, and guides beside a PAM. Pre: the text is DNA.
void bench_mismatches(const BenchOptions& options, const Index& index, Backend& backend,
                      int threads, Report& report);
/// Measures packing, unpacking and reading arrays of --length integers, beside copying them, on the
/// CPU. Pre: the length is below 2^32.
void bench_packing(const BenchOptions& options, int threads, Report& report);
/// Measures FASTQ file to TSV and BED files.
void bench_pipeline(const BenchOptions& options, const Index& index, const Searcher& searcher,
                    int threads, Report& report);

/// Cuts `count` reads of `length` symbols from random places of the text of an index; fewer if
/// segments are short. Replaces about a fraction `changes` of their symbols.
RecordBatch cut_reads(const Index& index, std::uint64_t length, std::uint64_t count,
                      double changes);

}  // namespace gsx::app
