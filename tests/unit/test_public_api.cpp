// The public headers: what they give is what the parts give, on files and in memory alike.
#include <divsufsort.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <mutex>

#include "gsx/error.hpp"
#include "gsx/index.hpp"
#include "gsx/search.hpp"
#include "gsx/suffix_array.hpp"
#include "support/files.hpp"
#include "support/scan.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::vector<std::uint64_t> entries(const SuffixArray& rows) {
  std::vector<std::uint64_t> all(rows.size());
  for (std::uint64_t i = 0; i < rows.size(); ++i)
    all[i] = rows[i];
  return all;
}

std::vector<std::uint64_t> divsufsort_of(const std::string& bytes) {
  std::vector<std::int32_t> rows(bytes.size());
  divsufsort(reinterpret_cast<const sauchar_t*>(bytes.data()), rows.data(),
             static_cast<saidx_t>(bytes.size()));
  return {rows.begin(), rows.end()};
}

}  // namespace

TEST_CASE("public: the suffix array of bytes is libdivsufsort's, for any bytes and threads") {
  Random random(901);
  std::string zeros(100, '\0');
  std::string many;
  for (int i = 0; i < 20'000; ++i)
    many += static_cast<char>(below(random, 255));
  for (const std::string& bytes :
       {std::string("banana"), std::string("x"), zeros, many, random_string(random, 5000, "ACGT"),
        fibonacci_word(3000, 'a', 'b'), random_string(random, 70'001, "01")}) {
    CAPTURE(bytes.size());
    for (const int threads : {0, 1, 3})
      CHECK(entries(suffix_array(bytes, {.device = "cpu", .threads = threads})) ==
            divsufsort_of(bytes));
  }
  CHECK(suffix_array(std::string_view()).size() == 0);
}

TEST_CASE("public: bytes of all 256 values are refused") {
  std::string all;
  for (int i = 0; i < 256; ++i)
    all += static_cast<char>(i);
  CHECK_THROWS_AS(suffix_array(all), UsageError);
  CHECK_THROWS_AS(bwt(all), UsageError);
}

TEST_CASE("public: the BWT of bytes is the byte before each suffix") {
  Random random(902);
  for (const std::string& bytes : {std::string("banana"), std::string("a"),
                                   random_string(random, 4000, "ACGT"), std::string(77, 'z')}) {
    const auto rows = divsufsort_of(bytes);
    std::string expected(1, bytes.back());  // before the suffix that is the symbol behind all
    std::uint64_t primary = 0;
    for (std::uint64_t i = 0; i < rows.size(); ++i) {
      if (rows[i] == 0) {
        primary = i + 1;
      } else {
        expected += bytes[rows[i] - 1];
      }
    }
    const BytesBwt found = bwt(bytes);
    CHECK(std::string(found.bytes.begin(), found.bytes.end()) == expected);
    CHECK(found.primary == primary);
  }
  CHECK(bwt(std::string_view()).bytes.size() == 0);
}

TEST_CASE("public: an index in memory answers as a scan does, and is the file that is saved") {
  Random random(903);
  const TemporaryFolder folder;
  const std::vector<std::string> records = {random_string(random, 3000, "ACGT"),
                                            mutated_copies(random, 200, 10, 50, "ACGT"), "ACGT",
                                            "A"};
  const Index built = build_index(text_of_records(records), {.device = "cpu"});
  CHECK(built.records().name(1) == "r1");
  built.save(folder / "g.gsx");
  const Index mapped = Index::open(folder / "g.gsx", Load::map, 2);
  const Index lazy = Index::open(folder / "g.gsx", Load::lazy, 2);
  const Index read = Index::open(folder / "g.gsx", Load::read, 2);
  lazy.check_content(2);
  std::vector<std::string> patterns = {
      "ACGT", "A", "GATTACA", records[1].substr(50, 60), records[0].substr(0, 31), "NNN", ""};
  for (int i = 0; i < 50; ++i)
    patterns.push_back(records[0].substr(below(random, 2900), 1 + below(random, 30)));
  for (const std::string& pattern : patterns) {
    CAPTURE(pattern);
    const auto expected = pattern.empty() ? std::vector<Occurrence>() : scan(records, pattern);
    for (const Index* index : {&built, &mapped, &lazy, &read}) {
      auto found = locate(*index, pattern);
      std::sort(found.begin(), found.end());
      CHECK(found == expected);
      CHECK(count(*index, pattern).total() == expected.size());
    }
  }
  std::filesystem::remove(std::string(folder / "g.gsx"));
  CHECK(count(read, "ACGT").total() == scan(records, "ACGT").size());
  read.require_unchanged();
}

TEST_CASE("public: a cursor takes one symbol after another") {
  Random random(904);
  const std::vector<std::string> records = {random_string(random, 2000, "ACGT"), "ACGTACGT"};
  const Index index = build_index(text_of_records(records));
  CHECK(Cursor(index).count() == 2008);
  for (int i = 0; i < 40; ++i) {
    const std::string pattern = records[0].substr(below(random, 1980), 12);
    Cursor cursor(index);
    for (std::size_t k = pattern.size(); k-- > 0;) {
      REQUIRE(cursor.extend_left(pattern[k]));
      auto expected = scan(records, pattern.substr(k));
      std::erase_if(expected, [](const Occurrence& one) { return one.reverse; });
      REQUIRE(cursor.count() == expected.size());
      std::vector<Occurrence> found;
      for (std::uint64_t o = 0; o < cursor.count(); ++o)
        found.push_back(cursor.occurrence(o));
      std::sort(found.begin(), found.end());
      REQUIRE(found == expected);
    }
  }
  Cursor cursor(index);
  CHECK_FALSE(cursor.extend_left('N'));
  CHECK_FALSE(cursor.extend_left('A'));
  CHECK(cursor.count() == 0);
}

TEST_CASE("public: what a sink or a progress callback throws ends the work and comes out") {
  struct Enough {};
  Random random(906);
  const std::vector<std::string> records = {random_string(random, 60'000, "ACGT")};
  const Index index = build_index(text_of_records(records));
  const std::vector<std::string_view> patterns(20'000, "ACG");
  for (const int threads : {1, 4}) {
    const BatchSearcher searcher(index, {.device = "cpu", .threads = threads});
    for (const int after : {0, 3}) {
      int calls = 0;
      CHECK_THROWS_AS(searcher.locate(patterns, {},
                                      [&](const HitChunk&) {
                                        if (calls++ == after) throw Enough();
                                      }),
                      Enough);
      CHECK(calls == after + 1);
    }
    // Cancelled at each call in turn, until there are no more.
    bool cancelled = true;
    for (int after = 0; cancelled; ++after) {
      cancelled = false;
      int calls = 0;
      const ProgressReport progress = [&](const char*, double) {
        if (calls++ == after) throw Enough();
      };
      try {
        (void)build_index(text_of_records(records),
                          {.device = "cpu", .threads = threads, .progress = progress});
      } catch (const Enough&) {
        cancelled = true;
      }
      REQUIRE(after < 100'000);
    }
  }
}

TEST_CASE("public: text in memory is checked as a file's is") {
  CHECK_THROWS_AS(make_text(std::vector<Sequence>{}), InputError);
  CHECK_THROWS_AS(make_text(std::vector<Sequence>{{"a b", "ACGT"}}), InputError);
  CHECK_THROWS_AS(make_text(std::vector<Sequence>{{"a", "ACGT", "line\nend"}}), InputError);
  CHECK_THROWS_AS(make_text(std::vector<Sequence>{{"a", "NNNN"}}), InputError);
  CHECK(make_text(std::vector<Sequence>{{"p", "MKVLAAGIVPLLWERTYPSDFGHK"}}).alphabet.policy() ==
        SymbolPolicy::protein);
  ReadTextOptions error;
  error.text.ambiguous = AmbiguousPolicy::error;
  CHECK_THROWS_AS(make_text(std::vector<Sequence>{{"a", "ACGTN"}}, error), InputError);
}

TEST_CASE("public: an index is refused or found wrong as it is opened, or by check_content") {
  Random random(907);
  const TemporaryFolder folder;
  build_index(text_of_records({random_string(random, 20'000, "ACGT")})).save(folder / "g.gsx");
  CHECK_THROWS_AS(Index::open(folder / "none.gsx", Load::read, 1), ForeignIndexError);
  CHECK_THROWS_AS(Index::open(std::string(folder.path()), Load::read, 1), ForeignIndexError);
  std::string bytes = folder.read("g.gsx");
  bytes[bytes.size() - 100] = static_cast<char>(bytes[bytes.size() - 100] ^ 1);  // of the samples
  folder.write("bad.gsx", bytes);
  for (const Load load : {Load::map, Load::read})
    CHECK_THROWS_AS(Index::open(folder / "bad.gsx", load, 1), CorruptIndexError);
  const Index lazy = Index::open(folder / "bad.gsx", Load::lazy, 1);
  CHECK_THROWS_AS(lazy.check_content(2), CorruptIndexError);
  CHECK_THROWS_AS(build_index(text_of_records({"ACGT"}), {.sample_rate = 0}), UsageError);
  CHECK_THROWS_AS(build_index(text_of_records({"ACGT"}), {.device = "gpu7"}), UsageError);
}
