// What every public function does about the errors of others.
#pragma once

#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/out_of_memory.hpp"

namespace gsx {

/// Does the work of a public function: where the standard library says that memory is short, throws
/// the ResourceError that the public headers promise.
template <class Work>
decltype(auto) with_gsx_errors(Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const std::bad_alloc&) {
    throw OutOfMemoryError("out of memory");
  } catch (const std::length_error&) {
    throw OutOfMemoryError("out of memory: an array would be longer than any can be");
  }
}

/// Throws UsageError for an empty function where a sink has to be.
template <class Sink>
void require_sink(const Sink& sink) {
  if (!sink) throw UsageError("the sink is empty: give a function that takes the chunks");
}

/// Throws UsageError for a span that has another number of elements than the call needs.
inline void require_size(std::uint64_t has, std::uint64_t needs, const char* what) {
  if (has == needs) return;
  throw UsageError(std::string("the span for ") + what + " has " + std::to_string(has) +
                   " elements, and needs " + std::to_string(needs));
}

}  // namespace gsx
