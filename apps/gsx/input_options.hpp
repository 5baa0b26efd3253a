// Sequences as input: the options, and reading them.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "numbers.hpp"
#include "session.hpp"
#include "text/read_text.hpp"

namespace gsx::app {

/// Input files and how their symbols are read.
struct InputOptions {
  std::vector<std::string> files;
  std::string alphabet = "auto";
  std::string ambiguous = "split";
  std::string soft_mask = "fold";
  std::uint64_t batch = std::uint64_t{1} << 20;
  SizeLimit memory_limit;
  bool wide = false;

  PositionWidth width() const { return wide ? PositionWidth::wide : PositionWidth::automatic; }
};
void add_input_options(CLI::App& command, InputOptions& options);
/// Throws the InputError of the first of these files that does not exist; to be called before the
/// output is opened, whose name may be made of theirs.
void require_files(const std::vector<std::string>& files);
/// Reads the files, logs what they hold.
Text read_input(const InputOptions& options, Session& session);
/// How a text that has just been read is to be built: threads, width of positions, progress, and
/// the memory that --memory-limit, or else this machine, leaves.
BuildOptions build_options(const InputOptions& options, Session& session);

}  // namespace gsx::app
