// Neighbours and longest prefixes that the device finds are those of a look at every pair, and
// those of the CPU, in memory of either.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "analysis/barcodes/corrections.hpp"
#include "base/error.hpp"
#include "device/registry.hpp"
#include "device_calls/set_calls.hpp"
#include "gsx/barcodes.hpp"
#include "search/sets/clusters.hpp"
#include "support/gpu.hpp"
#include "support/seeds.hpp"
#include "support/sequence_sets.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

using Pairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

const DeviceCall calls[] = {{}, {false, false}, {true, true}, {false, true}};
const DeviceCall& some_call() {
  static std::size_t which = 0;
  return calls[which++ % std::size(calls)];
}

struct Case {
  std::string what;
  CountedSequences sequences;
};

/// Around the symbols that fill a word of two bits per symbol, and of three.
constexpr std::uint64_t lengths[] = {1, 2, 3, 16, 21, 22, 32, 33, 42, 43, 63, 64};

std::vector<Case> cases(std::uint64_t seed) {
  Random random(seed);
  std::vector<Case> all;
  for (const std::uint64_t length : lengths) {
    for (const std::string_view letters : {"ACGT", "ACGTN", "AC"}) {
      all.push_back({"length " + std::to_string(length) + " over " + std::string(letters),
                     related_sequences(random, length, 1 + below(random, 200), letters)});
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

template <class Keep>
Pairs naive_pairs(const std::vector<std::string>& first, const std::vector<std::string>& second,
                  unsigned most, const Keep& keep) {
  Pairs pairs;
  for (std::uint64_t i = 0; i < first.size(); ++i)
    for (std::uint64_t j = 0; j < second.size(); ++j)
      if (keep(i, j) && naive_distance(first[i], second[j]) <= most) pairs.emplace_back(i, j);
  return pairs;
}
Pairs naive_pairs(const std::vector<std::string>& all, unsigned most) {
  return naive_pairs(all, all, most, std::less<>());
}

Pairs pairs_of(const ListedNeighbors& listed) {
  Pairs pairs;
  for (std::uint64_t i = 0; i + 1 < listed.offsets.size(); ++i)
    for (std::uint64_t at = listed.offsets[i]; at < listed.offsets[i + 1]; ++at)
      pairs.emplace_back(i, listed.others[at]);
  return pairs;
}

struct Collected {
  Pairs pairs;
  std::uint64_t chunks = 0;
  TakeNeighbors take() {
    return [this, next = std::uint64_t{0}](const NeighborChunk& chunk) mutable {
      CHECK(chunk.begin == next);
      CHECK(chunk.offsets[0] == 0);
      next = chunk.end;
      ++chunks;
      for (std::uint64_t i = chunk.begin; i < chunk.end; ++i)
        for (const std::uint32_t other : chunk.of(i))
          pairs.emplace_back(i, other);
    };
  }
};

/// Clumps that share many leading symbols, some of them large, among random sequences.
CountedSequences clumps(Random& random, std::uint64_t each, std::uint64_t length,
                        std::string_view letters) {
  CountedSequences sequences;
  const std::string near = random_string(random, length, letters);
  for (std::uint64_t i = 0; i < each; ++i) {
    sequences[std::string(length - 6, 'A') + random_string(random, 6, letters)] += 1;
    sequences[random_string(random, 4, "AC") + std::string(length - 8, 'T') +
              random_string(random, 4, letters)] += 1;
    sequences[random_string(random, length, letters)] += 1;
    std::string changed = near;
    for (int changes = 0; changes < 3; ++changes)
      changed[below(random, length)] = letters[below(random, letters.size())];
    sequences[changed] += 1;
  }
  return sequences;
}

/// Bytes that a search on the device takes of the host beside the lists.
constexpr std::uint64_t pinned = std::uint64_t{96} << 20;

/// Compares the searches of all kinds with the CPU's.
void check_finder(const Case& c, const FinderLimits& limits, std::uint64_t host_bytes) {
  CAPTURE(c.what);
  const SequenceSet set = make_set(c.sequences);
  const auto finder = make_device_finder(limits);
  for (const unsigned distance : {1u, 2u}) {
    for (const NeighborKind kind :
         {NeighborKind::later, NeighborKind::explained, NeighborKind::explanations}) {
      CAPTURE(distance);
      CAPTURE(static_cast<int>(kind));
      Collected on_device, on_cpu;
      find_neighbors(set, {distance, kind},
                     {.threads = 2, .memory_bytes = host_bytes, .finder = finder.get()},
                     on_device.take());
      find_neighbors(set, {distance, kind}, {.threads = 2}, on_cpu.take());
      REQUIRE((on_device.pairs == on_cpu.pairs));
    }
  }
}

}  // namespace

TEST_CASE("neighbours in device memory are those of comparing every pair") {
  GSX_NEED_GPU();
  std::uint64_t round = 0;
  for (const Case& c : cases(run_seed())) {
    CAPTURE(c.what);
    const SequenceSet set = make_set(c.sequences);
    const std::vector<std::string> all = sequences_of(c.sequences);
    for (const unsigned distance : {1u, 2u}) {
      CAPTURE(distance);
      const std::uint64_t at_once = round++ % 2 == 0 ? all.size() : 1 + all.size() / 3;
      REQUIRE((pairs_of(device_neighbors(set, nullptr, distance, at_once, some_call())) ==
               naive_pairs(all, distance)));
    }
  }
}

TEST_CASE("neighbours in another set in device memory are those of comparing every pair") {
  GSX_NEED_GPU();
  Random random(run_seed());
  for (const Case& c : cases(run_seed())) {
    CAPTURE(c.what);
    CountedSequences other = related_sequences(random, c.sequences.begin()->first.size(), 40, "AC");
    for (const auto& entry : c.sequences)
      if (below(random, 3) == 0) other.insert(entry);
    SequenceSet first = make_set(c.sequences), second = make_set(other);
    if (first.shape().bits == 3) second.widen();
    if (second.shape().bits == 3) first.widen();
    for (const unsigned distance : {1u, 2u}) {
      CAPTURE(distance);
      REQUIRE((pairs_of(device_neighbors(first, &second, distance, 100, some_call())) ==
               naive_pairs(sequences_of(c.sequences), sequences_of(other), distance,
                           [](std::uint64_t, std::uint64_t) { return true; })));
    }
  }
}

TEST_CASE("neighbours among the first sequences of the same array on the device") {
  GSX_NEED_GPU();
  Random random(run_seed());
  // The first sequences begin with C, the others with T, and many share the symbols behind that.
  std::set<std::string> ends;
  while (ends.size() < 300)
    ends.insert((ends.size() % 3 == 0 ? random_string(random, 4, "ACGT") : "AAAA") +
                random_string(random, 7, "ACGT"));
  std::vector<std::string> all;
  for (const std::string first : {"AAAAC", "AAAAT"})
    for (const std::string& end : ends)
      all.push_back(first + end);
  std::vector<std::uint64_t> keys;
  for (const std::string& sequence : all) {
    std::uint64_t& key = keys.emplace_back(0);
    for (const char letter : sequence)
      key = key << 2 | std::string_view("ACGT").find(letter);
  }
  const std::vector<std::string> table(all.begin(), all.begin() + 300);
  for (const unsigned distance : {1u, 2u}) {
    CAPTURE(distance);
    CHECK((pairs_of(device_neighbors_among_first(keys, table.size(), {16, 2}, distance)) ==
           naive_pairs(all, table, distance, [](std::uint64_t, std::uint64_t) { return true; })));
  }
}

TEST_CASE("an error of the caller's that is pending stays so when neighbours are counted") {
  GSX_NEED_GPU();
  const auto [pending, said] = neighbors_with_pending_error();
  CHECK(pending);
  CHECK(said.find("is pending") != std::string::npos);
}

TEST_CASE("neighbours of all 8-mers, and of none, on the device") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::uint64_t length = full_tests() ? 8 : 5;
  const SequenceSet set = make_set(dense_sequences(random, "", length, "ACGT"));
  for (const unsigned distance : {1u, 2u}) {
    const ListedNeighbors listed = device_neighbors(set, nullptr, distance, set.size(), {});
    const std::uint64_t each = 3 * length + (distance == 2 ? 9 * length * (length - 1) / 2 : 0);
    CHECK(listed.others.size() == set.size() * each / 2);
    Collected on_cpu;
    find_neighbors(set, {distance}, {.threads = 2}, on_cpu.take());
    CHECK((pairs_of(listed) == on_cpu.pairs));
  }
  const ListedNeighbors none = device_neighbors_of_keys({}, {16, 2}, 1);
  CHECK(none.offsets == std::vector<std::uint64_t>{0});
  const SequenceSet some = make_set({{"ACGT", 1}}), empty({4, 2}, 0, {}, {}, {});
  CHECK(device_neighbors(some, &empty, 2, 1, {}).others.empty());
  CHECK(device_neighbors(empty, &some, 2, 1, {}).others.empty());
}

TEST_CASE("clumps of sequences on the device, with small tables and memory in pieces") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const std::uint64_t each = share_of(300, 60);
  for (const std::uint64_t length : {16, 40, 64}) {
    for (const std::string_view letters : {"ACGT", "ACGTN"}) {
      const Case c{"clumps of " + std::to_string(length), clumps(random, each, length, letters)};
      check_finder(c, {}, ~std::uint64_t{0});
      check_finder(c, {.buckets = 1, .scanned = 1, .pairs_at_once = 3000}, ~std::uint64_t{0});
      check_finder(c, {.buckets = 70, .scanned = 4, .pairs_at_once = 1500},
                   pinned + 8 * 4 * each + 8 + 4 * 2500);
    }
  }
}

