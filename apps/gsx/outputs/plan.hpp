// --plan: what a run would take, without the run.
#pragma once

#include <memory>
#include <string>

#include "device/backend.hpp"
#include "options/command_line.hpp"
#include "options/options.hpp"
#include "outputs/fact_table.hpp"
#include "process/session.hpp"

namespace gsx::app {

struct PlanOptions {
  bool asked = false;
  bool json = false;
};
/// Adds --plan, which prints `what`, and --json.
void add_plan_options(CLI::App& command, PlanOptions& options, const std::string& what);

/// The back end of a run, or of its plan if that is asked for. Throws what make_backend() does; for
/// a plan, the DeviceError says why it needs the GPU.
std::unique_ptr<Backend> make_backend_for(const PlanOptions& options, const DeviceOptions& device);

/// Prints a plan to standard output.
void print_plan(const FactTable& table, const PlanOptions& options);

/// What building the index of a text and writing it to `folder` will take, as facts and in words.
FactTable index_plan_table(const Text& text, const BuildPlan& plan, const BuildOptions& build,
                           const std::string& device, const std::string& folder);

/// Prints how a build of a text goes; build.memory.used counts what else the command takes.
/// `enough` is the conclusion if there is so much memory.
void print_build_plan(const TextView& text, const BuildPlan& plan, const Backend& backend,
                      const BuildOptions& build, const std::string& enough,
                      const PlanOptions& options);

/// Prints what a command takes that sorts the suffixes of a text.
void print_sort_plan(const TextView& text, Backend& backend, const BuildOptions& build,
                     const std::string& enough, const PlanOptions& options);

}  // namespace gsx::app
