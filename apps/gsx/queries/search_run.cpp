#include "queries/search_run.hpp"

#include <spdlog/fmt/fmt.h>

#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/machine.hpp"
#include "base/resources.hpp"
#include "device/cost.hpp"
#include "device/registry.hpp"
#include "gsx/suffix_array.hpp"
#include "index/store/writer.hpp"
#include "inputs/input_options.hpp"
#include "inputs/region_file.hpp"
#include "options/cram_option.hpp"
#include "options/starting_backend.hpp"
#include "process/input_bytes.hpp"
#include "queries/query_checks.hpp"
#include "run/build_job.hpp"
#include "run/query_results.hpp"
#include "run/query_sample.hpp"

namespace gsx::app {
namespace {

/// The text of options.references.
Text text_of_references(const QueryOptions& options, const std::vector<std::string>& queries,
                        Session& session) {
  const std::vector<std::string>& files = options.references;
  std::vector<std::string> all = files;
  all.insert(all.end(), queries.begin(), queries.end());
  if (!options.regions.empty()) all.push_back(options.regions);
  require_one_standard_input(all);
  require_files(files);
  session.files.reads(all);
  check_outputs(options, session);
  try_outputs(options);
  ReferenceOptions reading = options.reading;
  reading.keep_files = options.by_file;
  return read_references(files, reading, options.memory_limit, session);
}

Index index_of(Text text, Backend& backend, const QueryOptions& options, Session& session) {
  const Stopwatch watch;
  SortOptions build;
  build.memory_limit = options.memory_limit.bytes;
  build.progress = session.progress();
  Index index = run_build(build, backend, threads_for(session.threads, text.length()),
                          [&](const BuildJob& job) { return build_in_memory(job, text); });
  log().debug("indexed in memory in {:.3f} s, {:.1f} MB", watch.seconds(),
              static_cast<double>(index.file_bytes()) / 1e6);
  return index;
}

/// What the queries cost in an index of so many bytes, whose text has so many symbols.
WorkCost cost_of(const QueryOptions& options, QueryWork work, const std::vector<std::string>& files,
                 std::uint64_t symbols, std::uint64_t index_bytes) {
  if (!options.with_mismatches()) return cost_of_queries(work, inflated_bytes(files), index_bytes);
  const QuerySample sample = sample_queries(options.inputs);
  return cost_of_mismatches({.patterns = sample.queries,
                             .length = sample.mean_length,
                             .mismatches = static_cast<std::uint32_t>(options.mismatches),
                             .text_symbols = symbols,
                             .index_bytes = index_bytes});
}

}  // namespace

SearchRun::SearchRun(QueryOptions& options, Session& session, const char* nothing)
    : CommandRun(session), options_(options) {
  const auto require_queries = [&] {
    if (options.inputs.empty()) throw UsageError(nothing);
  };
  require_queries();
  devices_named(options.device.device);  // throws before anything is read
  choose_target(options, options.inputs.files, ArgumentKind::queries);
  require_queries();
  files_ = options.inputs.all_files();
  refuse_indexes(files_, one_index_per_run);
  if (options.takes_patterns) refuse_patterns_as_files(options.inputs.files);
  std::vector<std::string> read = files_;
  if (!options.regions.empty()) {
    read.push_back(file_of_regions(options.regions));
    require_one_standard_input(read);
  }
  require_files(read);
  session.files.reads(read);
  cram_ = cram_references(options.reading.cram_reference);
}

void SearchRun::open(const Opening& opening) {
  const bool automatic = options_.device.device == "auto";
  const bool on_cpu = automatic && !opening.cpu_work.empty();
  const auto check = [&](const Index& index) {
    searched_ = summary_of(index);
    opening.check(index);
  };
  // One device does the work before the search, and the search.
  const auto choose = [&](WorkCost cost, std::uint64_t symbols, std::uint64_t index_bytes) {
    if (!on_cpu) cost += cost_of(options_, opening.work, files_, symbols, index_bytes);
    return options_.device.for_work(cost, options_.memory_limit, session_.threads).make(path_);
  };
  if (in_memory()) {
    if (!automatic) backend_ = options_.device.make(path_);
    Text text = text_of_references(options_, files_, session_);
    const std::uint64_t symbols = text.length();
    if (automatic)
      backend_ = choose(cost_of_sorting(symbols), symbols, index_bytes(text, BuildOptions().fm()));
    index_.emplace(index_of(std::move(text), *backend_, options_, session_));
    check(*index_);
  } else {
    StartingBackend starting;
    if (!automatic) starting = StartingBackend(options_.device, true, path_);
    index_.emplace(starting.meanwhile([&] {
      return open_index(options_.index, opening.use, session_,
                        {.device = options_.device.device,
                         .memory_limit = options_.memory_limit,
                         .check = check});
    }));
    if (!automatic) {
      backend_ = starting.get();
    } else if (!on_cpu) {
      backend_ = choose({}, index_->meta().length, index_->file_bytes());
    }
  }
  if (!on_cpu) return;
  log().debug("using the CPU: {} on it only", opening.cpu_work);
  backend_ = make_cpu_backend(path_);
}

void SearchRun::plan(int threads, std::uint64_t table_bytes) {
  memory_ = plan_query_memory({.limit = options_.memory_limit.bytes,
                               .limited_by = options_.memory_limit.given_by,
                               .threads = threads,
                               .batch_bytes = batch_bytes(),
                               .table_bytes = memory_of_index(*index_) + table_bytes,
                               .sorts = options_.sorted});
}

void SearchRun::open_outputs() {
  outputs_ = Outputs(cores());  // the memory may allow fewer threads than the session has
  outputs_.check_before_writing([this] { index_->require_unchanged(); });
  out_ = options_.binary ? &outputs_.open(options_.output, Encoding::bgzf)
                         : &outputs_.open(options_.output);
  for (const std::string& name : options_.side_outputs)
    sides_.push_back(outputs_.open_if_named(name));
  unmatched_ = outputs_.open_if_named(options_.unmatched);
  summary_ = outputs_.open_if_named(options_.summary);
}

RunSummary SearchRun::summary(const std::string& command, JsonMembers figures,
                              JsonMembers options) const {
  RunSummary run{.version = GSX_VERSION,
                 .command = command,
                 .figures = std::move(figures),
                 .options = std::move(options)};
  add_input(run, searched_, options_.references, files_);
  if (!options_.regions.empty())
    run.files.push_back({"region_files", std::vector{options_.regions}});
  return run;
}

void SearchRun::finish(RunSummary run, std::uint64_t queries) {
  CommandRun::finish(std::move(run));
  log_times(times_, queries);
}

std::uint64_t SearchRun::input_bytes() const {
  return bytes_of_files(files_);
}

}  // namespace gsx::app