TEST_CASE("neighbours of host memory through the device are the CPU's") {
  GSX_NEED_GPU();
  for (const Case& c : cases(run_seed()))
    check_finder(c, {.scanned = 2}, ~std::uint64_t{0});
}

TEST_CASE("clusters and corrections by the device are the CPU's") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const auto backend = make_backend("cuda");
  const auto finder = backend->open<NeighborSearch>({});
  const NeighborOptions on_device{.threads = 2, .finder = finder.get()}, on_cpu{.threads = 2};
  for (const std::string_view letters : {"ACGT", "ACGTN"}) {
    const CountedSequences sequences = related_sequences(random, 12, share_of(600, 60), letters);
    CountedSequences entries = related_sequences(random, 12, 50, letters);
    for (const auto& entry : sequences)
      if (below(random, 4) == 0) entries.insert(entry);
    SequenceSet set = make_set(sequences), whitelist = make_set(entries);
    if (set.shape().bits == 3) whitelist.widen();
    if (whitelist.shape().bits == 3) set.widen();
    take_counts(whitelist, set);
    for (const unsigned distance : {1u, 2u}) {
      const Clusters a = make_clusters(set, distance, on_device);
      const Clusters b = make_clusters(set, distance, on_cpu);
      CHECK(a.members == b.members);
      REQUIRE(a.list.size() == b.list.size());
      for (std::size_t i = 0; i < a.list.size(); ++i)
        CHECK(a.list[i].centroid == b.list[i].centroid);
      const auto same = [](const std::vector<Correction>& x, const std::vector<Correction>& y) {
        return std::ranges::equal(x, y, [](const Correction& c, const Correction& d) {
          return c.kind == d.kind && c.distance == d.distance &&
                 (!c.has_target() || c.target == d.target);
        });
      };
      CHECK(same(correct_by_counts(set, distance, on_device),
                 correct_by_counts(set, distance, on_cpu)));
      CHECK(same(correct_to_whitelist(set, whitelist, distance, on_device),
                 correct_to_whitelist(set, whitelist, distance, on_cpu)));
    }
  }
}

