// Searching with mismatches through the public headers: what a scan of the records finds, in an
// index and in a text, and what is refused.
#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "gsx/error.hpp"
#include "gsx/search.hpp"
#include "support/iupac.hpp"
#include "support/scan.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Whether a letter of a pattern matches a base.
bool matches(char letter, char base, bool iupac) {
  return iupac ? stands_for(letter, base) : letter == base;
}

/// Every place of a pattern, by comparing all of them.
std::vector<Occurrence> places_of(const std::vector<std::string>& records,
                                  const std::string& pattern, const MismatchOptions& options) {
  std::vector<Occurrence> found;
  for (std::uint64_t r = 0; r < records.size(); ++r) {
    for (std::uint64_t p = 0; p + pattern.size() <= records[r].size(); ++p) {
      const std::string place = records[r].substr(p, pattern.size());
      if (place.find('N') != std::string::npos) continue;
      for (const bool reverse : {false, true}) {
        if (options.strands != Strands::both && (options.strands == Strands::reverse) != reverse)
          continue;
        std::uint32_t mismatches = 0;
        for (std::size_t i = 0; i < pattern.size(); ++i) {
          const char base = reverse ? complement_of_base(place[pattern.size() - 1 - i]) : place[i];
          mismatches += matches(pattern[i], base, options.iupac) ? 0 : 1;
        }
        if (mismatches <= options.mismatches)
          found.push_back({r, p, p + pattern.size(), reverse, mismatches});
      }
    }
  }
  return found;
}

/// Those that max_hits keeps.
std::vector<Occurrence> fewest(std::vector<Occurrence> places, std::uint64_t most) {
  std::stable_sort(places.begin(), places.end(), [](const Occurrence& a, const Occurrence& b) {
    return a.mismatches < b.mismatches;
  });
  if (places.size() > most)
    places.erase(places.begin() + static_cast<std::ptrdiff_t>(most), places.end());
  std::sort(places.begin(), places.end());
  return places;
}

std::vector<StrandCounts> counts_of(const std::vector<Occurrence>& places, std::uint32_t most) {
  std::vector<StrandCounts> counts(most + 1);
  for (const Occurrence& place : places)
    ++(place.reverse ? counts[place.mismatches].reverse : counts[place.mismatches].forward);
  return counts;
}

bool same(const std::vector<StrandCounts>& a, const std::vector<StrandCounts>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const StrandCounts& x, const StrandCounts& y) {
                      return x.forward == y.forward && x.reverse == y.reverse;
                    });
}

/// Repetitive records with N, and patterns from them with changes.
struct Case {
  std::vector<std::string> records;
  std::vector<std::string> patterns;

  Case(std::uint64_t seed, std::size_t count, std::string_view changes) {
    Random random(seed);
    records = {random_string(random, 3000, "ACGT"), mutated_copies(random, 100, 15, 10, "ACGT"),
               "ACGT"};
    records[0][1000] = 'N';
    records[1].replace(300, 20, 20, 'N');
    while (patterns.size() < count) {
      const std::string& record = records[below(random, 2)];
      const std::uint64_t length = 10 + below(random, patterns.size() % 4 == 0 ? 90 : 15);
      std::string pattern = record.substr(below(random, record.size() - length), length);
      if (pattern.find('N') != std::string::npos) continue;
      for (std::uint64_t i = below(random, 4); i > 0; --i)
        pattern[below(random, length)] = changes[below(random, changes.size())];
      patterns.push_back(pattern);
    }
  }
  std::vector<std::string_view> views() const { return {patterns.begin(), patterns.end()}; }
};

