#include "gsx/guides.hpp"

#include <algorithm>
#include <limits>

#include "analysis/guides/guide_search.hpp"
#include "analysis/guides/mit_score.hpp"
#include "analysis/guides/site_bases.hpp"
#include "base/public_call.hpp"
#include "run/opened_target.hpp"

namespace gsx {
namespace {

/// What the messages call it.
constexpr const char* searching_guides = "a search for guides";

/// Guides that are searched at a time.
constexpr std::size_t batch_guides = 1 << 14;

std::vector<Pam> pams_of(const GuideOptions& options) {
  std::vector<Pam> pams;
  for (const std::string& letters : options.pams)
    pams.push_back({as_dna(letters), options.pam_first});
  check_pams(pams);
  require_mismatches(options.mismatches);
  for (const std::uint32_t size : {options.dna_bulge, options.rna_bulge}) {
    if (size <= BulgeLimits::most) continue;
    throw UsageError("a bulge of " + std::to_string(size) + " bases: it has at most " +
                     std::to_string(BulgeLimits::most));
  }
  if (options.stop_at && options.stop_at->mismatches >= options.mismatches) {
    throw UsageError("stop_at counts sites with up to " +
                     std::to_string(options.stop_at->mismatches) +
                     " mismatches: that must be fewer than mismatches, which is " +
                     std::to_string(options.mismatches));
  }
  return pams;
}

SiteScorer scorer_of(const GuideOptions& options, const std::vector<Pam>& pams) {
  if (options.score_table) {
    options.score_table->check();
    return {*options.score_table, pams};
  }
  return options.mit_scores ? SiteScorer::mit(pams.front()) : SiteScorer();
}

/// The guides are not known before the searcher is open.
WorkCost cost_of_any_guides(std::uint64_t text_symbols) {
  return cost_of_guides(text_symbols, std::numeric_limits<double>::infinity(), 0);
}

}  // namespace

struct GuideSearcher::State : OpenedTarget {
  State(Target searched, const SearchOptions& options, std::uint64_t table_memory)
      : OpenedTarget(of_dna(std::move(searched), searching_guides), options, cost_of_any_guides),
        table_bytes(table_memory == unlimited ? free_table_bytes(cores) : table_memory),
        at_once(options.memory.hits_at_once),
        searcher(of_all_places(
            open_for_guides(*backend, target.for_mismatches(), cores, options.memory, table_bytes),
            options.memory, best_cpu_path())) {}

  std::uint64_t table_bytes;
  std::uint64_t at_once;  ///< hits of a chunk
  std::unique_ptr<MismatchSearcher> searcher;

  std::vector<GuideSites> run(std::span<const std::string_view> guides, const GuideOptions& options,
                              const ScoredHitSink& sink) const;
};

namespace {

/// One call.
class GuideCall {
 public:
  GuideCall(const GuideOptions& options, const OpenedTarget& opened)
      : options_(options),
        opened_(opened),
        pams_(pams_of(options)),
        bulges_{options.dna_bulge, options.rna_bulge},
        report_(opened.target.text(), opened.target.records(), pams_, scorer_of(options, pams_),
                opened.cores, bulges_, options.mismatches) {
    if (bulges_.any() && (!opened.circular.empty() || opened.regions)) {
      throw UsageError(
          "sites with a bulge are sought neither across origins nor within regions: search them "
          "without circular and regions");
    }
  }

  /// Holds about so many hits to join those of a guide, and so many in a chunk.
  std::vector<GuideSites> run(std::span<const std::string_view> guides,
                              const MismatchSearcher& searcher, std::uint64_t joined_hits,
                              std::uint64_t at_once, const ScoredHitSink& sink) {
    const BulgeSearch bulge_search(opened_.target.text(), searcher, pams_, joined_hits,
                                   worth_a_table(*opened_.backend), opened_.cores, at_once);
    const GuideSearch search(searcher, report_, joined_hits, &bulge_search, at_once);
    std::vector<GuideSites> found;
    found.reserve(guides.size());
    for (std::size_t begin = 0; begin < guides.size(); begin += batch_guides) {
      prepare(guides.subspan(begin, std::min(batch_guides, guides.size() - begin)));
      TakeSites take;
      if (sink)
        take = [&](const SiteChunk& chunk, SiteTally* tally) { give(chunk, begin, tally, sink); };
      const GuidesFound some = search.search(
          batch_,
          {options_.mismatches, options_.max_hits, options_.stop_at, bulges_, options_.strands},
          take);
      for (std::size_t i = 0; i < batch_.size(); ++i)
        found.push_back(sites_of(some, i));
    }
    return found;
  }

 private:
  void prepare(std::span<const std::string_view> guides) {
    batch_.records.clear();
    for (const std::string_view guide : guides) {
      batch_.records.begin_record({}, {});
      batch_.records.append(guide);
    }
    UnaskedQueries unasked;
    prepare_guides(batch_, pams_, GuideEnds::guide, options_.mismatches, unasked);
  }

