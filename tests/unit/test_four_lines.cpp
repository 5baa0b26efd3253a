// FASTQ records of four lines, which a block gives all at once, beside the parser that takes any
// bytes one by one: same records, same errors.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "records/fastq_parser.hpp"
#include "records/four_lines.hpp"
#include "run/patterns.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

struct Parsed {
  RecordBatch batch;
  std::vector<std::uint64_t> lines;  ///< line number of the first symbol of each record
  std::string failure, failed_name;
  std::uint64_t record = 0, line = 0;
};

/// Qualities of a record that fails come in whole blocks or not at all.
bool operator==(const Parsed& a, const Parsed& b) {
  return a.batch.symbols == b.batch.symbols && a.batch.symbol_ends == b.batch.symbol_ends &&
         a.batch.names == b.batch.names && a.batch.name_ends == b.batch.name_ends &&
         a.batch.comments == b.batch.comments && a.batch.comment_ends == b.batch.comment_ends &&
         (a.batch.qualities == b.batch.qualities || !a.failure.empty()) && a.lines == b.lines &&
         a.failure == b.failure && a.failed_name == b.failed_name && a.record == b.record &&
         a.line == b.line;
}

/// Parses the text in blocks that end at `cuts`, each in memory of exactly its size.
Parsed parse(std::string_view text, const std::vector<std::size_t>& cuts, CpuPath path,
             bool keep_qualities = true) {
  Parsed parsed;
  parsed.batch.keeps_qualities = keep_qualities;
  parsed.batch.lines.keep(true);
  FastqParser parser(BlockStart::file, 1, path);
  try {
    std::size_t begin = 0;
    const auto parse_to = [&](std::size_t end) {
      const std::unique_ptr<char[]> block = std::make_unique<char[]>(end - begin);
      std::copy(text.begin() + static_cast<std::ptrdiff_t>(begin),
                text.begin() + static_cast<std::ptrdiff_t>(end), block.get());
      parser.parse({block.get(), end - begin}, parsed.batch);
      begin = end;
    };
    for (const std::size_t cut : cuts)
      parse_to(cut);
    parse_to(text.size());
    parser.finish(parsed.batch);
  } catch (const ParseError& error) {
    parsed.failure = error.what();
    parsed.failed_name = parser.name();
  }
  parsed.record = parser.record();
  parsed.line = parser.line();
  for (std::size_t i = 0; i < parsed.batch.size(); ++i) {
    if (parsed.batch.length(i) == 0) continue;
    parsed.lines.push_back(
        parsed.batch.lines.line_of(parsed.batch.symbol_ends[i] - parsed.batch.length(i)));
  }
  return parsed;
}

/// The text, byte by byte: no block holds a whole record.
Parsed parse_bytes(std::string_view text, bool keep_qualities = true) {
  std::vector<std::size_t> cuts;
  for (std::size_t at = 1; at < text.size(); ++at)
    cuts.push_back(at);
  return parse(text, cuts, CpuPath::baseline, keep_qualities);
}

std::vector<CpuPath> paths() {
  if (best_cpu_path() == CpuPath::baseline) return {CpuPath::baseline};
  return {CpuPath::baseline, CpuPath::avx2};
}

std::string header_of(Random& random) {
  std::string header = random_string(random, below(random, 50), "@+>:abcdef01");
  const char* const blanks[] = {"", " ", "\t", "  ", " \t"};
  header += blanks[below(random, 5)];
  return header + random_string(random, below(random, 3) * below(random, 20), "1:N 0\x01\xC3");
}

/// Records, nearly all of four lines; some wrapped, some with blank lines between.
std::string fastq_of(Random& random, int records) {
  std::string values;
  for (char c = '!'; c <= '~'; ++c)
    values += c;
  const std::uint64_t usual = below(random, 150);
  const std::string file_end = below(random, 4) == 0 ? "\r\n" : "\n";
  std::string text;
  for (int i = 0; i < records; ++i) {
    const std::string end = below(random, 40) == 0 ? "\r\n" : file_end;
    const std::uint64_t length = below(random, 3) == 0 ? below(random, 150) : usual;
    const std::string symbols = random_string(random, length, "ACGTNacgt.*-\x80");
    std::string qualities = random_string(random, length, values);
    if (length != 0 && below(random, 3) == 0) qualities[0] = "@+"[below(random, 2)];
    const std::string header = header_of(random);
    if (below(random, 30) == 0) text += below(random, 2) == 0 ? "\n" : " \t\r\n";
    text += '@' + header + end;
    const std::size_t half = below(random, 25) == 0 ? length / 2 : length;
    text += symbols.substr(0, half) + end;
    if (half != length) text += symbols.substr(half) + end;
    text += '+' + (below(random, 2) == 0 ? header : "") + (below(random, 30) == 0 ? "x" : "") + end;
    text += qualities.substr(0, half) + end;
    if (half != length) text += qualities.substr(half) + end;
  }
  if (below(random, 4) == 0) text.resize(text.size() - below(random, 5) % text.size());
  return text;
}