/// What a searcher gives for all patterns, by pattern.
template <class Searched>
std::vector<std::vector<Occurrence>> located(const MismatchBatchSearcher& searcher,
                                             const Searched& searched, const Case& asked,
                                             const MismatchOptions& options) {
  std::vector<std::vector<Occurrence>> found(asked.patterns.size());
  std::size_t next = 0;
  const std::vector<std::string_view> patterns = asked.views();
  searcher.locate(patterns, options, [&](const HitChunk& chunk) {
    REQUIRE(chunk.first + (chunk.before > 0 ? 1 : 0) == next);
    std::size_t hit = 0;
    for (std::size_t i = 0; i < chunk.patterns(); ++i) {
      for (; hit < chunk.ends[i]; ++hit)
        found[chunk.first + i].push_back(
            occurrence_of(searched, chunk.hits[hit], patterns[chunk.first + i].size()));
    }
    next = chunk.first + chunk.patterns();
  });
  CHECK(next == patterns.size());
  return found;
}

template <class Work>
void check_usage(const Work& work, const std::string& said) {
  try {
    work();
    FAIL("nothing was thrown");
  } catch (const UsageError& error) {
    CAPTURE(std::string(error.what()));
    CHECK(std::string(error.what()).find(said) != std::string::npos);
  }
}

}  // namespace

TEST_CASE(
    "public: one pattern with mismatches has the places that a scan finds, in index and text") {
  for (const bool iupac : {false, true}) {
    const Case asked(911 + (iupac ? 1 : 0), 30, iupac ? "ACGTRYSWKMBDHVN" : "ACGTN");
    const Text text = text_of_records(asked.records);
    const Index index = build_index(text_of_records(asked.records), {.device = "cpu"});
    for (const std::string& pattern : asked.patterns) {
      CAPTURE(pattern);
      for (const std::uint32_t k : {0u, 1u, 3u}) {
        for (const Strands strands : {Strands::both, Strands::forward, Strands::reverse}) {
          MismatchOptions options{.mismatches = k, .iupac = iupac, .strands = strands};
          const std::vector<Occurrence> places = places_of(asked.records, pattern, options);
          CHECK(same(count_with_mismatches(index, pattern, options), counts_of(places, k)));
          CHECK(same(count_with_mismatches(text, pattern, options), counts_of(places, k)));
          CHECK(locate_with_mismatches(index, pattern, options) == places);
          CHECK(locate_with_mismatches(text, pattern, options) == places);
          options.max_hits = 2;
          CHECK(locate_with_mismatches(index, pattern, options) == fewest(places, 2));
          CHECK(locate_with_mismatches(text, pattern, options) == fewest(places, 2));
        }
      }
    }
  }
}

TEST_CASE("public: a batch with mismatches is answered in order, by any number of threads") {
  const Case asked(913, 700, "ACGTN");
  const Text text = text_of_records(asked.records);
  const Index index = build_index(text_of_records(asked.records), {.device = "cpu"});
  const MismatchOptions all{.mismatches = 2}, some{.mismatches = 2, .max_hits = 1};
  std::vector<std::vector<Occurrence>> places, kept;
  for (const std::string& pattern : asked.patterns) {
    places.push_back(places_of(asked.records, pattern, all));
    kept.push_back(fewest(places.back(), 1));
  }
  const auto check = [&](const MismatchBatchSearcher& searcher, const auto& searched) {
    CHECK(searcher.device() == "cpu");
    std::vector<StrandCounts> expected;
    for (const std::vector<Occurrence>& found : places) {
      const std::vector<StrandCounts> row = counts_of(found, 2);
      expected.insert(expected.end(), row.begin(), row.end());
    }
    CHECK(same(searcher.count(asked.views(), all), expected));
    CHECK(located(searcher, searched, asked, all) == places);
    CHECK(located(searcher, searched, asked, some) == kept);
  };
  for (const int threads : {1, 2, 5}) {
    for (const std::uint64_t at_once : {std::uint64_t{1000}, std::uint64_t{1} << 22}) {
      CAPTURE(threads);
      CAPTURE(at_once);
      const SearchOptions options{
          .device = "cpu", .threads = threads, .memory = {.hits_at_once = at_once}};
      check(MismatchBatchSearcher(index, options), index);
      check(MismatchBatchSearcher(text, options), text);
    }
  }
}

