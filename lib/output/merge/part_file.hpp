// Reads the lines of a partial result.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "output/parts/part_source.hpp"

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

/// Gives the lines of a file that gsx has written, plain or compressed, one after another. Holds a
/// line at a time. Throws InputError, with file and line, as every function that reads.
class PartFile {
 public:
  static constexpr std::size_t longest_line = std::size_t{1} << 26;

  explicit PartFile(PartSource source) : source_(std::move(source)) {}

  /// Takes the next line; false at the end. Refuses a last line without an end: the file was cut.
  bool next();
  /// The line, without its end.
  std::string_view line() const { return line_; }

  /// Begins a line and takes what is up to the end of `token` in it; false at the end of the file.
  bool take_through(std::string_view token);
  /// Gives what is left of the line that take_through() has begun, piece by piece, without its end
  /// and without `tail`, which must be there.
  void copy_rest(std::string_view tail, const std::function<void(std::string_view)>& write);

  /// Says of which shard the part has to be: names of its records, or of its files.
  void expect(ShardNames names) { names_ = std::move(names); }
  /// Throws InputError if a line names what the shard of expect() lacks.
  void require_name(std::string_view column) {
    if (names_ && !names_->has(column)) fail_on_name(column);
  }
  /// Throws InputError if the first line of a further record, in the order of places, names what
  /// the shard of expect() lacks, or a name of which it has no more records.
  void require_next_record(std::string_view column);
  /// Whether expect() has told of the shard.
  bool knows_shard() const { return names_.has_value(); }

  /// The name of the file, as messages give it.
  const std::string& label() const { return source_.label; }
  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::string_view peek();
  [[noreturn]] void fail_cut() const;
  [[noreturn]] void fail_on_name(std::string_view column) const;

  PartSource source_;
  std::uint64_t number_ = 0;
  std::string line_;
  std::optional<ShardNames> names_;
};

/// Adds a number of `part`. Throws InputError if the sum is too large.
void add_to(std::uint64_t& sum, std::uint64_t more, const PartFile& part);
/// The columns of a line. They refer to it.
void split_columns(std::string_view line, std::vector<std::string_view>& columns);
/// The number that all of a column is. Throws InputError that names the line of `part`.
std::uint64_t number_in(const PartFile& part, std::string_view column);

}  // namespace gsx
