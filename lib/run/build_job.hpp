// Building something of a text: an index, a suffix array, what is found in one.
#pragma once

#include <memory>
#include <type_traits>

#include "base/last_report.hpp"
#include "base/public_call.hpp"
#include "device/cost.hpp"
#include "device/registry.hpp"

namespace gsx {

/// The device that builds, and how it does.
struct BuildJob {
  std::unique_ptr<Backend> backend;
  BuildOptions build;
};

/// What work(job) returns, where the job is as SortOptions or IndexOptions ask for it: `cost` and
/// `threads` decide the device. The memory that is left counts from here, so what has to be there
/// before is made first. The last report is of 1. Throws as with_gsx_errors() does.
template <class Options, class Work>
auto run_build(const Options& options, const WorkCost& cost, int threads, const Work& work) {
  return with_gsx_errors([&] {
    LastReport last(options.progress);
    BuildJob job;
    job.backend = make_backend(faster_device(options.device, cost, threads), options.gpu_memory);
    job.build.threads = threads;
    job.build.progress = last.progress();
    job.build.memory = HostMemory::below(options.memory_limit);
    if constexpr (std::is_void_v<decltype(work(job))>) {
      work(job);
      last.finish();
    } else {
      auto result = work(job);
      last.finish();
      return result;
    }
  });
}

}  // namespace gsx
