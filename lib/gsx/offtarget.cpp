#include "gsx/offtarget.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "backend/registry.hpp"
#include "base/public_call.hpp"
#include "machine/machine.hpp"
#include "offtarget/guide_search.hpp"
#include "offtarget/mit_score.hpp"

namespace gsx {
namespace {

/// Guides that are searched at a time.
constexpr std::size_t batch_guides = 1 << 14;

void require_dna(SymbolPolicy policy, const char* what) {
  if (policy == SymbolPolicy::dna) return;
  throw UsageError("a search for guides needs DNA; the " + std::string(what) + " is of " +
                   std::string(name_of(policy)));
}

std::vector<Pam> pams_of(const GuideOptions& options) {
  std::vector<Pam> pams;
  for (const std::string& letters : options.pams)
    pams.push_back({as_dna(letters), options.pam_first});
  check_pams(pams);
  if (options.mismatches > most_mismatches) {
    throw UsageError("mismatches is " + std::to_string(options.mismatches) +
                     ", and must be at most " + std::to_string(most_mismatches));
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

}  // namespace

struct GuideSearcher::State {
  State(std::optional<Index> searched, const MismatchTarget& target, const RecordsView& shown,
        const SearchOptions& options, std::uint64_t table_memory)
      : index(std::move(searched)),
        text(target.text),
        records(shown),
        threads(threads_for(options.threads)),
        table_bytes(table_memory),
        backend(make_backend(
            device_for_guides(device_for(options.device, text.length()), text.length(), threads),
            options.gpu_memory)) {
    if (table_bytes == unlimited) {
      const MachineFacts facts = machine_facts();
      const std::uint64_t room = memory_room(facts, threads).bytes;
      table_bytes = (room - std::min(room, facts.resident)) / 4 * 3;
    }
    searcher = open_for_guides(*backend, {text, index ? &*index : nullptr}, threads, options.memory,
                               table_bytes, best_cpu_path());
  }

  std::optional<Index> index;
  TextView text;
  RecordsView records;
  int threads;
  std::uint64_t table_bytes;
  std::unique_ptr<Backend> backend;
  std::unique_ptr<MismatchSearcher> searcher;
};

namespace {

/// One call.
class GuideCall {
 public:
  GuideCall(const GuideOptions& options, const TextView& text, const RecordsView& records,
            int threads)
      : options_(options),
        pams_(pams_of(options)),
        report_(text, records, pams_, scorer_of(options, pams_), threads) {}

  std::vector<GuideSites> run(std::span<const std::string_view> guides,
                              const MismatchSearcher& searcher, std::uint64_t joined_hits,
                              const ScoredHitSink& sink) {
    const GuideSearch search(searcher, report_, joined_hits);
    std::vector<GuideSites> found;
    found.reserve(guides.size());
    for (std::size_t begin = 0; begin < guides.size(); begin += batch_guides) {
      prepare(guides.subspan(begin, std::min(batch_guides, guides.size() - begin)));
      TakeSites take;
      if (sink)
        take = [&](const HitChunk& chunk, SiteTally* tally) { give(chunk, begin, tally, sink); };
      const GuidesFound some =
          search.search(batch_, {options_.mismatches, options_.max_hits}, take);
      for (std::size_t i = 0; i < batch_.size(); ++i)
        found.push_back(sites_of(some.tally, i));
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
  void give(const HitChunk& chunk, std::size_t begin, SiteTally* tally, const ScoredHitSink& sink) {
    units_.assign(chunk.hits.size(), 0);
    report_.take(batch_, {chunk, {}}, tally, std::nullopt, nullptr, units_.data());
    scores_.resize(units_.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < chunk.patterns(); ++i) {
      const bool scored = report_.has_score(batch_.guides[chunk.first + i]);
      for (; next < chunk.ends[i]; ++next) {
        scores_[next] = scored ? static_cast<double>(units_[next]) / double{score_unit}
                               : std::numeric_limits<double>::quiet_NaN();
      }
    }
    ScoredHitChunk scored{chunk, scores_};
    scored.first += begin;
    sink(scored);
  }

  GuideSites sites_of(const SiteTally& tally, std::size_t guide) const {
    GuideSites sites;
    const auto forward = tally.counts.of(guide, false), reverse = tally.counts.of(guide, true);
    for (std::size_t m = 0; m < tally.counts.classes(); ++m)
      sites.counts.push_back({forward[m], reverse[m]});
    if (report_.has_score(batch_.guides[guide]))
      sites.specificity = specificity(tally.scores[guide].of_others());
    return sites;
  }

  const GuideOptions& options_;
  std::vector<Pam> pams_;
  SiteReport report_;
  GuideBatch batch_;
  std::vector<std::uint64_t> units_;
  std::vector<double> scores_;
};

}  // namespace

GuideSearcher::GuideSearcher(const Index& index, const SearchOptions& options,
                             std::uint64_t table_memory)
    : state_(with_gsx_errors([&] {
        require_dna(index.alphabet().policy(), "index");
        Index shared = index.share();
        const MismatchTarget target{shared.text(), nullptr};
        const RecordsView records = shared.records();
        return std::make_unique<State>(std::move(shared), target, records, options, table_memory);
      })) {}

GuideSearcher::GuideSearcher(const Text& text, const SearchOptions& options,
                             std::uint64_t table_memory)
    : state_(with_gsx_errors([&] {
        require_dna(text.alphabet.policy(), "text");
        return std::make_unique<State>(std::nullopt, MismatchTarget{text.view(), nullptr},
                                       text.records_view(), options, table_memory);
      })) {}

GuideSearcher::GuideSearcher(GuideSearcher&&) noexcept = default;
GuideSearcher& GuideSearcher::operator=(GuideSearcher&&) noexcept = default;
GuideSearcher::~GuideSearcher() = default;

std::string GuideSearcher::device() const {
  return state_->backend->name();
}

std::vector<GuideSites> GuideSearcher::count(std::span<const std::string_view> guides,
                                             const GuideOptions& options) const {
  return with_gsx_errors([&] {
    return GuideCall(options, state_->text, state_->records, state_->threads)
        .run(guides, *state_->searcher, state_->table_bytes / 16 / sizeof(Hit), {});
  });
}

std::vector<GuideSites> GuideSearcher::locate(std::span<const std::string_view> guides,
                                              const GuideOptions& options,
                                              const ScoredHitSink& sink) const {
  require_sink(sink);
  return with_gsx_errors([&] {
    return GuideCall(options, state_->text, state_->records, state_->threads)
        .run(guides, *state_->searcher, state_->table_bytes / 16 / sizeof(Hit), sink);
  });
}

std::string GuideSearcher::site(Hit hit, std::string_view guide,
                                const GuideOptions& options) const {
  return with_gsx_errors([&] {
    const std::vector<BaseSet> pattern = pams_of(options).front().pattern_of(as_dna(guide));
    const TextView& text = state_->text;
    if (hit.position() >= text.length() || pattern.size() > text.length() - hit.position())
      throw UsageError("the hit is not one of a guide of this length in this text");
    std::string letters(pattern.size(), ' ');
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      const std::size_t from = hit.is_reverse() ? pattern.size() - 1 - i : i;
      const auto symbol = static_cast<std::uint32_t>(text.symbols[hit.position() + from]);
      const std::uint32_t code = hit.is_reverse() ? 3 - symbol : symbol;
      const bool in_pam = (pattern[i] & base_sets::must_match) != 0;
      letters[i] = in_pam || has_base(pattern[i], code) ? "ACGT"[code] : "acgt"[code];
    }
    return letters;
  });
}

}  // namespace gsx
