#include "search/mismatches/seed_searcher.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/compiled_for.hpp"
#include "base/cpu_path.hpp"
#include "search/exact/cpu_locate.hpp"
#include "search/mismatches/place_collector.hpp"
#include "search/mismatches/seed_patterns.hpp"
#include "text/text_view.hpp"

namespace gsx {
namespace {

/// The loop, compiled for one CpuPath: sets mismatches[i] to SeedsView::mismatches_at() of place i.
/// Fetches the text ahead.
using CheckPlaces = void (*)(const TextView& text, const SeedsView& seeds, std::uint32_t most,
                             std::span<const SeedPlace> places, std::uint32_t* mismatches);

/// How many places ahead text is fetched, and how many symbols of each: what lies behind is mostly
/// not needed.
constexpr std::size_t places_ahead = 16;
constexpr std::uint64_t symbols_ahead = 128;

GSX_HD void prefetch_place(const TextView& text, const SeedsView& seeds, const SeedPlace& place) {
  const std::uint64_t length = seeds.entries[seeds.pieces[place.piece].pattern].length;
  const std::uint8_t* first = text.symbols.bytes + place.position / 4;
  __builtin_prefetch(first);
  __builtin_prefetch(first + (length < symbols_ahead ? length : symbols_ahead) / 4);
}

GSX_HD void check_places(const TextView& text, const SeedsView& seeds, std::uint32_t most,
                         std::span<const SeedPlace> places, std::uint32_t* mismatches) {
  for (std::size_t i = 0; i < std::min(places_ahead, places.size()); ++i)
    prefetch_place(text, seeds, places[i]);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i + places_ahead < places.size()) prefetch_place(text, seeds, places[i + places_ahead]);
    mismatches[i] = seeds.mismatches_at(text, places[i], most);
  }
}

CheckPlaces check_places_for(CpuPath path) {
  return compiled_for<check_places>(path);
}

/// Patterns whose pieces are looked up together.
constexpr std::size_t patterns_at_once = 1024;

/// Rows located, and places compared, per call.
constexpr std::size_t places_at_once = 1024;

/// Seconds to look up a piece, to take a step of locate, and to compare a place.
constexpr double piece_cost = 200e-9, step_cost = 10e-9, place_cost = 20e-9;

/// How many times more rows than in random text a piece of a few bases has in a genome.
constexpr double skew = 4;

/// No scan costs less than to locate so few rows, unless the text is tiny.
constexpr double few_rows = 1000;

/// An index and how it is searched.
struct SeedIndex {
  const HugePageFm& fm;
  TextView text;
  CpuPath path;
  const MismatchWay& scan;
  SeedTuning tuning;

  /// Seconds to locate a row and compare the place.
  double row_cost() const { return static_cast<double>(fm.sample_rate()) * step_cost + place_cost; }
};

/// Finds the places of patterns, pattern by pattern, and gives them to a Taker:
///   take(hit)      a place of the current pattern
///   scan()         the taker finds its places itself
///   end_pattern()  it has no more
template <class Pos, class Taker>
class SeedRun {
 public:
  SeedRun(const SeedIndex& index, const MismatchRequest& request, Taker& taker)
      : index_(index),
        fm_(index.fm),
        text_(index.text),
        request_(request),
        taker_(taker),
        search_(search_loops<Pos>(index.path)),
        check_(check_places_for(index.path)) {}

  void run(const SetPatterns& patterns) {
    for (std::size_t first = 0; first < patterns.size(); first += patterns_at_once)
      run_some(patterns.some(first, std::min(patterns.size(), first + patterns_at_once)));
  }

 private:
  bool wants(bool reverse) const {
    return request_.strands != (reverse ? Strands::forward : Strands::reverse);
  }

