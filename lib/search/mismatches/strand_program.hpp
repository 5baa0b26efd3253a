// Patterns as lists of planes to add up.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/mismatches/bit_block.hpp"
#include "search/mismatches/mismatches.hpp"
#include "search/mismatches/set_patterns.hpp"

namespace gsx {

/// One strand of a pattern. Its planes are those of the positions that must match, then those of
/// the other ones in fours, each with the most telling ones first. Positions that match every base
/// are left out.
struct StrandProgram {
  std::uint64_t length = 0;     ///< of the pattern
  std::uint64_t rest = 0;       ///< where the sets beyond BitBlock::reach begin, in rest_sets
  std::uint32_t pattern = 0;    ///< its number
  std::uint32_t planes = 0;     ///< where its planes begin
  std::uint32_t strict = 0;     ///< planes that must match
  std::uint32_t fours = 0;      ///< groups of four planes that are counted
  std::uint32_t unchecked = 0;  ///< groups before which some lane of a word is likely to be left
  std::uint32_t start = 0;      ///< of the counters
  std::uint32_t lost = 0;       ///< positions that match no base: mismatches of every place
  bool reverse = false;

  bool has_rest() const { return length > BitBlock::reach; }
};

/// The programs of some patterns on the strands asked for, in order of the patterns' lengths.
/// Patterns that cannot be asked, or that no place can match, have none. Memory: 4 bytes per symbol
/// and strand, and 48 per strand.
class StrandPrograms {
 public:
  StrandPrograms(const SetPatterns& patterns, const MismatchRequest& request);

  std::span<const StrandProgram> programs() const { return programs_; }
  const std::uint32_t* planes() const { return planes_.data(); }
  std::span<const BaseSet> rest_of(const StrandProgram& program) const {
    return std::span(rest_sets_).subspan(program.rest, program.length - BitBlock::reach);
  }
  SetsUsed sets() const { return sets_; }
  std::uint32_t most() const { return most_; }

 private:
  void add(std::uint32_t pattern, std::span<const BaseSet> sets, bool reverse);

  std::uint32_t most_;  ///< mismatches
  SetsUsed sets_ = 0;
  std::vector<StrandProgram> programs_;
  std::vector<std::uint32_t> planes_;
  std::vector<BaseSet> rest_sets_;
};

}  // namespace gsx
