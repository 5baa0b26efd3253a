// Index.mem, Index.match_lengths and Index.matches_any: what queries and the text have in common.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <vector>

#include "columns.hpp"
#include "index_object.hpp"
#include "patterns.hpp"
#include "unmatched.hpp"

namespace nb = nanobind;

namespace gsx::python {
namespace {

nb::dict mem(const IndexObject& index, const nb::object& source, const nb::object& offsets,
             std::int64_t min_length, const std::string& strands, const nb::object& progress) {
  const MatchRequest request{strands_named(strands), number_or(min_length, 1, "min_length")};
  const InUse in_use(index);
  PatternStrings queries(source, offsets, "queries");
  queries.strip(index.index().alphabet());
  PythonTable<Array<"query">, Array<"start">, Array<"end">, Array<"forward">, Array<"reverse">>
      matches;
  Unmatched unmatched(queries);
  run_in_background(progress, [&](BackgroundTask& task) {
    index.match_searcher()->matches(queries.views(), request, [&](const MatchChunk& chunk) {
      for (std::size_t i = 0; i < chunk.queries(); ++i) {
        if (chunk.of(i).empty()) {
          unmatched.look_at_parts(chunk.first + i, index.index().alphabet(), request.min_length);
        }
        for (const MaximalMatch& match : chunk.of(i)) {
          matches.add(chunk.first + i, match.begin, match.end(), match.counts.forward,
                      match.counts.reverse);
        }
      }
      task.report("matching", static_cast<double>(chunk.first + chunk.queries()) /
                                  static_cast<double>(queries.size()));
    });
    index.index().require_unchanged();
  });
  unmatched.warn();
  return matches.take();
}

nb::object match_lengths(const IndexObject& index, const nb::object& source,
                         const nb::object& offsets, const std::string& strands, bool ending,
                         const nb::object& progress) {
  const LengthRequest request{strands_named(strands), ending};
  const InUse in_use(index);
  PatternStrings queries(source, offsets, "queries");
  queries.strip(index.index().alphabet());
  Unmatched unmatched(queries);
  for (std::size_t i = 0; i < queries.size(); ++i)
    unmatched.look_at_parts(i, index.index().alphabet(), 1);
  std::vector<std::int64_t> ends{0};
  for (const std::string_view query : queries.views())
    ends.push_back(ends.back() + static_cast<std::int64_t>(query.size()));
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(ends.back()));
  run_in_background(progress, [&](BackgroundTask& task) {
    index.match_searcher()->lengths(queries.views(), request, [&](const LengthChunk& chunk) {
      const std::size_t first = static_cast<std::size_t>(ends[chunk.query]) + chunk.begin;
      for (std::size_t i = 0; i < chunk.lengths.size(); ++i)
        lengths[first + i] = static_cast<std::int64_t>(chunk.lengths[i]);
      task.report("matching", static_cast<double>(first + chunk.lengths.size()) /
                                  static_cast<double>(lengths.size()));
    });
    index.index().require_unchanged();
  });
  unmatched.warn();
  return nb::make_tuple(to_numpy(std::move(lengths)), to_numpy(std::move(ends)));
}

nb::object matches_any(const IndexObject& index, const nb::object& source,
                       const nb::object& offsets, std::int64_t min_length, double min_cover,
                       const std::string& strands, const nb::object& progress) {
  const MatchRequest request{strands_named(strands), number_or(min_length, 1, "min_length")};
  const InUse in_use(index);
  PatternStrings queries(source, offsets, "queries");
  queries.strip(index.index().alphabet());
  std::vector<std::uint8_t> matched(queries.size());
  run_in_background(progress, [&](BackgroundTask& task) {
    const auto searcher = index.match_searcher();
    constexpr std::uint64_t first_symbols = std::uint64_t{1} << 20;
    in_pieces(
        task, "matching", queries.size(), first_symbols,
        [&](std::size_t i) { return queries.views()[i].size() + 1; },
        [&](std::size_t first, std::size_t last) {
          std::ranges::copy(searcher->which_match(queries.some(first, last), request, min_cover),
                            matched.begin() + static_cast<std::ptrdiff_t>(first));
        });
    index.index().require_unchanged();
  });
  Unmatched unmatched(queries);
  for (std::size_t i = 0; i < queries.size(); ++i)
    if (matched[i] == 0) unmatched.look_at_parts(i, index.index().alphabet(), request.min_length);
  unmatched.warn();
  return to_numpy(std::move(matched)).attr("view")("bool");
}

}  // namespace

