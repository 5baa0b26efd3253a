// Neighbours, clusters and corrections against a look at every pair.
#include <doctest/doctest.h>

#include <deque>
#include <optional>
#include <set>

#include "analysis/barcodes/corrections.hpp"
#include "base/error.hpp"
#include "search/sets/clusters.hpp"
#include "search/sets/neighbor_groups.hpp"
#include "support/seeds.hpp"
#include "support/sequence_sets.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

using Pairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

struct Case {
  std::string what;
  CountedSequences sequences;
};

/// Around the symbols that fill a word of two bits per symbol, and of three.
constexpr std::uint64_t lengths[] = {1, 2, 3, 16, 21, 22, 31, 32, 33, 42, 43, 63, 64};

std::vector<Case> cases(std::uint64_t seed) {
  Random random(seed);
  std::vector<Case> all;
  for (const std::uint64_t length : lengths) {
    for (const std::string_view letters : {"ACGT", "ACGTN", "AN", "AC"}) {
      all.push_back({"length " + std::to_string(length) + " over " + std::string(letters),
                     related_sequences(random, length, 1 + below(random, 300), letters)});
    }
  }
  all.push_back({"dense", dense_sequences(random, "", 4, "ACGT")});
  all.push_back({"dense with N", dense_sequences(random, "", 3, "ACGTN")});
  all.push_back({"dense behind a prefix", dense_sequences(random, std::string(57, 'G'), 7, "AT")});
  all.push_back({"all letters", dense_sequences(random, "", 1, "ACGTN")});
  all.push_back({"one", {{"ACGTACGT", 3}}});
  all.push_back({"only N", {{std::string(64, 'N'), 2}}});
  return all;
}

NeighborOptions options_for(std::uint64_t i, std::uint64_t sequences) {
  NeighborOptions options{.threads = static_cast<int>(1 + i % 3)};
  // Hardly more than the least with which it runs, so that the pairs come in slices.
  if (i % 2 == 1) {
    const std::uint64_t of_threads = static_cast<std::uint64_t>(options.threads) * 40;
    options.memory_bytes =
        (std::uint64_t{2} << 20) + (12 + 80 + of_threads) * sequences + (std::uint64_t{1} << 14);
  }
  return options;
}

/// All pairs of the first sequences and the second, by a rule of their numbers.
template <class Keep>
Pairs naive_pairs(const std::vector<std::string>& first, const std::vector<std::string>& second,
                  unsigned most, const Keep& keep) {
  Pairs pairs;
  for (std::uint64_t i = 0; i < first.size(); ++i)
    for (std::uint64_t j = 0; j < second.size(); ++j)
      if (keep(i, j) && naive_distance(first[i], second[j]) <= most) pairs.emplace_back(i, j);
  return pairs;
}

struct Collected {
  Pairs pairs;
  std::uint64_t chunks = 0;
  TakeNeighbors take() {
    return [this, next = std::uint64_t{0}](const NeighborChunk& chunk) mutable {
      CHECK(chunk.begin == next);
      next = chunk.end;
      ++chunks;
      for (std::uint64_t i = chunk.begin; i < chunk.end; ++i)
        for (const std::uint32_t other : chunk.of(i))
          pairs.emplace_back(i, other);
    };
  }
};

std::uint64_t count_at(const CountedSequences& sequences, const std::string& sequence) {
  const auto found = sequences.find(sequence);
  return found == sequences.end() ? 0 : found->second;
}