/// Damages one place.
void damage(Random& random, std::string& text) {
  if (text.empty()) return;
  const std::size_t at = below(random, text.size());
  const char byte = "\n\r\0 \t@+>\x7F\x80\x01I"[below(random, 12)];
  switch (below(random, 3)) {
    case 0:
      text[at] = byte;
      break;
    case 1:
      text.insert(at, 1, byte);
      break;
    default:
      text.erase(at, 1);
  }
}

}  // namespace

TEST_CASE("a block of FASTQ gives the records and the errors of its bytes one by one") {
  Random random(run_seed());
  int failed = 0;
  int whole = 0;
  for (int round = 0; round < rounds(3000); ++round) {
    std::string text = fastq_of(random, 1 + static_cast<int>(below(random, 12)));
    if (below(random, 2) == 0) damage(random, text);
    const bool keep = below(random, 2) == 0;
    const Parsed expected = parse_bytes(text, keep);
    (expected.failure.empty() ? whole : failed)++;
    for (const CpuPath path : paths()) {
      CAPTURE(text);
      REQUIRE(parse(text, {}, path, keep) == expected);
    }
  }
  CHECK(failed > rounds(3000) / 20);
  CHECK(whole > rounds(3000) / 20);
}

TEST_CASE("blocks of FASTQ may be cut at any byte") {
  Random random(run_seed());
  for (int round = 0; round < rounds(20); ++round) {
    std::string text = fastq_of(random, 5);
    if (round % 3 == 0) damage(random, text);
    const Parsed expected = parse_bytes(text);
    for (const CpuPath path : paths()) {
      for (std::size_t cut = 0; cut <= text.size(); ++cut) {
        CAPTURE(text);
        CAPTURE(cut);
        REQUIRE(parse(text, {cut}, path) == expected);
      }
    }
  }
}

TEST_CASE("clean records of four lines are all taken at once but those at the end of the block") {
  Random random(run_seed());
  std::string text;
  for (int i = 0; i < 100; ++i) {
    const std::string symbols = random_string(random, 1 + below(random, 200), "ACGT");
    const char* const end = i % 10 == 0 ? "\r\n" : "\n";
    text += "@read" + std::to_string(i) + " a comment" + end + symbols + end + '+' + end +
            std::string(symbols.size(), '@') + end;
  }
  for (const CpuPath path : paths()) {
    RecordBatch batch;
    std::string_view rest = text;
    const std::uint64_t taken = take_four_line_records(rest, 1, batch, path);
    CHECK(taken == batch.size());
    CHECK(taken >= 95);
    CHECK((rest.empty() || rest.starts_with("@read" + std::to_string(taken) + ' ')));
    CHECK(batch.comment(42) == "a comment");
  }
}

TEST_CASE("long reads and qualities that are kept come out unchanged") {
  Random random(run_seed());
  std::string text;
  for (int i = 0; i < 6; ++i) {
    const std::string symbols = random_string(random, 9000 + below(random, 9000), "ACGT");
    text += "@" + header_of(random) + "\n" + symbols + "\n+\n" +
            random_string(random, symbols.size(), "!+@~I") + "\n";
  }
  const Parsed expected = parse_bytes(text);
  CHECK(expected.failure.empty());
  for (const CpuPath path : paths())
    CHECK(parse(text, {}, path) == expected);
}

TEST_CASE("every byte gets its code, at every place of a pattern") {
  const Alphabet dna = Alphabet::dna();
  std::string all;
  for (int i = 0; i < 3; ++i)
    for (int byte = 0; byte < 256; ++byte)
      all += static_cast<char>(byte);
  PatternBuffer buffer;
  for (const CpuPath path : paths()) {
    for (std::size_t from = 0; from < 70; ++from) {
      const std::string_view pattern = std::string_view(all).substr(from);
      buffer.encode(std::span(&pattern, 1), dna, path);
      const auto codes = buffer.patterns().codes;
      REQUIRE(codes.size() == pattern.size());
      for (std::size_t i = 0; i < codes.size(); ++i)
        REQUIRE(codes[i] == dna.code(pattern[i]));
    }
  }
}
