#include "inputs/target_choice.hpp"

#include <CLI/App.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "index/store/format.hpp"
#include "index/store/shard_manifest.hpp"
#include "options/option_kinds.hpp"

namespace gsx::app {
namespace {

/// Leaves out the shards that manifests among the files of a folder name.
void drop_shards(const std::filesystem::path& folder, std::vector<std::string>& files) {
  std::set<std::string> shards;
  for (const std::string& file : files) {
    const std::string path = (folder / file).string();
    if (!begins_as_manifest(path)) continue;
    try {
      for (const ShardEntry& shard : read_manifest(path).shards)
        shards.insert(shard.file);
    } catch (const Error&) {  // whoever opens it says why
    }
  }
  std::erase_if(files, [&](const std::string& file) { return shards.contains(file); });
}

/// The *.gsx files of a folder, sorted by name, without shards of others.
std::vector<std::string> indexes_in(const std::filesystem::path& folder) {
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".gsx" && !entry.is_directory(error)) {
      found.push_back(entry.path().filename().string());
    }
  }
  drop_shards(folder, found);
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

std::string index_at(const std::string& path, const char* option) {
  if (const std::string advice = advice_on_missing(path); !advice.empty())
    throw ForeignIndexError("there is no index '" + printable(path) + "'" + advice);
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return path;
  const auto found = indexes_in(path);
  if (found.empty()) {
    throw ForeignIndexError("the folder '" + printable(path) +
                            "' has no *.gsx; name an index, or make one with gsx index; of other "
                            "files, name each");
  }
  if (found.size() > 1) {
    const std::filesystem::path folder = path;
    // Beside a manifest, the others may be shards of an index before.
    const auto manifest = std::ranges::find_if(found, [&](const std::string& file) {
      return begins_as_manifest((folder / file).string());
    });
    const std::string& example = manifest == found.end() ? found[0] : *manifest;
    throw UsageError("the folder '" + printable(path) + "' has " + std::to_string(found.size()) +
                     " *.gsx; name one of them with " + option + ", such as '" +
                     printable((folder / example).string()) + "'");
  }
  std::string index = (std::filesystem::path(path) / found[0]).string();
  log().info("index: {} (the only *.gsx in that folder)", printable(index));
  return index;
}

namespace {

/// Says that nothing names an index, and how many *.gsx this folder has.
[[noreturn]] void refuse_no_index(std::size_t here, const std::vector<std::string>& arguments,
                                  ArgumentKind kind) {
  const std::string count =
      "this folder has " + (here == 0 ? "no" : std::to_string(here)) + " *.gsx";
  if (kind == ArgumentKind::sequences) {
    throw UsageError("FILE is required; - is standard input" +
                     (here == 0 ? "" : "; or name an index with -x or $GSX_INDEX: " + count));
  }
  throw UsageError((here == 0
                        ? "no index: name one with -x or $GSX_INDEX (" + count + ')'
                        : "which index? T" + count.substr(1) + "; name one with -x or $GSX_INDEX") +
                   advice_without_index(arguments, kind));
}

std::string index_of_surroundings(const std::vector<std::string>& arguments, ArgumentKind kind) {
  if (const char* named = std::getenv("GSX_INDEX"); named != nullptr && *named != '\0') {
    log().info("index: {} (from $GSX_INDEX)", printable(named));
    return index_at(named);
  }
  const auto found = indexes_in(".");
  if (found.size() != 1) refuse_no_index(found.size(), arguments, kind);
  log().info("index: {} (the only *.gsx here)", printable(found[0]));
  return found[0];
}

[[noreturn]] void refuse_second(const std::string& named, const std::string& argument) {
  throw UsageError("two indexes, '" + printable(named) + "' by -x and '" + printable(argument) +
                   "' as an argument; name one");
}

[[noreturn]] void refuse_both(const std::string& index, const std::string& sequences) {
  throw UsageError("the index '" + printable(index) + "' and '" + printable(sequences) +
                   "': give one index, or sequences, not both");
}

/// Checks what -r names, which is the target then.
void check_references(const TargetOptions& target, const std::vector<std::string>& arguments,
                      ArgumentKind kind) {
  if (!target.index.empty()) throw UsageError("-x and -r both name the target; give one of them");
  for (const std::string& file : target.references) {
    if (is_index(file))
      throw UsageError("'" + printable(file) + "' is an index, not sequences: name it by -x");
  }
  const bool may_be_index = kind == ArgumentKind::sequences || kind == ArgumentKind::regions;
  if (const auto index = std::ranges::find_if(arguments, is_index);
      may_be_index && index != arguments.end())
    refuse_both(*index, target.references.front());
  if (kind == ArgumentKind::sequences && !arguments.empty()) {
    throw UsageError("'" + printable(arguments.front()) +
                     "' and -r both name sequences; name all as FILE, or all by -r");
  }
}

/// How many of the arguments are sequences in place of -r.
std::size_t references_among(const std::vector<std::string>& arguments, ArgumentKind kind) {
  if (kind == ArgumentKind::sequences) return arguments.size();
  return kind == ArgumentKind::pairs ? std::min<std::size_t>(1, arguments.size()) : 0;
}

/// Removes the first arguments and returns them.
std::vector<std::string> take_first(std::vector<std::string>& arguments, std::size_t count) {
  const auto end = arguments.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<std::string> first(arguments.begin(), end);
  arguments.erase(arguments.begin(), end);
  return first;
}

}  // namespace

CLI::Option* add_target_options(CLI::App& command, TargetOptions& target,
                                const char* reference_help) {
  add_path(command, "-x,--index", target.index,
           "Index, or a folder with one (default: the first argument if it is an index, "
           "else $GSX_INDEX, else the only *.gsx in this folder)")
      ->type_name("INDEX")
      ->group("Input");
  if (reference_help == nullptr) return nullptr;
  return add_texts(command, "-r,--reference", "FASTA", target.references, reference_help)
      ->group("Input");
}

bool is_index(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::ifstream file(path, std::ios::binary);
  char begin[index_magic.size()];
  if (!file.read(begin, sizeof begin)) return false;
  const std::string_view magic(begin, sizeof begin);
  return magic == index_magic || magic == manifest_magic;
}

bool names_index(const std::string& argument, ArgumentKind kind) {
  std::error_code error;
  if (std::filesystem::is_directory(argument, error)) {
    if (kind != ArgumentKind::regions) return true;
    const std::filesystem::path last = std::filesystem::path(argument).filename();
    return last.empty() || last == "." || last == ".." || !indexes_in(argument).empty();
  }
  return argument.ends_with(".gsx") || is_index(argument);
}

void choose_target(TargetOptions& target, std::vector<std::string>& arguments, ArgumentKind kind) {
  if (target.in_memory()) return check_references(target, arguments, kind);
  const bool is_first =
      !arguments.empty() && (kind == ArgumentKind::index || names_index(arguments.front(), kind));
  if (!target.index.empty()) {
    if (is_first && (kind == ArgumentKind::index || is_index(arguments.front())))
      refuse_second(target.index, arguments.front());
    target.index = index_at(target.index);
  } else if (is_first) {
    target.index = index_at(take_first(arguments, 1).front());
  } else {
    const auto later = std::ranges::find_if(arguments, is_index);
    const std::size_t references = references_among(arguments, kind);
    if (later != arguments.end() && kind == ArgumentKind::sequences)
      refuse_both(*later, arguments.front());
    if (later != arguments.end() && kind != ArgumentKind::pairs) {
      throw UsageError("'" + printable(*later) +
                       "' is an index: it must come first, or be given by -x");
    }
    target.references = take_first(arguments, references);
    if (references == 0) target.index = index_of_surroundings(arguments, kind);
  }
  if (kind == ArgumentKind::sequences && !arguments.empty())
    refuse_both(target.index, arguments.front());
}

void choose_target(TargetOptions& target, const std::string& argument) {
  std::vector<std::string> arguments;
  if (!argument.empty()) arguments.push_back(argument);
  choose_target(target, arguments, ArgumentKind::index);
}

void refuse_indexes(const std::vector<std::string>& files, const char* advice) {
  const auto found = std::find_if(files.begin(), files.end(), is_index);
  if (found == files.end()) return;
  throw UsageError("'" + printable(*found) + "' is an index, " + advice);
}

}  // namespace gsx::app
