// What a run reads and writes, so that no output replaces an input.
#pragma once

#include <sys/types.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gsx::app {

/// Knows what a run reads and what it writes, told in any order, and throws UsageError as soon as
/// an output would replace an input, by whatever name or link. Every Output asks it when it is
/// opened; a command whose work comes before that tells the names of its outputs first.
class RunFiles {
 public:
  /// The run reads this file; "-" is standard input, and "" no file.
  void reads(const std::string& file);
  void reads(const std::vector<std::string>& files);
  /// The run reads this index: of a manifest, also the shards, all of which it may then have open.
  void reads_index(const std::string& index);
  /// The run writes a file of this name; "-" and "" are standard output.
  void writes(const std::string& name);
  /// The run opens it. Throws as refuse() says, too.
  void opens(const std::string& name);
  /// An output of this name is to be refused when it is opened, for a reason that matters less than
  /// that it would replace an input.
  void refuse(const std::string& output, const std::string& why) { refused_.emplace(output, why); }

 private:
  using Id = std::pair<dev_t, ino_t>;

  std::map<Id, std::string> read_;  ///< regular files, and what they are called
  std::map<Id, std::string> written_;
  std::map<std::string, std::string> refused_;  ///< why, by name
};

}  // namespace gsx::app