TEST_CASE("the public search for neighbours takes the device that it is told") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const SequenceSet set = make_set(related_sequences(random, 20, 200, "ACGTN"));
  const SequenceSet other = make_set(related_sequences(random, 20, 100, "ACGT"));
  for (const unsigned distance : {1u, 2u}) {
    CHECK(neighbor_pairs(set, {.distance = distance, .device = "cuda"}) ==
          neighbor_pairs(set, {.distance = distance, .device = "cpu"}));
    CHECK(neighbor_pairs(set, other, {.distance = distance, .device = "cuda"}) ==
          neighbor_pairs(set, other, {.distance = distance, .device = "cpu"}));
  }
  CHECK_THROWS_AS(neighbor_pairs(set, {.device = "cuda", .gpu_memory = 1024}), ResourceError);
  CHECK_THROWS_AS(neighbor_pairs(set, {.device = "gpu"}), UsageError);
}

TEST_CASE("searches for neighbours on the device that cannot be done say why") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const SequenceSet set = make_set(related_sequences(random, 16, 300, "ACGT"));
  CHECK_THROWS_AS(device_neighbors(set, nullptr, 0, 1, {}), UsageError);
  CHECK_THROWS_AS(device_neighbors(set, nullptr, 3, 1, {}), UsageError);
  CHECK_THROWS_AS(device_neighbors_of_keys({1, 1}, {16, 2}, 1), UsageError);      // equal
  CHECK_THROWS_AS(device_neighbors_of_keys({2, 1}, {16, 2}, 1), UsageError);      // falling
  CHECK_THROWS_AS(device_neighbors_of_keys({1, 1 << 8}, {4, 2}, 1), UsageError);  // too long
  CHECK_THROWS_AS(device_neighbors_of_keys({1, 5}, {4, 3}, 1), UsageError);       // no letter
  CHECK_THROWS_AS(device_neighbors_of_keys({1, 2}, {65, 2}, 1), UsageError);
  CHECK_THROWS_AS(device_neighbors_of_keys({1, 2}, {4, 4}, 1), UsageError);
  CHECK(device_neighbors_of_keys({1, 2}, {4, 2}, 1).others == std::vector<std::uint32_t>{1});
  const SequenceSet other = make_set({{"ACGT", 1}});
  CHECK_THROWS_AS(device_neighbors(set, &other, 1, 1, {}), UsageError);
  CHECK_THROWS_AS(device_neighbors(set, nullptr, 1, 1, {true, false, 1000}), ResourceError);

  const auto finder = make_device_finder({});
  const auto search = [&](std::uint64_t bytes, bool at_once) {
    find_neighbors(set, {2}, {.memory_bytes = bytes, .finder = finder.get(), .at_once = at_once},
                   [](const NeighborChunk&) {});
  };
  CHECK_THROWS_AS(search(1000, false), ResourceError);
  CHECK_THROWS_AS(search(pinned + 8 * (set.size() + 1) + 40, true), ResourceError);
  CHECK_NOTHROW(search(pinned + (1 << 20), true));
  const auto small = make_device_finder({.memory = 4096});
  CHECK_THROWS_AS(find_neighbors(set, {1}, {.finder = small.get()}, [](const NeighborChunk&) {}),
                  ResourceError);
}

