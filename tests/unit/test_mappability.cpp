// K-mer frequencies, the shortest unique k-mers and the spectrum, compared with counting strings.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "analysis/mappability/frequencies.hpp"
#include "analysis/mappability/kmer_tracks.hpp"
#include "analysis/mappability/unique_lengths.hpp"
#include "index/lcp/common_prefix.hpp"
#include "index/lcp/lcp_builder.hpp"
#include "index/sa/builder.hpp"
#include "support/strands.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// The symbols of each segment, as digits.
std::vector<std::string> segments_of(const TextView& text) {
  std::vector<std::string> all;
  for (std::uint64_t s = 0; s < text.segments.count; ++s) {
    std::string symbols;
    for (std::uint64_t p = text.segments.starts[s]; p + 1 < text.segments.starts[s + 1]; ++p)
      symbols += static_cast<char>('0' + text.symbols[p]);
    all.push_back(symbols);
  }
  return all;
}

std::string reverse_complement_of(std::string symbols) {
  std::reverse(symbols.begin(), symbols.end());
  for (char& c : symbols)
    c = static_cast<char>('0' + ('3' - c));
  return symbols;
}

/// Of two strands, the smaller one of a k-mer and its reverse complement.
std::string class_of(const std::string& kmer, bool both) {
  return both ? std::min(kmer, reverse_complement_of(kmer)) : kmer;
}

/// How often the k-mer at each position occurs; 0 where none begins.
std::vector<std::uint64_t> naive_frequencies(const TextView& text, std::uint64_t k, bool both) {
  std::map<std::string, std::uint64_t> counts;
  const auto segments = segments_of(text);
  for (const std::string& symbols : segments) {
    for (std::uint64_t p = 0; p + k <= symbols.size(); ++p)
      ++counts[class_of(symbols.substr(p, k), both)];
  }
  std::vector<std::uint64_t> all;
  for (const std::string& symbols : segments) {
    for (std::uint64_t p = 0; p <= symbols.size(); ++p)
      all.push_back(p + k <= symbols.size() ? counts[class_of(symbols.substr(p, k), both)] : 0);
  }
  return all;
}

template <class Builder, class Pos>
void add_in_blocks(Builder& builder, std::span<const Pos> rows, std::uint64_t most) {
  for (std::uint64_t row = 0; row < rows.size(); row += most)
    builder.add(rows.data() + row, std::min(most, rows.size() - row));
}

template <class Pos>
std::vector<std::vector<std::uint64_t>> frequencies(const BothStrandsView& text,
                                                    const std::vector<std::uint64_t>& lengths,
                                                    const SuffixArray& sa, std::uint64_t most,
                                                    int threads, const LcpArray* lcp = nullptr) {
  FrequencyBuilder<Pos> builder(text, lengths, threads, lcp);
  add_in_blocks(builder, sa.entries<Pos>(), most);
  std::vector<std::vector<std::uint64_t>> all;
  for (const auto& codes : builder.finish()) {
    all.emplace_back();
    for (std::uint64_t p = 0; p < codes->size(); ++p)
      all.back().push_back((*codes)[p]);
  }
  return all;
}

template <class Pos>
SharedLengths shared_lengths(const BothStrandsView& text, const SuffixArray& sa, std::uint64_t most,
                             int threads) {
  SharedLengthsBuilder<Pos> builder(text, threads);
  add_in_blocks(builder, sa.entries<Pos>(), most);
  return builder.finish();
}

std::vector<std::vector<std::string>> dna_collections(std::uint64_t seed) {
  Random random(seed);
  auto all = adversarial_collections(seed);
  std::string half = random_string(random, 70, "ACGT"), at;
  for (int i = 0; i < 60; ++i)
    at += "AT";
  std::string turned = half;
  std::reverse(turned.begin(), turned.end());
  for (char& c : turned)
    c = c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : 'A';
  all.push_back({half + turned});
  all.push_back({half + turned + "ACG" + half, turned});
  all.push_back({at, "G" + at + "C"});
  all.push_back({"ACGT"});
  all.push_back({"AATT", "ACGTACGT", "TTAA"});
  return all;
}

}  // namespace

