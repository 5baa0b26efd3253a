// The records or the files of a shard, which its results name.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

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
  /// Takes one of those that have the name; false if all were taken before. Pre: has(column).
  bool take(std::string_view column);
  const std::string& shard() const { return shard_; }
  const char* what() const { return what_; }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  std::string shard_;
  const char* what_;
  /// How many have each name and were not taken.
  std::unordered_map<std::string, std::uint64_t, Hash, std::equal_to<>> left_;
  std::string last_;  ///< that was found
};

}  // namespace gsx
