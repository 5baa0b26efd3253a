// What all device-wide algorithms do.
#pragma once

#include <algorithm>
#include <cstring>
#include <iterator>
#include <type_traits>

#include "emulation/queue.hpp"

namespace gsx::emulation {

template <class Iterator>
struct ValueOf {
  using type = typename Iterator::value_type;
};
template <class T>
struct ValueOf<T*> {
  using type = std::remove_const_t<T>;
};
template <class Iterator>
using ValueOfT = typename ValueOf<Iterator>::type;

/// The first of two calls asks for the size of the workspace; the second one works.
template <class Work>
cudaError_t call_cub(void* workspace, std::size_t& bytes, std::size_t items, cudaStream_t stream,
                     Work work) {
  const std::size_t needed = 256 + items / 8;
  if (workspace == nullptr) {
    bytes = needed;
    return cudaSuccess;
  }
  if (bytes < needed) fail("a workspace of CUB has fewer bytes than CUB asked for");
  return enqueue(stream, [=] {
    std::memset(workspace, 0x5A, needed);
    work();
    std::memset(workspace, 0x5A, needed);
  });
}

}  // namespace gsx::emulation
