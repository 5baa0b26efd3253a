#include "query/patterns.hpp"

#include <algorithm>

namespace gsx {

void PatternBuffer::encode(const RecordBatch& batch, const Alphabet& alphabet) {
  codes_.resize(batch.symbols.size());
  std::transform(batch.symbols.begin(), batch.symbols.end(), codes_.begin(),
                 [&alphabet](char c) { return alphabet.code(c); });
  ends_.assign(batch.symbol_ends.begin(), batch.symbol_ends.end());
}

}  // namespace gsx
