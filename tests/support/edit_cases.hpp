// Random searches with edits, what a searcher finds, and what it should find.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "search/edits/alignment.hpp"
#include "search/edits/edits.hpp"
#include "support/plain_edits.hpp"
#include "support/texts.hpp"

namespace gsx::testing {

/// Owns the patterns of a search with edits.
struct EditPatternBuffer {
  std::vector<std::uint8_t> symbols;
  std::vector<std::uint64_t> ends;

  /// Adds a pattern of letters: of DNA as IUPAC codes, where other letters match nothing.
  void add(std::string_view letters, const Alphabet& alphabet) {
    const bool dna = alphabet.has_reverse_complement();
    for (const char letter : letters)
      symbols.push_back(dna ? iupac_base_set(letter) : alphabet.code(letter));
    ends.push_back(symbols.size());
  }
  EditPatterns patterns() const { return {symbols, ends}; }
};

/// What a searcher finds, chunk after chunk.
struct FoundEdits {
  std::vector<StrandCounts> counts;
  std::vector<std::vector<EditHit>> hits;  ///< of each pattern
};

/// Streams the hits, and checks that the chunks keep their rules. The searcher may hold `at_once`
/// hits of 8 bytes.
inline FoundEdits stream_edits(const EditSearcher& searcher, const EditPatterns& patterns,
                               const EditRequest& request, std::uint64_t at_once) {
  FoundEdits found;
  std::uint64_t unlike = 0, owed = 0;  // hits of the last pattern that should still come
  searcher.stream(patterns, request, [&](const EditChunk& chunk) {
    REQUIRE(chunk.patterns() > 0);
    REQUIRE(chunk.ends.size() == chunk.patterns());
    REQUIRE(chunk.ends.back() == chunk.hits.size());
    unlike += chunk.hits.size() > std::max<std::uint64_t>(1, at_once / 2);
    unlike += chunk.max_hits != request.max_hits;
    unlike += chunk.first != found.hits.size() - (owed > 0 ? 1 : 0);
    unlike += owed > 0 && (chunk.hits.empty() || chunk.before != found.hits.back().size());
    unlike += owed == 0 && chunk.before != 0;
    for (std::size_t i = 0; i < chunk.patterns(); ++i) {
      if (owed > 0) {
        unlike += i != 0;
      } else {
        found.hits.emplace_back();
        found.counts.push_back(chunk.counts[i]);
        owed = chunk.reported(i);
      }
      const std::uint64_t begin = i == 0 ? 0 : chunk.ends[i - 1];
      const auto own = chunk.hits.subspan(begin, chunk.ends[i] - begin);
      found.hits.back().insert(found.hits.back().end(), own.begin(), own.end());
      owed -= std::min<std::uint64_t>(owed, own.size());
    }
    if (owed > 0 || chunk.before > 0) {
      std::uint32_t least = ~0U;
      for (const EditHit& hit : chunk.hits)
        least = std::min(least, hit.edits());
      unlike += chunk.fewest_edits > least;
    }
  });
  CHECK(unlike == 0);
  CHECK(owed == 0);
  return found;
}

/// The alignment of a hit as text.
inline std::string cigar_of_hit(const EditTarget& target, std::span<const std::uint8_t> pattern,
                                const EditHit& hit) {
  const PatternMasks masks(pattern, target.dna);
  const std::uint64_t last = hit.is_reverse() ? hit.position() : hit.end() - 1;
  const std::uint64_t segment = target.text.segments.segment_at(last);
  const StrandText text{target.text.symbols, target.text.segments.starts[segment],
                        target.text.segments.starts[segment + 1] - 1, hit.is_reverse()};
  EditAligner aligner;
  aligner.align(masks.view(), text, text.place_behind(last), hit.edits());
  return cigar_of(aligner, hit.is_reverse());
}

/// Checks that a searcher, which may hold `at_once` hits of 8 bytes, finds what the whole matrix
/// has.
inline void check_edits(const EditSearcher& searcher, const EditTarget& target,
                        const EditPatterns& patterns, const EditRequest& request,
                        std::uint64_t at_once) {
  CAPTURE(request.edits);
  CAPTURE(request.all_ends);
  CAPTURE(request.best);
  CAPTURE(request.max_hits);
  CAPTURE(static_cast<int>(request.strands));
  CAPTURE(at_once);
  EditCounts counts;
  searcher.count(patterns, request, counts);
  const FoundEdits found = stream_edits(searcher, patterns, request, at_once);
  REQUIRE(counts.patterns() == patterns.size());
  REQUIRE(found.hits.size() == patterns.size());
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    CAPTURE(i);
    CAPTURE(patterns[i].size());
    std::vector<AlignedHit> aligned = plain_edit_hits(target, patterns[i], request);
    if (request.best && !aligned.empty()) {
      const auto fewer = [](const AlignedHit& a, const AlignedHit& b) {
        return a.hit.edits() < b.hit.edits();
      };
      const std::uint32_t fewest =
          std::min_element(aligned.begin(), aligned.end(), fewer)->hit.edits();
      std::erase_if(aligned, [&](const AlignedHit& one) { return one.hit.edits() > fewest; });
    }
    EditCounts expected;
    expected.reset(1, request.edits);
    for (const AlignedHit& one : aligned)
      ++expected.of(0, one.hit.is_reverse())[one.hit.edits()];
    for (const bool reverse : {false, true})
      CHECK(std::ranges::equal(counts.of(i, reverse), expected.of(0, reverse)));
    CHECK(found.counts[i].forward == expected.total(0).forward);
    CHECK(found.counts[i].reverse == expected.total(0).reverse);
    // The first of those with the fewest edits, in output order.
    std::vector<AlignedHit> kept = aligned;
    std::stable_sort(kept.begin(), kept.end(), [](const AlignedHit& a, const AlignedHit& b) {
      return a.hit.edits() < b.hit.edits();
    });
    kept.resize(std::min<std::uint64_t>(kept.size(), request.max_hits));
    std::sort(kept.begin(), kept.end(),
              [](const AlignedHit& a, const AlignedHit& b) { return a.hit < b.hit; });
    std::vector<EditHit> hits;
    for (const AlignedHit& one : kept)
      hits.push_back(one.hit);
    CHECK(found.hits[i] == hits);
    if (found.hits[i] != hits) continue;
    std::uint64_t unlike = 0;
    for (const AlignedHit& one : kept)
      unlike += cigar_of_hit(target, patterns[i], one.hit) != one.cigar;
    CHECK(unlike == 0);
  }
}

