// Options for input sequences, and reading them.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "numbers.hpp"
#include "session.hpp"
#include "text/read_text.hpp"

namespace gsx::app {

/// Input files, and how to read their symbols.
struct InputOptions {
  std::vector<std::string> files;
  std::string alphabet = "auto";
  std::string ambiguous = "split";
  std::string soft_mask = "fold";
  std::uint64_t batch = std::uint64_t{1} << 20;
  SizeLimit memory_limit;
  bool wide = false;
  bool only_dna = false;  ///< see TextOptions

  PositionWidth width() const { return wide ? PositionWidth::wide : PositionWidth::automatic; }
};
/// The policy of that name, which is not auto.
SymbolPolicy alphabet_named(const std::string& name);
/// Adds --alphabet.
CLI::Option* add_alphabet_option(CLI::App& command, std::string& alphabet);
void add_input_options(CLI::App& command, InputOptions& options);
/// Throws InputError for the first of these files that does not exist. Call it before opening the
/// output, whose name may be derived from theirs.
void require_files(const std::vector<std::string>& files);
/// Reads the files and logs what they hold.
Text read_input(const InputOptions& options, Session& session);
/// Options for building the index of a text that was just read: threads, width of positions,
/// progress, and the memory that --memory-limit or else this machine leaves.
BuildOptions build_options(const InputOptions& options, Session& session);

}  // namespace gsx::app
