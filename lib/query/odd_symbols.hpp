// Finds queries that cannot match because the alphabet of the index lacks some of their symbols.
#pragma once

#include <cstdint>
#include <string>

#include "search/searcher.hpp"
#include "seq/record_batch.hpp"
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

/// A symbol, and the name of the query that holds it.
struct SymbolOfQuery {
  std::string name;
  char symbol = 0;
};

/// Counts the queries that hold such symbols, in a run or in a part of it.
struct OddQueries {
  std::uint64_t count = 0;
  SymbolOfQuery first;        ///< the first such symbol of the first such query
  std::uint64_t wrong = 0;    ///< of these queries, those with an ambiguous or foreign symbol
  SymbolOfQuery first_wrong;  ///< the first ambiguous or foreign symbol

  /// Adds the queries of a later part.
  void add(const OddQueries& later);
};

/// Counts those of a batch. Pre: `patterns` are `queries`, encoded. Cost: memchr over the codes,
/// and a scan of each query that has such a symbol.
OddQueries find_odd_queries(const RecordBatch& queries, const Patterns& patterns,
                            const Alphabet& alphabet);

}  // namespace gsx
