// Index.count: how often patterns occur.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <vector>

#include "arrays.hpp"
#include "index_object.hpp"
#include "patterns.hpp"
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

bool is_small(const Patterns& patterns) {
  std::uint64_t symbols = 0;
  for (const std::string_view pattern : patterns.views()) {
    symbols += pattern.size() + 1;
    if (symbols > few_symbols_of_batch) return false;
  }
  return true;
}

nb::object count_exact(const IndexObject& index, const Patterns& patterns, Strands strands,
                       Unmatched& unmatched, const nb::object& progress) {
  CountColumns counts(patterns.size());
  const auto count = [&](std::size_t first, std::size_t last) {
    counts.set(first, index.searcher().count(patterns.some(first, last), strands));
  };
  if (progress.is_none() && is_small(patterns)) {
    const nb::gil_scoped_release released;
    count(0, patterns.size());
    index.index().require_unchanged();
  } else {
    run_in_background(progress, [&](Task& task) {
      in_pieces(
          task, "counting", patterns.size(), first_exact,
          [&](std::size_t i) { return patterns.views()[i].size() + 1; }, count);
      index.index().require_unchanged();
    });
  }
  counts.for_each_without(patterns.size(), 1,
                          [&](std::size_t i) { unmatched.look_at(i, index.index().alphabet()); });
  return counts.take({patterns.size()});
}

nb::object count_near(const IndexObject& index, const Patterns& patterns,
                      const MismatchOptions& options, bool by_mismatches, Unmatched& unmatched,
                      const nb::object& progress) {
  const std::size_t classes = std::size_t{options.mismatches} + 1;
  CountColumns counts(patterns.size() * (by_mismatches ? classes : 1));
  run_in_background(progress, [&](Task& task) {
    in_pieces(
        task, "counting", patterns.size(), first_near,
        [&](std::size_t i) { return patterns.views()[i].size() + 1; },
        [&](std::size_t first, std::size_t last) {
          const auto some = index.mismatch_searcher().count(patterns.some(first, last), options);
          if (by_mismatches) {
            counts.set(first * classes, some);
          } else {
            counts.set_sums(first, some, classes);
          }
        });
    index.index().require_unchanged();
  });
  counts.for_each_without(patterns.size(), by_mismatches ? classes : 1, [&](std::size_t i) {
    unmatched.look_at(i, MismatchRules{options.mismatches, options.iupac});
  });
  if (by_mismatches) return counts.take({patterns.size(), classes});
  return counts.take({patterns.size()});
}

nb::object count(const IndexObject& index, const nb::object& source, const nb::object& offsets,
                 std::int64_t mismatches, bool iupac, const std::string& strands,
                 bool by_mismatches, const nb::object& progress) {
  MismatchOptions options;
  options.mismatches = number_within(mismatches, 0, most_mismatches, "mismatches");
  options.iupac = iupac;
  options.strands = strands_named(strands);
  const InUse in_use(index);
  Patterns patterns(source, offsets);
  patterns.strip(index.index().alphabet());
  Unmatched unmatched(patterns);
  const bool exact = options.mismatches == 0 && !iupac && !by_mismatches;
  nb::object counts =
      exact ? count_exact(index, patterns, options.strands, unmatched, progress)
            : count_near(index, patterns, options, by_mismatches, unmatched, progress);
  unmatched.warn();
  return counts;
}

}  // namespace

void register_counting(IndexClass& index) {
  index.def(
      "count", &count, nb::arg("patterns"), nb::arg("offsets").none() = nb::none(), nb::kw_only(),
      nb::arg("mismatches") = 0, nb::arg("iupac") = false, nb::arg("strands") = "both",
      nb::arg("by_mismatches") = false, nb::arg("progress").none() = nb::none(),
      nb::sig("def count(self, patterns: " GSX_SEQUENCES ", offsets: "
              "collections.abc.Sequence[int] | numpy.typing.NDArray[typing.Any] | None = None, "
              "*, mismatches: int = 0, iupac: bool = False, strands: typing.Literal['both', "
              "'forward', 'reverse'] = 'both', "
              "by_mismatches: bool = False, "
              "progress: collections.abc.Callable[[str, float], object] | None = None) "
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
:param progress: called as progress('counting', fraction) now and then.
:returns: (forward, reverse), int64 of shape (n,), or (n, mismatches + 1) with `by_mismatches`.
    A palindrome counts on both strands; an empty pattern occurs nowhere, nor does one that is not
    longer than `mismatches`. A letter outside the alphabet, such as N, equals nothing: exact, such
    a pattern occurs nowhere; with mismatches, the letter is one. Blanks and line ends around a
    pattern are left out. One PatternWarning tells of patterns that cannot match.
:raises UsageError: for options that are out of range or do not fit the alphabet, and patterns with
    blanks or line ends inside; ArgumentTypeError for the name of a file: read_sequences() reads it.
:raises CorruptIndexError: if the file of the index has changed.

Cost: exact, two ranks per symbol and strand, and 16 bytes per pattern for the views of a batch.)");
}

}  // namespace gsx::python
