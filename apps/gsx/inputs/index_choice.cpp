#include "inputs/index_choice.hpp"

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

/// `path` itself, or the only index in the folder that it names.
std::string inside(const std::string& path) {
  if (const std::string advice = advice_on_missing(path); !advice.empty())
    throw ForeignIndexError("there is no index '" + printable(path) + "'" + advice);
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return path;
  const auto found = indexes_in(path);
  if (found.empty()) {
    throw ForeignIndexError("the folder '" + printable(path) +
                            "' has no *.gsx; make an index with gsx index, or name one with -x");
  }
  if (found.size() > 1) {
    const std::filesystem::path folder = path;
    // Beside a manifest, the others may be shards of an index before.
    const auto manifest = std::ranges::find_if(found, [&](const std::string& file) {
      return begins_as_manifest((folder / file).string());
    });
    const std::string& example = manifest == found.end() ? found[0] : *manifest;
    throw UsageError("the folder '" + printable(path) + "' has " + std::to_string(found.size()) +
                     " *.gsx; name one of them with -x, such as '" +
                     printable((folder / example).string()) + "'");
  }
  std::string index = (std::filesystem::path(path) / found[0]).string();
  log().info("index: {} (the only *.gsx in that folder)", printable(index));
  return index;
}

std::string index_of_surroundings(const std::vector<std::string>& arguments, ArgumentKind kind) {
  if (const char* named = std::getenv("GSX_INDEX"); named != nullptr && *named != '\0') {
    log().info("index: {} (from $GSX_INDEX)", printable(named));
    return inside(named);
  }
  const auto found = indexes_in(".");
  if (found.size() == 1) {
    log().info("index: {} (the only *.gsx here)", printable(found[0]));
    return found[0];
  }
  throw UsageError((found.empty()
                        ? "no index: name one with -x or $GSX_INDEX (this folder has no *.gsx)"
                        : "which index? This folder has " + std::to_string(found.size()) +
                              " *.gsx; name one with -x or $GSX_INDEX") +
                   advice_without_index(arguments, kind));
}

[[noreturn]] void refuse_second(const std::string& named, const std::string& argument) {
  throw UsageError("two indexes, '" + printable(named) + "' by -x and '" + printable(argument) +
                   "' as an argument; name one");
}

}  // namespace

void add_index_option(CLI::App& command, std::string& named) {
  add_path(command, "-x,--index", named,
           "Index, or a folder with one (default: the first argument if it is an index, "
           "else $GSX_INDEX, else the only *.gsx in this folder)")
      ->type_name("INDEX")
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

bool is_index_or_folder(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return is_index(path);
  return path.ends_with('/') || (path != "." && !indexes_in(path).empty());
}

std::string choose_index(const std::string& named, std::vector<std::string>& arguments,
                         ArgumentKind kind) {
  const bool has_first = !arguments.empty();
  if (!named.empty()) {
    if (has_first && is_index(arguments.front())) refuse_second(named, arguments.front());
    return inside(named);
  }
  if (has_first && (arguments.front().ends_with(".gsx") || is_index_or_folder(arguments.front()))) {
    std::string first = std::move(arguments.front());
    arguments.erase(arguments.begin());
    return inside(first);
  }
  std::error_code error;
  if (has_first && kind == ArgumentKind::queries && arguments.front() == "." &&
      std::filesystem::is_directory(".", error) && !indexes_in(".").empty())
    throw InputError("'.' is a directory: give ./ or -x . for the index in it");
  if (const auto later = std::ranges::find_if(arguments, is_index); later != arguments.end()) {
    throw UsageError("'" + printable(*later) +
                     "' is an index: it must come first, or be given by -x");
  }
  return index_of_surroundings(arguments, kind);
}

std::string choose_index(const std::string& named, const std::string& argument) {
  if (argument.empty())
    return named.empty() ? index_of_surroundings({}, ArgumentKind::none) : inside(named);
  if (!named.empty()) refuse_second(named, argument);
  return inside(argument);
}

void refuse_indexes(const std::vector<std::string>& files, const char* advice) {
  const auto found = std::find_if(files.begin(), files.end(), is_index);
  if (found == files.end()) return;
  throw UsageError("'" + printable(*found) + "' is an index, " + advice);
}

}  // namespace gsx::app
