// gsx offtarget: where the guides of a CRISPR nuclease match with mismatches.
#include <spdlog/fmt/fmt.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <mutex>

#include "analysis/guides/bulge_search.hpp"
#include "analysis/guides/guide_reader.hpp"
#include "analysis/guides/guide_search.hpp"
#include "analysis/guides/site_guides.hpp"
#include "analysis/guides/site_report.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "base/ordered_pipeline.hpp"
#include "base/parallel.hpp"
#include "commands.hpp"
#include "commands/offtarget_figures.hpp"
#include "commands/offtarget_options.hpp"
#include "commands/offtarget_target.hpp"
#include "options/format_suffix.hpp"
#include "options/option_kinds.hpp"
#include "queries/dna_list.hpp"

namespace gsx::app {
namespace {

/// Guides that are searched at a time, and their symbols.
constexpr std::size_t batch_guides = 1 << 14;
constexpr std::uint64_t most_symbols = std::uint64_t{1} << 24;
/// Bytes of memory per symbol of a guide and per PAM: the guide and its name as read, the pattern,
/// and what the search makes of it.
constexpr std::uint64_t symbol_bytes = 16;
/// If every site is a guide, and a GPU, which finds more of them in a bucket of its table then,
/// counts their sites: guides that a thread searches at a time, and all threads together. A guide
/// takes about 350 bytes.
constexpr std::size_t gpu_batch_guides = 1 << 18, most_gpu_guides = 1 << 22;

/// Guides whose lines a thread makes at a time.
constexpr std::size_t task_guides = 1 << 12;

SiteScorer scorer_of(const OfftargetOptions& options, const std::optional<ScoreTable>& table,
                     const std::vector<Pam>& pams) {
  if (table) return {*table, pams};
  return options.score == "mit" ? SiteScorer::mit(pams.front()) : SiteScorer();
}

/// One run: reads guides, searches them, and writes what was found.
class OfftargetRun : DnaListRun {
 public:
  OfftargetRun(const OfftargetOptions& options, const std::optional<ScoreTable>& table,
               const Target& target, Session& session)
      : DnaListRun(options, target, "searching guides", session),
        options_(options),
        pams_(options.pams()),
        site_guides_(site_guides_of(options, target, pams_.front(), session.threads)),
        joined_hits_(plan_joined_hits()),
        batch_symbols_(
            std::min(memory_.table_bytes / 4 / symbol_bytes / pams_.size() + 1, most_symbols)),
        ends_(options.all_sites ? GuideEnds::guide : options.guide_ends()),
        reader_(options.files),
        scorer_(scorer_of(options, table, pams_)),
        report_(target.text(), target.records(), pams_, scorer_, session.threads, options.bulges,
                options.mismatches),
        sites_(outputs_.open_if_named(options.sites)),
        written_(options.lines_in(options.sites_format(session.files))) {
    backend_ = open_backend(options, target, session.threads);
    if (site_guides_ && !circular_.empty()) site_guides_->add_origins(circular_, junctions());
    summary_ = outputs_.open_if_named(options.summary);
  }

  void run() {
    up_to_error([this] { search_all(); },
                [this] {
                  if (sites_ != nullptr && sites_->is_stream()) write_sorted(*sites_);
                  return figures_.guides > 0;
                });
    if (sites_ != nullptr) write_sorted(*sites_);
    if (sites_ != nullptr) sites_->flush();  // the table of guides is not complete without them
    finish("offtarget", figures_.of_summary(), options_.as_json());
    log_list_notes(reader_.list_notes());
    warn_of_empty(reader_.empty_files(), "guides");
    log_excluded(target_, pams_, options_.strands(), figures_.longest, !circular_.empty());
    figures_.conclude(options_, scorer_.guide_length());
  }

 private:
  void search_all() {
    write_headers();
    if (site_guides_) {
      run_all_sites();
    } else {
      run_given();
    }
  }

  /// Guides on their way, and what becomes of them.
  struct Guides {
    std::uint64_t number = 0;  ///< of the batch
    PlaceRange part;           ///< of the text, if its sites are the guides
    GuideBatch batch;
    OfftargetFigures figures;
    std::vector<std::string> lines;
  };