void check_whitelist(const CountedSequences& sequences, const CountedSequences& entries,
                     std::uint64_t round) {
  for (const unsigned distance : {1u, 2u}) {
    SequenceSet set = make_set(sequences), whitelist = make_set(entries);
    if (set.shape().bits == 3) whitelist.widen();
    if (whitelist.shape().bits == 3) set.widen();
    take_counts(whitelist, set);
    const std::vector<std::string> all = sequences_of(sequences);
    const std::vector<std::string> allowed = sequences_of(entries);
    // More than a half, so that no two entries are as likely.
    const std::uint32_t per_mille = round % 3 == 0 ? 975 : round % 3 == 1 ? 501 : 800;
    const std::vector<Correction> found = correct_to_whitelist(
        set, whitelist, distance, options_for(round, set.size() + whitelist.size()),
        Confidence{per_mille * 1000});
    for (std::uint64_t i = 0; i < all.size(); ++i) {
      std::map<unsigned, std::vector<std::uint64_t>> near;
      for (std::uint64_t e = 0; e < allowed.size(); ++e)
        near[naive_distance(all[i], allowed[e])].push_back(e);
      const auto& [nearest, those] = *near.begin();
      std::optional<std::uint64_t> target;
      CorrectionKind kind = nearest == 0 ? CorrectionKind::exact : CorrectionKind::corrected;
      if (nearest > distance) {
        kind = CorrectionKind::unmatched;
      } else if (those.size() == 1) {
        target = those.front();
      } else {
        std::uint64_t best = 0, all_counts = 0;
        for (const std::uint64_t e : those) {
          const std::uint64_t count = count_at(sequences, allowed[e]);
          all_counts += count;
          if (count > best) target = e;
          best = std::max(best, count);
        }
        if (best == 0 || best * 1000 < all_counts * per_mille) kind = CorrectionKind::ambiguous;
      }
      CHECK(found[i].kind == kind);
      if (!found[i].has_target()) continue;
      CHECK(found[i].target == target);
      CHECK(found[i].distance == nearest);
    }
  }
}

}  // namespace

TEST_CASE("a set holds its sequences in order, with their counts") {
  for (const Case& c : cases(run_seed())) {
    CAPTURE(c.what);
    const SequenceSet set = make_set(c.sequences, 2);
    REQUIRE(set.size() == c.sequences.size());
    std::uint64_t i = 0;
    for (const auto& [sequence, count] : c.sequences) {
      std::string text;
      set.append_sequence(text, i);
      CHECK(text == sequence);
      CHECK(set.count(i++) == count);
    }
    const bool has_n = std::any_of(c.sequences.begin(), c.sequences.end(), [](const auto& entry) {
      return entry.first.find('N') != std::string::npos;
    });
    CHECK(set.shape().bits == (has_n ? 3 : 2));
  }
}

TEST_CASE("neighbours within a set are those of comparing every pair") {
  std::uint64_t round = 0;
  for (const Case& c : cases(run_seed())) {
    const SequenceSet set = make_set(c.sequences);
    const std::vector<std::string> all = sequences_of(c.sequences);
    const auto count = [&](std::uint64_t i) { return static_cast<std::int64_t>(set.count(i)); };
    for (const unsigned distance : {1u, 2u}) {
      CAPTURE(c.what);
      CAPTURE(distance);
      Collected later, explained, explanations;
      find_neighbors(set, {distance}, options_for(round++, set.size()), later.take());
      CHECK(later.pairs == naive_pairs(all, all, distance, std::less<>()));
      find_neighbors(set, {distance, NeighborKind::explained}, options_for(round++, set.size()),
                     explained.take());
      CHECK(explained.pairs ==
            naive_pairs(all, all, distance, [&](std::uint64_t i, std::uint64_t j) {
              return i != j && count(i) >= 2 * count(j) - 1;
            }));
      find_neighbors(set, {distance, NeighborKind::explanations}, options_for(round++, set.size()),
                     explanations.take());
      CHECK(explanations.pairs ==
            naive_pairs(all, all, distance, [&](std::uint64_t i, std::uint64_t j) {
              return count(j) >= 2 * count(i) - 1 && count(j) > count(i);
            }));
    }
  }
}

TEST_CASE("neighbours between two sets are those of comparing every pair") {
  Random random(run_seed());
  std::uint64_t round = 0;
  for (const Case& c : cases(run_seed())) {
    CountedSequences other = related_sequences(random, c.sequences.begin()->first.size(), 40, "AC");
    for (const auto& entry : c.sequences)
      if (below(random, 3) == 0) other.insert(entry);
    SequenceSet first = make_set(c.sequences), second = make_set(other);
    if (first.shape().bits == 3) second.widen();
    if (second.shape().bits == 3) first.widen();
    for (const unsigned distance : {1u, 2u}) {
      CAPTURE(c.what);
      CAPTURE(distance);
      Collected found;
      find_neighbors_between(first, second, {distance},
                             options_for(round++, first.size() + second.size()), found.take());
      CHECK(found.pairs == naive_pairs(sequences_of(c.sequences), sequences_of(other), distance,
                                       [](std::uint64_t, std::uint64_t) { return true; }));
    }
  }
}