  void run_some(const SetPatterns& patterns) {
    seeds_.prepare(patterns, request_.mismatches, index_.tuning.least_piece);
    seeds_.pack(patterns);
    const Patterns lookups = seeds_.lookups();
    found_.assign(lookups.size(), {});
    current_ = 0;
    if (lookups.size() > 0) {
      search_.search({fm_.view(lookups.symbols()), text_}, lookups, wants(false), wants(true),
                     found_.data()->data());
    }
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      const SeedEntry& entry = seeds_.entries()[i];
      if (entry.way == SeedWay::nowhere) continue;
      if (entry.way == SeedWay::scan || is_scanned(entry, patterns.some(i, i + 1))) {
        check_block();
        end_patterns(i);
        taker_.scan();
      } else {
        add_places(entry);
      }
    }
    check_block();
    end_patterns(patterns.size());
  }

  /// Whether locating all rows of the pieces costs more than a scan of the text.
  bool is_scanned(const SeedEntry& entry, const SetPatterns& pattern) const {
    double rows = 0;
    for (std::uint32_t piece = entry.first_piece; piece < entry.last_piece; ++piece)
      rows +=
          static_cast<double>(found_[piece][0].count) + static_cast<double>(found_[piece][1].count);
    return rows >= few_rows * index_.tuning.scan_factor &&
           rows * index_.row_cost() >=
               index_.scan.cost(pattern, request_) * index_.tuning.scan_factor;
  }

  /// Adds the places of all pieces of a pattern.
  void add_places(const SeedEntry& entry) {
    const SeedsView seeds = seeds_.view();
    for (const bool reverse : {false, true}) {
      for (std::uint32_t piece = entry.first_piece; piece < entry.last_piece; ++piece) {
        const std::uint64_t before = seeds.before(piece, reverse);
        const Found<Pos>& found = found_[piece][reverse];
        for (Pos k = 0; k < found.count; ++k) {
          if (filled_ == places_at_once) check_block();
          places_[filled_] = {found.first, piece, reverse};
          before_[filled_] = before;
          if (!found.located) {
            rows_[unlocated_] = found.first + k;
            row_places_[unlocated_++] = static_cast<std::uint32_t>(filled_);
          }
          ++filled_;
        }
      }
    }
  }

  /// Locates and compares the places gathered so far, and passes on those that are any.
  void check_block() {
    if (unlocated_ > 0) {
      const FmView fm = fm_.view(unlocated_ * fm_.sample_rate());
      search_.locate(fm, rows_.data(), positions_.data(), unlocated_);
      for (std::size_t k = 0; k < unlocated_; ++k)
        places_[row_places_[k]].position = positions_[k];
    }
    std::size_t inside = 0;
    for (std::size_t i = 0; i < filled_; ++i) {
      SeedPlace place = places_[i];
      if (place.position < before_[i]) continue;
      place.position -= before_[i];
      const std::uint64_t length = seeds_.entries()[seeds_.pieces()[place.piece].pattern].length;
      if (length <= text_.length() - place.position) places_[inside++] = place;
    }
    filled_ = unlocated_ = 0;
    check_(text_, seeds_.view(), request_.mismatches, std::span(places_).first(inside),
           mismatches_.data());
    for (std::size_t i = 0; i < inside; ++i) {
      if (mismatches_[i] > request_.mismatches) continue;
      end_patterns(seeds_.pieces()[places_[i].piece].pattern);
      taker_.take(Hit(places_[i].position, places_[i].reverse, mismatches_[i]));
    }
  }

  /// Makes `pattern` of these patterns the current one.
  void end_patterns(std::size_t pattern) {
    for (; current_ < pattern; ++current_)
      taker_.end_pattern();
  }

  const SeedIndex index_;
  const HugePageFm& fm_;
  const TextView text_;
  const MismatchRequest request_;
  Taker& taker_;
  const SearchLoops<Pos> search_;
  const CheckPlaces check_;
  SeedPatterns seeds_;
  std::vector<StrandsFound<Pos>> found_;  ///< of each piece
  std::size_t current_ = 0;
  std::size_t filled_ = 0, unlocated_ = 0;
  std::array<SeedPlace, places_at_once> places_;
  std::array<std::uint64_t, places_at_once> before_;  ///< positions of the pattern before the piece
  std::array<Pos, places_at_once> rows_;              ///< of the places that are not located yet
  std::array<std::uint32_t, places_at_once> row_places_;
  std::array<std::uint64_t, places_at_once> positions_;
  std::array<std::uint32_t, places_at_once> mismatches_;
};

}  // namespace

SeedSearcher::SeedSearcher(const Index& index, const MismatchWay& scan, const SearchMemory& memory,
                           CpuPath path, const SeedTuning& tuning)
    : fm_(index.fm(), index.is_mapped() ? memory.index_copy : 0, tuning.least_copied),
      text_(index.text()),
      scan_(scan),
      memory_(memory),
      tuning_(tuning),
      wide_(is_wide(index.meta().length, tuning.width)),
      path_(path) {}

template <class Taker>
void SeedSearcher::run(const SetPatterns& patterns, const MismatchRequest& request,
                       Taker& taker) const {
  const SeedIndex index{fm_, text_, path_, scan_, tuning_};
  if (wide_) {
    SeedRun<std::uint64_t, Taker>(index, request, taker).run(patterns);
  } else {
    SeedRun<std::uint32_t, Taker>(index, request, taker).run(patterns);
  }
}

void SeedSearcher::count(const SetPatterns& patterns, const MismatchRequest& request,
                         MismatchCounts& counts) const {
  counts.reset(patterns.size(), request.mismatches);
  PlaceCounter counter(patterns, request, scan_, counts);
  run(patterns, request, counter);
}

void SeedSearcher::stream(const SetPatterns& patterns, const MismatchRequest& request,
                          const HitSink& sink) const {
  PlaceCollector collector(patterns, request, memory_, scan_, sink);
  run(patterns, request, collector);
  collector.finish();
}

double SeedSearcher::cost(const SetPatterns& patterns, const MismatchRequest& request) const {
  const SeedIndex index{fm_, text_, path_, scan_, tuning_};
  const double strands = request.strands == Strands::both ? 2 : 1;
  SeedCutter cutter;
  std::vector<SeedPiece> pieces;
  return sum_of_costs(patterns, request.mismatches, [&](std::size_t i) {
    double own = MismatchWay::impossible;
    if (cutter.cut(patterns[i], request.mismatches, pieces)) {
      own = 0;
      for (const SeedPiece& piece : pieces) {
        // One row, and some times as many as in random text, as genomes repeat.
        const int bits = 2 * static_cast<int>(std::min<std::uint32_t>(piece.length, 64));
        const double rows = 1 + skew * std::ldexp(static_cast<double>(text_.length()), -bits);
        own += strands * (piece_cost + rows * index.row_cost());
      }
    }
    if (own < few_rows * index.row_cost()) return own;
    return std::min(own, scan_.cost(patterns.some(i, i + 1), request));
  });
}

}  // namespace gsx
