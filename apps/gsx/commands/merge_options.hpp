// The options of gsx merge.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "output/merge/merge.hpp"
#include "output/merge/summaries.hpp"
#include "process/session.hpp"
#include "queries/query_source.hpp"

namespace gsx::app {

struct MergeOptions {
  std::string index;  ///< the manifest of the shards; may be empty
  std::vector<std::string> parts;
  QueryInputs queries;  ///< its files are those of --queries
  bool tag_files = false;
  bool whole_header = false;
  std::string cram_reference;
  std::string output;
  std::string format;
  std::string sort = "query";
  bool matrix = false;
  bool presence = false;
  bool no_header = false;
  std::uint64_t max_hits = 0;
  std::uint64_t mismatches = 0;
  bool has_mismatches = false;  ///< whether -k was given, 0 included
  bool iupac = false;
  std::uint64_t min_files = 0, max_files = 0;
  std::vector<std::string> summaries;  ///< of the parts; check() takes them from these
  std::string summary;                 ///< to be written
  WholeIndex whole;                    ///< what -x names; expect_shards() sets it

  /// Tells summaries from parts. Throws UsageError for options that do not fit one another, and for
  /// files that are named twice.
  void check(Session& session);
  /// What the parts hold, by the options, the name of the first part, and its header line, which
  /// the parts then have read. Throws UsageError for what cannot be merged, and InputError for a
  /// part without header.
  PartKind kind(PartFiles& files) const;
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
