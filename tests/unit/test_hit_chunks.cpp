// Hits in chunks: what a searcher gives, however few hits it may hold, and how it continues after a
// failure.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "device/fallback.hpp"
#include "device/registry.hpp"
#include "run/patterns.hpp"
#include "search/exact/hit_chunks.hpp"
#include "support/open_index.hpp"
#include "support/texts.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::string reverse_complement(std::string pattern) {
  std::reverse(pattern.begin(), pattern.end());
  for (char& c : pattern)
    c = c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : c == 'T' ? 'A' : c;
  return pattern;
}

/// All hits of a pattern, by comparing it with the text at every position.
std::vector<Hit> scan(const Text& text, const std::string& pattern, bool forward, bool reverse) {
  const TextView view = text.view();
  std::vector<Hit> hits;
  if (pattern.empty()) return hits;
  for (std::uint64_t segment = 0; segment < view.segments.count; ++segment) {
    const std::uint64_t begin = view.segments.starts[segment];
    std::string symbols;
    for (std::uint64_t p = begin; p + 1 < view.segments.starts[segment + 1]; ++p)
      symbols += text.alphabet.symbol(view.symbols[p]);
    for (const bool strand : {false, true}) {
      if (!(strand ? reverse : forward)) continue;
      const std::string wanted = strand ? reverse_complement(pattern) : pattern;
      for (auto at = symbols.find(wanted); at != std::string::npos;
           at = symbols.find(wanted, at + 1))
        hits.emplace_back(begin + at, strand);
    }
  }
  std::sort(hits.begin(), hits.end());
  return hits;
}

/// Takes chunks and checks that they keep their promises.
class Collector {
 public:
  Collector(std::size_t patterns, std::uint64_t max_hits, std::uint64_t most)
      : hits_(patterns), counts_(patterns), max_hits_(max_hits), most_(most) {}

  void take(const HitChunk& chunk) {
    REQUIRE(chunk.patterns() > 0);
    REQUIRE(chunk.ends.size() == chunk.patterns());
    REQUIRE(chunk.hits.size() == chunk.ends.back());
    REQUIRE(chunk.hits.size() <= most_ + 1);
    REQUIRE(chunk.max_hits == max_hits_);
    REQUIRE(chunk.first == next_);
    REQUIRE(chunk.before == (next_ < hits_.size() ? hits_[next_].size() : 0));
    std::uint64_t begin = 0;
    for (std::size_t i = 0; i < chunk.patterns(); ++i) {
      const std::size_t pattern = chunk.first + i;
      REQUIRE(pattern < hits_.size());
      counts_[pattern] = chunk.counts[i];
      if (chunk.reported(i) > 0) REQUIRE(chunk.ends[i] > begin);
      for (; begin < chunk.ends[i]; ++begin)
        hits_[pattern].push_back(chunk.hits[begin]);
      const bool complete = hits_[pattern].size() == chunk.reported(i);
      if (i + 1 < chunk.patterns()) REQUIRE(complete);
      next_ = pattern + (complete ? 1 : 0);
    }
    ++chunks_;
  }
  bool complete() const { return next_ == hits_.size(); }
  const std::vector<Hit>& hits(std::size_t pattern) const { return hits_[pattern]; }
  const StrandCounts& counts(std::size_t pattern) const { return counts_[pattern]; }
  std::size_t chunks() const { return chunks_; }

 private:
  std::vector<std::vector<Hit>> hits_;
  std::vector<StrandCounts> counts_;
  std::uint64_t max_hits_;
  std::uint64_t most_;
  std::size_t next_ = 0;
  std::size_t chunks_ = 0;
};

PatternBuffer encoded(const std::vector<std::string>& patterns, const Alphabet& alphabet) {
  RecordBatch batch;
  for (const std::string& pattern : patterns) {
    batch.begin_record("q", "");
    batch.append(pattern);
  }
  PatternBuffer buffer;
  buffer.encode(batch, alphabet);
  return buffer;
}

