#include "machine/cpu_path.hpp"

#include <cstdlib>
#include <string>

#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "base/error.hpp"

namespace gsx {
namespace {

CpuPath choose() {
  const char* named = std::getenv("GSX_CPU");
  if (named == nullptr || *named == '\0') return best_cpu_path();
  const std::string name = named;
  if (name == "baseline") return CpuPath::baseline;
  if (name != "avx2") {
    throw UsageError("GSX_CPU is '" + printable(name) + "'; it may be baseline or avx2");
  }
  if (best_cpu_path() != CpuPath::avx2) {
    throw UsageError("GSX_CPU is avx2, and this CPU does not have these instructions");
  }
  return CpuPath::avx2;
}

#ifdef __x86_64__
/// Not every compiler's __builtin_cpu_supports knows "lzcnt".
bool has_lzcnt() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000001, &a, &b, &c, &d) != 0 && (c & bit_LZCNT) != 0;
}
#endif

}  // namespace

CpuPath best_cpu_path() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("popcnt") != 0 && has_lzcnt() && __builtin_cpu_supports("bmi") != 0 &&
      __builtin_cpu_supports("bmi2") != 0 && __builtin_cpu_supports("avx2") != 0) {
    return CpuPath::avx2;
  }
#endif
  return CpuPath::baseline;
}

CpuPath cpu_path() {
  static const CpuPath path = choose();
  return path;
}

}  // namespace gsx
