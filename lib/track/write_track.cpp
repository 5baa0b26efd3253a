#include "track/write_track.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "base/bits.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "machine/resources.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t pieces_per_thread = 4;
/// Sections that are encoded at a time have at least so many runs, unless there are many sections.
constexpr std::uint64_t unit_runs = 4 * section_runs;
constexpr std::uint64_t most_unit_sections = 512;

/// The positions of all records, cut into pieces of equal size.
class Pieces {
 public:
  Pieces(std::span<const TrackRecord> records, std::uint64_t size) : size_(size) {
    starts_.reserve(records.size() + 1);
    starts_.push_back(0);
    for (const TrackRecord& record : records)
      starts_.push_back(starts_.back() + record.length);
  }

  std::uint64_t count() const { return divide_up(starts_.back(), size_); }
  /// Fills `runs` with those of a piece, record by record.
  void fill(std::uint64_t piece, const TrackFill& fill, PieceRuns& runs) const {
    runs.clear();
    std::uint64_t at = piece * size_;
    const std::uint64_t end = std::min(at + size_, starts_.back());
    auto next = std::upper_bound(starts_.begin(), starts_.end(), at);
    for (; at < end; ++next) {
      const std::uint64_t stop = std::min(end, *next), start = *(next - 1);
      if (at == stop) continue;  // a record of length 0
      const TrackRange range{static_cast<std::uint64_t>(next - 1 - starts_.begin()), at - start,
                             stop - start};
      runs.begin(range);
      fill(range, runs);
      at = stop;
    }
  }

 private:
  std::uint64_t size_;
  std::vector<std::uint64_t> starts_;  ///< of each record among all positions, and the end
};

/// Some sections, and what each writer has made of them.
struct Unit {
  std::vector<EncodedSections> encoded;
};

/// A run of write_track().
class TrackRunner {
 public:
  TrackRunner(std::span<const TrackRecord> records, const TrackFill& fill,
              std::span<TrackWriter* const> writers, const TrackOptions& options)
      : fill_(fill),
        writers_(writers),
        options_(options),
        threads_(std::max(options.threads, 1)),
        pieces_(records, options.piece) {
    for (TrackWriter* writer : writers)
      writer->begin(records, options.kind);
    for (int thread = 0; thread < threads_; ++thread) {
      for (const TrackWriter* writer : writers)
        encoders_.push_back(writer->make_encoder());
    }
    const auto at_once = static_cast<std::uint64_t>(threads_) * pieces_per_thread;
    runs_.assign(std::min(at_once, pieces_.count()), PieceRuns(options.kind));
  }

  void run() {
    double filling = 0, cutting = 0, encoding = 0;  // seconds
    Stopwatch watch;
    for (std::uint64_t first = 0; first < pieces_.count(); first += runs_.size()) {
      const std::uint64_t count = std::min<std::uint64_t>(runs_.size(), pieces_.count() - first);
      fill_and_write(first, count);
      filling += watch.lap();
      for (std::uint64_t i = 0; i < count; ++i)
        cutter_.add(runs_[i]);
      if (first + count == pieces_.count()) cutter_.finish();
      cutting += watch.lap();
      encode();
      encoding += watch.lap();
      cutter_.next_round();
      if (options_.progress)
        options_.progress("writing values", static_cast<double>(first + count) /
                                                static_cast<double>(pieces_.count()));
      cutting += watch.lap();
    }
    fill_and_write(0, 0);
    for (TrackWriter* writer : writers_)
      writer->finish(threads_);
    log().debug(
        "track: values in {:.3f} s, cut in {:.3f} s, encoded in {:.3f} s, ended in {:.3f} s",
        filling, cutting, encoding, watch.seconds());
  }

 private:
  /// Fills pieces, and meanwhile writes what the last round has encoded.
  void fill_and_write(std::uint64_t first, std::uint64_t count) {
    parallel_for(threads_, writers_.size() + count, [&](std::uint64_t task, int) {
      if (task >= writers_.size()) {
        const std::uint64_t i = task - writers_.size();
        return pieces_.fill(first + i, fill_, runs_[i]);
      }
      for (std::uint64_t unit = 0; unit < units_; ++unit)
        writers_[task]->write(made_[unit].encoded[task]);
    });
  }

  /// Groups the sections of the round into units, each of which a thread encodes.
  std::vector<Slice> units() const {
    std::vector<Slice> all;
    const auto sections = cutter_.view().sections;
    std::uint64_t begin = 0, runs = 0;
    for (std::uint64_t i = 0; i < sections.size(); ++i) {
      runs += sections[i].count;
      if (runs < unit_runs && i + 1 - begin < most_unit_sections && i + 1 < sections.size())
        continue;
      all.push_back({begin, i + 1});
      begin = i + 1;
      runs = 0;
    }
    return all;
  }

  void encode() {
    const SectionsView all = cutter_.view();
    const std::vector<Slice> slices = units();
    units_ = slices.size();
    if (made_.size() < units_) made_.resize(units_);
    parallel_for(threads_, units_, [&](std::uint64_t unit, int thread) {
      const Slice slice = slices[unit];
      const SectionsView some{all.spans,
                              all.sections.subspan(slice.begin, slice.end - slice.begin)};
      std::vector<EncodedSections>& encoded = made_[unit].encoded;
      encoded.resize(writers_.size());
      for (std::size_t writer = 0; writer < writers_.size(); ++writer) {
        encoded[writer].clear();
        const std::size_t encoder = static_cast<std::size_t>(thread) * writers_.size() + writer;
        encoders_[encoder]->encode(some, encoded[writer]);
      }
    });
  }

  const TrackFill& fill_;
  std::span<TrackWriter* const> writers_;
  const TrackOptions& options_;
  int threads_;
  Pieces pieces_;
  std::vector<std::unique_ptr<TrackEncoder>> encoders_;  ///< of each thread, one per writer
  std::vector<PieceRuns> runs_;                          ///< of the pieces of a round
  SectionCutter cutter_;
  std::vector<Unit> made_;   ///< of which the last round has made
  std::uint64_t units_ = 0;  ///< so many
};

}  // namespace

void EncodedSections::clear() {
  bytes.clear();
  places.clear();
  totals.clear();
  zooms.clear();
  zoom_shift = 0;
  most_section_bytes = 0;
  runs_yet = 0;
  extent_yet = 0;
}

void write_track(std::span<const TrackRecord> records, const TrackFill& fill,
                 std::span<TrackWriter* const> writers, const TrackOptions& options) {
  TrackRunner(records, fill, writers, options).run();
}

}  // namespace gsx
