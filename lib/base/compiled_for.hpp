// Functions in two copies, one of which is compiled for CpuPath::avx2.
#pragma once

#include <utility>

#include "base/cpu_path.hpp"

namespace gsx {
namespace compiled_for_detail {

template <auto function>
struct Copies;
template <class Result, class... Arguments, Result (*function)(Arguments...)>
struct Copies<function> {
  static Result baseline(Arguments... arguments) {
    return function(std::forward<Arguments>(arguments)...);
  }
  GSX_TARGET_AVX2 static Result avx2(Arguments... arguments) {
    return function(std::forward<Arguments>(arguments)...);
  }
};

}  // namespace compiled_for_detail

/// A pointer to the copy of a function for a path. Pre: what the function calls can be inlined.
template <auto function>
constexpr auto compiled_for(CpuPath path) {
  using Copies = compiled_for_detail::Copies<function>;
  return path == CpuPath::avx2 ? &Copies::avx2 : &Copies::baseline;
}

}  // namespace gsx
