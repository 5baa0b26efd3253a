#include "index/store/verify.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "arrays/rank/group_steps.hpp"
#include "arrays/rank/quad_check.hpp"
#include "base/bits.hpp"
#include "base/error.hpp"
#include "base/messages.hpp"
#include "base/parallel.hpp"
#include "index/fm/bwt_walk.hpp"
#include "index/fm/kmer_table.hpp"
#include "text/record_checksum.hpp"
#include "text/record_md5.hpp"

namespace gsx {
namespace {

[[noreturn]] void fail(const Index& index, const std::string& why) {
  throw CorruptIndexError("index '" + printable(index.path()) + "' is corrupt: " + why +
                          "; rebuild it with gsx index");
}

/// Counts the progress of tasks of unequal size; thread 0 reports it.
class Tally {
 public:
  Tally(const char* stage, std::uint64_t total, const ProgressReport& report)
      : stage_(stage), total_(total), report_(report) {}
  void add(std::uint64_t amount, int thread) {
    const std::uint64_t done = done_ += amount;
    if (thread == 0 && report_) {
      report_(stage_, static_cast<double>(done) / static_cast<double>(total_));
    }
  }

 private:
  const char* stage_;
  std::uint64_t total_;
  const ProgressReport& report_;
  std::atomic<std::uint64_t> done_{0};
};

/// Whether all symbols of a record's lower-case runs are letters, among `symbols`, from `begin` on.
bool only_letters_are_lower(const LetterCaseView& letter_case, std::uint64_t record,
                            std::uint64_t begin, std::string_view symbols) {
  const std::uint64_t end = begin + symbols.size();
  const std::span<const CaseRun> runs = letter_case.of(record);
  auto run =
      std::upper_bound(runs.begin(), runs.end(), begin,
                       [](std::uint64_t at, const CaseRun& other) { return at < other.end; });
  for (; run != runs.end() && run->begin < end; ++run) {
    const std::uint64_t first = std::max(run->begin, begin);
    const std::string_view lower = symbols.substr(first - begin, std::min(run->end, end) - first);
    if (!std::ranges::all_of(lower, [](char c) { return c != to_lower(c); })) return false;
  }
  return true;
}

/// The least number that was given; `none` if none was.
class Least {
 public:
  void take(std::uint64_t number) {
    std::uint64_t known = least_;
    while (number < known && !least_.compare_exchange_weak(known, number)) {
    }
  }
  std::uint64_t get() const { return least_; }

  static constexpr std::uint64_t none = ~std::uint64_t{0};