  /// The question how guides end is settled by the first batch.
  GuideEnds after_first() const { return ends_ == GuideEnds::unknown ? GuideEnds::guide : ends_; }

  /// Shares out the memory that the guides of --all-sites leave. Returns the hits of a guide that
  /// may be held to join those of its PAMs.
  std::uint64_t plan_joined_hits() {
    plan(site_guides_ ? site_guides_->bytes() : 0);
    // With bulges, patterns take as much as the hits.
    const bool limited = options_.memory_limit.bytes != unlimited;
    const std::uint64_t part = !limited ? 16 : options_.bulges.any() ? 8 : 4;
    return memory_.table_bytes / part / sizeof(Hit);
  }

  /// Searches the guides of files and options.
  void run_given() {
    Guides guides;
    for (bool first = true; next(guides.batch, first); first = false) {
      guides.figures = {};
      const GuidesWithPam with_pam =
          prepare_guides(guides.batch, pams_, first ? ends_ : after_first(), options_.mismatches,
                         guides.figures.unasked);
      if (with_pam.few) {
        log().warn(
            "{} of {} guides {} and are {} longer than a guide, first '{}': it is searched as part "
            "of them; cut it off, or give --with-pam if all guides hold it, or --without-pam if "
            "none does",
            with_pam.number, guides.batch.size(), pams_.front().side(), pams_.front().size(),
            shown_name(guides.batch.records.name(with_pam.first)));
      } else if (with_pam.number > 0) {
        log().warn(
            "{} of {} guides {}, which is searched as part of them: give --with-pam if it is the "
            "PAM, which is then cut off all guides, or --without-pam if they hold none",
            with_pam.number, guides.batch.size(), pams_.front().side());
      }
      open();
      search(guides, session_.threads);
      write(guides);
    }
  }

  /// Searches the guides of all sites. Each thread makes those of a part of the text and, if sites
  /// are only counted, counts them and makes their lines; else one batch after another is searched,
  /// on all threads, while another one is made.
  void run_all_sites() {
    const bool counts = sites_ == nullptr && !options_.bulges.any() &&
                        !report_.has_score(std::string(options_.length_of_guides(), 'A'));
    const int workers = counts ? session_.threads : std::min(session_.threads, 2);
    const bool by_gpu = backend_->name() != "cpu" && options_.memory_limit.bytes == unlimited;
    const std::size_t most = counts && by_gpu
                                 ? std::clamp(most_gpu_guides / static_cast<std::size_t>(workers),
                                              batch_guides, gpu_batch_guides)
                                 : batch_guides;
    std::mutex taking;
    std::uint64_t taken = 0;
    const auto next = [&](Guides& guides) {
      const std::lock_guard lock(taking);
      guides.number = taken++;
      return site_guides_->take(most, guides.part);
    };
    struct Worker {
      OfftargetRun& run;
      bool counts;

      void prepare(Guides& guides, const ItemTurn&) const {
        guides.batch.records.clear();
        guides.figures = {};
        run.site_guides_->find(guides.part, guides.batch.records);
        prepare_guides(guides.batch, run.pams_, run.ends_, run.options_.mismatches,
                       guides.figures.unasked);
        if (counts) search(guides, 1);
      }
      void commit(Guides& guides) const {
        if (!counts) search(guides, run.session_.threads);
        run.write(guides);
      }
      void finish(Guides&) const {}
      void search(Guides& guides, int threads) const {
        guides.lines.clear();
        if (guides.batch.size() == 0) return;
        run.open();
        run.search(guides, threads);
      }
    };
    run_in_order<Guides>(next, workers, [&] { return Worker{*this, counts}; });
  }

  bool next(GuideBatch& batch, bool first) {
    batch.records.clear();
    if (first) {
      for (const std::string& guide : options_.patterns) {
        batch.records.begin_record(guide, "");
        batch.records.append(guide);
      }
    }
    return reader_.next(batch.records, batch_guides, batch_symbols_);
  }

  /// Opens the searcher, at the first call. Any thread may call.
  void open() {
    const std::lock_guard lock(opening_);
    if (searcher_) return;
    searcher_ = of_all_places(open_for_guides(*backend_, target_.for_mismatches(), session_.threads,
                                              memory_.search, table_bytes()));
    if (!options_.bulges.any()) return;
    bulge_search_.emplace(target_.text(), *searcher_, pams_, joined_hits_, worth_a_table(*backend_),
                          session_.threads);
    if (options_.score != "none")
      log().info("sites with a bulge have no score, and do not count in the specificity");
  }

