// gsx amplicon: what PCR with pairs of primers makes of a genome.
#include <spdlog/fmt/fmt.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <memory>

#include "analysis/primers/amplicon_search.hpp"
#include "analysis/primers/primers.hpp"
#include "analysis/primers/product_report.hpp"
#include "base/log.hpp"
#include "commands.hpp"
#include "commands/amplicon_options.hpp"
#include "device/cost.hpp"
#include "options/option_kinds.hpp"
#include "output/lines/result_header.hpp"
#include "queries/dna_list.hpp"

namespace gsx::app {
namespace {

/// Pairs that are searched at a time, and bytes that each takes.
constexpr std::uint64_t least_pairs = 1 << 8, most_pairs = 1 << 15, pair_bytes = 2000;
/// Bytes per symbol of long primers, which are few.
constexpr std::uint64_t pair_symbol_bytes = 16;
/// Bytes per place: the places of a pair, and room for a list to grow.
constexpr std::uint64_t place_bytes = 3 * sizeof(Hit);
/// The most hits that are held at a time. Each pass over a genome finds as many.
constexpr std::uint64_t most_hits_at_once = std::uint64_t{1} << 28;

/// What the primers of the lists cost in the target.
WorkCost cost_of(const AmpliconOptions& options, const Target& target) {
  return cost_of_mismatches({.patterns = listed_sequences(options),
                             .length = 20,
                             .mismatches = options.rules.mismatches,
                             .text_symbols = target.symbols()});
}

/// One run: reads pairs, searches their primers, and writes the products.
class AmpliconRun : DnaListRun {
 public:
  AmpliconRun(const AmpliconOptions& options, const Target& target, Session& session)
      : DnaListRun(options, target, "searching primers", session),
        options_(options),
        searcher_(open_searcher()),
        reader_(options.files, options.pairs()),
        search_(target.text(), target.records(), options.rules, options.product_rules(),
                table_bytes() / place_bytes, circular_, regions_ ? &*regions_ : nullptr),
        written_(options.lines_in(options.product_format(session.files))) {
    summary_ = outputs_.open_if_named(options.summary);
  }

  void run() {
    up_to_error([this] { search(); },
                [this] {
                  if (out_->is_stream()) write_sorted(*out_);
                  return all_.pairs > 0;
                });
    write_sorted(*out_);
    finish("amplicon",
           {{"queries", all_.pairs},
            {"queries_with_hits", all_.with_products},
            {"queries_that_cannot_match", unasked_.count},
            {"queries_truncated", all_.truncated},
            {"hits", all_.products},
            {"hits_reported", all_.reported}},
           options_.as_json());
    conclude();
  }

 private:
  std::unique_ptr<MismatchSearcher> open_searcher() {
    if (options_.memory_limit.bytes == unlimited) {  // hits may take an eighth of what is free
      const std::uint64_t hits = memory_.table_bytes / 8 / sizeof(Hit);
      memory_.search.hits_at_once =
          std::max(memory_.search.hits_at_once, std::min(hits, most_hits_at_once));
    }
    backend_ = options_.device
                   .for_work(cost_of(options_, target_), options_.memory_limit, session_.threads)
                   .make(path_);
    auto searcher = of_all_places(backend_->open<MismatchSearch>(
        {target_.for_mismatches(), session_.threads, memory_.search}));
    session_.used(*backend_);
    return searcher;
  }

  void search() {
    if (!options_.no_header) {
      out_->write(result_header<ProductColumns>(written_, target_.records(), circular_));
      sort_header(written_.format);
    }
    PrimerBatch batch;
    const std::uint64_t room = memory_.table_bytes / 8;
    const std::uint64_t at_once = std::clamp(room / pair_bytes, least_pairs, most_pairs);
    while (reader_.next(batch.pairs, at_once, room / pair_symbol_bytes + 1)) {
      prepare_primers(batch, options_.rules, unasked_);
      for (const PrimerPair& pair : batch.pairs)
        longest_ = std::max({longest_, pair.forward.size(), pair.reverse.size()});
      search_.search(*searcher_, batch, session_.threads, [&] { return Writer(*this, batch); });
    }
  }