TEST_CASE("many sequences: groups of every size, and pairs in slices") {
  Random random(run_seed());
  CountedSequences sequences;
  // A third is dense, a third shares a prefix, and a third is random.
  for (int i = 0; i < 1500; ++i) {
    sequences["AAAAAAAAAA" + random_string(random, 6, "ACGT")] += 1;
    sequences[random_string(random, 4, "AC") + std::string(8, 'T') +
              random_string(random, 4, "ACGT")] += 1;
    sequences[random_string(random, 16, "ACGT")] += 1;
  }
  const SequenceSet set = make_set(sequences);
  const std::vector<std::string> all = sequences_of(sequences);
  for (const unsigned distance : {1u, 2u}) {
    const Pairs expected = naive_pairs(all, all, distance, std::less<>());
    for (std::uint64_t i = 0; i < 4; ++i) {
      CAPTURE(i);
      Collected found;
      find_neighbors(set, {distance}, options_for(i, set.size()), found.take());
      CHECK(found.pairs == expected);
      CHECK(found.chunks >= 1);
    }
  }
}

TEST_CASE("pairs that do not fit come in slices of the sequences") {
  Random random(run_seed());
  const SequenceSet set = make_set(dense_sequences(random, "", 7, "ACGT"));
  for (const NeighborKind kind : {NeighborKind::later, NeighborKind::explained}) {
    Collected at_once, in_slices;
    find_neighbors(set, {2, kind}, {.threads = 2}, at_once.take());
    find_neighbors(set, {2, kind}, options_for(1, set.size()), in_slices.take());
    CHECK(at_once.chunks == 1);
    CHECK(in_slices.chunks > 1);
    CHECK((at_once.pairs == in_slices.pairs));
    if (kind == NeighborKind::later) CHECK(at_once.pairs.size() == 16384 * (7 * 3 + 21 * 9) / 2);
  }
}

TEST_CASE("items whose hashes never differ are grouped by sorting") {
  Random random(run_seed());
  const std::vector<std::string> all = sequences_of(related_sequences(random, 32, 300, "ACGT"));
  std::vector<GroupItem<1>> items;
  for (const std::string& sequence : all) {
    items.push_back({{}, static_cast<std::uint32_t>(items.size())});
    encode_sequence(sequence, items.back().key.words);
  }
  for (const unsigned rounds : {0u, 1u, 6u}) {
    Pairs found;
    const auto take = [&](const GroupItem<1>& a, const GroupItem<1>& b) {
      found.emplace_back(std::min(a.number(), b.number()), std::max(a.number(), b.number()));
    };
    NeighborGroups<1, decltype(take)> groups(2, 2, false, take, rounds);
    const SymbolParts<1> parts = cut_symbols<1>({{lowest_symbol_bits(2)}}, 3);
    for (unsigned part = 0; part < 3; ++part)
      groups.find_by_part(items.data(), items.size(), parts, part);
    std::sort(found.begin(), found.end());
    CHECK((found == naive_pairs(all, all, 2, std::less<>())));
  }
}

TEST_CASE("a search that has too little memory says so") {
  Random random(run_seed());
  const SequenceSet set = make_set(related_sequences(random, 16, 100, "ACGT"));
  const auto search = [&] {
    find_neighbors(set, {1}, {.memory_bytes = 1000}, [](const NeighborChunk&) {});
  };
  CHECK_THROWS_AS(search(), ResourceError);
}

