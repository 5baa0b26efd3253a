#include "device/fallback.hpp"

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/first_or_second.hpp"
#include "device/forwarding_backend.hpp"
#include "device/forwarding_searcher.hpp"

namespace gsx {
namespace {

/// A searcher, and another one for when it fails: when the first throws DeviceError (a warning) or
/// ResourceError, that is logged, and the second does the batch that failed, from where it failed,
/// and all that follow.
template <class Some>
class SearcherAndSecond {
 public:
  using Open = std::function<std::unique_ptr<Some>()>;
  using Tell = std::function<void(Some&)>;
  struct Started {
    std::unique_ptr<Some> searcher;
  };

  /// `failed` is set when the second one takes over.
  SearcherAndSecond(std::unique_ptr<Some> first, Open open_second, std::atomic<bool>& failed)
      : first_(std::move(first)), open_second_(std::move(open_second)), failed_(failed) {}

  const Some& front() const { return *first_; }
  template <class Holds>
  bool all_are(const Holds& holds) const {
    return holds(*first_);
  }

  template <class Call>
  void ask(const Call& call, Some* started = nullptr) const {
    if (!try_first([&] { call(started == nullptr ? *first_ : *started); }, never)) call(second());
  }
  template <class Progress, class Sink, class Give>
  void stream(const Sink& sink, const Give& give, Some* started = nullptr) const {
    Progress progress(sink);
    const Sink pass_on = [&](const auto& chunk) { progress.pass_on(chunk); };
    // What the sink throws, such as a full disk, is no failure of the device.
    if (!try_first([&] { give(started == nullptr ? *first_ : *started, pass_on, 0); },
                   [&] { return progress.in_sink(); })) {
      give(second(), pass_on, progress.pattern());
    }
  }
  template <class Begin>
  Started start(const Begin& begin) const {
    Started started;
    try_first([&] { started.searcher = begin(*first_); }, never);
    return started;
  }
  void tell(const Tell& what) {
    told_ = what;
    if (second_) return told_(*second_);
    if (!try_first([&] { told_(*first_); }, never)) second();
  }

 private:
  static bool never() { return false; }

  /// Whether the first could do `request`; rethrows the errors for which `is_final` holds.
  template <class Request, class IsFinal>
  bool try_first(const Request& request, const IsFinal& is_final) const {
    if (failed_) return false;
    try {
      request();
      return true;
    } catch (const DeviceError& error) {
      if (is_final()) throw;
      if (!failed_.exchange(true)) warn_of_failed_device(error);
    } catch (const ResourceError& error) {
      if (is_final()) throw;
      fall_back(error.what());
    } catch (const std::bad_alloc&) {
      if (is_final()) throw;
      fall_back("out of host memory");
    }
    return false;
  }
  void fall_back(const char* why) const {
    if (!failed_.exchange(true)) log().debug("using the CPU from here on: {}", why);
  }
  /// The second, opened and told what the first was if it is not.
  Some& second() const {
    const std::lock_guard lock(opening_);
    if (!second_) {
      second_ = open_second_();
      if (told_) told_(*second_);
    }
    return *second_;
  }

  std::unique_ptr<Some> first_;
  Open open_second_;
  Tell told_;  ///< may be empty
  std::atomic<bool>& failed_;
  mutable std::mutex opening_;
  mutable std::unique_ptr<Some> second_;
};

/// A back end, and another one for when it fails.
class BackendAndSecond {
 public:
  BackendAndSecond(std::unique_ptr<Backend> first, std::unique_ptr<Backend> second)
      : devices_(std::move(first), std::move(second)) {}

  std::string name() const { return devices_.name(devices_.failed() || searcher_failed_); }
  std::uint64_t peak_bytes() const { return devices_.first().peak_device_bytes(); }
  const Backend& searching() const {
    return second_searches_ ? devices_.second() : devices_.first();
  }

  template <class Request>
  auto ask(const Request& request) {
    return devices_.ask(request);
  }
  /// A part that was handed over cannot be taken back, so the first device's parts are held until
  /// all of them are there.
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
  template <class Kind>
  std::unique_ptr<typename Kind::Searcher> open(const typename Kind::Setup& setup) {
    return devices_.ask([&](Backend& backend) -> std::unique_ptr<typename Kind::Searcher> {
      std::unique_ptr<typename Kind::Searcher> searcher = backend.open<Kind>(setup);
      second_searches_ = &backend == &devices_.second();
      if (second_searches_) return searcher;
      return std::make_unique<ForwardingSearcher<Kind, SearcherAndSecond>>(
          std::in_place, std::move(searcher),
          [this, setup] { return devices_.second().open<Kind>(setup); }, searcher_failed_);
    });
  }

 private:
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
  return std::make_unique<ForwardingBackend<BackendAndSecond>>(std::move(first), std::move(second));
}

std::unique_ptr<Verifier> make_fallback_verifier(std::unique_ptr<Verifier> first,
                                                 std::unique_ptr<Verifier> second) {
  return std::make_unique<FallbackVerifier>(std::move(first), std::move(second));
}

}  // namespace gsx
