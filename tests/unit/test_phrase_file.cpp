// The LZ77 file: what is written comes back, and damage is noticed.
#include <doctest/doctest.h>
#include <xxhash.h>

#include <string>
#include <vector>

#include "analysis/lz77/phrase_file.hpp"
#include "gsx/error.hpp"
#include "support/lz77_cases.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::vector<std::string> records_in(const std::string& bytes) {
  std::vector<std::string> records;
  read_phrase_file(
      {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, "'f'",
      [](std::uint64_t needed) { CHECK(needed < 1'000'000); },
      [&](const PhraseFileRecord& record) { records.emplace_back(record.symbols); });
  return records;
}

/// A file with the right checksum: header and records as given.
std::string forged(std::uint64_t records, std::uint64_t symbols, const std::string& content,
                   std::uint32_t flags = 0, std::uint32_t version = 1) {
  std::string bytes(phrase_file_magic);
  const auto add = [&bytes](std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i)
      bytes += static_cast<char>(value >> (8 * i));
  };
  add(version, 4);
  add(flags, 4);
  add(records, 8);
  add(symbols, 8);
  bytes += content;
  add(XXH3_64bits(bytes.data(), bytes.size()), 8);
  return bytes;
}

std::string number(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7)
    bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

}  // namespace

TEST_CASE("LZ77 file: every record comes back") {
  for (const auto& records : thinned(adversarial_collections(71))) {
    const Text text = make_text(records);
    for (const bool across_records : {false, true})
      CHECK(records_in(phrase_file_of(text, across_records)) == records);
  }
  const std::string all = every_symbol();
  const std::vector<std::string> bytes{all + all, "", all.substr(5)};
  CHECK(records_in(phrase_file_of(make_text(bytes, SymbolPolicy::bytes), true)) == bytes);
}

TEST_CASE("LZ77 file: each changed, missing or additional byte is noticed") {
  const Text text = make_text({"ACACACGTNNACGTTA", "", "GGGGGGG"});
  for (const bool across_records : {false, true}) {
    const std::string good = phrase_file_of(text, across_records);
    for (std::size_t at = 0; at < good.size(); ++at) {
      CAPTURE(at);
      for (const int bit : {0, 3, 7}) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
        if (at < phrase_file_magic.size()) {
          CHECK_THROWS_AS(records_in(bad), ForeignIndexError);
        } else {
          CHECK_THROWS_AS(records_in(bad), CorruptIndexError);
        }
      }
      CHECK_THROWS_AS(records_in(good.substr(0, at)), CorruptIndexError);
    }
    CHECK_THROWS_AS(records_in(good + 'x'), CorruptIndexError);
  }
}

TEST_CASE("LZ77 file: what is forged under a right checksum is noticed before memory is taken") {
  const std::string name = number(1) + 'r' + number(0);
  const std::string a = number(3) + 'A';  // a literal of one symbol
  CHECK(records_in(forged(1, 3, name + number(3) + a + number(4) + number(0))) ==
        std::vector<std::string>{"AAA"});
  CHECK(records_in(forged(0, 0, "")).empty());
  const auto check = [](const std::string& bytes, const char* says) {
    CHECK_THROWS_WITH_AS(records_in(bytes), doctest::Contains(says), CorruptIndexError);
  };
  const std::uint64_t huge = std::uint64_t{1} << 62;
  check(forged(1, 2, name + number(2) + a + number(2) + number(1)), "source that is not before");
  check(forged(1, 2, name + number(2) + number(2) + number(0) + a), "source that is not before");
  check(forged(1, 2, name + number(2) + a + number(4) + number(0)), "wrong length");
  check(forged(1, 2, name + number(2) + a + number(0) + number(0)), "wrong length");
  check(forged(1, 2, name + number(2) + a + number(huge << 1) + number(0)), "wrong length");
  check(forged(1, 2, name + number(huge) + a), "longer than the header says");
  check(forged(huge, 1, name + number(1) + a), "ends inside a record");
  check(forged(1, huge, name + number(1) + a), "more or less than its header says");
  check(forged(1, huge, name + number(huge) + a), "ends inside a record");
  check(forged(1, 1, name + number(1) + a + a), "more or less than its header says");
  check(forged(1, 1, number(200) + 'r' + number(0) + number(1) + a), "name is longer");
  check(forged(1, 1, number(1) + '\n' + number(0) + number(1) + a), "line break");
  check(forged(1, 1, name + number(1) + number(3) + '\n'), "no symbol");
  check(forged(1, 1, name + std::string(11, '\xFF') + a), "number is too large");
  check(forged(1, 1, name + number(1) + a, 2), "flags");
  // A source in an earlier record is right only across records.
  const std::string two = name + number(1) + a + name + number(1) + number(2) + number(0);
  check(forged(2, 2, two), "source that is not before");
  CHECK(records_in(forged(2, 2, two, 1)) == std::vector<std::string>{"A", "A"});
  CHECK_THROWS_WITH_AS(records_in(forged(1, 1, name + number(1) + a, 0, 2)),
                       doctest::Contains("version 2"), ForeignIndexError);
}

TEST_CASE("LZ77 file: memory is asked for before it is taken, and a refusal comes out") {
  const std::string huge = forged(1, std::uint64_t{1} << 60,
                                  number(0) + number(0) + number(std::uint64_t{1} << 60) +
                                      number(std::uint64_t{1} << 61 | 1) + 'N');
  const auto refuse = [](std::uint64_t bytes) {
    CHECK(bytes == std::uint64_t{1} << 60);
    throw ResourceError("too little memory");
  };
  CHECK_THROWS_AS(
      read_phrase_file({reinterpret_cast<const std::uint8_t*>(huge.data()), huge.size()}, "'f'",
                       refuse, [](const PhraseFileRecord&) {}),
      ResourceError);
}
