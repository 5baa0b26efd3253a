// gsx neighbors: sequences that differ in few symbols, clusters of them, corrections.
#include "search/sets/neighbors.hpp"
#include "base/byte_text.hpp"

#include <spdlog/fmt/fmt.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "analysis/barcodes/corrections.hpp"
#include "analysis/barcodes/read_corrector.hpp"
#include "analysis/barcodes/set_report.hpp"
#include "analysis/barcodes/uncertain_reads.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/machine.hpp"
#include "base/messages.hpp"
#include "base/resources.hpp"
#include "commands.hpp"
#include "commands/neighbor_options.hpp"
#include "device/cost.hpp"
#include "device/registry.hpp"
#include "options/cram_option.hpp"
#include "options/option_kinds.hpp"
#include "options/options.hpp"
#include "process/input_bytes.hpp"
#include "process/process.hpp"
#include "queries/command_run.hpp"
#include "search/sets/clusters.hpp"

namespace gsx::app {
namespace {

/// The memory that the run may take.
class Room {
 public:
  Room(const SizeLimit& limit, int threads) {
    const MemoryRoom room = memory_room(machine_facts(), threads);
    bytes_ = std::min(room.bytes, limit.bytes);
    limited_by_ = limit.bytes <= room.bytes ? limit.given_by : room.limited_by;
  }
  void require(std::uint64_t bytes) const {
    if (resident_bytes() + bytes <= bytes_) return;
    release_freed_memory();
    const std::uint64_t needed = resident_bytes() + bytes;
    if (needed <= bytes_) return;
    throw ResourceError(
        memory_shortage("reading the sequences", needed, limited_by_, bytes_, " so far") +
        "; allow more, or read fewer at a time");
  }
  /// How to read in what is left: in blocks of which each thread may hold some, with their symbols
  /// and keys, and records and what they are unpacked by in a part of the rest.
  void share(SetReadOptions& options) const {
    constexpr std::uint64_t least = std::uint64_t{1} << 16, usual = std::uint64_t{1} << 20;
    const std::uint64_t part = left() / 4;
    const auto threads = static_cast<std::uint64_t>(options.threads);
    const std::uint64_t block = part / threads / copies_of_block;
    options.block_bytes = std::clamp(block, least, usual);
    options.hands_over = block >= 2 * usual;
    options.record_bytes = std::max(left() / (copies_of_record + 4 * threads), least);
    options.decoding.record_bytes = options.record_bytes;
    options.decoding.unpack_bytes = std::min(options.decoding.unpack_bytes, std::max(part, least));
    require(threads * copies_of_block * options.block_bytes);
  }
  /// What is left, less a reserve for what is not planned.
  std::uint64_t left() const {
    const std::uint64_t held = resident_bytes();
    return held < bytes_ ? (bytes_ - held) / 8 * 7 : 0;
  }

 private:
  /// Bytes that a thread and what it has handed over take for each byte of a block.
  static constexpr std::uint64_t copies_of_block = 6;
  /// Bytes that a record longer than a block takes for each of its own, in what grows while it is
  /// read; beside those of threads.
  static constexpr std::uint64_t copies_of_record = 12;

  std::uint64_t bytes_;
  std::string limited_by_;
};

class NeighborRun : CommandRun {
 public:
  NeighborRun(const NeighborCommand& options, Session& session)
      : CommandRun(session, best_cpu_path()),
        options_(options),
        room_(options.memory_limit, session.threads) {
    open_result(options.output, options.summary);
    cram_ = cram_references(options.cram_reference);
  }

  void run() {
    read();
    open_device();
    if (options_.clusters) {
      write_all_clusters();
    } else if (options_.correct) {
      correct();
    } else {
      write_pairs();
    }
    finish(summary());
  }

