// gsx amplicon: what PCR with pairs of primers makes of a genome.
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <memory>
#include <new>

#include "amplicon/amplicon_search.hpp"
#include "amplicon/product_report.hpp"
#include "amplicon_options.hpp"
#include "backend/registry.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "circular/circular_searcher.hpp"
#include "circular_option.hpp"
#include "commands.hpp"
#include "device_choice.hpp"
#include "dna_target.hpp"
#include "environment.hpp"
#include "index_choice.hpp"
#include "io/output.hpp"
#include "process.hpp"

namespace gsx::app {
namespace {

/// Pairs that are searched at a time.
constexpr std::size_t batch_pairs = 1 << 13;
/// Bytes per place: the places of a pair, and room for a list to grow.
constexpr std::uint64_t place_bytes = 3 * sizeof(Hit);

/// The device that was asked for. By default it is the CPU if that answers before a GPU has
/// started: a primer takes at most about 0.1 ns per base and thread.
std::unique_ptr<Backend> make_amplicon_backend(const AmpliconOptions& options,
                                               const DnaTarget& target, const Session& session) {
  constexpr std::uint64_t primer_bytes = 24;  // of a line
  const std::uint64_t primers = bytes_of_files(options.primers) / primer_bytes;
  const double seconds = static_cast<double>(primers) *
                         static_cast<double>(target.text().length()) * 1e-10 / session.threads;
  if (options.device.device == "auto" && primers > 0 && seconds < 0.5)
    return make_cpu_backend(cpu_path());
  return options.device.make(cpu_path());
}

/// One run: reads pairs, searches their primers, and writes the products.
class AmpliconRun {
 public:
  AmpliconRun(const AmpliconOptions& options, const DnaTarget& target, Session& session)
      : options_(options),
        target_(target),
        session_(session),
        memory_(plan_memory(options.memory_limit, "searching primers", target, session.threads)),
        circular_(circular_records(target.records(), Alphabet::dna(), options.circular)),
        origin_bytes_(circular_.empty() ? 0 : memory_.table_bytes / 4),
        backend_(make_amplicon_backend(options, target, session)),
        searcher_(with_origins(
            backend_->open_mismatches(target.mismatch_target(), session.threads, memory_.search),
            target.text(), target.records(), circular_,
            {session.threads, memory_.search, origin_bytes_, cpu_path()})),
        reader_(options.primers),
        search_(target.text(), target.records(), options.rules, options.product_rules(),
                (memory_.table_bytes - origin_bytes_) / place_bytes, circular_),
        format_(options.product_format()),
        out_(options.output, encoding_for(options.output)),
        report_(target.text(), target.records(), search_.axis(), format_, out_) {
    out_.check_before_writing([&target] { target.require_unchanged(); });
    session_.used(*backend_);
  }

  void run() {
    if (format_ == ProductFormat::tsv && !options_.no_header) out_.write(products_header);
    PrimerBatch batch;
    while (reader_.next(batch.pairs, batch_pairs)) {
      prepare_primers(batch, options_.rules, unasked_);
      search_.search(*searcher_, batch, [&](std::size_t i, const ProductFinder& products) {
        take(report_.write(batch.pairs[i], products, options_.most_hits()));
      });
    }
    session_.used(*backend_);
    target_.require_unchanged();
    out_.commit();
    conclude();
  }

 private:
  void take(std::uint64_t products) {
    ++pairs_;
    with_products_ += products > 0 ? 1 : 0;
    products_ += products;
    truncated_ += products > options_.most_hits() ? 1 : 0;
    session_.report("searching", -1, pairs_, "pairs");
  }

  /// Logs the figures, and warns of pairs that could not be asked for.
  void conclude() const {
    for (const std::string& file : reader_.empty_files())
      log().warn("{}: the file has no pairs of primers", file);
    log().info("{} pair{}, {} with products, {} product{}", pairs_, pairs_ == 1 ? "" : "s",
               with_products_, products_, products_ == 1 ? "" : "s");
    if (truncated_ > 0) {
      log().warn(
          "{} pair{} more than {} products; only those with the fewest mismatches were written "
          "(--max-hits)",
          truncated_, truncated_ == 1 ? " has" : "s have", options_.most_hits());
    }
    if (unasked_.count == 0) return;
    const std::string what =
        fmt::format("{} of {} pairs cannot be searched (first: '{}' {})", unasked_.count, pairs_,
                    shown_name(unasked_.first), unasked_.why);
    if (unasked_.count == pairs_) throw InputError("no pair can have products: " + what);
    log().warn("{}", what);
  }

  const AmpliconOptions& options_;
  const DnaTarget& target_;
  Session& session_;
  DnaSearchMemory memory_;
  std::vector<std::uint64_t> circular_;  ///< records
  std::uint64_t origin_bytes_;           ///< of memory for the search of their origins
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<MismatchSearcher> searcher_;
  PrimerReader reader_;
  AmpliconSearch search_;
  ProductFormat format_;
  Output out_;
  ProductReport report_;
  UnaskedQueries unasked_;
  std::uint64_t pairs_ = 0;
  std::uint64_t with_products_ = 0;
  std::uint64_t products_ = 0;
  std::uint64_t truncated_ = 0;
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
  refuse_indexes(options.primers);
  return DnaTarget::open({.command = "amplicon",
                          .index = index,
                          .references = options.references,
                          .other_files = options.primers,
                          .memory_limit = options.memory_limit},
                         session);
}

void run_amplicon(AmpliconOptions& options, Session& session) {
  options.check();
  const DnaTarget target = open_target(options, session);
  if (encoding_for(options.output) == Encoding::bgzf)
    refuse_terminal(options.output, "BGZF", "name a file, or leave .gz out of the name");
  refuse_overwriting(options.output == "-" ? "" : options.output, target.files_read());
  try {
    AmpliconRun(options, target, session).run();
  } catch (const ResourceError& error) {
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
      "between them may hold N. Letters of primers are IUPAC codes. A symbol of the genome other "
      "than A C G T matches nothing.\n\n"
      "Output: TSV, one line per product: pair_id, target_id, start, end, length, strand, "
      "fwd_mismatches, rev_mismatches, primers, n_total, n_reported, truncated. Coordinates are "
      "0-based and half-open, and include the primers. The strand is that on which the product "
      "begins with FORWARD. The column primers names the primer at the start, then the one at the "
      "end: FR, RF, FF or RR; the strand of FF and RR is '.'. Pairs keep their order; the "
      "products of a pair are sorted by target, start, end and primers.\n\n"
      "With --circular, products and the places of primers may span the origin of a record. Such a "
      "product starts before the origin, is not longer than the record, and its end is greater "
      "than the record's length; in BED it is two lines, up to the end of the record and from "
      "0.\n\n"
      "Examples:\n"
      "  gsx amplicon genome.gsx primers.tsv -k 2 --3prime 5:0 > products.tsv\n"
      "  gsx amplicon -r genome.fa primers.tsv --max 500 --bed > products.bed\n"
      "  gsx amplicon genome.gsx primers.tsv -k 1 -o products.fa.gz\n"
      "  gsx amplicon -r plasmid.fa primers.tsv --circular all --fasta");
  add_amplicon_options(*command, *options);
  add_session_options(*command, session);
  command->callback(
      [options, &run] { run = [options](Session& started) { run_amplicon(*options, started); }; });
}

}  // namespace gsx::app
