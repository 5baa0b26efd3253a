#include "analysis/guides/site_list.hpp"

namespace gsx {

void SiteList::add(std::span<const Hit> places, std::vector<Hit>& spare) {
  if (places.empty()) return;
  begins_.push_back(hits_.size());
  hits_.insert(hits_.end(), places.begin(), places.end());
  while (begins_.size() > 1 && begins_.back() - begins_[begins_.size() - 2] <= 2 * last_size())
    join_last(spare);
}

std::span<const Hit> SiteList::settle(std::vector<Hit>& spare) {
  while (begins_.size() > 1)
    join_last(spare);
  return hits_;
}

void SiteList::join_last(std::vector<Hit>& spare) {
  const auto middle = hits_.begin() + static_cast<std::ptrdiff_t>(begins_.back());
  begins_.pop_back();
  const auto first = hits_.begin() + static_cast<std::ptrdiff_t>(begins_.back());
  spare.clear();
  auto a = first, b = middle;
  while (a != middle && b != hits_.end()) {
    if (*a < *b) {
      spare.push_back(*a++);
    } else if (*b < *a) {
      spare.push_back(*b++);
    } else {  // one place
      spare.push_back(a->mismatches() <= b->mismatches() ? *a : *b);
      ++a;
      ++b;
    }
  }
  spare.insert(spare.end(), a, middle);
  spare.insert(spare.end(), b, hits_.end());
  hits_.erase(first, hits_.end());
  hits_.insert(hits_.end(), spare.begin(), spare.end());
}

}  // namespace gsx
