#include "process/run_files.hpp"

#include <sys/stat.h>
#include <unistd.h>
#include <optional>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "index/store/shard_manifest.hpp"
#include "process/process.hpp"

namespace gsx::app {
namespace {

/// What identifies the file of that name, or of descriptor `standard` if it is named "-", if it is
/// a regular file that is there.
std::optional<std::pair<dev_t, ino_t>> file_named(const std::string& name, int standard) {
  struct stat file {};
  const int failed = name == "-" ? fstat(standard, &file) : stat(name.c_str(), &file);
  if (failed != 0 || !S_ISREG(file.st_mode)) return std::nullopt;
  return std::pair{file.st_dev, file.st_ino};
}

[[noreturn]] void refuse_to_replace(const std::string& input, const std::string& output) {
  const bool standard = input == "-";
  throw UsageError("the output would replace the input '" + printable(standard ? output : input) +
                   (standard ? "', which is standard input" : "'"));
}

}  // namespace

void RunFiles::reads(const std::string& file) {
  if (file.empty()) return;
  const auto id = file_named(file, STDIN_FILENO);
  if (!id) return;
  read_.try_emplace(*id, file);
  if (const auto output = written_.find(*id); output != written_.end())
    refuse_to_replace(file, output->second);
}

void RunFiles::reads(const std::vector<std::string>& files) {
  for (const std::string& file : files)
    reads(file);
}

void RunFiles::reads_index(const std::string& index) {
  reads(index);
  if (!begins_as_manifest(index)) return;
  try {
    const std::vector<std::string> shards = shard_paths(index, read_manifest(index));
    allow_open_files(shards.size());
    reads(shards);
  } catch (const UsageError&) {
    throw;
  } catch (const Error&) {  // whoever opens it says why
  }
}

void RunFiles::writes(const std::string& name) {
  const std::string output = name.empty() ? "-" : name;
  if (const auto id = file_named(output, STDOUT_FILENO)) {
    written_.try_emplace(*id, output);
    if (const auto input = read_.find(*id); input != read_.end())
      refuse_to_replace(input->second, output);
  }
}

void RunFiles::opens(const std::string& name) {
  writes(name);
  if (const auto refused = refused_.find(name); refused != refused_.end())
    throw UsageError(refused->second);
}

}  // namespace gsx::app
