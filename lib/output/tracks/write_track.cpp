#include "output/tracks/write_track.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "base/bits.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/resources.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t pieces_per_thread = 2;  // twice, as two rounds are at work
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

/// What has been made of the sections of a round, in units of some: by each writer.
struct Made {
  std::vector<std::vector<EncodedSections>> encoded;
  std::uint64_t units = 0;  ///< so many of them
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
    for (std::vector<PieceRuns>& round : runs_)
      round.assign(std::min(at_once, pieces_.count()), PieceRuns(options.kind));
  }

  void run() {
    double passing = 0, cutting = 0;  // seconds
    Stopwatch watch;
    // A round for its sections to be written, and the last ones, too.
    const std::uint64_t rounds = runs_[0].empty() ? 0 : divide_up(pieces_.count(), runs_[0].size());
    for (std::uint64_t round = 0; round < rounds + 2; ++round) {
      pass(round);
      passing += watch.lap();
      cutter_.next_round();
      if (round < rounds) cut(round);
      cutting += watch.lap();
    }
    runs_ = {};
    made_ = {};
    for (TrackWriter* writer : writers_)
      writer->finish(threads_);
    log().debug("track: made and written in {:.3f} s, cut in {:.3f} s, ended in {:.3f} s", passing,
                cutting, watch.seconds());
  }

 private:
  std::uint64_t first_piece(std::uint64_t round) const { return round * runs_[0].size(); }
  std::uint64_t end_piece(std::uint64_t round) const {
    return std::min<std::uint64_t>(first_piece(round + 1), pieces_.count());
  }

  /// Fills the pieces of a round, encodes the sections of the one before, and writes what has been
  /// made of those of the one before that. Writers come first, as each is one thread's work.
  void pass(std::uint64_t round) {
    std::vector<PieceRuns>& runs = runs_[round % 2];
    const std::uint64_t first = std::min(first_piece(round), pieces_.count());
    const std::uint64_t count = end_piece(round) - first;
    const Made& before = made_[(round + 1) % 2];
    Made& now = made_[round % 2];
    const std::vector<Slice> slices = units();
    now.units = slices.size();
    if (now.encoded.size() < now.units) now.encoded.resize(now.units);
    const std::uint64_t writers = writers_.size();
    parallel_for(threads_, writers + now.units + count, [&](std::uint64_t task, int thread) {
      if (task < writers) return write(*writers_[task], task, before);
      if (task < writers + now.units) {
        const std::uint64_t unit = task - writers;
        return encode(slices[unit], thread, now.encoded[unit]);
      }
      const std::uint64_t i = task - writers - now.units;
      pieces_.fill(first + i, fill_, runs[i]);
    });
  }

  /// Makes sections of the pieces of a round.
  void cut(std::uint64_t round) {
    const std::uint64_t count = end_piece(round) - first_piece(round);
    for (std::uint64_t i = 0; i < count; ++i)
      cutter_.add(runs_[round % 2][i]);
    if (end_piece(round) == pieces_.count()) cutter_.finish();
    if (options_.progress)
      options_.progress("writing values", static_cast<double>(end_piece(round)) /
                                              static_cast<double>(pieces_.count()));
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

  void encode(const Slice& slice, int thread, std::vector<EncodedSections>& encoded) {
    const SectionsView all = cutter_.view();
    const SectionsView some{all.spans, all.sections.subspan(slice.begin, slice.end - slice.begin)};
    encoded.resize(writers_.size());
    for (std::size_t writer = 0; writer < writers_.size(); ++writer) {
      encoded[writer].clear();
      const std::size_t encoder = static_cast<std::size_t>(thread) * writers_.size() + writer;
      encoders_[encoder]->encode(some, encoded[writer]);
    }
  }

  static void write(TrackWriter& writer, std::size_t number, const Made& made) {
    for (std::uint64_t unit = 0; unit < made.units; ++unit)
      writer.write(made.encoded[unit][number]);
  }

  const TrackFill& fill_;
  std::span<TrackWriter* const> writers_;
  const TrackOptions& options_;
  int threads_;
  Pieces pieces_;
  std::vector<std::unique_ptr<TrackEncoder>> encoders_;  ///< of each thread, one per writer
  std::array<std::vector<PieceRuns>, 2> runs_;  ///< of the pieces of a round, and of the next
  SectionCutter cutter_;
  std::array<Made, 2> made_;  ///< of the round before, and of the one before that
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
