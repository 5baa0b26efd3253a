#include "store/verify.hpp"

#include <atomic>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "text/extract.hpp"

namespace gsx {
namespace {

[[noreturn]] void fail(const Index& index, const std::string& why) {
  throw CorruptIndexError("index '" + printable(index.path()) + "' is corrupt: " + why +
                          "; rebuild it with gsx index");
}

/// Work of uneven tasks, reported by one thread.
class Tally {
 public:
  Tally(const char* stage, std::uint64_t total, const ProgressReport& report)
      : stage_(stage), total_(total), report_(report) {}
  void add(std::uint64_t amount, int thread) {
    const std::uint64_t done = done_ += amount;
    if (thread == 0 && report_) {
      report_(stage_, static_cast<double>(done) / static_cast<double>(total_));
    }
  }

 private:
  const char* stage_;
  std::uint64_t total_;
  const ProgressReport& report_;
  std::atomic<std::uint64_t> done_{0};
};

void walk_segment(const Index& index, const FmView& fm, const TextView& text,
                  std::uint64_t segment) {
  const std::uint64_t start = text.segments.starts[segment];
  std::uint64_t row = segment;
  for (std::uint64_t p = text.segments.starts[segment + 1] - 1;; --p) {
    if (row % fm.sample_rate == 0 && fm.samples[row / fm.sample_rate] != p) {
      fail(index, "the suffix array sample of row " + std::to_string(row) + " is wrong");
    }
    const bool hole = fm.bwt.is_hole(row);
    if (hole != (p == start)) {
      fail(index, "the BWT has a separator out of place at row " + std::to_string(row));
    }
    if (hole) {
      if (fm.hole_segments[fm.bwt.levels[0].holes_before(row)] != segment) {
        fail(index, "the separator in row " + std::to_string(row) + " starts another segment");
      }
      return;
    }
    const std::uint32_t code = fm.bwt.access(row);
    if (code >= fm.sigma || code != text.symbols[p - 1]) {
      fail(index, "the BWT differs from the text at row " + std::to_string(row));
    }
    row = fm.lf(code, row);
    if (row >= fm.rows()) fail(index, "the counts of the BWT lead outside it");
  }
}

}  // namespace

void verify_records(const Index& index, int threads, const ProgressReport& progress) {
  const RecordsView& records = index.records();
  const TextView text = index.text();
  Tally tally("checking records", records.size(), progress);
  parallel_for(threads, records.size(), [&](std::uint64_t record, int thread) {
    if (md5_of_record(text, records, index.alphabet(), record) != records.infos[record].md5) {
      fail(index, "record " + std::to_string(record + 1) + " ('" +
                      printable(std::string(records.name(record))) + "') does not match its MD5");
    }
    tally.add(1, thread);
  });
}

void verify_bwt(const Index& index, int threads, const ProgressReport& progress) {
  const FmView fm = index.fm();
  const TextView text = index.text();
  Tally tally("checking the BWT", text.length(), progress);
  parallel_for(threads, text.segments.count, [&](std::uint64_t segment, int thread) {
    walk_segment(index, fm, text, segment);
    tally.add(text.segments.starts[segment + 1] - text.segments.starts[segment], thread);
  });
}

}  // namespace gsx
