// Index.locate: where patterns occur.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <vector>

#include "columns.hpp"
#include "index_object.hpp"
#include "patterns.hpp"
#include "places.hpp"
#include "unmatched.hpp"

namespace nb = nanobind;

namespace gsx::python {
namespace {

nb::dict locate(const IndexObject& index, const nb::object& source, const nb::object& offsets,
                std::int64_t mismatches, bool iupac, const std::string& strands,
                const std::optional<std::int64_t>& max_hits, const nb::object& circular,
                const nb::object& regions, const nb::object& progress) {
  MismatchOptions options;
  options.mismatches = number_within(mismatches, 0, most_mismatches, "mismatches");
  options.iupac = iupac;
  options.strands = strands_named(strands);
  options.max_hits = number_or(max_hits, unlimited, "max_hits", 1);
  const InUse in_use(index);
  const Places asked = places_of(index, circular, regions);
  PatternStrings patterns(source, offsets);
  patterns.strip(index.index().alphabet());
  PlaceTable<"query"> places;
  std::vector<std::uint8_t> matched(patterns.size());
  run_in_background(progress, [&](BackgroundTask& task) {
    const auto views = patterns.views();
    const auto take = [&](const HitChunk& chunk) {
      for_each_hit(chunk, [&](std::size_t i, std::size_t hit) {
        matched[i] = 1;
        places.add_place(i, occurrence_of(index.index(), chunk.hits[hit], views[i].size()));
      });
      const std::size_t done = chunk.first + chunk.patterns();
      task.report("locating", static_cast<double>(done) / static_cast<double>(views.size()));
    };
    locate_each(index, views, options, asked, take);
    index.index().require_unchanged();
  });
  Unmatched unmatched(patterns);
  for (std::size_t i = 0; i < matched.size(); ++i) {
    if (matched[i] != 0) continue;
    if (are_exact(options)) {
      unmatched.look_at(i, index.index().alphabet());
    } else {
      unmatched.look_at(i, MismatchRules{options.mismatches, iupac});
    }
  }
  unmatched.warn();
  return places.take();
}

}  // namespace

void register_locating(IndexClass& index) {
  index.def(
      "locate", &locate, nb::arg("patterns"), nb::arg("offsets").none() = nb::none(), nb::kw_only(),
      nb::arg("mismatches") = 0, nb::arg("iupac") = false, nb::arg("strands") = "both",
      nb::arg("max_hits").none() = nb::none(), nb::arg("circular") = false,
      nb::arg("regions").none() = nb::none(), nb::arg("progress").none() = nb::none(),
      nb::sig("def locate(self, patterns: " GSX_SEQUENCES ", offsets: "
              "collections.abc.Sequence[int] | numpy.typing.NDArray[typing.Any] | None = None, "
              "*, mismatches: int = 0, iupac: bool = False, strands: typing.Literal['both', "
              "'forward', 'reverse'] = 'both', "
              "max_hits: int | None = None, " GSX_PLACES
              ", progress: collections.abc.Callable[[str, float], object] | None = None) "
              "-> dict[str, numpy.typing.NDArray[typing.Any]]"),
      R"(Where patterns occur, as columns that pandas.DataFrame and polars.DataFrame take.

Takes what count() takes, and

:param max_hits: most places per pattern, at least 1; None for all. Exact ones are the first in
    suffix order, those across origins last; with mismatches, those with the fewest, and among equal
    ones the first in the text; so are exact ones with `regions`.
:returns: a dict of arrays of one length: `query` and `target`, the numbers of pattern and record
    (int64); `start` and `end`, symbols [start, end) of the record, counted from 0 (int64), where a
    place that spans an origin ends behind the end of the record; `strand`, 1, or -1 where the reverse complement stands (int8); `mismatches` (uint8). Rows are in the order
    of the patterns, those of each in the order of the text.
:raises UsageError: for options that are out of range or do not fit the alphabet.
:raises CorruptIndexError: if the file of the index has changed.

`index.records.names[columns["target"]]` has the names of the targets.
Cost: exact, sample_rate steps per place; 34 bytes of memory per place.)");
}

}  // namespace gsx::python
