// The CUDA back end: builds on the GPU, to the byte what the CPU builds.
#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/resources.hpp"
#include "device/multi_device.hpp"
#include "device/registry.hpp"
#include "index/store/writer.hpp"
#include "kernels/analysis/mappability/near_collector.hpp"
#include "kernels/base/background_copy.hpp"
#include "kernels/base/copies.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/device/counting_shapes.hpp"
#include "kernels/device/cuda_searches.hpp"
#include "kernels/index/bwt/collectors.hpp"
#include "kernels/index/bwt/inverse.hpp"
#include "kernels/index/fm/kmer_table.hpp"
#include "kernels/index/fm/packing.hpp"
#include "kernels/index/lcp/kmer_collector.hpp"
#include "kernels/index/lcp/share_lengths.hpp"
#include "kernels/index/sa/sort_ladder.hpp"
#include "kernels/index/sa/sort_texts.hpp"
#include "kernels/index/sa/suffix_sorter.hpp"

namespace gsx {
namespace {

using cuda::DeviceBuffer;
namespace tuning = cuda::tuning;

/// Calls build with a position as wide as the text needs.
template <class Build>
auto with_positions(const TextView& text, const BuildOptions& options, const Build& build) {
  return is_wide(text.length(), options.width) ? build(std::uint64_t{}) : build(std::uint32_t{});
}

class CudaBackend final : public cuda::CudaSearches {
 public:
  using Link = std::shared_ptr<cuda::DeviceLink>;

  /// Other GPUs help to build suffix arrays, BWTs and indexes.
  explicit CudaBackend(Link link, std::vector<Link> helpers = {})
      : CudaSearches(std::move(link)), helpers_(std::move(helpers)) {
    const auto add = [this]<class Kind>(const Kind&, Measure<Kind>& measure) {
      using Request = typename Kind::Request;
      measure.plan = [this](const BothStrandsView& text, const Request& request,
                            const BuildOptions& options) {
        const cuda::CurrentDevice current = link_.make_current();
        return plan_of_measure(text, request, options);
      };
      measure.take = [this](const BothStrandsView& text, const Request& request,
                            const BuildOptions& options) {
        const cuda::CurrentDevice current = link_.make_current();
        return take_measure(text, request, options);
      };
    };
    measures().for_each(add);
  }

  BuildPlan plan(const TextView& text, BuildTarget target, const BuildOptions& options) override {
    const cuda::CurrentDevice current = link_.make_current();
    return with_positions(text, options, [&]<class Pos>(Pos) {
      return plan_sorting(text, shape_for<Pos>(text, target, options), target, options);
    });
  }

  void build_rows(const TextView& text, const BuildOptions& options,
                  const TakeRows& take) override {
    take(whole_suffix_array(text, options));
  }
  void build_codes(const TextView& text, const BuildOptions& options,
                   const TakeCodes& take) override {
    take(whole_bwt(text, options));
  }

  SuffixArray whole_suffix_array(const TextView& text, const BuildOptions& options) {
    const cuda::CurrentDevice current = link_.make_current();
    return with_positions(text, options, [&]<class Pos>(Pos) {
      require_host_memory(text, BuildTarget::suffix_array, options);
      const cuda::SortShape shape = shape_for<Pos>(text, BuildTarget::suffix_array, options);
      const auto attempt = [&](const cuda::SortTexts& d_texts, const cuda::SortPlan& plan) {
        cuda::SuffixArrayCollector<Pos> rows(text.length(), transfer(options), link_.stream());
        sort(d_texts, plan, rows, options);
        return SuffixArray(rows.result());
      };
      return sorted(text, shape, options, attempt);
    });
  }

  Buffer<std::uint8_t> whole_bwt(const TextView& text, const BuildOptions& options) {
    const cuda::CurrentDevice current = link_.make_current();
    return with_positions(text, options, [&]<class Pos>(Pos) {
      require_host_memory(text, BuildTarget::bwt, options);
      const cuda::SortShape shape = shape_for<Pos>(text, BuildTarget::bwt, options);
      const auto attempt = [&](const cuda::SortTexts& d_texts, const cuda::SortPlan& plan) {
        cuda::BwtCollector<Pos> bwt(d_texts.view(), plan.at_once, transfer(options),
                                    link_.stream());
        sort(d_texts, plan, bwt, options);
        return bwt.result();
      };
      return sorted(text, shape, options, attempt);
    });
  }

