// The format of an output: as options name it, or else its suffix.
#pragma once

#include <string>
#include <string_view>

#include "process/run_files.hpp"

namespace gsx::app {

/// The format that the suffix of a file name stands for, in lower case; .gz or .bgz behind it does
/// not count. Other spellings stand for one, such as .fa for fasta, .bg for bedgraph, .gff for gff3
/// and .bw for bigwig; any other suffix names itself.
std::string format_suffix(std::string output);

/// Whether other programs take files of a format to be what the suffix says.
bool is_known_format(std::string_view format);

/// What a command may write to an output.
struct OutputFormats {
  std::string command;  ///< for messages
  std::string written;  ///< the formats, as messages list them: "tsv, bed or paf"
  std::string option = "-o";
  std::string choice = "";  ///< how to choose one, for messages; "" if by --format or the suffix
  bool is_open = false;     ///< whether the output is open already
};
/// The format that the suffix of an output names, if it is one of those; else "", also for a suffix
/// that stands for no format. Throws UsageError for the suffix of another one, by which other
/// programs would misread the output; of a file that exists,
/// has `files` refuse it.
std::string output_format(const std::string& output, const OutputFormats& formats, RunFiles& files);

/// The format that is asked for by --format or by a flag of its name; "" if none is. Throws
/// UsageError if they differ.
std::string asked_format(const std::string& flag, const std::string& format);

}  // namespace gsx::app
