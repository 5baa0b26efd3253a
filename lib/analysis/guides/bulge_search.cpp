#include "analysis/guides/bulge_search.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "analysis/guides/bulge_scan.hpp"
#include "base/log.hpp"
#include "search/mismatches/batches.hpp"
#include "search/mismatches/mismatches.hpp"

namespace gsx {
namespace {

/// Places, each once, with the fewest mismatches that any pattern has there. Cost: each place given
/// is moved O(log of the number of patterns) times, and once if all patterns have the same places.
class SiteList {
 public:
  /// Adds places in output order. `spare` is memory to work with.
  void add(std::span<const Hit> places, std::vector<Hit>& spare);
  /// All places in output order.
  std::span<const Hit> settle(std::vector<Hit>& spare);
  /// Hits held.
  std::size_t size() const { return hits_.size(); }
  void clear() { *this = SiteList(); }

 private:
  std::size_t last_size() const { return hits_.size() - begins_.back(); }
  void join_last(std::vector<Hit>& spare);

  std::vector<Hit> hits_;            ///< runs that are in order
  std::vector<std::size_t> begins_;  ///< of the runs; each is over twice as long as the next
};

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

/// Bytes that a pattern takes while it is searched for, and each of its symbols.
constexpr std::uint64_t pattern_bytes = 160, symbol_bytes = 8;

/// Bytes of the patterns that are searched for at a time, at least and at most.
constexpr std::uint64_t least_bytes = 1 << 16, most_bytes = std::uint64_t{1} << 28;

/// Largest DNA bulge of which a table is asked for each of its sequences.
constexpr std::uint32_t most_spelled = 3;

bool is_single_bases(const std::string& guide) {
  return guide.find_first_not_of("ACGT") == std::string::npos;
}

}  // namespace

/// The sites of some guides of a batch, as far as they may be held.
class BulgeSearch::Gathering {
 public:
  Gathering(const BulgeSearch& search, const GuideBatch& batch, const Request& request)
      : search_(search),
        batch_(batch),
        request_(request),
        kinds_(request.limits.kinds()),
        most_bytes_(std::clamp(std::min(search.most_, most_bytes) * sizeof(Hit), least_bytes,
                               most_bytes)) {}

  /// Finds the sites of guides [first, end). Returns how many of them from the first one on are
  /// complete.
  std::size_t gather(std::size_t first, std::size_t end) {
    first_ = first;
    held_ = 0;
    lists_ = std::vector<SiteList>((end - first) * kinds_.size());
    incomplete_.assign(end - first, false);
    for (kind_ = 0; kind_ < kinds_.size(); ++kind_)
      for (const Pam& pam : search_.pams_)
        ask(pam, end);
    return static_cast<std::size_t>(std::find(incomplete_.begin(), incomplete_.end(), true) -
                                    incomplete_.begin());
  }
  /// Hits held per guide, at least 1.
  std::uint64_t mean() const { return held_ / incomplete_.size() + 1; }

