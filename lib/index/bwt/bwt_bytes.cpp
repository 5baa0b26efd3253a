#include "index/bwt/bwt_bytes.hpp"

#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace gsx {

BwtAlphabet::BwtAlphabet(const BwtBytes& bwt, const std::array<std::uint64_t, 256>& counts) {
  code_of.fill(hole);
  if (bwt.has_separators) {
    separators = counts[bwt.separator];
    if (separators == 0) throw InputError("not a BWT: it holds no separator");
  } else {
    separators = 1;
    if (bwt.primary >= bwt.rows()) {
      throw InputError("not a BWT: there is no row " + std::to_string(bwt.primary) + " among " +
                       std::to_string(bwt.rows()));
    }
  }
  for (std::size_t byte = 0; byte < counts.size(); ++byte) {
    if (counts[byte] == 0 || (bwt.has_separators && byte == bwt.separator)) continue;
    if (size == hole) throw UsageError("a BWT of 256 different byte values cannot be inverted");
    symbol_of[size] = static_cast<std::uint8_t>(byte);
    code_of[byte] = static_cast<std::uint8_t>(size++);
  }
}

std::array<std::uint64_t, 256> count_bytes(std::span<const std::uint8_t> bytes, int threads) {
  // Several counters per value: equal bytes that follow one another do not wait for each other.
  constexpr std::size_t lanes = 4;
  using Counts = std::array<std::uint64_t, 256>;
  const std::uint64_t slices = static_cast<std::uint64_t>(threads) * 4;
  std::vector<Counts> of_slice(slices);
  parallel_for(threads, slices, [&](std::uint64_t s, int) {
    const Slice slice = slice_of(bytes.size(), slices, s);
    std::array<Counts, lanes> counts{};
    std::uint64_t i = slice.begin;
    for (; i + lanes <= slice.end; i += lanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane)
        ++counts[lane][bytes[i + lane]];
    }
    for (; i < slice.end; ++i)
      ++counts[0][bytes[i]];
    for (std::size_t byte = 0; byte < 256; ++byte) {
      of_slice[s][byte] = 0;
      for (const Counts& lane : counts)
        of_slice[s][byte] += lane[byte];
    }
  });
  Counts total{};
  for (const Counts& counts : of_slice) {
    for (std::size_t byte = 0; byte < 256; ++byte)
      total[byte] += counts[byte];
  }
  return total;
}

}  // namespace gsx