namespace {

struct PrefixCase {
  std::vector<std::string> entries, queries;
};

/// Entries of `least` to `most` bases, some of which begin with others, and queries of all lengths.
PrefixCase prefix_case(Random& random, std::uint64_t number, std::uint64_t least,
                       std::uint64_t most) {
  PrefixCase c;
  while (c.entries.size() < number) {
    std::string next = random_string(random, least + below(random, most - least + 1), "ACGT");
    if (!c.entries.empty() && below(random, 2) == 0) {
      const std::string& other = c.entries[below(random, c.entries.size())];
      next = (other + next).substr(0, most);
      if (below(random, 3) == 0) next = other.substr(0, std::max<std::size_t>(1, other.size() / 2));
    }
    c.entries.push_back(next);
  }
  std::ranges::sort(c.entries);
  c.entries.erase(std::ranges::unique(c.entries).begin(), c.entries.end());
  std::ranges::shuffle(c.entries, random);
  for (std::uint64_t q = 0; q < 400; ++q) {
    std::string query = c.entries[below(random, c.entries.size())];
    query.resize(below(random, query.size() + 1));
    query += random_string(random, below(random, most + 20), q % 3 == 0 ? "ACGTN-" : "acgTU");
    c.queries.push_back(query);
  }
  c.queries.insert(c.queries.end(), {"", "N", "A", "acgu"});
  return c;
}

std::vector<std::uint32_t> naive_prefixes(const PrefixCase& c) {
  const auto plain = [](std::string text) {
    for (char& letter : text) {
      letter = static_cast<char>(letter & ~32);
      if (letter == 'U') letter = 'T';
    }
    return text;
  };
  std::vector<std::uint32_t> found;
  for (const std::string& query : c.queries) {
    std::uint32_t best = PrefixSetView::none;
    std::size_t length = 0;
    for (std::uint32_t e = 0; e < c.entries.size(); ++e) {
      if (c.entries[e].size() <= length || !plain(query).starts_with(c.entries[e])) continue;
      best = e;
      length = c.entries[e].size();
    }
    found.push_back(best);
  }
  return found;
}

std::vector<std::string_view> views_of(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

}  // namespace

TEST_CASE("longest prefixes by the device are those of comparing every entry") {
  GSX_NEED_GPU();
  Random random(run_seed());
  const auto backend = make_backend("cuda");
  for (const auto& [number, least, most] :
       std::vector<std::array<std::uint64_t, 3>>{{1, 1, 1},
                                                 {20, 1, 5},
                                                 {300, 8, 16},
                                                 {200, 20, 33},
                                                 {200, 30, 32},
                                                 {150, 1, 64},
                                                 {100, 60, 200},
                                                 {30, 1, 1024}}) {
    CAPTURE(most);
    const PrefixCase c = prefix_case(random, number, least, most);
    const auto entries = views_of(c.entries), queries = views_of(c.queries);
    const PrefixSet set(entries);
    const std::vector<std::uint32_t> expected = naive_prefixes(c);
    CHECK(device_longest_prefixes(set, queries, some_call()) == expected);
    CHECK(longest_prefixes(set, queries, 1) == expected);
    const auto finder = backend->open<PrefixSearch>({set, 2});
    std::vector<std::uint32_t> found(queries.size());
    finder->find(queries, found);
    CHECK(found == expected);
    finder->find({}, {});
  }
  const PrefixSet none{std::span<const std::string_view>()};
  const std::vector<std::string_view> one{"ACGT"};
  std::vector<std::uint32_t> found{7};
  backend->open<PrefixSearch>({none, 1})->find(one, found);
  CHECK(found.front() == PrefixSetView::none);
  CHECK(device_longest_prefixes(none, one, {}).front() == PrefixSetView::none);
  const PrefixSet set{std::span<const std::string_view>(one)};
  CHECK_THROWS_AS(device_longest_prefixes(set, one, {true, false, 16}), ResourceError);
}
