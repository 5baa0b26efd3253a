#include "kernels/base/background_copy.hpp"

#include <new>
#include <system_error>
#include <utility>

#include "kernels/base/current_device.hpp"

namespace gsx::cuda {

BackgroundCopy::BackgroundCopy(void* h_array, std::uint64_t bytes, Transfer& transfer,
                               DeviceStream stream)
    : transfer_(transfer), stream_(stream), pages_(h_array, bytes) {
  try {
    thread_ = std::thread([this] { work(); });
  } catch (const std::system_error&) {
    // There is no thread to be had: start() copies.
  } catch (const std::bad_alloc&) {
    // As above.
  }
}

BackgroundCopy::~BackgroundCopy() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    stop_making_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void BackgroundCopy::make_pages() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    makes_pages_ = true;
  }
  changed_.notify_all();
}

void BackgroundCopy::start(void* h_target, const void* d_source, std::uint64_t bytes) {
  auto ready = std::make_unique<Event>(cudaEventDisableTiming);
  ready->record(stream_);
  if (!thread_.joinable()) return copy({h_target, d_source, bytes, std::move(ready)});
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back({h_target, d_source, bytes, std::move(ready)});
    ++open_;
    makes_pages_ = true;
    stop_making_ = true;
  }
  changed_.notify_all();
}

void BackgroundCopy::wait(std::uint64_t open) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return open_ <= open; });
  throw_error();
}

void BackgroundCopy::end() {
  std::unique_lock lock(mutex_);
  makes_pages_ = false;
  stop_making_ = true;
  changed_.wait(lock, [&] { return open_ == 0 && !is_making_; });
  throw_error();
}

void BackgroundCopy::throw_error() {
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void BackgroundCopy::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ended_ || !queue_.empty() || makes_pages_; });
    if (!queue_.empty()) {
      Copy next = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      std::exception_ptr error;
      try {
        copy(std::move(next));
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      if (error && !error_) error_ = std::move(error);
      --open_;
    } else if (ended_) {
      return;
    } else {
      is_making_ = true;
      stop_making_ = false;
      lock.unlock();
      const bool has_all = transfer_.make_pages(pages_, stop_making_);
      lock.lock();
      is_making_ = false;
      if (has_all) makes_pages_ = false;
    }
    changed_.notify_all();
  }
}

void BackgroundCopy::copy(Copy next) {
  const CurrentDevice current(transfer_.device());
  // It goes while its GPU is current: the end of an event makes a context where there is none.
  const std::unique_ptr<Event> ready = std::move(next.ready);
  ready->wait();
  transfer_.to_host(next.h_target, next.d_source, next.bytes);
}

}  // namespace gsx::cuda
