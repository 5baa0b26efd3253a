#include "plan.hpp"

#include "io/output.hpp"

namespace gsx::app {

void add_plan_options(CLI::App& command, PlanOptions& options, const std::string& what) {
  CLI::Option* const plan =
      command.add_flag("--plan", options.asked, "Read the input, print " + what + ", and stop")
          ->group("Output");
  command.add_flag("--json", options.json, "Print the plan as one JSON object")
      ->group("Output")
      ->needs(plan);
}

void print_plan(const FactTable& table, const PlanOptions& options) {
  Output out("-");
  out.write(options.json ? table.json() : table.text());
  out.commit();
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
                     const std::string& enough, const PlanOptions& options, Session& session) {
  const BuildPlan plan = backend.plan(text, BuildTarget::suffix_array, build);
  session.used(backend);
  print_build_plan(text, plan, backend, build, enough, options);
}

}  // namespace gsx::app
