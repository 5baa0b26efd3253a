#include "analysis/guides/site_chunks.hpp"

#include <algorithm>

namespace gsx {

std::vector<std::uint64_t> SiteNumbers::kept(std::uint64_t most) const {
  std::vector<std::uint64_t> kept = by_rank_;
  for (std::uint64_t& sites : kept) {
    sites = std::min(sites, most);
    most -= sites;
  }
  return kept;
}

void SiteChunks::begin_guide(const SiteNumbers& numbers) {
  numbers_ = &numbers;
  left_ = numbers.kept(max_hits_);
}

void SiteChunks::end_guide() {
  counts_.push_back(numbers_->strands());
  ends_.push_back(hits_.size());
  if (hits_.size() >= at_once_ || counts_.size() >= usual_hits) flush();
}

/// Passes on what there is in the midst of a guide, which has some of it: end_guide() leaves less
/// than a chunk.
void SiteChunks::flush_within() {
  const std::uint64_t begin = ends_.empty() ? 0 : ends_.back();
  const std::uint64_t before = (ends_.empty() ? before_ : 0) + hits_.size() - begin;
  counts_.push_back(numbers_->strands());
  ends_.push_back(hits_.size());
  give();
  first_ += counts_.size() - 1;
  counts_.clear();
  ends_.clear();
  before_ = before;
}

void SiteChunks::flush() {
  if (counts_.empty()) return;
  give();
  first_ += counts_.size();
  counts_.clear();
  ends_.clear();
  before_ = 0;
}

void SiteChunks::give() {
  sink_({{first_, before_, max_hits_, counts_, ends_, hits_}, bulges_});
  hits_.clear();
  bulges_.clear();
}

}  // namespace gsx
