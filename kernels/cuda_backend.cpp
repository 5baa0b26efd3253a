// The CUDA back end: builds on the GPU, to the byte what the CPU builds.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backend/registry.hpp"
#include "base/bits.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/resources.hpp"
#include "kernels/bwt.hpp"
#include "kernels/ceilings.hpp"
#include "kernels/device.hpp"
#include "kernels/device_text.hpp"
#include "kernels/rank_blocks.hpp"
#include "kernels/stream.hpp"
#include "kernels/suffix_sorter.hpp"
#include "kernels/transfer.hpp"
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
  explicit CudaBackend(int device) : device_(device), name_(cuda::describe_device(device)) {}

  std::string name() const override { return name_; }

  std::uint64_t peak_device_bytes() const override { return cuda::peak_pool_bytes(device_); }

  std::vector<Ceiling> measure_ceilings(int) override {
    return cuda::measure_device_ceilings(stream_.get());
  }

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
    return SuffixArray(to_host(sorted.rows, "suffix array", options));
  }

  Buffer<std::uint8_t> build_bwt(const TextView& text, const BuildOptions& options) override {
    const Sorted sorted = sort(text, options);
    return to_host(codes_of(sorted), "BWT", options);
  }

  FmIndex build_index(const TextView& text, const BuildOptions& options) override {
    const Sorted sorted = sort(text, options);
    Stopwatch watch;
    FmSource source;
    source.bwt = build_wavelet(sorted, text, options);
    log().debug("wavelet tree built in {:.3f} s", watch.lap());
    const auto samples = to_host(every_row(sorted.rows, options.sample_rate, stream_.get()),
                                 "suffix array samples", options);
    source.sample_at = [&](std::uint64_t i) -> std::uint64_t { return samples[i]; };
    source.positions_of = [&](std::span<const std::uint64_t> rows) {
      std::vector<std::uint64_t> positions(rows.size());
      gather_rows(sorted.rows, rows, positions.data(), stream_.get());
      return positions;
    };
    FmIndex index(text, std::move(source), options.sample_rate, options.threads);
    log().debug("samples packed in {:.3f} s", watch.lap());
    return index;
  }

  std::unique_ptr<Searcher> open(const Index&, int) override {
    throw DeviceError("this version of gsx builds on the GPU but does not search there");
  }

 private:
  Sorted sort(const TextView& text, const BuildOptions& options) {
    if (is_wide(text.length(), options.width)) {
      throw DeviceError("texts of 2^32 symbols and more are not built on the GPU yet");
    }
    Stopwatch watch;
    cuda::DeviceText d_text(text, transfer(options), stream_.get());
    log().debug("text on the device in {:.3f} s", watch.lap());
    auto rows = cuda::sort_suffixes(d_text.view(), stream_.get(), options.progress);
    log().debug("suffix array built in {:.3f} s", watch.lap());
    return {std::move(d_text), std::move(rows)};
  }

  DeviceBuffer<std::uint8_t> codes_of(const Sorted& sorted) {
    DeviceBuffer<std::uint8_t> codes(sorted.rows.size(), stream_.get());
    bwt_codes_async(sorted.text.view(), sorted.rows, codes, stream_.get());
    return codes;
  }

  /// DNA's one level is built on the device; alphabets with more levels on the host.
  Wavelet build_wavelet(const Sorted& sorted, const TextView& text, const BuildOptions& options) {
    const DeviceBuffer<std::uint8_t> d_codes = codes_of(sorted);
    if (Wavelet::level_count(text.symbols.bits) > 1) {
      const auto codes = to_host(d_codes, "BWT", options);
      return Wavelet(
          codes.size(), text.symbols.bits,
          [&](std::uint64_t begin, std::uint64_t end, std::uint8_t* out) {
            std::copy(codes.data() + begin, codes.data() + end, out);
          },
          options.threads);
    }
    const cuda::RankBlocks built = build_rank_blocks_async(d_codes, stream_.get());
    const auto holes =
        to_host(find_holes(d_codes, text.segments.count, stream_.get()), "separators", options);
    auto blocks = to_host(built.blocks, "rank blocks", options);
    Buffer<QuadSuperblock> counts(built.counts.size() + 1, "rank superblocks");
    transfer(options).to_host(counts.data(), built.counts.data(), built.counts.bytes());
    std::vector<QuadVector> levels;
    levels.emplace_back(d_codes.size(), std::move(blocks), std::move(counts), holes.span());
    return Wavelet(std::move(levels));
  }

  template <class T>
  Buffer<T> to_host(const DeviceBuffer<T>& source, const char* what, const BuildOptions& options) {
    Buffer<T> target(source.size(), what);
    stream_.synchronize();
    transfer(options).to_host(target.data(), source.data(), source.bytes());
    return target;
  }

  /// Made with the first request, because only that says how many threads there are.
  cuda::Transfer& transfer(const BuildOptions& options) {
    if (!transfer_) transfer_.emplace(device_, options.threads);
    return *transfer_;
  }

  int device_;
  std::string name_;
  cuda::Stream stream_;
  std::optional<cuda::Transfer> transfer_;
};

}  // namespace

std::vector<std::string> describe_cuda_devices() {
  std::vector<std::string> lines;
  try {
    const int count = cuda::count_devices();
    for (int device = 0; device < count; ++device)
      lines.push_back(cuda::describe_device(device));
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
