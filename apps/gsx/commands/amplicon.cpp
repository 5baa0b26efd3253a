// gsx amplicon: what PCR with pairs of primers makes of a genome.
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>

#include "analysis/primers/amplicon_search.hpp"
#include "analysis/primers/excluded_places.hpp"
#include "analysis/primers/product_report.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "base/out_of_memory.hpp"
#include "bytes/output.hpp"
#include "commands.hpp"
#include "commands/amplicon_options.hpp"
#include "device/circular/circular_searcher.hpp"
#include "device/registry.hpp"
#include "inputs/dna_target.hpp"
#include "inputs/index_choice.hpp"
#include "inputs/input_options.hpp"
#include "options/circular_option.hpp"
#include "process/device_choice.hpp"
#include "process/environment.hpp"
#include "process/process.hpp"

namespace gsx::app {
namespace {

/// Pairs that are searched at a time, and bytes that each takes.
constexpr std::uint64_t least_pairs = 1 << 8, most_pairs = 1 << 15, pair_bytes = 2000;
/// Bytes per symbol of long primers, which are few.
constexpr std::uint64_t symbol_bytes = 16;
/// Bytes per place: the places of a pair, and room for a list to grow.
constexpr std::uint64_t place_bytes = 3 * sizeof(Hit);
/// The most hits that are held at a time. Each pass over a genome finds as many.
constexpr std::uint64_t most_hits_at_once = std::uint64_t{1} << 28;

/// How the memory of a run is divided: without a limit, hits may take an eighth of what is free.
DnaSearchMemory plan_primers(const SizeLimit& limit, const DnaTarget& target, int threads) {
  DnaSearchMemory memory = plan_memory(limit, "searching primers", target, threads);
  if (limit.bytes != unlimited) return memory;
  const std::uint64_t hits = memory.table_bytes / 8 / sizeof(Hit);
  memory.search.hits_at_once =
      std::max(memory.search.hits_at_once, std::min(hits, most_hits_at_once));
  return memory;
}

/// The device that was asked for. By default it is the CPU if that takes less time than a GPU,
/// which has to start. The CPU compares a primer with a base in at most about 0.1 ns on a thread,
/// and looks a base up among any number of primers in the time of some tables, of which each
/// mismatch takes about three times as many; a GPU compares a primer with a base in 0.0004 ns, and
/// is estimated to look a base up in 0.03 ns.
std::unique_ptr<Backend> make_amplicon_backend(const AmpliconOptions& options,
                                               const DnaTarget& target, const Session& session) {
  constexpr double primer_bytes = 24;  // of a line
  const auto primers = static_cast<double>(bytes_of_files(options.primers)) / primer_bytes;
  const auto bases = static_cast<double>(target.text().length());
  const double tables = std::pow(3.0, std::max(options.rules.mismatches, 2u) - 2.0);
  const double on_cpu = bases * std::min(primers * 1e-10, tables * 1.5e-8 + primers * 1e-12);
  const double on_gpu = 0.5 + bases * std::min(primers * 4e-13, tables * 3e-11 + primers * 2e-15);
  if (options.device.device == "auto" && primers > 0 && on_cpu / session.threads < on_gpu)
    return make_cpu_backend(cpu_path());
  return options.device.for_run(options.memory_limit).make(cpu_path());
}

/// One run: reads pairs, searches their primers, and writes the products.
class AmpliconRun {
 public:
  AmpliconRun(const AmpliconOptions& options, const DnaTarget& target, Session& session)
      : options_(options),
        target_(target),
        session_(session),
        out_(options.output, encoding_for(options.output), session.threads),
        memory_(plan_primers(options.memory_limit, target, session.threads)),
        circular_(circular_records(target.records(), Alphabet::dna(), options.circular)),
        origin_bytes_(circular_.empty() ? 0 : memory_.table_bytes / 4),
        backend_(make_amplicon_backend(options, target, session)),
        searcher_(with_origins(backend_->open<MismatchSearch>(
                                   {target.mismatch_target(), session.threads, memory_.search}),
                               target.text(), target.records(), circular_,
                               {session.threads, memory_.search, origin_bytes_, cpu_path()})),
        reader_(options.primers),
        search_(target.text(), target.records(), options.rules, options.product_rules(),
                (memory_.table_bytes - origin_bytes_) / place_bytes, circular_),
        format_(options.product_format()) {
    out_.check_before_writing([&target] { target.require_unchanged(); });
    session_.used(*backend_);
  }

