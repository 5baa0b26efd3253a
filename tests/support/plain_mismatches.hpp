// The simplest search with mismatches: compares every place, symbol by symbol.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/mismatches/mismatches.hpp"

namespace gsx::testing {

/// Answers by looking at every place of the text in turn, on one thread, until it has seen too many
/// mismatches. It needs no table and has no limit: other searchers are checked against it.
class PlainMismatchSearcher final : public MismatchSearcher {
 public:
  explicit PlainMismatchSearcher(const TextView& text, const SearchMemory& memory = {})
      : text_(text), memory_(memory) {}

  void count(const SetPatterns& patterns, const MismatchRequest& request,
             MismatchCounts& counts) const override {
    counts.reset(patterns.size(), request.mismatches);
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      for_each_place(text_, patterns[i], request,
                     [&](const Hit& hit) { ++counts.of(i, hit.is_reverse())[hit.mismatches()]; });
    }
  }

  void stream(const SetPatterns& patterns, const MismatchRequest& request,
              const HitSink& sink) const override {
    MismatchCounts counts;
    count(patterns, request, counts);
    std::vector<Hit> hits;
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      const StrandCounts total = counts.total(i);
      FewestMismatches kept(counts, i, request.max_hits);
      std::uint64_t before = 0;
      const auto pass_on = [&] {
        const std::uint64_t end = hits.size();
        sink({i, before, request.max_hits, {&total, 1}, {&end, 1}, hits, counts.fewest(i)});
        before += end;
        hits.clear();
      };
      for_each_place(text_, patterns[i], request, [&](const Hit& hit) {
        if (!kept.take(hit)) return;
        hits.push_back(hit);
        if (hits.size() >= memory_.hits_at_once) pass_on();
      });
      if (!hits.empty() || before == 0) pass_on();
    }
  }

 private:
  using Sets = std::vector<BaseSet>;

  /// Mismatches of the text at p, where the pattern may have `most` of them; more than that if it
  /// has more, or a mismatch where it must not. Pre: p + sets.size() <= text.length().
  static std::uint32_t mismatches_at(const TextView& text, std::uint64_t p, const Sets& sets,
                                     std::uint32_t most) {
    std::uint32_t found = 0;
    for (std::size_t i = 0; i < sets.size() && found <= most; ++i) {
      if (has_base(sets[i], static_cast<std::uint32_t>(text.symbols[p + i]))) continue;
      found += is_strict(sets[i]) ? most + 1 : 1;
    }
    return found;
  }

  /// Calls take(hit) for the places of a pattern, in output order.
  template <class Take>
  static void for_each_place(const TextView& text, std::span<const BaseSet> pattern,
                             const MismatchRequest& request, const Take& take) {
    if (!can_be_asked(pattern, request.mismatches)) return;
    const Sets strands[] = {{pattern.begin(), pattern.end()}, reverse_complement_of(pattern)};
    const bool wanted[] = {request.strands != Strands::reverse,
                           request.strands != Strands::forward};
    for (std::uint64_t segment = 0; segment < text.segments.count; ++segment) {
      const std::uint64_t separator = text.segments.starts[segment + 1] - 1;
      for (std::uint64_t p = text.segments.starts[segment]; p + pattern.size() <= separator; ++p) {
        for (const bool reverse : {false, true}) {
          if (!wanted[reverse]) continue;
          const std::uint32_t found = mismatches_at(text, p, strands[reverse], request.mismatches);
          if (found <= request.mismatches) take(Hit(p, reverse, found));
        }
      }
    }
  }

  TextView text_;
  SearchMemory memory_;
};

}  // namespace gsx::testing
