// The file of --summary: what a run tells of itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "output/json/json.hpp"

namespace gsx {

class Index;

/// The index that a run searched.
struct SummaryIndex {
  std::string file;  ///< its name without the folder; "" if it was made in memory
  std::uint64_t checksum = 0;
};

/// The parts of a summary, in the order of the file.
struct RunSummary {
  std::string version = {};  ///< of gsx
  std::string command = {};
  JsonMembers figures = {};
  std::optional<SummaryIndex> index = {};
  JsonMembers files = {};  ///< lists of names by what they are, such as "query_files"
  JsonMembers options = {};
  std::string label = {};  ///< what messages call the file that it was read from

  /// The figure of that name. Throws InputError if there is none, or unless it is a whole number of
  /// so many bits at most.
  std::uint64_t number(std::string_view name, int bits = 64) const;
  std::optional<std::uint64_t> number_if_any(std::string_view name, int bits = 64) const;
  /// The value of an option; null if there is no such option.
  const JsonValue& option(std::string_view name) const;
  bool has_option(std::string_view name) const { return option(name).text == "true"; }
  std::uint64_t number_option(std::string_view name) const {
    return option(name).whole_number().value_or(0);
  }
  /// Throws InputError that says so of the file, and why.
  [[noreturn]] void refuse(const std::string& why) const;
};

/// What a summary says of an index. Of shards that are joined in memory, ask before they are: the
/// index that was searched is the one that their manifest names.
SummaryIndex summary_of(const Index& index);

/// Says which index was searched, and for which queries. An index that was made of `references` has
/// no file; these are named, too.
void add_input(RunSummary& run, SummaryIndex index, const std::vector<std::string>& references,
               const std::vector<std::string>& query_files);

/// The content of the file: one line.
std::string summary_text(const RunSummary& run);

/// Reads a file that summary_text() has made, or that has the same members with other blanks or
/// figures in another order. It may be compressed; "-" is standard input. Throws InputError for any
/// other, also for one of more than `most_summary_bytes`.
RunSummary read_summary(const std::string& path);
inline constexpr std::size_t most_summary_bytes = std::size_t{1} << 22;
/// Reads the content of a summary, which messages call `label`. Throws as read_summary().
RunSummary parse_summary(const std::string& label, std::string_view content);

}  // namespace gsx