TEST_CASE("public: several threads may call one searcher with mismatches at once") {
  const Case first(914, 400, "ACGT");
  const Index index = build_index(text_of_records(first.records), {.device = "cpu"});
  const MismatchOptions options{.mismatches = 1};
  std::vector<std::vector<Occurrence>> places;
  for (const std::string& pattern : first.patterns)
    places.push_back(places_of(first.records, pattern, options));
  const MismatchBatchSearcher searcher(index, {.device = "cpu", .threads = 2});
  std::atomic<int> right{0}, thrown{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 3; ++caller) {
    callers.emplace_back([&] {
      struct Enough {};
      right += located(searcher, index, first, options) == places ? 1 : 0;
      try {
        searcher.locate(first.views(), options, [](const HitChunk&) { throw Enough(); });
      } catch (const Enough&) {
        ++thrown;
      }
    });
  }
  for (std::thread& caller : callers)
    caller.join();
  CHECK(right == 3);
  CHECK(thrown == 3);
}

TEST_CASE("public: a search with mismatches refuses what cannot be asked") {
  const Text text = text_of_records({"ACGTACGTTTGACCA"});
  const Index index = build_index(text_of_records({"ACGTACGTTTGACCA"}), {.device = "cpu"});
  check_usage([&] { count_with_mismatches(text, "ACGTACGT", {.mismatches = 256}); },
              "mismatches is 256, and must be at most 255");
  check_usage([&] { locate_with_mismatches(index, "ACG", {.mismatches = 3}); },
              "pattern 'ACG': it is not longer than the 3 mismatches");
  check_usage([&] { locate_with_mismatches(index, "AC-T", {.mismatches = 1}); }, "it holds '-'");
  check_usage([&] { count_with_mismatches(text, "ACJT", {.iupac = true}); }, "it holds 'J'");
  check_usage([&] { count_with_mismatches(text, "NNN", {.iupac = true}); },
              "it stands for any sequence");
  CHECK(locate_with_mismatches(index, "", {.mismatches = 2}).empty());
  CHECK(same(count_with_mismatches(text, "", {.mismatches = 1}), {{0, 0}, {0, 0}}));

  const MismatchBatchSearcher searcher(text, {.device = "cpu"});
  const std::vector<std::string_view> patterns = {"ACG", "AC-TAC", "", "TTGACC"};
  CHECK(why_not_asked("ACG", {.mismatches = 3}).has_value());
  CHECK_FALSE(why_not_asked("ACGT", {.mismatches = 3}).has_value());
  CHECK_FALSE(why_not_asked("", {.mismatches = 3}).has_value());
  const std::vector<StrandCounts> counts = searcher.count(patterns, {.mismatches = 3});
  REQUIRE(counts.size() == 4 * 4);
  for (std::size_t i = 0; i < 3 * 4; ++i)
    CHECK(counts[i].total() == 0);
  CHECK(counts[3 * 4].forward == 1);
  CHECK(searcher.count({}, {.mismatches = 3}).empty());
  check_usage([&] { searcher.count(patterns, {.mismatches = 300}); }, "mismatches is 300");
  check_usage([&] { searcher.locate(patterns, {}, {}); }, "sink is empty");

  const std::vector<Sequence> protein = {{"p", "MKVLAEWQ"}};
  const Text amino = make_text(protein, {.text = {.alphabet = SymbolPolicy::protein}});
  const Index amino_index = build_index(make_text(protein), {.device = "cpu"});
  check_usage([&] { count_with_mismatches(amino, "MKV", {}); }, "the text is of protein");
  check_usage([&] { locate_with_mismatches(amino_index, "MKV", {}); }, "the index is of protein");
  check_usage([&] { MismatchBatchSearcher searching(amino_index); }, "the index is of protein");
  check_usage([&] { MismatchBatchSearcher searching(amino); }, "the text is of protein");
  CHECK_THROWS_AS(MismatchBatchSearcher(text, {.device = "cuda:99"}), DeviceError);
}
