// Index.lz77: the LZ77 phrases of the records.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/lz77/factorize.hpp"
#include "base/machine.hpp"
#include "columns.hpp"
#include "gsx/suffix_array.hpp"
#include "index/store/verify.hpp"
#include "index_object.hpp"
#include "run/build_job.hpp"

namespace nb = nanobind;

namespace gsx::python {
namespace {

nb::dict lz77(const IndexObject& object, bool across_records,
              const std::optional<std::int64_t>& memory_limit, const nb::object& progress) {
  const InUse in_use(object);
  SortOptions options;
  options.device = object.options().device;
  options.gpu_memory = object.options().gpu_memory;
  options.memory_limit = number_or(memory_limit, unlimited, "memory_limit");
  PythonTable<Array<"record">, Array<"start">, Array<"length">, Array<"source_record">,
              Array<"source">>
      phrases;
  std::vector<std::uint8_t> symbols;
  run_in_background(progress, [&](BackgroundTask& task) {
    const Index& index = object.index();
    options.progress = task.progress();
    const RecordSource source{index.text(), index.records(), &index.alphabet()};
    const int threads = threads_for(object.options().threads, source.text.length());
    run_build(options, cost_of_sorting(source.text.length()), threads, [&](const BuildJob& job) {
      verify_text(index, threads);
      factorize(source, job.backend, {across_records, job.build}, [&](const RecordPhrases& of) {
        of.visit([&](const RecordPhrase& phrase) {
          const bool is_copy = phrase.kind == RecordPhrase::Kind::copy;
          phrases.add(of.record(), phrase.start, phrase.length,
                      is_copy ? static_cast<std::int64_t>(phrase.source_record) : -1,
                      is_copy ? static_cast<std::int64_t>(phrase.source) : -1);
          symbols.push_back(static_cast<std::uint8_t>(phrase.symbol));
        });
        task.check();
      });
    });
    index.require_unchanged();
  });
  nb::dict columns = phrases.take();
  columns["literal"] = to_numpy(std::move(symbols)).attr("view")("S1");
  return columns;
}

}  // namespace

void register_phrases(IndexClass& index) {
  index.def(
      "lz77", &lz77, nb::kw_only(), nb::arg("across_records") = false,
      nb::arg("memory_limit").none() = nb::none(), nb::arg("progress").none() = nb::none(),
      nb::sig("def lz77(self, *, across_records: bool = False, memory_limit: int | None = None, "
              "progress: collections.abc.Callable[[str, float], object] | None = None) "
              "-> dict[str, numpy.typing.NDArray[typing.Any]]"),
      R"(The LZ77 phrases of each record, from left to right: the longest stretches that also begin
at an earlier position, on the forward strand, which they may overlap; and literals, symbols that
have not occurred before. A run of one symbol outside the alphabet, such as N, is a phrase, too.

:param across_records: whether sources may lie in earlier records.
:param memory_limit: bytes of host memory that the process may take.
:param progress: called as progress(stage, fraction) now and then.
:returns: a dict of arrays of one length: `record`; `start` and `length`, in symbols of the record;
    `source_record` and `source`, where the first earlier place of the phrase begins in its record,
    or -1 for literals and runs (int64); `literal`, the symbol of these, empty for copies (bytes).
    The phrases of a record cover it without a gap.
:raises UsageError: for options that are out of range.
:raises ResourceError: if memory is short.
:raises CorruptIndexError: if the index is damaged, or its file has changed.

Cost: sorting the suffixes, and one pass on one thread; 12 bytes of memory per symbol of the largest
record, or of all with `across_records` (24 from 2^32 symbols on), and 49 per phrase.)");
}

}  // namespace gsx::python
