// The records of a shard, which the lines of its results name.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace gsx {

/// Names of records, as columns of text formats have them.
class ShardRecords {
 public:
  /// `shard` is what messages call it.
  explicit ShardRecords(std::string shard) : shard_(std::move(shard)) {}

  /// Adds a record by its name in the index.
  void add(std::string_view name);
  /// Whether a record has this name, as a column. Cost: that of a hash, or of a comparison if it is
  /// the name that was asked for last.
  bool has(std::string_view column);
  const std::string& shard() const { return shard_; }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  std::string shard_;
  std::unordered_set<std::string, Hash, std::equal_to<>> columns_;
  std::string last_;  ///< that was found
};

}  // namespace gsx
