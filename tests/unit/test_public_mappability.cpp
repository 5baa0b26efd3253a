// Mappability through the public header: against counting strings, of texts and of indexes, and
// what is refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "gsx/error.hpp"
#include "gsx/mappability.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

using Counts = std::vector<std::vector<std::uint32_t>>;

template <class Value>
std::vector<std::vector<Value>> vectors_of(const std::vector<Buffer<Value>>& arrays) {
  std::vector<std::vector<Value>> all;
  for (const Buffer<Value>& array : arrays)
    all.emplace_back(array.begin(), array.end());
  return all;
}

/// The smaller one of a k-mer and its reverse complement, if both count.
std::string class_of(std::string_view kmer, bool both) {
  std::string turned(kmer.rbegin(), kmer.rend());
  for (char& c : turned)
    c = c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : 'A';
  return both ? std::min(std::string(kmer), turned) : std::string(kmer);
}

/// How many places the k-mer at each position has; 0 where it is none of A, C, G and T.
Counts naive_frequencies(const std::vector<std::string>& records, std::size_t k, bool both) {
  std::map<std::string, std::uint32_t> counts;
  Counts all;
  const auto for_each = [&](std::size_t r, const auto& visit) {
    for (std::size_t p = 0; p + k <= records[r].size(); ++p) {
      const std::string_view kmer = std::string_view(records[r]).substr(p, k);
      if (kmer.find('N') == std::string_view::npos) visit(p, class_of(kmer, both));
    }
  };
  for (std::size_t r = 0; r < records.size(); ++r)
    for_each(r, [&](std::size_t, const std::string& kmer) { ++counts[kmer]; });
  for (std::size_t r = 0; r < records.size(); ++r) {
    all.emplace_back(records[r].size(), 0);
    for_each(r, [&](std::size_t p, const std::string& kmer) { all[r][p] = counts[kmer]; });
  }
  return all;
}

