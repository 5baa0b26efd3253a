// Joins the files of --summary that the shards of an index gave.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "output/merge/merge.hpp"
#include "output/summary/absent_symbols.hpp"
#include "output/summary/run_summary.hpp"

namespace gsx {

/// A summary of gsx count or gsx locate.
class PartSummary {
 public:
  /// Reads a file. Throws InputError if it is no such summary.
  explicit PartSummary(const std::string& path);
  /// Takes what a file held; messages call it `label`.
  PartSummary(std::string label, RunSummary run);

  const RunSummary& run() const { return run_; }
  const std::string& label() const { return label_; }
  const std::string& command() const { return run_.command; }
  std::uint64_t figure(std::string_view name) const { return run_.number(name); }
  std::uint64_t queries() const { return figure("queries"); }
  bool is_circular() const { return !run_.option("circular").items.empty(); }

  /// Unless the index is of DNA: its symbols, and those of queries that it lacks.
  std::optional<std::string> symbols;
  AbsentSymbols absent;

 private:
  std::string label_;
  RunSummary run_;
};

/// Throws InputError unless all summaries are of the same command, options, version and queries.
void require_alike(const std::vector<PartSummary>& parts);

/// Throws InputError if the summaries are not of the results that gave the figures: if a result
/// lacks queries or hits, as far as its kind tells. Pre: require_alike().
void require_figures(const std::vector<PartSummary>& parts, const MergeFigures& figures,
                     PartKind kind);

/// The index in shards whose parts were searched.
struct WholeIndex {
  std::string file;                   ///< name of the manifest; "" if that is not known
  std::vector<std::uint64_t> shards;  ///< checksums, in any order; none if they are not known
};

/// The index of `known`, with what the summaries tell where it is not known. Throws InputError if
/// they tell of other shards, or, where the shards are not known, twice of one. They may be in any
/// order.
WholeIndex whole_index(WholeIndex known, const std::vector<PartSummary>& parts);

/// The summary of the whole index: numbers add up, and the figures tell the rest. Pre:
/// require_figures(), and there is a part.
std::string merged_summary(const std::vector<PartSummary>& parts, const MergeFigures& figures,
                           const MergeRules& rules, const WholeIndex& index);

}  // namespace gsx
