// Texts for tests: small ones by hand, seeded random ones, and words that break suffix sorters.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "text/record_checksum.hpp"
#include "text/text_builder.hpp"

namespace gsx::testing {

/// The text of records with these sequences, named r1, r2, ..., with checksums.
inline Text make_text(const std::vector<std::string>& sequences,
                      SymbolPolicy policy = SymbolPolicy::dna,
                      SoftMaskPolicy soft_mask = SoftMaskPolicy::fold) {
  TextBuilder builder({policy, AmbiguousPolicy::split, soft_mask});
  RecordBatch batch;
  for (const std::string& sequence : sequences) {
    batch.begin_record("r" + std::to_string(batch.size() + 1), "");
    batch.append(sequence);
  }
  builder.add(batch);
  Text text = builder.finish();
  checksum_records(text, 1);
  return text;
}

using Random = std::mt19937_64;

/// A number in [0, limit). Pre: limit > 0.
inline std::uint64_t below(Random& random, std::uint64_t limit) {
  return random() % limit;
}

/// `length` symbols drawn uniformly from `symbols`.
inline std::string random_string(Random& random, std::uint64_t length, std::string_view symbols) {
  std::string made(length, ' ');
  for (char& c : made)
    c = symbols[below(random, symbols.size())];
  return made;
}

/// The first `length` symbols of the infinite Fibonacci word over two symbols.
inline std::string fibonacci_word(std::uint64_t length, char a = 'A', char b = 'C') {
  std::string shorter(1, b), word(1, a);
  while (word.size() < length)
    shorter = std::exchange(word, word + shorter);
  return word.substr(0, length);
}

/// The first `length` symbols of the Thue-Morse word over two symbols.
inline std::string thue_morse_word(std::uint64_t length, char a = 'A', char b = 'C') {
  std::string word(length, a);
  for (std::uint64_t i = 0; i < length; ++i) {
    if (__builtin_parityll(i) != 0) word[i] = b;
  }
  return word;
}

/// `copies` copies of one random string, each with about one mutation in `per` symbols.
inline std::string mutated_copies(Random& random, std::uint64_t unit, std::uint64_t copies,
                                  std::uint64_t per, std::string_view symbols) {
  const std::string original = random_string(random, unit, symbols);
  std::string made;
  for (std::uint64_t copy = 0; copy < copies; ++copy) {
    std::string next = original;
    for (char& c : next) {
      if (below(random, per) == 0) c = symbols[below(random, symbols.size())];
    }
    made += next;
  }
  return made;
}

/// Every byte that may be a sequence symbol.
inline std::string every_symbol() {
  std::string symbols;
  for (int c = 0x21; c < 0x100; ++c) {
    if (c != '>' && c != 0x7F) symbols += static_cast<char>(c);
  }
  return symbols;
}

/// Collections that a suffix sorter, an FM-index or a reader is likely to get wrong.
inline std::vector<std::vector<std::string>> adversarial_collections(std::uint64_t seed) {
  Random random(seed);
  const std::string dna = "ACGT";
  std::vector<std::vector<std::string>> all = {
      {"A"},
      {"T"},
      {"ACGT"},
      {"A", "A", "A", "A"},
      {"AC", "ACA", "ACAA", "AC", "A"},
      {std::string(500, 'A')},
      {std::string(500, 'T')},
      {std::string(300, 'A'), std::string(299, 'A'), std::string(301, 'A')},
      {"ACGTNNNNACGTNACG", "NNNN", "", "TTTTN"},
      {fibonacci_word(2000)},
      {thue_morse_word(2000)},
      {fibonacci_word(700, 'G', 'T'), thue_morse_word(700, 'T', 'G')},
      {mutated_copies(random, 100, 30, 400, dna)},
      {mutated_copies(random, 1000, 4, 100000, dna)},
  };
  std::vector<std::string> tiny(400);
  for (std::string& record : tiny)
    record = random_string(random, below(random, 6), dna);
  tiny.push_back("A");
  all.push_back(tiny);
  std::vector<std::string> same(50, random_string(random, 80, dna));
  all.push_back(same);
  for (int i = 0; i < 12; ++i) {
    std::vector<std::string> mixed;
    const std::uint64_t records = 1 + below(random, 8);
    const std::string symbols = dna.substr(0, 1 + below(random, 4)) + (i % 3 == 0 ? "N" : "");
    for (std::uint64_t r = 0; r < records; ++r) {
      mixed.push_back(random_string(random, below(random, 400), symbols));
    }
    mixed.push_back("ACG");
    all.push_back(mixed);
  }
  return all;
}

}  // namespace gsx::testing
