// Building something of a text: an index, a suffix array, what is found in one.
#pragma once

#include <memory>
#include <type_traits>

#include "base/last_report.hpp"
#include "base/public_call.hpp"
#include "bytes/output.hpp"
#include "device/cost.hpp"
#include "device/registry.hpp"
#include "index/store/index.hpp"
#include "text/text.hpp"

namespace gsx {

/// The device that builds, and how it does.
struct BuildJob {
  Backend& backend;
  BuildOptions build;
};

/// What work(job) returns, where the job is on this device, and as SortOptions or IndexOptions ask
/// for it. The memory that is left counts from here, so what has to be there before is made first.
/// The last report is of 1. Throws as with_gsx_errors() does.
template <class Options, class Work>
auto run_build(const Options& options, Backend& backend, int threads, const Work& work) {
  return with_gsx_errors([&] {
    LastReport last(options.progress);
    BuildJob job{backend, {}};
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

/// Does that on the device that the options name, where `cost` and `threads` decide for `auto`.
template <class Options, class Work>
auto run_build(const Options& options, const WorkCost& cost, int threads, const Work& work) {
  return with_gsx_errors([&] {
    const std::unique_ptr<Backend> backend = make_backend(
        faster_device(options.device, cost, threads, options.memory_limit), options.gpu_memory);
    return run_build(options, *backend, threads, work);
  });
}

/// The FM-index of a text, built while other threads compute the checksums of its records, and
/// their MD5s if text.keeps_md5. If the CPU builds, one thread computes them, so that the MD5 of a
/// long record, which only one thread can compute, delays nobody. If a GPU builds, half of the
/// threads do; the others feed the GPU. Beside a GPU, they also get the pages of `out`, if it is
/// given, from the system where there is much more memory than that.
FmIndex build_beside_checksums(const BuildJob& job, Text& text, Output* out = nullptr);

/// The index of a text, in memory, with the checksums of its records, and their MD5s if
/// text.keeps_md5. Throws ResourceError where there is no room for it beside its parts.
Index build_in_memory(const BuildJob& job, Text& text);

}  // namespace gsx
