// The k-mer table, compared with a sort of all suffixes, and the searches that start from it.
#include <doctest/doctest.h>

#include <algorithm>

#include "base/bits.hpp"
#include "index/fm/fm_index.hpp"
#include "index/sa/builder.hpp"
#include "index/store/writer.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// An FM-index with a table for k.
FmIndex built(const Text& text, std::uint32_t k, int threads = 2,
              PositionWidth width = PositionWidth::automatic) {
  const SuffixArray rows = build_suffix_array(text.view(), threads, width);
  return {text.view(), rows, {16, k}, threads};
}

/// The suffixes in order as codes, cut after k symbols and before their separators.
std::vector<std::string> sorted_prefixes(const Text& text, std::uint64_t k) {
  std::vector<std::string> prefixes;
  const TextView view = text.view();
  for (std::uint64_t p = 0; p < view.length(); ++p) {
    const std::uint64_t end = std::min(p + k, view.segments.separator_from(p));
    std::string prefix;
    for (std::uint64_t i = p; i < end; ++i)
      prefix += static_cast<char>(view.symbols[i]);
    prefixes.push_back(prefix);
  }
  std::sort(prefixes.begin(), prefixes.end());
  return prefixes;
}

/// Word number `value` of k symbols: its digits in base sigma, the most significant first.
std::string word_of(std::uint64_t value, std::uint32_t sigma, std::uint32_t k) {
  std::string word(k, 0);
  for (std::uint32_t i = k; i-- > 0; value /= sigma)
    word[i] = static_cast<char>(value % sigma);
  return word;
}

template <class Pos>
Interval<Pos> look_up(const KmerView& kmers, const std::string& word) {
  std::size_t left = word.size();
  const std::uint64_t slot = kmers.slot([&] { return static_cast<unsigned char>(word[--left]); });
  REQUIRE(slot + 1 < kmers.bounds.size);
  return kmers.interval<Pos>(slot);
}

/// The number of k-mers with wrong intervals.
std::uint64_t count_wrong(const Text& text, const KmerTable& table) {
  const KmerView kmers = table.view();
  const auto prefixes = sorted_prefixes(text, kmers.k);
  std::uint64_t words = 1, wrong = 0;
  for (std::uint32_t i = 0; i < kmers.k; ++i)
    words *= kmers.sigma;
  for (std::uint64_t value = 0; value < words; ++value) {
    const std::string word = word_of(value, kmers.sigma, kmers.k);
    const auto [low, high] = std::equal_range(prefixes.begin(), prefixes.end(), word);
    const auto begin = static_cast<std::uint64_t>(low - prefixes.begin());
    const auto end = static_cast<std::uint64_t>(high - prefixes.begin());
    const auto wide = look_up<std::uint64_t>(kmers, word);
    const auto narrow = look_up<std::uint32_t>(kmers, word);
    wrong += wide.begin != begin || wide.end != end || narrow.begin != begin || narrow.end != end;
  }
  return wrong;
}

void check_table(const Text& text, std::uint32_t longest) {
  for (std::uint32_t k = 1; k <= std::min(longest, longest_kmer(text.alphabet.size())); ++k) {
    CAPTURE(k);
    const FmIndex fm = built(text, k);
    REQUIRE(fm.kmers().k() == k);
    REQUIRE(fm.kmers().bounds().size() == kmer_bound_count(text.alphabet.size(), k));
    REQUIRE(count_wrong(text, fm.kmers()) == 0);
  }
}

bool same_bytes(const KmerTable& a, const KmerTable& b) {
  const auto x = a.bounds().bytes(), y = b.bounds().bytes();
  return std::equal(x.begin(), x.end(), y.begin(), y.end());
}

}  // namespace

TEST_CASE("every k-mer of DNA has the interval that a sort of the suffixes gives") {
  for (const auto& sequences : adversarial_collections(5))
    check_table(make_text(sequences), 6);
}

