// Index.repeats and Index.repeat_pairs: what repeats in the text.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "gsx/repeats.hpp"

#include <cstdint>
#include <optional>
#include <string>

#include "choice.hpp"
#include "columns.hpp"
#include "index_object.hpp"

namespace nb = nanobind;

namespace gsx::python {
namespace {

/// Calls find(options) in the background, where options have its progress.
template <class Find>
void find_in(const IndexObject& index, const std::string& strands,
             const std::optional<std::int64_t>& memory_limit, const nb::object& progress,
             const Find& find) {
  RepeatOptions options;
  options.both_strands = choose<bool>(strands, "strands", {{"both", true}, {"forward", false}});
  options.sort.device = index.options().device;
  options.sort.threads = index.options().threads;
  options.sort.gpu_memory = index.options().gpu_memory;
  options.sort.memory_limit = number_or(memory_limit, unlimited, "memory_limit");
  run_in_background(progress, [&](BackgroundTask& task) {
    options.sort.progress = task.progress();
    find(task, options);
  });
}

int strand_of(const Occurrence& place) {
  return place.reverse ? -1 : 1;
}

nb::object repeats(const IndexObject& index, std::int64_t min_length, bool supermaximal,
                   std::int64_t min_count, const std::optional<std::int64_t>& max_hits,
                   const std::string& strands, const std::optional<std::int64_t>& memory_limit,
                   const nb::object& progress) {
  const InUse in_use(index);
  const RepeatRequest request{.min_length = number_or(min_length, 1, "min_length"),
                              .supermaximal = supermaximal,
                              .min_count = number_or(min_count, 2, "min_count", 2),
                              .max_places = number_or(max_hits, unlimited, "max_hits")};
  PythonTable<Array<"length">, Array<"n_total">, Array<"n_reported">> found;
  PythonTable<Array<"repeat">, Array<"target">, Array<"start">, Array<"end">,
              Array<"strand", std::int8_t>>
      places;
  std::uint64_t number = 0;
  find_in(index, strands, memory_limit, progress,
          [&](BackgroundTask& task, const RepeatOptions& options) {
            find_repeats(index.index(), request, options, [&](const RepeatedString& repeat) {
              task.check();
              found.add(repeat.length, repeat.count, repeat.places.size());
              for (const Occurrence& place : repeat.places)
                places.add(number, place.record, place.begin, place.end, strand_of(place));
              ++number;
            });
          });
  return nb::make_tuple(found.take(), places.take());
}

nb::dict repeat_pairs(const IndexObject& index, std::int64_t min_length, const std::string& strands,
                      const std::optional<std::int64_t>& memory_limit, const nb::object& progress) {
  const InUse in_use(index);
  const std::uint64_t least = number_or(min_length, 1, "min_length");
  PythonTable<Array<"target">, Array<"start">, Array<"end">, Array<"target2">, Array<"start2">,
              Array<"end2">, Array<"length">, Array<"strand", std::int8_t>>
      pairs;
  find_in(index, strands, memory_limit, progress,
          [&](BackgroundTask& task, const RepeatOptions& options) {
            find_repeat_pairs(index.index(), least, options, [&](const OccurrencePair& pair) {
              task.check();
              pairs.add(pair.first.record, pair.first.begin, pair.first.end, pair.second.record,
                        pair.second.begin, pair.second.end, pair.first.end - pair.first.begin,
                        strand_of(pair.second));
            });
          });
  return pairs.take();
}

#define GSX_REPEAT_OPTIONS                                                                 \
  "strands: typing.Literal['both', 'forward'] = 'both', memory_limit: int | None = None, " \
  "progress: collections.abc.Callable[[str, float], object] | None = None)"

}  // namespace

void register_repeats(IndexClass& index) {
  index.def(
      "repeats", &repeats, nb::arg("min_length") = 100, nb::kw_only(),
      nb::arg("supermaximal") = false, nb::arg("min_count") = 2, nb::arg("max_hits").none() = 20,
      nb::arg("strands") = "both", nb::arg("memory_limit").none() = nb::none(),
      nb::arg("progress").none() = nb::none(),
      nb::sig("def repeats(self, min_length: int = 100, *, supermaximal: bool = False, "
              "min_count: int = 2, max_hits: int | None = 20, " GSX_REPEAT_OPTIONS
              " -> tuple[dict[str, numpy.typing.NDArray[numpy.int64]], "
              "dict[str, numpy.typing.NDArray[typing.Any]]]"),
      R"(The maximal repeats: strings that occur at least twice, and of which every string that is
one symbol longer, on either side, occurs less often. They hold no N and cross no end of a record.

:param min_length: least symbols of a repeat, at least 1.
:param supermaximal: only repeats that are part of no other.
:param min_count: least places of a repeat, at least 2.
:param max_hits: most places to give per repeat, at least 1: the first in suffix order; None for all,
    which may be many more than symbols.
:param strands: 'both': a repeat of DNA and its reverse complement are one, and its first place of
    all is on the forward strand; or 'forward'.
:param memory_limit: bytes of host memory that the process may take.
:param progress: called as progress(stage, fraction) now and then.
:returns: (repeats, places), dicts of arrays. `repeats`, in suffix order: `length`; `n_total`, places
    in all; `n_reported`, those given (int64). `places`, repeat by repeat, in the order of the text:
    `repeat`, its number; `target`, `start` and `end` as those of locate() (int64); `strand`, 1, or
    -1 where the reverse complement stands (int8).
:raises UsageError: for options that are out of range.
:raises ResourceError: if memory is short.
:raises CorruptIndexError: if the index is damaged, or its file has changed.

Cost: sorting the suffixes of both strands; 12 bytes of memory per suffix that shares min_length
symbols with another beside that (24 from 2^32 symbols on), 24 per repeat and 33 per place.)");
  index.def(
      "repeat_pairs", &repeat_pairs, nb::arg("min_length") = 100, nb::kw_only(),
      nb::arg("strands") = "both", nb::arg("memory_limit").none() = nb::none(),
      nb::arg("progress").none() = nb::none(),
      nb::sig("def repeat_pairs(self, min_length: int = 100, *, " GSX_REPEAT_OPTIONS
              " -> dict[str, numpy.typing.NDArray[typing.Any]]"),
      R"(The pairs of places that have the same symbols, or reverse complements of one another, and
cannot both be made longer on either side, each of them once. A string that is its own reverse
complement makes a pair with itself.

Takes the options of repeats(), and

:param min_length: least symbols of a place, at least 1.
:returns: a dict of arrays of one length: `target`, `start` and `end` of the place that comes first in
    the text, as those of locate(); `target2`, `start2` and `end2` of the other; `length` (int64);
    `strand`, -1 where the places are reverse complements of one another, else 1 (int8). Their order
    depends on neither threads nor devices.

Raises what repeats() raises. There may be many more pairs than symbols.
Cost: that of repeats(); 57 bytes of memory per pair.)");
}

}  // namespace gsx::python
