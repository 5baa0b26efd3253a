// Options for input sequences, and reading them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "device/backend.hpp"
#include "options/command_line.hpp"
#include "options/numbers.hpp"
#include "process/session.hpp"
#include "text/read_text.hpp"
#include "text/read_text_within.hpp"
#include "text/record_names.hpp"
#include "text/shard_reader.hpp"

namespace gsx::app {

/// Input files, and how to read their symbols.
struct InputOptions {
  std::vector<std::string> files;
  std::string alphabet = "auto";
  std::string ambiguous = "split";
  std::string soft_mask = "fold";
  std::string cram_reference;
  std::uint64_t batch = std::uint64_t{1} << 20;
  SizeLimit memory_limit;
  bool wide = false;
  bool only_dna = false;  ///< see TextOptions
  bool guessed = false;   ///< whether the alphabet was guessed, though `alphabet` names it
  bool keep_files = false;
  bool allow_no_eof = false;
  bool whole_header = false;
  bool offers_whole_header = false;     ///< whether the command has --whole-header
  std::string list;                     ///< a file that names further files; "" for none
  std::vector<std::string> file_names;  ///< to keep; see ReadTextOptions

  /// The files, and those that --cram-reference names: what no output may replace.
  std::vector<std::string> files_read() const;
  PositionWidth width() const { return wide ? PositionWidth::wide : PositionWidth::automatic; }
};
/// The policy of that name, which is not auto.
SymbolPolicy alphabet_named(const std::string& name);
/// Adds --alphabet.
CLI::Option* add_alphabet_option(CLI::App& command, std::string& alphabet);
void add_input_options(CLI::App& command, InputOptions& options);
/// Adds --whole-header, for commands that write names.
void add_whole_header_option(CLI::App& command, InputOptions& options);
/// Adds --whole-header for what -r names and, if there are such, for queries.
CLI::Option* add_whole_header_option(CLI::App& command, bool& whole_header, const char* which);
/// Adds --allow-no-eof, for `files`.
CLI::Option* add_no_eof_option(CLI::App& command, bool& allow, const char* files);
/// Adds --input-list; FILE need not be given then.
void add_list_option(CLI::App& command, InputOptions& options);
/// Puts the files of the list behind the others. Throws UsageError if there are none in all.
void take_list(InputOptions& options);
/// Throws InputError for the first of these files that does not exist, or is a folder. Call it
/// before opening the output, whose name may be derived from theirs, and before the work on the
/// files before it.
void require_files(const std::vector<std::string>& files);
/// Throws as require_files() does, for standard input that is named twice, and for outputs that
/// would replace a file that is read, or each other. "" is no output but for the first, which then
/// is standard output.
void check_files(const std::vector<std::string>& files, const std::string& cram_reference,
                 const std::vector<std::string>& outputs, Session& session);
/// Tells the session that the run reads this input. Throws UsageError for a file that is named
/// twice, also by a link, and if an output would replace one.
void note_input(const InputOptions& options, Session& session);
/// Notes the input. Reads the files, behind the records of `earlier` if there are some, and logs
/// what they hold.
Text read_input(const InputOptions& options, Session& session,
                const EarlierRecords* earlier = nullptr);
/// Reads the input as read_input() does, shard by shard.
class ShardInput {
 public:
  /// Refers to its arguments. `names_by_file`: see ShardReader.
  ShardInput(const InputOptions& options, Session& session, const IsShardFull& is_full,
             bool names_by_file = false);
  /// The text of the next shard; none if there are no more.
  std::optional<Text> next();
  /// Passes over it; none if there are no more.
  std::optional<ShardSize> skip() { return reader_.skip(); }

 private:
  void warn_of_names_before(const Text& text);

  const InputOptions& options_;
  MemoryLimit memory_;
  ShardReader reader_;
  SharedNames names_;  ///< of the shards so far, if files are not kept
  bool has_warned_ = false;
};
/// What the records of the files have to say on each shard of them.
InputFigures figures_of(const InputOptions& options, Session& session);
/// Options for building the index of a text that was just read: threads, width of positions,
/// progress, and the memory that --memory-limit or else this machine leaves.
BuildOptions build_options(const InputOptions& options, Session& session);

}  // namespace gsx::app
