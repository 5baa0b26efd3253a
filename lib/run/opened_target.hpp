// A target and the device that searches it, before the queries are known.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/cpu_path.hpp"
#include "base/machine.hpp"
#include "device/circular/circular_searcher.hpp"
#include "device/cost.hpp"
#include "device/registry.hpp"
#include "run/search_options.hpp"
#include "run/target.hpp"
#include "search/mismatches/region_searcher.hpp"

namespace gsx {

/// The circular records that the options name, ascending. Throws UsageError for one that does not
/// exist, and unless the target is of DNA.
std::vector<std::uint64_t> circular_records(const SearchOptions& options, const Target& target);

/// The regions that the options have, if they have some. Throws UsageError for one of a record that
/// does not exist, or that begins behind its end.
std::optional<TextRegions> regions_of(const SearchOptions& options, const Target& target);

/// What a searcher of the public headers holds beside the searcher of the device.
struct OpenedTarget {
  /// Takes the device that the options name. `cost` estimates the work by the symbols of the
  /// target. Throws what circular_records() and regions_of() throw.
  OpenedTarget(Target searched, const SearchOptions& options, WorkCost (*cost)(std::uint64_t))
      : target(std::move(searched)),
        circular(circular_records(options, target)),
        regions(regions_of(options, target)),
        cores(threads_for(options.threads)),
        backend(make_backend(faster_device(options.device, cost(target.symbols()), cores),
                             options.gpu_memory)) {}
  OpenedTarget(const OpenedTarget&) = delete;
  OpenedTarget& operator=(const OpenedTarget&) = delete;

  /// A searcher of the places of `opened` that count, and of those that span origins.
  template <class Some>
  std::unique_ptr<Some> of_all_places(std::unique_ptr<Some> opened, const SearchMemory& memory,
                                      CpuPath path) const {
    if (!circular.empty()) {  // else the text of shards need not be put together
      opened = with_origins(std::move(opened), target.text(), target.records(), circular,
                            {.threads = cores, .memory = memory, .path = path});
    }
    return within_regions(std::move(opened), regions ? &*regions : nullptr);
  }

  Target target;
  std::vector<std::uint64_t> circular;
  std::optional<TextRegions> regions;
  int cores;
  std::unique_ptr<Backend> backend;
};

}  // namespace gsx
