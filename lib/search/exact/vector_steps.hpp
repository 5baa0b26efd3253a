// The steps of walks through DNA, eight walks at a time.
#pragma once

#include <cstdint>

#include "search/exact/walk_steps.hpp"

namespace gsx {

#ifdef __x86_64__
inline constexpr bool vector_steps_exist = true;
#else
inline constexpr bool vector_steps_exist = false;
#endif

/// Whether this CPU has the instructions: AVX-512 (F, BW, DQ, VL, VPOPCNTDQ), from 2019 on. Without
/// them the loops must not run.
bool has_vector_steps();

/// Do what the functions of BaseSteps do. Pre: rows < 2^32.
void step_rows_of_8(const FmView& fm, Walks<std::uint32_t>& walks, Walks<std::uint32_t>& leaving);
void step_intervals_of_8(const FmView& fm, Walks<std::uint32_t>& walks,
                         Walks<std::uint32_t>& leaving);

/// BaseSteps by those loops.
class VectorSteps : public BaseSteps<std::uint32_t, NoMeter> {
 public:
  GSX_HD VectorSteps(const FmView& fm, NoMeter& meter)
      : BaseSteps<std::uint32_t, NoMeter>(fm, meter), fm_(fm) {}

  GSX_HD void step_rows(Walks<std::uint32_t>& walks, Walks<std::uint32_t>& leaving) const {
    step_rows_of_8(fm_, walks, leaving);
  }
  GSX_HD void step_intervals(Walks<std::uint32_t>& walks, Walks<std::uint32_t>& leaving) const {
    step_intervals_of_8(fm_, walks, leaving);
  }

 private:
  const FmView& fm_;
};

}  // namespace gsx
