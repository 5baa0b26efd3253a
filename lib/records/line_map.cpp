#include "records/line_map.hpp"

#include <algorithm>

namespace gsx {

void LineMap::clear() {
  runs_.clear();
  before_ = 0;
}

void LineMap::note(std::uint64_t symbol, std::uint64_t line, std::uint64_t width,
                   std::uint64_t last) {
  if (!runs_.empty() && runs_.back().last + 1 == line) {
    Run& run = runs_.back();
    if (run.last == run.line) run.width = symbol - run.symbol;
    const bool fits = symbol == run.symbol + (line - run.line) * run.width;
    if (fits && (width == 0 || width == run.width)) {
      run.last = last;
      return;
    }
  }
  runs_.push_back({symbol, line, width, last});
}

void LineMap::drop_before(std::uint64_t symbol) {
  auto first = std::upper_bound(runs_.begin(), runs_.end(), symbol,
                                [](std::uint64_t s, const Run& r) { return s < r.symbol; });
  if (first != runs_.begin()) --first;  // the run that holds the symbol
  runs_.erase(runs_.begin(), first);
  for (Run& run : runs_) {
    if (run.symbol >= symbol) {
      run.symbol -= symbol;
      continue;
    }
    // The run begins before: its first lines go, and a part of a line may.
    const std::uint64_t lines = run.width == 0 ? 0 : (symbol - run.symbol) / run.width;
    run.line = std::min(run.line + lines, run.last);
    run.symbol = 0;
  }
}

std::uint64_t LineMap::line_of(std::uint64_t symbol) const {
  const auto behind = std::upper_bound(runs_.begin(), runs_.end(), symbol,
                                       [](std::uint64_t s, const Run& r) { return s < r.symbol; });
  if (behind == runs_.begin()) return 0;
  const Run& run = behind[-1];
  if (run.width == 0) return before_ + run.last;  // all lines but the last are blank
  return before_ + std::min(run.line + (symbol - run.symbol) / run.width, run.last);
}

}  // namespace gsx