TEST_CASE("both strands of a text") {
  const TextStrands strands({"ACG", "CGTTNA"}, true);
  const auto segments = segments_of(strands.view.text);
  REQUIRE(segments.size() == 6);
  for (int s = 0; s < 3; ++s)
    CHECK(segments[s + 3] == reverse_complement_of(segments[s]));
  // CGTT is at 4, AACG at 15; AC, at 16, is the reverse complement of GT, at 5.
  CHECK(strands.view.half == 11);
  CHECK(strands.view.forward_start(16, 2) == 5);
  CHECK(strands.view.forward_start(11, 3) == 0);
}

TEST_CASE("k-mer frequencies are those of counting strings") {
  const std::vector<std::uint64_t> lengths = {1, 2, 3, 4, 8, 20, 64, 100, 301};
  for (const bool both : {true, false}) {
    for (const auto& sequences : dna_collections(both ? 1 : 2)) {
      const TextStrands strands(sequences, both);
      std::vector<std::vector<std::uint64_t>> expected;
      for (const std::uint64_t k : lengths)
        expected.push_back(naive_frequencies(strands.text.view(), k, both));
      const TextView all = strands.view.text;
      const SuffixArray sa = build_suffix_array(all, 1);
      const SuffixArray wide = build_suffix_array(all, 1, PositionWidth::wide);
      REQUIRE(frequencies<std::uint32_t>(strands.view, lengths, sa, sa.size(), 1) == expected);
      REQUIRE(frequencies<std::uint32_t>(strands.view, lengths, sa, 5, 3) == expected);
      REQUIRE(frequencies<std::uint64_t>(strands.view, lengths, wide, 100, 2) == expected);
      const LcpArray lcp = build_lcp_array(all, sa, 2);
      REQUIRE(frequencies<std::uint32_t>(strands.view, lengths, sa, 50, 2, &lcp) == expected);
    }
  }
}

