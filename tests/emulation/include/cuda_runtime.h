// What kernels of gsx use of CUDA, on a machine without a GPU. For tests only.
#pragma once

#include <cstring>
#include <source_location>
#include <type_traits>

#include "cuda_runtime_api.h"
#include "emulation/launch.hpp"
#include "emulation/warp.hpp"

#define threadIdx (::gsx::emulation::place.thread)
#define blockIdx (::gsx::emulation::place.block)
#define blockDim (::gsx::emulation::place.block_size)
#define gridDim (::gsx::emulation::place.grid_size)

struct alignas(8) uint2 {
  unsigned x, y;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};

inline int __popc(unsigned x) {
  return __builtin_popcount(x);
}
inline int __popcll(unsigned long long x) {
  return __builtin_popcountll(x);
}
inline int __ffs(int x) {
  return __builtin_ffs(x);
}
inline int __ffsll(long long x) {
  return __builtin_ffsll(x);
}
inline int __clz(int x) {
  return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x));
}
inline int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
/// Four of the eight bytes of b:a, each chosen by a hexadecimal digit of `choice`, the lowest first.
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned choice) {
  const unsigned long long bytes = static_cast<unsigned long long>(b) << 32 | a;
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= static_cast<unsigned>(bytes >> (choice >> 4 * i & 7) * 8 & 0xFF) << 8 * i;
  return result;
}
template <class T>
T __ldg(const T* from) {
  return *from;
}

template <class T>
T __ldcs(const T* from) {
  return *from;
}

template <class T>
void __stcs(T* to, T value) {
  *to = value;
}

template <class T>
T atomicAdd(T* to, std::type_identity_t<T> value) {
  return __atomic_fetch_add(to, value, __ATOMIC_RELAXED);
}
template <class T>
T atomicOr(T* to, std::type_identity_t<T> value) {
  return __atomic_fetch_or(to, value, __ATOMIC_RELAXED);
}
template <class T>
T atomicMax(T* to, std::type_identity_t<T> value) {
  T before = __atomic_load_n(to, __ATOMIC_RELAXED);
  while (before < value &&
         !__atomic_compare_exchange_n(to, &before, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return before;
}
template <class T>
T atomicMin(T* to, std::type_identity_t<T> value) {
  T before = __atomic_load_n(to, __ATOMIC_RELAXED);
  while (value < before &&
         !__atomic_compare_exchange_n(to, &before, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return before;
}
template <class T>
T atomicExch(T* to, std::type_identity_t<T> value) {
  return __atomic_exchange_n(to, value, __ATOMIC_RELAXED);
}
template <class T>
T atomicCAS(T* to, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
  __atomic_compare_exchange_n(to, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}
inline void __threadfence() {}
inline void __threadfence_block() {}

using GsxPlaceInSource = std::source_location;

inline void __syncthreads(GsxPlaceInSource where = GsxPlaceInSource::current()) {
  gsx::emulation::wait_for_block(where);
}
/// Of one block at a time in a thread, as all blocks are.
inline int __syncthreads_or(int predicate,
                            GsxPlaceInSource where = GsxPlaceInSource::current()) {
  thread_local int any = 0;
  gsx::emulation::wait_for_block(where);
  any = 0;
  gsx::emulation::wait_for_block(where);
  if (predicate != 0) any = 1;
  gsx::emulation::wait_for_block(where);
  return any;
}
inline void __syncwarp(unsigned mask = ~0u, GsxPlaceInSource where = GsxPlaceInSource::current()) {
  gsx::emulation::meet(gsx::emulation::Meeting::barrier, mask, 0, 0, where);
}
inline unsigned __activemask() {
  return gsx::emulation::lanes_here();
}
inline unsigned __ballot_sync(unsigned mask, int predicate,
                              GsxPlaceInSource where = GsxPlaceInSource::current()) {
  return static_cast<unsigned>(
      gsx::emulation::meet(gsx::emulation::Meeting::ballot, mask, predicate != 0, 0, where));
}
inline int __any_sync(unsigned mask, int predicate,
                      GsxPlaceInSource where = GsxPlaceInSource::current()) {
  return __ballot_sync(mask, predicate, where) != 0;
}
inline int __all_sync(unsigned mask, int predicate,
                      GsxPlaceInSource where = GsxPlaceInSource::current()) {
  return __ballot_sync(mask, predicate, where) == mask;
}

namespace gsx::emulation {

template <class T>
std::uint64_t bits_of(T value) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

/// The value that lane `from` has.
template <class T>
T value_of_lane(unsigned mask, T value, unsigned from, std::source_location where) {
  const std::uint64_t bits = meet(Meeting::shuffle, mask, bits_of(value), from, where);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace gsx::emulation

template <class T>
T __shfl_sync(unsigned mask, T value, int lane,
              GsxPlaceInSource where = GsxPlaceInSource::current()) {
  return gsx::emulation::value_of_lane(mask, value, static_cast<unsigned>(lane) % 32, where);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned distance,
                 GsxPlaceInSource where = GsxPlaceInSource::current()) {
  const unsigned lane = threadIdx.x % 32;
  return gsx::emulation::value_of_lane(mask, value, lane < distance ? lane : lane - distance,
                                       where);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned distance,
                   GsxPlaceInSource where = GsxPlaceInSource::current()) {
  const unsigned lane = threadIdx.x % 32;
  return gsx::emulation::value_of_lane(mask, value, lane + distance > 31 ? lane : lane + distance,
                                       where);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int distance,
                  GsxPlaceInSource where = GsxPlaceInSource::current()) {
  return gsx::emulation::value_of_lane(mask, value,
                                       (threadIdx.x % 32) ^ static_cast<unsigned>(distance), where);
}
template <class T>
unsigned __match_any_sync(unsigned mask, T value,
                          GsxPlaceInSource where = GsxPlaceInSource::current()) {
  return static_cast<unsigned>(gsx::emulation::meet(gsx::emulation::Meeting::match, mask,
                                                    gsx::emulation::bits_of(value), 0, where));
}
