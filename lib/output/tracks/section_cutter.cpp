#include "output/tracks/section_cutter.hpp"

#include <algorithm>
#include <utility>

namespace gsx {

void SectionCutter::add(const PieceRuns& piece) {
  for (std::size_t part = 0; part < piece.parts().size(); ++part) {
    const std::span<const TrackRun> runs = piece.runs_of(part);
    if (!runs.empty()) add_part(piece.parts()[part].range, runs);
  }
}

void SectionCutter::add_part(const TrackRange& range, std::span<const TrackRun> runs) {
  if (range.record != record_) {
    end_record();
    record_ = range.record;
  }
  if (open_) {
    const TrackRun& first = runs.front();
    if (range.begin + first.begin == open_->end && first.bits == open_->bits) {
      open_->end = range.begin + first.end;
      runs = runs.subspan(1);
      if (runs.empty()) return;
    }
    close_open_run();
  }
  const TrackRun& last = runs.back();
  open_ = {range.begin + last.begin, range.begin + last.end, last.bits};
  if (runs.size() > 1) append({range.begin, runs.data(), runs.size() - 1});
}

void SectionCutter::close_open_run() {
  // As a run of no positions that is stretched, since it may be too long for a TrackRun.
  single_.push_back({0, 0, open_->bits});
  const std::uint64_t begin = open_->begin, end = open_->end;
  open_.reset();
  append({begin, &single_.back(), 1, end - begin});
}

void SectionCutter::append(const RunSpan& span) {
  spans_.push_back(span);
  pending_ += span.count;
  while (pending_ >= section_runs)
    cut(section_runs);
}

std::uint64_t SectionCutter::begin_of(std::uint64_t span, std::uint64_t offset) const {
  return spans_[span].base + spans_[span].runs[offset].begin;
}

/// The end of the run before run `offset` of a span.
std::uint64_t SectionCutter::end_before(std::uint64_t span, std::uint64_t offset) const {
  const RunSpan& in = offset > 0 ? spans_[span] : spans_[span - 1];
  return in.base + in.runs[(offset > 0 ? offset : in.count) - 1].end + in.stretch;
}

/// Makes a section of the first `count` pending runs.
void SectionCutter::cut(std::uint32_t count) {
  const std::uint64_t span = pending_span_, offset = pending_offset_;
  for (std::uint64_t left = count; left > 0;) {
    const std::uint64_t here = std::min(left, spans_[pending_span_].count - pending_offset_);
    left -= here;
    pending_offset_ += here;
    if (pending_offset_ < spans_[pending_span_].count) break;
    ++pending_span_;
    pending_offset_ = 0;
  }
  pending_ -= count;
  const std::uint64_t end = end_before(pending_span_, pending_offset_);
  runs_yet_ += count;
  extent_yet_ += end - section_end_.value_or(begin_of(span, offset));
  section_end_ = end;
  sections_.push_back({record_, count, span, offset, runs_yet_, extent_yet_});
}

void SectionCutter::end_record() {
  if (open_) close_open_run();
  if (pending_ > 0) cut(static_cast<std::uint32_t>(pending_));
  section_end_.reset();
}

void SectionCutter::next_round() {
  std::vector<RunSpan> spans;
  std::vector<TrackRun>& kept = kept_[1];
  kept.clear();
  kept.reserve(section_runs);  // so that spans may refer to its elements
  for (std::uint64_t span = pending_span_, left = pending_; left > 0; ++span) {
    RunSpan rest = spans_[span];
    rest.runs += pending_offset_;
    rest.count -= pending_offset_;
    pending_offset_ = 0;
    kept.insert(kept.end(), rest.runs, rest.runs + rest.count);
    left -= rest.count;
    rest.runs = kept.data() + (kept.size() - rest.count);
    spans.push_back(rest);
  }
  std::swap(kept_[0], kept_[1]);
  spans_ = std::move(spans);
  sections_.clear();
  single_.clear();
  pending_span_ = 0;
  pending_offset_ = 0;
}

}  // namespace gsx
