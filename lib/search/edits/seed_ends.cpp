#include "search/edits/seed_ends.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "base/parallel.hpp"
#include "search/edits/end_finder.hpp"
#include "search/edits/scan_group.hpp"
#include "search/exact/cpu_locate.hpp"
#include "search/mismatches/seed_patterns.hpp"
#include "text/alphabet.hpp"

namespace gsx {
namespace {

/// Patterns whose pieces are looked up together, and rows that are located together.
constexpr std::size_t patterns_at_once = 256, rows_at_once = 1024;

/// Seconds to look up a piece, and to take a step of locate.
constexpr double piece_cost = 200e-9, step_cost = 10e-9;

/// How many times more rows than in random text a piece of a few bases has in a genome.
constexpr double skew = 4;

/// Cuts patterns into pieces.
class EditCutter {
 public:
  explicit EditCutter(bool dna) : dna_(dna) {}

  /// Sets pieces(); false if the pattern cannot be cut. No piece, and true: it has no place.
  bool cut(std::span<const std::uint8_t> pattern, std::uint32_t edits) {
    if (dna_) {
      sets_.assign(pattern.begin(), pattern.end());
      for (BaseSet& set : sets_)
        set &= base_sets::any;
    } else {  // any one base stands for a code, and the empty set for none
      sets_.resize(pattern.size());
      std::transform(pattern.begin(), pattern.end(), sets_.begin(), [](std::uint8_t code) {
        return code == Alphabet::none ? base_sets::none : BaseSet{1};
      });
    }
    // A position that matches nothing is an edit wherever it is aligned, as it is a mismatch.
    return cutter_.cut(sets_, edits, pieces_);
  }
  std::span<const SeedPiece> pieces() const { return pieces_; }

 private:
  bool dna_;
  SeedCutter cutter_;
  std::vector<BaseSet> sets_;
  std::vector<SeedPiece> pieces_;
};

}  // namespace

/// Finds the ends of some patterns, on one thread.
template <class Pos>
class EditSeeds::Run {
 public:
  Run(const EditSeeds& seeds, const EditRequest& request)
      : seeds_(seeds),
        request_(request),
        loops_(search_loops<Pos>(seeds.path_)),
        cutter_(seeds.dna_),
        finder_(seeds.text_, request) {}

  void find(const EditPatterns& patterns, std::span<const std::uint32_t> which,
            std::span<const double> scan_costs, EndCollector& to,
            std::vector<std::uint32_t>& left) {
    look_up(patterns, which);
    for (std::size_t i = 0; i < which.size(); ++i) {
      const Sought& sought = sought_[i];
      double rows = 0;
      for (std::size_t piece = sought.first; piece < sought.last; ++piece)
        for (const bool reverse : {false, true})
          rows += static_cast<double>(found_[piece][reverse].count);
      const double check_cost =
          static_cast<double>(patterns[which[i]].size() + 3 * request_.edits) *
          edit_column_cost(patterns[which[i]].size(), request_.edits);
      if (!sought.is_cut ||
          rows * (seeds_.row_cost() + check_cost) > scan_costs[i] * seeds_.tuning_.scan_factor) {
        left.push_back(which[i]);
        continue;
      }
      if (rows > 0) find_ends(patterns, which[i], sought, to);
    }
  }

 private:
  struct Piece {
    std::uint64_t length;
    std::uint64_t rest;  ///< symbols of the pattern behind it
  };
  struct Sought {
    std::size_t first, last;  ///< its pieces
    bool is_cut;
  };

  /// Sets sought_, pieces_ and found_.
  void look_up(const EditPatterns& patterns, std::span<const std::uint32_t> which) {
    sought_.clear(), pieces_.clear(), codes_.clear(), ends_.clear();
    for (const std::uint32_t number : which) {
      const std::span<const std::uint8_t> pattern = patterns[number];
      Sought sought{pieces_.size(), 0, cutter_.cut(pattern, request_.edits)};
      for (const SeedPiece& piece : cutter_.pieces()) {
        for (const std::uint8_t symbol : pattern.subspan(piece.begin, piece.length))
          codes_.push_back(seeds_.dna_ ? code_of(symbol) : symbol);
        ends_.push_back(codes_.size());
        pieces_.push_back({piece.length, pattern.size() - piece.begin - piece.length});
      }
      sought.last = pieces_.size();
      sought_.push_back(sought);
    }
    found_.assign(pieces_.size(), {});
    const bool forward = is_searched(request_.strands, seeds_.dna_, false);
    const bool reverse = is_searched(request_.strands, seeds_.dna_, true);
    if (pieces_.empty() || (!forward && !reverse)) return;
    const Patterns lookups{codes_, ends_};
    loops_.search({seeds_.fm_.view(lookups.symbols()), seeds_.text_}, lookups, forward, reverse,
                  found_.data()->data());
  }

  void find_ends(const EditPatterns& patterns, std::uint32_t number, const Sought& sought,
                 EndCollector& to) {
    const PatternMasks masks(patterns[number], seeds_.dna_);
    for (const bool reverse : {false, true}) {
      windows_.clear();
      for (std::size_t piece = sought.first; piece < sought.last; ++piece)
        add_windows(found_[piece][reverse], pieces_[piece], reverse);
      std::sort(windows_.begin(), windows_.end(),
                [](const EndWindow& a, const EndWindow& b) { return a.begin < b.begin; });
      merge_windows(windows_);
      for (const EndWindow& window : windows_)
        finder_.find({number, masks.view()}, reverse, window, EndsOf::floors_that_begin, to);
    }
  }