  FmIndex build_index(const TextView& text, const BuildOptions& options) override {
    const cuda::CurrentDevice current = link_.make_current();
    return with_positions(text, options, [&]<class Pos>(Pos) {
      require_host_memory(text, BuildTarget::index, options);
      const cuda::SortShape shape = shape_for<Pos>(text, BuildTarget::index, options);
      const auto attempt = [&](const cuda::SortTexts& d_texts, const cuda::SortPlan& plan) {
        cuda::IndexCollector<Pos> parts(d_texts.view(), options.sample_rate, link_.stream());
        sort(d_texts, plan, parts, options);
        return finish_index(text, parts, options);
      };
      return sorted(text, shape, options, attempt);
    });
  }

  Buffer<std::uint8_t> invert(const BwtBytes& bwt, const BuildOptions& options) override {
    const cuda::CurrentDevice current = link_.make_current();
    const std::uint64_t size = bwt.bytes.size();
    options.memory.require(size + transfer_bytes(), "inverting the BWT on the GPU");
    BwtBytes d_bwt = bwt;
    const auto d_bytes =
        cuda::copy_to_device(bwt.bytes.data(), size, transfer(options), link_.stream());
    d_bwt.bytes = {d_bytes.data(), size};
    DeviceBuffer<std::uint8_t> d_text(size, link_.stream());
    Buffer<std::uint8_t> text(size, "text of the BWT");
    cuda::BackgroundCopy copy(text.data(), size, transfer(options), link_.stream());
    copy.make_pages();
    Stopwatch watch;
    cuda::invert_bwt(d_bwt, d_text.data(), options.width, link_.stream());
    log().debug("BWT inverted in {:.3f} s", watch.lap());
    copy.start(text.data(), d_text.data(), size);
    copy.end();
    return text;
  }

 private:
  using Lengths = KmerMeasure::Request;

  std::vector<KmerFrequencies> take_measure(const BothStrandsView& text, Lengths lengths,
                                            const BuildOptions& options) {
    return with_positions(text.text, options, [&]<class Pos>(Pos) -> std::vector<KmerFrequencies> {
      const auto shape = cuda::kmer_shape<Pos>(text, lengths, link_.pool()->available());
      if (!shape) return {};
      options.memory.require(transfer_bytes() + 2 * text.half * lengths.size(),
                             "counting k-mers on the GPU");
      const auto attempt = [&](const cuda::SortTexts& d_texts, const cuda::SortPlan& plan) {
        cuda::KmerCollector<Pos> kmers(d_texts.view(), text.half, lengths, link_.stream());
        sort(d_texts, plan, kmers, options);
        return kmers.result(transfer(options)).value_or(std::vector<KmerFrequencies>());
      };
      return counted(text.text, *shape, options, "by the rows of the suffix array", attempt);
    });
  }
  std::optional<BuildPlan> plan_of_measure(const BothStrandsView& text, Lengths lengths,
                                           const BuildOptions& options) {
    return with_positions(text.text, options, [&]<class Pos>(Pos) {
      return plan_counting(cuda::kmer_shape<Pos>(text, lengths, link_.pool()->available()),
                           options);
    });
  }

  NearKmerMeasure::Result take_measure(const BothStrandsView& text,
                                       const NearKmerMeasure::Request& request,
                                       const BuildOptions& options) {
    using Counts = NearKmerMeasure::Result;
    return with_positions(text.text, options, [&]<class Pos>(Pos) -> Counts {
      const auto shape = cuda::near_shape<Pos>(text, request.near, link_.pool()->available());
      if (!shape) return std::nullopt;
      options.memory.require(transfer_bytes() + 2 * text.half, "counting k-mers on the GPU");
      const auto attempt = [&](const cuda::SortTexts& d_texts, const cuda::SortPlan& plan) {
        cuda::NearCollector<Pos> kmers({d_texts.view(), text.half}, request.near, request.exact,
                                       transfer(options), link_.stream());
        sort(d_texts, plan, kmers, options);
        return Counts(kmers.result(transfer(options)));
      };
      return counted(text.text, *shape, options, "with mismatches on the CPU", attempt);
    });
  }
  std::optional<BuildPlan> plan_of_measure(const BothStrandsView& text,
                                           const NearKmerMeasure::Request& request,
                                           const BuildOptions& options) {
    return with_positions(text.text, options, [&]<class Pos>(Pos) {
      return plan_counting(cuda::near_shape<Pos>(text, request.near, link_.pool()->available()),
                           options);
    });
  }

