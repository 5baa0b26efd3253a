#include "queries/query_checks.hpp"

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "bytes/output.hpp"
#include "bytes/output_place.hpp"
#include "options/cram_option.hpp"
#include "process/process.hpp"
#include "run/query_results.hpp"

namespace gsx::app {
namespace {

/// Advice for a -p that may be meant as a file name, or as several patterns.
std::string advice_for(const std::string& pattern, char symbol) {
  std::error_code error;
  const std::string file = pattern.starts_with('@') ? pattern.substr(1) : pattern;
  if (pattern == "-" || std::filesystem::exists(file, error)) {
    return "; for the patterns in a file, one per line, give -f '" + printable(file) + "'";
  }
  const bool separates = symbol == ' ' || symbol == ',' || symbol == ';';
  return separates ? "; give each pattern its own -p" : "";
}

/// The names of all outputs, that of the main one first; "" for those that are not asked for.
std::vector<std::string> outputs_of(const QueryOptions& options) {
  std::vector<std::string> outputs{options.output, options.unmatched, options.summary};
  outputs.insert(outputs.end(), options.side_outputs.begin(), options.side_outputs.end());
  return outputs;
}

}  // namespace

void refuse_empty_patterns(const std::vector<std::string>& patterns) {
  if (std::ranges::find(patterns, "") != patterns.end())
    throw UsageError("-p '': the pattern is empty");
}

void check_patterns(const std::vector<std::string>& patterns, const Alphabet& alphabet) {
  refuse_empty_patterns(patterns);
  for (const std::string& pattern : patterns) {
    for (const char symbol : pattern) {
      if (alphabet.code(symbol) != Alphabet::none ||
          kind_of(alphabet, symbol) != OddSymbol::foreign) {
        continue;
      }
      throw UsageError("-p '" + shown_name(pattern) + "': '" + printable({&symbol, 1}) +
                       "' is not a symbol of a " + std::string(shown_policy(alphabet.policy())) +
                       " index" + advice_for(pattern, symbol));
    }
  }
}

void check_patterns(const std::vector<std::string>& patterns, const MismatchRules& rules) {
  refuse_empty_patterns(patterns);
  for (const std::string& pattern : patterns) {
    if (const auto why = why_unasked(pattern, rules))
      throw UsageError("-p '" + shown_name(pattern) + "': it " + *why);
  }
}

void require_bases(const Alphabet& alphabet, const QueryOptions& options) {
  if (!options.with_mismatches() || alphabet.policy() == SymbolPolicy::dna) return;
  throw UsageError(std::string(options.iupac ? "--iupac" : "-k") +
                   " needs a DNA index; this one is " +
                   std::string(shown_policy(alphabet.policy())));
}

void refuse_patterns_as_files(const std::vector<std::string>& files) {
  std::error_code error;
  for (const std::string& file : files) {
    const bool sequence =
        !file.empty() && file.find_first_not_of("ACGTUNacgtun") == std::string::npos;
    if (!sequence || std::filesystem::exists(file, error)) continue;
    throw InputError(file + ": cannot read it: there is no such file; a pattern is given by -p");
  }
}

void check_outputs(const QueryOptions& options, Session& session) {
  session.files.reads(cram_reference_files(options.reading.cram_reference));
  if (options.binary) refuse_terminal(options.output, "BAM", "name a file, or read it from a pipe");
  check_outputs(outputs_of(options), session);
}

void require_part_output(const QueryOptions& options) {
  refuse_terminal(options.output, "a partial result", "use -o FILE.part");
  if (options.no_header)
    throw UsageError("--no-header: a partial result has no header line; give it to gsx merge");
}

void try_outputs(const QueryOptions& options) {
  for (const std::string& output : outputs_of(options)) {
    std::error_code error;
    const auto status = std::filesystem::status(output, error);
    const bool is_stream = is_other(status) || OutputPlace::of(output).descriptor;
    if (!is_stream) const Output tried(output);
  }
}

void require_cpu(const std::string& device, const std::string& work) {
  if (device == "auto" || device == "cpu") return;
  throw DeviceError("--device " + device + ": " + work + " on the CPU only");
}

}  // namespace gsx::app
