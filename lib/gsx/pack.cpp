#include "gsx/pack.hpp"

#include "arrays/packing/pack.hpp"
#include "base/cpu_path.hpp"
#include "base/machine.hpp"
#include "base/public_call.hpp"

namespace gsx {

#define GSX_PUBLIC_PACK(Value)                                                                    \
  std::uint32_t bits_needed(std::span<const Value> values, int threads) {                         \
    return with_gsx_errors(                                                                       \
        [&] { return bits_needed<Value>(values, threads_for(threads, values.size())); });         \
  }                                                                                               \
  PackedArray pack(std::span<const Value> values, std::uint32_t bits, int threads) {              \
    return with_gsx_errors(                                                                       \
        [&] { return pack<Value>(values, bits, threads_for(threads, values.size())); });          \
  }                                                                                               \
  InterleavedArray pack_interleaved(std::span<const Value> values, std::uint32_t bits,            \
                                    int threads) {                                                \
    return with_gsx_errors([&] {                                                                  \
      return pack_interleaved<Value>(values, bits, threads_for(threads, values.size()),           \
                                     best_cpu_path());                                            \
    });                                                                                           \
  }                                                                                               \
  void unpack(const PackedView& packed, std::uint64_t first, std::span<Value> out, int threads) { \
    with_gsx_errors([&] {                                                                         \
      unpack<Value>(packed, first, out, threads_for(threads, out.size()), best_cpu_path());       \
    });                                                                                           \
  }                                                                                               \
  void unpack(const InterleavedView& packed, std::uint64_t first, std::span<Value> out,           \
              int threads) {                                                                      \
    with_gsx_errors([&] {                                                                         \
      unpack<Value>(packed, first, out, threads_for(threads, out.size()), best_cpu_path());       \
    });                                                                                           \
  }
GSX_PUBLIC_PACK(std::uint8_t)
GSX_PUBLIC_PACK(std::uint16_t)
GSX_PUBLIC_PACK(std::uint32_t)
GSX_PUBLIC_PACK(std::uint64_t)
#undef GSX_PUBLIC_PACK

}  // namespace gsx
