// Searching: every instruction-set path, and the copy on huge pages, give the same intervals and
// positions as the plain view.
#include <doctest/doctest.h>

#include <algorithm>

#include "base/parallel.hpp"
#include "index/fm/fm_index.hpp"
#include "index/sa/builder.hpp"
#include "search/exact/cpu_search.hpp"
#include "search/exact/huge_page_fm.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

struct Built {
  explicit Built(const Text& text, std::uint32_t k)
      : fm(text.view(), build_suffix_array(text.view(), 2), {5, k}, 2) {
    view.bwt = fm.wavelet().view();
    c_offset = c_offsets_of(view.bwt, text.alphabet.size(), text.segments.view().count);
    view.c_offset = c_offset.data();
    view.kmers = fm.kmers().view();
    view.samples = fm.samples().view();
    view.hole_segments = fm.hole_segments().view();
    view.segments = text.segments.view();
    view.sampling = RowSampling(5);
    view.sigma = text.alphabet.size();
  }
  FmIndex fm;
  std::vector<std::uint64_t> c_offset;
  FmView view;
};

/// The paths that this machine supports.
std::vector<CpuPath> paths() {
  if (best_cpu_path() == CpuPath::baseline) return {CpuPath::baseline};
  return {CpuPath::baseline, CpuPath::avx2};
}

/// Pieces of the text, changed pieces, and codes outside the alphabet, of 0 to 60 symbols.
struct Queries {
  Queries(const Text& text, Random& random) {
    const PackedView symbols = text.symbols.view();
    for (int i = 0; i < 300; ++i) {
      const std::uint64_t length = std::min(below(random, 61), text.length());
      const std::uint64_t begin = below(random, text.length() - length + 1);
      for (std::uint64_t p = begin; p < begin + length; ++p)
        codes.push_back(static_cast<std::uint8_t>(symbols[p]));
      ends.push_back(codes.size());
    }
    for (auto& code : codes) {
      if (below(random, 100) == 0) code = Alphabet::none;
      if (below(random, 100) == 0) {
        code = static_cast<std::uint8_t>(below(random, text.alphabet.size()));
      }
    }
  }
  Patterns patterns() const { return {codes, ends}; }

  std::vector<std::uint8_t> codes;
  std::vector<std::uint64_t> ends;
};

template <class Pos>
void check(const SearchedIndex& index, const Patterns& patterns, bool complements) {
  const FmView& fm = index.fm;
  std::vector<Found<Pos>> found(2 * patterns.size(), {7, 7, false});
  for (const CpuPath path : paths()) {
    search_loops<Pos>(path).search(index, patterns, true, complements, found.data());
    std::vector<Pos> rows;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto symbols = patterns[i / 2];
      if (i % 2 == 1 && !complements) {
        REQUIRE(found[i].first == 7);
        continue;
      }
      Interval<Pos> expected{0, 0};
      if (!symbols.empty() && symbols.size() < fm.rows()) {
        expected = fm.search<Pos>(
            [&](std::uint64_t at) -> std::uint32_t {
              if (i % 2 == 0) return symbols[at];
              const auto code = symbols[symbols.size() - 1 - at];
              return code < 4 ? complement(code) : Alphabet::none;
            },
            symbols.size());
      }
      REQUIRE(found[i].count == expected.count());
      if (found[i].located) {
        REQUIRE(found[i].first == fm.locate(expected.begin));
      } else if (expected.count() > 0) {
        REQUIRE(found[i].first == expected.begin);
      }
      for (Pos k = 0; k < std::min<Pos>(expected.count(), 9); ++k)
        rows.push_back(expected.begin + k);
    }
    std::vector<std::uint64_t> positions(rows.size());
    search_loops<Pos>(path).locate(fm, rows.data(), positions.data(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      REQUIRE(positions[i] == fm.locate(rows[i]));
  }
}

void check(const Text& text, Random& random) {
  for (const std::uint32_t k : {0u, 1u, 2u}) {
    const Built built(text, k);
    const Queries queries(text, random);
    const SearchedIndex index{built.view, text.view()};
    check<std::uint32_t>(index, queries.patterns(), text.alphabet.has_reverse_complement());
    check<std::uint64_t>(index, queries.patterns(), text.alphabet.has_reverse_complement());
  }
}

}  // namespace

TEST_CASE("all paths find what the plain view finds") {
  Random random(31);
  for (const auto& sequences : adversarial_collections(5))
    check(make_text(sequences), random);
  check(make_text({random_string(random, 60'000, "ACGT"), "ACGT"}), random);
  const std::string letters = "ACDEFGHIKLMNPQRSTVWY";
  check(make_text({random_string(random, 5000, letters), "MKV"}, SymbolPolicy::protein), random);
  std::string bytes;
  for (int c = 33; c < 127; ++c)
    bytes += static_cast<char>(c);
  check(make_text({random_string(random, 5000, bytes)}, SymbolPolicy::bytes), random);
}

TEST_CASE("ranks are copied once enough was searched, even by several threads at once") {
  Random random(32);
  const Text text = make_text({random_string(random, 100'000, "ACGT"), "GATTACA"});
  const Built built(text, 3);
  const HugePageFm never(built.view);
  CHECK(never.view(1'000'000'000).bwt.levels[0].blocks == built.view.bwt.levels[0].blocks);
  CHECK(!never.is_copied());
  const HugePageFm searched(built.view, unlimited, 1);
  CHECK(searched.view(10).bwt.levels[0].blocks == built.view.bwt.levels[0].blocks);
  CHECK(!searched.is_copied());
  const Queries queries(text, random);
  run_threads(4, [&](int) {
    for (int i = 0; i < 10; ++i)
      check<std::uint32_t>({searched.view(400), text.view()}, queries.patterns(), true);
  });
  CHECK(searched.is_copied());
  CHECK(searched.view(0).bwt.levels[0].blocks != built.view.bwt.levels[0].blocks);
}
