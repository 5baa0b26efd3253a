// gsx bench: searching with mismatches.

#include "analysis/guides/pam.hpp"
#include "base/parallel.hpp"
#include "bench/bench.hpp"

namespace gsx::app {
namespace {

constexpr const char* motif = "TGANNTCAYRWSNGGCAATK";
constexpr std::uint64_t most_guides = 1000;
constexpr std::uint64_t table_bytes = std::uint64_t{1} << 32;

/// Patterns [first, last) of a batch.
SetPatternBuffer encode(const RecordBatch& batch, std::uint64_t first, std::uint64_t last) {
  SetPatternBuffer buffer;
  for (std::uint64_t i = first; i < last; ++i)
    buffer.add(batch.sequence(i), false);
  return buffer;
}

/// A scan of the text for 10 and for 100 patterns, and what one more pattern costs.
void bench_scan(const BenchOptions& options, const Index& index, const MismatchSearcher& searcher,
                Report& report) {
  constexpr std::uint64_t few = 10, many = 100;
  const RecordBatch batch = cut_reads(index, 20, many, 0.05);
  if (batch.size() < many) return;
  std::vector<Row> rows;
  for (const std::uint64_t size : {few, many}) {
    const SetPatternBuffer buffer = encode(batch, 0, size);
    MismatchCounts counts;
    rows.push_back(measure("scan, 20-mers, k = 3, " + std::to_string(size) + " at a time",
                           static_cast<double>(size), "patterns/s", options.repeat,
                           [&] { searcher.count(buffer.patterns(), {.mismatches = 3}, counts); }));
  }
  const double more = rows[1].seconds - rows[0].seconds;
  report.rows.insert(report.rows.end(), rows.begin(), rows.end());
  if (more > 0) {
    report.rows.push_back({"scan, 20-mers, k = 3, each one more", 0,
                           static_cast<double>(many - few) / more, "patterns/s"});
  }
  SetPatternBuffer buffer;
  buffer.add(motif, true);
  MismatchCounts counts;
  report.rows.push_back(
      measure("scan, IUPAC motif of 20, k = 1", 1, "patterns/s", options.repeat,
              [&] { searcher.count(buffer.patterns(), {.mismatches = 1}, counts); }));
}

/// Reads of 150 bases, some on each thread, as count and locate search for them.
void bench_reads(const BenchOptions& options, const Index& index, const MismatchSearcher& searcher,
                 int threads, Report& report) {
  const RecordBatch batch =
      cut_reads(index, 150, std::max<std::uint64_t>(options.reads / 10, 1), 0.01);
  if (batch.size() == 0) return;
  const auto parts = static_cast<std::uint64_t>(threads);
  std::vector<SetPatternBuffer> shares;
  for (std::uint64_t part = 0; part < parts; ++part) {
    const Slice slice = slice_of(batch.size(), parts, part);
    shares.push_back(encode(batch, slice.begin, slice.end));
  }
  const auto add = [&](const std::string& work, const auto& search) {
    report.rows.push_back(measure(work + ", k = 3, 1 % changed of 150",
                                  static_cast<double>(batch.size()), "reads/s", options.repeat,
                                  [&] {
                                    run_threads(threads, [&](int thread) {
                                      search(shares[static_cast<std::size_t>(thread)].patterns());
                                    });
                                  }));
  };
  add("count", [&](const SetPatterns& patterns) {
    MismatchCounts counts;
    searcher.count(patterns, {.mismatches = 3}, counts);
  });
  add("locate", [&](const SetPatterns& patterns) {
    searcher.stream(patterns, {.mismatches = 3}, [](const HitChunk&) {});
  });
}

/// Guides beside a PAM, as offtarget searches for them: the table of sites is made anew, or kept
/// from the call before.
void bench_guides(const BenchOptions& options, const Index& index, Backend& backend, int threads,
                  Report& report) {
  const RecordBatch batch = cut_reads(index, 20, std::min(options.reads, most_guides), 0);
  if (batch.size() == 0) return;
  const Pam pam;
  SetPatternBuffer buffer;
  for (std::size_t i = 0; i < batch.size(); ++i)
    buffer.add(pam.pattern_of(batch.sequence(i)));
  const auto open = [&] {
    return backend.open<MismatchSearch>(
        {{index.text(), &index}, threads, {.site_tables = table_bytes}});
  };
  const auto add = [&](const std::string& how, const auto& search) {
    report.rows.push_back(measure("guides beside NGG, k = 4, table " + how,
                                  static_cast<double>(batch.size()), "guides/s", options.repeat,
                                  search));
  };
  MismatchCounts counts;
  add("is made", [&] { open()->count(buffer.patterns(), {.mismatches = 4}, counts); });
  const auto searcher = open();
  add("is there", [&] { searcher->count(buffer.patterns(), {.mismatches = 4}, counts); });
}

}  // namespace

void bench_mismatches(const BenchOptions& options, const Index& index, Backend& backend,
                      int threads, Report& report) {
  bench_scan(options, index, *backend.open<MismatchSearch>({{index.text(), nullptr}, threads}),
             report);
  bench_reads(options, index, *backend.open<MismatchSearch>({{index.text(), &index}, threads}),
              threads, report);
  bench_guides(options, index, backend, threads, report);
}

}  // namespace gsx::app
