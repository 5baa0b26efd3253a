// A dot plot of a text with itself, on a grid of cells.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/repeats/shared_rows.hpp"
#include "analysis/repeats/strand_places.hpp"
#include "text/text.hpp"

namespace gsx {

/// Records side by side, in their order, divided into cells of equal length.
class PlotAxis {
 public:
  /// Refers to what it is given.
  PlotAxis(const RecordsView& records, const SegmentsView& segments, std::uint32_t cells);

  std::uint32_t cells() const { return cells_; }
  const RecordsView& records() const { return records_; }
  std::uint64_t total() const { return begins_.back(); }
  /// Where a record begins, in symbols from the left; for the number of records, total().
  std::uint64_t begin_of(std::uint64_t record) const { return begins_[record]; }
  /// The cell of a position of the text, on the forward strand.
  std::uint32_t cell_of(std::uint64_t position) const {
    const std::uint64_t segment = segments_.segment_at(position);
    const std::uint64_t x = begins_[records_.segment_records[segment]] +
                            records_.segment_offsets[segment] + position -
                            segments_.starts[segment];
    return static_cast<std::uint32_t>(x * cells_ / total());
  }

 private:
  RecordsView records_;
  SegmentsView segments_;
  std::uint32_t cells_;
  std::vector<std::uint64_t> begins_;
};

/// A bit for each cell of a square.
class CellGrid {
 public:
  explicit CellGrid(std::uint32_t side)
      : side_(side), words_((side + 63) / 64), bits_(std::uint64_t{side} * words_) {}

  std::uint32_t side() const { return side_; }
  std::uint32_t words() const { return words_; }
  bool at(std::uint32_t x, std::uint32_t y) const {
    return (bits_[std::uint64_t{x} * words_ + y / 64] >> (y % 64) & 1) != 0;
  }
  std::uint64_t* column(std::uint32_t x) { return &bits_[std::uint64_t{x} * words_]; }

 private:
  std::uint32_t side_, words_;
  std::vector<std::uint64_t> bits_;
};

/// Fills a cell where a string of rows.least() symbols that begins in its column also begins in its
/// row, at another place: on the same strand (forward), or as its reverse complement (reverse).
/// Memory: two bits per cell. Cost: per group of rows, its rows and, for each of the cells in which
/// they lie, at most one bit per cell of a column: so it does not grow with the number of pairs.
template <class Pos>
class DotPlotter {
 public:
  DotPlotter(const BothStrandsView& text, const SharedRows<Pos>& rows, const PlotAxis& axis);

  const CellGrid& forward() const { return forward_; }
  const CellGrid& reverse() const { return reverse_; }

  // For SharedRows::for_each_group().
  void look_ahead(Pos) const {}
  void begin(std::uint64_t, Pos position) { take(position); }
  void add(std::uint64_t, Pos position, std::uint64_t) { take(position); }
  void end();

 private:
  /// Cells in which places of a group lie.
  struct Cells {
    std::vector<std::uint32_t> list;       ///< each once
    std::vector<std::uint64_t> all, more;  ///< bits of those with a place, with two places or more

    void add(std::uint32_t cell);
    void clear();
  };

  void take(Pos position);
  static void fill(std::uint64_t* column, const Cells& cells);

  StrandPlaces places_;
  std::uint64_t length_;
  const PlotAxis& axis_;
  CellGrid forward_, reverse_;
  Cells on_forward_, on_reverse_;
};

extern template class DotPlotter<std::uint32_t>;
extern template class DotPlotter<std::uint64_t>;

}  // namespace gsx
