// Takes the text of an index, in commands that otherwise read sequences.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>

#include "device/cost.hpp"
#include "index/store/index.hpp"
#include "inputs/input_options.hpp"
#include "options/options.hpp"
#include "run/target.hpp"

namespace gsx::app {

/// Adds -x, which excludes input files.
void add_indexed_text_option(CLI::App& command, std::string& named);

/// The index that `named` (-x) or else the only input file names; none if the input is sequences.
/// Throws UsageError if there is an index and other input, an option for reading sequences, or
/// neither index nor input; what Index::open() throws; and CorruptIndexError if the text holds
/// codes outside its alphabet.
std::optional<Index> indexed_text(const CLI::App& command, const std::string& named,
                                  const InputOptions& input, Session& session);

/// The symbols of the index's text, or else those of the input, about.
Amount symbols_of(const std::optional<Index>& index, const InputOptions& input);

/// The index, if there is one, and else the text of the input, which it reads.
Target read_target(const std::optional<Index>& index, const InputOptions& input, Session& session);

/// Throws UsageError "NAME why" for the first of these options that was given.
void refuse_options(const CLI::App& command, std::initializer_list<const char*> names,
                    const std::string& why);
/// The same for options that only matter for work on a GPU.
void refuse_device_options(const CLI::App& command, const DeviceOptions& options,
                           const std::string& why);

}  // namespace gsx::app