 private:
  std::atomic<std::uint64_t> least_{none};
};

/// Raises `most` to `value`.
void raise(std::atomic<std::uint64_t>& most, std::uint64_t value) {
  std::uint64_t known = most;
  while (value > known && !most.compare_exchange_weak(known, value)) {
  }
}

/// Walks the pieces [first, end), several side by side, while the rows of the others come from
/// memory. Returns the most steps that locating one of their rows takes; none for a fault.
std::optional<std::uint64_t> walk_pieces(const BwtWalk& walk, std::uint64_t first,
                                         std::uint64_t end) {
  constexpr std::size_t lanes = 16;
  std::array<PieceWalker<std::uint64_t>, lanes> walkers;
  std::uint64_t longest = 0;
  const auto prefetch = [&](const auto& walker) {
    prefetch_rank(walk.fm.bwt.levels[0], walker.row());
  };
  std::size_t active = 0;
  for (; active < lanes && first < end; ++active) {
    if (walkers[active].begin(walk, first++) != WalkStep::on) return std::nullopt;
    prefetch(walkers[active]);
  }
  while (active > 0) {
    for (std::size_t lane = 0; lane < active;) {
      auto& walker = walkers[lane];
      WalkStep step = walker.step(walk);
      if (step == WalkStep::end && first < end) step = walker.begin(walk, first++);
      if (step == WalkStep::on) {
        prefetch(walker);
        ++lane;
        continue;
      }
      if (step != WalkStep::end) return std::nullopt;
      longest = std::max(longest, walker.longest());
      walker = walkers[--active];
    }
  }
  return longest;
}

/// Walks all pieces. Returns the most steps that locating a row takes; none for a fault.
std::optional<std::uint64_t> longest_walk(const BwtWalk& walk, int threads,
                                          const ProgressReport& progress) {
  constexpr std::uint64_t pieces_per_task = 1 << 12;
  const std::uint64_t pieces = walk.pieces();
  Tally tally("checking the BWT", pieces, progress);
  std::atomic<bool> faulty = false;
  std::atomic<std::uint64_t> longest = 0;
  parallel_for(threads, divide_up(pieces, pieces_per_task), [&](std::uint64_t task, int thread) {
    if (faulty) return;
    const std::uint64_t first = task * pieces_per_task;
    const std::uint64_t end = std::min(pieces, first + pieces_per_task);
    if (const auto steps = walk_pieces(walk, first, end)) {
      raise(longest, *steps);
    } else {
      faulty = true;
    }
    tally.add(end - first, thread);
  });
  if (faulty) return std::nullopt;
  return longest;
}

/// Walks a segment from its separator back to its start, or to a fault, which `suffix` then shows.
/// Calls walked(steps) at the end and from time to time.
template <class Walked>
WalkStep walk_segment(const BwtWalk& walk, std::uint64_t segment,
                      BwtWalk::Suffix<std::uint64_t>& suffix, const Walked& walked) {
  constexpr std::uint64_t steps_at_once = 1 << 20;
  std::uint64_t steps = 0;
  WalkStep step = walk.begin(segment, suffix);
  while (step == WalkStep::on) {
    step = walk.step(suffix);
    if (++steps == steps_at_once) {
      walked(steps);
      steps = 0;
    }
  }
  walked(steps);
  return step;
}

std::string describe(WalkStep fault, std::uint64_t row) {
  const std::string at = std::to_string(row);
  switch (fault) {
    case WalkStep::wrong_sample:
      return "the suffix array sample of row " + at + " is wrong";
    case WalkStep::wrong_separator:
      return "the BWT has a separator out of place at row " + at;
    case WalkStep::wrong_segment:
      return "the separator in row " + at + " starts another segment";
    case WalkStep::wrong_symbol:
      return "the BWT differs from the text at row " + at;
    default:
      return "the counts of the BWT lead outside it from row " + at;
  }
}

}  // namespace

void verify_records(const Index& index, int threads, const ProgressReport& progress) {
  const RecordsView& records = index.records();
  const LetterCaseView& letter_case = index.letter_case();
  RecordChecksums found(index.text(), records, index.alphabet());
  Least odd_case;  // the first record whose lower case is wrong
  RecordChecksums::Visit visit;
  if (letter_case.kept) {
    visit = [&](std::uint64_t record, std::uint64_t begin, std::string_view symbols) {
      if (!only_letters_are_lower(letter_case, record, begin, symbols)) odd_case.take(record);
    };
  }
  Tally tally("checking records", index.meta().counts.total() + records.size(), progress);
  parallel_for(threads, found.tasks(), [&](std::uint64_t task, int thread) {
    found.run(task, visit);
    tally.add(found.cost(task), thread);
  });
  const std::vector<RecordChecksum> checksums = found.take();
  std::vector<Md5> md5s;
  if (!index.md5s().empty())
    md5s = md5s_of_records(index.text(), records, index.alphabet(), threads);
  for (std::uint64_t r = 0; r < records.size(); ++r) {
    const char* fault = checksums[r] != records.infos[r].checksum ? "does not match its checksum"
                        : !md5s.empty() && md5s[r] != index.md5s()[r] ? "does not match its MD5"
                        : r == odd_case.get()
                            ? "is marked lower case at a symbol that is not a letter"
                            : nullptr;
    if (fault == nullptr) continue;
    fail(index,
         "record " + std::to_string(r + 1) + " ('" + shown_name(records.name(r)) + "') " + fault);
  }
}

void throw_other_sequences(const Index& index, const std::string& how) {
  throw CorruptIndexError("index '" + printable(index.path()) +
                          "' is sound, but it indexes other sequences: " + how +
                          "; rebuild it with gsx index, or name the files that it was made of");
}

void verify_against(const Index& index, const Text& reference) {
  const RecordsView& ours = index.records();
  const RecordsView theirs = reference.records_view();
  const auto differ = [&](const std::string& how) { throw_other_sequences(index, how); };
  const auto is = [](const RecordsView& records, std::uint64_t r) {
    return "'" + shown_name(records.name(r)) + "' of " + std::to_string(records.infos[r].length) +
           " symbols";
  };
  const std::uint64_t both = std::min(ours.size(), theirs.size());
  for (std::uint64_t r = 0; r < both; ++r) {
    const std::string number = "record " + std::to_string(r + 1) + " is ";
    if (ours.name(r) != theirs.name(r) || ours.infos[r].length != theirs.infos[r].length) {
      differ(number + is(ours, r) + " in the index and " + is(theirs, r) + " in the input");
    }
    if (ours.infos[r].checksum != theirs.infos[r].checksum) {
      differ(number + is(ours, r) + " in both, with other symbols");
    }
    if (index.letter_case().kept && reference.letter_case.kept &&
        !std::ranges::equal(index.letter_case().of(r), reference.letter_case.view().of(r))) {
      differ(number + is(ours, r) + " in both, with lower case elsewhere");
    }
    if (ours.comment(r) != theirs.comment(r)) {
      differ(number + is(ours, r) + " in both, with another comment after its name");
    }
  }
  if (ours.size() != theirs.size()) {
    differ("the index has " + std::to_string(ours.size()) + " records and the input " +
           std::to_string(theirs.size()));
  }
}

void verify_text(const Index& index, int threads) {
  constexpr std::uint64_t slice = std::uint64_t{1} << 20;
  const TextView text = index.text();
  const PackedView codes = text.symbols;
  parallel_for(threads, text.segments.count, [&](std::uint64_t segment, int) {
    if (codes[text.segments.starts[segment + 1] - 1] != 0) {
      fail(index, "its text has a symbol where segment " + std::to_string(segment + 1) + " ends");
    }
  });
  if (text.sigma == 1u << codes.bits) return;  // every value is a code of the alphabet
  parallel_for(threads, divide_up(codes.size, slice), [&](std::uint64_t task, int) {
    const std::uint64_t end = std::min(codes.size, (task + 1) * slice);
    for (std::uint64_t i = task * slice; i < end; ++i) {
      if (codes[i] < text.sigma) continue;
      fail(index, "its text has no symbol of the alphabet at position " + std::to_string(i));
    }
  });
}

void verify_counts(const Index& index, int threads) {
  const WaveletMatrixView bwt = index.fm().bwt;
  for (std::uint32_t level = 0; level < bwt.level_count; ++level) {
    if (const auto wrong = find_wrong_counts(bwt.levels[level], threads)) {
      fail(index, "the counts of the BWT's level " + std::to_string(level) +
                      " are wrong from position " + std::to_string(*wrong) + " on");
    }
  }
}

void verify_slack(const Index& index) {
  const FmView fm = index.fm();
  const std::pair<const char*, PackedView> sections[] = {
      {"text", index.text().symbols},
      {"literals", index.records().literals},
      {"samples", fm.samples},
      {"kmers", fm.kmers.bounds},
      {"separator_rows", fm.bwt.levels[0].holes},
      {"separator_segments", fm.hole_segments},
  };
  for (const auto& [name, view] : sections) {
    const std::uint64_t bits = view.size * view.bits;
    const std::uint64_t end = PackedView::bytes_for(view.size, view.bits);
    const auto used = static_cast<unsigned>(bits % 8);
    const bool clean =
        (used == 0 || static_cast<std::uint8_t>(view.bytes[bits / 8] << used) == 0) &&
        std::all_of(view.bytes + divide_up(bits, 8), view.bytes + end,
                    [](std::uint8_t byte) { return byte == 0; });
    if (!clean) {
      fail(index, "section '" + std::string(name) + "' has bytes where zeros belong");
    }
  }
}

std::uint64_t verify_bwt(const Index& index, int threads, const ProgressReport& progress) {
  verify_slack(index);
  verify_counts(index, threads);
  const BwtWalk walk(index.fm(), index.text());
  if (const auto longest = longest_walk(walk, threads, progress)) return *longest;
  throw_first_fault(index, threads, progress);
  throw RuntimeError(
      "a piece of the BWT has a fault that no segment has: this is a bug in gsx or a fault of the "
      "machine");
}

void throw_first_fault(const Index& index, int threads, const ProgressReport& progress) {
  const BwtWalk walk(index.fm(), index.text());
  Tally tally("looking for the fault", walk.fm.rows(), progress);
  Least faulty;  // the first segment with a fault
  parallel_for(threads, walk.segments(), [&](std::uint64_t segment, int thread) {
    if (segment >= faulty.get()) return;
    BwtWalk::Suffix<std::uint64_t> suffix{};
    const auto walked = [&](std::uint64_t symbols) { tally.add(symbols, thread); };
    if (walk_segment(walk, segment, suffix, walked) != WalkStep::end) faulty.take(segment);
  });
  if (faulty.get() == Least::none) return;
  BwtWalk::Suffix<std::uint64_t> suffix{};
  const WalkStep fault = walk_segment(walk, faulty.get(), suffix, [](std::uint64_t) {});
  fail(index, describe(fault, suffix.row));
}

void verify_kmers(const Index& index, int threads, const ProgressReport& progress) {
  constexpr std::uint64_t slice = std::uint64_t{1} << 14;
  const FmView fm = index.fm();
  const PackedView bounds = fm.kmers.bounds;
  if (fm.kmers.k == 0) {
    if (bounds[0] != 0) fail(index, "its k-mer table is wrong at bound 0");
    return;
  }
  const KmerTable shorter(fm, fm.kmers.k - 1, threads);
  Tally tally("checking the k-mer table", bounds.size, progress);
  parallel_for(threads, divide_up(bounds.size, slice), [&](std::uint64_t task, int thread) {
    const std::uint64_t begin = task * slice;
    const std::uint64_t end = std::min(bounds.size, begin + slice);
    std::vector<std::uint8_t> expected(divide_up((end - begin) * bounds.bits, 8));
    fill_kmer_bounds(fm, shorter.view(), begin, end, {expected.data(), bounds.bits});
    const auto* const found = bounds.bytes + begin * bounds.bits / 8;
    const auto wrong = std::mismatch(expected.begin(), expected.end(), found).first;
    if (wrong != expected.end()) {
      const auto byte = static_cast<std::uint64_t>(wrong - expected.begin());
      fail(index,
           "its k-mer table is wrong at bound " + std::to_string(begin + byte * 8 / bounds.bits));
    }
    tally.add(end - begin, thread);
  });
}

}  // namespace gsx
