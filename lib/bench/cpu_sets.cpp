#include "bench/cpu_sets.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "bench/best_rate.hpp"
#include "bench/measured_sets.hpp"
#include "search/sets/key_sorter.hpp"
#include "search/sets/prefix_queries.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t most_set_queries = std::uint64_t{1} << 22;
constexpr std::uint32_t query_bases = PrefixSetView::bases_per_word;

struct KeyRecord {
  SequenceKey<1> key;
};

/// Writes bases of a word, the first of which are in the highest bits.
void write_bases(std::uint64_t word, std::uint32_t bases, char* to) {
  for (std::uint32_t b = 0; b < bases; ++b)
    to[b] = "ACGT"[word >> (62 - 2 * b) & 3];
}

}  // namespace

SequenceSet measured_sequence_set(std::uint64_t size, int threads) {
  Buffer<KeyRecord> keys(size, "keys of sequences"), other(size, "keys of sequences");
  Buffer<std::uint64_t> words(size, "keys of sequences"), counts(size, "counts");
  const auto parts = static_cast<std::uint64_t>(threads);
  const auto in_slices = [&](const auto& work) {
    run_threads(threads, [&](int thread) {
      const Slice slice = slice_of(size, parts, static_cast<std::uint64_t>(thread));
      for (std::uint64_t i = slice.begin; i < slice.end; ++i)
        work(i);
    });
  };
  in_slices([&](std::uint64_t i) { keys[i].key.words[0] = measured_16_mer(i); });
  KeySorter<KeyRecord>::sort(keys.data(), other.data(), size, threads);
  in_slices([&](std::uint64_t i) {
    words[i] = keys[i].key.words[0];
    counts[i] = 1;
  });
  return {{16, 2}, size, std::move(words), std::move(counts), {}};
}

PrefixSet measured_prefix_set(std::uint64_t size) {
  std::vector<std::string> entries;
  for (std::uint64_t i = 0; i < std::min(measured_entries, size); ++i) {
    entries.emplace_back(measured_entry_length(i), ' ');
    write_bases(std::uint64_t{measured_16_mer(i)} << 32, measured_entry_length(i),
                entries.back().data());
  }
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  const std::vector<std::string_view> views(entries.begin(), entries.end());
  return PrefixSet(views);
}

std::vector<QueryRate> measure_neighbors(std::uint64_t size, int threads, NeighborFinder* finder) {
  std::vector<QueryRate> rates;
  for (const unsigned distance : {1u, 2u}) {
    const std::uint64_t sequences = distance == 1 ? size : std::min(size, most_at_distance_2);
    const SequenceSet set = measured_sequence_set(sequences, threads);
    rates.push_back({"pairs of 16-mers at distance " + std::to_string(distance) + ": found",
                     best_rate(sequences,
                               [&] {
                                 find_neighbors(set, {distance},
                                                {.threads = threads, .finder = finder},
                                                [](const NeighborChunk&) {});
                               }),
                     "sequences/s"});
  }
  return rates;
}

std::vector<QueryRate> measure_cpu_prefixes(std::uint64_t size, int threads) {
  const PrefixSet set = measured_prefix_set(size);
  const std::uint64_t count = std::min(most_set_queries, size);
  const PrefixSetView view = set.view();
  std::string text(count * query_bases, ' ');
  std::vector<std::string_view> queries;
  for (std::uint64_t k = 0; k < count; ++k) {
    write_bases(measured_read(k, view.entries, view.size), query_bases,
                text.data() + k * query_bases);
    queries.push_back(std::string_view(text).substr(k * query_bases, query_bases));
  }
  std::vector<std::uint32_t> found(count);
  return {{"longest prefixes of reads in " + std::to_string(set.size()) + " of 10 to 16 bases",
           best_rate(count, [&] { find_longest_prefixes(set, queries, found, threads); }),
           "queries/s"}};
}

}  // namespace gsx