  /// Searches guides, and makes their lines on some threads.
  void search(Guides& guides, int threads) {
    GuideBatch& batch = guides.batch;
    TakeSites take;
    if (sites_ != nullptr) {
      take = [&](const SiteChunk& chunk, SiteTally* tally) {
        report_.take(batch, chunk, tally, written_,
                     [this](const PlaceLines& lines) { write_places(*sites_, lines); });
      };
    }
    const GuideSearch guide_search(*searcher_, report_, joined_hits_,
                                   bulge_search_ ? &*bulge_search_ : nullptr);
    const GuidesFound found =
        guide_search.search(batch,
                            {options_.mismatches, sites_ != nullptr ? options_.most() : unlimited,
                             options_.stop_at, options_.bulges, options_.strands()},
                            take);
    OfftargetFigures& figures = guides.figures;
    figures.guides = batch.size();
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const bool dropped = found.dropped[i];
      const std::uint64_t total = found.tally.counts.total(i).total();
      figures.longest = std::max(figures.longest, batch.guides[i].size());
      figures.with_sites += total > 0 ? 1 : 0;
      figures.without_score += scorer_.covers(batch.guides[i]) ? 0 : 1;
      figures.sites += dropped ? 0 : total;
      figures.reported += dropped ? 0 : std::min(total, options_.most());
      figures.truncated += !dropped && total > options_.most() ? 1 : 0;
      figures.dropped += dropped ? 1 : 0;
    }
    guides.lines.resize((batch.size() + task_guides - 1) / task_guides);
    parallel_for(threads, guides.lines.size(), [&](std::uint64_t task, int) {
      append_lines(batch, found, task * task_guides, guides.lines[task]);
    });
  }

  /// Replaces `lines` by those of guide `begin` and some that follow it.
  void append_lines(const GuideBatch& batch, const GuidesFound& found, std::size_t begin,
                    std::string& lines) const {
    const std::string pams = letters_of(pams_);
    lines.clear();
    for (std::size_t i = begin; i < std::min(batch.size(), begin + task_guides); ++i) {
      append_guide(
          lines, batch, i, pams, found.tally,
          found.dropped[i] ? options_.stop_at->mismatches + 1 : found.tally.counts.classes(),
          report_.has_score(batch.guides[i]));
    }
  }

  /// Writes the lines of guides, which come in order.
  void write(const Guides& guides) {
    for (const std::string& lines : guides.lines)
      out_->write(lines);
    figures_.add(guides.figures);
    session_.report("searching", -1, figures_.guides, "guides");
  }

  void write_headers() {
    if (options_.no_header) return;
    out_->write(guides_header(options_.mismatches, options_.bulges));
    if (sites_ == nullptr) return;
    sites_->write(report_.header(written_, circular_));
    sort_header(written_.format);
  }

  const OfftargetOptions& options_;
  std::vector<Pam> pams_;
  std::unique_ptr<SiteGuides> site_guides_;  ///< of --all-sites
  std::uint64_t joined_hits_;
  std::uint64_t batch_symbols_;
  GuideEnds ends_;
  GuideReader reader_;
  SiteScorer scorer_;
  SiteReport report_;
  Output* sites_;             ///< null if they are not asked for
  PlaceLineOptions written_;  ///< of sites
  std::unique_ptr<MismatchSearcher> searcher_;
  std::optional<BulgeSearch> bulge_search_;  ///< if bulges are allowed
  std::mutex opening_;                       ///< guards the two above until the first search
  OfftargetFigures figures_;
};

void run_offtarget(OfftargetOptions& options, Session& session) {
  options.check(session.files);
  output_format(options.output,
                {"offtarget", "tsv", "-o", "that is a table of guides; --sites FILE takes sites"},
                session.files);
  std::optional<ScoreTable> table;
  if (options.score_file()) {
    session.files.reads(options.score);
    table = read_score_table(options.score);
  }
  const Target target = open_target(options, session);
  with_memory_cure({"searching guides"},
                   [&] { OfftargetRun(options, table, target, session).run(); });
}

}  // namespace

