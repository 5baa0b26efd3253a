// Words shorter than a k-mer in the table of k-mers, compared with a sort of all suffixes.
#include <doctest/doctest.h>

#include <algorithm>

#include "index/fm/fm_index.hpp"
#include "index/fm/kmer_words.hpp"
#include "index/sa/builder.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// The suffixes in order as codes, cut after k symbols and before their separators.
std::vector<std::string> sorted_prefixes(const TextView& text, std::uint64_t k) {
  std::vector<std::string> prefixes;
  for (std::uint64_t p = 0; p < text.length(); ++p) {
    const std::uint64_t end = std::min(p + k, text.segments.separator_from(p));
    std::string prefix;
    for (std::uint64_t i = p; i < end; ++i)
      prefix += static_cast<char>(text.symbols[i]);
    prefixes.push_back(prefix);
  }
  std::sort(prefixes.begin(), prefixes.end());
  return prefixes;
}

struct Counts {
  std::uint64_t wrong = 0;
  std::uint64_t untold = 0;  ///< words whose rows the table does not tell
  std::uint64_t told = 0;
};

/// Looks all words up that begin with `word`.
void look_up(const KmerView& kmers, const std::vector<std::string>& prefixes, std::string word,
             Counts& counts) {
  const std::uint64_t length = word.size();
  if (length > 0) {
    const auto first = std::lower_bound(prefixes.begin(), prefixes.end(), word);
    const auto last = std::find_if_not(
        first, prefixes.end(), [&](const std::string& prefix) { return prefix.starts_with(word); });
    const auto last_code = static_cast<unsigned char>(word.back());
    Interval<std::uint32_t> rows{};
    if (word_interval(kmers, word_bounds(kmers, word, std::uint64_t{0}, length), last_code, rows)) {
      counts.wrong += rows.begin != static_cast<std::uint64_t>(first - prefixes.begin());
      counts.wrong += rows.end != static_cast<std::uint64_t>(last - prefixes.begin());
      ++counts.told;
    } else {
      counts.wrong += last_code != 0;
      ++counts.untold;
    }
  }
  if (length + 1 == kmers.k) return;
  for (std::uint32_t code = 0; code < kmers.sigma; ++code)
    look_up(kmers, prefixes, word + static_cast<char>(code), counts);
}

Counts look_up_all(const Text& text, std::uint32_t k) {
  const SuffixArray rows = build_suffix_array(text.view(), 2, PositionWidth::automatic);
  const FmIndex fm(text.view(), rows, {16, k}, 2);
  REQUIRE(fm.kmers().k() == k);
  Counts counts;
  look_up(fm.kmers().view(), sorted_prefixes(text.view(), k), "", counts);
  return counts;
}

}  // namespace

TEST_CASE("the table of k-mers tells the rows of shorter words") {
  for (const auto& sequences : adversarial_collections(11)) {
    for (const std::uint32_t k : {2, 3, 6}) {
      CAPTURE(k);
      const Counts counts = look_up_all(make_text(sequences), k);
      CHECK(counts.wrong == 0);
      CHECK(counts.told >= 3 * counts.untold);
    }
  }
}

TEST_CASE("of one record, it does not tell few words of the first code and of the end") {
  Random random(12);
  const Counts counts = look_up_all(make_text({random_string(random, 5000, "ACGT") + "CAAT"}), 6);
  CHECK(counts.wrong == 0);
  CHECK(counts.told > 1300);
  CHECK(counts.untold < 20);
}

TEST_CASE("words of many short records, and of other alphabets") {
  Random random(13);
  std::vector<std::string> tiny(3000);
  for (std::string& record : tiny)
    record = random_string(random, 1 + below(random, 7), below(random, 2) == 0 ? "A" : "ACGT");
  CHECK(look_up_all(make_text(tiny), 6).wrong == 0);
  for (const std::string symbols : {"x", "xy", "xyz", "vwxyz", "ACDEFGHIKLMNPQRSTVWY"}) {
    CAPTURE(symbols);
    const Counts counts = look_up_all(
        make_text({mutated_copies(random, 50, 30, 40, symbols), symbols, symbols.substr(0, 1)},
                  SymbolPolicy::bytes),
        3);
    CHECK(counts.wrong == 0);
  }
}
