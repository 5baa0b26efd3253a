// Neighbours and longest prefixes through the public headers: against comparing all, and what is
// refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gsx/barcodes.hpp"
#include "gsx/error.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::vector<std::string_view> views(const std::vector<std::string>& strings) {
  return {strings.begin(), strings.end()};
}

std::vector<std::string> random_list(std::uint64_t seed, int number, std::uint64_t length,
                                     const char* letters) {
  Random random(seed);
  std::vector<std::string> list;
  for (int i = 0; i < number; ++i)
    list.push_back(random_string(random, length, letters));
  return list;
}

unsigned distance(const std::string& a, const std::string& b) {
  unsigned differ = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    differ += a[i] != b[i];
  return differ;
}

std::vector<std::string> sequences_of(const SequenceSet& set) {
  std::vector<std::string> all;
  for (std::uint64_t i = 0; i < set.size(); ++i)
    all.push_back(set.sequence(i));
  return all;
}

std::vector<NeighborPair> naive_pairs(const std::vector<std::string>& first,
                                      const std::vector<std::string>& second, bool within,
                                      unsigned most) {
  std::vector<NeighborPair> pairs;
  for (std::uint32_t i = 0; i < first.size(); ++i) {
    for (std::uint32_t j = within ? i + 1 : 0; j < second.size(); ++j) {
      const unsigned differ = distance(first[i], second[j]);
      if (differ <= most) pairs.push_back({i, j, differ});
    }
  }
  return pairs;
}