TEST_CASE("frequencies above 2^15, and more of them than a list holds") {
  const TextStrands strands({std::string(40'000, 'A') + std::string(35'000, 'C')}, true);
  const SuffixArray sa = build_suffix_array(strands.view.text, 2);
  const auto found = frequencies<std::uint32_t>(strands.view, {1, 3}, sa, 10'000, 2);
  CHECK(found[0][0] == 40'000);
  CHECK(found[0][40'000] == 35'000);
  CHECK(found[1][39'997] == 39'998);
  CHECK(found[1][39'999] == 1);
  FrequencyCodes codes(100, 2);
  for (std::uint32_t p = 0; p < 100; ++p)
    codes.set(p, codes.code_of(p % 2 == 0 ? p : 40'000 + p));
  codes.make_room(std::uint64_t{1} << 15);
  codes.set(7, codes.code_of(5'000'000'000));
  for (std::uint64_t p = 0; p < 100; ++p)
    CHECK(codes[p] == (p == 7 ? 5'000'000'000 : p % 2 == 0 ? p : 40'000 + p));
}

TEST_CASE("frequencies ask for the memory of wider codes before they take it") {
  constexpr std::uint64_t n = 100;
  std::uint64_t asked = 0;
  FrequencyCodes codes(n, 1, [&](std::uint64_t bytes) { asked += bytes; });
  codes.make_room(std::uint64_t{1} << 15);
  CHECK(asked == 0);
  codes.make_room((std::uint64_t{1} << 15) + 1);
  CHECK(asked == n * sizeof(std::uint32_t));
  CHECK_FALSE(codes.narrow());
}

TEST_CASE("rows of one k-mer in many blocks, and suffixes that share much, ask for memory") {
  constexpr std::uint64_t n = 1'000'000;
  const TextStrands strands({std::string(n, 'A')}, true);
  const SuffixArray sa = build_suffix_array(strands.view.text, 2);
  std::uint64_t asked = 0;
  const RequireMemory require = [&](std::uint64_t bytes) { asked += bytes; };
  const std::vector<std::uint64_t> lengths = {30};
  FrequencyBuilder<std::uint32_t> frequencies(strands.view, lengths, 2, nullptr, require);
  add_in_blocks(frequencies, sa.entries<std::uint32_t>(), 10'000);
  CHECK(asked > 7 * n);
  asked = 0;
  SharedLengthsBuilder<std::uint32_t> shared(strands.view, 2, require);
  add_in_blocks(shared, sa.entries<std::uint32_t>(), 10'000);
  shared.finish();
  CHECK(asked > 20 * n);
}

TEST_CASE("shared lengths are those of comparing all suffixes, long ones too") {
  Random random(9);
  const std::string unit = random_string(random, 330, "ACGT");
  const TextStrands strands({unit + mutated_copies(random, 90, 3, 60, "ACGT") + unit, "T" + unit},
                            true);
  const TextView text = strands.view.text;
  const SuffixArray sa = build_suffix_array(text, 1);
  const SharedLengths shared = shared_lengths<std::uint32_t>(strands.view, sa, 300, 3);
  std::vector<std::uint64_t> row_of(sa.size());
  for (std::uint64_t row = 0; row < sa.size(); ++row)
    row_of[sa[row]] = row;
  for (std::uint64_t p = 0; p < strands.view.half; ++p) {
    std::uint64_t left = 0, forward = 0, reverse = 0;
    for (std::uint64_t q = 0; q < text.length(); ++q) {
      if (q == p) continue;
      const std::uint64_t length = common_prefix(text, p, q);
      if (!strands.view.is_forward(q)) {
        reverse = std::max(reverse, length);
        continue;
      }
      forward = std::max(forward, length);
      if (row_of[q] < row_of[p]) left = std::max(left, length);
    }
    CAPTURE(p);
    REQUIRE(shared.left[p] == left);
    REQUIRE(shared.forward[p] == forward);
    REQUIRE((*shared.reverse)[p] == reverse);
  }
  CHECK(shared.forward[0] == 330);
}

TEST_CASE("the shortest unique k-mers, and the spectrum, are those of counting strings") {
  for (const bool both : {true, false}) {
    for (auto sequences : dna_collections(both ? 3 : 4)) {
      // Counting takes the cube of the lengths.
      if (sequences.size() > 40) sequences.resize(40);
      for (std::string& sequence : sequences)
        sequence.resize(std::min<std::size_t>(sequence.size(), thinned() ? 80 : 180));
      const TextStrands strands(sequences, both);
      const TextView text = strands.text.view();
      const SuffixArray sa = build_suffix_array(strands.view.text, 1);
      const SuffixArray wide = build_suffix_array(strands.view.text, 1, PositionWidth::wide);
      const SharedLengths shared =
          shared_lengths<std::uint32_t>(strands.view, sa, sequences.size() % 2 == 0 ? 7 : 1000, 3);
      const SharedLengths again = shared_lengths<std::uint64_t>(strands.view, wide, 100'000, 1);
      CAPTURE(sequences.front().substr(0, 60));
      std::optional<Palindromes<std::uint32_t>> palindromes;
      if (both) palindromes.emplace(strands.view, 2);
      const auto* around = both ? &*palindromes : nullptr;

      std::vector<std::uint64_t> shortest(text.length());
      const UniqueLengths<std::uint32_t> unique(strands.view, shared, around);
      unique.for_each(0, text.length(), [&](std::uint64_t p, std::uint64_t k) { shortest[p] = k; });
      for (std::uint64_t p = 0; p < text.length(); ++p) {
        REQUIRE(shared.left[p] == again.left[p]);
        REQUIRE(shared.forward[p] == again.forward[p]);
        if (both) REQUIRE((*shared.reverse)[p] == (*again.reverse)[p]);
      }

      const auto spectrum = kmer_spectrum(strands.view, shared, around, 2);
      std::vector<std::uint64_t> expected(text.length(), 0);
      std::uint64_t longest = 0;
      for (const std::string& segment : segments_of(text))
        longest = std::max<std::uint64_t>(longest, segment.size());
      for (std::uint64_t k = 1; k <= longest; ++k) {
        const auto frequency = naive_frequencies(text, k, both);
        std::set<std::string> distinct;
        std::uint64_t ones = 0, total = 0;
        for (const std::string& segment : segments_of(text)) {
          for (std::uint64_t p = 0; p + k <= segment.size(); ++p)
            distinct.insert(class_of(segment.substr(p, k), both));
        }
        for (std::uint64_t p = 0; p < frequency.size(); ++p) {
          if (frequency[p] == 1 && expected[p] == 0) expected[p] = k;
          ones += frequency[p] == 1 ? 1 : 0;
          total += frequency[p] != 0 ? 1 : 0;
        }
        CAPTURE(k);
        CAPTURE(total);
        CAPTURE(both);
        if (k <= spectrum.size()) {
          REQUIRE(spectrum[k - 1].k == k);
          REQUIRE(spectrum[k - 1].total == total);
          REQUIRE(spectrum[k - 1].distinct == distinct.size());
          REQUIRE(spectrum[k - 1].unique == ones);
        } else {
          REQUIRE(ones == total);
          break;
        }
      }
      for (std::uint64_t p = 0; p < text.length(); ++p) {
        CAPTURE(p);
        if (expected[p] != 0 || shortest[p] <= spectrum.size()) REQUIRE(shortest[p] == expected[p]);
      }
    }
  }
}

namespace {

/// The values of a record, NaN where there is none, put together from ranges of `most` positions.
std::vector<float> track_of(const KmerTrack& track, std::uint64_t length, std::uint64_t most) {
  std::vector<float> values(length, std::nanf(""));
  for (std::uint64_t begin = 0; begin < length; begin += most) {
    PieceRuns runs(TrackKind::real);
    const TrackRange range{0, begin, std::min(length, begin + most)};
    runs.begin(range);
    track.fill(range, runs);
    for (std::size_t part = 0; part < runs.parts().size(); ++part) {
      for (const TrackRun& run : runs.runs_of(part)) {
        for (std::uint64_t p = range.begin + run.begin; p < range.begin + run.end; ++p)
          values[p] = std::bit_cast<float>(run.bits);
      }
    }
  }
  return values;
}

}  // namespace

TEST_CASE("tracks do not depend on where records are cut into ranges") {
  Random random(12);
  std::string sequence = random_string(random, 400, "ACGT");
  for (const std::uint64_t p : {0u, 90u, 91u, 300u})
    sequence[p] = 'N';
  const Text text = make_text({sequence});
  const RecordSegments segments{text.records_view(), text.view().segments};
  FrequencyCodes codes(text.length(), 1);
  for (const std::uint64_t k : {1u, 2u, 7u, 60u, 150u}) {
    std::vector<std::uint64_t> frequency(sequence.size(), 0);  // by position in the record
    segments.for_each({0, 0, sequence.size()},
                      [&](std::uint64_t begin, std::uint64_t end, std::uint64_t offset) {
                        for (std::uint64_t p = begin; p < end; ++p) {
                          const bool begins = p + k <= end;
                          frequency[offset + p - begin] = begins ? 1 + below(random, 3) : 0;
                          codes.set(p, codes.code_of(frequency[offset + p - begin]));
                        }
                      });
    for (const KmerValue value :
         {KmerValue::mappability, KmerValue::umap_single, KmerValue::umap_multi}) {
      const KmerTrack track(segments, codes, k, value, ~std::uint64_t{0});
      std::vector<float> expected(sequence.size());
      for (std::uint64_t p = 0; p < sequence.size(); ++p) {
        double share = 0;
        if (value == KmerValue::mappability) {
          share = frequency[p] == 0 ? 0 : 1 / static_cast<double>(frequency[p]);
        } else {
          for (std::uint64_t q = p + 1 < k ? 0 : p + 1 - k; q <= p; ++q)
            share += frequency[q] == 1 ? 1 : 0;
          share = value == KmerValue::umap_single ? std::min(share, 1.0)
                                                  : share / static_cast<double>(k);
        }
        expected[p] = static_cast<float>(share);
      }
      for (const std::uint64_t most : {1u, 13u, 64u, 200u, 400u}) {
        const auto found = track_of(track, sequence.size(), most);
        CAPTURE(k);
        CAPTURE(most);
        for (std::uint64_t p = 0; p < sequence.size(); ++p) {
          CAPTURE(p);
          REQUIRE((std::isnan(found[p]) ? 0 : found[p]) == expected[p]);
          REQUIRE(std::isnan(found[p]) == (expected[p] == 0));
        }
      }
    }
  }
}
