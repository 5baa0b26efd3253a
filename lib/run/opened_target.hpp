// A target and the device that searches it, before the queries are known.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "base/machine.hpp"
#include "device/cost.hpp"
#include "device/registry.hpp"
#include "run/search_options.hpp"
#include "run/target.hpp"

namespace gsx {

/// What a searcher of the public headers holds beside the searcher of the device.
struct OpenedTarget {
  /// Takes the device that the options name. `cost` estimates the work by the symbols of the
  /// target.
  OpenedTarget(Target searched, const SearchOptions& options, WorkCost (*cost)(std::uint64_t))
      : target(std::move(searched)),
        cores(threads_for(options.threads)),
        backend(make_backend(faster_device(options.device, cost(target.symbols()), cores),
                             options.gpu_memory)) {}

  Target target;
  int cores;
  std::unique_ptr<Backend> backend;
};

}  // namespace gsx
