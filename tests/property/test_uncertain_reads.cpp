// Reads that are kept for their qualities: what is left out changes nothing.
#include <doctest/doctest.h>

#include "analysis/barcodes/uncertain_reads.hpp"
#include "support/seeds.hpp"
#include "support/sequence_sets.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("reads decide the same, however many are left out on the way") {
  Random random(run_seed());
  for (const std::string letters : {"ACGT", "ACGTN", "AN"}) {
    CAPTURE(letters);
    const std::uint64_t length = 5 + below(random, 30);
    const CountedSequences entries = related_sequences(
        random, length, 60, letters.size() == 5 ? std::string_view("ACGT") : letters);
    std::vector<std::string> allowed = sequences_of(entries);
    CountedSequences counted;
    std::vector<std::string> reads;
    for (int i = 0; i < 3000; ++i) {
      std::string tag = allowed[below(random, allowed.size())];
      for (std::uint64_t changes = below(random, 4); changes > 0; --changes)
        tag[below(random, length)] = letters[below(random, letters.size())];
      ++counted[tag];
      if (!entries.contains(tag)) reads.push_back(tag + random_string(random, length, "#,7F"));
    }
    for (const unsigned distance : {1u, 2u}) {
      CAPTURE(distance);
      SequenceSet set = make_set(counted), whitelist = make_set(entries);
      const SequenceSet as_read = make_set(entries);
      if (set.shape().bits == 3) whitelist.widen();
      if (whitelist.shape().bits == 3) set.widen();
      take_counts(whitelist, set);
      NearestEntries several;
      const std::vector<Correction> corrections =
          correct_to_whitelist(set, whitelist, distance, {}, {}, &several);
      const SetCorrections all{set, whitelist, corrections, several};
      UncertainReads kept(as_read, distance, {}), thinned(as_read, distance, {}, {}, 500);
      for (std::size_t begin = 0; begin < reads.size();) {
        std::string text;
        for (std::uint64_t some = below(random, 40); some > 0 && begin < reads.size(); --some)
          text += reads[begin++];
        kept.add(text);
        thinned.add(text);
      }
      CHECK(thinned.bytes() <= kept.bytes());
      const DecidedReads expected = kept.decide(all), found = thinned.decide(all);
      CHECK((found.corrected == expected.corrected));
      CHECK((found.ambiguous == expected.ambiguous));
      const CorrectionFigures figures = figures_of(all, found);
      CHECK(figures.exact + figures.corrected + figures.ambiguous + figures.unmatched == 3000);
    }
  }
}

TEST_CASE("reads that one entry decides are left out") {
  const SequenceSet whitelist = make_set({{"AAAAAAAA", 1}});
  UncertainReads reads(whitelist, 1, {}, {}, 500);
  for (int i = 0; i < 100; ++i)
    reads.add("AAAAAAAC########");
  CHECK(reads.bytes() < 500);
}
