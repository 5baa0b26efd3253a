#include "queries/dna_list.hpp"

#include <spdlog/fmt/fmt.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "inputs/by_file_option.hpp"
#include "inputs/hit_regions.hpp"
#include "inputs/input_options.hpp"
#include "inputs/open_index.hpp"
#include "inputs/region_file.hpp"
#include "options/circular_option.hpp"
#include "options/named_once.hpp"
#include "options/option_kinds.hpp"
#include "process/input_bytes.hpp"
#include "process/process.hpp"
#include "search/mismatches/region_searcher.hpp"

namespace gsx::app {
void add_dna_list_options(CLI::App& command, DnaListOptions& options, const char* type,
                          const char* pattern_help) {
  add_reference_options(
      command, options.reading,
      add_target_options(command, options,
                         "Search FASTA itself instead of an index; repeat -r for more files"));
  begin_group(command, "Input");
  add_texts(command, "-p,--pattern", type, options.patterns, pattern_help);
  add_texts(command, "-f,--patterns", "FILE", options.lists,
            "The same as a FILE argument, but never the index; repeat -f for more. What -p gives "
            "comes first, then that of -f");
}

Target open_dna_target(DnaListOptions& options, const DnaListRequest& request, Session& session) {
  const auto require_list = [&] {
    const bool none = options.patterns.empty() && options.lists.empty() && options.files.empty();
    if (none && request.needs_list) throw UsageError(request.nothing);
  };
  require_list();
  choose_target(options, options.files, ArgumentKind::queries);
  require_list();
  options.files.insert(options.files.begin(), options.lists.begin(), options.lists.end());
  refuse_indexes(options.files, ("not " + request.listed + "; name the index by -x").c_str());
  if (request.check) request.check();
  require_files(options.files);
  std::vector<std::string> files = options.files;
  files.insert(files.end(), request.other_files.begin(), request.other_files.end());
  if (!options.regions.empty()) files.push_back(file_of_regions(options.regions));
  files.insert(files.end(), options.references.begin(), options.references.end());
  require_one_standard_input(files);
  refuse_empty_names(files);
  warn_of_named_twice(options.files, "its lines are searched twice");
  session.files.reads(files);
  if (!options.in_memory()) session.files.reads_index(options.index);
  check_outputs(request.outputs, session);
  if (options.in_memory()) {
    require_files(options.references);
    ReferenceOptions reading = options.reading;
    reading.only_dna = true;
    reading.keep_files = options.by_file;
    return Target(read_references(options.references, reading, options.memory_limit, session));
  }
  const auto check = [&](const Index& opened) {
    if (opened.alphabet().policy() != SymbolPolicy::dna) {
      throw UsageError(request.command + " needs a DNA index; '" + printable(options.index) +
                       "' is " + std::string(name_of(opened.alphabet().policy())));
    }
    if (options.by_file) require_kept_files(opened);
  };
  return Target(open_index(options.index, IndexUse::parts, session, {.check = check}));
}

DnaSearchMemory plan_memory(const SizeLimit& given, const char* what, const Target& target,
                            int threads, std::uint64_t held) {
  const DnaSearchMemory memory =
      plan_dna_search({given.bytes, given.given_by, what, threads, held}, target);
  if (given.bytes != unlimited) give_memory_back_within(given.bytes);
  return memory;
}

DnaListRun::DnaListRun(const DnaListOptions& options, const Target& target, const char* work,
                       Session& session)
    : CommandRun(session),
      target_(target),
      list_(options),
      limit_(options.memory_limit),
      work_(work) {
  outputs_.check_before_writing([&target] { target.require_unchanged(); });
  open_result(options.output);
  plan(0);
  circular_ = circular_records(target.records(), Alphabet::dna(), options.circular);
  if (!options.regions.empty()) {
    ReadRegions read =
        read_regions(options.regions, target.records(), limit_.bytes, [&](std::uint64_t bytes) {
          plan_memory(limit_, "reading the regions", target, session.threads, bytes);
        });
    regions_read_ = read.number;
    regions_checksum_ = read.checksum;
    regions_.emplace(target.segments(), target.records(), std::move(read.ranges));
  }
  if (options.sorted()) {
    sort_bytes_ = PlaceSorter::memory_within(memory_.table_bytes);
    sorter_.emplace(target.records(), sort_bytes_, scratch_place());
  }
  plan(0);
}

double listed_sequences(const DnaListOptions& options) {
  constexpr double bytes_each = 24;  // of a guide with its name, or of a primer
  const auto bytes = inflated_bytes(options.files);
  if (!bytes) return std::numeric_limits<double>::infinity();
  return static_cast<double>(*bytes) / bytes_each + static_cast<double>(options.patterns.size());
}

void DnaListRun::plan(std::uint64_t held) {
  if (regions_) held += regions_->bytes();
  held += sort_bytes_;
  memory_ = plan_memory(limit_, work_, target_, session_.threads, held);
}

JunctionOptions DnaListRun::junctions() const {
  const std::uint64_t most = origin_bytes(memory_.table_bytes / 4, memory_.table_bytes);
  return {session_.threads, memory_.search, most, path_};
}

void DnaListRun::write_places(Output& out, const PlaceLines& lines) {
  if (sorter_) return sorter_->add(lines);
  out.write(lines.text);
}

void DnaListRun::write_sorted(Output& out) {
  if (!sorter_) return;
  session_.report("sorting", -1);
  sorter_->write(out);
}

void DnaListRun::finish(const char* command, JsonMembers figures, JsonMembers options) {
  RunSummary run{.command = command, .figures = std::move(figures), .options = std::move(options)};
  run.options.insert(run.options.end(), {{"circular", list_.circular},
                                         {"regions", regions_read_},
                                         {"regions_checksum", regions_checksum_},
                                         {"max_hits", list_.max_hits},
                                         {"sort", list_.sort},
                                         {"by_file", list_.by_file}});
  const Index* const index = target_.index();
  add_input(run, index == nullptr ? SummaryIndex() : summary_of(*index), list_.references,
            list_.files);
  if (!list_.regions.empty()) run.files.push_back({"region_files", std::vector{list_.regions}});
  CommandRun::finish(std::move(run));
}

std::uint64_t DnaListRun::table_bytes() const {
  return memory_.table_bytes - (circular_.empty() ? 0 : junctions().most_bytes);
}

std::unique_ptr<MismatchSearcher> DnaListRun::of_all_places(
    std::unique_ptr<MismatchSearcher> others) const {
  return within_regions(
      with_origins(std::move(others), target_.text(), target_.records(), circular_, junctions()),
      regions_ ? &*regions_ : nullptr);
}

void report_unasked(const UnaskedQueries& unasked, std::uint64_t all, const char* listed,
                    const char* none) {
  if (unasked.count == 0) return;
  const std::string what =
      fmt::format("{} of {} {} cannot be searched (first: '{}' {})", unasked.count, all, listed,
                  shown_name(unasked.first), unasked.why);
  if (unasked.count == all) throw InputError(fmt::format("{}: {}", none, what));
  log().warn("{}", what);
}

}  // namespace gsx::app
