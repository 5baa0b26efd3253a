// gsx bench: measures the ceilings of the machine, and how close gsx comes to them.
#include "bench/bench.hpp"

#include <unistd.h>

#include <CLI/App.hpp>
#include <filesystem>

#include "arrays/minima/no_position.hpp"
#include "base/error.hpp"
#include "base/messages.hpp"
#include "bytes/outputs.hpp"
#include "commands.hpp"
#include "device/registry.hpp"
#include "index/store/writer.hpp"
#include "inputs/input_options.hpp"
#include "options/numbers.hpp"
#include "options/option_kinds.hpp"
#include "options/options.hpp"
#include "process/environment.hpp"
#include "search/sets/sequence_set.hpp"
#include "text/record_checksum.hpp"

namespace gsx::app {
namespace {

/// The folder for temporary files. Throws RuntimeError if it is not a folder, or cannot be written
/// to.
std::string scratch_parent() {
  std::string folder = scratch_place().path;
  if (!std::filesystem::is_directory(folder) || access(folder.c_str(), W_OK | X_OK) != 0) {
    throw RuntimeError("bench cannot write its files to '" + printable(folder) +
                       "'; set TMPDIR to a folder where it can");
  }
  return folder;
}

/// The sampling rates of the indexes that are searched.
std::vector<std::uint32_t> searched_rates(const BenchOptions& options) {
  const bool others = options.does("device") || options.does("sequence") || options.does("count") ||
                      options.does("pipeline") || options.does("mismatches");
  std::vector<std::uint32_t> rates;
  if (options.reads == 0) return rates;
  if (options.does("locate")) rates = options.sample_rates;
  const auto has_default = std::find(rates.begin(), rates.end(), default_sample_rate);
  if (others && has_default == rates.end()) rates.insert(rates.begin(), default_sample_rate);
  return rates;
}

/// Bytes of the largest index that is searched; of one with the default sampling rate if none is.
std::uint64_t largest_index(const BenchOptions& options, const Text& text) {
  std::vector<std::uint32_t> rates = searched_rates(options);
  if (rates.empty()) rates = {default_sample_rate};
  BuildOptions build;
  build.sample_rate = *std::min_element(rates.begin(), rates.end());
  return index_bytes(text, build.fm());
}

void add_rates(const std::vector<QueryRate>& rates, const std::string& before, Report& report) {
  for (const QueryRate& found : rates) {
    report.rows.push_back({before + found.name, 0, found.rate, found.unit,
                           found.bytes > 0 ? Traffic{found.rate * found.bytes, "B/s"}
                                           : Traffic{found.rate * found.gathers, "gathers/s"}});
  }
}

/// Measures the searches asked for at the default sampling rate, and locate at every rate asked
/// for.
void bench_searches(const BenchOptions& options, Backend& backend, DeviceBench& device,
                    const Text& text, Session& session, Report& report) {
  const BuildOptions defaults;
  std::vector<Row> located;
  for (const std::uint32_t rate : searched_rates(options)) {
    BuildOptions build;
    build.threads = session.threads;
    build.sample_rate = rate;
    const BenchFile file("index.gsx");
    {
      // A back end of its own, which gives back the device memory that building took.
      const std::unique_ptr<Backend> builder = options.device.make(cpu_path());
      Output out(file.path());
      write_index(out, text, builder->build_index(text.view(), build), session.threads);
      out.commit();
    }
    const Index index = Index::open(file.path(), Load::map, session.threads);
    if (rate == defaults.sample_rate && options.does("device")) {
      add_rates(device.measure_queries(index, session.threads), "on the device: ", report);
    }
    if (rate == defaults.sample_rate && options.does("sequence")) {
      bench_sequence(options, index, *device.open(index, session.threads), session.threads, report);
    }
    const std::unique_ptr<Searcher> searcher = backend.open<ExactSearch>({index, session.threads});
    if (rate == defaults.sample_rate) {
      if (options.does("count")) bench_count(options, index, *searcher, session.threads, report);
      if (options.does("mismatches"))
        bench_mismatches(options, index, backend, session.threads, report);
      if (options.does("pipeline"))
        bench_pipeline(options, index, *searcher, session.threads, report);
    }
    if (options.does("locate"))
      located.push_back(bench_locate(options, index, *searcher, session.threads, report));
  }
  report.rows.insert(report.rows.end(), located.begin(), located.end());
}

void run_bench(const BenchOptions& options, Session& session) {
  check_text(options);
  session.files.reads(options.file);
  check_outputs({options.output, options.write_text}, session);
  if (options.reads > 0) scratch_parent();  // fail before the work, not after it
  std::unique_ptr<Backend> backend = options.device.make(cpu_path());
  for (const char* work : {"arrays", "packing", "wavelet", "prefix"}) {
    if (options.does(work) && options.length >= no_position<std::uint32_t>)
      throw UsageError("--work " + std::string(work) +
                       " measures arrays of less than 2^32 numbers; use a shorter --length");
  }
  if (options.does("neighbors") && options.length > SequenceSet::most_size)
    throw UsageError(
        "--work neighbors measures sets of less than 2^31 sequences; use a shorter --length");
  const std::unique_ptr<DeviceBench> device =
      make_device_bench(options.device.device, options.device.gpu_memory, cpu_path());
  Outputs outputs(session.threads);
  Output& out = outputs.open(options.output);
  Output* const written = outputs.open_if_named(options.write_text);
  const std::uint64_t bytes_before = resident_bytes();
  Text text = make_text(options, written, session);
  if (options.does("mismatches") && text.alphabet.policy() != SymbolPolicy::dna)
    throw UsageError("--work mismatches needs a text of DNA");
  Report report;
  report.gpu = backend->name() != "cpu";
  report.symbols = text.length();
  report.bytes_before = bytes_before;
  if (options.builds_anything()) session.report("measuring builds", -1);
  if (options.builds_anything()) {
    bench_builds(options, *backend, text, session, report);
    backend = options.device.make(cpu_path());  // without the device memory of builds
  }
  // After the builds, so that this memory does not count as theirs; before the searches, which are
  // compared with the ceilings.
  if (options.does("ceilings")) session.report("measuring the ceilings", -1);
  if (options.does("ceilings"))
    report.ceilings = device->measure_ceilings(session.threads, largest_index(options, text));
  if (options.does("arrays")) {
    session.report("measuring arrays", -1);
    add_rates(device->measure_arrays(options.length, session.threads), "", report);
  }
  if (options.does("packing")) {
    session.report("measuring packed integers", -1);
    const auto rates = device->measure_packing(options.length, session.threads);
    add_rates(rates, "", report);
    if (rates.empty()) bench_packing(options, session.threads, report);
  }
  if (options.does("wavelet")) {
    session.report("measuring wavelet sequences", -1);
    add_rates(device->measure_wavelet(options.length, session.threads), "", report);
  }
  if (options.does("neighbors")) {
    session.report("measuring neighbours", -1);
    add_rates(device->measure_neighbors(options.length, session.threads), "", report);
  }
  if (options.does("prefix")) {
    session.report("measuring prefixes", -1);
    add_rates(device->measure_prefixes(options.length, session.threads), "", report);
  }
  if (options.does("lcp")) {
    session.report("measuring the LCP array", -1);
    add_rates(device->measure_lcp(text.view(), session.threads), "", report);
  }
  if (options.reads > 0) {
    session.report("measuring searches", -1);
    checksum_records(text, session.threads);
    bench_searches(options, *backend, *device, text, session, report);
  }
  session.used(*backend);
  out.write(options.csv ? report.as_csv() : report.as_table());
  outputs.commit();
}

}  // namespace

BenchFile::BenchFile(const std::string& name)
    : folder_(scratch_parent(), "bench"), file_(folder_.path() + '/' + name) {}

void add_bench_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = add_command(app, "bench", "Measure building and searching on this machine");
  command->footer(
      "The text is generated from --seed, or read from --input. Each rate is the median "
      "of several runs after one warm-up run, from host memory to host memory. Where it "
      "is known, the memory demand of the work follows, as a share of what the machine "
      "can do in the same run: for a build, input and result against copying; for a "
      "search on the CPU, its cache lines against random lines of a table as large as the "
      "index (of tables of 16 MB to 1 GB, those up to that size are measured), and how many lines "
      "a read takes (in --csv, traffic / rate). Peak memory is that of the whole process, with the "
      "text and the libraries; the table also tells what it held before there was a text.\n\n"
      "The columns of --csv are work, seconds (0: none), rate, unit, traffic, "
      "traffic_unit, ceiling, share and runs: the seconds of each run, separated by "
      "blanks. The last five may be empty.\n\n"
      "Examples:\n"
      "  gsx bench --length 100M\n"
      "  gsx bench --device cuda --length 1G --work ceilings,build --csv\n"
      "  gsx bench --input genome.fa --device cpu -t 2\n"
      "  gsx bench --input chr21.fa --haplotypes 8 --work bwt --reads 0");
  begin_group(*command, "Input");
  add_choice(*command, "--text", options->kind,
             {"genome", "assembly", "random", "copies", "halves", "fibonacci", "run", "period-2",
              "protein", "prose"},
             "Text to generate: genome (with repeats like human DNA), assembly (such a "
             "genome in 24 chromosomes with runs of N), random, copies (of 30 kbp, one "
             "change in 10,000 symbols), halves (a random text twice), fibonacci, run (one "
             "base), period-2 (ACAC...), protein, prose (bytes like an English book)");
  add_length(*command, "--length", options->length, {1000, std::uint64_t{1} << 40},
             "Generate N symbols; K, M and G after N are powers of 1000");
  add_number(*command, "--seed", options->seed, {}, "Seed of the generator");
  auto* input = add_path(*command, "--input", options->file,
                         "Read FASTA or FASTQ instead of generating a text");
  add_alphabet_option(*command, options->alphabet)->needs(input);
  add_number(*command, "--haplotypes", options->haplotypes, {1, 10'000},
             "Take N haplotypes of the text, which is DNA: itself, and others, drawn by --seed, in "
             "which one base in 1,000 is another and one in 10,000 begins an insertion or a "
             "deletion. Those of a record NAME are NAME_2, NAME_3, ..., with more than one _ where "
             "another record has such a name");
  add_path(*command, "--write-text", options->write_text,
           "Write the generated text, or the haplotypes, to FILE, as FASTA; as BGZF if the name "
           "ends in .gz or .bgz")
      ->group("Output");
  begin_group(*command, "Measurement");
  add_number(*command, "--repeat", options->repeat, {1, 1000}, "Measure each kind of work N times");
  add_number(*command, "--reads", options->reads, {0, std::uint64_t{1} << 40},
             "Search for N reads; 0 searches for none");
  add_choices(
      *command, "--work", options->work,
      {"ceilings", "build", "sa", "bwt", "inverse", "fm", "device", "sequence", "count", "locate",
       "mismatches", "pipeline", "arrays", "packing", "wavelet", "neighbors", "prefix", "lcp"},
      "What to measure, separated by commas: ceilings, build (suffix array, BWT and FM-index, or "
      "one of them: sa, bwt, fm), inverse (of the BWT; not by default), device (queries in GPU "
      "memory), sequence (access, rank, select), count, locate, mismatches (scans, reads of 150, "
      "and CRISPR guides; not by default), pipeline (FASTQ to TSV and BED), arrays (nearest "
      "smaller values and range minima of --length random numbers), packing (as many integers "
      "packed in few bits, beside copying them), wavelet (access, rank and select of as many "
      "numbers of several alphabets), neighbors (all pairs of as many 16-mers at distance 1), "
      "prefix (the longest of a million barcodes that as many reads begin with) and lcp (the LCP "
      "array, the suffix array given), all six not by default");
  add_numbers(*command, "--sa-rates", options->sample_rates, {1, 1u << 20},
              "Sampling rates for locate, separated by commas; each needs an index of its own");
  add_flag(*command, "--csv", options->csv, "Write CSV instead of a table")->group("Output");
  add_output(*command, options->output);
  add_device_options(*command, options->device,
                     "; cuda:N,M,... and cuda:all share builds and searches among several");
  add_session_options(*command, session);
  set_work(*command, run, [options](Session& started) { run_bench(*options, started); });
}

}  // namespace gsx::app
