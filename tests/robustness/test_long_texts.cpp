// Builds, verifies in full and searches a text of ten million symbols, or of $GSX_TEST_SYMBOLS. The
// nightly tier sets that beyond 2^32; the test then takes some 10 bytes of memory and 2 of disk per
// symbol.
#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

constexpr std::uint64_t pattern_length = 60;
constexpr std::uint64_t records = 5;

std::uint64_t symbol_count() {
  const char* count = std::getenv("GSX_TEST_SYMBOLS");
  return count == nullptr ? 10'000'000 : std::stoull(count);
}

struct Planted {
  std::uint64_t record, offset;
  std::string pattern;
};

/// Writes records of random bases. Returns patterns from places spread over all records, including
/// the beginning and end of each.
std::vector<Planted> write_genome(const std::string& path, std::uint64_t symbols, Random& random) {
  std::ofstream file(path, std::ios::binary);
  std::vector<Planted> planted;
  const std::uint64_t length = symbols / records;
  constexpr std::uint64_t piece_length = std::uint64_t{1} << 20;
  for (std::uint64_t record = 0; record < records; ++record) {
    file << ">r" << record << '\n';
    for (std::uint64_t begin = 0; begin < length; begin += piece_length) {
      std::string piece(std::min(piece_length, length - begin), 'A');
      for (std::size_t i = 0; i < piece.size();) {
        std::uint64_t bases = random();
        for (int k = 0; k < 32 && i < piece.size(); ++k, bases >>= 2)
          piece[i++] = "ACGT"[bases & 3];
      }
      const auto remember = [&](std::uint64_t at) {
        planted.push_back({record, begin + at, piece.substr(at, pattern_length)});
      };
      const bool last = begin + piece_length >= length;
      if (piece.size() < pattern_length) {
        file << piece;
        continue;
      }
      if (begin == 0) remember(0);
      if (last) remember(piece.size() - pattern_length);
      if (below(random, 1 + symbols / piece_length / 100) == 0)
        remember(below(random, piece.size() - pattern_length));
      file << piece;
    }
    file << '\n';
  }
  REQUIRE(file.flush());
  return planted;
}

}  // namespace

TEST_CASE("a long text is built, verified in full and searched to its end") {
  const TemporaryFolder folder;
  Random random(921);
  const std::uint64_t symbols = symbol_count();
  const auto planted = write_genome(folder / "g.fa", symbols, random);
  REQUIRE(planted.size() >= 2 * records);
  const RunOptions here = {.folder = folder.path(), .timeout_seconds = 7200};
  const Outcome indexed = run({"index", "g.fa"}, here);
  CAPTURE(indexed.err);
  REQUIRE(indexed.exit_code == 0);
  const Outcome verified = run({"verify", "--full", "g.gsx"}, here);
  CAPTURE(verified.err);
  CHECK(verified.exit_code == 0);

  std::string queries, expected;
  for (std::size_t i = 0; i < planted.size(); ++i) {
    const Planted& one = planted[i];
    queries += ">q" + std::to_string(i) + '\n' + one.pattern + '\n';
    expected += "r" + std::to_string(one.record) + '\t' + std::to_string(one.offset) + '\t' +
                std::to_string(one.offset + pattern_length) + "\tq" + std::to_string(i) +
                "\t0\t+\n";
    if (symbols > 100'000'000 && i >= 20) continue;  // each run opens the whole index
    const std::string region = "r" + std::to_string(one.record) + ':' +
                               std::to_string(one.offset + 1) + '-' +
                               std::to_string(one.offset + pattern_length);
    CHECK(output_of(run({"extract", "g.gsx", region}, here)) ==
          '>' + region + '\n' + one.pattern + '\n');
  }
  folder.write("q.fa", queries);
  // 60 random bases are found where they were taken from, and nowhere else.
  CHECK(output_of(run({"locate", "--bed", "q.fa"}, here)) == expected);
}
