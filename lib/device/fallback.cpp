#include "device/fallback.hpp"

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/fallback_searcher.hpp"

namespace gsx {
namespace {

class FallbackBackend final : public Backend {
 public:
  FallbackBackend(std::unique_ptr<Backend> first, std::unique_ptr<Backend> second)
      : devices_(std::move(first), std::move(second)) {
    searches().for_each([this]<class Kind>(const Kind&, OpenSearcher<Kind>& open) {
      open = [this](const typename Kind::Setup& setup) { return open_on_both<Kind>(setup); };
    });
    measures().for_each([this]<class Kind>(const Kind&, Measure<Kind>& measure) {
      measure.plan = [this](const auto&... asked) {
        return devices_.ask([&](Backend& backend) { return backend.plan_measure<Kind>(asked...); });
      };
      measure.take = [this](const auto&... asked) {
        return devices_.ask([&](Backend& backend) { return backend.measure<Kind>(asked...); });
      };
    });
  }

  std::string name() const override { return devices_.name(devices_.failed() || searcher_failed_); }
  std::uint64_t peak_device_bytes() const override { return devices_.first().peak_device_bytes(); }

  BuildPlan plan(const TextView& text, BuildTarget target, const BuildOptions& options) override {
    return devices_.ask([&](Backend& backend) { return backend.plan(text, target, options); });
  }
  void build_rows(const TextView& text, const BuildOptions& options,
                  const TakeRows& take) override {
    hand_over(take, [&](Backend& backend, const TakeRows& take_rows) {
      backend.build_rows(text, options, take_rows);
    });
  }
  void build_codes(const TextView& text, const BuildOptions& options,
                   const TakeCodes& take) override {
    hand_over(take, [&](Backend& backend, const TakeCodes& take_codes) {
      backend.build_codes(text, options, take_codes);
    });
  }
  FmIndex build_index(const TextView& text, const BuildOptions& options) override {
    return devices_.ask([&](Backend& backend) { return backend.build_index(text, options); });
  }
  Buffer<std::uint8_t> invert(const BwtBytes& bwt, const BuildOptions& options) override {
    return devices_.ask([&](Backend& backend) { return backend.invert(bwt, options); });
  }
  int search_threads(int cores) const override {
    return (second_searches_ ? devices_.second() : devices_.first()).search_threads(cores);
  }

 private:
  template <class Kind>
  std::unique_ptr<typename Kind::Searcher> open_on_both(const typename Kind::Setup& setup) {
    return devices_.ask([&](Backend& backend) -> std::unique_ptr<typename Kind::Searcher> {
      std::unique_ptr<typename Kind::Searcher> searcher = backend.open<Kind>(setup);
      second_searches_ = &backend == &devices_.second();
      if (second_searches_) return searcher;
      return std::make_unique<FallbackSearcher<Kind>>(
          std::move(searcher), [this, setup] { return devices_.second().open<Kind>(setup); },
          searcher_failed_);
    });
  }

  /// Gives `take` what build(device, take) gives on the first device, or on the second if the first
  /// fails. A part that was handed over cannot be taken back, so the first device's parts are held
  /// until all of them are there.
  template <class Part, class Build>
  void hand_over(const std::function<void(Part)>& take, const Build& build) {
    std::vector<Part> parts;
    const bool by_first = devices_.ask([&](Backend& backend) {
      if (&backend != &devices_.first()) return false;
      build(backend, [&](Part part) { parts.push_back(std::move(part)); });
      return true;
    });
    if (by_first) {
      for (Part& part : parts)
        take(std::move(part));
    } else {
      parts.clear();
      build(devices_.second(), take);
    }
  }

  FirstOrSecond<Backend> devices_;
  bool second_searches_ = false;              ///< whether the last searcher is the second's
  std::atomic<bool> searcher_failed_{false};  ///< in the middle of its work
};

class FallbackVerifier final : public Verifier {
 public:
  FallbackVerifier(std::unique_ptr<Verifier> first, std::unique_ptr<Verifier> second)
      : devices_(std::move(first), std::move(second)) {}

  std::string name() const override { return devices_.name(devices_.failed()); }
  std::uint64_t peak_device_bytes() const override { return devices_.first().peak_device_bytes(); }
  std::optional<std::uint64_t> find_wrong_row(const TextView& text, const SuffixArray& rows,
                                              int threads) override {
    return devices_.ask(
        [&](Verifier& verifier) { return verifier.find_wrong_row(text, rows, threads); });
  }
  std::uint64_t verify_bwt(const Index& index, int threads,
                           const ProgressReport& progress) override {
    return devices_.ask(
        [&](Verifier& verifier) { return verifier.verify_bwt(index, threads, progress); });
  }

 private:
  FirstOrSecond<Verifier> devices_;
};

}  // namespace

std::unique_ptr<Backend> make_fallback_backend(std::unique_ptr<Backend> first,
                                               std::unique_ptr<Backend> second) {
  return std::make_unique<FallbackBackend>(std::move(first), std::move(second));
}

std::unique_ptr<Verifier> make_fallback_verifier(std::unique_ptr<Verifier> first,
                                                 std::unique_ptr<Verifier> second) {
  return std::make_unique<FallbackVerifier>(std::move(first), std::move(second));
}

}  // namespace gsx
