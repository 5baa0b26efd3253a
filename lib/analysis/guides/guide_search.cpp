#include "analysis/guides/guide_search.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "analysis/guides/joined_hits.hpp"
#include "search/sites/site_searcher.hpp"

namespace gsx {
namespace {

/// worth_a_table() where a GPU compares: a pattern with an N for a DNA bulge is compared with every
/// place of a text, some 2 ms per Gbp, and a table takes 20 for all patterns of single bases.
constexpr std::size_t worth_a_table_beside_gpu = 1 << 6;

/// The guides of a batch, each once.
class DistinctGuides {
 public:
  explicit DistinctGuides(const GuideBatch& all) {
    std::unordered_map<std::string_view, std::size_t> numbers;
    numbers.reserve(all.size());
    for (const std::string& guide : all.guides) {
      const auto [known, is_new] = numbers.emplace(guide, firsts_.size());
      if (is_new) firsts_.push_back(numbers_.size());
      numbers_.push_back(known->second);
    }
  }

  bool are_all() const { return firsts_.size() == numbers_.size(); }
  GuideBatch of(const GuideBatch& all) const {
    GuideBatch some;
    some.pams = all.pams;
    for (const std::size_t i : firsts_) {
      some.records.begin_record(all.records.name(i), "");
      some.guides.push_back(all.guides[i]);
      some.asked.push_back(all.asked[i]);
      for (std::size_t n = i * all.pams; n < (i + 1) * all.pams; ++n)
        some.patterns.add(all.patterns.patterns()[n]);
    }
    return some;
  }
  /// What was found of all guides, given what was found of those that differ.
  GuidesFound spread(const GuidesFound& some) const {
    GuidesFound all;
    const MismatchCounts& counts = some.tally.counts;
    all.tally.counts.reset(numbers_.size(), static_cast<std::uint32_t>(counts.classes() - 1));
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const std::size_t number = numbers_[i];
      for (const bool reverse : {false, true})
        std::ranges::copy(counts.of(number, reverse), all.tally.counts.of(i, reverse).begin());
      if (!some.tally.scores.empty()) all.tally.scores.push_back(some.tally.scores[number]);
      all.dropped.push_back(some.dropped[number]);
    }
    return all;
  }

 private:
  std::vector<std::size_t> firsts_;   ///< of those that differ, the first one in the batch
  std::vector<std::size_t> numbers_;  ///< of each guide, its number among those
};

}  // namespace

GuidesFound GuideSearch::search(GuideBatch& batch, const GuideRequest& request,
                                const TakeSites& take) const {
  if (take) return search_each(batch, request, take);
  const DistinctGuides distinct(batch);
  if (distinct.are_all()) return search_each(batch, request, take);
  GuideBatch some = distinct.of(batch);
  return distinct.spread(search_each(some, request, take));
}

GuidesFound GuideSearch::search_each(GuideBatch& batch, const GuideRequest& request,
                                     const TakeSites& take) const {
  GuidesFound found;
  found.dropped.assign(batch.size(), false);
  if (request.stop_at) drop(batch, request, found);
  const MismatchCounts stopped = std::move(found.tally.counts);
  tally(batch, request, take, found.tally);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (!found.dropped[i]) continue;
    for (const bool reverse : {false, true})
      std::ranges::copy(stopped.of(i, reverse), found.tally.counts.of(i, reverse).begin());
  }
  return found;
}

/// Finds the guides with too many sites that have few mismatches.
void GuideSearch::drop(GuideBatch& batch, const GuideRequest& request, GuidesFound& found) const {
  const StopAt& stop = *request.stop_at;
  found.tally.counts = count(batch, request, stop.mismatches);
  SetPatternBuffer patterns;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    found.dropped[i] = found.tally.counts.total(i).total() > stop.sites;
    for (std::size_t n = i * batch.pams; n < (i + 1) * batch.pams; ++n) {
      if (found.dropped[i]) patterns.add(std::vector<BaseSet>());
      if (!found.dropped[i]) patterns.add(batch.patterns.patterns()[n]);
    }
  }
  batch.patterns = std::move(patterns);
}

MismatchCounts GuideSearch::count(const GuideBatch& batch, const GuideRequest& request,
                                  std::uint32_t mismatches) const {
  MismatchCounts counts;
  searcher_.count(batch.patterns.patterns(), {request.strands, mismatches}, counts);
  if (batch.pams > 1) counts = join_counts(counts, batch.pams);
  return counts;
}

/// Gives `sink` the hits of the guides of a batch, at most `most` of each.
void GuideSearch::stream(const GuideBatch& batch, const GuideRequest& request, std::uint64_t most,
                         const SiteSink& sink) const {
  if (request.bulges.any()) {
    bulges_->stream(batch, {request.bulges, request.mismatches, most, request.strands}, sink);
    return;
  }
  const HitSink hit_sink = [&sink](const HitChunk& chunk) { sink({chunk, {}}); };
  const MismatchRequest asked{request.strands, request.mismatches, most};
  if (batch.pams == 1) return searcher_.stream(batch.patterns.patterns(), asked, hit_sink);
  JoinedSearch(searcher_, batch.patterns.patterns(), batch.pams, joined_hits_, at_once_)
      .stream(asked, hit_sink);
}

void GuideSearch::tally(const GuideBatch& batch, const GuideRequest& request, const TakeSites& take,
                        SiteTally& tally) const {
  const bool scored =
      std::any_of(batch.guides.begin(), batch.guides.end(),
                  [this](const std::string& guide) { return report_.has_score(guide); });
  const bool takes_all = take && request.max_hits == unlimited;
  if (!scored && !takes_all && !request.bulges.any()) {
    tally.counts = count(batch, request, request.mismatches);
  } else {
    const std::size_t classes = request.bulges.size() * (request.mismatches + 1);
    tally.counts.reset(batch.size(), static_cast<std::uint32_t>(classes - 1));
    tally.scores.assign(batch.size(), {});
    const SiteSink add = [&](const SiteChunk& chunk) {
      if (takes_all) take(chunk, &tally);
      if (!takes_all) report_.tally(batch, chunk, tally);
    };
    if (takes_all || batch.pams == 1 || request.bulges.any()) {
      stream(batch, request, unlimited, add);
    } else {
      JoinedSearch(searcher_, batch.patterns.patterns(), batch.pams, joined_hits_)
          .stream_unordered({request.strands, request.mismatches}, [&add](const HitChunk& chunk) {
            add({chunk, {}});
          });
    }
  }
  if (!take || takes_all) return;
  stream(batch, request, request.max_hits, [&](const SiteChunk& chunk) { take(chunk, nullptr); });
}

std::size_t worth_a_table(const Backend& backend) {
  return backend.name() == "cpu" ? SiteSearcher::worth_a_table : worth_a_table_beside_gpu;
}

std::unique_ptr<MismatchSearcher> open_for_guides(Backend& backend, const MismatchTarget& target,
                                                  int threads, SearchMemory memory,
                                                  std::uint64_t table_bytes) {
  memory.site_tables = table_bytes;
  return backend.open<MismatchSearch>({target, threads, memory});
}

}  // namespace gsx