  /// Passes on the sites of the next guide.
  void give(std::size_t guide, SiteChunks& chunks) {
    std::vector<std::span<const Hit>> left;  // by kind
    SiteNumbers numbers(request_.limits, request_.mismatches);
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
      left.push_back(list_of(guide, kind).settle(spare_));
      for (const Hit& hit : left[kind])
        numbers.count(hit, kinds_[kind]);
    }
    chunks.begin_guide(numbers);
    for (;;) {
      std::size_t next = kinds_.size();
      for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
        if (left[kind].empty()) continue;
        if (next == kinds_.size() || comes_before(left, kind, next)) next = kind;
      }
      if (next == kinds_.size()) break;
      chunks.add(left[next].front(), kinds_[next]);
      left[next] = left[next].subspan(1);
    }
    chunks.end_guide();
  }

 private:
  SiteList& list_of(std::size_t guide, std::size_t kind) {
    return lists_[(guide - first_) * kinds_.size() + kind];
  }
  /// Whether the first hit left of kind `a` is to come before that of kind `b`.
  bool comes_before(const std::vector<std::span<const Hit>>& left, std::size_t a,
                    std::size_t b) const {
    const Hit x = left[a].front(), y = left[b].front();
    return x < y || (!(y < x) && kinds_[a] < kinds_[b]);
  }

  /// Searches for the patterns of the current kind, beside one PAM.
  void ask(const Pam& pam, std::size_t end) {
    patterns_.clear();
    guides_.clear();
    bytes_ = 0;
    const bool spelled = is_table_likely(end);
    for (std::size_t guide = first_; guide < end; ++guide) {
      if (batch_.pattern_of(guide).empty() || incomplete_[guide - first_]) continue;
      for_each_variant(batch_.guides[guide], spelled, [&](std::string_view letters) {
        if (incomplete_[guide - first_]) return;
        patterns_.add(pam.pattern_of(letters));
        guides_.push_back(guide);
        bytes_ += pattern_bytes + symbol_bytes * (letters.size() + pam.size());
        if (bytes_ >= most_bytes_) search();
      });
    }
    if (!guides_.empty()) search();
  }

  /// Whether there are so many guides that patterns of single bases are looked up in a table.
  bool is_table_likely(std::size_t end) const {
    std::size_t patterns = 0;
    for (std::size_t guide = first_; guide < end; ++guide)
      patterns += batch_.guides[guide].size();
    return patterns >= search_.worth_a_table_;
  }

  void for_each_variant(const std::string& guide, bool spelled, const TakeLetters& take) const {
    const Bulge bulge = kinds_[kind_];
    if (bulge == 0) return take(guide);
    if (spelled && bulge > 0 && size_of(bulge) <= most_spelled && is_single_bases(guide))
      return for_each_with_bulge_of_bases(guide, bulge, request_.mismatches, take);
    for_each_with_bulge(guide, bulge, request_.mismatches, take);
  }

  void search() {
    const MismatchRequest request{request_.strands, request_.mismatches, unlimited};
    search_.searcher_.stream_unordered(patterns_.patterns(), request,
                                       [this](const HitChunk& chunk) { take(chunk); });
    patterns_.clear();
    guides_.clear();
    bytes_ = 0;
  }

  void take(const HitChunk& chunk) {
    std::uint64_t begin = 0;
    for (std::size_t i = 0; i < chunk.patterns(); ++i) {
      const auto hits = chunk.hits.subspan(begin, chunk.ends[i] - begin);
      begin = chunk.ends[i];
      const std::size_t guide = guides_[chunk.first + i];
      if (hits.empty() || incomplete_[guide - first_]) continue;
      SiteList& list = list_of(guide, kind_);
      held_ -= list.size();
      list.add(hits, spare_);
      held_ += list.size();
      if (held_ > search_.most_) give_up(guide);
    }
  }

  void give_up(std::size_t guide) {
    incomplete_[guide - first_] = true;
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
      held_ -= list_of(guide, kind).size();
      list_of(guide, kind).clear();
    }
  }

  const BulgeSearch& search_;
  const GuideBatch& batch_;
  const Request& request_;
  const std::vector<Bulge> kinds_;
  const std::uint64_t most_bytes_;  ///< of the patterns that are searched together
  std::size_t kind_ = 0;
  std::size_t first_ = 0;
  std::uint64_t held_ = 0;           ///< hits
  std::vector<SiteList> lists_;      ///< [guide][kind]
  std::vector<bool> incomplete_;     ///< guides whose sites are not held
  SetPatternBuffer patterns_;        ///< that are searched together
  std::vector<std::size_t> guides_;  ///< of each pattern
  std::uint64_t bytes_ = 0;          ///< that they take
  std::vector<Hit> spare_;
};

void BulgeSearch::stream(const GuideBatch& batch, const Request& request,
                         const SiteSink& sink) const {
  Gathering gathering(*this, batch, request);
  SiteChunks chunks(request.max_hits, at_once_, sink);
  const auto search = [&](std::size_t first, std::size_t end) -> BatchFound {
    const std::size_t complete = gathering.gather(first, end);
    for (std::size_t guide = first; guide < first + complete; ++guide)
      gathering.give(guide, chunks);
    return {complete, most_ / 2 / gathering.mean()};
  };
  search_in_batches(0, batch.size(), batch.size(), search,
                    [&](std::size_t guide) { scan(batch, guide, request, chunks); });
  chunks.flush();
}

void BulgeSearch::scan(const GuideBatch& batch, std::size_t guide, const Request& request,
                       SiteChunks& chunks) const {
  log().debug("guide {} of a batch has more than {} sites: compared with each site of the PAM",
              guide + 1, most_);
  const BulgeScan sites(text_, pams_, request.limits, batch.guides[guide], request.mismatches,
                        threads_, request.strands);
  SiteNumbers numbers(request.limits, request.mismatches);
  sites.for_each([&](const Hit& hit, Bulge bulge) { numbers.count(hit, bulge); });
  chunks.begin_guide(numbers);
  sites.for_each([&](const Hit& hit, Bulge bulge) { chunks.add(hit, bulge); });
  chunks.end_guide();
}

}  // namespace gsx
