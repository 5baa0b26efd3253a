#include "backend/fallback.hpp"

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"

namespace gsx {
namespace {

/// Searches with `first`; when that throws DeviceError or ResourceError, logs why and goes on with
/// another searcher, for the batch that failed and all that follow.
class FallbackSearcher final : public Searcher {
 public:
  using Open = std::function<std::unique_ptr<Searcher>()>;

  FallbackSearcher(std::unique_ptr<Searcher> first, Open open_second)
      : first_(std::move(first)), open_second_(std::move(open_second)) {}

  int concurrency() const override { return first_->concurrency(); }
  void count(const Patterns& patterns, Strands strands,
             std::vector<StrandCounts>& counts) const override {
    try_both([&](const Searcher& searcher) { searcher.count(patterns, strands, counts); });
  }
  void locate(const Patterns& patterns, Strands strands, std::uint64_t max_hits,
              Hits& hits) const override {
    try_both([&](const Searcher& searcher) { searcher.locate(patterns, strands, max_hits, hits); });
  }
  const SequenceQueries* sequence() const override { return first_->sequence(); }

 private:
  template <class Request>
  void try_both(const Request& request) const {
    if (!failed_) {
      try {
        request(*first_);
        return;
      } catch (const DeviceError& error) {
        fall_back(error);
      } catch (const ResourceError& error) {
        fall_back(error);
      }
    }
    {
      const std::lock_guard lock(opening_);
      if (!second_) second_ = open_second_();
    }
    request(*second_);
  }
  void fall_back(const Error& error) const {
    if (!failed_.exchange(true)) log().info("using the CPU from here on: {}", error.what());
  }

  std::unique_ptr<Searcher> first_;
  Open open_second_;
  mutable std::atomic<bool> failed_{false};
  mutable std::mutex opening_;
  mutable std::unique_ptr<Searcher> second_;
};

class FallbackBackend final : public Backend {
 public:
  FallbackBackend(std::unique_ptr<Backend> first, std::unique_ptr<Backend> second)
      : first_(std::move(first)), second_(std::move(second)), last_(first_.get()) {}

  std::string name() const override { return last_->name(); }

  std::uint64_t peak_device_bytes() const override { return first_->peak_device_bytes(); }
  std::vector<Ceiling> measure_ceilings(int threads) override {
    return first_->measure_ceilings(threads);
  }
  BuildPlan plan(const TextView& text, Product product, const BuildOptions& options) override {
    return try_both([&](Backend& backend) { return backend.plan(text, product, options); });
  }
  SuffixArray build_suffix_array(const TextView& text, const BuildOptions& options) override {
    return try_both([&](Backend& backend) { return backend.build_suffix_array(text, options); });
  }
  Buffer<std::uint8_t> build_bwt(const TextView& text, const BuildOptions& options) override {
    return try_both([&](Backend& backend) { return backend.build_bwt(text, options); });
  }
  FmIndex build_index(const TextView& text, const BuildOptions& options) override {
    return try_both([&](Backend& backend) { return backend.build_index(text, options); });
  }
  // What the first one has given cannot be taken back, so it gives nothing before it has all.
  void stream_suffix_array(const TextView& text, const BuildOptions& options,
                           const OnSuffixBlock& on_block) override {
    const auto rows = try_first([&] { return first_->build_suffix_array(text, options); });
    if (rows) return on_block(block_of(*rows));
    second_->stream_suffix_array(text, options, on_block);
  }
  void stream_bwt(const TextView& text, const BuildOptions& options,
                  const OnCodes& on_codes) override {
    const auto codes = try_first([&] { return first_->build_bwt(text, options); });
    if (codes) return on_codes(codes->span());
    second_->stream_bwt(text, options, on_codes);
  }
  std::unique_ptr<Searcher> open(const Index& index, int threads) override {
    std::unique_ptr<Searcher> searcher =
        try_both([&](Backend& backend) { return backend.open(index, threads); });
    if (last_ == second_.get()) return searcher;
    return std::make_unique<FallbackSearcher>(
        std::move(searcher), [this, &index, threads] { return second_->open(index, threads); });
  }
  std::vector<QueryRate> measure_queries(const Index& index, int threads) override {
    return try_both([&](Backend& backend) { return backend.measure_queries(index, threads); });
  }
  std::optional<std::uint64_t> find_wrong_row(const TextView& text, const SuffixArray& rows,
                                              int threads) override {
    return try_both([&](Backend& backend) { return backend.find_wrong_row(text, rows, threads); });
  }
  std::uint64_t verify_bwt(const Index& index, int threads, const ProgressReport& progress) override {
    return try_both(
        [&](Backend& backend) { return backend.verify_bwt(index, threads, progress); });
  }

 private:
  template <class Request>
  std::invoke_result_t<Request, Backend&> try_both(const Request& request) {
    last_ = first_.get();
    try {
      return request(*first_);
    } catch (const DeviceError& error) {
      log().info("using the CPU: {}", error.what());
    } catch (const ResourceError& error) {
      log().info("using the CPU: {}", error.what());
    }
    last_ = second_.get();
    return request(*second_);
  }

  /// What `request` gives of the first one; none when the second one has to be used.
  template <class Request>
  std::optional<std::invoke_result_t<Request>> try_first(const Request& request) {
    using Result = std::optional<std::invoke_result_t<Request>>;
    return try_both([&](Backend& backend) -> Result {
      if (&backend != first_.get()) return std::nullopt;
      return request();
    });
  }

  std::unique_ptr<Backend> first_;
  std::unique_ptr<Backend> second_;
  Backend* last_;
};

}  // namespace

std::unique_ptr<Backend> make_fallback_backend(std::unique_ptr<Backend> first,
                                               std::unique_ptr<Backend> second) {
  return std::make_unique<FallbackBackend>(std::move(first), std::move(second));
}

}  // namespace gsx
