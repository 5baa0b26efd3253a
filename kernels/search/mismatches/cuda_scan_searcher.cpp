#include "kernels/search/mismatches/cuda_scan_searcher.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "kernels/base/current_device.hpp"
#include "kernels/search/mismatches/bit_scan.hpp"
#include "kernels/search/mismatches/key_search.hpp"
#include "kernels/search/mismatches/record_finder.hpp"

namespace gsx::cuda {
namespace {

/// The patterns that are scanned for together: enough to hide what a launch costs, few enough for
/// little memory.
constexpr GroupLimits plane_limits{8192, std::size_t{1} << 18, std::uint64_t{1} << 19};
constexpr GroupLimits key_limits{1 << 16, std::size_t{1} << 18, std::uint64_t{1} << 20};
static_assert(plane_limits.patterns <= HitRecord::most_patterns);
static_assert(key_limits.patterns <= HitRecord::most_patterns);

/// Seconds to begin, and of a symbol, to make a window. Estimated from operations.
constexpr double launch_cost = 1e-3, window_cost = 5e-14;

/// Seconds to compare a symbol with a strand. Estimated from the operations per position.
double plane_cost(std::span<const BaseSet> pattern, std::uint32_t mismatches) {
  constexpr double position = 1.2e-14;
  return position * std::min<double>(static_cast<double>(pattern.size()), mismatches * 2 + 12);
}

/// Estimated: a lookup from its 20 operations and its share of reading a sieve, a place from its
/// reads of the second cache, which few lanes of a warp do at the same time; whole searches of 3.1
/// Gbp agree (H200). The host puts keys into tables: it has each twice, with 14 bytes in a table
/// and up to 16 in a sieve, and 8 to sort it by.
constexpr KeyCosts key_costs{
    .lookup = 2.5e-12, .place = 4e-11, .key = 100e-9, .key_bytes = 68, .others = plane_cost};

/// The most bytes of tables for a call that may hold so many hits: as many as the hits take.
std::uint64_t bytes_for_tables(std::uint64_t hits) {
  constexpr std::uint64_t most_hits = std::uint64_t{1} << 32;
  return std::min(hits, most_hits) * sizeof(Hit);
}

/// The scan of one call.
class ScanFinder final : public RecordFinder {
 public:
  ScanFinder(const PlacedText& text, const ScanOptions& options)
      : RecordFinder(text.view().length(), text.pool(), {options.host_hits, options.range_places}),
        text_(text.view()),
        by_keys_(options.by == ScanBy::keys),
        threads_(options.threads),
        table_bytes_(
            by_keys_ ? std::min(bytes_for_tables(options.host_hits), text.pool().available() / 4)
                     : 0) {}

  std::size_t group_end(const SetPatterns& patterns, std::size_t first,
                        const MismatchRequest& request, std::size_t most) override {
    GroupLimits limits = by_keys_ ? key_limits : plane_limits;
    limits.patterns = std::min(limits.patterns, most);
    if (!by_keys_) return end_of_group(patterns, first, request, limits);
    return end_of_key_group(patterns, first, request, limits, key_costs, table_bytes_);
  }

 private:
  void prepare(const SetPatterns& patterns, const MismatchRequest& request) override {
    keys_.reset();
    most_ = request.mismatches;
    std::optional<KeyLayout> layout;
    if (by_keys_) layout = choose_key_layout(patterns, request, key_costs, table_bytes_);
    if (!layout) {
      strands_.emplace(SlicedStrands(patterns, request), stream());
      return;
    }
    keys_.emplace(KeyTables(patterns, request, *layout, threads_, true), stream());
    strands_.emplace(SlicedStrands(layout->unfit(patterns).patterns(), request), stream());
  }
  void find_async(const PlaceRange& range, const ScanResult& result) override {
    if (keys_) keys_->find_async(text_, range, result, stream());
    scan_async(text_, range, *strands_, most_, result, stream());
  }

  TextView text_;
  bool by_keys_;
  int threads_;
  std::uint64_t table_bytes_;  ///< on the host, and on the device
  std::optional<DeviceKeys> keys_;
  std::optional<DeviceStrands> strands_;
  std::uint32_t most_ = 0;
};

class CudaScanSearcher final : public MismatchWay {
 public:
  CudaScanSearcher(std::shared_ptr<const PlacedText> text, const ScanOptions& options)
      : text_(std::move(text)), options_(options) {}

  std::string_view name() const override {
    return options_.by == ScanBy::keys ? "keys on the GPU" : "scan on the GPU";
  }

  double cost(const SetPatterns& patterns, const MismatchRequest& request) const override {
    const auto length = static_cast<double>(text_->view().length());
    if (options_.by == ScanBy::keys) {
      const auto layout = choose_key_layout(patterns, request, key_costs);
      if (!layout) return impossible;
      const double groups = std::max({1.0,
                                      static_cast<double>(layout->bytes) /
                                          static_cast<double>(bytes_for_tables(options_.host_hits)),
                                      static_cast<double>(patterns.size()) / key_limits.patterns});
      return layout->pattern_cost +
             options_.threads *
                 (launch_cost + length * groups * (window_cost + layout->symbol_cost));
    }
    const double strands = request.strands == Strands::both ? 2 : 1;
    double compared = 0;
    for (std::size_t i = 0; i < patterns.size(); ++i)
      compared += plane_cost(patterns[i], request.mismatches);
    return options_.threads * (launch_cost + length * (window_cost + strands * compared));
  }

  void count(const SetPatterns& patterns, const MismatchRequest& request,
             MismatchCounts& counts) const override {
    const CurrentDevice current(text_->pool().device());
    counts.reset(patterns.size(), request.mismatches);
    ScanFinder finder(*text_, options_);
    MismatchCounts some;
    for (std::size_t first = 0; first < patterns.size();) {
      const std::size_t end = finder.group_end(patterns, first, request, patterns.size());
      some.reset(end - first, request.mismatches);
      finder.count(patterns.some(first, end), request, some);
      counts.put(first, some);
      first = end;
    }
  }

  void stream(const SetPatterns& patterns, const MismatchRequest& request,
              const HitSink& sink) const override {
    const CurrentDevice current(text_->pool().device());
    const HitSink callers = [&](const HitChunk& chunk) {
      const CallersDevice outside;
      sink(chunk);
    };
    ScanFinder finder(*text_, options_);
    stream_found(finder, patterns, request, {.hits_at_once = options_.host_hits}, callers);
  }

 private:
  std::shared_ptr<const PlacedText> text_;
  ScanOptions options_;
};

}  // namespace

std::unique_ptr<MismatchWay> make_scan_searcher(std::shared_ptr<const PlacedText> text,
                                                const ScanOptions& options) {
  return std::make_unique<CudaScanSearcher>(std::move(text), options);
}

}  // namespace gsx::cuda
