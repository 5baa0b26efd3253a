// Queries that a search with mismatches cannot ask for.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "search/mismatches/set_patterns.hpp"

namespace gsx {

/// How many symbols may differ, and how letters are read.
struct MismatchRules {
  std::uint32_t mismatches = 0;
  bool iupac = false;  ///< letters are IUPAC codes; otherwise all but A C G T U are mismatches
};

/// Why a query cannot be asked for, in words that follow "it ": "holds '!', ...". None if it can
/// be: an empty query is not asked for, either, but nobody need be told.
std::optional<std::string> why_unasked(std::string_view query, const MismatchRules& rules);

/// Whether all queries can be asked for, by a quick look at all their symbols: false also where
/// only why_unasked() tells. Query i has the symbols up to ends[i].
bool all_asked(std::string_view symbols, std::span<const std::uint64_t> ends,
               const MismatchRules& rules);

/// Counts the queries that cannot be asked for, in a run or in a part of it.
struct UnaskedQueries {
  std::uint64_t count = 0;
  std::string first;  ///< name of the first
  std::string why;    ///< of the first

  void add(std::string_view name, std::string reason) {
    if (count++ == 0) {
      first = name;
      why = std::move(reason);
    }
  }
  /// Adds the queries of a later part.
  void add(const UnaskedQueries& later) {
    if (count == 0) {
      first = later.first;
      why = later.why;
    }
    count += later.count;
  }
};

}  // namespace gsx
