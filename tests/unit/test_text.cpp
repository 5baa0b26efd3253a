// The text model: segments, gaps, classes, coordinates, and extracting records.
#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.hpp"
#include "support/texts.hpp"
#include "text/extract.hpp"
#include "text/record_checks.hpp"
#include "text/text_builder.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::string whole_record(const Text& text, std::uint64_t record) {
  std::string out;
  extract(text.view(), text.records_view(), text.alphabet, record, 0, text.records[record].length,
          out);
  return out;
}

/// The text with '$' for separators.
std::string spelled(const Text& text) {
  std::string out;
  for (std::uint64_t p = 0; p < text.length(); ++p) {
    out += text.segments.view().separator_from(p) == p
               ? '$'
               : text.alphabet.symbol(text.symbols.view()[p]);
  }
  return out;
}

std::string upper(std::string text) {
  for (char& c : text)
    c = to_upper(c);
  return text;
}

/// What a DNA text must give back.
std::string as_dna(std::string text) {
  text = upper(text);
  std::replace(text.begin(), text.end(), 'U', 'T');
  return text;
}

}  // namespace

TEST_CASE("segments end at records and at everything that is not A C G T") {
  const Text text = make_text({"ACGTNNAC", "", "nnn", "RacgU-T"});
  CHECK(spelled(text) == "ACGT$AC$ACGT$T$");
  CHECK(text.segment_offsets == std::vector<std::uint64_t>{0, 6, 1, 6});
  CHECK(text.segment_records == std::vector<std::uint64_t>{0, 0, 3, 3});
  CHECK(text.counts.base == 11);
  CHECK(text.counts.n == 5);
  CHECK(text.counts.iupac == 1);
  CHECK(text.counts.gap == 1);
  CHECK(text.counts.lower_case == 6);
  CHECK(whole_record(text, 0) == "ACGTNNAC");
  CHECK(whole_record(text, 1).empty());
  CHECK(whole_record(text, 2) == "NNN");
  CHECK(whole_record(text, 3) == "RACGT-T");
}

TEST_CASE("soft-masked bases can be kept out of the text and extracted again") {
  const Text text =
      make_text({"ACacgtnGTuuA", "aaaa", "G"}, SymbolPolicy::dna, SoftMaskPolicy::split);
  CHECK(spelled(text) == "AC$GT$A$G$");
  CHECK(whole_record(text, 0) == "ACACGTNGTTTA");
  CHECK(whole_record(text, 1) == "AAAA");
  CHECK(text.literals.size() == 10);
}

TEST_CASE("every part of every record can be extracted, however batches cut it") {
  Random random(2);
  for (int round = 0; round < 60; ++round) {
    const std::string symbols = round % 2 == 0 ? "ACGTacgtNn" : "ACGTUacgtuNRYKMryx-*";
    std::vector<std::string> sequences(1 + below(random, 6));
    for (auto& s : sequences)
      s = random_string(random, below(random, 120), symbols) + "NN";
    sequences.push_back("ACGT");
    TextOptions options;
    options.soft_mask = round % 3 == 0 ? SoftMaskPolicy::split : SoftMaskPolicy::fold;
    TextBuilder builder(options);
    for (std::size_t r = 0; r < sequences.size(); ++r) {
      std::string rest = sequences[r];
      bool first = true;
      do {  // in pieces, as from a reader that splits records
        const std::size_t take = std::min<std::size_t>(rest.size(), 1 + below(random, 30));
        RecordBatch batch;
        batch.continues = !first;
        batch.begin_record("r", "");
        batch.append(rest.substr(0, take));
        builder.add(batch);
        rest.erase(0, take);
        first = false;
      } while (!rest.empty());
    }
    const Text text = builder.finish();
    for (std::size_t r = 0; r < sequences.size(); ++r) {
      const std::string expected = as_dna(sequences[r]);
      REQUIRE(whole_record(text, r) == expected);
      for (int part = 0; part < 10; ++part) {
        const std::uint64_t begin = below(random, expected.size() + 1);
        const std::uint64_t end = begin + below(random, expected.size() - begin + 1);
        std::string out;
        extract(text.view(), text.records_view(), text.alphabet, r, begin, end, out);
        REQUIRE(out == expected.substr(begin, end - begin));
      }
    }
  }
}

