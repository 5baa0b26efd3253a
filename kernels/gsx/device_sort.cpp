// Suffix arrays and transforms of what is in device memory.
#include <limits>
#include <optional>

#include "base/error.hpp"
#include "index/sa/suffix_array.hpp"
#include "kernels/base/device.hpp"
#include "kernels/gsx/device.cuh"
#include "kernels/index/bwt/collectors.hpp"
#include "kernels/index/bwt/inverse.hpp"
#include "kernels/index/lcp/lcp.hpp"
#include "kernels/index/sa/inverse.hpp"
#include "kernels/index/sa/sort_ladder.hpp"
#include "kernels/text/device_bytes.hpp"

namespace gsx {
namespace {

/// Bytes on the device, and how their suffixes are sorted.
class DeviceSort {
 public:
  DeviceSort(const std::uint8_t* d_bytes, std::uint64_t size, cudaStream_t stream,
             const DeviceMemory& memory)
      : pool_(cuda::current_usable_device(), memory.limit, memory.pool),
        stream_{stream, &pool_},
        available_(pool_.available()) {
    text_.emplace(d_bytes, size, stream_);
  }
  /// Waits, so that the pool has no frees to come when it goes.
  ~DeviceSort() {
    text_.reset();
    (void)cudaStreamSynchronize(stream_);
  }
  DeviceSort(const DeviceSort&) = delete;
  DeviceSort& operator=(const DeviceSort&) = delete;

  const cuda::DeviceBytes& text() const { return *text_; }
  cuda::DeviceStream stream() const { return stream_; }

  /// Calls collect(plan), which sorts, with the best plan for which there is memory. `result_bytes`
  /// of it are for the result. Waits.
  template <class Pos, class Collect>
  void run(std::uint64_t result_bytes, const Collect& collect) const {
    const TextView text = text_->view();
    cuda::SortShape shape;
    shape.length = text.length();
    shape.symbol_bits = text.symbols.bits;
    shape.position_bytes = sizeof(Pos);
    shape.result_bytes = result_bytes;
    cuda::try_plans(cuda::choose_plans(shape, available_), collect);
    GSX_CUDA_CHECK(cudaStreamSynchronize(stream_));
  }

 private:
  cuda::MemoryPool pool_;
  cuda::DeviceStream stream_;
  std::uint64_t available_;
  std::optional<cuda::DeviceBytes> text_;
};

template <class Pos>
void sort_to(const std::uint8_t* d_bytes, std::uint64_t size, Pos* d_rows, cudaStream_t stream,
             const DeviceMemory& memory) {
  if (size == 0) return;
  if (size >= std::numeric_limits<Pos>::max()) {
    throw UsageError("a suffix array of " + std::to_string(size) +
                     " bytes does not fit entries of 32 bits");
  }
  const DeviceSort sort(d_bytes, size, stream, memory);
  sort.run<Pos>(0, [&](const cuda::SortPlan& plan) {
    cuda::DeviceRowsCollector<Pos> rows(d_rows, 1, stream);  // the first row is the separator's
    cuda::sort_suffixes(sort.text().view(), plan, rows, sort.stream(), {});
  });
}

template <class Pos>
std::uint64_t transform_to(const std::uint8_t* d_bytes, std::uint64_t size, std::uint8_t* d_bwt,
                           cudaStream_t stream, const DeviceMemory& memory) {
  const DeviceSort sort(d_bytes, size, stream, memory);
  std::uint64_t primary = 0;
  sort.run<Pos>(size + 1, [&](const cuda::SortPlan& plan) {
    cuda::DeviceBwtCollector<Pos> parts(sort.text().view(), sort.stream());
    cuda::sort_suffixes(sort.text().view(), plan, parts, sort.stream(), {});
    primary = parts.separators().front().row;
    const std::uint8_t* d_codes = parts.codes().data();
    sort.text().decode_async(d_codes, primary, d_bwt, sort.stream());
    sort.text().decode_async(d_codes + primary + 1, size - primary, d_bwt + primary, sort.stream());
  });
  return primary;
}

template <class Pos>
void lcp_to(const std::uint8_t* d_bytes, std::uint64_t size, const Pos* d_rows, Pos* d_lcp,
            cudaStream_t stream, const DeviceMemory& memory) {
  if (size == 0) return;
  const DeviceSort sort(d_bytes, size, stream, memory);
  cuda::lcp_array(sort.text().view(), d_rows, size, d_lcp, sort.stream());
}

}  // namespace

void suffix_array(const std::uint8_t* d_bytes, std::uint64_t size, std::uint32_t* d_rows,
                  cudaStream_t stream, const DeviceMemory& memory) {
  sort_to(d_bytes, size, d_rows, stream, memory);
}

void suffix_array(const std::uint8_t* d_bytes, std::uint64_t size, std::uint64_t* d_rows,
                  cudaStream_t stream, const DeviceMemory& memory) {
  sort_to(d_bytes, size, d_rows, stream, memory);
}

std::uint64_t bwt(const std::uint8_t* d_bytes, std::uint64_t size, std::uint8_t* d_bwt,
                  cudaStream_t stream, const DeviceMemory& memory) {
  if (size == 0) return 0;
  return is_wide(size + 1, PositionWidth::automatic)
             ? transform_to<std::uint64_t>(d_bytes, size, d_bwt, stream, memory)
             : transform_to<std::uint32_t>(d_bytes, size, d_bwt, stream, memory);
}

void lcp_array(const std::uint8_t* d_bytes, std::uint64_t size, const std::uint32_t* d_rows,
               std::uint32_t* d_lcp, cudaStream_t stream, const DeviceMemory& memory) {
  lcp_to(d_bytes, size, d_rows, d_lcp, stream, memory);
}

void lcp_array(const std::uint8_t* d_bytes, std::uint64_t size, const std::uint64_t* d_rows,
               std::uint64_t* d_lcp, cudaStream_t stream, const DeviceMemory& memory) {
  lcp_to(d_bytes, size, d_rows, d_lcp, stream, memory);
}

void inverse_bwt(const std::uint8_t* d_bwt, std::uint64_t size, std::uint64_t primary,
                 std::uint8_t* d_bytes, cudaStream_t stream, const DeviceMemory& memory) {
  cuda::MemoryPool pool(cuda::current_usable_device(), memory.limit, memory.pool);
  const auto finish = [&] { (void)cudaStreamSynchronize(stream); };
  try {
    cuda::invert_bwt(BwtBytes::without_separator({d_bwt, size}, primary), d_bytes,
                     PositionWidth::automatic, {stream, &pool});
  } catch (...) {
    finish();  // so that the pool has no frees to come when it goes
    throw;
  }
  finish();
}

void inverse_suffix_array(const std::uint32_t* d_rows, std::uint64_t size, std::uint32_t* d_inverse,
                          cudaStream_t stream) {
  (void)cuda::current_usable_device();
  cuda::invert_async(d_rows, size, d_inverse, stream);
}

void inverse_suffix_array(const std::uint64_t* d_rows, std::uint64_t size, std::uint64_t* d_inverse,
                          cudaStream_t stream) {
  (void)cuda::current_usable_device();
  cuda::invert_async(d_rows, size, d_inverse, stream);
}

}  // namespace gsx
