#include <algorithm>
#include <array>
#include <vector>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "bwt/bwt.hpp"

namespace gsx {
namespace {

/// Row and symbol share a word, so that an LF step is one cache miss.
constexpr unsigned symbol_bits = 8;

using Counts = std::array<std::uint64_t, 256>;

/// For every row, its symbol and the row that an LF step leads to.
Buffer<std::uint64_t> step_table(std::string_view bwt, unsigned char separator, int threads) {
  const auto slices = static_cast<std::uint64_t>(threads);
  std::vector<Counts> next(slices);
  parallel_for(threads, slices, [&](std::uint64_t s, int) {
    next[s] = {};
    const Slice slice = slice_of(bwt.size(), slices, s);
    for (std::uint64_t i = slice.begin; i < slice.end; ++i) {
      ++next[s][static_cast<unsigned char>(bwt[i])];
    }
  });
  std::uint64_t total = 0;
  const auto place = [&](std::size_t symbol) {
    for (Counts& counts : next)
      total += std::exchange(counts[symbol], total);
  };
  place(separator);
  for (std::size_t symbol = 0; symbol < 256; ++symbol) {
    if (symbol != separator) place(symbol);
  }
  Buffer<std::uint64_t> steps(bwt.size(), "inverting the BWT");
  parallel_for(threads, slices, [&](std::uint64_t s, int) {
    const Slice slice = slice_of(bwt.size(), slices, s);
    for (std::uint64_t i = slice.begin; i < slice.end; ++i) {
      const auto symbol = static_cast<unsigned char>(bwt[i]);
      steps[i] = next[s][symbol]++ << symbol_bits | symbol;
    }
  });
  return steps;
}

}  // namespace

std::string invert_bwt(std::string_view bwt, char separator, int threads) {
  const auto end_symbol = static_cast<unsigned char>(separator);
  const auto segments = static_cast<std::uint64_t>(std::count(bwt.begin(), bwt.end(), separator));
  if (segments == 0) throw InputError("not a BWT: it holds no separator");
  const Buffer<std::uint64_t> steps = step_table(bwt, end_symbol, threads);
  const std::uint64_t tasks = std::min(segments, static_cast<std::uint64_t>(threads) * 64);
  std::vector<std::string> parts(tasks);
  parallel_for(threads, tasks, [&](std::uint64_t task, int) {
    const Slice slice = slice_of(segments, tasks, task);
    std::string& part = parts[task];
    for (std::uint64_t segment = slice.begin; segment < slice.end; ++segment) {
      const std::size_t start = part.size();
      // LF is one-to-one and never leads to a separator's row, so the walk cannot run in a circle.
      for (std::uint64_t row = segment;; row = steps[row] >> symbol_bits) {
        const auto symbol = static_cast<unsigned char>(steps[row]);
        if (symbol == end_symbol) break;
        part += static_cast<char>(symbol);
      }
      std::reverse(part.begin() + static_cast<std::ptrdiff_t>(start), part.end());
      part += separator;
    }
  });
  std::string text;
  text.reserve(bwt.size());
  for (std::string& part : parts) {
    text += part;
    std::string().swap(part);
  }
  if (text.size() != bwt.size()) {
    throw InputError("not a BWT: stepping back from its separators reaches " +
                     std::to_string(text.size()) + " of " + std::to_string(bwt.size()) +
                     " symbols");
  }
  return text;
}

}  // namespace gsx
