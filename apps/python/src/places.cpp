#include "places.hpp"

#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "integers.hpp"
#include "paths.hpp"

namespace nb = nanobind;

namespace gsx::python {
namespace {

nb::object column_of(const nb::object& table, const char* name) {
  const nb::object column = nb::steal(PyObject_GetItem(table.ptr(), nb::str(name).ptr()));
  if (column.is_valid()) return column;
  PyErr_Clear();
  refuse_type(table, "regions",
              std::string("it has no column '") + name +
                  "': give a table with the columns target, start and end");
}

std::vector<RecordRange> ranges_of(const IndexObject& index, const nb::object& regions) {
  const auto targets = records_of(index, column_of(regions, "target"), "regions['target']");
  const Integers starts(column_of(regions, "start"), "regions['start']");
  const Integers ends(column_of(regions, "end"), "regions['end']");
  if (starts.values().size() != targets.size() || ends.values().size() != targets.size())
    throw UsageError("the columns of regions have different lengths");
  std::vector<RecordRange> ranges;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const std::string number = "[" + std::to_string(i) + "]";
    ranges.push_back({targets[i],
                      number_or(starts.values()[i], 0, ("regions['start']" + number).c_str(), 0),
                      number_or(ends.values()[i], 0, ("regions['end']" + number).c_str(), 0)});
  }
  return ranges;
}

}  // namespace

Places places_of(const IndexObject& index, const nb::object& circular, const nb::object& regions) {
  Places places;
  if (nb::isinstance<nb::str>(circular)) {
    refuse_type(circular, "circular", "give True, or a list of numbers or names of records");
  } else if (PyBool_Check(circular.ptr()) == 0) {
    places.circular = records_of(index, circular, "circular");
  } else if (circular.is(nb::bool_(true))) {
    places.circular.resize(index.index().records().size());
    std::iota(places.circular.begin(), places.circular.end(), 0);
  }
  if (!regions.is_none()) places.regions = ranges_of(index, regions);
  return places;
}

void locate_each(const IndexObject& index, std::span<const std::string_view> patterns,
                 const MismatchOptions& options, const Places& places, const HitSink& take) {
  if (are_exact(options)) {
    index.searcher(places)->locate(patterns, {options.strands, options.max_hits}, take);
  } else {
    index.mismatch_searcher(places)->locate(patterns, options, take);
  }
}

}  // namespace gsx::python
