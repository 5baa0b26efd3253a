// The CUDA back end: builds on the GPU, to the byte what the CPU builds.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "backend/registry.hpp"
#include "base/bits.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/resources.hpp"
#include "kernels/bwt.hpp"
#include "kernels/device.hpp"
#include "kernels/device_text.hpp"
#include "kernels/stream.hpp"
#include "kernels/suffix_sorter.hpp"
#include "store/writer.hpp"

namespace gsx {
namespace {

using cuda::DeviceBuffer;

/// A text on the device with its suffix array.
struct Sorted {
  cuda::DeviceText text;
  DeviceBuffer<std::uint32_t> rows;
};

class CudaBackend final : public Backend {
 public:
  explicit CudaBackend(int device) : name_(cuda::describe_device(device)) {}

  std::string name() const override { return name_; }

  BuildPlan plan(std::uint64_t length, std::uint32_t bits,
                 const BuildOptions& options) const override {
    BuildPlan plan;
    plan.index_bytes = index_bytes(length, bits, options.sample_rate);
    const std::uint64_t text = PackedView::bytes_for(length, bits);
    plan.host_bytes = text + length + plan.index_bytes;
    plan.device_bytes = text + cuda::sorting_bytes(length);
    return plan;
  }

  SuffixArray build_suffix_array(const TextView& text, const BuildOptions& options) override {
    const Sorted sorted = sort(text, options);
    Buffer<std::uint32_t> rows(text.length(), "suffix array");
    sorted.rows.copy_to_async(rows.data());
    stream_.synchronize();
    return SuffixArray(std::move(rows));
  }

  Buffer<std::uint8_t> build_bwt(const TextView& text, const BuildOptions& options) override {
    return codes_of(sort(text, options));
  }

  FmIndex build_index(const TextView& text, const BuildOptions& options) override {
    const Sorted sorted = sort(text, options);
    Stopwatch watch;
    const Buffer<std::uint8_t> codes = codes_of(sorted);
    Buffer<std::uint32_t> samples(divide_up(text.length(), options.sample_rate),
                                  "suffix array samples");
    gather_every(sorted.rows, options.sample_rate, samples.span(), stream_.get());
    log().debug("BWT and samples on the host in {:.3f} s", watch.lap());
    FmSource source;
    source.codes_at = [&](std::uint64_t begin, std::uint64_t end, std::uint8_t* out) {
      std::copy(codes.data() + begin, codes.data() + end, out);
    };
    source.sample_at = [&](std::uint64_t i) -> std::uint64_t { return samples[i]; };
    source.positions_of = [&](std::span<const std::uint64_t> rows) {
      std::vector<std::uint64_t> positions(rows.size());
      gather_rows(sorted.rows, rows, positions.data(), stream_.get());
      return positions;
    };
    FmIndex index(text, source, options.sample_rate, options.threads);
    log().debug("FM-index built in {:.3f} s", watch.lap());
    return index;
  }

  std::unique_ptr<Searcher> open(const Index&, int) override {
    throw DeviceError("this version of gsx builds on the GPU but does not search there; use "
                      "--device cpu or auto");
  }

 private:
  Sorted sort(const TextView& text, const BuildOptions& options) {
    if (is_wide(text.length(), options.width)) {
      throw DeviceError("texts of 2^32 symbols and more are not built on the GPU yet; use --device "
                        "cpu or auto");
    }
    Stopwatch watch;
    cuda::DeviceText d_text(text, stream_.get());
    log().debug("text on the device in {:.3f} s", watch.lap());
    auto rows = cuda::sort_suffixes(d_text.view(), stream_.get(), options.progress);
    log().debug("suffix array built in {:.3f} s", watch.lap());
    return {std::move(d_text), std::move(rows)};
  }

  Buffer<std::uint8_t> codes_of(const Sorted& sorted) {
    DeviceBuffer<std::uint8_t> d_codes(sorted.rows.size(), stream_.get());
    bwt_codes_async(sorted.text.view(), sorted.rows, d_codes, stream_.get());
    Buffer<std::uint8_t> codes(d_codes.size(), "BWT");
    d_codes.copy_to_async(codes.data());
    stream_.synchronize();
    return codes;
  }

  std::string name_;
  cuda::Stream stream_;
};

}  // namespace

std::vector<std::string> describe_cuda_devices() {
  std::vector<std::string> lines;
  try {
    const int count = cuda::count_devices();
    for (int device = 0; device < count; ++device) lines.push_back(cuda::describe_device(device));
  } catch (const Error&) {
    // No device to describe is an answer, not a failure.
  }
  return lines;
}

std::unique_ptr<Backend> make_cuda_backend(int device) {
  cuda::use_device(device);
  return std::make_unique<CudaBackend>(device);
}

}  // namespace gsx