  /// Scores the hits of a chunk of the batch that begins with guide number `begin`.
  void give(const SiteChunk& chunk, std::size_t begin, SiteTally* tally,
            const ScoredHitSink& sink) {
    units_.assign(chunk.hits.size(), 0);
    report_.take(batch_, chunk, tally, std::nullopt, nullptr, units_.data());
    scores_.resize(units_.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < chunk.patterns(); ++i) {
      const bool scored = report_.has_score(batch_.guides[chunk.first + i]);
      for (; next < chunk.ends[i]; ++next) {
        const bool has_bulge = !chunk.bulges.empty() && chunk.bulges[next] != 0;
        scores_[next] = scored && !has_bulge
                            ? static_cast<double>(units_[next]) / double{score_unit}
                            : std::numeric_limits<double>::quiet_NaN();
      }
    }
    const HitChunk& hits = chunk;
    ScoredHitChunk scored{hits, scores_, chunk.bulges};
    scored.first += begin;
    sink(scored);
  }

  GuideSites sites_of(const GuidesFound& found, std::size_t guide) const {
    const SiteTally& tally = found.tally;
    GuideSites sites;
    sites.dropped = found.dropped[guide];
    sites.searched = batch_.asked[guide];
    const auto forward = tally.counts.of(guide, false), reverse = tally.counts.of(guide, true);
    for (std::size_t m = 0; m < tally.counts.classes(); ++m)
      sites.counts.push_back({forward[m], reverse[m]});
    const bool scored = sites.searched && !sites.dropped && report_.has_score(batch_.guides[guide]);
    if (scored && tally.scores[guide].sites > 0)
      sites.specificity = specificity(tally.scores[guide].of_others());
    return sites;
  }

  const GuideOptions& options_;
  const OpenedTarget& opened_;
  std::vector<Pam> pams_;
  BulgeLimits bulges_;
  SiteReport report_;
  GuideBatch batch_;
  std::vector<std::uint64_t> units_;
  std::vector<double> scores_;
};

}  // namespace

std::vector<GuideSites> GuideSearcher::State::run(std::span<const std::string_view> guides,
                                                  const GuideOptions& options,
                                                  const ScoredHitSink& sink) const {
  const std::uint64_t joined_hits = table_bytes / 16 / sizeof(Hit);
  return GuideCall(options, *this).run(guides, *searcher, joined_hits, at_once, sink);
}

GuideSearcher::GuideSearcher(const Index& index, const SearchOptions& options,
                             std::uint64_t table_memory)
    : state_(with_gsx_errors(
          [&] { return std::make_unique<State>(Target(index), options, table_memory); })) {}

GuideSearcher::GuideSearcher(const Text& text, const SearchOptions& options,
                             std::uint64_t table_memory)
    : state_(with_gsx_errors(
          [&] { return std::make_unique<State>(Target(text), options, table_memory); })) {}

GuideSearcher::GuideSearcher(GuideSearcher&&) noexcept = default;
GuideSearcher& GuideSearcher::operator=(GuideSearcher&&) noexcept = default;
GuideSearcher::~GuideSearcher() = default;

std::string GuideSearcher::device() const {
  return state_->backend->name();
}

std::vector<GuideSites> GuideSearcher::count(std::span<const std::string_view> guides,
                                             const GuideOptions& options) const {
  return with_gsx_errors([&] { return state_->run(guides, options, {}); });
}

std::vector<GuideSites> GuideSearcher::locate(std::span<const std::string_view> guides,
                                              const GuideOptions& options,
                                              const ScoredHitSink& sink) const {
  require_sink(sink);
  return with_gsx_errors([&] { return state_->run(guides, options, sink); });
}

std::string GuideSearcher::site(Hit hit, std::string_view guide, const GuideOptions& options,
                                int bulge) const {
  return with_gsx_errors([&] {
    const std::vector<Pam> pams = pams_of(options);
    const std::vector<BaseSet> pattern = pams.front().pattern_of(as_dna(guide));
    const TextView text = state_->target.text();
    const RecordsView records = state_->target.records();
    const auto size = static_cast<std::int64_t>(pattern.size()) + bulge;
    if (-bulge > static_cast<int>(options.rna_bulge) || bulge > static_cast<int>(options.dna_bulge))
      throw UsageError("the options allow no bulge of " + std::to_string(bulge));
    const auto refuse = [] {
      throw UsageError("the hit is not one of a guide of this length in this text");
    };
    if (size < 1 || hit.position() >= text.length()) refuse();
    const std::uint64_t segment = text.segments.segment_at(hit.position());
    const std::uint64_t record = records.segment_records[segment];
    const PlaceParts parts =
        parts_of(text.segments, records, record, text.segments.starts[segment + 1] - 1,
                 hit.position(), static_cast<std::uint64_t>(size));
    const bool spans = parts.rest != 0;
    if (spans && (!std::ranges::binary_search(state_->circular, record) ||
                  parts.rest > text.segments.separator_from(parts.rest_begin) - parts.rest_begin))
      refuse();
    SiteBases bases(text, pams);
    bases.read(hit, parts, pattern, static_cast<Bulge>(bulge));
    std::string letters;
    bases.append(letters);
    return letters;
  });
}

}  // namespace gsx
