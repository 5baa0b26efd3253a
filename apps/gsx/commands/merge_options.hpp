// The options of gsx merge.
#pragma once

#include <string>
#include <vector>

#include "options/command_line.hpp"
#include "options/format_option.hpp"
#include "output/merge/merge.hpp"
#include "output/merge/summaries.hpp"
#include "process/session.hpp"
#include "run/query_source.hpp"

namespace gsx::app {

struct MergeOptions {
  std::string index;  ///< the manifest of the shards; may be empty
  std::vector<std::string> parts;
  QueryInputs queries;  ///< its files are those of --queries
  bool tag_files = false;
  bool whole_header = false;
  std::string cram_reference;
  std::string output;
  FormatOption format;       ///< of the output, of files of --format part
  std::string parts_format;  ///< of parts of text; "" for what the first one tells
  std::string sort = "query";
  bool has_sort = false;  ///< whether --sort was given
  bool matrix = false;
  bool presence = false;
  bool no_header = false;
  std::uint64_t max_hits = 0;
  bool has_max_hits = false;  ///< whether it was given, 0 included
  std::uint64_t mismatches = 0;
  bool has_mismatches = false;  ///< whether -k was given, 0 included
  bool iupac = false;
  std::uint64_t min_files = 0, max_files = 0;
  bool has_min_files = false, has_max_files = false;  ///< whether they were given, 0 included
  std::vector<std::string> summaries;  ///< of the parts; check() takes them from these
  std::string summary;                 ///< to be written
  WholeIndex whole;                    ///< what -x names; expect_shards() sets it

  /// Tells summaries from parts. Throws UsageError for options that do not fit one another, and for
  /// files that are named twice.
  void check(Session& session);
  /// Throws UsageError unless there is a summary for each part of text, if there are some.
  void require_summaries() const;
  /// What the parts hold, by the options, the name of the first part, and its header line, which
  /// the parts then have read. Throws UsageError for what cannot be merged, and InputError for a
  /// part without header.
  PartKind kind(PartFiles& files, Session& session) const;
  /// With an index, lets each part name records and files of its own shard only. Throws UsageError
  /// unless there is a part for each shard, and what Index::open_shards() throws.
  void expect_shards(PartFiles& files, PartKind kind, int threads);

  /// Takes what the parts were made with from their summaries, where there are some. Throws
  /// UsageError where that is not what the options say, and where --max-hits was given without what
  /// decides which hits it keeps.
  void take_options(const std::vector<PartSummary>& made, PartKind kind);

 private:
  void take_summary(const PartSummary& first, PartKind kind);
};

void add_merge_options(CLI::App& command, MergeOptions& options);

}  // namespace gsx::app
