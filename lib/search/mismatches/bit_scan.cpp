#include "search/mismatches/bit_scan.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <utility>

#include "search/mismatches/lanes.hpp"
#include "search/mismatches/mismatch_counter.hpp"

namespace gsx {
namespace {

constexpr int most_digits = counter_digits(most_mismatches);

/// Compares a pattern with the places of one word, whose planes begin at `planes`; whether some
/// lane is left. Pre: the counter has been started.
template <class Lanes, int digits>
GSX_HD bool compare(MismatchCounter<typename Lanes::Word, digits>& counter,
                    const StrandProgram& program, const std::uint32_t* offset,
                    const std::uint8_t* planes) {
  using Word = typename Lanes::Word;
  Word a, b, c, d;
  for (std::uint32_t i = 0; i < program.strict; ++i) {
    load_lanes(a, planes + *offset++);
    counter.over |= a;
  }
  for (std::uint32_t four = 0; four < program.fours; ++four, offset += 4) {
    if (four >= program.unchecked && Lanes::all(counter.over)) return false;
    load_lanes(a, planes + offset[0]);
    load_lanes(b, planes + offset[1]);
    load_lanes(c, planes + offset[2]);
    load_lanes(d, planes + offset[3]);
    counter.add(a, b, c, d);
  }
  return !Lanes::all(counter.over);
}

/// Gives the taker the lanes that are left.
template <class Word, int digits>
GSX_HD void take_lanes(const MismatchCounter<Word, digits>& counter, std::uint64_t position,
                       PlaceTaker& taker) {
  constexpr std::size_t parts = sizeof(Word) / sizeof(std::uint64_t);
  for (std::size_t part = 0; part < parts; ++part) {
    const std::uint64_t found = ~counter.over[part];
    if (found == 0) continue;
    std::uint64_t digit[digits + 1];
    for (int d = 0; d < digits; ++d)
      digit[d] = counter.digit[d][part];
    taker.take<digits>(position + part * 64, found, digit);
  }
}

template <class Lanes, int digits>
GSX_HD void scan_programs(BitBlock& block, const StrandPrograms& programs, PlaceTaker& taker) {
  using Word = typename Lanes::Word;
  for (const StrandProgram& program : programs.programs()) {
    block.exclude(program.length);
    taker.begin(program);
    const std::uint32_t* const offsets = programs.planes() + program.planes;
    MismatchCounter<Word, digits> started;
    started.start(program.start, Word{});
    const std::size_t bytes = block.size() / 8;
    for (std::size_t at = 0; at < bytes; at += sizeof(Word)) {
      MismatchCounter<Word, digits> counter = started;
      load_lanes(counter.over, block.excluded() + at);
      if (!compare<Lanes, digits>(counter, program, offsets, block.planes() + at)) continue;
      take_lanes(counter, block.begin() + at * 8, taker);
    }
  }
}

template <int digits>
void scan_baseline(BitBlock& block, const StrandPrograms& programs, PlaceTaker& taker) {
  scan_programs<BaselineLanes, digits>(block, programs, taker);
}
#ifdef __x86_64__
template <int digits>
GSX_TARGET_AVX2 void scan_avx2(BitBlock& block, const StrandPrograms& programs, PlaceTaker& taker) {
  scan_programs<Avx2Lanes, digits>(block, programs, taker);
}
#endif

using Scan = void (*)(BitBlock&, const StrandPrograms&, PlaceTaker&);

template <int... digits>
constexpr auto scans(CpuPath path, std::integer_sequence<int, digits...>) {
#ifdef __x86_64__
  if (path == CpuPath::avx2) return std::array<Scan, sizeof...(digits)>{scan_avx2<digits>...};
#endif
  return std::array<Scan, sizeof...(digits)>{scan_baseline<digits>...};
}

}  // namespace

void scan_block(BitBlock& block, std::uint64_t number, const StrandPrograms& programs, CpuPath path,
                PlaceTaker& taker) {
  static constexpr auto digits = std::make_integer_sequence<int, most_digits + 1>();
  static constexpr std::array<Scan, most_digits + 1> by_digits[] = {
      scans(CpuPath::baseline, digits), scans(CpuPath::avx2, digits)};
  block.load(number * BitBlock::positions, programs.sets(), path);
  by_digits[path == CpuPath::avx2][static_cast<std::size_t>(counter_digits(programs.most()))](
      block, programs, taker);
}

}  // namespace gsx
