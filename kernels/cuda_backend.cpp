// The CUDA back end: builds on the GPU, to the byte what the CPU builds.
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backend/registry.hpp"
#include "base/bits.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "kernels/bench/ceilings.hpp"
#include "kernels/bench/query_rates.hpp"
#include "kernels/bwt/collectors.hpp"
#include "kernels/fm/bwt_walker.hpp"
#include "kernels/fm/device_fm.hpp"
#include "kernels/fm/kmer_table.hpp"
#include "kernels/fm/packing.hpp"
#include "kernels/rank/wavelet_levels.hpp"
#include "kernels/runtime/copies.hpp"
#include "kernels/runtime/device.hpp"
#include "kernels/runtime/stream.hpp"
#include "kernels/runtime/transfer.hpp"
#include "kernels/runtime/tuning.hpp"
#include "kernels/sa/row_checker.hpp"
#include "kernels/sa/suffix_sorter.hpp"
#include "kernels/search/cuda_searcher.hpp"
#include "kernels/text/device_text.hpp"
#include "machine/resources.hpp"
#include "sa/checker.hpp"
#include "store/verify.hpp"
#include "store/writer.hpp"

namespace gsx {
namespace {

using cuda::DeviceBuffer;
namespace tuning = cuda::tuning;

template <class Pos>
cuda::SortShape shape_of(std::uint64_t length, std::uint32_t bits, std::uint64_t segments) {
  cuda::SortShape shape;
  shape.length = length;
  shape.symbol_bits = bits;
  shape.position_bytes = sizeof(Pos);
  shape.segments = segments;
  return shape;
}

/// Calls build with a position of the width that the text takes.
template <class Build>
auto with_positions(const TextView& text, const BuildOptions& options, const Build& build) {
  return is_wide(text.length(), options.width) ? build(std::uint64_t{}) : build(std::uint32_t{});
}

/// Whatever it does, it does on its own device: the current one is a property of each thread, which
/// another back end may have changed.
class CudaBackend final : public Backend {
 public:
  explicit CudaBackend(int device) : device_(device), name_(cuda::describe_device(device)) {}

  std::string name() const override { return name_; }

  std::uint64_t peak_device_bytes() const override { return cuda::peak_pool_bytes(device_); }

  std::vector<Ceiling> measure_ceilings(int) override {
    cuda::make_current(device_);
    return cuda::measure_device_ceilings(stream_.get());
  }

  BuildPlan plan(const TextView& text, Product product, const BuildOptions& options) override {
    cuda::make_current(device_);
    return with_positions(text, options, [&]<class Pos>(Pos) {
      return plan_sorting(text, shape_for<Pos>(text, product, options), product, options);
    });
  }

  SuffixArray build_suffix_array(const TextView& text, const BuildOptions& options) override {
    cuda::make_current(device_);
    return with_positions(text, options, [&]<class Pos>(Pos) {
      require_host_memory(text, Product::suffix_array, options);
      const cuda::SortShape shape = shape_for<Pos>(text, Product::suffix_array, options);
      return sort<SuffixArray, Pos>(text, options, shape, [&](const TextView&, auto&& run) {
        cuda::SuffixArrayCollector<Pos> rows(text.length(), transfer(options), stream_.get());
        run(rows);
        return SuffixArray(rows.result());
      });
    });
  }

  Buffer<std::uint8_t> build_bwt(const TextView& text, const BuildOptions& options) override {
    cuda::make_current(device_);
    return with_positions(text, options, [&]<class Pos>(Pos) {
      using Collector = cuda::BwtCollector<Pos>;
      require_host_memory(text, Product::bwt, options);
      const cuda::SortShape shape = shape_for<Pos>(text, Product::bwt, options);
      return sort<Buffer<std::uint8_t>, Pos>(
          text, options, shape, [&](const TextView& d_text, auto&& run) {
            Collector bwt(d_text, transfer(options), stream_.get());
            run(bwt);
            return bwt.result();
          });
    });
  }

  FmIndex build_index(const TextView& text, const BuildOptions& options) override {
    cuda::make_current(device_);
    return with_positions(text, options, [&]<class Pos>(Pos) {
      require_host_memory(text, Product::index, options);
      const cuda::SortShape shape = shape_for<Pos>(text, Product::index, options);
      return sort<FmIndex, Pos>(text, options, shape, [&](const TextView& d_text, auto&& run) {
        cuda::IndexCollector<Pos> parts(d_text, options.sample_rate, stream_.get());
        run(parts);
        return finish_index(text, parts, options);
      });
    });
  }

  std::unique_ptr<Searcher> open(const Index& index, int threads,
                                 const SearchMemory& memory) override {
    cuda::make_current(device_);
    return cuda::make_searcher(index, device_, transfer(threads),
                               {.host_hits = memory.hits_at_once});
  }

