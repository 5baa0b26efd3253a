// The simplest search with mismatches: compares every place, symbol by symbol.
#pragma once

#include "search/mismatches/mismatches.hpp"

namespace gsx {

/// Answers by looking at every place of the text in turn, on one thread, until it has seen too many
/// mismatches. It needs no table and has no limit: other searchers are checked against it.
class PlainMismatchSearcher final : public MismatchSearcher {
 public:
  explicit PlainMismatchSearcher(const TextView& text, const SearchMemory& memory = {})
      : text_(text), memory_(memory) {}

  void count(const SetPatterns& patterns, const MismatchRequest& request,
             MismatchCounts& counts) const override;
  void stream(const SetPatterns& patterns, const MismatchRequest& request,
              const HitSink& sink) const override;

 private:
  TextView text_;
  SearchMemory memory_;
};

}  // namespace gsx