 private:
  RunSummary summary() const {
    RunSummary run{.command = "neighbors",
                   .figures = {{"reads", input_.sum + input_.too_short},
                               {"reads_too_short", input_.too_short},
                               {"distinct", input_.set.size()},
                               {"length", std::uint64_t{input_.set.shape().length}}},
                   .options = options_.as_json()};
    run.figures.insert(run.figures.end(), figures_.begin(), figures_.end());
    if (!options_.whitelist.empty())
      run.files.push_back({"whitelist_files", std::vector{options_.whitelist}});
    run.files.push_back({"query_files", options_.files});
    return run;
  }

  ReadSet read_files(const std::vector<std::string>& files, bool whitelist) {
    session_.expect_reading(files);
    SetReadOptions options = read_options(files, "reading");
    if (whitelist) {
      options.at = {};
      options.mates = MateUse::each;
    }
    options.counts = !whitelist;
    if (!whitelist && whitelist_ && options_.correct && !options_.writes_fastq) {
      options.uncertain = &uncertain_.emplace(
          *whitelist_, options_.distance,
          NeighborOptions{.threads = session_.threads, .memory_bytes = room_.left()},
          options.require);
    }
    ReadSet read = read_sequence_set(files, options);
    log_list_notes(read.list_notes);
    return read;
  }
  SetReadOptions read_options(const std::vector<std::string>& files, const char* stage) {
    SetReadOptions options{.threads = session_.threads,
                           .at = options_.at,
                           .mates = options_.mates(),
                           .decoding = {.cram = cram_, .allow_no_eof = true},
                           .require = [this](std::uint64_t bytes) { room_.require(bytes); }};
    room_.share(options);
    const std::uint64_t all = bytes_of_files(files);
    if (session_.shows_progress() && all != 0) {
      options.report = [this, all, stage](std::uint64_t, std::uint64_t bytes) {
        session_.report(stage, fraction_of(bytes, all));
      };
    }
    return options;
  }

  void read() {
    if (!options_.whitelist.empty()) read_whitelist();
    input_ = read_files(options_.files, false);
    warn_of_empty(input_.empty_files, "sequences");
    SequenceSet& set = input_.set;
    report_too_short();
    if (set.size() == 0) return log().info("no sequences");
    log().info("{}, {} different, of {}", counted(input_.sum, "sequence", "sequences"), set.size(),
               counted(set.shape().length, "symbol", "symbols"));
    if (!whitelist_) return;
    if (whitelist_->shape().length != set.shape().length) {
      throw InputError(fmt::format(
          "{}: its sequences have {}, and those of the input have {}; both must have one length",
          printable(options_.whitelist), counted(whitelist_->shape().length, "symbol", "symbols"),
          set.shape().length));
    }
    if (whitelist_->shape().bits > set.shape().bits) set.widen();
    if (set.shape().bits > whitelist_->shape().bits) whitelist_->widen();
    take_counts(*whitelist_, set);
  }
  /// Warns of reads that lack symbols of --at. Throws InputError if all do.
  void report_too_short() const {
    if (input_.too_short == 0) return;
    const std::string what =
        fmt::format("{} of {} {} shorter than the {} that --at needs", input_.too_short,
                    counted(input_.sum + input_.too_short, "read", "reads"),
                    input_.too_short == 1 ? "is" : "are",
                    counted(options_.at.least_read(), "symbol", "symbols"));
    if (input_.sum == 0) throw InputError(what + ": there is no sequence to compare");
    log().warn("{}, and passed over", what);
  }
  void read_whitelist() {
    ReadSet read = read_files({options_.whitelist}, true);
    const std::string name =
        options_.whitelist == "-" ? "standard input" : printable(options_.whitelist);
    if (read.set.size() == 0)
      throw InputError(name + ": the whitelist has no sequences; give at least one");
    if (read.records != read.set.size()) {
      log().warn("{}: {} of the {} sequences of the whitelist are there already; each counts once",
                 name, read.records - read.set.size(), read.records);
    }
    whitelist_.emplace(std::move(read.set));
  }

