// Queries that match nothing because of symbols that the index's alphabet does not have.
#pragma once

#include <cstdint>
#include <string>

#include "search/searcher.hpp"
#include "seq/record_batch.hpp"
#include "text/alphabet.hpp"

namespace gsx {

/// Why a symbol of a query has no code.
enum class OddSymbol : std::uint8_t {
  any,        ///< N in DNA: the base is not known
  ambiguous,  ///< an IUPAC code of DNA: one of several bases
  absent,     ///< a symbol of the policy that this text happens not to have
  foreign,    ///< no symbol of the policy at all
};

/// Pre: the alphabet has no code for the symbol.
OddSymbol kind_of(const Alphabet& alphabet, char symbol);

/// A symbol, and the name of the query that holds it.
struct SymbolOfQuery {
  std::string name;
  char symbol = 0;
};

/// Those queries of a run, or of a part of it, that hold such symbols.
struct OddQueries {
  std::uint64_t count = 0;
  SymbolOfQuery first;        ///< the first such symbol of the first of them
  std::uint64_t wrong = 0;    ///< those of them that hold an ambiguous or a foreign symbol
  SymbolOfQuery first_wrong;  ///< the first ambiguous or foreign symbol of the first of those

  /// Adds those of a part that comes later.
  void add(const OddQueries& later);
};

/// Those of a batch. Pre: `patterns` are `queries`, encoded.
/// Cost: memchr over the codes, and a look at each such query.
OddQueries find_odd_queries(const RecordBatch& queries, const Patterns& patterns,
                            const Alphabet& alphabet);

}  // namespace gsx
