// gsx.read_sequences: the sequences of files, as count() and the like take them.
#include <nanobind/stl/string.h>

#include <cstdint>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "background.hpp"
#include "errors.hpp"
#include "index_object.hpp"
#include "paths.hpp"
#include "quiet_htslib.hpp"
#include "records/sequence_reader.hpp"
#include "strings.hpp"
#include "warnings.hpp"

namespace nb = nanobind;

namespace gsx::python {
namespace {

nb::object read_sequences(const nb::object& source, const nb::object& cram_reference) {
  const std::vector<std::string> files = paths_of(source);
  ReaderOptions options;
  options.allow_empty = true;
  options.decoding.as_sequences = true;
  options.decoding.allow_no_eof = true;
  options.decoding.cram = references_of(cram_reference);
  ReadingWarnings warnings;
  options.decoding.on_warning = warnings.sink();
  std::string letters, names;
  std::vector<std::int64_t> ends{0};
  std::vector<std::uint64_t> name_ends;
  run_in_background(nb::none(), [&](BackgroundTask& task) {
    const QuietHtslib quiet;
    with_files(files, [&] {
      SequenceReader reader(files, options);
      for (RecordBatch batch; reader.next(batch); task.check()) {
        for (std::size_t i = 0; i < batch.size(); ++i) {
          ends.push_back(static_cast<std::int64_t>(letters.size() + batch.symbol_ends[i]));
          name_ends.push_back(names.size() + batch.name_ends[i]);
        }
        letters += batch.symbols;
        names += batch.names;
      }
    });
  });
  warnings.give();
  std::uint64_t begin = 0;
  nb::list all;
  for (const std::uint64_t end : name_ends) {
    all.append(decoded(std::string_view(names).substr(begin, end - begin)));
    begin = end;
  }
  const std::vector<std::uint8_t> bytes(letters.begin(), letters.end());
  return nb::make_tuple(all, to_numpy(bytes), to_numpy(std::move(ends)));
}

}  // namespace

void register_reading(nb::module_& module) {
  module.def("read_sequences", &read_sequences, nb::arg("source"), nb::kw_only(),
             nb::arg("cram_reference").none() = nb::none(),
             nb::sig("def read_sequences(source: str | os.PathLike[str] | "
                     "collections.abc.Iterable[str | os.PathLike[str]], *, "
                     "cram_reference: str | os.PathLike[str] | None = None) -> "
                     "tuple[list[str], numpy.typing.NDArray[numpy.uint8], "
                     "numpy.typing.NDArray[numpy.int64]]"),
             R"(The sequences of files, as the functions of an Index take them:

    names, letters, offsets = gsx.read_sequences("reads.fq.gz")
    forward, reverse = index.count(letters, offsets)

:param source: the path of a file, or an iterable of paths, of the formats that build() reads.
:param cram_reference: as for build().
:returns: (names, letters, offsets): n names, uint8 letters as they are in the files, and n + 1
    int64 offsets: sequence i is letters[offsets[i]:offsets[i + 1]].
:raises InputError: if a file is missing or malformed.

A UserWarning tells of a file that is read though it is odd: BGZF without the empty block that ends it,
which may have been cut between two blocks, and FASTQ with another name behind '+'.

Cost: one pass over the files on one thread; all sequences in memory, twice for a moment.)");
}

}  // namespace gsx::python
