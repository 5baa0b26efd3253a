#include "locate_coverage.hpp"

#include <malloc.h>

#include <algorithm>
#include <utility>

#include "environment.hpp"
#include "machine/resources.hpp"
#include "track/bigwig_writer.hpp"
#include "track/text_track.hpp"
#include "track/write_track.hpp"
#include "track_outputs.hpp"

namespace gsx::app {
namespace {

/// What a thread that writes tracks takes: 4 pieces of runs, and what they are encoded to.
constexpr std::uint64_t thread_bytes = std::uint64_t{4} * 65536 * (12 + 40);
constexpr std::uint64_t bytes_per_position = 12 + 40;

/// What the writer of bigWig holds: sections, and bins of two levels.
std::uint64_t bigwig_bytes(std::uint64_t positions) {
  constexpr std::uint64_t most_of_level = ZoomSpool::most_held * sizeof(ZoomRecord);
  const std::uint64_t bins = ((positions >> least_zoom_shift) + 1) * sizeof(ZoomRecord);
  return positions / section_runs * sizeof(IndexedBlock) + 2 * std::min(most_of_level, bins);
}

}  // namespace

CoverageOutput::CoverageOutput(bool as_text, std::string bigwig)
    : as_text_(as_text), bigwig_name_(std::move(bigwig)) {
  if (!bigwig_name_.empty()) require_bigwig_name(bigwig_name_);
}

std::uint64_t CoverageOutput::bytes(const Index& index) const {
  const std::uint64_t positions = index.text().length();
  std::uint64_t bytes = DepthCounters::bytes(positions) +
                        std::min(thread_bytes, positions * bytes_per_position) +
                        index.records().size() * (sizeof(TrackRecord) + sizeof(std::uint64_t));
  if (!bigwig_name_.empty()) bytes += bigwig_bytes(positions);
  return bytes;
}

void CoverageOutput::open(const Index& index, const QueryTargets& targets) {
  records_ = track_records(targets.records);
  if (!bigwig_name_.empty()) {
    require_bigwig(records_);
    bigwig_.emplace(bigwig_name_);
    require_replaceable(*bigwig_);
    bigwig_->check_before_writing([&index] { index.require_unchanged(); });
  }
  depths_.emplace(targets.records, targets.segments, targets.circular);
}

void CoverageOutput::write(Output& out, std::uint64_t limit, Session& session) {
  std::vector<std::unique_ptr<TrackWriter>> owners;
  if (as_text_) owners.push_back(std::make_unique<TextTrackWriter>(out, TrackText::bed_graph));
  if (bigwig_) owners.push_back(std::make_unique<BigWigWriter>(*bigwig_, scratch_place()));
  std::vector<TrackWriter*> writers;
  writers.reserve(owners.size());
  for (const auto& owner : owners)
    writers.push_back(owner.get());
  int threads = session.threads;
  if (limit != unlimited) {
    malloc_trim(0);  // what the search has freed
    const std::uint64_t room = limit - std::min(limit, resident_bytes());
    threads = static_cast<int>(
        std::clamp<std::uint64_t>(room / thread_bytes, 1, static_cast<std::uint64_t>(threads)));
  }
  depths_->sum(threads);
  write_track(
      records_, [this](const TrackRange& range, PieceRuns& runs) { depths_->fill(range, runs); },
      writers, {.threads = threads, .kind = TrackKind::count, .progress = session.progress()});
}

}  // namespace gsx::app
