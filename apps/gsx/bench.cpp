// gsx bench: the machine's ceilings, and what gsx makes of them.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "backend/registry.hpp"
#include "base/output.hpp"
#include "base/parallel.hpp"
#include "base/resources.hpp"
#include "commands.hpp"
#include "options.hpp"
#include "query/patterns.hpp"
#include "store/writer.hpp"
#include "text/extract.hpp"
#include "text/synthetic.hpp"

namespace gsx::app {
namespace {

struct BenchOptions {
  std::string kind = "genome";
  std::string file;
  std::string output;
  std::string write_text;
  DeviceOptions device;
  std::uint64_t length = 20'000'000;
  std::uint64_t seed = 1;
  int repeat = 3;
  std::uint64_t reads = 200'000;
  bool csv = false;
};

/// One line of the result.
struct Row {
  std::string work;
  double seconds;  ///< median; 0 where only a rate is known
  double rate;
  std::string unit;
};

std::string synthesize(const BenchOptions& options, int threads) {
  const std::uint64_t n = options.length;
  if (options.kind == "genome") return synthetic_genome(n, options.seed, threads);
  if (options.kind == "random") return synthetic_random(n, "ACGT", options.seed, threads);
  if (options.kind == "copies") return synthetic_copies(n, 30'000, options.seed, threads);
  if (options.kind == "fibonacci") return fibonacci_bases(n);
  if (options.kind == "protein") {
    return synthetic_random(n, "ACDEFGHIKLMNPQRSTVWY", options.seed, threads);
  }
  if (options.kind == "prose") return synthetic_prose(n, options.seed, threads);
  return std::string(n, 'A');
}

void write_fasta(const std::string& path, const std::string& symbols) {
  Output out(path);
  out.write(">synthetic\n");
  constexpr std::size_t width = 80;
  std::string line;
  for (std::size_t i = 0; i < symbols.size(); i += width) {
    line.assign(symbols, i, width);
    line += '\n';
    out.write(line);
  }
  out.commit();
}

Text make_text(const BenchOptions& options, Session& session) {
  if (!options.file.empty()) {
    ReadTextOptions read;
    read.threads = session.threads;
    return read_text({options.file}, read, session.progress());
  }
  TextOptions policy;
  if (options.kind == "protein") policy.alphabet = SymbolPolicy::protein;
  if (options.kind == "prose") policy.alphabet = SymbolPolicy::bytes;
  TextBuilder builder(policy);
  RecordBatch batch;
  batch.begin_record("synthetic", "");
  batch.symbols = synthesize(options, session.threads);
  batch.symbol_ends.back() = batch.symbols.size();
  if (!options.write_text.empty()) write_fasta(options.write_text, batch.symbols);
  builder.add(batch);
  return builder.finish();
}

template <class Work>
Row measure(const std::string& work, double amount, const std::string& unit, int repeat,
            const Work& run) {
  std::vector<double> seconds;
  run();  // once for nothing: caches, page tables and memory pools fill
  for (int round = 0; round < repeat; ++round) {
    const Stopwatch watch;
    run();
    seconds.push_back(watch.seconds());
  }
  std::nth_element(seconds.begin(), seconds.begin() + repeat / 2, seconds.end());
  const double median = seconds[static_cast<std::size_t>(repeat / 2)];
  return {work, median, amount / median, unit};
}

/// Reads of one length from random places of the text.
RecordBatch cut_reads(const Text& text, std::uint64_t length, std::uint64_t count) {
  RecordBatch batch;
  std::uint64_t state = length;
  const TextView view = text.view();
  for (std::uint64_t tries = 0; batch.size() < count && tries < 8 * count; ++tries) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t p = (state >> 16) % view.length();
    if (view.segments.separator_from(p) < p + length) continue;
    std::string read;
    for (std::uint64_t i = 0; i < length; ++i)
      read += text.alphabet.symbol(view.symbols[p + i]);
    batch.begin_record("r", "");
    batch.append(read);
  }
  return batch;
}

/// Calls search(patterns) on as many threads as the searcher wants, each with its share.
template <class Search>
void search_on_threads(const Searcher& searcher, const std::vector<PatternBuffer>& shares,
                       const Search& search) {
  run_threads(searcher.concurrency(),
              [&](int thread) { search(shares[static_cast<std::size_t>(thread)].patterns()); });
}

void bench_searches(const BenchOptions& options, const Text& text, const Index& index,
                    const Searcher& searcher, std::vector<Row>& rows) {
  for (const std::uint64_t length : {20u, 50u, 150u}) {
    std::vector<PatternBuffer> shares(static_cast<std::size_t>(searcher.concurrency()));
    std::uint64_t total = 0;
    const RecordBatch batch =
        cut_reads(text, length, options.reads / static_cast<std::uint64_t>(shares.size()));
    for (PatternBuffer& share : shares) {
      share.encode(batch, index.alphabet());
      total += batch.size();
    }
    if (total == 0) continue;
    const auto amount = static_cast<double>(total);
    rows.push_back(measure("count, reads of " + std::to_string(length) + ", both strands", amount,
                           "reads/s", options.repeat, [&] {
                             search_on_threads(searcher, shares, [&](const Patterns& patterns) {
                               std::vector<StrandCounts> counts;
                               searcher.count(patterns, Strands::both, counts);
                             });
                           }));
  }
}

std::string as_table(const std::vector<Row>& rows) {
  std::string out;
  for (const Row& row : rows) {
    const char* scale = row.rate >= 1e9 ? "G" : row.rate >= 1e6 ? "M" : "";
    const double rate = row.rate / (row.rate >= 1e9 ? 1e9 : row.rate >= 1e6 ? 1e6 : 1);
    char seconds[24] = "";
    if (row.seconds > 0) std::snprintf(seconds, sizeof seconds, "%.4f s", row.seconds);
    char line[160];
    std::snprintf(line, sizeof line, "%-44s %12s %12.3f %s%s\n", row.work.c_str(), seconds, rate,
                  scale, row.unit.c_str());
    out += line;
  }
  return out;
}

std::string as_csv(const std::vector<Row>& rows) {
  std::string out = "work,seconds,rate,unit\n";
  for (const Row& row : rows) {
    char line[160];
    std::snprintf(line, sizeof line, "\"%s\",%.6f,%.6g,%s\n", row.work.c_str(), row.seconds,
                  row.rate, row.unit.c_str());
    out += line;
  }
  return out;
}

/// An index file in the folder for temporary files, removed at the end.
class TemporaryIndex {
 public:
  TemporaryIndex(const Text& text, const FmIndex& fm, int threads)
      : path_(std::filesystem::temp_directory_path() /
              ("gsx-bench." + std::to_string(getpid()) + ".gsx")) {
    Output out(path_.string());
    write_index(out, text, fm, threads);
    out.commit();
  }
  ~TemporaryIndex() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryIndex(const TemporaryIndex&) = delete;
  TemporaryIndex& operator=(const TemporaryIndex&) = delete;

  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

void run_bench(const BenchOptions& options, Session& session) {
  const std::unique_ptr<Backend> backend = options.device.make();
  Output out(options.output);
  Text text = make_text(options, session);
  std::vector<Row> rows;
  BuildOptions build;
  build.threads = session.threads;
  const auto symbols = static_cast<double>(text.length());
  rows.push_back(measure("suffix array", symbols, "symbols/s", options.repeat,
                         [&] { (void)backend->build_suffix_array(text.view(), build); }));
  rows.push_back(measure("BWT", symbols, "symbols/s", options.repeat,
                         [&] { (void)backend->build_bwt(text.view(), build); }));
  FmIndex fm;
  rows.push_back(measure("FM-index", symbols, "symbols/s", options.repeat,
                         [&] { fm = backend->build_index(text.view(), build); }));
  session.used(*backend);
  rows.push_back({"peak device memory", 0, static_cast<double>(session.peak_device_bytes) / symbols,
                  "B/symbol"});
  // Measured now, so that their memory does not count as the builder's; shown first.
  std::vector<Row> ceilings;
  for (const Ceiling& ceiling : backend->measure_ceilings(session.threads)) {
    ceilings.push_back({"ceiling: " + ceiling.name, 0, ceiling.rate, ceiling.unit});
  }
  rows.insert(rows.begin(), ceilings.begin(), ceilings.end());
  if (options.reads > 0) {
    checksum_records(text, session.threads);
    const TemporaryIndex file(text, fm, session.threads);
    fm = FmIndex();
    const Index index = Index::open(file.path(), session.threads);
    for (const Ceiling& rate : backend->measure_queries(index, session.threads))
      rows.push_back({"on the device: " + rate.name, 0, rate.rate, rate.unit});
    bench_searches(options, text, index, *backend->open(index, session.threads), rows);
  }
  out.write(options.csv ? as_csv(rows) : as_table(rows));
  out.commit();
}

}  // namespace

void add_bench_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command =
      app.add_subcommand("bench", "Measure building and searching beside the machine's ceilings");
  command->footer(
      "Text is generated from --seed, or read from --input. Rates are medians after one run that "
      "warms up, from host memory to host memory; ceilings are measured in the same run. Searches "
      "run on the CPU.\n\n"
      "Examples:\n"
      "  gsx bench --length 100000000\n"
      "  gsx bench --device cuda --length 1000000000 --reads 0 --csv\n"
      "  gsx bench --input genome.fa --device cpu -t 2");
  command
      ->add_option("--text", options->kind,
                   "What to generate: genome (repeats as a mammal's), random, copies (30 kbp, one "
                   "change in 10,000), fibonacci, run (one base), protein, prose (like an English "
                   "book, of bytes)")
      ->check(CLI::IsMember({"genome", "random", "copies", "fibonacci", "run", "protein", "prose"}))
      ->capture_default_str();
  command->add_option("--length", options->length, "Symbols to generate")
      ->check(CLI::Range(std::uint64_t{1000}, std::uint64_t{1} << 40))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of the generator")->capture_default_str();
  auto* input =
      command->add_option("--input", options->file, "FASTA or FASTQ instead of a generated text");
  command->add_option("--write-text", options->write_text, "Also write the generated text as FASTA")
      ->excludes(input);
  command->add_option("--repeat", options->repeat, "Measured runs of each work")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--reads", options->reads, "Reads to search for; 0 searches for none")
      ->capture_default_str();
  command->add_flag("--csv", options->csv, "CSV instead of a table");
  command->add_option("-o,--output", options->output, "Output file instead of standard output");
  add_device_options(*command, options->device);
  add_session_options(*command, session);
  command->callback(
      [options, &run] { run = [options](Session& started) { run_bench(*options, started); }; });
}

}  // namespace gsx::app