  std::optional<SharedLengths> take_measure(const BothStrandsView& text,
                                            const SharedPrefixMeasure::Request&,
                                            const BuildOptions& options) {
    return with_positions(text.text, options, [&]<class Pos>(Pos) -> std::optional<SharedLengths> {
      const cuda::SortShape shape = sharing_shape<Pos>(text);
      if (!cuda::can_share<Pos>(text, shape, link_.pool()->available())) return std::nullopt;
      require_memory_of_lengths(text, options);
      return cuda::share_lengths<Pos>(text, shape, options, link_);
    });
  }
  std::optional<BuildPlan> plan_of_measure(const BothStrandsView& text,
                                           const SharedPrefixMeasure::Request&,
                                           const BuildOptions& options) {
    return with_positions(text.text, options, [&]<class Pos>(Pos) -> std::optional<BuildPlan> {
      const cuda::SortShape shape = sharing_shape<Pos>(text);
      if (!cuda::can_share<Pos>(text, shape, link_.pool()->available())) return std::nullopt;
      require_memory_of_lengths(text, options);
      BuildPlan plan = plan_of(shape, transfer_bytes());
      plan.device_bytes = std::max(plan.device_bytes, cuda::finishing_bytes(text));
      return plan;
    });
  }

  template <class Pos>
  cuda::SortShape shape_for(const TextView& text, BuildTarget target,
                            const BuildOptions& options) const {
    cuda::SortShape shape =
        cuda::shape_of<Pos>(text.length(), text.symbols.bits, text.segments.count);
    shape.helpers = static_cast<std::uint32_t>(helpers_.size());
    if (target == BuildTarget::bwt) {
      shape.result_bytes_in_batch = cuda::BwtCollector<Pos>::bytes_per_row_of_batch;
    }
    if (target == BuildTarget::index) {
      shape.result_bytes = cuda::IndexCollector<Pos>::bytes(text, options.sample_rate);
      shape.result_bytes_in_batch = cuda::IndexCollector<Pos>::bytes_per_row_of_batch(text);
    }
    return shape;
  }

  static void require_memory_of_lengths(const BothStrandsView& text, const BuildOptions& options) {
    const std::uint64_t lengths = SharedLengths::bytes(text.half, text.half < text.text.length());
    options.memory.require(transfer_bytes() + lengths, "comparing suffixes on the GPU");
  }
  template <class Pos>
  static cuda::SortShape sharing_shape(const BothStrandsView& text) {
    const TextView& all = text.text;
    return cuda::sharing_shape(
        text, cuda::shape_of<Pos>(all.length(), all.symbols.bits, all.segments.count));
  }

  BuildPlan plan_sorting(const TextView& text, const cuda::SortShape& shape, BuildTarget target,
                         const BuildOptions& options) const {
    require_host_memory(text, target, options);
    return plan_of(shape, host_bytes(text, target, options));
  }
  BuildPlan plan_of(const cuda::SortShape& shape, std::uint64_t host_bytes) const {
    const std::uint64_t available = link_.pool()->available();
    const cuda::SortPlan first = cuda::plans_within(shape, available).front();
    BuildPlan plan;
    plan.path = first.keep_rows ? "cuda" : "cuda, rows not kept on the GPU";
    plan.part_rows = std::min(first.batch_suffixes, shape.length);
    plan.parts = divide_up(shape.length, plan.part_rows);
    plan.host_bytes = host_bytes;
    plan.device_bytes = cuda::sorting_bytes(shape, first);
    plan.stages = {{"sorting suffixes", plan.host_bytes, plan.device_bytes}};
    return plan;
  }

  std::optional<BuildPlan> plan_counting(const std::optional<cuda::SortShape>& shape,
                                         const BuildOptions& options) const {
    if (!shape) return std::nullopt;
    options.memory.require(transfer_bytes(), "counting k-mers on the GPU");
    return plan_of(*shape, transfer_bytes());
  }

  /// What crosses the bus at a time.
  static constexpr std::uint64_t transfer_bytes() {
    return 2 * tuning::transfer_lanes * tuning::transfer_bytes;
  }
  /// The result in host memory, and what crosses the bus.
  static std::uint64_t host_bytes(const TextView& text, BuildTarget target,
                                  const BuildOptions& options) {
    const std::uint64_t transfers = transfer_bytes();
    const std::uint64_t n = text.length();
    if (target == BuildTarget::bwt) return transfers + n;
    if (target == BuildTarget::suffix_array) {
      return transfers + n * (is_wide(n, options.width) ? 8 : 4);
    }
    const FmPartBytes parts = fm_part_bytes(text, options.fm());
    std::uint64_t bytes = transfers + parts.samples + parts.kmers + 32 * text.segments.count;
    for (const std::uint64_t level : parts.levels)
      bytes += level;
    return bytes;
  }

  static void require_host_memory(const TextView& text, BuildTarget target,
                                  const BuildOptions& options) {
    const std::uint64_t bytes = host_bytes(text, target, options);
    if (options.memory.has_room(bytes) || !options.memory.hard) return;
    throw ResourceError(options.memory.shortage(bytes, "building on the GPU"));
  }

