// Moves each source to the first place in the text where the phrase occurs.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <span>

#include "analysis/lz77/candidates.hpp"
#include "analysis/lz77/phrases.hpp"
#include "base/bits.hpp"
#include "base/parallel.hpp"
#include "index/lcp/common_prefix.hpp"

namespace gsx {

/// Of the places where a phrase occurs, each but the first has a candidate that is one, too: of all
/// rows that begin with the phrase, the nearest ones with smaller positions lie among them. So a
/// source follows candidates, the smaller one first, while they agree with the phrase. If the
/// places are in random order, that takes a logarithmic number of hops.
///
/// In a list of sorted words, for example, each hop would reach the word before only. So a source
/// that has hopped a while looks at the phrase that it lies in. If that covers the whole match, its
/// own source leads on, mostly to the first place at once, and nothing needs to be compared.
template <class Pos>
class FirstSources {
 public:
  FirstSources(const TextView& text, std::span<const SourceCandidates<Pos>> candidates,
               TextPhrases<Pos>& parsed)
      : text_(text), candidates_(candidates), parsed_(parsed) {}

  /// Changes the sources in place. The result does not depend on the order of the phrases, so
  /// threads share them. Cost: three random accesses per hop, several phrases at the same time.
  void find(int threads) {
    constexpr std::uint64_t task = std::uint64_t{1} << 12;
    const std::uint64_t count = parsed_.size();
    parallel_for(threads, divide_up(count, task), [&](std::uint64_t t, int) {
      find_some(t * task, std::min(count, (t + 1) * task));
    });
  }

 private:
  static constexpr std::size_t in_flight = 16;
  static constexpr std::uint32_t hops_before_phrases = 8;
  static constexpr Pos none = no_position<Pos>;

  /// A phrase whose source is on its way.
  struct Walk {
    std::uint64_t phrase;
    std::uint64_t length;
    Pos source;
    std::uint32_t hops;
  };

  /// Other threads may read the source at the same time. Any value that it has had is right for
  /// them.
  std::atomic_ref<Pos> source_of(std::uint64_t phrase) {
    return std::atomic_ref<Pos>(parsed_.phrases[phrase].source);
  }

  void find_some(std::uint64_t begin, std::uint64_t end) {
    std::array<Walk, in_flight> walks;
    std::size_t active = 0;
    while (true) {
      for (; active < in_flight && begin < end; ++begin) {
        const Pos source = source_of(begin).load(std::memory_order_relaxed);
        if (source == none || source == 0) continue;
        walks[active++] = {begin, parsed_.length(begin, text_.segments), source, 0};
        __builtin_prefetch(&candidates_[source]);
      }
      if (active == 0) return;
      for (std::size_t k = 0; k < active; ++k)
        prefetch_candidates(walks[k].source);
      std::size_t kept = 0;
      for (std::size_t k = 0; k < active; ++k) {
        if (hop(walks[k])) {
          __builtin_prefetch(&candidates_[walks[k].source]);
          walks[kept++] = walks[k];
        } else {
          source_of(walks[k].phrase).store(walks[k].source, std::memory_order_relaxed);
        }
      }
      active = kept;
    }
  }

  void prefetch_candidates(Pos source) const {
    const SourceCandidates<Pos> candidates = candidates_[source];
    for (const Pos candidate : {candidates.above, candidates.below}) {
      if (candidate != none) __builtin_prefetch(text_.symbols.bytes + bytes_before(candidate));
    }
    __builtin_prefetch(text_.symbols.bytes + bytes_before(source));
  }
  std::uint64_t bytes_before(std::uint64_t position) const {
    return position * text_.symbols.bits / 8;
  }

  /// Moves the source to an earlier place that agrees; false if there is none.
  bool hop(Walk& walk) {
    if (++walk.hops > hops_before_phrases && follow_phrase(walk)) return walk.source != 0;
    const SourceCandidates<Pos> candidates = candidates_[walk.source];
    const Pos smaller = std::min(candidates.above, candidates.below);
    const Pos larger = std::max(candidates.above, candidates.below);
    for (const Pos candidate : {smaller, larger}) {
      if (candidate == none || !agrees(candidate, walk)) continue;
      walk.source = candidate;
      return candidate != 0;
    }
    return false;
  }

  bool agrees(Pos candidate, const Walk& walk) const {
    const std::uint64_t room = text_.segments.separator_from(candidate) - candidate;
    return room >= walk.length &&
           common_symbols(text_.symbols, candidate, walk.source, 0, walk.length) == walk.length;
  }

  /// Goes to where the phrase that the source lies in was copied from, if that covers the match.
  bool follow_phrase(Walk& walk) {
    const std::uint64_t phrase = parsed_.phrase_at(walk.source);
    const Pos start = parsed_.phrases[phrase].start;
    const Pos source = source_of(phrase).load(std::memory_order_relaxed);
    const std::uint64_t before = walk.source - start;
    if (source == none || before + walk.length > parsed_.length(phrase, text_.segments))
      return false;
    walk.source = static_cast<Pos>(source + before);
    return true;
  }

  TextView text_;
  std::span<const SourceCandidates<Pos>> candidates_;
  TextPhrases<Pos>& parsed_;
};

}  // namespace gsx