  /// How to search, where what is made of the neighbours takes so many bytes per sequence.
  NeighborOptions search_options(std::uint64_t bytes_of_sequence = 0) {
    const std::uint64_t taken = bytes_of_sequence * input_.set.size(), left = room_.left();
    return {.threads = session_.threads,
            .memory_bytes = left - std::min(left, taken),
            .progress = session_.progress(),
            .finder = finder_.get()};
  }
  /// Takes the device that searches; the CPU needs no finder.
  void open_device() {
    const std::uint64_t keys = input_.set.size() + (whitelist_ ? whitelist_->size() : 0);
    backend_ = options_.device
                   .for_work(cost_of_neighbors(keys, options_.distance), options_.memory_limit,
                             session_.threads)
                   .make();
    if (backend_->name() != "cpu") finder_ = backend_->open<NeighborSearch>({});
  }
  WriteText writer() {
    return [this](std::string_view text) { out_->write(text); };
  }
  void write_header(std::string_view header) {
    if (!options_.no_header) out_->write(header);
  }

  void write_pairs() {
    const SequenceSet& set = input_.set;
    const NeighborReport report(set, whitelist_ ? &*whitelist_ : nullptr);
    write_header(report.header());
    std::uint64_t pairs = 0;
    const TakeNeighbors take = [&](const NeighborChunk& chunk) {
      pairs += chunk.offsets[chunk.end - chunk.begin];
      report.write(chunk, session_.threads, writer());
    };
    const NeighborRequest request{options_.distance};
    if (whitelist_ && set.size() != 0) {
      find_neighbors_between(set, *whitelist_, request, search_options(), take);
    } else {
      find_neighbors(set, request, search_options(), take);
    }
    figures_ = {{"pairs", pairs}};
    log().info("{}", counted(pairs, "pair", "pairs"));
  }

  void write_all_clusters() {
    write_header(cluster_header);
    const Clusters clusters =
        make_clusters(input_.set, options_.distance, search_options(cluster_bytes));
    write_clusters(input_.set, clusters, session_.threads, writer());
    figures_ = {{"clusters", clusters.list.size()}};
    log().info("{}", counted(clusters.list.size(), "cluster", "clusters"));
  }

  void correct() {
    const SequenceSet& set = input_.set;
    const bool fastq = options_.writes_fastq;
    if (fastq && !input_.only_fastq) {
      throw UsageError(
          "only reads in FASTQ, SAM, BAM or CRAM are written as FASTQ; give --format tsv for "
          "others");
    }
    if (!fastq) write_header(correction_header);
    std::vector<Correction> corrections;
    NearestEntries several;
    if (set.size() != 0) {
      const NeighborOptions how = search_options(sizeof(Correction));
      corrections = whitelist_ ? correct_to_whitelist(set, *whitelist_, options_.distance, how,
                                                      options_.confidence, &several)
                               : correct_by_counts(set, options_.distance, how);
    }
    const SetCorrections all{set, whitelist_ ? *whitelist_ : set, corrections, several,
                             options_.confidence};
    DecidedReads decided(several);
    if (fastq && set.size() != 0) {
      decided = correct_reads(options_.files, read_options(options_.files, "correcting reads"), all,
                              input_.records, writer());
    } else if (!fastq) {
      if (uncertain_ && set.size() != 0) decided = uncertain_->decide(all);
      write_corrections(all, decided, session_.threads, writer());
    }
    const CorrectionFigures figures = figures_of(all, decided);
    figures_ = {{"exact", figures.exact},
                {"corrected", figures.corrected},
                {"ambiguous", figures.ambiguous},
                {"unmatched", figures.unmatched}};
    log().info("{} exact, {} corrected, {} ambiguous, {} unmatched", figures.exact,
               figures.corrected, figures.ambiguous, figures.unmatched);
  }

