// What the commands share that search for lists of short DNA: for guides, or pairs of primers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/circular/circular_searcher.hpp"
#include "inputs/reference_text.hpp"
#include "inputs/target_choice.hpp"
#include "options/command_line.hpp"
#include "options/numbers.hpp"
#include "options/options.hpp"
#include "output/lines/place_order.hpp"
#include "process/session.hpp"
#include "queries/command_run.hpp"
#include "run/target.hpp"
#include "search/mismatches/unasked.hpp"
#include "text/text_regions.hpp"

namespace gsx::app {

/// The lists, what to search, and where results go.
struct DnaListOptions : TargetOptions {
  std::vector<std::string> patterns;  ///< -p
  std::vector<std::string> lists;     ///< -f
  std::vector<std::string> files;     ///< lists, behind those of -f; the first may be the index
  ReferenceOptions reading;           ///< of references
  std::vector<std::string> circular;  ///< names of circular records
  std::string regions;                ///< a file of those whose hits are kept, or ""
  std::uint64_t max_hits = 0;
  std::string sort = "query";  ///< the order of the lines of places
  std::string output;
  std::string summary;
  bool no_header = false;
  bool by_file = false;  ///< whether lines of places name input files
  DeviceOptions device;
  SizeLimit memory_limit;

  std::uint64_t most() const { return max_hits == 0 ? unlimited : max_hits; }
  bool sorted() const { return sort == "position"; }
  PlaceLineOptions lines_in(ResultFormat format) const { return {format, sorted(), by_file}; }
};
/// Adds -x and -r, how to read what -r names, and -p, of this type and help, and -f.
void add_dna_list_options(CLI::App& command, DnaListOptions& options, const char* type,
                          const char* pattern_help);

/// What a command says of its lists.
struct DnaListRequest {
  std::string command;  ///< for messages
  std::string listed;   ///< what the lists hold, as "guides"
  const char* nothing;  ///< the error where there is none
  bool needs_list = true;
  std::function<void()> check = {};           ///< may refuse the lists, once the index is known
  std::vector<std::string> other_files = {};  ///< that the run reads
  std::vector<std::string> outputs = {};      ///< for check_outputs()
};

/// Opens the index, which is removed from the lists, or reads the references, and puts the lists of
/// -f before the others. Throws UsageError if there is no list, if what is to be searched is not
/// DNA, or not one of the two, or if two of the files are standard input.
Target open_dna_target(DnaListOptions& options, const DnaListRequest& request, Session& session);

/// About how many sequences the lists and -p hold, by their sizes; infinity if these are not known.
/// For what a search will cost.
double listed_sequences(const DnaListOptions& options);

/// plan_dna_search(), of which `what` takes the memory. With a limit, what is freed from now on
/// returns to the system.
DnaSearchMemory plan_memory(const SizeLimit& given, const char* what, const Target& target,
                            int threads, std::uint64_t held = 0);

/// The steps before the search. A command adds its back end, its searcher and what it writes.
class DnaListRun : protected CommandRun {
 protected:
  /// Opens the result before the work, shares out the memory, which `work` takes, and finds the
  /// circular records and the regions.
  DnaListRun(const DnaListOptions& options, const Target& target, const char* work,
             Session& session);
  ~DnaListRun() = default;

  /// Shares out the memory again, of which so many bytes are held beside the target.
  void plan(std::uint64_t held);
  /// How to search the origins of circular records, in a part of the memory for tables.
  JunctionOptions junctions() const;
  /// The rest of that memory.
  std::uint64_t table_bytes() const;
  /// A searcher that also finds the places which span origins, of those within the regions.
  std::unique_ptr<MismatchSearcher> of_all_places(std::unique_ptr<MismatchSearcher> others) const;

  /// Keeps the lines before places that have to be sorted with them.
  void sort_header(ResultFormat format) {
    if (sorter_) sorter_->add_header(format, target_.records(), circular_);
  }
  /// Writes lines of places, or keeps them until they are sorted.
  void write_places(Output& out, const PlaceLines& lines);
  /// Writes those that were kept.
  void write_sorted(Output& out);
  /// Writes the summary, if it is asked for, of this run of `command`, and gives all outputs their
  /// names.
  void finish(const char* command, JsonMembers figures, JsonMembers options);

  const Target& target_;
  DnaSearchMemory memory_;
  std::vector<std::uint64_t> circular_;  ///< records
  std::optional<TextRegions> regions_;   ///< whose hits are kept; none: all

 private:
  const DnaListOptions& list_;
  const SizeLimit& limit_;
  const char* work_;
  std::uint64_t regions_read_ = 0;
  std::string regions_checksum_;  ///< see ReadRegions
  std::uint64_t sort_bytes_ = 0;
  std::optional<PlaceSorter> sorter_;
};

/// Warns of queries that cannot be asked for, of `all` that are `listed`. If all are such, throws
/// an InputError that begins with `none`.
void report_unasked(const UnaskedQueries& unasked, std::uint64_t all, const char* listed,
                    const char* none);

}  // namespace gsx::app