void check_text(const Text& text, const std::vector<std::string>& patterns,
                std::uint32_t rate = 16) {
  const OpenIndex index(text, rate);
  const bool complements = text.alphabet.has_reverse_complement();
  const PatternBuffer buffer = encoded(patterns, text.alphabet);
  const auto usual = make_cpu_backend()->open<ExactSearch>({*index, 1});
  const std::vector<std::uint64_t> bounds = {1, 2, 7, 100, 5000, 1 << 22};
  for (const Strands strands : {Strands::both, Strands::forward, Strands::reverse}) {
    const bool forward = strands != Strands::reverse;
    const bool reverse = complements && strands != Strands::forward;
    for (const std::uint64_t max_hits :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{60}, std::uint64_t{700}, unlimited}) {
      Hits all;
      usual->locate(buffer.patterns(), strands, max_hits, all);
      for (const std::uint64_t most : thinned(bounds)) {
        CAPTURE(max_hits);
        CAPTURE(most);
        const auto searcher =
            make_cpu_backend()->open<ExactSearch>({*index, 1, {.hits_at_once = most}});
        Collector found(patterns.size(), max_hits, most);
        searcher->stream(buffer.patterns(), {strands, max_hits},
                         [&](const HitChunk& chunk) { found.take(chunk); });
        REQUIRE(found.complete());
        std::uint64_t begin = 0;
        for (std::size_t i = 0; i < patterns.size(); ++i) {
          CAPTURE(patterns[i]);
          const std::vector<Hit> expected = scan(text, patterns[i], forward, reverse);
          REQUIRE(found.counts(i).total() == expected.size());
          // Which hits are first in suffix order must not depend on how many are held.
          const std::vector<Hit> same(
              all.hits.begin() + static_cast<std::ptrdiff_t>(begin),
              all.hits.begin() + static_cast<std::ptrdiff_t>(all.hit_ends[i]));
          begin = all.hit_ends[i];
          REQUIRE((found.hits(i) == same));
          if (max_hits >= expected.size()) REQUIRE((same == expected));
        }
      }
    }
  }
}

/// Gives some chunks, or hits of one, and then fails.
class FailingSearcher final : public Searcher {
 public:
  FailingSearcher(std::unique_ptr<Searcher> real, std::size_t chunks)
      : real_(std::move(real)), chunks_(chunks) {}
  void count(const Patterns&, Strands, std::vector<StrandCounts>&) const override {}
  void stream(const Patterns& patterns, const LocateRequest& request,
              const HitSink& sink) const override {
    std::size_t given = 0;
    real_->stream(patterns, request, [&](const HitChunk& chunk) {
      if (given++ == chunks_) throw DeviceError("the device is gone");
      sink(chunk);
    });
    throw ResourceError("no memory at the end");
  }

 private:
  std::unique_ptr<Searcher> real_;
  std::size_t chunks_;
};

/// A back end that opens only such searchers.
class FailingBackend final : public Backend {
 public:
  FailingBackend(std::uint64_t most, std::size_t chunks) {
    searches().set<ExactSearch>([this, most, chunks](const ExactSearch::Setup& setup) {
      return std::make_unique<FailingSearcher>(
          real_->open<ExactSearch>({setup.index, setup.threads, {.hits_at_once = most}}), chunks);
    });
  }
  std::string name() const override { return "failing"; }
  BuildPlan plan(const TextView&, BuildTarget, const BuildOptions&) override { return {}; }
  void build_rows(const TextView& text, const BuildOptions& options,
                  const TakeRows& take) override {
    real_->build_rows(text, options, take);
  }
  void build_codes(const TextView& text, const BuildOptions& options,
                   const TakeCodes& take) override {
    real_->build_codes(text, options, take);
  }
  FmIndex build_index(const TextView& text, const BuildOptions& options) override {
    return real_->build_index(text, options);
  }

 private:
  std::unique_ptr<Backend> real_ = make_cpu_backend();
};

}  // namespace

TEST_CASE("hits come in order, in chunks of a bounded size, whatever the bound") {
  Random random(91);
  const std::vector<std::string> patterns = {"A",   "",     "AC",  "ACGT", "T",
                                             "NNN", "AAAA", "GAT", "G",    "AAAAAAAAAAAA"};
  SUBCASE("random bases in several records") {
    check_text(make_text({random_string(random, 3000, "ACGT"), "ACGNNTA", "A",
                          random_string(random, 2000, "AT")}),
               patterns);
  }
  SUBCASE("one base") {
    check_text(make_text({std::string(1500, 'A'), std::string(800, 'T')}),
               {"A", "AAA", std::string(100, 'A'), std::string(1400, 'T'), "C"}, 3);
  }
  SUBCASE("very many records") {
    std::vector<std::string> records;
    for (int i = 0; i < 1200; ++i)
      records.push_back(random_string(random, below(random, 6), "ACGT"));
    check_text(make_text(records), patterns);
  }
}