  std::vector<QueryRate> measure_queries(const Index& index, int threads) override {
    cuda::make_current(device_);
    return cuda::measure_device_queries(index, device_, transfer(threads), stream_.get());
  }

  std::optional<std::uint64_t> find_wrong_row(const TextView& text, const SuffixArray& rows,
                                              int threads) override {
    cuda::make_current(device_);
    const bool right = rows.visit([&](const auto* entries) {
      return check_rows(text, std::span(entries, rows.size()), threads);
    });
    if (right) return std::nullopt;
    if (const auto wrong = gsx::find_wrong_row(text, rows, threads)) return wrong;
    throw RuntimeError(disagreement("suffix array"));
  }

  std::uint64_t verify_bwt(const Index& index, int threads,
                           const ProgressReport& progress) override {
    cuda::make_current(device_);
    verify_counts(index, threads);
    const TextView text = index.text();
    const FmView fm = index.fm();
    cuda::require_device_bytes(device_, cuda::DeviceText::bytes(text) + cuda::DeviceFm::bytes(fm),
                               "checking the BWT");
    if (progress) progress("checking the BWT", -1);
    const cuda::DeviceText d_text(text, transfer(threads), stream_.get());
    const cuda::DeviceFm d_fm(fm, transfer(threads), stream_.get());
    const BwtWalk walk(d_fm.view(d_text.view().segments), d_text.view());
    if (const auto longest = cuda::longest_walk(walk, PositionWidth::automatic, stream_.get())) {
      return *longest;
    }
    gsx::verify_bwt(index, threads, progress);  // says which fault is the first
    throw RuntimeError(disagreement("BWT"));
  }

 private:
  template <class Pos>
  static cuda::SortShape shape_for(const TextView& text, Product product,
                                   const BuildOptions& options) {
    cuda::SortShape shape = shape_of<Pos>(text.length(), text.symbols.bits, text.segments.count);
    if (product == Product::bwt) {
      shape.result_bytes_in_batch = cuda::BwtCollector<Pos>::bytes_a_row_of_a_batch;
    }
    if (product == Product::index) {
      shape.result_bytes = cuda::IndexCollector<Pos>::bytes(text.length(), options.sample_rate);
    }
    return shape;
  }

  BuildPlan plan_sorting(const TextView& text, const cuda::SortShape& shape, Product product,
                         const BuildOptions& options) const {
    require_host_memory(text, product, options);
    const std::uint64_t available = cuda::available_bytes(device_);
    const auto plans = cuda::sort_plans(shape, available);
    if (plans.empty()) throw too_little_memory(shape, available);
    const cuda::SortPlan& first = plans.front();
    BuildPlan plan;
    plan.path = first.keep_rows ? "cuda" : "cuda, rows not kept on the GPU";
    plan.part_rows = std::min(first.batch_suffixes, shape.length);
    plan.parts = divide_up(shape.length, plan.part_rows);
    plan.host_bytes = host_bytes(text, product, options);
    plan.device_bytes = cuda::sorting_bytes(shape, first);
    plan.stages = {{"sorting suffixes", plan.host_bytes, plan.device_bytes}};
    return plan;
  }

  /// The result in host memory, and what crosses the bus.
  static std::uint64_t host_bytes(const TextView& text, Product product,
                                  const BuildOptions& options) {
    const std::uint64_t transfers = 2 * tuning::transfer_lanes * tuning::transfer_bytes;
    const std::uint64_t n = text.length();
    if (product == Product::bwt) return transfers + n;
    if (product == Product::suffix_array) {
      return transfers + n * (is_wide(n, options.width) ? 8 : 4);
    }
    const FmPartBytes parts = fm_part_bytes(text, options.fm());
    std::uint64_t bytes = transfers + parts.samples + parts.kmers + 32 * text.segments.count;
    for (const std::uint64_t level : parts.levels)
      bytes += level;
    return bytes;
  }

  static void require_host_memory(const TextView& text, Product product,
                                  const BuildOptions& options) {
    const std::uint64_t bytes = host_bytes(text, product, options);
    if (options.memory.has_room(bytes) || !options.memory.firm) return;
    throw ResourceError(options.memory.shortage(bytes, "building on the GPU"));
  }

