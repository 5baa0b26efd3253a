// The LZ77 phrases of records by comparing every pair of positions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/lz77/factorize.hpp"
#include "analysis/lz77/phrase_file.hpp"
#include "device/registry.hpp"
#include "support/texts.hpp"

namespace gsx::testing {

/// A phrase as a plain value; `source_record` and `source` are 0 for what is no copy.
struct PlainPhrase {
  RecordPhrase::Kind kind;
  char symbol;
  std::uint64_t start;
  std::uint64_t length;
  std::uint64_t source_record;
  std::uint64_t source;

  bool operator==(const PlainPhrase&) const = default;
};
using RecordParses = std::vector<std::vector<PlainPhrase>>;

/// Whether a symbol is in the text of records with this alphabet, all in upper case.
inline bool is_plain(char symbol, SymbolPolicy policy) {
  return policy != SymbolPolicy::dna || std::string_view("ACGT").find(symbol) != std::string::npos;
}

/// How far two places agree, the second one within its record and both within plain symbols.
inline std::uint64_t naive_common(const std::string& a, std::uint64_t i, const std::string& b,
                                  std::uint64_t j, SymbolPolicy policy) {
  std::uint64_t length = 0;
  while (i + length < a.size() && j + length < b.size() && a[i + length] == b[j + length] &&
         is_plain(a[i + length], policy))
    ++length;
  return length;
}

inline PlainPhrase naive_phrase(const std::vector<std::string>& records, std::uint64_t record,
                                std::uint64_t at, SymbolPolicy policy, bool across_records) {
  using Kind = RecordPhrase::Kind;
  const std::string& own = records[record];
  if (!is_plain(own[at], policy)) {
    std::uint64_t end = at;
    while (end < own.size() && own[end] == own[at])
      ++end;
    return {Kind::outside, own[at], at, end - at, 0, 0};
  }
  PlainPhrase best{Kind::literal, own[at], at, 1, 0, 0};
  std::uint64_t longest = 0;
  for (std::uint64_t other = across_records ? 0 : record; other <= record; ++other) {
    const std::uint64_t end = other == record ? at : records[other].size();
    for (std::uint64_t from = 0; from < end; ++from) {
      const std::uint64_t length = naive_common(records[other], from, own, at, policy);
      if (length <= longest) continue;
      longest = length;
      best = {Kind::copy, 0, at, length, other, from};
    }
  }
  return best;
}

inline RecordParses naive_parses(const std::vector<std::string>& records, SymbolPolicy policy,
                                 bool across_records) {
  RecordParses parses(records.size());
  for (std::uint64_t record = 0; record < records.size(); ++record) {
    for (std::uint64_t at = 0; at < records[record].size(); at += parses[record].back().length)
      parses[record].push_back(naive_phrase(records, record, at, policy, across_records));
  }
  return parses;
}

inline std::vector<PlainPhrase> plain_phrases(const RecordPhrases& phrases) {
  std::vector<PlainPhrase> plain;
  phrases.visit([&](const RecordPhrase& phrase) {
    plain.push_back({phrase.kind, phrase.symbol, phrase.start, phrase.length, phrase.source_record,
                     phrase.source});
  });
  return plain;
}

/// What factorize() finds.
inline RecordParses parses_of(const Text& text, bool across_records, int threads,
                              PositionWidth width = PositionWidth::automatic) {
  Lz77Options options;
  options.across_records = across_records;
  options.build.threads = threads;
  options.build.width = width;
  RecordParses parses;
  factorize({text.view(), text.records_view(), &text.alphabet}, *make_cpu_backend(), options,
            [&](const RecordPhrases& phrases) { parses.push_back(plain_phrases(phrases)); });
  return parses;
}

/// The LZ77 file of the records of a text.
inline std::string phrase_file_of(const Text& text, bool across_records) {
  std::string bytes;
  PhraseFileWriter writer(text.records_view(), across_records,
                          [&](std::string_view some) { bytes += some; });
  Lz77Options options;
  options.across_records = across_records;
  factorize({text.view(), text.records_view(), &text.alphabet}, *make_cpu_backend(), options,
            [&](const RecordPhrases& phrases) { writer.add(phrases); });
  writer.finish();
  return bytes;
}

}  // namespace gsx::testing
