#include "base/cpu_path.hpp"

#ifdef __x86_64__
#include <cpuid.h>
#endif

namespace gsx {
namespace {

#ifdef __x86_64__
/// Not every compiler's __builtin_cpu_supports knows "lzcnt".
bool has_lzcnt() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000001, &a, &b, &c, &d) != 0 && (c & bit_LZCNT) != 0;
}
#endif

CpuPath find_best_path() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("popcnt") != 0 && has_lzcnt() && __builtin_cpu_supports("bmi") != 0 &&
      __builtin_cpu_supports("bmi2") != 0 && __builtin_cpu_supports("avx2") != 0) {
    return CpuPath::avx2;
  }
#endif
  return CpuPath::baseline;
}

}  // namespace

CpuPath best_cpu_path() {
  static const CpuPath best = find_best_path();  // CPUID takes microseconds in a virtual machine
  return best;
}

}  // namespace gsx
