// Tables of results, as columns of NumPy.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "gsx/search.hpp"

namespace gsx::python {

/// Places of queries in records, one per row.
struct PlaceColumns {
  std::vector<std::int64_t> query, target, start, end;
  std::vector<std::int8_t> strand;
  std::vector<std::uint8_t> mismatches;

  void add(std::size_t of, const Occurrence& at) {
    query.push_back(static_cast<std::int64_t>(of));
    target.push_back(static_cast<std::int64_t>(at.record));
    start.push_back(static_cast<std::int64_t>(at.begin));
    end.push_back(static_cast<std::int64_t>(at.end));
    strand.push_back(at.reverse ? -1 : 1);
    mismatches.push_back(static_cast<std::uint8_t>(at.mismatches));
  }
  /// Moves the columns to a dict of arrays; that of the queries is called `name`.
  nanobind::dict take(const char* name) {
    nanobind::dict columns;
    columns[name] = to_numpy(std::move(query));
    columns["target"] = to_numpy(std::move(target));
    columns["start"] = to_numpy(std::move(start));
    columns["end"] = to_numpy(std::move(end));
    columns["strand"] = to_numpy(std::move(strand));
    columns["mismatches"] = to_numpy(std::move(mismatches));
    return columns;
  }
};

/// Calls visitor(i, hit) for all hits of a chunk, i being the number of the pattern in the batch.
template <class Chunk, class Visitor>
void for_each_hit(const Chunk& chunk, const Visitor& visitor) {
  std::size_t hit = 0;
  for (std::size_t i = 0; i < chunk.patterns(); ++i) {
    for (; hit < chunk.ends[i]; ++hit)
      visitor(chunk.first + i, hit);
  }
}

}  // namespace gsx::python
