#include "outputs/plan.hpp"

#include <CLI/App.hpp>
#include <algorithm>

#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/messages.hpp"
#include "bytes/output.hpp"
#include "index/store/writer.hpp"
#include "options/option_kinds.hpp"

namespace gsx::app {
namespace {

/// The name of a stage as part of the name of a fact.
std::string as_word(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c == ' ' || c == '-' ? '_' : c; });
  return name;
}

}  // namespace

void add_plan_options(CLI::App& command, PlanOptions& options, const std::string& what) {
  CLI::Option* const plan =
      add_flag(command, "--plan", options.asked,
               "Read the input, print " + what + ", and stop; a plan for a GPU needs the GPU")
          ->group("Output");
  add_flag(command, "--json", options.json, "Print the plan as one JSON object")
      ->group("Output")
      ->needs(plan);
}

std::unique_ptr<Backend> make_backend_for(const PlanOptions& options, const DeviceOptions& device) {
  try {
    return device.make();
  } catch (const DeviceError& error) {
    if (!options.asked) throw;
    throw DeviceError(std::string(error.what()) +
                      "; the plan for a GPU is made where the GPU is, because its free memory "
                      "decides how the work goes");
  }
}

void print_plan(const FactTable& table, const PlanOptions& options) {
  Output out("-");
  out.write(options.json ? table.json() : table.text());
  out.commit();
}

FactTable index_plan_table(const Text& text, const BuildPlan& plan, const BuildOptions& build,
                           const std::string& device, const std::string& folder) {
  const std::uint64_t file = index_bytes(text, build.fm());
  const auto disk = free_disk_bytes(folder);
  FactTable table;
  table.word("path", plan.path);
  table.word("device", device);
  table.word("alphabet", name_of(text.alphabet.policy()));
  table.number("indexed_symbols", text.length() - text.segment_offsets.size());
  table.number("records", text.records.size());
  table.number("segments", text.segment_offsets.size());
  table.number("host_bytes", build.memory.total(plan.host_bytes));
  table.limit("host_limit_bytes", build.memory.limit);
  table.word("host_limited_by", build.memory.limited_by);
  table.number("device_bytes", plan.device_bytes);
  table.number("disk_bytes", file);
  table.number("disk_free_bytes", disk);
  table.number("parts", plan.parts);
  table.number("part_rows", plan.part_rows);
  for (const BuildStage& stage : plan.stages) {
    const std::string name = "stage_" + as_word(stage.name);
    table.number(name + "_host_bytes", build.memory.used + stage.host_bytes);
    if (plan.device_bytes != 0) table.number(name + "_device_bytes", stage.device_bytes);
  }
  std::vector<std::string> conclusions;
  if (!build.memory.has_room(plan.host_bytes)) {
    conclusions.push_back(build.memory.shortage(plan.host_bytes, "this build"));
  }
  if (disk && *disk < file) {
    conclusions.push_back("the disk of '" + printable(folder) + "' has no room for the index");
  }
  if (conclusions.empty()) conclusions.emplace_back("memory and disk suffice");
  table.words("conclusion", "conclusions", conclusions);
  return table;
}

void print_build_plan(const TextView& text, const BuildPlan& plan, const Backend& backend,
                      const BuildOptions& build, const std::string& enough,
                      const PlanOptions& options) {
  FactTable table;
  table.word("path", plan.path);
  table.word("device", backend.name());
  table.number("symbols", text.length());
  table.number("host_bytes", build.memory.total(plan.host_bytes));
  table.limit("host_limit_bytes", build.memory.limit);
  table.word("host_limited_by", build.memory.limited_by);
  table.number("device_bytes", plan.device_bytes);
  table.number("parts", plan.parts);
  table.number("part_rows", plan.part_rows);
  const bool fits = build.memory.has_room(plan.host_bytes);
  table.words("conclusion", "conclusions",
              {fits ? enough : build.memory.shortage(plan.host_bytes, "this run")});
  print_plan(table, options);
}

void print_sort_plan(const TextView& text, Backend& backend, const BuildOptions& build,
                     const std::string& enough, const PlanOptions& options) {
  const BuildPlan plan = backend.plan(text, BuildTarget::suffix_array, build);
  print_build_plan(text, plan, backend, build, enough, options);
}

}  // namespace gsx::app
