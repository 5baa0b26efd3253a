// LZ77 phrases against a comparison of every pair of positions.
#include <doctest/doctest.h>
#include <malloc.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/resources.hpp"
#include "gsx/error.hpp"
#include "support/lz77_cases.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

void check_records(const std::vector<std::string>& records,
                   SymbolPolicy policy = SymbolPolicy::dna) {
  CAPTURE(records.size());
  CAPTURE(records[0].substr(0, 60));
  const Text text = make_text(records, policy);
  for (const bool across_records : {false, true}) {
    CAPTURE(across_records);
    const RecordParses expected = naive_parses(records, policy, across_records);
    for (const int threads : {1, 3})
      CHECK(parses_of(text, across_records, threads) == expected);
    CHECK(parses_of(text, across_records, 2, PositionWidth::wide) == expected);
  }
}

/// Seconds of CPU time that the parse of one record takes, per symbol.
double cost_of(const std::string& record) {
  const Text text = make_text({record});
  const double before = cpu_seconds();
  const RecordParses parses = parses_of(text, false, 1);
  const double seconds = cpu_seconds() - before;
  std::uint64_t length = 0;
  for (const PlainPhrase& phrase : parses[0])
    length += phrase.length;
  CHECK(length == record.size());
  return seconds / static_cast<double>(record.size());
}

}  // namespace

TEST_CASE("lz77: the phrases of a text that a reader can check") {
  using Kind = RecordPhrase::Kind;
  const Text text = make_text({"ACACACGNNACGT", "GAC"});
  const std::vector<PlainPhrase> first = {
      {Kind::literal, 'A', 0, 1, 0, 0}, {Kind::literal, 'C', 1, 1, 0, 0},
      {Kind::copy, 0, 2, 4, 0, 0},      {Kind::literal, 'G', 6, 1, 0, 0},
      {Kind::outside, 'N', 7, 2, 0, 0}, {Kind::copy, 0, 9, 3, 0, 4},
      {Kind::literal, 'T', 12, 1, 0, 0}};
  const std::vector<PlainPhrase> alone = {{Kind::literal, 'G', 0, 1, 0, 0},
                                          {Kind::literal, 'A', 1, 1, 0, 0},
                                          {Kind::literal, 'C', 2, 1, 0, 0}};
  CHECK(parses_of(text, false, 1) == RecordParses{first, alone});
  const std::vector<PlainPhrase> after = {{Kind::copy, 0, 0, 1, 0, 6}, {Kind::copy, 0, 1, 2, 0, 0}};
  CHECK(parses_of(text, true, 1) == RecordParses{first, after});
}

TEST_CASE("lz77: adversarial collections") {
  for (const auto& records : thinned(adversarial_collections(61)))
    check_records(records);
}

TEST_CASE("lz77: proteins and bytes") {
  Random random(62);
  const std::string letters = "ACDEFGHIKLMNPQRSTVWY", all = every_symbol();
  check_records({mutated_copies(random, 50, 6, 20, letters), "M", "",
                 random_string(random, 200, "LK"), std::string(100, 'Q')},
                SymbolPolicy::protein);
  check_records({mutated_copies(random, 80, 6, 30, all), random_string(random, 200, all)},
                SymbolPolicy::bytes);
  check_records({fibonacci_word(900, '!', '~'), thue_morse_word(900, 'a', 'b')},
                SymbolPolicy::bytes);
}

TEST_CASE("lz77: sources move to the first occurrence along long chains") {
  // Words in ascending order: the candidate of each is the word before.
  std::string ascending, descending;
  const std::string unit = "GATTACAGATTTACCA";
  for (int i = 0; i < 60; ++i) {
    std::string number(4, 'A');
    for (int digit = 0, rest = i; digit < 4; ++digit, rest /= 4)
      number[static_cast<std::size_t>(3 - digit)] = "ACGT"[rest % 4];
    ascending += unit + number + 'N';
    descending.insert(0, unit + number + 'N');
  }
  check_records({ascending, descending});
}

TEST_CASE("lz77: soft-masked bases that stay out of the text are runs of symbols") {
  using Kind = RecordPhrase::Kind;
  const Text text = make_text({"ACaaccNAC"}, SymbolPolicy::dna, SoftMaskPolicy::split);
  const std::vector<PlainPhrase> expected = {
      {Kind::literal, 'A', 0, 1, 0, 0}, {Kind::literal, 'C', 1, 1, 0, 0},
      {Kind::outside, 'A', 2, 2, 0, 0}, {Kind::outside, 'C', 4, 2, 0, 0},
      {Kind::outside, 'N', 6, 1, 0, 0}, {Kind::copy, 0, 7, 2, 0, 0}};
  CHECK(parses_of(text, false, 1) == RecordParses{expected});
}