void register_matching(IndexClass& index) {
  index.def(
      "mem", &mem, nb::arg("queries"), nb::arg("offsets").none() = nb::none(), nb::kw_only(),
      nb::arg("min_length") = 20, nb::arg("strands") = "both",
      nb::arg("progress").none() = nb::none(),
      nb::sig("def mem(self, queries: " GSX_SEQUENCES ", offsets: "
              "collections.abc.Sequence[int] | numpy.typing.NDArray[typing.Any] | None = None, "
              "*, min_length: int = 20, strands: typing.Literal['both', 'forward', 'reverse'] = "
              "'both', "
              "progress: collections.abc.Callable[[str, float], object] | None = None) "
              "-> dict[str, numpy.typing.NDArray[numpy.int64]]"),
      R"(The maximal matches (SMEMs) of queries: intervals that occur in the index on a strand
that is searched, and lie in no longer such interval.

:param queries: as the patterns of count(). A query may be a whole genome.
:param min_length: least symbols of a match, at least 1.
:returns: a dict of int64 arrays: `query`; `start` and `end`, the interval of the query; `forward`
    and `reverse`, how often it occurs. locate() of an interval's symbols tells where.
:raises UsageError: for a min_length of 0, and for an index in shards: join() it.

Cost: about two ranks per symbol of a window of min_length per match, and a comparison with the text;
40 bytes of memory per match.)");
  index.def(
      "match_lengths", &match_lengths, nb::arg("queries"), nb::arg("offsets").none() = nb::none(),
      nb::kw_only(), nb::arg("strands") = "both", nb::arg("ending") = false,
      nb::arg("progress").none() = nb::none(),
      nb::sig("def match_lengths(self, queries: " GSX_SEQUENCES ", offsets: "
              "collections.abc.Sequence[int] | numpy.typing.NDArray[typing.Any] | None = None, "
              "*, strands: typing.Literal['both', 'forward', 'reverse'] = 'both', ending: bool = "
              "False, "
              "progress: collections.abc.Callable[[str, float], object] | None = None) "
              "-> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64]]"),
      R"(Matching statistics: for each position of a query, the length of the longest match that
starts there, or, with `ending`, that ends with it; 0 if its symbol matches nothing.

:returns: (lengths, offsets), int64: those of query i are lengths[offsets[i]:offsets[i + 1]].

Cost: that of all maximal matches; 8 bytes of memory per symbol of the queries.)");
  index.def(
      "matches_any", &matches_any, nb::arg("queries"), nb::arg("offsets").none() = nb::none(),
      nb::kw_only(), nb::arg("min_length") = 31, nb::arg("min_cover") = 0.0,
      nb::arg("strands") = "both", nb::arg("progress").none() = nb::none(),
      nb::sig("def matches_any(self, queries: " GSX_SEQUENCES ", offsets: "
              "collections.abc.Sequence[int] | numpy.typing.NDArray[typing.Any] | None = None, "
              "*, min_length: int = 31, min_cover: float = 0.0, strands: typing.Literal['both', "
              "'forward', 'reverse'] = 'both', "
              "progress: collections.abc.Callable[[str, float], object] | None = None) "
              "-> numpy.typing.NDArray[numpy.bool_]"),
      R"(Which queries match, as `gsx filter` decides it: those that share `min_length` symbols in a
row with the index.

:param queries: as the patterns of count(), such as reads.
:param min_length: least symbols of a match, at least 1.
:param min_cover: 0 to 1: if not 0, maximal matches have to cover at least this part of the symbols
    of a query.
:returns: bool of shape (queries,): a mask that keeps reads, or drops them.
:raises UsageError: for options that are out of range, and for an index in shards: join() it.

Cost: without `min_cover`, one match is enough, which is found sooner than all; a byte of memory per
query.)");
}

}  // namespace gsx::python
