#include "options/format_option.hpp"

#include <CLI/App.hpp>
#include <algorithm>

#include "base/log.hpp"
#include "base/messages.hpp"
#include "options/option_kinds.hpp"

namespace gsx::app {

void FormatOption::add(CLI::App& command, const std::vector<Known>& known, const char* help) {
  command_ = command.get_name();
  std::vector<std::string> names;
  for (const Known& one : known) {
    known_.push_back(one.format);
    names.push_back(name_of(one.format));
  }
  add_choice(command, "--format", name_, names, help);
  std::vector<CLI::Option*> flags;
  for (const Known& one : known) {
    if (one.help == nullptr) continue;
    const std::string name = "--" + name_of(one.format);
    CLI::Option* const flag =
        add_flag(command, name, flags_[static_cast<std::size_t>(one.format)],
                 std::string(one.help) + "; short for --format " + name_of(one.format));
    for (CLI::Option* other : flags)
      flag->excludes(other);
    flags.push_back(flag);
  }
}

std::string FormatOption::flag() const {
  const auto found = std::find(flags_.begin(), flags_.end(), true);
  return found == flags_.end() ? "" : name_of(static_cast<ResultFormat>(found - flags_.begin()));
}

ResultFormat FormatOption::choose(const std::string& output, RunFiles& files, const char* option,
                                  const std::vector<ResultFormat>& among) const {
  std::string name = asked();
  std::string all;
  for (const ResultFormat format : among)
    all += (all.empty() ? "" : format == among.back() ? " or " : ", ") + name_of(format);
  if (name.empty()) {
    name = output_format(output, {command_, all, option}, files);
  }
  const ResultFormat format = format_named(name);
  const std::string suffix = format_suffix(output);
  if (!asked().empty() && suffix != name && is_known_format(suffix))
    log().warn("{} '{}' is written as {}, whatever its suffix says", option, printable(output),
               name);
  return std::ranges::find(among, format) == among.end() ? ResultFormat::tsv : format;
}

}  // namespace gsx::app
