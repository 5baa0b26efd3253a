// Which symbols of queries an index lacks, so that summaries of its shards can be joined.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace gsx {

/// Of queries that hold symbols which an index lacks: how many lack exactly which. What the shards
/// of an index count alike does not add up, but a query that holds a symbol that no shard has is
/// counted by each of them. So these sets tell how many cannot match in all.
class AbsentSymbols {
 public:
  /// So many different sets are told apart; with more, none are.
  static constexpr std::size_t most_sets = 1000;

  /// Adds `queries` queries that lack `symbols`: different bytes in ascending order, at least one.
  void add(const std::string& symbols, std::uint64_t queries = 1);
  void add(const AbsentSymbols& later);
  /// Whether there are more than most_sets sets.
  bool too_many() const { return too_many_; }
  /// The number of queries.
  std::uint64_t queries() const;
  /// Those that lack a symbol even if there are `symbols`, too.
  AbsentSymbols without(std::string_view symbols) const;
  /// Appends {"SYMBOLS":QUERIES,...}, or null if there are too many sets.
  void append_json(std::string& out) const;
  /// Takes what append_json() has written off the front of `text`. False if there is none.
  bool take_json(std::string_view& text);

 private:
  bool too_many_ = false;
  std::map<std::string, std::uint64_t> sets_;
};

/// Takes a string that append_json_string() has written for single bytes off the front of `text`,
/// and appends these bytes to `bytes`. False if there is none.
bool take_json_bytes(std::string_view& text, std::string& bytes);

}  // namespace gsx
