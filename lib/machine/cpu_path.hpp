// Which instructions of this CPU the inner loops of searching use.
#pragma once

#include <cstdint>

namespace gsx {

/// Ways to compile the same function. All give the same results.
/// (AVX-512 is none of them: a rank counts the bits of one block of 32 bytes, and searches that
/// were compiled for it took the same time within 2 %.)
enum class CpuPath : std::uint8_t {
  baseline,  ///< what every CPU of the architecture has; on x86-64 that is no POPCNT
  avx2,      ///< x86-64 with POPCNT, BMI and AVX2 (2013)
};

/// The best path that this CPU has.
CpuPath best_cpu_path();

}  // namespace gsx

/// Before a function: compiled for CpuPath::avx2, with all that it calls inlined, so that they are
/// compiled for it too. Copies that are not inlined stay as they are for every CPU.
#ifdef __x86_64__
#define GSX_TARGET_AVX2 __attribute__((target("popcnt,bmi,bmi2,lzcnt,avx2"), flatten))
#else
#define GSX_TARGET_AVX2
#endif