  void run() {
    try {
      search();
    } catch (const InputError&) {
      if (all_.pairs > 0) out_.flush();  // products of the pairs before the bad one
      throw;
    }
    session_.used(*backend_);
    target_.require_unchanged();
    out_.commit();
    conclude();
  }

 private:
  void search() {
    if (format_ == ProductFormat::tsv && !options_.no_header) out_.write(products_header);
    PrimerBatch batch;
    const std::uint64_t room = memory_.table_bytes / 8;
    const std::uint64_t at_once = std::clamp(room / pair_bytes, least_pairs, most_pairs);
    while (reader_.next(batch.pairs, at_once, room / symbol_bytes + 1)) {
      prepare_primers(batch, options_.rules, unasked_);
      for (const PrimerPair& pair : batch.pairs)
        longest_ = std::max({longest_, pair.forward.size(), pair.reverse.size()});
      search_.search(*searcher_, batch, session_.threads, [&] { return Writer(*this, batch); });
    }
  }

  /// What is written of some pairs, and counted.
  struct Part {
    std::string lines;
    std::uint64_t pairs = 0;
    std::uint64_t with_products = 0;
    std::uint64_t products = 0;
    std::uint64_t truncated = 0;
    std::uint64_t cut_flanks = 0;
  };

  /// Writes the products of pairs, on one thread.
  class Writer {
   public:
    using Result = Part;
    Writer(AmpliconRun& run, const PrimerBatch& batch)
        : run_(run),
          batch_(batch),
          report_(run.target_.text(), run.target_.records(), run.search_.axis(), run.format_,
                  run.options_.extent) {}

    void take(std::size_t i, const ProductFinder& products, const ItemTurn& turn) {
      const std::uint64_t most = run_.options_.most_hits(), cut_before = report_.cut_flanks();
      const std::uint64_t found =
          report_.write(batch_.pairs[i], products, most, part_.lines, [&](std::string& lines) {
            turn.wait();
            run_.out_.write(lines);
            lines.clear();
          });
      ++part_.pairs;
      part_.with_products += found > 0 ? 1 : 0;
      part_.products += found;
      part_.truncated += found > most ? 1 : 0;
      part_.cut_flanks += report_.cut_flanks() - cut_before;
    }
    Part& result() { return part_; }
    void commit(Part& part) const {
      run_.out_.write(part.lines);
      run_.all_.pairs += part.pairs;
      run_.all_.with_products += part.with_products;
      run_.all_.products += part.products;
      run_.all_.truncated += part.truncated;
      run_.all_.cut_flanks += part.cut_flanks;
      part.lines.clear();
      part = {std::move(part.lines)};
      run_.session_.report("searching", -1, run_.all_.pairs, "pairs");
    }

   private:
    AmpliconRun& run_;
    const PrimerBatch& batch_;
    ProductReport report_;
    Part part_;
  };

  /// Logs the figures, and warns of pairs that could not be asked for.
  void conclude() const {
    for (const std::string& file : reader_.empty_files())
      log().warn("{}: the file has no pairs of primers", file);
    for (const std::string& note : reader_.list_notes())
      log().info("{}", note);
    log_excluded();
    log().info("{} pair{}, {} with products, {} product{}", all_.pairs, all_.pairs == 1 ? "" : "s",
               all_.with_products, all_.products, all_.products == 1 ? "" : "s");
    if (all_.truncated > 0) {
      log().warn(
          "{} pair{} more than {} products; only those with the fewest mismatches were written "
          "(--max-hits)",
          all_.truncated, all_.truncated == 1 ? " has" : "s have", options_.most_hits());
    }
    if (all_.cut_flanks > 0) {
      log().warn("{} product{} shorter flanks than {} bases, because the record ends",
                 all_.cut_flanks, all_.cut_flanks == 1 ? " has" : "s have", options_.extent.flank);
    }
    if (unasked_.count == 0) return;
    const std::string what =
        fmt::format("{} of {} pairs cannot be searched (first: '{}' {})", unasked_.count,
                    all_.pairs, shown_name(unasked_.first), unasked_.why);
    if (unasked_.count == all_.pairs) throw InputError("no pair can have products: " + what);
    log().warn("{}", what);
  }

  void log_excluded() const {
    if (longest_ == 0) return;
    const std::uint64_t excluded =
        count_excluded_places(target_.text(), target_.records(), longest_);
    if (excluded == 0) return;
    log().info(
        "{} place{} of {} bases, as many as the longest primer has, left out: N or another symbol "
        "that is not A C G T lies in {}",
        excluded, excluded == 1 ? "" : "s", longest_, excluded == 1 ? "it" : "them");
  }

