// The walk through a table of keys, as a thread of a GPU makes it, on the CPU: whatever the table
// is, it finds what comparing every pair finds, in ascending order.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "search/sets/neighbor_walk.hpp"
#include "support/seeds.hpp"
#include "support/sequence_sets.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

template <unsigned Words>
SequenceKey<Words> differing_keys(const SequenceSetView<Words>& a,
                                  const SequenceSetView<Words>& b) {
  SequenceKey<Words> bits{};
  for (const SequenceSetView<Words>* set : {&a, &b})
    for (std::uint64_t i = 0; i < set->size; ++i)
      for (unsigned w = 0; w < Words; ++w)
        bits.words[w] |= set->keys[i].words[w] ^ a.keys[0].words[w];
  return differing_symbols(bits, SequenceKey<Words>{}, a.shape.bits);
}

struct Limits {
  std::uint64_t buckets;
  std::uint32_t scanned;
};

/// What the walks of all keys of a set find in a table of `other`, or of the set itself.
template <unsigned Words, unsigned Distance>
Pairs walked(const SequenceSetView<Words>& set, const SequenceSetView<Words>* other, bool later,
             const Limits& limits) {
  const SequenceSetView<Words>& of = other != nullptr ? *other : set;
  NeighborTableView<Words> table;
  table.keys = of.keys;
  table.size = static_cast<std::uint32_t>(of.size);
  table.scanned = limits.scanned;
  table.symbols = {set.shape, differing_keys(set, of)};
  table.look_at(leading_symbols(table.symbols, of.size, limits.buckets));
  CHECK(table.buckets() <= std::max<std::uint64_t>(limits.buckets, 1));
  std::vector<std::uint32_t> starts(table.buckets() + 1);
  for (std::uint64_t i = 0; i < of.size; ++i)
    ++starts[table.bucket(of.keys[i]) + 1];
  for (std::size_t b = 1; b < starts.size(); ++b)
    starts[b] += starts[b - 1];
  table.starts = starts.data();
  Pairs pairs;
  for (std::uint32_t i = 0; i < set.size; ++i) {
    const auto take = [&](std::uint32_t j) { pairs.emplace_back(i, j); };
    NeighborWalk<Words, Distance, decltype(take)>(table, set.keys[i], later ? i + 1 : 0, take)
        .run(later);
  }
  return pairs;
}

Pairs naive(const std::vector<std::string>& first, const std::vector<std::string>& second,
            unsigned distance, bool later) {
  Pairs pairs;
  for (std::uint32_t i = 0; i < first.size(); ++i)
    for (std::uint32_t j = later ? i + 1 : 0; j < second.size(); ++j)
      if (naive_distance(first[i], second[j]) <= distance) pairs.emplace_back(i, j);
  return pairs;
}

void check_walks(const CountedSequences& sequences, const CountedSequences& others) {
  const std::vector<std::string> all = sequences_of(sequences), more = sequences_of(others);
  SequenceSet set = make_set(sequences), other = make_set(others);
  if (set.shape().bits == 3) other.widen();
  if (other.shape().bits == 3) set.widen();
  for (const Limits& limits : {Limits{1, 1}, {5, 1}, {64, 3}, {1 << 20, 1}, {1 << 20, 16}}) {
    CAPTURE(limits.buckets);
    CAPTURE(limits.scanned);
    set.with_view([&]<unsigned Words>(const SequenceSetView<Words>& view) {
      const SequenceSetView<Words> second = other.view<Words>();
      const SequenceSetView<Words>* const none = nullptr;
      CHECK((walked<Words, 1>(view, none, true, limits) == naive(all, all, 1, true)));
      CHECK((walked<Words, 2>(view, none, true, limits) == naive(all, all, 2, true)));
      CHECK((walked<Words, 1>(view, none, false, limits) == naive(all, all, 1, false)));
      CHECK((walked<Words, 2>(view, none, false, limits) == naive(all, all, 2, false)));
      CHECK((walked<Words, 1>(view, &second, false, limits) == naive(all, more, 1, false)));
      CHECK((walked<Words, 2>(view, &second, false, limits) == naive(all, more, 2, false)));
    });
  }
}

}  // namespace

TEST_CASE("walks through tables of keys find what comparing every pair finds") {
  Random random(run_seed());
  for (const std::uint64_t length : {1, 2, 5, 16, 21, 22, 31, 32, 33, 42, 43, 63, 64}) {
    CAPTURE(length);
    for (const std::string_view letters : {"ACGT", "ACGTN", "AN"}) {
      const CountedSequences first = related_sequences(random, length, 90, letters);
      CountedSequences second = related_sequences(random, length, 30, letters);
      for (const auto& entry : first)
        if (below(random, 3) == 0) second.insert(entry);
      check_walks(first, second);
    }
  }
}

TEST_CASE("walks through tables of dense sets, clumps and a single key") {
  Random random(run_seed());
  const CountedSequences dense = dense_sequences(random, "", 4, "ACGT");
  check_walks(dense, dense);
  check_walks(dense_sequences(random, std::string(40, 'N') + "T", 3, "ACGNT"),
              {{std::string(41, 'T') + "ACG", 1}});
  check_walks({{"ACGT", 1}}, {{"ACGN", 1}});
  CountedSequences clumps;
  for (int i = 0; i < 60; ++i) {
    clumps[std::string(34, 'C') + random_string(random, 4, "ACGT")] += 1;
    clumps["AC" + std::string(32, 'G') + random_string(random, 4, "ACGT")] += 1;
    clumps[random_string(random, 38, "ACGT")] += 1;
  }
  check_walks(clumps, clumps);
}
