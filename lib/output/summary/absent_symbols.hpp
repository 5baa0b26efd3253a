// Which symbols of queries an index lacks, so that summaries of its shards can be joined.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "output/json/json.hpp"

namespace gsx {

/// Counts queries by the set of their symbols that an index lacks. A query that holds a symbol
/// which no shard has is counted by each shard. So the sets of one shard, and the symbols of all,
/// tell how many queries no shard can match; the numbers of queries alone do not.
class AbsentSymbols {
 public:
  /// So many different sets are told apart; with more, none are.
  static constexpr std::size_t most_sets = 1000;

  /// Adds queries that hold just these symbols which the index lacks: different bytes in ascending
  /// order, at least one.
  void add(const std::string& symbols, std::uint64_t queries = 1);
  void add(const AbsentSymbols& later);
  /// Whether there are more than most_sets sets.
  bool too_many() const { return too_many_; }
  /// The number of queries.
  std::uint64_t queries() const;
  /// What is left of the sets without `symbols`; sets that become empty are dropped.
  AbsentSymbols without(std::string_view symbols) const;
  /// {"SYMBOLS":QUERIES,...}, or null if there are too many sets.
  JsonValue as_json() const;
  /// What as_json() has made; nothing for any other value.
  static std::optional<AbsentSymbols> of_json(const JsonValue& value);
  bool operator==(const AbsentSymbols&) const = default;

 private:
  bool too_many_ = false;
  std::map<std::string, std::uint64_t> sets_;
};

/// The bytes in ascending order of which a JSON document was written; nothing for any other text.
/// Such bytes never form UTF-8, where a byte of 0x80 to 0xBF follows a larger one, so each of them
/// stands for itself, as Latin-1.
std::optional<std::string> bytes_of_json(std::string_view text);

}  // namespace gsx
