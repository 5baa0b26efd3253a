// Index.mappability, Index.shortest_unique and Index.kmer_spectrum: how unique k-mers are.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "gsx/mappability.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "analysis/mappability/spectrum_text.hpp"
#include "choice.hpp"
#include "columns.hpp"
#include "index_object.hpp"

namespace nb = nanobind;

namespace gsx::python {
namespace {

MappabilityOptions options_of(const IndexObject& index, const std::string& strands,
                              const std::optional<std::int64_t>& memory_limit) {
  MappabilityOptions options;
  options.both_strands = choose<bool>(strands, "strands", {{"both", true}, {"forward", false}});
  options.sort.device = index.options().device;
  options.sort.threads = index.options().threads;
  options.sort.gpu_memory = index.options().gpu_memory;
  options.sort.memory_limit = number_or(memory_limit, unlimited, "memory_limit");
  return options;
}

/// What work(options) gives in the background, where options have its progress.
template <class Work>
auto measured(const nb::object& progress, MappabilityOptions options, const Work& work) {
  std::optional<decltype(work(options))> result;
  run_in_background(progress, [&](BackgroundTask& task) {
    options.sort.progress = task.progress();
    result.emplace(work(options));
  });
  return std::move(*result);
}

template <class Value>
nb::list per_record(std::vector<Buffer<Value>> arrays) {
  nb::list all;
  for (Buffer<Value>& array : arrays)
    all.append(to_numpy(std::move(array)));
  return all;
}

nb::object mappability(const IndexObject& index, std::int64_t k, std::int64_t mismatches,
                       const std::string& values, const std::optional<std::int64_t>& cap,
                       const std::string& strand, const std::optional<std::int64_t>& memory_limit,
                       const nb::object& progress) {
  const InUse in_use(index);
  const std::uint64_t length = number_within(k, 1, 1 << 30, "k");
  MappabilityOptions options = options_of(index, strand, memory_limit);
  options.mismatches = static_cast<int>(number_within(mismatches, 0, 4, "mismatches"));
  options.cap = number_or(cap, mismatches == 0 ? unlimited : 255, "cap");
  const auto value = choose<KmerValue>(values, "values",
                                       {{"mappability", KmerValue::mappability},
                                        {"frequency", KmerValue::frequency},
                                        {"umap_single", KmerValue::umap_single},
                                        {"umap_multi", KmerValue::umap_multi}});
  if (value == KmerValue::frequency) {
    return per_record(measured(progress, options, [&](const MappabilityOptions& asked) {
      return kmer_frequencies(index.index(), length, asked);
    }));
  }
  return per_record(measured(progress, options, [&](const MappabilityOptions& asked) {
    return gsx::mappability(index.index(), length, value, asked);
  }));
}

nb::object shortest_unique(const IndexObject& index, const std::string& strand,
                           const std::optional<std::int64_t>& memory_limit,
                           const nb::object& progress) {
  const InUse in_use(index);
  return per_record(measured(
      progress, options_of(index, strand, memory_limit),
      [&](const MappabilityOptions& asked) { return gsx::shortest_unique(index.index(), asked); }));
}

nb::dict kmer_spectrum(const IndexObject& index, const std::string& strand,
                       const std::optional<std::int64_t>& memory_limit,
                       const nb::object& progress) {
  const InUse in_use(index);
  const auto spectrum = measured(
      progress, options_of(index, strand, memory_limit),
      [&](const MappabilityOptions& asked) { return gsx::kmer_spectrum(index.index(), asked); });
  return take_rows(spectrum, SpectrumColumns());
}

#define GSX_SORTING_OPTIONS                                                                \
  "strands: typing.Literal['both', 'forward'] = 'both', memory_limit: int | None = None, " \
  "progress: collections.abc.Callable[[str, float], object] | None = None)"

}  // namespace

void register_mappability(IndexClass& index) {
  index.def(
      "mappability", &mappability, nb::arg("k"), nb::kw_only(), nb::arg("mismatches") = 0,
      nb::arg("values") = "mappability", nb::arg("cap").none() = nb::none(),
      nb::arg("strands") = "both", nb::arg("memory_limit").none() = nb::none(),
      nb::arg("progress").none() = nb::none(),
      nb::sig("def mappability(self, k: int, *, mismatches: int = 0, "
              "values: typing.Literal['mappability', 'frequency', 'umap_single', 'umap_multi'] = "
              "'mappability', cap: int | None = None, " GSX_SORTING_OPTIONS
              " -> list[numpy.typing.NDArray[typing.Any]]"),
      R"(How unique the k-mer is that begins at each position of each record.

A place counts once, also where the k-mer matches it on both strands, as one does that is its own
reverse complement, or with mismatches nearly that.

:param k: symbols of the k-mers, at least 1, and more than `mismatches`.
:param mismatches: 0 to 4: k-mers that differ in so many symbols count, too.
:param values: 'mappability': 1 / frequency; 'frequency': places of the k-mer; 'umap_single': 1 where
    a unique k-mer covers the position; 'umap_multi': the share of unique k-mers among the k that may
    cover it.
:param cap: frequencies above it count as it; by default 255 with mismatches.
:param strands: 'both', or 'forward' to count k-mers as given only.
:param memory_limit: bytes of host memory that the process may take.
:returns: an array per record, with a value per position: float32, NaN where no k-mer begins, and
    for umap where no unique k-mer covers the position; or uint32, 0 there, for 'frequency'.
:raises UsageError: for options that are out of range.
:raises ResourceError: if memory is short.

Cost: sorting the suffixes of both strands; 4 bytes of memory per position beside that.)");
  index.def("shortest_unique", &shortest_unique, nb::kw_only(), nb::arg("strands") = "both",
            nb::arg("memory_limit").none() = nb::none(), nb::arg("progress").none() = nb::none(),
            nb::sig("def shortest_unique(self, *, " GSX_SORTING_OPTIONS
                    " -> list[numpy.typing.NDArray[numpy.uint32]]"),
            R"(The least k for which the k-mer at a position occurs nowhere else.

:returns: an array per record, uint32; 0 where the stretch of plain symbols ends before that.

Cost: sorting the suffixes of both strands.)");
  index.def("kmer_spectrum", &kmer_spectrum, nb::kw_only(), nb::arg("strands") = "both",
            nb::arg("memory_limit").none() = nb::none(), nb::arg("progress").none() = nb::none(),
            nb::sig("def kmer_spectrum(self, *, " GSX_SORTING_OPTIONS
                    " -> dict[str, numpy.typing.NDArray[numpy.int64]]"),
            R"(The k-mers of the text for each k from 1 on, until all are unique.

:returns: a dict of int64 arrays: `k`; `distinct`, different k-mers; `unique`, those that occur once;
    `total`, places. On both strands, reverse complements count as one.

Cost: sorting the suffixes of both strands; 24 bytes per k.)");
}

}  // namespace gsx::python