/// A record that is awkward to search with edits: a run, a tandem repeat, copies, or plain.
inline std::string edit_record(Random& random, std::string_view symbols, std::uint64_t most) {
  const std::uint64_t length = below(random, below(random, 3) == 0 ? 12 : most);
  std::string record;
  switch (below(random, 5)) {
    case 0:
      record = std::string(length, symbols[below(random, symbols.size())]);
      break;
    case 1: {
      const std::string unit = random_string(random, 1 + below(random, 7), symbols);
      while (record.size() < length)
        record += unit;
      for (std::uint64_t flaws = below(random, 4); flaws > 0 && !record.empty(); --flaws)
        record[below(random, record.size())] = symbols[below(random, symbols.size())];
      break;
    }
    case 2:
      record = mutated_copies(random, 1 + below(random, 60), 1 + length / 40, 20, symbols);
      break;
    case 3:
      record = random_string(random, length, symbols.substr(0, 2));
      break;
    default:
      record = random_string(random, length, symbols);
  }
  return record;
}

/// A piece of a record with some edits, or none of it; mostly longer than `edits`.
inline std::string edit_pattern(Random& random, const std::vector<std::string>& records,
                                std::string_view symbols, std::uint32_t edits) {
  const std::uint64_t lengths[] = {edits + 1, 8, 25, 70, 200};
  std::uint64_t length = 1 + below(random, lengths[below(random, 5)]);
  if (below(random, 8) != 0) length = std::max<std::uint64_t>(length, edits + 1);
  const std::string& record = records[below(random, records.size())];
  std::string letters = random_string(random, length, symbols);
  if (!record.empty() && below(random, 6) != 0) {
    const std::uint64_t at = below(random, 3) == 0 ? 0 : below(random, record.size());
    letters = record.substr(at, length);
    if (below(random, 3) == 0) letters = record.substr(record.size() - letters.size());
  }
  for (std::uint64_t changes = below(random, std::uint64_t{edits} + 2); changes > 0; --changes) {
    const std::uint64_t at = below(random, letters.size() + 1);
    switch (below(random, 3)) {
      case 0:
        letters.insert(at, 1, symbols[below(random, symbols.size())]);
        break;
      case 1:
        if (at < letters.size()) letters[at] = symbols[below(random, symbols.size())];
        break;
      default:
        if (at < letters.size()) letters.erase(at, 1);
    }
  }
  return letters;
}

}  // namespace gsx::testing
