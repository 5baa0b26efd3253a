// Which places a search gives: across the origins of circular records, or within regions.
#pragma once

#include <nanobind/nanobind.h>

#include <span>
#include <string_view>

#include "index_object.hpp"

namespace gsx::python {

/// The options `circular` and `regions`, for the signatures of functions.
#define GSX_PLACES                                                          \
  "circular: bool | collections.abc.Sequence[int | str] = False, regions: " \
  "collections.abc.Mapping[str, typing.Any] | None = None"

/// What the options of a call mean. `circular` is a bool, for all records or none, or the numbers
/// or names of records; `regions` is None, or has columns `target`, numbers or names, `start` and
/// `end`. Throws UsageError and ArgumentTypeError. The caller holds the lock of the interpreter.
Places places_of(const IndexObject& index, const nanobind::object& circular,
                 const nanobind::object& regions);

/// Whether patterns are searched exactly.
inline bool are_exact(const MismatchOptions& options) {
  return options.mismatches == 0 && !options.iupac;
}

/// Gives `take` the hits of patterns, as BatchSearcher::locate or MismatchBatchSearcher::locate
/// does.
void locate_each(const IndexObject& index, std::span<const std::string_view> patterns,
                 const MismatchOptions& options, const Places& places, const HitSink& take);

}  // namespace gsx::python
