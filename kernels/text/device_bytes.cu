#include <algorithm>
#include <array>

#include "base/bits.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/device.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/text/device_bytes.hpp"
#include "text/byte_alphabet.hpp"
#include "text/text.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

constexpr std::uint32_t byte_values = 256;

/// Sets bit b % 32 of d_occurs[b / 32] for each byte b that occurs.
__global__ void occurring_kernel(const std::uint8_t* d_bytes, std::uint64_t size,
                                 std::uint32_t* d_occurs) {
  __shared__ std::uint32_t occurs[byte_values / 32];
  if (threadIdx.x < byte_values / 32) occurs[threadIdx.x] = 0;
  __syncthreads();
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size;
       i += threads) {
    const std::uint32_t byte = d_bytes[i];
    atomicOr(&occurs[byte / 32], 1u << (byte % 32));
  }
  __syncthreads();
  if (threadIdx.x < byte_values / 32) atomicOr(&d_occurs[threadIdx.x], occurs[threadIdx.x]);
}

/// Codes of the bytes, as many per thread as make whole bytes, and 0 in the separator's slot.
__global__ void pack_bytes_kernel(const std::uint8_t* d_bytes, std::uint64_t size,
                                  const std::uint8_t* d_codes, std::uint32_t bits,
                                  std::uint8_t* d_symbols) {
  constexpr std::uint64_t unit = PackedArray::slice_unit;
  const std::uint64_t begin = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) * unit;
  if (begin > size) return;
  const std::uint64_t end = size + 1 - begin < unit ? size + 1 : begin + unit;
  PackedWriter writer(d_symbols + begin * bits / 8, bits);
  for (std::uint64_t i = begin; i < end; ++i)
    writer.push(i < size ? d_codes[d_bytes[i]] : 0);
  writer.finish();
}

__global__ void decode_kernel(const std::uint8_t* d_codes, std::uint64_t size,
                              const std::uint8_t* d_bytes_of_codes, std::uint8_t* d_bytes) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) d_bytes[i] = d_bytes_of_codes[d_codes[i]];
}

template <class T>
DeviceBuffer<T> upload(const T* h_values, std::uint64_t size, DeviceStream stream) {
  DeviceBuffer<T> buffer(size, stream);
  buffer.copy_from_async(h_values);
  return buffer;
}

ByteAlphabet alphabet_of(const std::uint8_t* d_bytes, std::uint64_t size, DeviceStream stream) {
  DeviceBuffer<std::uint32_t> d_occurs(byte_values / 32, stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(d_occurs.data(), 0, d_occurs.bytes(), stream));
  const auto blocks = static_cast<unsigned>(std::min<std::uint64_t>(
      divide_up(size, block_threads), std::uint64_t{multiprocessors()} * tuning::walk_blocks));
  occurring_kernel<<<blocks, block_threads, 0, stream>>>(d_bytes, size, d_occurs.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  std::array<std::uint32_t, byte_values / 32> words{};
  d_occurs.copy_to_async(words.data());
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  std::array<bool, byte_values> occurs{};
  for (std::uint32_t byte = 0; byte < byte_values; ++byte)
    occurs[byte] = (words[byte / 32] >> (byte % 32) & 1) != 0;
  return ByteAlphabet(occurs);
}

/// Waits for a stream at the end of a scope, however that ends.
class WaitAtEnd {
 public:
  explicit WaitAtEnd(cudaStream_t stream) : stream_(stream) {}
  ~WaitAtEnd() { (void)cudaStreamSynchronize(stream_); }
  WaitAtEnd(const WaitAtEnd&) = delete;
  WaitAtEnd& operator=(const WaitAtEnd&) = delete;

 private:
  cudaStream_t stream_;
};

}  // namespace

DeviceBytes::DeviceBytes(const std::uint8_t* d_bytes, std::uint64_t size, DeviceStream stream)
    : size_(size) {
  const ByteAlphabet alphabet = alphabet_of(d_bytes, size, stream);
  const Segments segments({0, size + 1});
  const WaitAtEnd wait(stream);  // what is copied lies on the host's stack, also if this throws
  sigma_ = alphabet.size;
  bits_ = alphabet.bits();
  bytes_of_codes_ = upload(alphabet.byte_of.data(), alphabet.byte_of.size(), stream);
  const auto d_codes = upload(alphabet.code_of.data(), alphabet.code_of.size(), stream);
  symbols_ = DeviceBuffer<std::uint8_t>(PackedView::bytes_for(size + 1, bits_), stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(symbols_.data() + symbols_.size() - PackedView::slack, 0,
                                 PackedView::slack, stream));
  pack_bytes_kernel<<<blocks_for(divide_up(size + 1, PackedArray::slice_unit), block_threads),
                      block_threads, 0, stream>>>(d_bytes, size, d_codes.data(), bits_,
                                                  symbols_.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  const SegmentsView view = segments.view();
  shift_ = view.shift;
  starts_ = upload(view.starts, 2, stream);
  first_ = upload(view.first, ((size + 1) >> shift_) + 2, stream);
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
}

TextView DeviceBytes::view() const {
  return {{symbols_.data(), size_ + 1, bits_}, {starts_.data(), first_.data(), 1, shift_}, sigma_};
}

void DeviceBytes::decode_async(const std::uint8_t* d_codes, std::uint64_t size,
                               std::uint8_t* d_bytes, DeviceStream stream) const {
  if (size == 0) return;
  decode_kernel<<<blocks_for(size, block_threads), block_threads, 0, stream>>>(
      d_codes, size, bytes_of_codes_.data(), d_bytes);
  GSX_CUDA_CHECK(cudaGetLastError());
}

}  // namespace gsx::cuda
