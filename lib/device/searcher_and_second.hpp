// A searcher of a device, and the CPU's for when it fails.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "device/first_or_second.hpp"

namespace gsx {

/// A searcher, and another one for when it fails: when the first throws DeviceError (a warning) or
/// ResourceError, that is logged, and the second does the batch that failed, from where it failed,
/// and all that follow.
template <class AnySearcher>
class SearcherAndSecond {
 public:
  using Open = std::function<std::unique_ptr<AnySearcher>()>;

  /// `failed` is set when the second one takes over.
  SearcherAndSecond(std::unique_ptr<AnySearcher> first, Open open_second, std::atomic<bool>& failed)
      : first_(std::move(first)), open_second_(std::move(open_second)), failed_(failed) {}

  AnySearcher& first() const { return *first_; }
  /// The second, opened if it is not.
  AnySearcher& second() const {
    const std::lock_guard lock(opening_);
    if (!second_) second_ = open_second_();
    return *second_;
  }

  /// Calls count_on(searcher) with the first, or with what it has started, and with the second
  /// if that fails.
  template <class Count>
  void count(const Count& count_on, const AnySearcher* started = nullptr) const {
    const AnySearcher& first = started == nullptr ? *first_ : *started;
    if (!try_first([&] { count_on(first); }, [] { return false; })) count_on(second());
  }
  /// Calls stream_on(searcher, patterns, sink) with the first, or with what it has started, and
  /// with the second for what was not given.
  template <class Progress, class SomePatterns, class Sink, class StreamOn>
  void stream(const SomePatterns& patterns, const Sink& sink, const StreamOn& stream_on,
              const AnySearcher* started = nullptr) const {
    const AnySearcher& first = started == nullptr ? *first_ : *started;
    Progress progress(sink);
    const Sink pass_on = [&](const auto& chunk) { progress.pass_on(chunk); };
    // What the sink throws, such as a full disk, is no failure of the device.
    if (try_first([&] { stream_on(first, patterns, pass_on); },
                  [&] { return progress.in_sink(); })) {
      return;
    }
    const std::size_t done = progress.pattern();
    stream_on(second(), patterns.some(done, patterns.size()), [&](auto chunk) {
      chunk.first += done;
      progress.pass_on(chunk);
    });
  }

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

 private:
  void fall_back(const std::string& why) const {
    if (!failed_.exchange(true)) log().debug("using the CPU from here on: {}", why);
  }

  std::unique_ptr<AnySearcher> first_;
  Open open_second_;
  std::atomic<bool>& failed_;
  mutable std::mutex opening_;
  mutable std::unique_ptr<AnySearcher> second_;
};

}  // namespace gsx
