// What a report says of a run: the file of --summary.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gsx {

/// The figures of a run of count, locate, mem, ms or filter.
struct RunFacts {
  std::string sample;   ///< the name of the file, without suffixes
  std::string version;  ///< of gsx
  std::string command;
  bool is_filter = false;
  std::uint64_t queries = 0;
  std::uint64_t matched = 0;
  std::uint64_t cannot_match = 0;
  std::uint64_t truncated = 0;  ///< not of filter
  std::uint64_t hits = 0;
  std::optional<std::uint64_t> hits_forward, hits_reverse;  ///< where hits have strands
  std::uint64_t written = 0, bases = 0, bases_written = 0;  ///< of filter
  std::string options;  ///< as NAME VALUE, separated by semicolons
};

/// Reads the content of a file of --summary. Throws InputError for anything else; `label` is what
/// it calls the file.
RunFacts run_facts(const std::string& label, std::string_view content);

/// Gives samples names: those of their files without folder and suffixes, which are .gz or .bgz,
/// .json, that of the command, such as .count, and .summary. Where two runs of a command would have
/// one name, the paths.
void name_samples(std::vector<RunFacts>& runs, const std::vector<std::string>& paths);

}  // namespace gsx
