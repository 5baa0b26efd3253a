// Two devices, the second of which does what the first cannot.
#pragma once

#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"

namespace gsx {

/// Logs that the CPU goes on where a GPU has failed, which is worth knowing although the results
/// are the same.
inline void warn_of_failed_device(const DeviceError& error) {
  log().warn("using the CPU from here on: {}", error.what());
}

/// Every request goes to the first; when it throws DeviceError, ResourceError or std::bad_alloc,
/// that is logged, the first DeviceError as a warning, and the second does the work from the start.
/// The next request goes to the first again.
template <class T>
class FirstOrSecond {
 public:
  FirstOrSecond(std::unique_ptr<T> first, std::unique_ptr<T> second)
      : first_(std::move(first)), second_(std::move(second)) {}

  T& first() const { return *first_; }
  T& second() const { return *second_; }
  /// Whether the second has done any work.
  bool failed() const { return failed_; }
  /// "FIRST", or "FIRST, then SECOND" when `both` have worked.
  std::string name(bool both) const {
    return both ? first_->name() + ", then " + second_->name() : first_->name();
  }

  template <class Request>
  std::invoke_result_t<Request, T&> ask(const Request& request) {
    try {
      return request(*first_);
    } catch (const DeviceError& error) {
      if (!std::exchange(warned_, true)) warn_of_failed_device(error);
      failed_ = true;
    } catch (const ResourceError& error) {
      fall_back(error.what());
    } catch (const std::bad_alloc&) {
      fall_back("out of host memory");
    }
    return request(*second_);
  }

 private:
  void fall_back(const char* why) {
    log().debug("using the CPU: {}", why);
    failed_ = true;
  }

  std::unique_ptr<T> first_;
  std::unique_ptr<T> second_;
  bool failed_ = false;
  bool warned_ = false;
};

}  // namespace gsx
