#include "analysis/repeats/dot_plot.hpp"

namespace gsx {

PlotAxis::PlotAxis(const RecordsView& records, const SegmentsView& segments, std::uint32_t cells)
    : records_(records), segments_(segments), cells_(cells) {
  begins_.reserve(records.size() + 1);
  std::uint64_t begin = 0;
  for (const RecordInfo& info : records.infos) {
    begins_.push_back(begin);
    begin += info.length;
  }
  begins_.push_back(begin);
}

template <class Pos>
DotPlotter<Pos>::DotPlotter(const BothStrandsView& text, const SharedRows<Pos>& rows,
                            const PlotAxis& axis)
    : places_{text},
      length_(rows.least()),
      axis_(axis),
      forward_(axis.cells()),
      reverse_(axis.cells()) {
  for (Cells* cells : {&on_forward_, &on_reverse_}) {
    cells->all.resize(forward_.words());
    cells->more.resize(forward_.words());
  }
}

template <class Pos>
void DotPlotter<Pos>::Cells::add(std::uint32_t cell) {
  const std::uint64_t bit = std::uint64_t{1} << (cell % 64);
  if ((all[cell / 64] & bit) == 0) {
    list.push_back(cell);
    all[cell / 64] |= bit;
  } else {
    more[cell / 64] |= bit;
  }
}

template <class Pos>
void DotPlotter<Pos>::Cells::clear() {
  for (const std::uint32_t cell : list)
    all[cell / 64] = more[cell / 64] = 0;
  list.clear();
}

template <class Pos>
void DotPlotter<Pos>::take(Pos position) {
  if (places_.text.is_forward(position)) {
    on_forward_.add(axis_.cell_of(position));
  } else {
    on_reverse_.add(axis_.cell_of(places_.forward_end(position) - length_));
  }
}

template <class Pos>
void DotPlotter<Pos>::fill(std::uint64_t* column, const Cells& cells) {
  if (cells.list.size() < cells.all.size()) {
    for (const std::uint32_t y : cells.list)
      column[y / 64] |= std::uint64_t{1} << (y % 64);
  } else {
    for (std::size_t w = 0; w < cells.all.size(); ++w)
      column[w] |= cells.all[w];
  }
}

template <class Pos>
void DotPlotter<Pos>::end() {
  for (const std::uint32_t x : on_forward_.list) {
    std::uint64_t* const column = forward_.column(x);
    const std::uint64_t own = std::uint64_t{1} << (x % 64);
    const std::uint64_t kept = column[x / 64] & own;
    fill(column, on_forward_);
    // The only place of its cell does not pair with itself.
    if ((on_forward_.more[x / 64] & own) == 0) column[x / 64] = (column[x / 64] & ~own) | kept;
    fill(reverse_.column(x), on_reverse_);
  }
  on_forward_.clear();
  on_reverse_.clear();
}

template class DotPlotter<std::uint32_t>;
template class DotPlotter<std::uint64_t>;

}  // namespace gsx
