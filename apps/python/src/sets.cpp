// gsx.SequenceSet: short sequences of one length, their neighbours, clusters and corrections; and
// gsx.longest_prefixes.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "columns.hpp"
#include "gsx/barcodes.hpp"
#include "index_object.hpp"
#include "integers.hpp"
#include "patterns.hpp"

namespace nb = nanobind;

namespace gsx::python {
namespace {

std::vector<std::uint64_t> counts_of(const nb::object& counts) {
  std::vector<std::uint64_t> all;
  if (counts.is_none()) return all;
  const Integers integers(counts, "counts");
  for (const std::int64_t count : integers.values())
    all.push_back(number_or(count, 0, ("counts[" + std::to_string(all.size()) + "]").c_str()));
  return all;
}

SequenceSet sequence_set(const nb::object& source, const nb::object& offsets,
                         const nb::object& counts, int threads) {
  PatternStrings sequences(source, offsets, "sequences");
  sequences.strip(Alphabet::dna());
  sequences.refuse_nulls();
  const std::vector<std::uint64_t> numbers = counts_of(counts);
  if (!counts.is_none() && numbers.size() != sequences.size()) {
    throw UsageError("there are " + std::to_string(numbers.size()) + " counts of " +
                     std::to_string(sequences.size()) + " sequences: give one of each");
  }
  const int with = threads_within(threads);
  SequenceSet set;
  run_in_background(nb::none(), [&](BackgroundTask&) {
    set = make_sequence_set(sequences.views(), numbers, with);
  });
  return set;
}

nb::object sequences_of(const SequenceSet& set) {
  const std::size_t length = set.shape().length;
  std::string letters;
  for (std::uint64_t i = 0; i < set.size(); ++i)
    set.append_sequence(letters, i);
  if (letters.empty())
    return nb::module_::import_("numpy").attr("empty")(0, nb::arg("dtype") = "S1");
  std::vector<std::uint8_t> bytes(letters.begin(), letters.end());
  return to_numpy(std::move(bytes)).attr("view")("S" + std::to_string(length));
}

nb::object counts_of_set(const SequenceSet& set) {
  std::vector<std::uint64_t> counts(set.size());
  for (std::uint64_t i = 0; i < set.size(); ++i)
    counts[i] = set.count(i);
  return to_numpy(std::move(counts));
}

/// What the searches of a set are told.
struct SetRequest {
  std::int64_t distance;
  const std::string& device;
  int threads;
  const std::optional<std::int64_t>& memory_limit;
  const nb::object& progress;
};

/// What search(options) gives in the background, where options have its progress.
template <class Search>
auto searched(const SetRequest& request, NeighborSearchOptions options, const Search& search) {
  options.distance = number_within(request.distance, 1, 2, "distance");
  options.device = request.device;
  options.threads = threads_within(request.threads);
  options.extra_memory = number_or(request.memory_limit, unlimited, "memory_limit");
  std::optional<decltype(search(options))> result;
  run_in_background(request.progress, [&](BackgroundTask& task) {
    options.progress = task.progress();
    result.emplace(search(options));
  });
  return std::move(*result);
}

nb::dict neighbors(const SequenceSet& set, const SequenceSet* other, std::int64_t distance,
                   const std::string& device, int threads,
                   const std::optional<std::int64_t>& memory_limit, const nb::object& progress) {
  const auto pairs = searched({distance, device, threads, memory_limit, progress}, {},
                              [&](const NeighborSearchOptions& options) {
                                return other == nullptr ? neighbor_pairs(set, options)
                                                        : neighbor_pairs(set, *other, options);
                              });
  PythonTable<Array<"a">, Array<"b">, Array<"distance", std::uint8_t>> table;
  for (const NeighborPair& pair : pairs)
    table.add(pair.first, pair.second, pair.distance);
  return table.take();
}

nb::object clusters(const SequenceSet& set, std::int64_t distance, const std::string& device,
                    int threads, const std::optional<std::int64_t>& memory_limit,
                    const nb::object& progress) {
  const Clusters found = searched(
      {distance, device, threads, memory_limit, progress}, {},
      [&](const NeighborSearchOptions& options) { return sequence_clusters(set, options); });
  PythonTable<Array<"centroid">, Array<"count", std::uint64_t>> table;
  std::vector<std::int64_t> numbers(set.size());
  for (std::size_t i = 0; i < found.list.size(); ++i) {
    const Cluster& cluster = found.list[i];
    table.add(cluster.centroid, cluster.count);
    numbers[cluster.centroid] = static_cast<std::int64_t>(i);
    for (const std::uint32_t member : found.members_of(cluster))
      numbers[member] = static_cast<std::int64_t>(i);
  }
  return nb::make_tuple(table.take(), to_numpy(std::move(numbers)));
}

nb::dict corrections_of(const SequenceSet& set, const SequenceSet* whitelist,
                        const std::optional<double>& confidence, std::int64_t distance,
                        const std::string& device, int threads,
                        const std::optional<std::int64_t>& memory_limit,
                        const nb::object& progress) {
  NeighborSearchOptions given;
  if (confidence) {
    if (whitelist == nullptr) throw UsageError("confidence goes with a whitelist");
    given.confidence = *confidence;
  }
  const auto all = searched({distance, device, threads, memory_limit, progress}, given,
                            [&](const NeighborSearchOptions& options) {
                              return whitelist == nullptr ? corrections(set, options)
                                                          : corrections(set, *whitelist, options);
                            });
  PythonTable<Array<"corrected">, Array<"distance", std::int8_t>, Array<"ambiguous", bool>> table;
  for (const Correction& of : all) {
    const bool ambiguous = of.kind == CorrectionKind::ambiguous;
    if (of.has_target() || whitelist == nullptr) {
      table.add(of.target, of.distance, ambiguous);
    } else {
      table.add(-1, -1, ambiguous);
    }
  }
  return table.take();
}

nb::object longest_prefixes_of(const nb::object& source, const nb::object& queries_source,
                               const nb::object& offsets, int threads, const nb::object& progress) {
  PatternStrings prefixes(source, nb::none(), "prefixes");
  prefixes.strip(Alphabet::dna());
  prefixes.refuse_nulls();
  PatternStrings queries(queries_source, offsets, "queries");
  queries.strip(Alphabet::dna());
  const int with = threads_within(threads);
  std::vector<std::int64_t> numbers(queries.size(), -1);
  run_in_background(progress, [&](BackgroundTask& task) {
    const PrefixSet set(prefixes.views());
    constexpr std::uint64_t first_queries = std::uint64_t{1} << 16;
    in_pieces(
        task, "searching", queries.size(), first_queries, [](std::size_t) { return 1; },
        [&](std::size_t first, std::size_t last) {
          const auto found = longest_prefixes(set, queries.some(first, last), with);
          for (std::size_t i = 0; i < found.size(); ++i)
            if (found[i] != PrefixSetView::none) numbers[first + i] = found[i];
        });
  });
  return to_numpy(std::move(numbers));
}

#define GSX_OFFSETS \
  "offsets: collections.abc.Sequence[int] | numpy.typing.NDArray[typing.Any] | None = None, *, "
#define GSX_SET_OPTIONS                                         \
  "distance: int = 1, device: str = 'auto', threads: int = 0, " \
  "memory_limit: int | None = None, "                           \
  "progress: collections.abc.Callable[[str, float], object] | None = None)"

}  // namespace

void register_sets(nb::module_& module) {
  nb::class_<SequenceSet>(
      module, "SequenceSet",
      "The distinct ones of short sequences of one length, in alphabetical order, each with its "
      "count, as sequence_set() makes it. They are numbered from 0.")
      .def("__len__", &SequenceSet::size)
      .def(
          "__repr__",
          [](const SequenceSet& set) {
            return "<gsx.SequenceSet of " + std::to_string(set.size()) + " sequences of " +
                   std::to_string(set.shape().length) + " symbols>";
          },
          nb::sig("def __repr__(self) -> str"))
      .def_prop_ro("sequences", &sequences_of,
                   nb::sig("def sequences(self) -> numpy.typing.NDArray[numpy.bytes_]"),
                   "The sequences in upper case: a NumPy array of bytes. Made at each call: keep "
                   "it.")
      .def_prop_ro("counts", &counts_of_set,
                   nb::sig("def counts(self) -> numpy.typing.NDArray[numpy.uint64]"),
                   "How often each sequence comes: uint64.")
      .def("neighbors", &neighbors, nb::arg("other").none() = nb::none(), nb::kw_only(),
           nb::arg("distance") = 1, nb::arg("device") = "auto", nb::arg("threads") = 0,
           nb::arg("memory_limit").none() = nb::none(), nb::arg("progress").none() = nb::none(),
           nb::sig("def neighbors(self, other: SequenceSet | None = None, *, " GSX_SET_OPTIONS
                   " -> dict[str, numpy.typing.NDArray[typing.Any]]"),
           R"(The pairs of sequences that differ in at most `distance` symbols.

:param other: where to look for the neighbours of the sequences: another set of sequences of the
    same length, in which a sequence may be equal (distance 0). Without it, in the set itself, and
    each pair comes once.
:param distance: 1 or 2.
:param device: 'auto', 'cpu', 'cuda' or 'cuda:N'; 'auto' takes a GPU for sets of some millions.
:param threads: 0 for as many as the process may run.
:param memory_limit: bytes that the search may take beside the sets. Pairs that do not fit are found
    some at a time.
:param progress: called as progress(stage, fraction) now and then.
:returns: a dict of arrays of one length, sorted by `a` and `b`: `a`, numbers in the set, and `b`,
    those in the other one, or greater ones in the same (int64); `distance` (uint8).
:raises UsageError: for options that are out of range, and sets of different lengths.
:raises ResourceError: if memory is short, or the limit is too little for any.
:raises DeviceError: if a GPU was asked for that cannot be used.

Cost: a few passes over sequences that are random; 29 bytes of memory per pair.)")
      .def(
          "clusters", &clusters, nb::kw_only(), nb::arg("distance") = 1, nb::arg("device") = "auto",
          nb::arg("threads") = 0, nb::arg("memory_limit").none() = nb::none(),
          nb::arg("progress").none() = nb::none(),
          nb::sig("def clusters(self, *, " GSX_SET_OPTIONS
                  " -> tuple[dict[str, numpy.typing.NDArray[typing.Any]], "
                  "numpy.typing.NDArray[numpy.int64]]"),
          R"(The clusters of the set by directional networks, as umi_tools makes them: from the most
frequent sequence that is in none yet, along each edge a -> b between neighbours with counts
a >= 2b - 1.

Takes the options of neighbors().

:returns: (clusters, numbers). `clusters` is a dict of arrays, by falling count and then by
    centroid: `centroid`, a number in the set (int64), and `count`, that of all members (uint64).
    `numbers`, int64 of shape (len(set),), has the cluster of each sequence.

Raises what neighbors() raises, and ResourceError if not all pairs fit at once.
Cost: that of neighbors(); 4 bytes of memory per edge and 33 per sequence.)")
      .def("corrections", &corrections_of, nb::arg("whitelist").none() = nb::none(), nb::kw_only(),
           nb::arg("confidence").none() = nb::none(), nb::arg("distance") = 1,
           nb::arg("device") = "auto", nb::arg("threads") = 0,
           nb::arg("memory_limit").none() = nb::none(), nb::arg("progress").none() = nb::none(),
           nb::sig("def corrections(self, whitelist: SequenceSet | None = None, *, "
                   "confidence: float | None = None, " GSX_SET_OPTIONS
                   " -> dict[str, numpy.typing.NDArray[typing.Any]]"),
           R"(What each sequence of the set should be.

With a whitelist, an entry of it stays. Another sequence becomes the only entry at the smallest
distance; of several, the one with the highest posterior, its share of the counts that these
entries have in the set, if that is at least `confidence`. Without one, a sequence becomes its most
frequent neighbour that explains it (counts a >= 2b - 1) and is more frequent, then that one's, to
the end; it stays if there is none, or if several are equally frequent.

Takes the options of neighbors(), and

:param whitelist: a set of sequences of the same length, whose counts do not matter.
:param confidence: 0 to 1, by default 0.975; only with a whitelist.
:returns: a dict of arrays of shape (len(set),): `corrected`, a number in the whitelist, or without
    one in the set; -1 if there is none (int64); `distance` to it, or -1 (int8); `ambiguous`, whether
    none was taken because several are as near, or as frequent (bool).

Raises what neighbors() raises.
Cost: that of neighbors(); 18 bytes of memory per sequence, and a copy of the whitelist.)");
  module.def(
      "sequence_set", &sequence_set, nb::arg("sequences"), nb::arg("offsets").none() = nb::none(),
      nb::kw_only(), nb::arg("counts").none() = nb::none(), nb::arg("threads") = 0,
      nb::sig("def sequence_set(sequences: " GSX_SEQUENCES ", " GSX_OFFSETS
              "counts: collections.abc.Sequence[int] | numpy.typing.NDArray[typing.Any] | None = "
              "None, threads: int = 0) -> SequenceSet"),
      R"(The set of short sequences of one length, such as barcodes and UMIs.

:param sequences: as the patterns of Index.count(): 1 to 64 letters A, C, G, T and N in either case;
    U is T, and N equals only itself. None may be missing.
:param offsets: as those of Index.count().
:param counts: an integer of at least 1 per sequence; by default each counts once. A sequence that
    comes several times has the sum.
:param threads: 0 for as many as the process may run.
:raises UsageError: for a sequence that is no such, and counts that are out of range.
:raises ResourceError: if memory is short, or more than 2^31 - 1 sequences differ.

Cost: a sort; 16 bytes of memory per distinct sequence of up to 32 symbols without N (21 with it),
and 8 more for each further word.)");
  module.def(
      "longest_prefixes", &longest_prefixes_of, nb::arg("prefixes"), nb::arg("queries"),
      nb::arg("offsets").none() = nb::none(), nb::kw_only(), nb::arg("threads") = 0,
      nb::arg("progress").none() = nb::none(),
      nb::sig("def longest_prefixes(prefixes: " GSX_SEQUENCES ", queries: " GSX_SEQUENCES
              ", " GSX_OFFSETS "threads: int = 0, "
              "progress: collections.abc.Callable[[str, float], object] | None = None) "
              "-> numpy.typing.NDArray[numpy.int64]"),
      R"(The longest of some prefixes that each query begins with: barcodes, primers, adapters of
different lengths.

:param prefixes: as the patterns of Index.count(): 1 to 1024 bases A, C, G, T in either case, where
    U is T. None may be missing, or come twice.
:param queries: as the patterns of Index.count(). A letter other than a base equals nothing, and a
    query that is missing begins with none.
:param offsets: those of the queries.
:param threads: 0 for as many as the process may run.
:param progress: called as progress('searching', fraction) now and then.
:returns: int64 of shape (queries,): the number of the prefix, or -1 if there is none.
:raises UsageError: for a prefix that is no such, or comes twice.
:raises ResourceError: if memory is short.

Cost: sorting the prefixes, some 60 bytes of memory per prefix; then two or three cache lines per
query.)");
}

}  // namespace gsx::python
