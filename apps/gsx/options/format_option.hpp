// --format and its short forms, for commands with several formats of results.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "options/command_line.hpp"
#include "options/format_suffix.hpp"
#include "output/lines/result_format.hpp"

namespace gsx::app {

class FormatOption {
 public:
  /// A format, and what the help says of its short form, if there is one.
  struct Known {
    ResultFormat format;
    const char* help = nullptr;
  };

  /// Adds the options, in the group that begin_group() began. Must outlive the parsing, at the same
  /// place.
  void add(CLI::App& command, const std::vector<Known>& known,
           const char* help =
               "Write this format (default: the one that the suffix of -o names, also before .gz, "
               "and otherwise tsv)");
  /// Whether a format is asked for by an option.
  bool is_given() const { return !name_.empty() || !flag().empty(); }
  /// The format that --format or its short form names; "" if none does. Throws UsageError if they
  /// differ.
  std::string asked() const { return asked_format(flag(), name_); }
  /// The format asked for; else the one that the suffix of the output of `option` names, before .gz
  /// or .bgz; else TSV. Throws UsageError, or has `files` refuse the output, if two different
  /// formats are asked for, or if the suffix is that of another format than those `among` which the
  /// command chooses here.
  ResultFormat choose(const std::string& output, RunFiles& files, const char* option,
                      const std::vector<ResultFormat>& among) const;
  /// Chooses so among all formats that were added.
  ResultFormat choose(const std::string& output, RunFiles& files, const char* option = "-o") const {
    return choose(output, files, option, known_);
  }

 private:
  /// The format that a short form names; "" if there is none.
  std::string flag() const;

  std::string command_;
  std::vector<ResultFormat> known_;
  std::string name_;
  std::array<bool, result_formats> flags_{};  ///< by format
};

}  // namespace gsx::app
