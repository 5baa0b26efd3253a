// Which CPU instructions the inner loops of reading queries and searching use.
#pragma once

#include <cstdint>

namespace gsx {

/// Ways to compile the same function. All give the same results. (AVX-512 is not among them: only
/// loops written for it gain from it. Those that take `avx2` to mean the best look for it
/// themselves.)
enum class CpuPath : std::uint8_t {
  baseline,  ///< what every CPU of the architecture has; on x86-64, without POPCNT
  avx2,      ///< x86-64 with POPCNT, BMI and AVX2 (2013)
};

/// The best path that this CPU has.
CpuPath best_cpu_path();

}  // namespace gsx

/// Put before a function: compiles it for CpuPath::avx2, with everything it calls inlined and thus
/// compiled for it too. Copies that are not inlined still run on every CPU.
#ifdef __x86_64__
#define GSX_TARGET_AVX2 __attribute__((target("popcnt,bmi,bmi2,lzcnt,avx2"), flatten))
#else
#define GSX_TARGET_AVX2
#endif