  /// What attempt(d_texts, plan) returns, which sorts the text, now on the device, by a plan.
  template <class Attempt>
  std::invoke_result_t<Attempt, const cuda::SortTexts&, const cuda::SortPlan&> sorted(
      const TextView& text, const cuda::SortShape& shape, const BuildOptions& options,
      const Attempt& attempt) {
    const auto plans = cuda::choose_plans(shape, link_.pool()->available());
    const Stopwatch watch;
    const auto helpers = std::span(helpers_).first(shape.helpers);
    const cuda::SortTexts d_texts(text, shape, plans.front(), {link_, helpers}, options.threads);
    log().debug("text on the device in {:.3f} s", watch.seconds());
    return cuda::try_plans(plans,
                           [&](const cuda::SortPlan& plan) { return attempt(d_texts, plan); });
  }

  /// The same, or nothing where memory runs out: the log says how k-mers are counted `otherwise`.
  template <class Attempt>
  std::invoke_result_t<Attempt, const cuda::SortTexts&, const cuda::SortPlan&> counted(
      const TextView& text, const cuda::SortShape& shape, const BuildOptions& options,
      const char* otherwise, const Attempt& attempt) {
    try {
      return sorted(text, shape, options, attempt);
    } catch (const ResourceError& error) {
      log().info("{}; counting k-mers {}", error.what(), otherwise);
      return {};
    }
  }

  template <class Pos>
  void sort(const cuda::SortTexts& d_texts, const cuda::SortPlan& plan,
            cuda::RowConsumer<Pos>& consumer, const BuildOptions& options) {
    const Stopwatch watch;
    cuda::sort_suffixes(d_texts.view(), plan, consumer, link_.stream(), options.progress,
                        plan.alone ? std::span<const cuda::SortHelper>() : d_texts.helpers());
    log().debug("sorted in {:.3f} s", watch.seconds());
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
    cuda::BuiltWaveletMatrix bwt = parts.build_wavelet_matrix(holes, transfer(options));
    log().debug("wavelet matrix built in {:.3f} s", watch.lap());
    source.bwt = std::move(bwt.host);
    source.kmers = build_kmers(text, source.bwt.view(), bwt.device.view(), options);
    log().debug("k-mer table built in {:.3f} s", watch.lap());
    source.samples = cuda::pack_to_host(parts.samples(), bits_for(text.length()),
                                        "suffix array samples", transfer(options), link_.stream());
    log().debug("samples packed in {:.3f} s", watch.lap());
    return {text, std::move(source), options.fm(), options.threads};
  }

  KmerTable build_kmers(const TextView& text, const WaveletMatrixView& bwt,
                        const WaveletMatrixView& d_bwt, const BuildOptions& options) {
    const auto c_offset = c_offsets_of(bwt, text.sigma, text.segments.count);
    const auto d_c_offset =
        cuda::copy_to_device(c_offset.data(), c_offset.size(), transfer(options), link_.stream());
    FmView d_fm;
    d_fm.bwt = d_bwt;
    d_fm.c_offset = d_c_offset.data();
    d_fm.sigma = text.sigma;
    return cuda::build_kmer_table(d_fm, options.fm().kmer_length_for(text), transfer(options),
                                  link_.stream());
  }

  cuda::Transfer& transfer(const BuildOptions& options) { return link_.transfer(options.threads); }

  std::vector<Link> helpers_;
};

}  // namespace

std::unique_ptr<Backend> make_cuda_backend(int device, std::uint64_t memory_limit) {
  return std::make_unique<CudaBackend>(std::make_shared<cuda::DeviceLink>(device, memory_limit));
}

std::unique_ptr<Backend> make_cuda_backend(std::span<const int> devices,
                                           std::uint64_t memory_limit) {
  // At the same time, because each takes a good part of a second. Of several errors, that of the
  // first GPU is told.
  std::vector<CudaBackend::Link> links(devices.size());
  std::vector<std::exception_ptr> errors(devices.size());
  run_threads(static_cast<int>(links.size()), [&](int thread) {
    const auto i = static_cast<std::size_t>(thread);
    try {
      links[i] = std::make_shared<cuda::DeviceLink>(devices[i], memory_limit);
    } catch (...) {
      errors[i] = std::current_exception();
    }
  });
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  cuda::link_memory(links);
  std::vector<std::unique_ptr<Backend>> backends;
  backends.push_back(std::make_unique<CudaBackend>(
      links.front(), std::vector<CudaBackend::Link>(links.begin() + 1, links.end())));
  for (std::size_t i = 1; i < links.size(); ++i)
    backends.push_back(std::make_unique<CudaBackend>(links[i]));
  return make_multi_device_backend(std::move(backends));
}

}  // namespace gsx