TEST_CASE(
    "lz77: records beyond a part, on any number of threads, have the phrases they have alone") {
  Random random(63);
  std::vector<std::string> records;
  for (const std::uint64_t length : {100'000, 200'000, 300'000, 5, 0, 280'000, 7'000})
    records.push_back(mutated_copies(random, 1 + length / 7, 7, 50, "ACGT").substr(0, length));
  records.insert(records.begin() + 2, "NNN");
  const Text text = make_text(records);
  const RecordParses together = parses_of(text, false, 2);
  CHECK(parses_of(text, false, 1) == together);
  CHECK(parses_of(text, false, 5) == together);
  CHECK(parses_of(text, true, 1) == parses_of(text, true, 5));
  REQUIRE(together.size() == records.size());
  for (std::size_t r = 0; r < records.size(); ++r) {
    if (records[r].find_first_of("ACGT") == std::string::npos) continue;
    std::vector<PlainPhrase> alone = parses_of(make_text({records[r]}), false, 1)[0];
    for (PlainPhrase& phrase : alone)
      phrase.source_record = phrase.kind == RecordPhrase::Kind::copy ? r : 0;
    CHECK(alone == together[r]);
  }
}

TEST_CASE("lz77: repetitive texts take no longer than random ones") {
  GSX_SKIP_IF(thinned(), "sanitizers slow some code more than other code");
  Random random(64);
  constexpr std::uint64_t n = 1'000'000;
  const double usual = cost_of(random_string(random, n, "ACGT"));
  std::string sorted;
  std::vector<std::string> words(n / 25);
  for (std::string& word : words)
    word = "GATTACA" + random_string(random, 17, "ACGT") + 'N';
  std::ranges::sort(words);
  for (const std::string& word : words)
    sorted += word;
  for (const std::string& record :
       {std::string(n, 'A'), fibonacci_word(n), mutated_copies(random, n / 1000, 1000, n, "ACGT"),
        mutated_copies(random, n / 1000, 1000, 50, "ACGT"), sorted}) {
    CAPTURE(record.substr(0, 40));
    CHECK(cost_of(record) < 10 * usual);
  }
}

TEST_CASE("lz77: a parse that does not fit the memory limit is refused") {
  Random random(65);
  const Text text = make_text({random_string(random, 1'000'000, "ACGT")});
  Lz77Options options;
  options.build.memory = HostMemory::below(resident_bytes() + 4'000'000);
  const RecordSource source{text.view(), text.records_view(), &text.alphabet};
  CHECK_THROWS_AS(factorize(source, *make_cpu_backend(), options, [](const RecordPhrases&) {}),
                  ResourceError);
}

TEST_CASE("lz77: a run of one letter is refused where what waits for a neighbour has no room") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  constexpr std::uint64_t n = 4'000'000;
  const Text text = make_text({std::string(n, 'A')});
  const RecordSource source{text.view(), text.records_view(), &text.alphabet};
  const auto parse = [&](std::uint64_t bytes_per_symbol) {
    malloc_trim(0);  // what tests before this one have freed must not count as room
    Lz77Options options;
    options.build.threads = 2;
    options.build.memory = HostMemory::below(resident_bytes() + bytes_per_symbol * n);
    factorize(source, *make_cpu_backend(), options, [](const RecordPhrases&) {});
  };
  CHECK_THROWS_AS(parse(18), ResourceError);
  CHECK_NOTHROW(parse(30));
}

TEST_CASE("a device that is no CPU sorts small records, too") {
  class Counting final : public Backend {
   public:
    std::string name() const override { return "counting"; }
    BuildPlan plan(const TextView& text, BuildTarget target, const BuildOptions& build) override {
      return cpu_->plan(text, target, build);
    }
    void build_rows(const TextView& text, const BuildOptions& build,
                    const TakeRows& take) override {
      symbols += text.length();
      cpu_->build_rows(text, build, take);
    }
    void build_codes(const TextView&, const BuildOptions&, const TakeCodes&) override { fail(); }
    FmIndex build_index(const TextView&, const BuildOptions&) override { fail(); }
    std::uint64_t symbols = 0;

   private:
    [[noreturn]] static void fail() { throw ResourceError("it only sorts"); }
    std::unique_ptr<Backend> cpu_ = make_cpu_backend();
  };
  const std::vector<std::string> records = {"ACGTACGTAAAA", "", "ACGNNACGT", "TTTTT"};
  const Text text = make_text(records, SymbolPolicy::dna);
  Counting backend;
  Lz77Options options;
  options.build.threads = 2;
  RecordParses parses;
  factorize({text.view(), text.records_view(), &text.alphabet}, backend, options,
            [&](const RecordPhrases& phrases) { parses.push_back(plain_phrases(phrases)); });
  CHECK(parses == naive_parses(records, SymbolPolicy::dna, false));
  CHECK(backend.symbols == text.length());
}