std::vector<std::string> some_records() {
  Random random(59);
  std::vector<std::string> records{random_string(random, 400, "ACGT"), "NNACGTNN", "N"};
  records.push_back(records[0].substr(100, 90) + "NN" + records[0].substr(7, 60));
  records.push_back(random_string(random, 70'000, "ACGT"));  // more than one piece
  return records;
}

}  // namespace

TEST_CASE("frequencies and mappability of a text and of its index are those of counting strings") {
  const std::vector<std::string> records = some_records();
  const Text text = gsx::testing::make_text(records);
  const Index index = build_index(gsx::testing::make_text(records), {.device = "cpu"});
  for (const bool both : {true, false}) {
    for (const std::size_t k : {1, 5, 12, 70}) {
      const MappabilityOptions options{.both_strands = both, .sort = {.threads = both ? 3 : 1}};
      const Counts expected = naive_frequencies(records, k, both);
      REQUIRE(vectors_of(kmer_frequencies(text, k, options)) == expected);
      REQUIRE(vectors_of(kmer_frequencies(index, k, options)) == expected);
      const auto values = vectors_of(mappability(index, k, KmerValue::mappability, options));
      const auto same = vectors_of(mappability(text, k, KmerValue::mappability, options));
      bool right = values.size() == expected.size();
      for (std::size_t r = 0; right && r < values.size(); ++r) {
        for (std::size_t p = 0; p < values[r].size(); ++p) {
          const float value = values[r][p];
          const std::uint32_t count = expected[r][p];
          right &= count == 0 ? std::isnan(value) : value == 1 / static_cast<float>(count);
          right &= count == 0 ? std::isnan(same[r][p]) : value == same[r][p];
        }
      }
      CHECK(right);
    }
  }
}

TEST_CASE("caps, mismatches and Umap's values") {
  const Text text = gsx::testing::make_text({"AAAAAAACGT", "AAATAAA"});
  CHECK(kmer_frequencies(text, 3, {.cap = 2})[0][0] == 2);
  CHECK(kmer_frequencies(text, 7, {.both_strands = false})[1][0] == 1);
  CHECK(kmer_frequencies(text, 7, {.mismatches = 1, .both_strands = false})[1][0] == 2);
  const auto single = mappability(text, 7, KmerValue::umap_single, {.both_strands = false});
  CHECK(single[1][6] == 1);
  CHECK(mappability(text, 7, KmerValue::umap_multi, {.both_strands = false})[0][0] == 1.0F / 7);
}

TEST_CASE("the shortest unique k-mers and the spectrum are those of counting strings") {
  std::vector<std::string> records = some_records();
  records.pop_back();
  const Text text = gsx::testing::make_text(records);
  const Index index = build_index(gsx::testing::make_text(records), {.device = "cpu"});
  const auto shortest = vectors_of(shortest_unique(text));
  const std::vector<KmerCounts> spectrum = kmer_spectrum(text);
  CHECK(vectors_of(shortest_unique(index)) == shortest);
  CHECK(kmer_spectrum(index) == spectrum);
  Counts expected;
  for (const std::string& record : records)
    expected.emplace_back(record.size(), 0);
  for (std::size_t k = 1; k <= 400; ++k) {
    const Counts counts = naive_frequencies(records, k, true);
    KmerCounts all{.k = k};
    double distinct = 0;
    for (std::size_t r = 0; r < records.size(); ++r) {
      for (std::size_t p = 0; p < records[r].size(); ++p) {
        if (counts[r][p] == 1 && expected[r][p] == 0) expected[r][p] = static_cast<unsigned>(k);
        if (counts[r][p] == 0) continue;
        ++all.total;
        all.unique += counts[r][p] == 1 ? 1 : 0;
        distinct += 1.0 / counts[r][p];
      }
    }
    all.distinct = static_cast<std::uint64_t>(std::llround(distinct));
    if (k <= spectrum.size()) REQUIRE(spectrum[k - 1] == all);
    if (k >= spectrum.size()) CHECK(all.unique == all.total);
  }
  CHECK(spectrum.size() > 60);
  CHECK(shortest == expected);
}

TEST_CASE("mappability tells its progress, and what that throws ends it") {
  const Text text = gsx::testing::make_text(some_records());
  double last = 0;
  const ProgressReport progress = [&](const char*, double fraction) { last = fraction; };
  CHECK(mappability(text, 9, {}, {.sort = {.threads = 3, .progress = progress}}).size() == 5);
  CHECK(last == 1);
  const ProgressReport stop = [](const char*, double) { throw std::logic_error("enough"); };
  CHECK_THROWS_AS(shortest_unique(text, {.sort = {.threads = 3, .progress = stop}}),
                  std::logic_error);
}

TEST_CASE("what cannot be asked of mappability is refused") {
  const Text text = gsx::testing::make_text({"AACCGAACCG"});
  CHECK_THROWS_AS(mappability(text, 0), UsageError);
  CHECK_THROWS_AS(mappability(text, 4, KmerValue::frequency), UsageError);
  CHECK_THROWS_AS(mappability(text, 2, {}, {.mismatches = 2}), UsageError);
  CHECK_THROWS_AS(kmer_frequencies(text, 9, {.mismatches = 5}), UsageError);
  CHECK_THROWS_AS(kmer_frequencies(text, 9, {.mismatches = -1}), UsageError);
  CHECK_THROWS_AS(kmer_frequencies(text, 9, {.cap = 0}), UsageError);
  CHECK_THROWS_AS(shortest_unique(text, {.mismatches = 1}), UsageError);
  CHECK_THROWS_AS(kmer_spectrum(text, {.mismatches = 1}), UsageError);
  CHECK_THROWS_AS(kmer_spectrum(Text()), UsageError);
  CHECK_THROWS_AS(mappability(text, 4, {}, {.sort = {.device = "abacus"}}), UsageError);
  CHECK_THROWS_AS(mappability(text, 4, {}, {.sort = {.memory_limit = 1000}}), ResourceError);
}