TEST_CASE("the rows of records of at most k symbols lie between the intervals") {
  check_table(make_text({"A", "AA", "AAA", "AAAA", "AAAAA", "T", "TT", "TTT", "TTTT"}), 7);
  Random random(6);
  std::vector<std::string> tiny(3000);
  for (std::string& record : tiny)
    record = random_string(random, 1 + below(random, 7), below(random, 2) == 0 ? "A" : "ACGT");
  check_table(make_text(tiny), 6);
}

TEST_CASE("alphabets of any size") {
  Random random(7);
  for (const std::string symbols : {"x", "xy", "xyz", "wxyz", "vwxyz", "ACDEFGHIKLMNPQRSTVWY"}) {
    CAPTURE(symbols);
    const std::uint32_t longest = symbols.size() <= 5 ? 5 : 3;
    check_table(make_text({random_string(random, 700, symbols), symbols, symbols.substr(0, 1)},
                          SymbolPolicy::bytes),
                longest);
    check_table(
        make_text({mutated_copies(random, 50, 30, 40, symbols), symbols}, SymbolPolicy::bytes),
        longest);
  }
  std::string bytes;
  for (int c = 0x21; c < 0x100; ++c)
    bytes += static_cast<char>(c);
  check_table(make_text({random_string(random, 2000, bytes), bytes}, SymbolPolicy::bytes), 2);
}

TEST_CASE("the longest k of an alphabet") {
  CHECK(longest_kmer(1) == 12);
  CHECK(longest_kmer(2) == 12);
  CHECK(longest_kmer(4) == 12);
  CHECK(longest_kmer(5) == 10);
  CHECK(longest_kmer(20) == 5);
  CHECK(longest_kmer(255) == 3);
  check_table(make_text({std::string(40, 'x'), "xxx"}, SymbolPolicy::bytes), 12);
}

TEST_CASE("k grows with the text, and the table takes less than a tenth of the index") {
  CHECK(choose_kmer_length(48'503, 4) == 5);
  CHECK(choose_kmer_length(4'641'653, 4) == 8);
  CHECK(choose_kmer_length(100'000'001, 4) == 10);
  CHECK(choose_kmer_length(3'100'000'001, 4) == 12);
  CHECK(choose_kmer_length(20'000'001, 20) == 4);
  for (const std::uint32_t sigma : {1u, 2u, 3u, 4u, 5u, 20u, 26u, 64u, 94u, 255u}) {
    const std::uint32_t bits = bits_for(sigma - 1);
    std::uint32_t before = 0;
    CHECK(choose_kmer_length(1, sigma) == 0);
    for (std::uint64_t n = 1; n < std::uint64_t{1} << 47; n += 1 + n / 3) {
      CAPTURE(n);
      CAPTURE(sigma);
      const std::uint32_t k = choose_kmer_length(n, sigma);
      CHECK(k >= before);
      CHECK(k <= longest_kmer(sigma));
      if (k > 0) {
        CHECK(kmer_bound_count(sigma, k) * bits_for(n) / 8 <= index_bytes(n, bits, 8) / 10);
      }
      before = k;
    }
  }
}

TEST_CASE("the table's bytes depend on the text alone") {
  Random random(8);
  std::vector<std::string> records = {mutated_copies(random, 3000, 20, 90, "ACGT")};
  for (int i = 0; i < 500; ++i)
    records.push_back(random_string(random, 1 + below(random, 12), "ACGT"));
  const Text text = make_text(records);
  const FmIndex one = built(text, 9, 1);
  REQUIRE(one.kmers().bounds().size() > 300'000);  // many tasks
  for (const int threads : {2, 3, 7})
    CHECK(same_bytes(built(text, 9, threads).kmers(), one.kmers()));
  CHECK(same_bytes(built(text, 9, 2, PositionWidth::wide).kmers(), one.kmers()));
}