  /// What is written of some pairs, and counted.
  struct Part {
    ProductReport::Lines lines;
    std::uint64_t pairs = 0;
    std::uint64_t with_products = 0;
    std::uint64_t products = 0;
    std::uint64_t reported = 0;
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
          report_(run.target_.text(), run.target_.records(), run.search_.axis(), run.written_,
                  run.options_.extent) {}

    void take(std::size_t i, const ProductFinder& products, const ItemTurn& turn) {
      const std::uint64_t most = run_.options_.most(), cut_before = report_.cut_flanks();
      const std::uint64_t found = report_.write(batch_.pairs[i], products, most, part_.lines,
                                                [&](ProductReport::Lines& lines) {
                                                  turn.wait();
                                                  run_.write_places(*run_.out_, lines.view());
                                                  lines.clear();
                                                });
      ++part_.pairs;
      part_.with_products += found > 0 ? 1 : 0;
      part_.products += found;
      part_.reported += std::min(found, most);
      part_.truncated += found > most ? 1 : 0;
      part_.cut_flanks += report_.cut_flanks() - cut_before;
    }
    Part& result() { return part_; }
    void commit(Part& part) const {
      run_.write_places(*run_.out_, part.lines.view());
      run_.all_.pairs += part.pairs;
      run_.all_.with_products += part.with_products;
      run_.all_.products += part.products;
      run_.all_.reported += part.reported;
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
    warn_of_empty(reader_.empty_files(), "pairs of primers");
    log_list_notes(reader_.list_notes());
    log_excluded();
    log().info("{} pair{}, {} with products, {} product{}", all_.pairs, all_.pairs == 1 ? "" : "s",
               all_.with_products, all_.products, all_.products == 1 ? "" : "s");
    if (all_.truncated > 0) {
      log().warn(
          "{} pair{} more than {} products; only those with the fewest mismatches were written "
          "(--max-hits)",
          all_.truncated, all_.truncated == 1 ? " has" : "s have", options_.most());
    }
    if (all_.cut_flanks > 0) {
      log().warn("{} product{} shorter flanks than {} bases, because the record ends",
                 all_.cut_flanks, all_.cut_flanks == 1 ? " has" : "s have", options_.extent.flank);
    }
    report_unasked(unasked_, all_.pairs, "pairs", "no pair can have products");
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
  std::unique_ptr<MismatchSearcher> searcher_;
  PrimerReader reader_;
  AmpliconSearch search_;
  PlaceLineOptions written_;
  UnaskedQueries unasked_;
  std::size_t longest_ = 0;  ///< bases of a primer
  Part all_;                 ///< without lines
};

void run_amplicon(AmpliconOptions& options, Session& session) {
  options.check(session.files);
  const Target target = open_dna_target(
      options,
      {.command = "amplicon",
       .listed = "primers",
       .nothing = "no primers: name a file with NAME<tab>FORWARD<tab>REVERSE per line, - for "
                  "standard input, or -p FORWARD,REVERSE",
       .outputs = {options.output, options.summary}},
      session);
  with_memory_cure({"searching primers"}, [&] { AmpliconRun(options, target, session).run(); });
}

}  // namespace

void add_amplicon_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<AmpliconOptions>();
  CLI::App* command =
      add_command(app, "amplicon", "Find the products of pairs of PCR primers, with mismatches");
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
      "  gsx amplicon genome.gsx -p CCGTTAACTGGA,GGTCATTACGCA --max 500\n"
      "  gsx amplicon -r genome.fa primers.tsv --max 500 --bed > products.bed\n"
      "  gsx amplicon genome.gsx primers.tsv -k 1 -o products.fa.gz\n"
      "  gsx amplicon -r plasmid.fa primers.tsv --circular all --fasta\n"
      "  gsx amplicon genome.gsx primers.tsv --inner --fasta > barcodes.fa");
  add_amplicon_options(*command, *options);
  add_session_options(*command, session);
  set_work(*command, run, [options](Session& started) { run_amplicon(*options, started); });
}

}  // namespace gsx::app
