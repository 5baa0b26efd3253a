// Finds queries that cannot match because of their symbols.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "output/summary/absent_symbols.hpp"
#include "records/record_batch.hpp"
#include "search/exact/searcher.hpp"
#include "text/alphabet.hpp"

namespace gsx {

/// Why a query symbol has no code.
enum class OddSymbol : std::uint8_t {
  any,        ///< N in DNA: an unknown base
  ambiguous,  ///< an IUPAC code of DNA that stands for several bases
  absent,     ///< a symbol of the policy that does not occur in this text
  foreign,    ///< not a symbol of the policy
};

/// Pre: the alphabet has no code for the symbol.
OddSymbol kind_of(const Alphabet& alphabet, char symbol);

/// Whether a query has symbols, and none but A, C, G, T, U and N.
bool looks_like_dna(std::string_view query);

/// A symbol, and the name of the query that holds it.
struct SymbolOfQuery {
  std::string name;
  char symbol = 0;  ///< 0 if the query holds none, but is too short
};

/// Counts the queries that cannot match, in a run or in a part of it.
struct OddQueries {
  std::uint64_t count = 0;
  SymbolOfQuery first;        ///< the first symbol without a code of the first such query
  std::uint64_t wrong = 0;    ///< of these queries, those that no text of the policy matches
  SymbolOfQuery first_wrong;  ///< the first ambiguous or foreign symbol of the first of those
  /// The symbols that the text lacks; find_odd_queries() fills it, except for DNA.
  AbsentSymbols absent;

  /// Adds the queries of a later part.
  void add(const OddQueries& later);
};

/// Counts those of a batch that hold a symbol without a code, if only whole queries match; those
/// with an ambiguous or foreign symbol are wrong. Pre: `patterns` are `queries`, encoded. Cost:
/// memchr over the codes, and a scan of each query that has such a symbol.
OddQueries find_odd_queries(const RecordBatch& queries, const Patterns& patterns,
                            const Alphabet& alphabet);

/// "31 symbols in a row that are A, C, G, T or U": the least part of a query that can match.
/// `index` is what messages call the index, as "this protein index".
std::string least_part(const Alphabet& alphabet, std::uint64_t length, std::string_view index);

/// Whether there are `length` codes in a row. Cost: memchr over `length` codes if all are codes.
bool has_stretch(std::span<const std::uint8_t> codes, std::uint64_t length);

/// Finds queries that cannot match where each part of so many symbols may match.
class StretchCheck {
 public:
  StretchCheck(const Alphabet& alphabet, std::uint64_t length);

  /// Counts query `i` if it has no such part. It is wrong if that is so even where unknown and
  /// absent symbols count as symbols, unless it holds nothing but these: then no length would do.
  /// An empty query is passed over. Pre: `patterns` are `queries`,
  /// encoded.
  void add(OddQueries& found, const RecordBatch& queries, const Patterns& patterns,
           std::size_t i) const;

 private:
  std::array<bool, 256> wrong_;  ///< which symbols are ambiguous or foreign
  std::uint64_t length_;
};

}  // namespace gsx
