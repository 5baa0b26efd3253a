// LZ77: random records give the phrases of a naive parse, and come back from the file.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "analysis/lz77/phrase_file.hpp"
#include "support/lz77_cases.hpp"
#include "support/seeds.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::string random_record(Random& random, const std::string& symbols) {
  const std::uint64_t length = below(random, 300);
  switch (below(random, 5)) {
    case 0:
      return random_string(random, length, symbols);
    case 1:
      return mutated_copies(random, 1 + below(random, 60), below(random, 8), 1 + below(random, 60),
                            symbols);
    case 2:
      return std::string(length, symbols[below(random, symbols.size())]);
    case 3:
      return fibonacci_word(length, symbols.front(), symbols.back());
    default:
      return thue_morse_word(length, symbols.back(), symbols.front());
  }
}

void check_case(Random& random, SymbolPolicy policy, const std::string& symbols) {
  std::vector<std::string> records(1 + below(random, 5));
  for (std::string& record : records)
    record = random_record(random, symbols);
  records.push_back(symbols);
  const Text text = make_text(records, policy);
  for (const bool across_records : {false, true}) {
    CAPTURE(across_records);
    const auto threads = static_cast<int>(1 + below(random, 3));
    const PositionWidth width = below(random, 2) == 0 ? PositionWidth::wide : PositionWidth::narrow;
    CHECK(parses_of(text, across_records, threads, width) ==
          naive_parses(records, policy, across_records));
    const std::string bytes = phrase_file_of(text, across_records);
    std::vector<std::string> back;
    read_phrase_file(
        {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, "'f'",
        [](std::uint64_t) {},
        [&](const PhraseFileRecord& record) { back.emplace_back(record.symbols); });
    CHECK(back == records);
  }
}

}  // namespace

TEST_CASE("LZ77 phrases of random records are those of a naive parse, and come back") {
  const std::uint64_t seed = run_seed();
  CAPTURE(seed);
  Random random(seed);
  for (int i = 0; i < rounds(60); ++i) {
    CAPTURE(i);
    check_case(random, SymbolPolicy::dna,
               std::string("ACGT").substr(0, 1 + below(random, 4)) + "N");
    check_case(random, SymbolPolicy::protein, "ACDEFGHIKLMNPQRSTVWY");
    check_case(random, SymbolPolicy::bytes, every_symbol());
  }
}
