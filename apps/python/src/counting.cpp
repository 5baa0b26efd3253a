// Index.count: how often patterns occur.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "arrays.hpp"
#include "columns.hpp"
#include "index_object.hpp"
#include "patterns.hpp"
#include "places.hpp"
#include "unmatched.hpp"

namespace nb = nanobind;

namespace gsx::python {
namespace {

// Symbols of the first piece of a batch; later ones take as long as is right.
constexpr std::uint64_t first_exact = std::uint64_t{1} << 22;
constexpr std::uint64_t first_near = std::uint64_t{1} << 12;
// A batch of fewer symbols is counted before a thread has started.
constexpr std::uint64_t few_symbols_of_batch = 4096;

/// Counts of both strands, [patterns] or [patterns][classes]. They are in memory of the heap, which
/// the next batch gets again without a page fault.
class CountColumns {
 public:
  explicit CountColumns(std::size_t size)
      : forward_(std::make_unique_for_overwrite<std::int64_t[]>(size)),
        reverse_(std::make_unique_for_overwrite<std::int64_t[]>(size)) {}

  void set(std::size_t first, const std::vector<StrandCounts>& counts) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      forward_[first + i] = static_cast<std::int64_t>(counts[i].forward);
      reverse_[first + i] = static_cast<std::int64_t>(counts[i].reverse);
    }
  }
  /// Sums of rows of `classes` counts.
  void set_sums(std::size_t first, const std::vector<StrandCounts>& counts, std::size_t classes) {
    for (std::size_t i = 0; i * classes < counts.size(); ++i) {
      StrandCounts sum;
      for (std::size_t k = 0; k < classes; ++k) {
        sum.forward += counts[i * classes + k].forward;
        sum.reverse += counts[i * classes + k].reverse;
      }
      forward_[first + i] = static_cast<std::int64_t>(sum.forward);
      reverse_[first + i] = static_cast<std::int64_t>(sum.reverse);
    }
  }
  void clear(std::size_t size) {
    std::fill_n(forward_.get(), size, 0);
    std::fill_n(reverse_.get(), size, 0);
  }
  void add(std::size_t place, bool reverse) { ++(reverse ? reverse_ : forward_)[place]; }
  /// Calls use(i) for each pattern without a match, of `classes` counts each.
  template <class Use>
  void for_each_without(std::size_t patterns, std::size_t classes, const Use& use) const {
    for (std::size_t i = 0; i < patterns; ++i) {
      std::int64_t matches = 0;
      for (std::size_t k = i * classes; k < (i + 1) * classes; ++k)
        matches |= forward_[k] | reverse_[k];
      if (matches == 0) use(i);
    }
  }
  nb::object take(std::initializer_list<std::size_t> shape) {
    auto* const forward = forward_.get();
    auto* const reverse = reverse_.get();
    return nb::make_tuple(numpy_over(std::move(forward_), forward, shape),
                          numpy_over(std::move(reverse_), reverse, shape));
  }

 private:
  std::unique_ptr<std::int64_t[]> forward_, reverse_;
};

bool is_small(const PatternStrings& patterns) {
  std::uint64_t symbols = 0;
  for (const std::string_view pattern : patterns.views()) {
    symbols += pattern.size() + 1;
    if (symbols > few_symbols_of_batch) return false;
  }
  return true;
}

CountColumns count_exact(const IndexObject& index, const PatternStrings& patterns, Strands strands,
                         const Places& places, const nb::object& progress) {
  CountColumns counts(patterns.size());
  std::shared_ptr<const BatchSearcher> searcher;
  const auto count = [&](std::size_t first, std::size_t last) {
    counts.set(first, searcher->count(patterns.some(first, last), strands));
  };
  if (progress.is_none() && is_small(patterns)) {
    const nb::gil_scoped_release released;
    searcher = index.searcher(places);
    count(0, patterns.size());
    index.index().require_unchanged();
  } else {
    run_in_background(progress, [&](BackgroundTask& task) {
      searcher = index.searcher(places);
      in_pieces(
          task, "counting", patterns.size(), first_exact,
          [&](std::size_t i) { return patterns.views()[i].size() + 1; }, count);
      index.index().require_unchanged();
    });
  }
  return counts;
}

CountColumns count_near(const IndexObject& index, const PatternStrings& patterns,
                        const MismatchOptions& options, bool by_mismatches, const Places& places,
                        const nb::object& progress) {
  const std::size_t classes = std::size_t{options.mismatches} + 1;
  CountColumns counts(patterns.size() * (by_mismatches ? classes : 1));
  run_in_background(progress, [&](BackgroundTask& task) {
    const auto searcher = index.mismatch_searcher(places);
    in_pieces(
        task, "counting", patterns.size(), first_near,
        [&](std::size_t i) { return patterns.views()[i].size() + 1; },
        [&](std::size_t first, std::size_t last) {
          const auto some = searcher->count(patterns.some(first, last), options);
          if (by_mismatches) {
            counts.set(first * classes, some);
          } else {
            counts.set_sums(first, some, classes);
          }
        });
    index.index().require_unchanged();
  });
  return counts;
}

/// [patterns][files], by the record of each place.
CountColumns count_by_file(const IndexObject& index, const PatternStrings& patterns,
                           const MismatchOptions& options, const Places& places,
                           const nb::object& progress) {
  const SourceFilesView files = index.index().records().files;
  const std::size_t columns = files.size();
  CountColumns counts(patterns.size() * columns);
  run_in_background(progress, [&](BackgroundTask& task) {
    counts.clear(patterns.size() * columns);
    locate_each(index, patterns.views(), options, places, [&](const HitChunk& chunk) {
      for_each_hit(chunk, [&](std::size_t i, std::size_t hit) {
        const std::uint64_t record = occurrence_of(index.index(), chunk.hits[hit], 0).record;
        const auto end = std::ranges::upper_bound(files.record_ends, record);
        const auto file = static_cast<std::size_t>(end - files.record_ends.begin());
        counts.add(i * columns + file, chunk.hits[hit].is_reverse());
      });
      task.report("counting", static_cast<double>(chunk.first + chunk.patterns()) /
                                  static_cast<double>(patterns.size()));
    });
    index.index().require_unchanged();
  });
  return counts;
}