TEST_CASE("hits in chunks on other alphabets") {
  Random random(92);
  const std::string letters = "ACDEFGHIKLMNPQRSTVWY";
  check_text(make_text({random_string(random, 3000, "AC"), random_string(random, 900, letters)},
                       SymbolPolicy::protein),
             {"A", "CAC", "W", "ACACACACACACACA"});
  check_text(make_text({fibonacci_word(3000, 'a', 'b')}, SymbolPolicy::bytes),
             {"a", "b", "ab", "abaababa", fibonacci_word(300, 'a', 'b')});
}

TEST_CASE("a pattern that occurs nearly everywhere is found by reading the text") {
  Random random(93);
  const Text text = make_text({random_string(random, 60'000, "ACGT")});
  const OpenIndex index(text);
  const std::vector<std::string> patterns = {"A", "GA", "CCC", "T"};
  const PatternBuffer buffer = encoded(patterns, text.alphabet);
  Collector found(patterns.size(), unlimited, 1 << 16);
  make_cpu_backend()
      ->open<ExactSearch>({*index, 1})
      ->stream(buffer.patterns(), {}, [&](const HitChunk& chunk) { found.take(chunk); });
  REQUIRE(found.complete());
  for (std::size_t i = 0; i < patterns.size(); ++i)
    CHECK((found.hits(i) == scan(text, patterns[i], true, true)));
}

TEST_CASE("after a failure in the middle of a batch no hit is given twice, none is lost") {
  Random random(94);
  const Text text = make_text({random_string(random, 900, "ACGT"), std::string(300, 'A')});
  const OpenIndex index(text);
  const std::vector<std::string> patterns = {"A", "", "ACG", "T", "CCCCCCCCCC", "GA", "AAA"};
  const PatternBuffer buffer = encoded(patterns, text.alphabet);
  for (const std::uint64_t most : {3u, 40u, 1u << 20}) {
    for (std::size_t chunks = 0; chunks < 60; chunks += chunks < 12 ? 1 : 7) {
      CAPTURE(most);
      CAPTURE(chunks);
      const auto either =
          make_fallback_backend(std::make_unique<FailingBackend>(most, chunks), make_cpu_backend());
      const auto searcher = either->open<ExactSearch>({*index, 1});
      CHECK(either->name() == "failing");
      Collector found(patterns.size(), unlimited, 1 << 20);
      searcher->stream(buffer.patterns(), {}, [&](const HitChunk& chunk) { found.take(chunk); });
      REQUIRE(found.complete());
      for (std::size_t i = 0; i < patterns.size(); ++i)
        REQUIRE((found.hits(i) == scan(text, patterns[i], true, true)));
      CHECK(either->name() == "failing, then cpu");
    }
  }
}

TEST_CASE("a sink that fails ends the search; the other device is not tried") {
  const Text text = make_text({"ACGTACGTAAAA"});
  const OpenIndex index(text);
  const PatternBuffer buffer = encoded({"A", "C"}, text.alphabet);
  const auto either =
      make_fallback_backend(std::make_unique<FailingBackend>(2, 1000), make_cpu_backend());
  const auto searcher = either->open<ExactSearch>({*index, 1});
  int calls = 0;
  CHECK_THROWS_AS(searcher->stream(buffer.patterns(), {},
                                   [&](const HitChunk&) {
                                     ++calls;
                                     throw ResourceError("the disk is full");
                                   }),
                  ResourceError);
  CHECK(calls == 1);
  CHECK(either->name() == "failing");
}

TEST_CASE("hits that are fetched from elsewhere are cut into pieces") {
  std::vector<Hit> all;
  std::vector<std::uint64_t> ends;
  std::vector<StrandCounts> counts;
  for (const std::uint64_t count : {0u, 3u, 0u, 0u, 10u, 1u, 0u, 7u, 0u}) {
    for (std::uint64_t k = 0; k < count; ++k)
      all.emplace_back(all.size() * 3, false);
    ends.push_back(all.size());
    counts.push_back({count, 0});
  }
  for (std::uint64_t most = 1; most < 25; ++most) {
    CAPTURE(most);
    Collector found(counts.size(), unlimited, most);
    give_in_pieces(
        {0, 0, unlimited, counts, ends, {}}, most,
        [&](std::uint64_t begin, std::uint64_t count) {
          return std::span<const Hit>(all).subspan(begin, count);
        },
        [&](const HitChunk& chunk) {
          CHECK(chunk.hits.size() <= most);
          found.take(chunk);
        });
    CHECK(found.complete());
    for (std::size_t i = 0; i < counts.size(); ++i)
      CHECK(found.hits(i).size() == counts[i].forward);
    CHECK(found.hits(7).back() == all.back());
  }
}
