// Cuts a text into LZ77 phrases, from left to right.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>

#include "analysis/lz77/candidates.hpp"
#include "analysis/lz77/phrases.hpp"
#include "base/memory_growth.hpp"
#include "index/lcp/common_prefix.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Parses a text whose candidates are known. Each phrase is as long as it can be: the longest that
/// begins at an earlier candidate, or a literal where no candidate has its first symbol.
template <class Pos>
class PhraseParser {
 public:
  /// `candidates` are those of all positions but the separators'.
  PhraseParser(const TextView& text, std::span<const SourceCandidates<Pos>> candidates)
      : text_(text), candidates_(candidates) {}

  /// Calls report(position) now and then; `report` may be empty. Asks `require` for the memory of
  /// the phrases as they come. Cost: two comparisons per phrase,
  /// each with a random access to the text.
  TextPhrases<Pos> parse(const std::function<void(std::uint64_t)>& report,
                         RequireMemory require = {}) const {
    constexpr std::uint64_t between_reports = std::uint64_t{1} << 20;
    TextPhrases<Pos> parsed;
    MemoryGrowth growth(std::move(require));
    std::uint64_t next_report = 0;
    for (std::uint64_t segment = 0; segment < text_.segments.count; ++segment) {
      const std::uint64_t begin = text_.segments.starts[segment];
      const std::uint64_t end = text_.segments.starts[segment + 1] - 1;
      std::uint64_t fetched = begin;
      for (std::uint64_t at = begin; at < end;) {
        const std::uint64_t until = std::min(end, at + ahead);
        for (fetched = std::max(fetched, at); fetched < until; ++fetched)
          fetch(candidates_[fetched]);
        const Source source = longest(at, begin, end);
        parsed.phrases.push({static_cast<Pos>(at), source.position});
        growth.grown_to(parsed.size() * sizeof(TextPhrase<Pos>));
        at += std::max<std::uint64_t>(1, source.length);
        if (at < next_report) continue;
        if (report) report(at);
        next_report = at + between_reports;
      }
    }
    parsed.phrases.shrink();
    return parsed;
  }

 private:
  static constexpr std::uint64_t ahead = 48;  ///< positions: about three phrases of DNA

  struct Source {
    Pos position;
    std::uint64_t length;
  };

  /// Begins to fetch the text at the candidates of a position. Few positions begin a phrase, but
  /// which ones do is known too late.
  void fetch(const SourceCandidates<Pos>& candidates) const {
    for (const Pos candidate : {candidates.above, candidates.below}) {
      if (candidate == no_position<Pos>) continue;
      const std::uint64_t bit = std::uint64_t{candidate} * text_.symbols.bits;
      __builtin_prefetch(text_.symbols.bytes + bit / 8);
    }
  }

  /// The longest earlier match of what begins at `at`, in the segment [begin, end).
  Source longest(std::uint64_t at, std::uint64_t begin, std::uint64_t end) const {
    const SourceCandidates<Pos> candidates = candidates_[at];
    const Source above = match(candidates.above, at, begin, end);
    const Source below = match(candidates.below, at, begin, end);
    const bool is_below = below.length != above.length ? below.length > above.length
                                                       : below.position < above.position;
    return is_below ? below : above;
  }

  /// How far a candidate agrees; it is none if it does not.
  Source match(Pos source, std::uint64_t at, std::uint64_t begin, std::uint64_t end) const {
    constexpr Source no_source{no_position<Pos>, 0};
    if (source == no_position<Pos>) return no_source;
    std::uint64_t most = end - at;
    if (source < begin) most = std::min(most, text_.segments.separator_from(source) - source);
    const std::uint64_t length = common_symbols(text_.symbols, source, at, 0, most);
    return length == 0 ? no_source : Source{source, length};
  }

  TextView text_;
  std::span<const SourceCandidates<Pos>> candidates_;
};

}  // namespace gsx