TEST_CASE("clusters are those of walking along every edge") {
  std::uint64_t round = 0;
  for (const Case& c : cases(run_seed())) {
    CAPTURE(c.what);
    for (const unsigned distance : {1u, 2u}) {
      const SequenceSet set = make_set(c.sequences);
      const std::vector<std::string> all = sequences_of(c.sequences);
      const auto before = [&](std::uint64_t a, std::uint64_t b) {
        return set.count(a) != set.count(b) ? set.count(a) > set.count(b) : a < b;
      };
      std::set<std::uint64_t, decltype(before)> left(before);
      for (std::uint64_t i = 0; i < all.size(); ++i)
        left.insert(i);
      std::vector<std::pair<std::uint64_t, std::vector<std::uint64_t>>> expected;
      while (!left.empty()) {
        std::vector<std::uint64_t> cluster;
        std::uint64_t count = 0;
        for (std::deque<std::uint64_t> queue{*left.begin()}; !queue.empty(); queue.pop_front()) {
          if (left.erase(queue.front()) == 0) continue;
          cluster.push_back(queue.front());
          count += set.count(queue.front());
          for (const std::uint64_t other : left) {
            if (set.count(queue.front()) + 1 >= 2 * set.count(other) &&
                naive_distance(all[queue.front()], all[other]) <= distance)
              queue.push_back(other);
          }
        }
        std::sort(cluster.begin() + 1, cluster.end(), before);
        expected.emplace_back(count, cluster);
      }
      std::sort(expected.begin(), expected.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second.front() < b.second.front();
      });
      NeighborOptions options = options_for(round++, set.size());
      options.memory_bytes = ~std::uint64_t{0};
      const Clusters clusters = make_clusters(set, distance, options);
      REQUIRE(clusters.list.size() == expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        std::vector<std::uint64_t> members{clusters.list[i].centroid};
        for (const std::uint32_t member : clusters.members_of(clusters.list[i]))
          members.push_back(member);
        CHECK(clusters.list[i].count == expected[i].first);
        CHECK(members == expected[i].second);
      }
    }
  }
}

TEST_CASE("corrections by counts follow the most frequent explanation to its end") {
  std::uint64_t round = 0;
  for (const Case& c : cases(run_seed())) {
    CAPTURE(c.what);
    for (const unsigned distance : {1u, 2u}) {
      const SequenceSet set = make_set(c.sequences);
      const std::vector<std::string> all = sequences_of(c.sequences);
      const auto next = [&](std::uint64_t i) {  // its target and kind
        std::uint64_t best = 0, target = i;
        CorrectionKind kind = CorrectionKind::exact;
        for (std::uint64_t j = 0; j < all.size(); ++j) {
          const std::uint64_t count = set.count(j);
          if (count <= set.count(i) || count + 1 < 2 * set.count(i) || count < best ||
              naive_distance(all[i], all[j]) > distance)
            continue;
          kind = count == best ? CorrectionKind::ambiguous : CorrectionKind::corrected;
          target = count == best ? i : j;
          best = count;
        }
        return std::pair{target, kind};
      };
      const std::vector<Correction> found =
          correct_by_counts(set, distance, options_for(round++, set.size()));
      REQUIRE(found.size() == all.size());
      for (std::uint64_t i = 0; i < all.size(); ++i) {
        std::uint64_t end = i;
        while (next(end).first != end)
          end = next(end).first;
        CHECK(found[i].kind == next(i).second);
        CHECK(found[i].target == end);
        CHECK(found[i].distance == naive_distance(all[i], all[end]));
      }
    }
  }
}

TEST_CASE("corrections to a whitelist take the nearest entry, or the likeliest of several") {
  Random random(run_seed());
  std::uint64_t round = 0;
  for (const Case& c : cases(run_seed())) {
    CAPTURE(c.what);
    CountedSequences entries =
        related_sequences(random, c.sequences.begin()->first.size(), 5, "AN");
    CountedSequences few, many = entries;
    for (const auto& entry : c.sequences) {
      if (below(random, 4) == 0) entries.insert(entry);
      if (few.empty() || below(random, 40) == 0) few.insert(entry);
      if (below(random, 8) != 0) many.insert(entry);
    }
    check_whitelist(c.sequences, entries, round++);
    check_whitelist(few, many, round++);  // whose neighbours are looked up
  }
}
