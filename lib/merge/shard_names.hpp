// The records or the files of a shard, which its results name.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace gsx {

/// Names, as columns of text formats have them. Memory: some 100 bytes per name.
class ShardNames {
 public:
  /// Of the records or files of a shard. Messages call the shard `shard`, and say `what` has a
  /// name: "record" or "file".
  ShardNames(std::string shard, const char* what) : shard_(std::move(shard)), what_(what) {}

  /// Adds a name as the index has it.
  void add(std::string_view name);
  /// Whether this is one of the names, as a column. Cost: that of a hash, or of a comparison if it
  /// is the name that was asked for last.
  bool has(std::string_view column);
  const std::string& shard() const { return shard_; }
  const char* what() const { return what_; }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  std::string shard_;
  const char* what_;
  std::unordered_set<std::string, Hash, std::equal_to<>> columns_;
  std::string last_;  ///< that was found
};

}  // namespace gsx
