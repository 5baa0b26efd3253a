#include "gsx/primers.hpp"

#include <algorithm>
#include <numeric>

#include "analysis/primers/amplicon_search.hpp"
#include "base/messages.hpp"
#include "base/public_call.hpp"
#include "device/cpu/cpu_mismatch_searcher.hpp"
#include "run/opened_target.hpp"

namespace gsx {
namespace {

/// What the messages call it.
constexpr const char* searching_products = "a search for PCR products";

/// Pairs that are searched at a time, and products in a chunk.
constexpr std::size_t pairs_at_once = 1 << 15, most_in_chunk = 1 << 16;

PrimerRules rules_of(const AmpliconOptions& options) {
  require_mismatches(options.mismatches);
  if (options.least > options.most) {
    throw UsageError("least is " + std::to_string(options.least) + ", more than most, which is " +
                     std::to_string(options.most) + ": no product can be so long");
  }
  return {options.mismatches, options.end_bases, options.end_mismatches};
}

/// Products of some pairs on their way to the sink.
struct FoundProducts {
  struct OfPair {
    std::size_t pair;
    std::uint64_t before;
    std::uint64_t total;
    std::size_t end;  ///< in `amplicons`
  };
  std::vector<OfPair> pairs;
  std::vector<Amplicon> amplicons;
};

/// Gives the sink the products of pairs.
class Giver {
 public:
  using Result = FoundProducts;
  Giver(const RecordAxis& axis, std::size_t first, std::uint64_t most, const AmpliconSink& sink)
      : axis_(axis), first_(first), most_(most), sink_(sink) {}

  void take(std::size_t pair, const ProductFinder& products, const ItemTurn& turn) {
    std::vector<std::uint64_t> counts = products.count();
    FoundProducts::OfPair here{first_ + pair, 0,
                               std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}), 0};
    std::size_t begin = found_.amplicons.size();
    products.for_fewest_mismatches(std::move(counts), most_, [&](const Product& product) {
      if (found_.amplicons.size() - begin == most_in_chunk) {
        turn.wait();
        here.end = found_.amplicons.size();
        found_.pairs.push_back(here);
        here.before += most_in_chunk;
        commit(found_);
        begin = 0;
      }
      const std::uint64_t origin = axis_.begin_of(product.record);
      found_.amplicons.push_back({product.record, product.start - origin, product.end - origin,
                                  product.roles, product.forward_mismatches(),
                                  product.reverse_mismatches()});
    });
    here.end = found_.amplicons.size();
    found_.pairs.push_back(here);
  }
  FoundProducts& result() { return found_; }
  void commit(FoundProducts& found) const {
    std::size_t begin = 0;
    for (const FoundProducts::OfPair& one : found.pairs) {
      const std::span<const Amplicon> all(found.amplicons);
      sink_({one.pair, one.before, one.total, all.subspan(begin, one.end - begin)});
      begin = one.end;
    }
    found.pairs.clear();
    found.amplicons.clear();
  }

 private:
  const RecordAxis& axis_;
  std::size_t first_;
  std::uint64_t most_;
  const AmpliconSink& sink_;
  FoundProducts found_;
};

AmpliconSearch search_of(const Target& target, const AmpliconOptions& options,
                         std::span<const std::uint64_t> circular, const TextRegions* regions) {
  const PrimerRules rules = rules_of(options);
  return {target.text(), target.records(), rules,  {options.least, options.most, rules.mismatches},
          unlimited,     circular,         regions};
}

void find_all(const AmpliconSearch& search, const MismatchSearcher& searcher,
              std::span<const PrimerPair> pairs, const AmpliconOptions& options, int threads,
              const AmpliconSink& sink) {
  const PrimerRules rules = rules_of(options);
  UnaskedQueries unasked;
  PrimerBatch batch;
  for (std::size_t first = 0; first < pairs.size(); first += pairs_at_once) {
    const auto some = pairs.subspan(first, std::min(pairs_at_once, pairs.size() - first));
    batch.pairs.assign(some.begin(), some.end());
    prepare_primers(batch, rules, unasked);
    search.search(searcher, batch, threads,
                  [&] { return Giver(search.axis(), first, options.max_products, sink); });
  }
}

std::vector<Amplicon> find_one(Target searched, const PrimerPair& pair,
                               const AmpliconOptions& options) {
  return with_gsx_errors([&] {
    const Target target = of_dna(std::move(searched), searching_products);
    if (const auto why = why_unasked(pair, rules_of(options)))
      throw UsageError("pair '" + shown_name(pair.name) + "': it " + *why);
    const CpuMismatchSearcher searcher(target.for_mismatches(), 1, {.index_copy = 0},
                                       best_cpu_path());
    std::vector<Amplicon> found;
    find_all(search_of(target, options, {}, nullptr), searcher, {&pair, 1}, options, 1,
             [&](const AmpliconChunk& chunk) {
               found.insert(found.end(), chunk.amplicons.begin(), chunk.amplicons.end());
             });
    return found;
  });
}

}  // namespace

std::optional<std::string> why_not_asked(const PrimerPair& pair, const AmpliconOptions& options) {
  return with_gsx_errors([&] { return why_unasked(pair, rules_of(options)); });
}

std::vector<Amplicon> find_amplicons(const Index& index, const PrimerPair& pair,
                                     const AmpliconOptions& options) {
  return find_one(Target(index), pair, options);
}

std::vector<Amplicon> find_amplicons(const Text& text, const PrimerPair& pair,
                                     const AmpliconOptions& options) {
  return find_one(Target(text), pair, options);
}

struct AmpliconSearcher::State : OpenedTarget {
  State(Target searched, const SearchOptions& options)
      : OpenedTarget(of_dna(std::move(searched), searching_products), options, cost_of_any_queries),
        searcher(of_all_places(
            backend->open<MismatchSearch>({target.for_mismatches(), cores, options.memory}),
            options.memory, best_cpu_path())) {}

  std::unique_ptr<MismatchSearcher> searcher;
};

AmpliconSearcher::AmpliconSearcher(const Index& index, const SearchOptions& options)
    : state_(with_gsx_errors([&] { return std::make_unique<State>(Target(index), options); })) {}

AmpliconSearcher::AmpliconSearcher(const Text& text, const SearchOptions& options)
    : state_(with_gsx_errors([&] { return std::make_unique<State>(Target(text), options); })) {}

AmpliconSearcher::AmpliconSearcher(AmpliconSearcher&&) noexcept = default;
AmpliconSearcher& AmpliconSearcher::operator=(AmpliconSearcher&&) noexcept = default;
AmpliconSearcher::~AmpliconSearcher() = default;

std::string AmpliconSearcher::device() const {
  return state_->backend->name();
}

void AmpliconSearcher::find(std::span<const PrimerPair> pairs, const AmpliconOptions& options,
                            const AmpliconSink& sink) const {
  require_sink(sink);
  with_gsx_errors([&] {
    const TextRegions* const regions = state_->regions ? &*state_->regions : nullptr;
    find_all(search_of(state_->target, options, state_->circular, regions), *state_->searcher,
             pairs, options, state_->cores, sink);
  });
}

}  // namespace gsx
