#include "index/bwt/lf_table.hpp"

#include <utility>
#include <vector>

#include "base/parallel.hpp"

namespace gsx {

template <class Pos>
Buffer<Pos> make_lf_table(const BwtBytes& bwt, const BwtAlphabet& alphabet, int threads) {
  // The code of a separator is the largest.
  using Next = std::array<Pos, 256>;
  const auto slices = static_cast<std::uint64_t>(threads);
  std::vector<Next> next(slices);
  parallel_for(threads, slices, [&](std::uint64_t s, int) {
    next[s] = {};
    const Slice slice = slice_of(bwt.rows(), slices, s);
    bwt.for_each(slice.begin, slice.end,
                 [&](std::uint64_t, std::uint8_t byte) { ++next[s][alphabet.code_of[byte]]; });
  });
  Pos total = 0;
  const auto place = [&](std::size_t code) {
    for (Next& counts : next)
      total = static_cast<Pos>(total + std::exchange(counts[code], total));
  };
  place(BwtAlphabet::hole);
  if (!bwt.has_separators) total = 1;
  for (std::size_t code = 0; code < alphabet.size; ++code)
    place(code);
  Buffer<Pos> table(bwt.rows(), "inverting the BWT");
  if (!bwt.has_separators) table[bwt.primary] = 0;
  parallel_for(threads, slices, [&](std::uint64_t s, int) {
    const Slice slice = slice_of(bwt.rows(), slices, s);
    bwt.for_each(slice.begin, slice.end, [&](std::uint64_t row, std::uint8_t byte) {
      table[row] = next[s][alphabet.code_of[byte]]++;
    });
  });
  return table;
}

template Buffer<std::uint32_t> make_lf_table(const BwtBytes&, const BwtAlphabet&, int);
template Buffer<std::uint64_t> make_lf_table(const BwtBytes&, const BwtAlphabet&, int);

}  // namespace gsx
