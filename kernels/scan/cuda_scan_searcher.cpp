#include "kernels/scan/cuda_scan_searcher.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "kernels/runtime/current_device.hpp"
#include "kernels/scan/bit_scan.hpp"
#include "kernels/scan/record_finder.hpp"

namespace gsx::cuda {
namespace {

/// The patterns that are scanned for together: enough to hide what a launch costs, few enough for
/// little memory.
constexpr GroupLimits group_limits{8192, std::size_t{1} << 18, std::uint64_t{1} << 19};
static_assert(group_limits.patterns <= HitRecord::most_patterns);

/// The scan of one call.
class ScanFinder final : public RecordFinder {
 public:
  ScanFinder(const PlacedText& text, const Options& options)
      : RecordFinder(text.view().length(), text.pool(), options), text_(text.view()) {}

  std::size_t group_end(const SetPatterns& patterns, std::size_t first,
                        const MismatchRequest& request, std::size_t most) override {
    GroupLimits limits = group_limits;
    limits.patterns = std::min(limits.patterns, most);
    return end_of_group(patterns, first, request, limits);
  }

 private:
  void prepare(const SetPatterns& patterns, const MismatchRequest& request) override {
    strands_.emplace(SlicedStrands(patterns, request), stream());
    most_ = request.mismatches;
  }
  void find_async(const PlaceRange& range, const ScanResult& result) override {
    scan_async(text_, range, *strands_, most_, result, stream());
  }

  TextView text_;
  std::optional<DeviceStrands> strands_;
  std::uint32_t most_ = 0;
};

class CudaScanSearcher final : public MismatchWay {
 public:
  CudaScanSearcher(std::shared_ptr<const PlacedText> text, const ScanOptions& options)
      : text_(std::move(text)), options_(options) {}

  std::string_view name() const override { return "scan on the GPU"; }

  double cost(const SetPatterns& patterns, const MismatchRequest& request) const override {
    // Estimated from the operations per position: of a place and strand, and of making a window.
    constexpr double launch = 1e-3, position = 1.2e-14, window = 5e-14;
    const double strands = request.strands == Strands::both ? 2 : 1;
    double compared = 0;
    for (std::size_t i = 0; i < patterns.size(); ++i)
      compared +=
          std::min<double>(static_cast<double>(patterns[i].size()), request.mismatches * 2 + 12);
    const auto length = static_cast<double>(text_->view().length());
    return options_.threads * (launch + length * (window + strands * compared * position));
  }

  void count(const SetPatterns& patterns, const MismatchRequest& request,
             MismatchCounts& counts) const override {
    const CurrentDevice current(text_->pool().device());
    counts.reset(patterns.size(), request.mismatches);
    ScanFinder finder(*text_, finder_options());
    MismatchCounts some;
    for (std::size_t first = 0; first < patterns.size();) {
      const std::size_t end = end_of_group(patterns, first, request, group_limits);
      some.reset(end - first, request.mismatches);
      finder.count(patterns.some(first, end), request, some);
      counts.put(first, some);
      first = end;
    }
  }

  void stream_hits(const SetPatterns& patterns, const MismatchRequest& request,
                   const HitSink& sink) const override {
    const CurrentDevice current(text_->pool().device());
    const HitSink callers = [&](const HitChunk& chunk) {
      const CallersDevice outside;
      sink(chunk);
    };
    ScanFinder finder(*text_, finder_options());
    stream_found(finder, patterns, request, {.hits_at_once = options_.host_hits}, callers);
  }

 private:
  RecordFinder::Options finder_options() const {
    return {options_.host_hits, options_.range_places};
  }

  std::shared_ptr<const PlacedText> text_;
  ScanOptions options_;
};

}  // namespace

std::unique_ptr<MismatchWay> make_scan_searcher(std::shared_ptr<const PlacedText> text,
                                                const ScanOptions& options) {
  return std::make_unique<CudaScanSearcher>(std::move(text), options);
}

}  // namespace gsx::cuda