  /// Of a sequence: its place in the order of counts, its cluster, and its place in that.
  static constexpr std::uint64_t cluster_bytes = sizeof(Cluster) + 2 * sizeof(std::uint32_t) + 1;

  const NeighborCommand& options_;
  Room room_;
  std::optional<SequenceSet> whitelist_;
  ReadSet input_;
  std::optional<UncertainReads> uncertain_;
  std::unique_ptr<NeighborFinder> finder_;
  JsonMembers figures_;  ///< of the summary, by what is written
};

void run_neighbors(NeighborCommand& options, Session& session) {
  // Below a limit, what one thread has freed must not lie idle while another takes as much.
  give_memory_back_within(options.memory_limit.bytes);
  options.check(session);
  (void)devices_named(options.device.device);  // a wrong name is an error before the work
  with_memory_cure({"comparing sequences"}, [&] { NeighborRun(options, session).run(); });
}

}  // namespace

void add_neighbors_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<NeighborCommand>();
  CLI::App* command = add_command(
      app, "neighbors", "Find short sequences that differ in few symbols: barcodes, UMIs");
  command->footer(
      "All sequences have one length, from 1 to 64, and letters A C G T N in either case; U is T, "
      "and N is a letter that equals itself only. A line of the output is a pair of different "
      "sequences with at most N mismatches, once: sequence_a, sequence_b, distance, count_a and "
      "count_b, the number of times that each came; if the first file or the whitelist is FASTA "
      "or 2bit, id_a and id_b follow, the names of the first records there. Lines are in "
      "alphabetical order. With --whitelist, sequence_b is an entry, which may be equal, and "
      "count_b is how often it "
      "came in the input.\n\n"
      "A sequence explains another one if a >= 2b - 1 for their counts a and b. --clusters starts "
      "from the most frequent sequence (of several, the first in the alphabet) and goes from "
      "neighbour to neighbour as long as each explains the next; then from the most frequent one "
      "that is left. A line has the centroid, the count of the whole cluster, and its other "
      "members (. if there are none).\n\n"
      "--correct writes sequence, corrected, distance and count. With a whitelist it takes the "
      "only entry at the smallest distance; of several, the one with the highest posterior, if "
      "that is at least --confidence and some read has the entry without an error; otherwise the "
      "sequence is ambiguous. The posterior of an entry is its share of the counts of these "
      "entries; of a read with qualities, each count is times 10^(-Q/10), with the quality Q that "
      "the "
      "read has at the symbol that differs, so that reads of one sequence may differ: the table "
      "then has a line for each outcome. Without a whitelist "
      "it takes the most frequent neighbour that explains the sequence and is more frequent, and "
      "that one's, to the end, so that the distance may be more than N; where several are equally "
      "frequent, the sequence is ambiguous, and stays. With a whitelist, corrected and distance "
      "are . for what is ambiguous or has no entry near. A read that is too short for --at is "
      "passed over, and written as it is; the log and --summary count them. A file of pairs, told "
      "by its first 100 pairs of records or the flags of an alignment, is refused by --correct "
      "without --interleaved or --unpaired; so are two files of mates, told by the first 100 reads "
      "of each: name only the one whose sequences are to be corrected.\n\n"
      "Examples:\n"
      "  gsx neighbors barcodes.txt > pairs.tsv\n"
      "  gsx neighbors -k 2 umis.fa.gz --clusters -o clusters.tsv.gz\n"
      "  gsx neighbors reads.fq.gz --at 1-16 --whitelist 3M.txt.gz --correct > table.tsv\n"
      "  gsx neighbors reads.fq.gz --at 1-16 --whitelist 3M.txt.gz --correct -o corrected.fq.gz");
  add_neighbor_options(*command, *options);
  add_session_options(*command, session);
  set_work(*command, run, [options](Session& started) { run_neighbors(*options, started); });
}

}  // namespace gsx::app
