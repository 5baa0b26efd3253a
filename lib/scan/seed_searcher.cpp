#include "scan/seed_searcher.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "scan/place_collector.hpp"
#include "scan/place_scan.hpp"
#include "scan/seed_check.hpp"
#include "scan/seed_patterns.hpp"
#include "search/cpu_locate.hpp"

namespace gsx {
namespace {

/// Patterns whose pieces are looked up together.
constexpr std::size_t patterns_at_once = 1024;

/// Rows located, and places compared, per call.
constexpr std::size_t places_at_once = 1024;

/// Nanoseconds to look up a piece, to take a step of locate, and to compare a place.
constexpr double piece_cost = 200, step_cost = 10, place_cost = 20;

/// An index and how it is searched.
struct SeedIndex {
  const HugePageFm& fm;
  TextView text;
  CpuPath path;
  SeedTuning tuning;
};

/// Finds the places of patterns, pattern by pattern, and gives them to a Taker:
///   take(hit)      a place of the current pattern
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
        check_(seed_loops(index.path)) {}

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
    const Patterns lookups = seeds_.lookups();
    found_.assign(lookups.size(), {});
    current_ = 0;
    if (lookups.size() > 0) {
      search_.search({fm_.view(lookups.symbols()), text_}, lookups, wants(false), wants(true),
                     found_.data()->data());
    }
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      const SeedPatterns::Entry& entry = seeds_.entries()[i];
      if (entry.way == SeedPatterns::Way::nowhere) continue;
      if (entry.way == SeedPatterns::Way::scan || is_scanned(entry, patterns[i].size())) {
        scan(i);
      } else {
        add_places(i);
      }
    }
    check_block();
    end_patterns(patterns.size());
  }

  /// Whether locating all rows of the pieces costs more than a scan of the text.
  bool is_scanned(const SeedPatterns::Entry& entry, std::uint64_t length) const {
    double rows = 0;
    for (std::uint64_t piece = entry.first_piece; piece < entry.last_piece; ++piece)
      rows +=
          static_cast<double>(found_[piece][0].count) + static_cast<double>(found_[piece][1].count);
    const double steps = static_cast<double>(fm_.sample_rate()) * step_cost;
    const double strands = request_.strands == Strands::both ? 2 : 1;
    return length <= text_.length() &&
           rows * (steps + place_cost) >
               strands * index_.tuning.position_cost * static_cast<double>(text_.length());
  }

  /// Adds the places of all pieces of a pattern.
  void add_places(std::size_t pattern) {
    const SeedPatterns::Entry& entry = seeds_.entries()[pattern];
    for (const bool reverse : {false, true}) {
      const auto strand = static_cast<std::uint32_t>(2 * pattern + (reverse ? 1 : 0));
      const std::uint64_t length = seeds_.strands()[strand].length;
      for (std::uint64_t piece = entry.first_piece; piece < entry.last_piece; ++piece) {
        const SeedPiece part = seeds_.pieces()[piece];
        const std::uint64_t before = reverse ? length - part.end : part.begin;
        const Found<Pos>& found = found_[piece][reverse];
        for (Pos k = 0; k < found.count; ++k) {
          if (filled_ == places_at_once) check_block();
          places_[filled_] = {found.first, strand, 0, piece};
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
      const std::uint64_t length = seeds_.strands()[place.strand].length;
      if (place.position < before_[i]) continue;
      place.position -= before_[i];
      if (length <= text_.length() - place.position) places_[inside++] = place;
    }
    filled_ = unlocated_ = 0;
    const std::span<SeedPlace> some(places_.data(), inside);
    check_.check(text_, seeds_, request_.mismatches, some);
    for (const SeedPlace& place : some) {
      if (place.mismatches > request_.mismatches) continue;
      end_patterns(place.strand / 2);
      taker_.take(Hit(place.position, place.strand % 2 == 1, place.mismatches));
    }
  }

  void scan(std::size_t pattern) {
    check_block();
    end_patterns(pattern);
    const StrandMasks* strands = seeds_.strands().data() + 2 * pattern;
    PlaceScan places(text_, wants(false) ? strands : nullptr, wants(true) ? strands + 1 : nullptr,
                     request_.mismatches, index_.path);
    while (places.next(hits_)) {
      for (const Hit& hit : hits_)
        taker_.take(hit);
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
  const SeedLoops check_;
  SeedPatterns seeds_;
  std::vector<StrandsFound<Pos>> found_;  ///< of each piece
  std::size_t current_ = 0;
  std::vector<Hit> hits_;
  std::size_t filled_ = 0, unlocated_ = 0;
  std::array<SeedPlace, places_at_once> places_;
  std::array<std::uint64_t, places_at_once> before_;  ///< positions of the pattern before the piece
  std::array<Pos, places_at_once> rows_;              ///< of the places that are not located yet
  std::array<std::uint32_t, places_at_once> row_places_;
  std::array<std::uint64_t, places_at_once> positions_;
};

/// Counts the places of each pattern.
class PlaceCounter {
 public:
  explicit PlaceCounter(MismatchCounts& counts) : counts_(counts) {}
  void take(const Hit& hit) { ++counts_.of(pattern_, hit.is_reverse())[hit.mismatches()]; }
  void end_pattern() { ++pattern_; }

 private:
  MismatchCounts& counts_;
  std::size_t pattern_ = 0;
};

/// Gives all places of one pattern, sorted.
void scan_again(const SeedIndex& index, const SetPatterns& pattern, const MismatchRequest& request,
                const PlaceCollector::Take& take) {
  SeedPatterns seeds;
  seeds.prepare(pattern, request.mismatches, index.tuning.least_piece);
  const StrandMasks* strands = seeds.strands().data();
  PlaceScan places(index.text, request.strands != Strands::reverse ? strands : nullptr,
                   request.strands != Strands::forward ? strands + 1 : nullptr, request.mismatches,
                   index.path);
  for (std::vector<Hit> hits; places.next(hits);)
    take(hits);
}

template <class Taker>
void run(const SeedIndex& index, bool wide, const SetPatterns& patterns,
         const MismatchRequest& request, Taker& taker) {
  if (wide) {
    SeedRun<std::uint64_t, Taker>(index, request, taker).run(patterns);
  } else {
    SeedRun<std::uint32_t, Taker>(index, request, taker).run(patterns);
  }
}

}  // namespace

SeedSearcher::SeedSearcher(const Index& index, const SearchMemory& memory, CpuPath path,
                           const SeedTuning& tuning)
    : fm_(index.fm(), index.is_mapped() ? memory.index_copy : 0, tuning.least_copied),
      text_(index.text()),
      memory_(memory),
      tuning_(tuning),
      wide_(is_wide(index.meta().length, tuning.width)),
      path_(path) {}

void SeedSearcher::count(const SetPatterns& patterns, const MismatchRequest& request,
                         MismatchCounts& counts) const {
  counts.reset(patterns.size(), request.mismatches);
  PlaceCounter counter(counts);
  run({fm_, text_, path_, tuning_}, wide_, patterns, request, counter);
}

void SeedSearcher::stream_hits(const SetPatterns& patterns, const MismatchRequest& request,
                               const HitSink& sink) const {
  const SeedIndex index{fm_, text_, path_, tuning_};
  const auto again = [&](std::size_t pattern, const PlaceCollector::Take& take) {
    scan_again(index, patterns.some(pattern, pattern + 1), request, take);
  };
  PlaceCollector collector(request, memory_, sink, again);
  run(index, wide_, patterns, request, collector);
  collector.finish();
}

double SeedSearcher::cost(std::span<const BaseSet> pattern, const MismatchRequest& request) const {
  if (!can_be_asked(pattern, request.mismatches)) return 0;
  const double strands = request.strands == Strands::both ? 2 : 1;
  const auto length = static_cast<double>(text_.length());
  std::vector<SeedPiece> pieces;
  double nanoseconds = strands * tuning_.position_cost * length;
  if (SeedCutter().cut(pattern, request.mismatches, pieces)) {
    const double place = static_cast<double>(fm_.sample_rate()) * step_cost + place_cost;
    double looked_up = 0;
    for (const SeedPiece& piece : pieces) {
      const double rows = std::ldexp(
          length, -2 * static_cast<int>(std::min<std::uint64_t>(piece.end - piece.begin, 500)));
      looked_up += strands * (piece_cost + (1 + rows) * place);
    }
    nanoseconds = std::min(nanoseconds, looked_up);
  }
  return nanoseconds;
}

}  // namespace gsx
