#include "queries/coverage_output.hpp"

#include <utility>

#include "output/tracks/bigwig_writer.hpp"
#include "output/tracks/text_track.hpp"
#include "output/tracks/write_track.hpp"
#include "outputs/track_outputs.hpp"
#include "process/environment.hpp"

namespace gsx::app {

CoverageOutput::CoverageOutput(bool as_text, std::string bigwig)
    : as_text_(as_text), bigwig_name_(std::move(bigwig)) {
  if (!bigwig_name_.empty()) require_bigwig_name(bigwig_name_);
}

std::uint64_t CoverageOutput::bytes(const Index& index) const {
  const std::uint64_t positions = index.meta().length;
  return DepthCounters::bytes(positions) + track_bytes(positions, !bigwig_name_.empty()) +
         index.records().size() * (sizeof(TrackRecord) + sizeof(std::uint64_t));
}

void CoverageOutput::start(const QueryTargets& targets) {
  records_ = track_records(targets.records);
  if (as_text_) warn_of_shared_name(records_, "bedGraph");
  if (bigwig_ != nullptr) {
    require_bigwig(records_);
    require_replaceable(*bigwig_);
  }
  depths_.emplace(targets.records, targets.segments, targets.circular);
}

void CoverageOutput::write(Output& out, std::uint64_t limit, Session& session) {
  std::vector<std::unique_ptr<TrackWriter>> owners;
  if (as_text_) owners.push_back(std::make_unique<TextTrackWriter>(out, TrackText::bed_graph));
  if (bigwig_ != nullptr)
    owners.push_back(std::make_unique<BigWigWriter>(*bigwig_, scratch_place()));
  std::vector<TrackWriter*> writers;
  writers.reserve(owners.size());
  for (const auto& owner : owners)
    writers.push_back(owner.get());
  TrackOptions options{
      .threads = session.threads, .kind = TrackKind::count, .progress = session.progress()};
  if (limit != unlimited) options = within_memory(options, limit, records_, bigwig_ != nullptr);
  depths_->sum(options.threads);
  write_track(
      records_, [this](const TrackRange& range, PieceRuns& runs) { depths_->fill(range, runs); },
      writers, options);
}

}  // namespace gsx::app
