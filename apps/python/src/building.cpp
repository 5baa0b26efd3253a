// gsx.build, Index.join and Index.suffix_array: what takes the sorting of a text.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "base/machine.hpp"
#include "choice.hpp"
#include "device/cost.hpp"
#include "device/products.hpp"
#include "device/registry.hpp"
#include "errors.hpp"
#include "gsx/index.hpp"
#include "gsx/suffix_array.hpp"
#include "index/store/verify.hpp"
#include "index_object.hpp"
#include "items.hpp"
#include "paths.hpp"
#include "patterns.hpp"
#include "quiet_htslib.hpp"
#include "run/build_job.hpp"
#include "warnings.hpp"

namespace nb = nanobind;

namespace gsx::python {
namespace {

/// What an index is built of: files, or names and sequences.
struct Source {
  std::vector<std::string> files;
  std::unique_ptr<PatternStrings> names, sequences;
};

constexpr const char* what_to_give =
    "give a path, a list of paths, a dict of names and sequences, or pairs of a name and a "
    "sequence";

Source source_of(nb::object object) {
  Source source;
  if (is_path(object)) {
    source.files.push_back(path_of(object, "source"));
    return source;
  }
  if (is_open_file(object)) refuse_type(object, "source", what_to_give);
  if (nb::hasattr(object, "items")) object = object.attr("items")();
  const nb::object items = items_of(object);
  if (!items.is_valid()) refuse_type(object, "source", what_to_give);
  nb::list names, sequences;
  for (const nb::handle item : items) {
    const std::string what = "source[" + std::to_string(source.files.size() + nb::len(names)) + "]";
    if (is_path(item)) {
      source.files.push_back(path_of(item, what));
    } else if (nb::isinstance<nb::tuple>(item) && nb::len(item) == 2) {
      names.append(item[0]);
      sequences.append(item[1]);
    } else {
      refuse_type(item, what, what_to_give);
    }
  }
  if (!source.files.empty() && nb::len(names) > 0)
    throw UsageError("an index is built of files or of sequences, not of both");
  if (source.files.empty() && nb::len(names) == 0)
    throw UsageError("there is nothing to build an index of: neither a path nor a sequence");
  if (source.files.empty()) {
    source.names = std::make_unique<PatternStrings>(names, nb::none(), "names");
    source.sequences = std::make_unique<PatternStrings>(sequences, nb::none(), "sequences");
    source.names->refuse_nulls();
    source.sequences->refuse_nulls();
  }
  return source;
}

Text read(const Source& source, const ReadTextOptions& options, BackgroundTask& task) {
  if (!source.files.empty()) {
    const QuietHtslib quiet;
    return read_text(source.files, options, task.progress());
  }
  std::vector<Sequence> sequences;
  for (std::size_t i = 0; i < source.names->size(); ++i)
    sequences.push_back({source.names->views()[i], source.sequences->views()[i]});
  return make_text(sequences, options);
}

std::unique_ptr<IndexObject> build(
    const nb::object& object, const std::optional<std::string>& alphabet,
    const std::string& ambiguous, const std::string& soft_mask, std::int64_t sample_rate,
    const std::optional<std::int64_t>& kmer_length, bool md5, bool keep_files, bool whole_header,
    bool allow_no_eof, const nb::object& cram_reference, const std::string& device, int threads,
    const std::optional<std::int64_t>& memory_limit, const std::optional<std::int64_t>& gpu_memory,
    const nb::object& progress) {
  ReadTextOptions reading;
  if (alphabet) {
    reading.text.alphabet = choose<SymbolPolicy>(*alphabet, "alphabet",
                                                 {{"dna", SymbolPolicy::dna},
                                                  {"protein", SymbolPolicy::protein},
                                                  {"bytes", SymbolPolicy::bytes}});
  }
  reading.text.ambiguous = choose<AmbiguousPolicy>(
      ambiguous, "ambiguous",
      {{"split", AmbiguousPolicy::split}, {"error", AmbiguousPolicy::error}});
  reading.text.soft_mask = choose<SoftMaskPolicy>(soft_mask, "soft_mask",
                                                  {{"fold", SoftMaskPolicy::fold},
                                                   {"split", SoftMaskPolicy::split},
                                                   {"keep", SoftMaskPolicy::keep}});
  reading.keep_files = keep_files;
  reading.whole_header = whole_header;
  reading.allow_no_eof = allow_no_eof;
  reading.threads = threads_within(threads);
  reading.memory_limit = number_or(memory_limit, unlimited, "memory_limit");
  reading.cram = references_of(cram_reference);
  ReadingWarnings warnings;
  reading.on_warning = warnings.sink();
  IndexOptions options;
  options.device = device;
  options.threads = reading.threads;
  options.sample_rate = number_within(sample_rate, 1, 1 << 20, "sample_rate");
  if (kmer_length) options.kmer_length = number_within(*kmer_length, 0, 1 << 20, "kmer_length");
  options.md5 = md5;
  options.memory_limit = reading.memory_limit;
  options.gpu_memory = number_or(gpu_memory, unlimited, "gpu_memory");
  (void)devices_named(device);  // before anything is read
  const Source source = source_of(object);
  if (keep_files && source.files.empty())
    throw UsageError("keep_files=True needs files, and these are sequences in memory");
  std::optional<Index> index;
  run_in_background(progress, [&](BackgroundTask& task) {
    with_files(source.files, [&] {
      Text text = read(source, reading, task);
      task.check();
      options.progress = task.progress();
      index.emplace(build_index(std::move(text), options));
    });
  });
  warnings.give();
  SearchOptions searching{device, options.threads, options.gpu_memory, {}};
  return std::make_unique<IndexObject>(std::move(*index), std::move(searching));
}

std::unique_ptr<IndexObject> join(const IndexObject& object,
                                  const std::optional<std::int64_t>& memory_limit,
                                  const nb::object& progress) {
  const InUse in_use(object);
  const SearchOptions& searching = object.options();
  IndexOptions options;
  options.device = searching.device;
  options.threads = searching.threads;
  options.gpu_memory = searching.gpu_memory;
  options.memory_limit = number_or(memory_limit, unlimited, "memory_limit");
  std::optional<Index> index;
  run_in_background(progress, [&](BackgroundTask& task) {
    options.progress = task.progress();
    index.emplace(join_shards(object.index(), options));
    object.index().require_unchanged();
  });
  return std::make_unique<IndexObject>(std::move(*index), searching);
}

nb::object suffix_array_of(const IndexObject& object, const nb::object& progress) {
  const InUse in_use(object);
  std::optional<SuffixArray> rows;
  run_in_background(progress, [&](BackgroundTask& task) {
    const Index& index = object.index();
    const TextView text = index.text();
    SortOptions options;
    options.device = object.options().device;
    options.gpu_memory = object.options().gpu_memory;
    options.progress = task.progress();
    const int threads = threads_for(object.options().threads, text.length());
    rows.emplace(
        run_build(options, cost_of_sorting(text.length()), threads, [&](const BuildJob& job) {
          verify_text(index, threads);
          return build_suffix_array(job.backend, text, job.build);
        }));
    rows->drop_first(text.segments.count);
    index.require_unchanged();
  });
  return positions_to_numpy(std::move(*rows));
}

}  // namespace

void register_building(nb::module_& module, IndexClass& index) {
  module.def(
      "build", &build, nb::arg("source"), nb::kw_only(), nb::arg("alphabet").none() = nb::none(),
      nb::arg("ambiguous") = "split", nb::arg("soft_mask") = "fold", nb::arg("sample_rate") = 8,
      nb::arg("kmer_length").none() = nb::none(), nb::arg("md5") = false,
      nb::arg("keep_files") = false, nb::arg("whole_header") = false,
      nb::arg("allow_no_eof") = false, nb::arg("cram_reference").none() = nb::none(),
      nb::arg("device") = "auto", nb::arg("threads") = 0,
      nb::arg("memory_limit").none() = nb::none(), nb::arg("gpu_memory").none() = nb::none(),
      nb::arg("progress").none() = nb::none(),
      nb::sig("def build(source: str | os.PathLike[str] | "
              "collections.abc.Mapping[str, str | bytes] | "
              "collections.abc.Iterable[str | os.PathLike[str] | tuple[str, str | bytes]], *, "
              "alphabet: typing.Literal['dna', 'protein', 'bytes'] | None = None, ambiguous: "
              "typing.Literal['split', 'error'] = 'split', "
              "soft_mask: typing.Literal['fold', 'split', 'keep'] = 'fold', sample_rate: int = 8, "
              "kmer_length: int | None = None, "
              "md5: bool = False, keep_files: bool = False, whole_header: bool = False, "
              "allow_no_eof: bool = False, cram_reference: str | os.PathLike[str] "
              "| None = None, "
              "device: str = 'auto', threads: int = 0, "
              "memory_limit: int | None = None, gpu_memory: int | None = None, "
              "progress: collections.abc.Callable[[str, float], object] | None = None) "
              "-> Index"),
      R"(An index in memory, of sequences or of files.

:param source: the path of a file, or a list of paths; a dict of names and sequences, or pairs of a
    name and a sequence. Files are FASTA or FASTQ, plain or compressed by gzip, BGZF, bzip2, xz or
    zstd; 2bit; or the reads of SAM, BAM and CRAM. The name of a record is the first word of its
    header; names given here have no blanks.
:param alphabet: 'dna', 'protein' or 'bytes', which are those that FASTA can hold: no blanks, no
    control characters, no '>'; by default DNA or protein, judged by the first sequences.
:param ambiguous: 'split': a symbol of DNA other than A, C, G, T and U matches nothing; 'error': it
    is an InputError.
:param soft_mask: 'fold': lower case counts as upper case; 'split': lower-case bases match nothing;
    'keep': the index remembers which letters were lower case; `gsx extract` writes them so.
:param sample_rate: one in so many rows of the suffix array is kept, 1 to 2^20: less memory, slower
    locate().
:param kmer_length: of the table where searches start; by default chosen by the length of the text.
:param md5: whether to store the MD5 of each record.
:param keep_files: whether to remember which file each record came from: Records.files and
    Records.file_numbers. If two files have a record of the same name, each record is named
    FILE#NAME.
:param whole_header: whether the name of a record is all of its header line, without blanks around
    it; a tab in it is an InputError.
:param allow_no_eof: whether BGZF is read that lacks the empty block at its end. Otherwise that is
    an InputError: the file may have been cut between two blocks. A UserWarning tells of it.
:param cram_reference: the path of the FASTA file, indexed by `samtools faidx`, that CRAM files are
    decoded by. Without it, local files are looked for that REF_CACHE, REF_PATH and the header of the
    CRAM file name; nothing is fetched from a network.
:param device: 'auto', 'cpu', 'cuda', 'cuda:N', 'cuda:N,M', 'cuda:all': what sorts suffixes, and
    searches later. 'auto' takes a GPU that is estimated to finish first, its start included; where
    queries come later, for more than 17 million symbols per thread, of guides 29 million.
:param threads: 0 for as many as the process may run.
:param memory_limit: bytes of host memory that the process may take.
:param gpu_memory: bytes of a GPU's memory to use.
:param progress: called as progress(stage, fraction) now and then; fraction is negative where it is
    unknown.
:raises InputError: if a file is missing or malformed, or a sequence has a wrong symbol.
:raises UsageError: for options that are out of range.
:raises ResourceError: if memory is short.
:raises DeviceError: if a GPU was asked for that cannot be used.

A UserWarning tells of a file that is read though it is odd, such as FASTQ with another name behind '+'.

While files are read, htslib, which decodes SAM, BAM and CRAM, is told not to print, in the whole
process; then its log level is what it was.

Cost: that of the suffix array, about 17 ns per base of DNA on one thread.)");
  index.def(
      "join", &join, nb::kw_only(), nb::arg("memory_limit").none() = nb::none(),
      nb::arg("progress").none() = nb::none(),
      nb::sig("def join(self, *, memory_limit: int | None = None, "
              "progress: collections.abc.Callable[[str, float], object] | None = None) -> Index"),
      R"(One index, in memory, of all records of an index in shards: what build() makes of them.

:param memory_limit: bytes of host memory that the process may take.
:raises UsageError: for an index that is not in shards.
:raises ResourceError: if memory is short.

Cost: that of build().)");
  index.def(
      "suffix_array", &suffix_array_of, nb::kw_only(), nb::arg("progress").none() = nb::none(),
      nb::sig("def suffix_array(self, *, "
              "progress: collections.abc.Callable[[str, float], object] | None = None) -> "
              "numpy.typing.NDArray[numpy.uint32] | numpy.typing.NDArray[numpy.uint64]"),
      R"(The suffix array of the text of the index: positions in the text, which places() turns
to records and offsets. The text is the stretches of plain symbols of all records, each with a
separator behind it; positions of separators are left out.

:returns: uint32, or uint64 for texts of 2^32 symbols and more.

Cost: the index keeps only a sample, so the suffixes are sorted again; 4 or 8 bytes per symbol.)");
}

}  // namespace gsx::python