  /// Adds the windows of all places of a piece.
  void add_windows(const Found<Pos>& found, const Piece& piece, bool reverse) {
    if (found.count == 0) return;
    if (found.located) return add_window(found.first, piece, reverse);
    std::array<Pos, rows_at_once> rows;
    std::array<std::uint64_t, rows_at_once> positions;
    for (Pos done = 0; done < found.count;) {
      const auto some =
          static_cast<std::size_t>(std::min<std::uint64_t>(found.count - done, rows_at_once));
      for (std::size_t k = 0; k < some; ++k)
        rows[k] = static_cast<Pos>(found.first + done + k);
      loops_.locate(seeds_.fm_.view(some * seeds_.fm_.sample_rate()), rows.data(), positions.data(),
                    some);
      for (std::size_t k = 0; k < some; ++k)
        add_window(positions[k], piece, reverse);
      done = static_cast<Pos>(done + some);
    }
  }

  void add_window(std::uint64_t position, const Piece& piece, bool reverse) {
    const SegmentsView& segments = seeds_.text_.segments;
    const std::uint64_t segment = segments.segment_at(position);
    const std::uint64_t begin = segments.starts[segment], end = segments.starts[segment + 1] - 1;
    const std::uint64_t edits = request_.edits;
    // The last symbol of the pattern, read in its direction, and as many more as there are edits.
    std::uint64_t first = 0, last = 0;
    if (reverse) {
      first = position < piece.rest + edits ? 0 : position - piece.rest - edits;
      if (position + edits < piece.rest) return;
      last = position + edits - piece.rest + 1;
    } else {
      const std::uint64_t middle = position + piece.length + piece.rest - 1;
      first = middle < edits ? 0 : middle - edits;
      last = middle + edits + 1;
    }
    first = std::max(first, begin);
    last = std::min(last, end);
    if (first < last) windows_.push_back({first, last});
  }

  const EditSeeds& seeds_;
  const EditRequest& request_;
  const SearchLoops<Pos> loops_;
  EditCutter cutter_;
  EndFinder finder_;
  std::vector<Sought> sought_;  ///< of each pattern
  std::vector<Piece> pieces_;   ///< of all of them
  std::vector<std::uint8_t> codes_;
  std::vector<std::uint64_t> ends_;
  std::vector<StrandsFound<Pos>> found_;  ///< of each piece
  std::vector<EndWindow> windows_;
};

EditSeeds::EditSeeds(const Index& index, bool dna, const SearchMemory& memory, CpuPath path,
                     const EditSeedTuning& tuning)
    : fm_(index.fm(), index.is_mapped() ? memory.index_copy : 0, tuning.least_copied),
      text_(index.text()),
      tuning_(tuning),
      dna_(dna),
      wide_(is_wide(index.meta().length, tuning.width)),
      path_(path) {}

double EditSeeds::row_cost() const {
  return static_cast<double>(fm_.sample_rate()) * step_cost + 20e-9;
}

double EditSeeds::cost(std::span<const std::uint8_t> pattern, const EditRequest& request) const {
  EditCutter cutter(dna_);
  if (!cutter.cut(pattern, request.edits)) return std::numeric_limits<double>::infinity();
  const double strands = request.strands == Strands::both && dna_ ? 2 : 1;
  const double check_cost = static_cast<double>(pattern.size() + 3 * request.edits) *
                            edit_column_cost(pattern.size(), request.edits);
  const double bits = std::log2(std::max(2.0, static_cast<double>(text_.sigma)));
  double sum = 0;
  for (const SeedPiece& piece : cutter.pieces()) {
    const double rows = 1 + skew * static_cast<double>(text_.length()) *
                                std::exp2(-bits * static_cast<double>(piece.length));
    sum += strands * (piece_cost + rows * (row_cost() + check_cost));
  }
  return sum;
}

void EditSeeds::find(const EditPatterns& patterns, std::span<const std::uint32_t> which,
                     std::span<const double> scan_costs, const EditRequest& request,
                     const ThreadShare::Call& call, std::span<EndCollector> collectors,
                     std::vector<std::uint32_t>& left) const {
  const std::uint64_t tasks = (which.size() + patterns_at_once - 1) / patterns_at_once;
  std::vector<std::vector<std::uint32_t>> own_left(tasks);
  parallel_for(call.threads(), tasks, [&](std::uint64_t task, int thread) {
    const std::size_t first = task * patterns_at_once;
    const std::size_t count = std::min(which.size() - first, patterns_at_once);
    const auto run = [&](auto&& some) {
      some.find(patterns, which.subspan(first, count), scan_costs.subspan(first, count),
                collectors[static_cast<std::size_t>(thread)], own_left[task]);
    };
    if (wide_) {
      run(Run<std::uint64_t>(*this, request));
    } else {
      run(Run<std::uint32_t>(*this, request));
    }
  });
  for (const std::vector<std::uint32_t>& own : own_left)
    left.insert(left.end(), own.begin(), own.end());
}

}  // namespace gsx