TEST_CASE("positions find their segments, and segments their separators") {
  Random random(4);
  std::vector<std::string> sequences;
  for (int i = 0; i < 300; ++i) {
    sequences.push_back(std::string(1 + below(random, i % 50 == 0 ? 5000 : 5), 'A'));
  }
  const Text text = make_text(sequences);
  const SegmentsView view = text.segments.view();
  std::uint64_t segment = 0;
  for (std::uint64_t p = 0; p < view.length(); ++p) {
    if (p >= view.starts[segment + 1]) ++segment;
    REQUIRE(view.segment_at(p) == segment);
    REQUIRE(view.separator_from(p) == view.starts[segment + 1] - 1);
    REQUIRE(view.starts_at(p) == (p == view.starts[segment]));
  }
}

TEST_CASE("protein folds case and refuses all but letters") {
  const Text text = make_text({"MkLv*", "ACDE"}, SymbolPolicy::protein);
  CHECK(spelled(text) == "MKLV*$ACDE$");
  CHECK(text.alphabet.symbols() == "*ACDEKLMV");
  CHECK_THROWS_AS(make_text({"MK1"}, SymbolPolicy::protein), InputError);
}

TEST_CASE("bytes keep everything") {
  const std::string odd = "aA \x01\xfe!$";
  const Text text = make_text({odd}, SymbolPolicy::bytes);
  CHECK(whole_record(text, 0) == odd);
}

TEST_CASE("input that cannot be indexed is refused with the record's name") {
  CHECK_THROWS_AS(make_text({"NNNN", ""}), InputError);
  CHECK_THROWS_AS(gsx::testing::make_text({}), InputError);
  CHECK_THROWS_WITH_AS(make_text({"ACGT", "MKLVFPQEILMKLVFP"}),
                       "record 2 ('r2'): 'L' is not a nucleotide code; 10 of 16 symbols are not: "
                       "the record looks like protein, not DNA; use --alphabet protein",
                       InputError);
  TextBuilder strict({SymbolPolicy::dna, AmbiguousPolicy::error, SoftMaskPolicy::fold});
  RecordBatch batch;
  batch.begin_record("x", "");
  batch.append("ACGNT");
  CHECK_THROWS_WITH_AS(strict.add(batch),
                       "record 1 ('x'): 'N' is not A, C, G or T; --ambiguous split keeps "
                       "it out of the text",
                       InputError);
}

TEST_CASE("the alphabet is guessed from the symbols") {
  CHECK(guess_alphabet("ACGTNNNacgt") == SymbolPolicy::dna);
  CHECK(guess_alphabet("NNNNNNNN") == SymbolPolicy::dna);
  CHECK(guess_alphabet("ACGURYKMACGUACGU") == SymbolPolicy::dna);
  CHECK(guess_alphabet("MKLVFPQEILDSTW*") == SymbolPolicy::protein);
  CHECK(guess_alphabet("AC1GT?") == SymbolPolicy::dna);
  CHECK(guess_alphabet("123") == SymbolPolicy::dna);
}

TEST_CASE("text: there is a limit to the symbols that stay out of it") {
  TextBuilder builder({}, nullptr);
  SymbolRuns runs;
  const auto add = [&](std::uint64_t symbols) {
    runs.runs.clear();
    for (; symbols > 0; symbols -= runs.runs.back().length)
      runs.runs.push_back(
          {static_cast<std::uint32_t>(std::min(symbols, std::uint64_t{1} << 31)), 'N', false});
    RecordBatch batch;
    batch.continues = true;
    builder.place(batch, runs);
  };
  RecordBatch first;
  first.begin_record("r", "");
  builder.add(first);
  add(most_unstored);
  CHECK_THROWS_WITH_AS(
      add(1), doctest::Contains("more than 1099511627776 symbols that are not A, C, G or T"),
      InputError);
}