template <class Work>
std::string refusal_of(const Work& work) {
  try {
    work();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a set of sequences in memory has the distinct ones, in order, with counts") {
  for (const char* letters : {"ACGT", "ACGNT"}) {
    const std::vector<std::string> list = random_list(3, 5000, 4, letters);
    std::map<std::string, std::uint64_t> expected, weighted;
    std::vector<std::uint64_t> counts;
    for (const std::string& sequence : list) {
      counts.push_back(1 + counts.size() % 7);
      ++expected[sequence];
      weighted[sequence] += counts.back();
    }
    for (const int threads : {1, 3}) {
      const SequenceSet set = make_sequence_set(views(list), {}, threads);
      const SequenceSet other = make_sequence_set(views(list), counts, threads);
      REQUIRE(set.size() == expected.size());
      REQUIRE(other.size() == expected.size());
      std::uint64_t i = 0;
      for (const auto& [sequence, count] : expected) {
        REQUIRE(set.sequence(i) == sequence);
        REQUIRE(set.count(i) == count);
        REQUIRE(other.count(i++) == weighted[sequence]);
      }
    }
  }
  CHECK(make_sequence_set({}).size() == 0);
  const std::vector<std::string_view> mixed = {"acgu", "ACGT", "nAAA"};
  CHECK(sequences_of(make_sequence_set(mixed)) == std::vector<std::string>{"ACGT", "NAAA"});
  const std::string longest(64, 'N');
  CHECK(make_sequence_set(std::vector<std::string_view>{longest}).sequence(0) == longest);
}

TEST_CASE("pairs of neighbours through the public header are those of comparing all") {
  const SequenceSet plain = make_sequence_set(views(random_list(5, 400, 6, "ACGT")));
  const SequenceSet odd = make_sequence_set(views(random_list(6, 300, 6, "ACGNT")));
  const auto plain_list = sequences_of(plain), odd_list = sequences_of(odd);
  for (const unsigned most : {1u, 2u}) {
    for (const int threads : {1, 2}) {
      const NeighborSearchOptions options{.distance = most, .threads = threads};
      CHECK(neighbor_pairs(plain, options) == naive_pairs(plain_list, plain_list, true, most));
      CHECK(neighbor_pairs(odd, options) == naive_pairs(odd_list, odd_list, true, most));
      CHECK(neighbor_pairs(plain, odd, options) == naive_pairs(plain_list, odd_list, false, most));
      CHECK(neighbor_pairs(odd, plain, options) == naive_pairs(odd_list, plain_list, false, most));
    }
  }
  std::uint64_t rows = 0, pairs = 0;
  find_neighbors(plain, odd, [&](const NeighborChunk& chunk) {
    CHECK(chunk.begin == rows);
    rows = chunk.end;
    for (std::uint64_t i = chunk.begin; i < chunk.end; ++i)
      pairs += chunk.of(i).size();
  });
  CHECK(rows == plain.size());
  CHECK(pairs == naive_pairs(plain_list, odd_list, false, 1).size());
  const SequenceSet none;
  CHECK(neighbor_pairs(none).empty());
  CHECK(neighbor_pairs(none, plain).empty());
  CHECK(neighbor_pairs(plain, none).empty());
}

TEST_CASE("clusters and corrections through the public header, by hand") {
  const std::vector<std::string_view> list = {"AAAA", "AAAC", "AACC", "TTTT", "TTTA", "TTTC"};
  const std::vector<std::uint64_t> counts = {9, 4, 2, 1, 3, 3};
  const SequenceSet set = make_sequence_set(list, counts);  // TTTT is the last one
  const Clusters clusters = sequence_clusters(set);
  REQUIRE(clusters.list.size() == 3);
  CHECK(clusters.list[0].centroid == 0);
  CHECK(clusters.list[0].count == 15);
  const auto members = clusters.members_of(clusters.list[0]);
  CHECK(std::vector<std::uint32_t>(members.begin(), members.end()) ==
        std::vector<std::uint32_t>{1, 2});

  std::vector<Correction> all = corrections(set);
  CHECK(all[2].target == 0);
  CHECK(all[2].distance == 2);
  CHECK(all[5].kind == CorrectionKind::ambiguous);
  CHECK(all[5].target == 5);

  const std::vector<std::string_view> entries = {"AAAC", "TTTA", "TTTC", "AAAA", "NNNN"};
  const std::vector<std::uint64_t> misleading = {1000, 1, 1, 1, 1};
  const SequenceSet whitelist = make_sequence_set(entries, misleading);
  all = corrections(set, whitelist);
  CHECK(all[0].kind == CorrectionKind::exact);
  CHECK(whitelist.sequence(all[0].target) == "AAAA");
  CHECK(all[2].kind == CorrectionKind::corrected);
  CHECK(whitelist.sequence(all[2].target) == "AAAC");
  CHECK(all[5].kind == CorrectionKind::ambiguous);
  CHECK(whitelist.count(1) == 1000);  // as it was
  CHECK(corrections(set, SequenceSet()).at(0).kind == CorrectionKind::unmatched);
  CHECK(corrections(SequenceSet(), whitelist).empty());
}

TEST_CASE("public corrections to a whitelist ask how likely the best of several entries is") {
  const std::vector<std::string_view> tags = {"AAAA", "AATT", "AAAT"};
  const std::vector<std::uint64_t> counts = {39, 1, 100};
  const SequenceSet set = make_sequence_set(tags, counts);
  const SequenceSet whitelist = make_sequence_set(std::vector<std::string_view>{"AATT", "AAAA"});
  const auto kind_of = [&](double confidence) {
    return corrections(set, whitelist, {.confidence = confidence}).at(1).kind;  // AAAT
  };
  CHECK(corrections(set, whitelist).at(1).kind == CorrectionKind::corrected);
  CHECK(kind_of(0.975) == CorrectionKind::corrected);
  CHECK(kind_of(0.975001) == CorrectionKind::ambiguous);
  CHECK(kind_of(0) == CorrectionKind::corrected);
  CHECK(kind_of(1) == CorrectionKind::ambiguous);
  for (const double wrong : {-0.1, 1.1, std::nan("")})
    CHECK(holds(refusal_of([&] { kind_of(wrong); }), "give 0 to 1"));
}

TEST_CASE("public neighbours refuse what is no set, no request, and sets of other lengths") {
  using Views = std::vector<std::string_view>;
  const auto says = [](const Views& list, const std::vector<std::uint64_t>& counts,
                       const std::string& words) {
    CHECK(holds(refusal_of([&] { make_sequence_set(list, counts); }), words));
  };
  const std::string many(65, 'A');
  says({"AC", "A"}, {}, "sequence 1 has 1 symbols, and the first one has 2");
  says({""}, {}, "sequence 0 has 0 symbols");
  says({many}, {}, "sequence 0 has 65 symbols");
  says({"AC", "AR"}, {}, "sequence 1 is wrong: 'R'");
  Views several(200'000, "ACGT");  // several threads, of which each meets one
  for (std::size_t i = 70'000; i < several.size(); i += 1000)
    several[i] = "ACGX";
  says(several, {}, "sequence 70000 is wrong: 'X'");
  says({"AC", "AG"}, {1}, "counts");
  says({"AC", "AG"}, {1, 0}, "sequence 1 has count 0");
  says({"AC", "AG"}, {~std::uint64_t{0}, 1}, "sequence 1 has a count");
  const SequenceSet two = make_sequence_set(Views{"AC"}), three = make_sequence_set(Views{"ACG"});
  CHECK(holds(refusal_of([&] { neighbor_pairs(two, three); }), "2 symbols"));
  CHECK(holds(refusal_of([&] { corrections(two, three); }), "2 symbols"));
  for (const unsigned distance : {0u, 3u}) {
    const NeighborSearchOptions options{.distance = distance};
    CHECK(holds(refusal_of([&] { neighbor_pairs(two, options); }), "give 1 or 2"));
    CHECK(holds(refusal_of([&] { sequence_clusters(two, options); }), "give 1 or 2"));
    CHECK(holds(refusal_of([&] { corrections(two, two, options); }), "give 1 or 2"));
  }
  CHECK(holds(refusal_of([&] { find_neighbors(two, NeighborSink()); }), "sink is empty"));
  CHECK_THROWS_AS(neighbor_pairs(two, {.extra_memory = 100}), ResourceError);
}

TEST_CASE("longest prefixes through the public header, on any threads") {
  std::vector<std::string> entries;
  for (const char* entry : {"ACG", "acgt", "ACGTTA", "GG", "T"})
    entries.emplace_back(entry);
  const PrefixSet set(views(entries));
  std::vector<std::string> reads = random_list(9, 20'000, 7, "ACGTN");
  reads.emplace_back("ACGTTA");
  reads.emplace_back("");
  std::vector<std::uint32_t> expected;
  for (const std::string& read : reads) {
    std::uint32_t found = PrefixSetView::none;
    for (std::uint32_t e = 0; e < entries.size(); ++e) {
      std::string entry = entries[e];
      std::ranges::transform(entry, entry.begin(), [](char c) { return c >= 'a' ? c - 32 : c; });
      if (!read.starts_with(entry)) continue;
      if (found == PrefixSetView::none || entry.size() > entries[found].size()) found = e;
    }
    expected.push_back(found);
  }
  for (const int threads : {0, 1, 3})
    CHECK(longest_prefixes(set, views(reads), threads) == expected);
  std::vector<std::uint32_t> room(3);
  CHECK(holds(refusal_of([&] { longest_prefixes(set, views(reads), room); }), "what is found"));
  CHECK(longest_prefixes(PrefixSet({}), views(reads))[0] == PrefixSetView::none);
  CHECK(longest_prefixes(set, {}).empty());
}