void add_offtarget_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<OfftargetOptions>();
  CLI::App* command =
      add_command(app, "offtarget", "Find the sites of CRISPR guides, with mismatches");
  command->footer(
      "Finds every site: a place, on either strand, where the PAM matches exactly and the guide "
      "beside it with at most N (-k) mismatches. None is left out, and none is found twice. "
      "Letters "
      "of guides and PAM are IUPAC codes. A place that includes a symbol of the genome other "
      "than A C G T is never found: such a symbol matches nothing, not even as a mismatch. The "
      "log tells how many sites of the PAM that leaves out.\n"
      "\n"
      "Output: TSV, one line per guide: guide_id, guide, pam, n0 to nK (sites with so many "
      "mismatches), n_total, specificity. The specificity is 100 * 100 / (100 + the sum of the "
      "scores of the sites), for guides with a site that has a score. The numbers of a guide that "
      "cannot be searched (N alone, other letters, not longer than K) are '.'. One site without "
      "mismatches, that with the greatest score, is taken for the guide's own and left out of the "
      "sum. With --strand fwd or rev, all of this is about the sites on that strand.\n"
      "\n"
      "--score mit scores the sites of guides of 20 bases before their PAM, as Hsu et al. (2013) "
      "and CRISPOR do: 100 times the product of (1 - weight) over the positions of the mismatches, "
      "divided by their number squared and, for two or more, by 4 (19 - d) / 19 + 1, where d is "
      "the mean distance of neighbouring mismatches. A table scores the sites of guides of its "
      "length: the product of its weights, in per cent. Its columns are separated by tabs, and "
      "comments begin with #. The first line is 'length N'. The others are 'POSITION GUIDE SITE "
      "WEIGHT', where POSITION counts from 1 at the 5' end of the guide, or is * for all, and "
      "GUIDE and SITE are letters of the guide and the site; and 'pam LETTERS WEIGHT'. Weights are "
      "0 to 1; one that is not given is 1; where several lines fit, the last one counts.\n"
      "\n"
      "--sites writes one line per site: guide_id, target_id, start, end, strand, mismatches, "
      "n_total, n_reported, truncated, site, score. Coordinates are 0-based and half-open, and "
      "include the PAM. The site is in the direction of the guide, with mismatches in lower case. "
      "Guides keep their order; the sites of a guide are sorted by target, start and strand.\n"
      "\n"
      "With --circular, a site may span the origin of a record: it starts before the origin, and "
      "its end is greater than the record's length; in BED it is two lines, up to the end of the "
      "record and from 0.\n"
      "\n"
      "--dna-bulge and --rna-bulge find sites with one bulge, too, as Cas-OFFinder does: bases "
      "of the genome that the guide lacks (DNA), or letters of the guide that the genome lacks "
      "(RNA), in one piece, behind the first and before the last letter of the guide. K "
      "mismatches are allowed beside it. A site is a target, a start, an end and a strand, and "
      "is found once, with its fewest mismatches; of several places of its bulge, that nearest "
      "to the 5' end of the guide is shown. The table of guides gets columns dna1_n0 to rnaN_nK, "
      "which n_total includes, and the sites get bulge_type (X, DNA, RNA), bulge_size, "
      "aligned_guide and aligned_site. Sites with a bulge have no score, and do not count in the "
      "specificity or for --stop-at; --max-hits takes them last.\n"
      "\n"
      "Examples:\n"
      "  gsx offtarget genome.gsx guides.txt > guides.tsv\n"
      "  gsx offtarget -r genome.fa guides.fa -k 3 --sites sites.bed -o guides.tsv\n"
      "  gsx offtarget genome.gsx guides.tsv --nuclease Cas12a --sites sites.tsv.gz\n"
      "  gsx offtarget genome.gsx guides.txt -k 3 --dna-bulge 1 --rna-bulge 1 --sites sites.tsv\n"
      "  gsx offtarget genome.gsx --all-sites --guides-in exons.bed -k 3 --stop-at 0:1 > g.tsv");
  add_offtarget_options(*command, *options);
  add_session_options(*command, session);
  set_work(*command, run, [options](Session& started) { run_offtarget(*options, started); });
}

}  // namespace gsx::app