  /// Calls collect(d_text, run), which calls run(consumer) to have the text sorted: once, and again
  /// with a plan that takes less memory while there is too little of it.
  template <class Result, class Pos, class Collect>
  Result sort(const TextView& text, const BuildOptions& options, const cuda::SortShape& shape,
              const Collect& collect) {
    Stopwatch watch;
    const std::uint64_t available = cuda::available_bytes(device_);
    const auto plans = cuda::sort_plans(shape, available);
    if (plans.empty()) throw too_little_memory(shape, available);
    const cuda::DeviceText d_text(text, transfer(options), stream_.get());
    log().debug("text on the device in {:.3f} s", watch.lap());
    log_plan(shape, plans.front(), available);
    for (std::size_t rung = 0;; ++rung) {
      try {
        return collect(d_text.view(), [&](cuda::RowConsumer<Pos>& consumer) {
          cuda::sort_suffixes(d_text.view(), plans[rung], consumer, stream_.get(),
                              options.progress);
          log().debug("sorted in {:.3f} s", watch.lap());
        });
      } catch (const ResourceError& error) {
        if (rung + 1 == plans.size()) throw;
        log().info("{}; trying again with batches of {} suffixes{}", error.what(),
                   plans[rung + 1].batch_suffixes,
                   plans[rung + 1].keep_rows ? "" : ", rows not kept on the GPU");
      }
    }
  }

  static ResourceError too_little_memory(const cuda::SortShape& shape, std::uint64_t available) {
    const auto least = cuda::sort_plans(shape, unlimited).back();
    return ResourceError("out of GPU memory: sorting this text takes at least " +
                         std::to_string(cuda::sorting_bytes(shape, least)) + " bytes, " +
                         std::to_string(available) + " are free for it");
  }

  /// Says which step of the memory ladder is taken when it is not the first.
  static void log_plan(const cuda::SortShape& shape, const cuda::SortPlan& plan,
                       std::uint64_t available) {
    const cuda::SortPlan best = cuda::sort_plans(shape, unlimited).front();
    log().debug("GPU memory: {} bytes planned, {} free, batches of {} suffixes",
                cuda::sorting_bytes(shape, plan), available, plan.batch_suffixes);
    if (plan.batch_suffixes == best.batch_suffixes && plan.keep_rows) return;
    log().info("{} bytes of GPU memory are free: sorting in batches of {} suffixes{}", available,
               plan.batch_suffixes, plan.keep_rows ? "" : ", rows not kept on the GPU");
  }

  template <class Pos>
  FmIndex finish_index(const TextView& text, cuda::IndexCollector<Pos>& parts,
                       const BuildOptions& options) {
    Stopwatch watch;
    const auto separators = parts.separators();
    FmSource source;
    std::vector<std::uint64_t> holes;
    for (const auto& separator : separators) {
      holes.push_back(separator.row);
      source.separator_positions.push_back(separator.position);
    }
    source.bwt = cuda::build_wavelet(std::move(parts.codes()), text.symbols.bits, holes,
                                     transfer(options), stream_.get());
    log().debug("wavelet tree built in {:.3f} s", watch.lap());
    source.kmers = build_kmers(text, source.bwt.view(), options);
    log().debug("k-mer table built in {:.3f} s", watch.lap());
    source.samples = cuda::pack_to_host(parts.samples(), bits_for(text.length()),
                                        "suffix array samples", transfer(options), stream_.get());
    log().debug("samples packed in {:.3f} s", watch.lap());
    return {text, std::move(source), options.fm(), options.threads};
  }

  KmerTable build_kmers(const TextView& text, const WaveletView& bwt, const BuildOptions& options) {
    const auto adjustment = row_adjustments(bwt, text.sigma, text.segments.count);
    FmView fm;
    fm.bwt = bwt;
    fm.adjustment = adjustment.data();
    fm.sigma = text.sigma;
    return cuda::build_kmer_table(fm, options.fm().kmer_length_for(text), transfer(options),
                                  stream_.get());
  }

  template <class Pos>
  bool check_rows(const TextView& text, std::span<const Pos> rows, int threads) {
    cuda::require_device_bytes(device_, cuda::DeviceText::bytes(text) + 2 * rows.size_bytes(),
                               "checking the suffix array");
    const cuda::DeviceText d_text(text, transfer(threads), stream_.get());
    const auto d_rows =
        cuda::copy_to_device(rows.data(), rows.size(), transfer(threads), stream_.get());
    return cuda::is_suffix_array(d_text.view(), d_rows, stream_.get());
  }

  static std::string disagreement(const std::string& what) {
    return "the GPU finds the " + what +
           " wrong and the CPU does not: this is a bug in gsx or a fault of the machine";
  }

  /// Made with the first request, because only that says how many threads there are.
  cuda::Transfer& transfer(int threads) {
    if (!transfer_) transfer_.emplace(device_, threads);
    return *transfer_;
  }
  cuda::Transfer& transfer(const BuildOptions& options) { return transfer(options.threads); }

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

CudaFacts cuda_facts() {
  return cuda::find_facts();
}

std::unique_ptr<Backend> make_cuda_backend(int device, std::uint64_t memory_limit) {
  cuda::use_device(device);
  cuda::set_memory_limit(memory_limit);
  return std::make_unique<CudaBackend>(device);
}

}  // namespace gsx
