// What a scan finds: lanes of words become counts and hits.
#pragma once

#include <cstdint>
#include <span>

#include "base/host_device.hpp"
#include "search/mismatches/hit_collector.hpp"
#include "search/mismatches/mismatches.hpp"
#include "search/mismatches/strand_program.hpp"

namespace gsx {

/// Takes the places that one thread finds, strand by strand.
class PlaceTaker {
 public:
  /// Adds to `counts`, and to `hits` unless it is null. Refers to what it is given.
  PlaceTaker(const TextView& text, const StrandPrograms& programs, MismatchCounts& counts,
             HitCollector* hits)
      : text_(text), programs_(programs), counts_(counts), hits_(hits) {}

  /// What follows is found by this program.
  void begin(const StrandProgram& program) {
    program_ = &program;
    strand_counts_ = counts_.of(program.pattern, program.reverse);
    collects_ = hits_ != nullptr && hits_->collects(program.pattern);
  }

  /// Takes the lanes that are set in `found`, of which lane 0 is the text's `position`. Bit i of
  /// digit d belongs to the counter of lane i.
  template <int digits>
  GSX_HD void take(std::uint64_t position, std::uint64_t found, const std::uint64_t* digit) {
    if (collects_ || program_->has_rest() || popcount64(found) < 4) {
      take_each(position, found, digit, digits);
      return;
    }
    std::uint32_t value = program_->start;
    for (std::uint32_t m = program_->lost; m < strand_counts_.size(); ++m, ++value) {
      std::uint64_t lanes = found;
      for (int d = 0; d < digits; ++d)
        lanes &= (value >> d & 1) != 0 ? digit[d] : ~digit[d];
      strand_counts_[m] += popcount64(lanes);
    }
  }

 private:
  void take_each(std::uint64_t position, std::uint64_t found, const std::uint64_t* digit,
                 int digits);
  bool fits(std::uint64_t position, std::uint32_t& mismatches) const;

  TextView text_;
  const StrandPrograms& programs_;
  MismatchCounts& counts_;
  HitCollector* hits_;
  const StrandProgram* program_ = nullptr;
  std::span<std::uint64_t> strand_counts_;
  bool collects_ = false;
};

}  // namespace gsx
