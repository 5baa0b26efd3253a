#include "output/summary/run_summary.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "index/store/index_checksum.hpp"
#include "records/formats/byte_source.hpp"

namespace gsx {
namespace {

using Kind = JsonValue::Kind;

/// Those that write --summary. A page shows the word as it is: no other one is taken.
constexpr std::string_view commands[] = {"amplicon", "count",     "filter",    "locate", "mem",
                                         "ms",       "neighbors", "offtarget", "prefix"};
/// The members that name files.
constexpr std::string_view lists[] = {"references", "whitelist_files", "set_files", "query_files",
                                      "region_files"};

std::string take_text(const RunSummary& run, JsonMembers& members, std::string_view name) {
  JsonValue* const member = find_member(members, name);
  if (member == nullptr) run.refuse(fmt::format("it has no member {}", name));
  if (member->kind != Kind::text) run.refuse(fmt::format("{} is no text", name));
  return std::move(member->text);
}

SummaryIndex index_of(const RunSummary& run, const JsonValue& value) {
  const JsonValue* const file = find_member(value.members, "file");
  const JsonValue* const sum = find_member(value.members, "checksum");
  if (file == nullptr || sum == nullptr || sum->kind != Kind::text)
    run.refuse("its index has no file or no checksum");
  SummaryIndex index;
  if (file->kind == Kind::text) index.file = file->text;
  const char* const end = sum->text.data() + sum->text.size();
  const auto [read, error] = std::from_chars(sum->text.data(), end, index.checksum, 16);
  if (error != std::errc() || read != end) run.refuse("its checksum is no number");
  return index;
}

}  // namespace

std::uint64_t RunSummary::number(std::string_view name, int bits) const {
  const JsonValue* const figure = find_member(figures, name);
  if (figure == nullptr) refuse(fmt::format("it has no member {}", name));
  const auto number = figure->whole_number();
  if (!number || (bits < 64 && *number >> bits != 0))
    refuse(fmt::format("{} is not a whole number below 2^{}", name, bits));
  return *number;
}

std::optional<std::uint64_t> RunSummary::number_if_any(std::string_view name, int bits) const {
  if (find_member(figures, name) == nullptr) return std::nullopt;
  return number(name, bits);
}

const JsonValue& RunSummary::option(std::string_view name) const {
  static const JsonValue none;
  const JsonValue* const found = find_member(options, name);
  return found == nullptr ? none : *found;
}

void RunSummary::refuse(const std::string& why) const {
  throw InputError(label + " is not what --summary of gsx writes: " + why);
}

SummaryIndex summary_of(const Index& index) {
  return {index.path().substr(index.path().rfind('/') + 1), checksum_of(index)};
}

void add_input(RunSummary& run, SummaryIndex index, const std::vector<std::string>& references,
               const std::vector<std::string>& query_files) {
  run.index = std::move(index);
  if (!references.empty()) {
    run.index->file.clear();
    run.files.push_back({"references", references});
  }
  run.files.push_back({"query_files", query_files});
}

std::string summary_text(const RunSummary& run) {
  JsonMembers all{{"version", run.version}, {"command", run.command}};
  all.insert(all.end(), run.figures.begin(), run.figures.end());
  if (run.index) {
    const std::string& file = run.index->file;
    all.push_back(
        {"index", JsonMembers{{"file", file.empty() ? JsonValue() : JsonValue(file)},
                              {"checksum", fmt::format("{:016x}", run.index->checksum)}}});
  }
  all.insert(all.end(), run.files.begin(), run.files.end());
  all.push_back({"options", run.options});
  return json_text(all) + '\n';
}

RunSummary parse_summary(const std::string& label, std::string_view content) {
  RunSummary run;
  run.label = label;
  JsonValue all;
  try {
    all = parse_json(content);
  } catch (const JsonFault& fault) {
    run.refuse(fmt::format("at byte {}, {}", fault.at + 1, fault.what));
  }
  if (all.kind != Kind::object) run.refuse("it is no JSON object");
  run.version = take_text(run, all.members, "version");
  run.command = take_text(run, all.members, "command");
  if (std::ranges::find(commands, run.command) == std::end(commands))
    run.refuse("command is none that writes a summary");
  for (auto& [name, value] : all.members) {
    if (name == "version" || name == "command") continue;
    if (name == "index") {
      run.index = index_of(run, value);
    } else if (name == "options") {
      run.options = std::move(value.members);
    } else {
      const bool is_list = std::ranges::find(lists, name) != std::end(lists);
      if (is_list && value.kind != Kind::array) run.refuse(name + " is no list");
      (is_list ? run.files : run.figures).push_back({std::move(name), std::move(value)});
    }
  }
  return run;
}

RunSummary read_summary(const std::string& path) {
  const std::string label = path == "-" ? "standard input" : "'" + printable(path) + "'";
  try {
    ByteSource source(path, 0, {}, {.no_eof_advice = "make it again"});
    std::string content;
    for (std::string_view some = source.peek(); !some.empty(); some = source.peek()) {
      content += some;
      source.skip(some.size());
      if (content.size() > most_summary_bytes) {
        throw InputError(
            fmt::format("{} is not what --summary of gsx writes: it is longer than {} bytes", label,
                        most_summary_bytes));
      }
    }
    return parse_summary(label, content);
  } catch (const OpenFilesError& error) {
    throw ResourceError("cannot open " + label + ": " + error.what());
  } catch (const SourceError& error) {
    throw InputError("cannot read " + label + ": " + error.what());
  }
}

}  // namespace gsx
