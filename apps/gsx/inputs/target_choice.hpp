// Chooses what a command works on: an index, or sequences in its place.
#pragma once

#include <string>
#include <vector>

#include "inputs/index_advice.hpp"
#include "options/command_line.hpp"

namespace gsx::app {

/// What to work on. choose_target() leaves one of the two.
struct TargetOptions {
  std::string index;                    ///< -x, and then the path of the index
  std::vector<std::string> references;  ///< -r, or sequences in its place

  bool in_memory() const { return !references.empty(); }
};

/// Adds -x and, if there is a help for it, -r, which it returns. For choose_target().
CLI::Option* add_target_options(CLI::App& command, TargetOptions& target,
                                const char* reference_help = nullptr);

/// Whether a regular file begins like an index. Reads 8 bytes; never waits for a FIFO.
bool is_index(const std::string& path);

/// Whether an argument can only be an index: it is one, ends in .gsx, or is a folder, which stands
/// for the index in it. Among regions, whose record may have the name of a folder, only one that
/// has a *.gsx, or whose name ends in /, . or .. does.
bool names_index(const std::string& argument, ArgumentKind kind);

/// `path` itself, or the only index in the folder that it names. Throws UsageError for a folder
/// with several, and ForeignIndexError for one without an index, or for a name that lacks .gsx.
/// `option` is that which may name one of several, for the message.
std::string index_at(const std::string& path, const char* option = "-x");

/// Chooses what -r names; or the index of -x; else the first of `arguments`, which is removed from
/// them, if it names an index or, in place of -r, sequences; else $GSX_INDEX; else the only *.gsx
/// of the current folder. The last two are logged. A folder stands for the only *.gsx in it. The
/// file need not be a sound index, nor exist. Throws UsageError if there are two targets, if a
/// later argument is the only index, or if there is no index or no single one, and what index_at()
/// throws.
void choose_target(TargetOptions& target, std::vector<std::string>& arguments, ArgumentKind kind);

/// Chooses the index of a command whose only argument that is; "" means that there is none.
void choose_target(TargetOptions& target, const std::string& argument);

/// Advice for files of queries.
inline constexpr const char* one_index_per_run =
    "not queries; a run searches one index: run once for each";
/// Throws UsageError if one of `files`, which should hold something else, is an index. `advice`
/// ends the message.
void refuse_indexes(const std::vector<std::string>& files, const char* advice);

}  // namespace gsx::app
