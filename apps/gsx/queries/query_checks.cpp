#include "queries/query_checks.hpp"

#include <filesystem>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "bytes/output.hpp"
#include "bytes/output_place.hpp"
#include "options/cram_option.hpp"
#include "process/environment.hpp"
#include "process/process.hpp"
#include "queries/query_results.hpp"

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

/// An empty pattern occurs nowhere, and is most likely a variable that is not set.
void refuse_empty(const std::string& pattern) {
  if (pattern.empty()) throw UsageError("-p '': the pattern is empty");
}

/// The names of all outputs, that of the main one first; "" for those that are not asked for.
std::vector<std::string> outputs_of(const QueryOptions& options) {
  std::vector<std::string> outputs{options.output, options.unmatched, options.summary};
  outputs.insert(outputs.end(), options.side_outputs.begin(), options.side_outputs.end());
  return outputs;
}

}  // namespace

void require_queries(const QueryInputs& inputs) {
  if (!inputs.empty()) return;
  throw UsageError(
      "no queries: name a file of FASTA, FASTQ or a pattern per line, - for standard input, or -p "
      "PATTERN");
}

void check_patterns(const std::vector<std::string>& patterns, const Alphabet& alphabet) {
  for (const std::string& pattern : patterns) {
    refuse_empty(pattern);
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
  for (const std::string& pattern : patterns) {
    refuse_empty(pattern);
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
  const std::vector<std::string> asked = outputs_of(options);
  std::vector<std::string> outputs;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const std::string& output = asked[i];
    const bool is_main = i == 0;
    if (output.empty() && !is_main) continue;
    if (is_main && options.binary) {
      refuse_terminal(output, "BAM", "name a file, or read it from a pipe");
    } else if (encoding_for(output) == Encoding::bgzf) {
      refuse_terminal(output, "BGZF", "name a file, or leave .gz out of the name");
    }
    session.files.writes(output);
    outputs.push_back(output.empty() ? "-" : output);
  }
  refuse_same_outputs(outputs);
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

void require_kept_files(const QueryOptions& options, const Index& index) {
  if (!options.by_file || !index.records().files.empty()) return;
  throw UsageError("--by-file: the index '" + printable(index.path()) +
                   "' does not know the files of its records; build it again: gsx index --files "
                   "FILE... -o " +
                   printable(index.path()));
}

}  // namespace gsx::app
