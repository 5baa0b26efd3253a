#include "search/edits/seed_ends.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "base/parallel.hpp"
#include "search/edits/end_finder.hpp"
#include "search/edits/scan_group.hpp"
#include "search/edits/window_sieve.hpp"
#include "search/exact/cpu_locate.hpp"

namespace gsx {
namespace {

/// Patterns whose pieces are looked up together, and rows that are located together.
constexpr std::size_t patterns_at_once = 256, rows_at_once = 1024;

/// Seconds to look up a string, to take a step of locate, and to set a window; measured on one core
/// of 2024.
constexpr double lookup_cost = 150e-9, step_cost = 8e-9, place_cost = 20e-9;

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
      for (std::size_t k = sought.first; k < sought.last; ++k)
        for (const bool reverse : {false, true})
          rows += static_cast<double>(found_[k][reverse].count);
      const double cost = rows * seeds_.costs(patterns[which[i]].size(), request_.edits).place;
      if (!sought.is_cut || cost > scan_costs[i] * seeds_.tuning_.scan_factor) {
        left.push_back(which[i]);
      } else if (rows > 0) {
        find_ends(patterns, which[i], sought, to);
      }
    }
  }

 private:
  /// What is looked up for a pattern.
  struct Sought {
    std::size_t first, last;  ///< its strings
    bool is_cut;
  };
  struct String {
    std::uint64_t length;
    std::uint64_t rest;  ///< symbols of the pattern behind the piece
  };

  /// Sets sought_, strings_ and found_.
  void look_up(const EditPatterns& patterns, std::span<const std::uint32_t> which) {
    sought_.clear(), strings_.clear(), codes_.clear(), ends_.clear();
    for (const std::uint32_t number : which) {
      const std::size_t first = strings_.size();
      const bool is_cut = add_strings(patterns[number]);
      sought_.push_back({first, strings_.size(), is_cut});
    }
    found_.assign(strings_.size(), {});
    const bool forward = is_searched(request_.strands, seeds_.dna_, false);
    const bool reverse = is_searched(request_.strands, seeds_.dna_, true);
    if (strings_.empty() || (!forward && !reverse)) return;
    const Patterns lookups{codes_, ends_};
    loops_.search({seeds_.fm_.view(lookups.symbols()), seeds_.text_}, lookups, forward, reverse,
                  found_.data()->data());
  }

  /// Adds what is looked up for a pattern; false if it cannot be cut.
  bool add_strings(std::span<const std::uint8_t> pattern) {
    const EditPieces& cut =
        cutter_.cut(pattern, request_.edits, seeds_.costs(pattern.size(), request_.edits));
    if (!cut.can_be_cut) return false;
    for (const SeedPiece& piece : cut.pieces) {
      const auto symbols = pattern.subspan(piece.begin, piece.length);
      own_codes_.assign(symbols.begin(), symbols.end());
      if (seeds_.dna_)
        std::transform(symbols.begin(), symbols.end(), own_codes_.begin(),
                       [](BaseSet set) { return code_of(set); });
      const std::uint64_t rest = pattern.size() - piece.begin - piece.length;
      const auto add = [&](std::span<const std::uint8_t> codes) {
        codes_.insert(codes_.end(), codes.begin(), codes.end());
        ends_.push_back(codes_.size());
        strings_.push_back({codes.size(), rest});
      };
      if (cut.near) {
        for_each_near_string(own_codes_, add);
      } else {
        add(own_codes_);
      }
    }
    return true;
  }

  void find_ends(const EditPatterns& patterns, std::uint32_t number, const Sought& sought,
                 EndCollector& to) {
    const PatternMasks masks(patterns[number], seeds_.dna_);
    for (const bool reverse : {false, true}) {
      windows_.clear();
      for (std::size_t k = sought.first; k < sought.last; ++k)
        add_windows(found_[k][reverse], strings_[k], reverse);
      std::sort(windows_.begin(), windows_.end(),
                [](const EndWindow& a, const EndWindow& b) { return a.begin < b.begin; });
      merge_windows(windows_);
      sieve_windows({seeds_.text_, seeds_.dna_, nullptr}, masks.view(), reverse, request_.edits,
                    seeds_.path_, windows_);
      for (const EndWindow& window : windows_)
        finder_.find({number, masks.view()}, reverse, window, EndsOf::floors_that_begin, to);
    }
  }

  /// Adds the windows of all places of a string.
  void add_windows(const Found<Pos>& found, const String& string, bool reverse) {
    if (found.count == 0) return;
    if (found.located) return add_window(found.first, string, reverse);
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
        add_window(positions[k], string, reverse);
      done = static_cast<Pos>(done + some);
    }
  }

  void add_window(std::uint64_t position, const String& string, bool reverse) {
    const SegmentsView& segments = seeds_.text_.segments;
    const std::uint64_t segment = segments.segment_at(position);
    const std::uint64_t begin = segments.starts[segment], end = segments.starts[segment + 1] - 1;
    const std::uint64_t edits = request_.edits;
    // The last symbol of the pattern, read in its direction, and as many more as there are edits.
    std::uint64_t first = 0, last = 0;
    if (reverse) {
      first = position < string.rest + edits ? 0 : position - string.rest - edits;
      if (position + edits < string.rest) return;
      last = position + edits - string.rest + 1;
    } else {
      const std::uint64_t middle = position + string.length + string.rest - 1;
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
  std::vector<Sought> sought_;   ///< of each pattern
  std::vector<String> strings_;  ///< of all of them
  std::vector<std::uint8_t> codes_, own_codes_;
  std::vector<std::uint64_t> ends_;
  std::vector<StrandsFound<Pos>> found_;  ///< of each string
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

/// The costs of patterns of `length` symbols.
SeedCosts EditSeeds::costs(std::uint64_t length, std::uint32_t edits) const {
  const auto columns = static_cast<double>(length + 3 * std::uint64_t{edits});
  return {static_cast<double>(text_.length()), std::max(2.0, static_cast<double>(text_.sigma)),
          lookup_cost,
          static_cast<double>(fm_.sample_rate()) * step_cost + place_cost +
              columns * edit_column_cost(length, edits)};
}

double EditSeeds::cost(std::span<const std::uint8_t> pattern, const EditRequest& request) const {
  EditCutter cutter(dna_);
  const EditPieces& cut = cutter.cut(pattern, request.edits, costs(pattern.size(), request.edits));
  if (!cut.can_be_cut) return std::numeric_limits<double>::infinity();
  return cut.cost * (request.strands == Strands::both && dna_ ? 2 : 1);
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
