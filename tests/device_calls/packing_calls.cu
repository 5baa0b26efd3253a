#include "device_calls/packing_calls.hpp"

#include <stdexcept>

#include "device_calls/user_memory.hpp"
#include "kernels/gsx/device_arrays.cuh"

namespace gsx::testing {
namespace {

/// A packed array in memory of the user's.
class UserPacked {
 public:
  explicit UserPacked(const PackedView& view)
      : memory_(copied(view.bytes,
                       view.bytes == nullptr ? 0 : PackedView::bytes_for(view.size, view.bits))) {}
  explicit UserPacked(const InterleavedView& view)
      : memory_(copied(view.words,
                       view.bits == 0 ? 0 : 4 * InterleavedView::words_for(view.size, view.bits))) {
  }
  PackedView on_device(const PackedView& view) const {
    return {memory_.data(), view.size, view.bits};
  }
  InterleavedView on_device(const InterleavedView& view) const {
    return {reinterpret_cast<const std::uint32_t*>(memory_.data()), view.size, view.bits};
  }

 private:
  static UserArray<std::uint8_t> copied(const void* memory, std::size_t bytes) {
    return UserArray<std::uint8_t>::of(
        std::span<const std::uint8_t>(static_cast<const std::uint8_t*>(memory), bytes));
  }
  UserArray<std::uint8_t> memory_;
};

}  // namespace

template <class Value>
std::vector<std::uint8_t> device_stream(const std::vector<Value>& values, std::uint32_t bits,
                                        const DeviceCall& call) {
  const UserSetup setup(call);
  const auto d_values = UserArray<Value>::of(values);
  const std::uint64_t size = bits > 64 ? 0 : PackedView::bytes_for(values.size(), bits);
  const UserArray<std::uint8_t> d_bytes(size);
  arrays::pack(d_values.data(), values.size(), bits, d_bytes.data(), setup.stream(),
               setup.memory());
  return to_host(d_bytes.data(), size);
}

template <class Value>
std::vector<std::uint32_t> device_interleaved(const std::vector<Value>& values, std::uint32_t bits,
                                              const DeviceCall& call) {
  const UserSetup setup(call);
  const auto d_values = UserArray<Value>::of(values);
  const std::uint64_t size = bits > 64 ? 0 : InterleavedView::words_for(values.size(), bits);
  const UserArray<std::uint32_t> d_words(size);
  arrays::pack_interleaved(d_values.data(), values.size(), bits, d_words.data(), setup.stream(),
                           setup.memory());
  return to_host(d_words.data(), size);
}

template <class Value, class View>
std::vector<Value> device_unpacked(const View& packed, std::uint64_t first, std::uint64_t count,
                                   std::uint64_t offset, const DeviceCall& call) {
  const UserSetup setup(call);
  const UserPacked d_packed(packed);
  constexpr Value untouched = 0x5A;
  // Some more values on both sides, so that the wrong place would be noticed.
  const std::uint64_t all = offset + count + 3;
  const auto d_out = UserArray<Value>::of(std::vector<Value>(all, untouched));
  arrays::unpack(d_packed.on_device(packed), first, count, d_out.data() + offset, setup.stream());
  GSX_CUDA_CHECK(cudaStreamSynchronize(setup.stream()));
  const auto out = to_host(d_out.data(), all);
  for (std::uint64_t i = 0; i < all; ++i) {
    if ((i < offset || i >= offset + count) && out[i] != untouched)
      throw std::runtime_error("unpacking wrote beside its result");
  }
  const auto begin = out.begin() + static_cast<std::ptrdiff_t>(offset);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

template <class Value, class Position, class View>
std::vector<Value> device_gathered(const View& packed, const std::vector<Position>& positions,
                                   const DeviceCall& call) {
  const UserSetup setup(call);
  const UserPacked d_packed(packed);
  const auto d_positions = UserArray<Position>::of(positions);
  const UserArray<Value> d_out(positions.size());
  arrays::gather(d_packed.on_device(packed), d_positions.data(), positions.size(), d_out.data(),
                 setup.stream());
  GSX_CUDA_CHECK(cudaStreamSynchronize(setup.stream()));
  return to_host(d_out.data(), positions.size());
}

void unpack_from_odd_address() {
  const UserArray<std::uint8_t> d_bytes(100), d_out(1);
  arrays::unpack(PackedView{d_bytes.data() + 1, 1, 8}, 0, 1, d_out.data(), nullptr);
}

void gather_from_odd_address() {
  const UserArray<std::uint32_t> d_words(100), d_positions(1), d_out(1);
  arrays::gather(InterleavedView{d_words.data() + 1, 1, 8}, d_positions.data(), 1, d_out.data(),
                 nullptr);
}

template <class Value>
PackedArray passed_stream(const std::vector<Value>& values, std::uint32_t bits,
                          const DeviceCall& call, int threads) {
  const UserSetup setup(call);
  return arrays::pack_by_device(std::span<const Value>(values), bits, setup.memory(), threads);
}

template <class Value>
InterleavedArray passed_interleaved(const std::vector<Value>& values, std::uint32_t bits,
                                    const DeviceCall& call, int threads) {
  const UserSetup setup(call);
  return arrays::pack_interleaved_by_device(std::span<const Value>(values), bits, setup.memory(),
                                            threads);
}

template <class Value, class View>
void pass_unpacked(const View& packed, std::uint64_t first, std::span<Value> out,
                   const DeviceCall& call, int threads) {
  const UserSetup setup(call);
  arrays::unpack_by_device(packed, first, out, setup.memory(), threads);
}

#define GSX_PACKING_VIEWS(Value, View)                                                   \
  template std::vector<Value> device_unpacked(const View&, std::uint64_t, std::uint64_t, \
                                              std::uint64_t, const DeviceCall&);         \
  template std::vector<Value> device_gathered<Value, std::uint32_t, View>(               \
      const View&, const std::vector<std::uint32_t>&, const DeviceCall&);                \
  template std::vector<Value> device_gathered<Value, std::uint64_t, View>(               \
      const View&, const std::vector<std::uint64_t>&, const DeviceCall&);                \
  template void pass_unpacked(const View&, std::uint64_t, std::span<Value>, const DeviceCall&, int);
#define GSX_PACKING_CALLS(Value)                                                                   \
  template std::vector<std::uint8_t> device_stream(const std::vector<Value>&, std::uint32_t,       \
                                                   const DeviceCall&);                             \
  template std::vector<std::uint32_t> device_interleaved(const std::vector<Value>&, std::uint32_t, \
                                                         const DeviceCall&);                       \
  template PackedArray passed_stream(const std::vector<Value>&, std::uint32_t, const DeviceCall&,  \
                                     int);                                                         \
  template InterleavedArray passed_interleaved(const std::vector<Value>&, std::uint32_t,           \
                                               const DeviceCall&, int);                            \
  GSX_PACKING_VIEWS(Value, PackedView)                                                             \
  GSX_PACKING_VIEWS(Value, InterleavedView)
GSX_PACKING_CALLS(std::uint8_t)
GSX_PACKING_CALLS(std::uint16_t)
GSX_PACKING_CALLS(std::uint32_t)
GSX_PACKING_CALLS(std::uint64_t)
#undef GSX_PACKING_CALLS
#undef GSX_PACKING_VIEWS

}  // namespace gsx::testing
