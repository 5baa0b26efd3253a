// Opens what gsx offtarget searches.
#pragma once

#include <memory>

#include "analysis/guides/site_guides.hpp"
#include "commands/offtarget_options.hpp"
#include "device/backend.hpp"
#include "process/session.hpp"

namespace gsx::app {

/// Opens what is searched; see open_dna_target().
Target open_target(OfftargetOptions& options, Session& session);

/// Opens the device that was asked for; by default the CPU if it has looked up all guides in a
/// table before a GPU has started.
std::unique_ptr<Backend> open_backend(const OfftargetOptions& options, const Target& target,
                                      int threads);

/// The guides of --all-sites, within the regions of the file that --guides-in names; null without
/// it. Throws as RegionFile, RegionResolver and plan_memory(). Pre: the memory has been shared out,
/// so that there is room for the text.
std::unique_ptr<SiteGuides> site_guides_of(const OfftargetOptions& options, const Target& target,
                                           const Pam& pam, int threads);

}  // namespace gsx::app