  const AmpliconOptions& options_;
  const DnaTarget& target_;
  Session& session_;
  Output out_;  ///< opened before the work
  DnaSearchMemory memory_;
  std::vector<std::uint64_t> circular_;  ///< records
  std::uint64_t origin_bytes_;           ///< of memory for the search of their origins
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<MismatchSearcher> searcher_;
  PrimerReader reader_;
  AmpliconSearch search_;
  ProductFormat format_;
  UnaskedQueries unasked_;
  std::size_t longest_ = 0;  ///< bases of a primer
  Part all_;                 ///< without lines
};

void require_primers(const AmpliconOptions& options) {
  if (!options.primers.empty()) return;
  throw UsageError(
      "no primers: name a file with NAME<tab>FORWARD<tab>REVERSE per line, or - for standard "
      "input");
}

DnaTarget open_target(AmpliconOptions& options, Session& session) {
  require_primers(options);
  std::string index = options.index;
  if (options.references.empty())
    index = choose_index(options.index, options.primers, ArgumentKind::queries);
  require_primers(options);
  refuse_indexes(options.primers, "not primers; name the index by -x");
  require_files(options.primers);
  return DnaTarget::open({.command = "amplicon",
                          .index = index,
                          .references = options.references,
                          .other_files = options.primers,
                          .memory_limit = options.memory_limit,
                          .reading = options.reading},
                         session);
}

void run_amplicon(AmpliconOptions& options, Session& session) {
  options.check();
  session.files.writes(options.output);
  const DnaTarget target = open_target(options, session);
  if (encoding_for(options.output) == Encoding::bgzf)
    refuse_terminal(options.output, "BGZF", "name a file, or leave .gz out of the name");
  try {
    AmpliconRun(options, target, session).run();
  } catch (const OutOfMemoryError& error) {
    throw ResourceError(std::string(error.what()) + "; see --memory-limit");
  } catch (const std::bad_alloc&) {
    throw ResourceError("out of memory while searching primers; see --memory-limit");
  }
}

}  // namespace

void add_amplicon_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<AmpliconOptions>();
  CLI::App* command =
      app.add_subcommand("amplicon", "Find the products of pairs of PCR primers, with mismatches");
  command->footer(
      "Searches each primer on both strands, and pairs a place on the forward strand with one "
      "behind it on the reverse strand, in one record: FORWARD with REVERSE in either "
      "orientation, and each primer with itself. Every such product of --min to --max bases is "
      "found, and none twice. A product holds both places whole; they may overlap, and what lies "
      "between them may hold N. Letters of primers are IUPAC codes. A place of a primer that "
      "includes a symbol of the genome other than A C G T is never found: such a symbol matches "
      "nothing, not even as a mismatch.\n\n"
      "Output: TSV, one line per product: pair_id, target_id, start, end, length, strand, "
      "fwd_mismatches, rev_mismatches, primers, n_total, n_reported, truncated. Coordinates are "
      "0-based and half-open, and include the primers. The strand is that on which the product "
      "begins with FORWARD. The column primers names the primer at the start, then the one at the "
      "end: FR, RF, FF or RR; the strand of FF and RR is '.'. If both primers are the same, they "
      "count as one: all products are FF. Pairs keep their order; the "
      "products of a pair are sorted by target, start, end and primers (FR, RF, FF, RR).\n\n"
      "--inner writes what lies between the primers, and --flank N the product with N bases on "
      "each side, as far as the record goes; start, end and length are of what is written, in all "
      "formats. --min and --max are of the product, primers included.\n\n"
      "With --circular, products and the places of primers may span the origin of a record. Such a "
      "product starts before the origin, is not longer than the record, and its end is greater "
      "than the record's length; in BED it is two lines, up to the end of the record and from "
      "0.\n\n"
      "Examples:\n"
      "  gsx amplicon genome.gsx primers.tsv -k 2 --3prime 5:0 > products.tsv\n"
      "  gsx amplicon -r genome.fa primers.tsv --max 500 --bed > products.bed\n"
      "  gsx amplicon genome.gsx primers.tsv -k 1 -o products.fa.gz\n"
      "  gsx amplicon -r plasmid.fa primers.tsv --circular all --fasta\n"
      "  gsx amplicon genome.gsx primers.tsv --inner --fasta > barcodes.fa");
  add_amplicon_options(*command, *options);
  add_session_options(*command, session);
  command->callback(
      [options, &run] { run = [options](Session& started) { run_amplicon(*options, started); }; });
}

}  // namespace gsx::app
