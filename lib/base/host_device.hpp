// The one place that knows whether the compiler is nvcc. Every function marked GSX_HD is compiled
// for host and device from the same source, so CPU tests run the code that the GPU runs.
#pragma once

#include <cstdint>
#include <cstring>

#ifdef __CUDACC__
#define GSX_HD __host__ __device__ __forceinline__
#else
#define GSX_HD inline __attribute__((always_inline))
#endif

namespace gsx {

/// Number of set bits in x.
GSX_HD unsigned popcount32(std::uint32_t x) {
#ifdef __CUDA_ARCH__
  return static_cast<unsigned>(__popc(x));
#else
  return static_cast<unsigned>(__builtin_popcount(x));
#endif
}

/// Number of set bits in x.
GSX_HD unsigned popcount64(std::uint64_t x) {
#ifdef __CUDA_ARCH__
  return static_cast<unsigned>(__popcll(static_cast<long long>(x)));
#else
  return static_cast<unsigned>(__builtin_popcountll(x));
#endif
}

/// Upper half of the 128-bit product.
GSX_HD std::uint64_t multiply_high64(std::uint64_t a, std::uint64_t b) {
#ifdef __CUDA_ARCH__
  return __umul64hi(a, b);
#else
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<Wide>(a) * b >> 64);
#endif
}

/// Index of the lowest set bit of x. Pre: x != 0.
GSX_HD unsigned lowest_bit32(std::uint32_t x) {
#ifdef __CUDA_ARCH__
  return static_cast<unsigned>(__ffs(static_cast<int>(x)) - 1);
#else
  return static_cast<unsigned>(__builtin_ctz(x));
#endif
}

/// The number of the lowest bit that is set in 64 bits. Pre: x != 0.
GSX_HD unsigned lowest_bit64(std::uint64_t x) {
#ifdef __CUDA_ARCH__
  return static_cast<unsigned>(__ffsll(static_cast<long long>(x)) - 1);
#else
  return static_cast<unsigned>(__builtin_ctzll(x));
#endif
}

/// Number of zeros above the highest set bit of x. Pre: x != 0.
GSX_HD unsigned highest_zeros64(std::uint64_t x) {
#ifdef __CUDA_ARCH__
  return static_cast<unsigned>(__clzll(static_cast<long long>(x)));
#else
  return static_cast<unsigned>(__builtin_clzll(x));
#endif
}

/// A word with the lowest `count` bits set. Pre: count <= 32.
GSX_HD std::uint32_t low_mask32(unsigned count) {
  return count >= 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << count) - 1;
}

/// The eight bytes at p as a big-endian number. Pre: p[0, 8) is readable; on the device, so are the
/// aligned words around it. Cost: one unaligned load on the host, two or three aligned 4-byte loads
/// on the device.
GSX_HD std::uint64_t load_big_endian64(const std::uint8_t* p) {
#ifdef __CUDA_ARCH__
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  const auto* word = reinterpret_cast<const std::uint32_t*>(address & ~std::uintptr_t{3});
  const unsigned shift = static_cast<unsigned>(address & 3) * 8;
  const std::uint32_t a = __byte_perm(__ldg(word), 0, 0x0123);
  const std::uint32_t b = __byte_perm(__ldg(word + 1), 0, 0x0123);
  const std::uint32_t c = shift == 0 ? 0 : __byte_perm(__ldg(word + 2), 0, 0x0123);
  return (std::uint64_t{__funnelshift_l(b, a, shift)} << 32) | __funnelshift_l(c, b, shift);
#else
  std::uint64_t value;
  std::memcpy(&value, p, sizeof value);
  return __builtin_bswap64(value);
#endif
}

/// The bytes of a word in reverse order.
GSX_HD std::uint64_t reverse_bytes64(std::uint64_t word) {
#ifdef __CUDA_ARCH__
  return std::uint64_t{__byte_perm(static_cast<std::uint32_t>(word), 0, 0x0123)} << 32 |
         __byte_perm(static_cast<std::uint32_t>(word >> 32), 0, 0x0123);
#else
  return __builtin_bswap64(word);
#endif
}

/// Whether what is read will soon be read again.
enum class Reuse : std::uint8_t { likely, unlikely };

/// Copies an object of 32 bytes; on the device, by two loads, however few of its members are used.
/// What is unlikely to be read again leaves the device's second cache before other things. Pre:
/// `from` is aligned to 32 bytes, and nothing writes to it.
template <Reuse reuse = Reuse::likely, class T>
GSX_HD T load_32_bytes(const T* from) {
  static_assert(sizeof(T) == 32);
  static_assert(alignof(T) == 32);
#ifdef __CUDA_ARCH__
  const auto* halves = reinterpret_cast<const uint4*>(from);
  uint4 words[2];
#if __CUDA_ARCH__ >= 800
  if constexpr (reuse == Reuse::unlikely) {
    std::uint64_t policy;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    for (int k = 0; k < 2; ++k) {
      asm("ld.global.nc.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
          : "=r"(words[k].x), "=r"(words[k].y), "=r"(words[k].z), "=r"(words[k].w)
          : "l"(halves + k), "l"(policy));
    }
  } else
#endif
  {
    words[0] = __ldg(halves);
    words[1] = __ldg(halves + 1);
  }
  T value;
  std::memcpy(&value, words, sizeof value);
  return value;
#else
  return *from;
#endif
}

/// On the device, begins to fetch the line of an address: the load that follows waits less, and
/// lanes that load different things wait at the same time. On the host, does nothing.
GSX_HD void prefetch_on_device([[maybe_unused]] const void* from) {
#ifdef __CUDA_ARCH__
  asm volatile("prefetch.global.L1 [%0];" ::"l"(from));
#endif
}

}  // namespace gsx
