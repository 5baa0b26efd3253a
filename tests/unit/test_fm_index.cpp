// BWT, its inverse, backward search and locate, compared with scans of the text.
#include <divsufsort.h>
#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.hpp"
#include "index/bwt/bwt.hpp"
#include "index/fm/fm_index.hpp"
#include "index/sa/builder.hpp"
#include "support/bwts.hpp"
#include "support/naive_suffix_array.hpp"
#include "support/texts.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// An FM-index in memory, with its view.
struct Built {
  explicit Built(const Text& text, std::uint32_t rate = 4, std::uint32_t k = 0)
      : rows(build_suffix_array(text.view(), 2)), fm(text.view(), rows, {rate, k}, 2) {
    view.bwt = fm.wavelet().view();
    c_offset = c_offsets_of(view.bwt, text.alphabet.size(), text.segments.view().count);
    view.c_offset = c_offset.data();
    view.kmers = fm.kmers().view();
    view.samples = fm.samples().view();
    view.hole_segments = fm.hole_segments().view();
    view.segments = text.segments.view();
    view.sampling = RowSampling(rate);
    view.sigma = text.alphabet.size();
  }
  SuffixArray rows;
  FmIndex fm;
  std::vector<std::uint64_t> c_offset;
  FmView view;
};

std::vector<std::uint64_t> scan(const std::string& text, const std::string& pattern) {
  std::vector<std::uint64_t> found;
  for (auto p = text.find(pattern); p != std::string::npos; p = text.find(pattern, p + 1)) {
    found.push_back(p);
  }
  return found;
}

template <class Pos>
std::vector<std::uint64_t> search(const Text& text, const FmView& fm, const std::string& pattern) {
  const auto interval = fm.search<Pos>(
      [&](std::uint64_t i) -> std::uint32_t { return text.alphabet.code(pattern[i]); },
      pattern.size());
  std::vector<std::uint64_t> found;
  for (Pos row = interval.begin; row < interval.end; ++row)
    found.push_back(fm.locate(row));
  std::sort(found.begin(), found.end());
  return found;
}

void check_searches(const Text& text, Random& random, int patterns) {
  const std::string plain = spelled_text(text, '\n');
  const std::uint32_t longest = text.alphabet.size() <= 4 ? 7 : 2;
  std::uint32_t k = 0;
  for (const std::uint32_t rate : {1u, 3u, 16u, 1000000u}) {
    const Built built(text, rate, std::min(longest, k));
    k = 2 * k + 1;
    for (int i = 0; i < patterns; ++i) {
      const std::uint64_t begin = below(random, plain.size());
      std::string pattern = plain.substr(begin, 1 + below(random, 40));
      pattern = pattern.substr(0, pattern.find('\n'));
      if (pattern.empty()) continue;
      if (i % 3 == 0) {
        pattern[below(random, pattern.size())] =
            text.alphabet.symbol(below(random, text.alphabet.size()));
      }
      const auto expected = scan(plain, pattern);
      REQUIRE(search<std::uint32_t>(text, built.view, pattern) == expected);
      REQUIRE(search<std::uint64_t>(text, built.view, pattern) == expected);
    }
  }
}

}  // namespace

TEST_CASE("the BWT holds the symbol before each suffix") {
  for (const auto& sequences : thinned(adversarial_collections(9))) {
    const Text text = make_text(sequences);
    const SuffixArray rows = build_suffix_array(text.view(), 2);
    const std::string plain = spelled_text(text, '$');
    std::string expected;
    for (const std::uint64_t p : naive_suffix_array(text.view())) {
      expected += p == 0 ? '$' : plain[p - 1];
    }
    const std::string bwt = spelled_bwt(text, rows, '$');
    REQUIRE(bwt == expected);
  }
}

TEST_CASE("one record gives libdivsufsort's BWT, except for the separator") {
  Random random(17);
  for (const std::string& symbols :
       {random_string(random, 50000, "ACGT"), mutated_copies(random, 700, 40, 90, "ACGT"),
        fibonacci_word(30000), std::string(5000, 'G')}) {
    const Text text = make_text({symbols});
    std::string bwt = spelled_bwt(text, build_suffix_array(text.view(), 2), '$');
    std::string expected(symbols.size(), ' ');
    const saidx_t primary = divbwt(reinterpret_cast<const sauchar_t*>(symbols.data()),
                                   reinterpret_cast<sauchar_t*>(expected.data()), nullptr,
                                   static_cast<saidx_t>(symbols.size()));
    REQUIRE(bwt.find('$') == static_cast<std::size_t>(primary));
    bwt.erase(static_cast<std::size_t>(primary), 1);
    CHECK(bwt == expected);
  }
}

TEST_CASE("search and locate equal a scan, for all sampling rates and k") {
  Random random(13);
  for (const auto& sequences : thinned(adversarial_collections(21))) {
    check_searches(make_text(sequences), random, 25);
  }
}

TEST_CASE("search and locate on protein and bytes") {
  Random random(14);
  const std::string letters = "ACDEFGHIKLMNPQRSTVWY*";
  check_searches(make_text({mutated_copies(random, 300, 5, 60, letters), "MKV",
                            random_string(random, 2000, letters)},
                           SymbolPolicy::protein),
                 random, 60);
  std::string bytes;
  for (int c = 1; c < 256; ++c) {
    if (c != '\n') bytes += static_cast<char>(c);
  }
  check_searches(
      make_text({random_string(random, 3000, bytes), bytes + bytes, "a"}, SymbolPolicy::bytes),
      random, 60);
}

TEST_CASE("LF steps from row k spell segment k backwards") {
  const Text text = make_text({"ACGTTT", "GATTACA", "ACGTTT", "G"});
  const Built built(text);
  for (std::uint64_t k = 0; k < 4; ++k) {
    std::string spelled;
    std::uint64_t row = k;
    while (!built.view.bwt.is_hole(row)) {
      const auto code = built.view.bwt.access(row);
      spelled += text.alphabet.symbol(code);
      row = built.view.lf(code, row);
    }
    std::reverse(spelled.begin(), spelled.end());
    CHECK(spelled == std::vector<std::string>{"ACGTTT", "GATTACA", "ACGTTT", "G"}[k]);
  }
}

TEST_CASE("a code outside the alphabet matches nothing") {
  const Text text = make_text({"ACGT"});
  for (const std::uint32_t k : {0u, 1u, 2u, 3u, 4u, 5u}) {
    const Built built(text, 4, k);
    CHECK(search<std::uint32_t>(text, built.view, "ACNT").empty());
    CHECK(search<std::uint32_t>(text, built.view, "NACG").empty());
    CHECK(search<std::uint32_t>(text, built.view, "ACGN").empty());
    CHECK(search<std::uint32_t>(text, built.view, "ACGT").size() == 1);
  }
}