nb::object count(const IndexObject& index, const nb::object& source, const nb::object& offsets,
                 std::int64_t mismatches, bool iupac, const std::string& strands,
                 bool by_mismatches, bool by_file, const nb::object& circular,
                 const nb::object& regions, const nb::object& progress) {
  MismatchOptions options;
  options.mismatches = number_within(mismatches, 0, most_mismatches, "mismatches");
  options.iupac = iupac;
  options.strands = strands_named(strands);
  const InUse in_use(index);
  if (by_file && by_mismatches)
    throw UsageError("by_file and by_mismatches do not go together: give one of them");
  if (by_file && index.index().records().files.empty()) {
    throw UsageError(
        "by_file needs an index that keeps files: give keep_files=True to build(), or --files to "
        "gsx index");
  }
  const Places places = places_of(index, circular, regions);
  PatternStrings patterns(source, offsets);
  patterns.strip(index.index().alphabet());
  const bool exact = are_exact(options) && !by_mismatches;
  CountColumns counts = by_file ? count_by_file(index, patterns, options, places, progress)
                        : exact
                            ? count_exact(index, patterns, options.strands, places, progress)
                            : count_near(index, patterns, options, by_mismatches, places, progress);
  const std::size_t classes = by_file         ? index.index().records().files.size()
                              : by_mismatches ? std::size_t{options.mismatches} + 1
                                              : 1;
  Unmatched unmatched(patterns);
  counts.for_each_without(patterns.size(), classes, [&](std::size_t i) {
    if (exact) {
      unmatched.look_at(i, index.index().alphabet());
    } else {
      unmatched.look_at(i, MismatchRules{options.mismatches, options.iupac});
    }
  });
  unmatched.warn();
  if (by_file || by_mismatches) return counts.take({patterns.size(), classes});
  return counts.take({patterns.size()});
}

}  // namespace

void register_counting(IndexClass& index) {
  index.def(
      "count", &count, nb::arg("patterns"), nb::arg("offsets").none() = nb::none(), nb::kw_only(),
      nb::arg("mismatches") = 0, nb::arg("iupac") = false, nb::arg("strands") = "both",
      nb::arg("by_mismatches") = false, nb::arg("by_file") = false, nb::arg("circular") = false,
      nb::arg("regions").none() = nb::none(), nb::arg("progress").none() = nb::none(),
      nb::sig("def count(self, patterns: " GSX_SEQUENCES ", offsets: "
              "collections.abc.Sequence[int] | numpy.typing.NDArray[typing.Any] | None = None, "
              "*, mismatches: int = 0, iupac: bool = False, strands: typing.Literal['both', "
              "'forward', 'reverse'] = 'both', "
              "by_mismatches: bool = False, by_file: bool = False, " GSX_PLACES
              ", progress: collections.abc.Callable[[str, float], object] | None = None) "
              "-> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64]]"),
      R"(How often each pattern occurs on the forward strand, and its reverse complement does.

:param patterns: one str or bytes; a list of n of them; a NumPy array of strings, or of uint8 with
    shape (n, length); an Arrow array or column of strings (pyarrow, polars, pandas); or contiguous
    bytes, with `offsets`. A pattern that is missing (None, NaN, NA, null) occurs nowhere.
:param offsets: n + 1 integers: pattern i is patterns[offsets[i]:offsets[i + 1]].
:param mismatches: most symbols of a place that differ, 0 to 255. DNA only.
:param iupac: whether letters are IUPAC codes: R matches A and G, N any base. DNA only.
:param strands: 'both', 'forward' or 'reverse'. Alphabets other than DNA have one strand.
:param by_mismatches: whether to count places by their number of mismatches.
:param by_file: whether to count places by the file that their record came from, of records.files.
:param circular: which records are circular: True for all, or their numbers or names. Places that
    span the origin of one, where its end meets its beginning, count, too. DNA only.
:param regions: a table (a dict of arrays, or a data frame) with the columns `target`, numbers or
    names of records, `start` and `end`, counted from 0, ends excluded. Only places that lie wholly
    within one region count; those that overlap or touch are one. None for everywhere.
:param progress: called as progress('counting', fraction) now and then.
:returns: (forward, reverse), int64 of shape (n,), or (n, mismatches + 1) with `by_mismatches`, or
    (n, len(records.files)) with `by_file`.
    A palindrome counts on both strands; an empty pattern occurs nowhere, nor does one that is not
    longer than `mismatches`. A letter outside the alphabet, such as N, equals nothing: exact, such
    a pattern occurs nowhere; with mismatches, the letter is one. Blanks and line ends around a
    pattern are left out. One PatternWarning tells of patterns that cannot match.
:raises UsageError: for options that are out of range or do not fit the alphabet, and patterns with
    blanks or line ends inside; ArgumentTypeError for the name of a file: read_sequences() reads it.
:raises CorruptIndexError: if the file of the index has changed.

Cost: exact, two ranks per symbol and strand, and 16 bytes per pattern for the views of a batch.
With `by_file` or `regions`, that of locate() without its memory. With `circular` or `regions`, each
call opens a search of its own, which on a GPU copies the index there again.)");
}

}  // namespace gsx::python
