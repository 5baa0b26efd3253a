// Opens what gsx offtarget searches.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "analysis/guides/site_guides.hpp"
#include "commands/offtarget_options.hpp"
#include "device/backend.hpp"
#include "inputs/dna_target.hpp"
#include "process/session.hpp"

namespace gsx::app {

/// Opens the index, which may be the first of options.guides and is removed from them then, or
/// reads options.references. Throws UsageError as DnaTarget::open(), and if there are no guides.
DnaTarget open_target(OfftargetOptions& options, Session& session);

/// Opens the device that was asked for; by default the CPU if it has looked up all guides in a
/// table before a GPU has started.
std::unique_ptr<Backend> open_backend(const OfftargetOptions& options, const DnaTarget& target,
                                      int threads);

/// The guides of --all-sites, within the regions of the file that --regions names; null without
/// it. Throws as RegionFile, RegionResolver and plan_memory().
std::unique_ptr<SiteGuides> site_guides_of(const OfftargetOptions& options, const DnaTarget& target,
                                           const Pam& pam, int threads);

/// How the memory of a run is divided.
struct OfftargetMemory {
  SearchMemory search;
  std::uint64_t table_bytes = 0;
  std::uint64_t joined_hits = 0;  ///< hits of a guide that may be held to join those of its PAMs
};
/// `held` are bytes that the guides of --all-sites hold. Throws ResourceError that gives the least
/// limit.
OfftargetMemory plan_memory(const OfftargetOptions& options, const DnaTarget& target, int threads,
                            std::uint64_t held);

}  // namespace gsx::app
