#include "stream.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <thread>
#include <utility>

#include "block.hpp"
#include "device.hpp"
#include "emulation/queue.hpp"
#include "options.hpp"

namespace gsx::emulation {
namespace {

/// All streams and events that live. Never destroyed: others may be at the end of the process.
struct Handles {
  std::mutex mutex;
  std::set<Stream*> streams;
  std::set<Event*> events;
};

Handles& handles() {
  static auto& handles = *new Handles;
  return handles;
}

/// The streams of a device, or of all; those that the default stream waits for, or all.
std::vector<std::shared_ptr<Queue>> queues(int device, bool only_blocking) {
  std::vector<std::shared_ptr<Queue>> found;
  const std::lock_guard lock(handles().mutex);
  for (const Stream* stream : handles().streams) {
    const Queue& queue = *stream->queue;
    if ((device < 0 || queue.device() == device) && (!only_blocking || queue.is_blocking()))
      found.push_back(stream->queue);
  }
  return found;
}

/// The queue of a stream; null for the default stream. Fails for one that has been destroyed.
std::shared_ptr<Queue> queue_of(cudaStream_t stream) {
  if (stream == nullptr) return nullptr;
  const std::lock_guard lock(handles().mutex);
  if (!handles().streams.contains(stream)) fail("a stream is used after its end");
  return stream->queue;
}

std::shared_ptr<Mark> mark_of(cudaEvent_t event) {
  const std::lock_guard lock(handles().mutex);
  if (!handles().events.contains(event)) fail("an event is used after its end");
  return event->mark;
}

/// Work on the default stream comes after all that is queued on the streams that wait for it.
void finish_for_default_stream() {
  for (const auto& queue : queues(current_device(), true))
    queue->run();
}

/// Whether work is done before anybody waits for it.
bool goes_ahead() {
  if (options().eager) return true;
  if (options().seed == 0) return false;
  static std::atomic<std::uint64_t> calls{0};
  return Numbers(options().seed + calls++).below(8) == 0;
}

thread_local Launch configured;

cudaError_t check_launch(const Launch& launch) {
  constexpr std::uint64_t most_blocks = (std::uint64_t{1} << 31) - 1;
  if (launch.blocks == 0 || launch.blocks > most_blocks || launch.threads == 0 ||
      launch.threads > 1024) {
    return cudaErrorInvalidConfiguration;
  }
  return launch.shared_bytes > std::size_t{48} << 10 ? cudaErrorInvalidValue : cudaSuccess;
}

}  // namespace

void Queue::push(std::function<void()> work, bool may_wait) {
  const std::lock_guard lock(queue_mutex_);
  work_.push_back({std::move(work), may_wait});
}

void Queue::run() {
  const std::lock_guard run_lock(run_mutex_);
  run_until(nullptr);
}

bool Queue::try_run(const std::atomic<bool>& done) {
  const std::unique_lock run_lock(run_mutex_, std::try_to_lock);
  if (run_lock.owns_lock()) run_until(&done);
  return run_lock.owns_lock();
}

void Queue::run_until(const std::atomic<bool>* done) {
  for (;;) {
    Work work;
    {
      const std::lock_guard lock(queue_mutex_);
      busy_ = false;
      if (work_.empty() || (done != nullptr && *done)) return;
      work = std::move(work_.front());
      work_.pop_front();
      busy_ = true;
    }
    if (!devices_are_broken()) work.function();
  }
}

bool Queue::is_empty() {
  const std::lock_guard lock(queue_mutex_);
  return work_.empty() && !busy_;
}

bool Queue::may_wait() {
  const std::lock_guard lock(queue_mutex_);
  return std::any_of(work_.begin(), work_.end(), [](const Work& work) { return work.may_wait; });
}

/// Whoever runs the mark's queue may wait for a later mark of the queue that this thread runs.
void Mark::wait() {
  while (!reached) {
    if (!queue->try_run(reached)) std::this_thread::yield();
  }
}

void finish_device(int device) {
  for (const auto& queue : queues(device, false))
    queue->run();
}

void finish_everything() {
  finish_device(-1);
}

cudaError_t enqueue(cudaStream_t stream, std::function<void()> work) {
  const auto queue = queue_of(stream);
  if (queue == nullptr) {
    finish_for_default_stream();
    if (!devices_are_broken()) work();
    return cudaSuccess;
  }
  queue->push(std::move(work), false);
  if (goes_ahead() && !queue->may_wait()) queue->run();
  return cudaSuccess;
}

void fail(std::string_view what) {
  (void)std::fprintf(stderr, "emulated GPU: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

void configure(const char* kernel, std::uint64_t blocks, std::uint64_t threads,
               std::size_t shared_bytes, cudaStream_t stream) {
  configured = {kernel, blocks, threads, shared_bytes, stream};
}

void launch(std::unique_ptr<const Kernel> kernel) {
  const Launch launch = std::exchange(configured, Launch{});
  if (launch.blocks == 0 && *launch.kernel == '\0') fail("a kernel is called as a function");
  if (begin_call() != cudaSuccess) return;
  if (report(check_launch(launch)) != cudaSuccess) return;
  (void)enqueue(launch.stream, [launch, shared = std::shared_ptr<const Kernel>(std::move(kernel))] {
    if (!run_blocks(launch, *shared)) break_devices(cudaErrorIllegalAddress);
  });
}

}  // namespace gsx::emulation

using namespace gsx::emulation;

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
  return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  if (const cudaError_t status = begin_call(); status != cudaSuccess) return status;
  use_context();
  auto* const made =
      new Stream{std::make_shared<Queue>(current_device(), (flags & cudaStreamNonBlocking) == 0)};
  const std::lock_guard lock(handles().mutex);
  handles().streams.insert(made);
  *stream = made;
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  use_context();
  queue_of(stream)->run();
  const std::lock_guard lock(handles().mutex);
  handles().streams.erase(stream);
  delete stream;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  use_context();
  if (const auto queue = queue_of(stream)) {
    queue->run();
  } else {
    finish_for_default_stream();
  }
  return begin_call();
}

/// Does a piece of work, so that whoever asks again and again comes to an end.
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  if (const cudaError_t status = begin_call(); status != cudaSuccess) return status;
  const auto queue = queue_of(stream);
  if (queue == nullptr || queue->is_empty()) return cudaSuccess;
  if (!queue->may_wait()) queue->run();
  return report(cudaErrorNotReady);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  if (const cudaError_t status = begin_call(); status != cudaSuccess) return status;
  const auto mark = mark_of(event);
  if (mark == nullptr) return cudaSuccess;
  const auto queue = queue_of(stream);
  if (queue != nullptr && mark->queue != nullptr && mark->queue->may_wait()) {
    queue->push([mark] { mark->wait(); }, true);
    return cudaSuccess;
  }
  return enqueue(stream, [mark] { mark->wait(); });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  if (const cudaError_t status = begin_call(); status != cudaSuccess) return status;
  const auto queue = queue_of(stream);
  if (queue == nullptr) return report(cudaErrorNotSupported);
  queue->push([=] { function(data); }, true);
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  if (const cudaError_t status = begin_call(); status != cudaSuccess) return status;
  use_context();
  auto* const made = new Event;
  const std::lock_guard lock(handles().mutex);
  handles().events.insert(made);
  *event = made;
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  use_context();
  const std::lock_guard lock(handles().mutex);
  if (handles().events.erase(event) == 0) return report(cudaErrorInvalidResourceHandle);
  delete event;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (const cudaError_t status = begin_call(); status != cudaSuccess) return status;
  use_context();
  const auto mark = std::make_shared<Mark>();
  mark->queue = queue_of(stream);
  (void)mark_of(event);
  {
    const std::lock_guard lock(handles().mutex);
    event->mark = mark;
  }
  return enqueue(stream, [mark] {
    mark->when = std::chrono::steady_clock::now();
    mark->reached = true;
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  use_context();
  if (const auto mark = mark_of(event)) mark->wait();
  return begin_call();
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  const auto mark = mark_of(event);
  return mark == nullptr || mark->reached ? begin_call() : cudaErrorNotReady;
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  const auto from = mark_of(begin), to = mark_of(end);
  if (from == nullptr || to == nullptr) return report(cudaErrorInvalidResourceHandle);
  if (!from->reached || !to->reached) return report(cudaErrorNotReady);
  *milliseconds = std::chrono::duration<float, std::milli>(to->when - from->when).count();
  return cudaSuccess;
}
