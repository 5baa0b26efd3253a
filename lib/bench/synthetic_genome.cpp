// A genome that repeats like human DNA.
#include <algorithm>
#include <vector>

#include "bench/synthetic.hpp"
#include "bench/synthetic_bases.hpp"

namespace gsx {
namespace {

/// A number between `least` and `least << doublings`; each doubling is equally likely. No logarithm
/// is taken, so the number is the same on any machine.
std::uint64_t log_uniform(Random& random, std::uint64_t least, std::uint64_t doublings) {
  const std::uint64_t from = least << random.below(doublings);
  return from + random.below(from);
}

/// Replaces bases at a fraction `divergence` of the places; a quarter of them stay what they were.
/// A change makes no CG, which is rare.
void mutate(Random& random, char* bases, std::uint64_t length, double divergence) {
  const auto changes =
      static_cast<std::uint64_t>(divergence * static_cast<double>(length) + random.unit());
  for (std::uint64_t c = 0; c < changes; ++c) {
    const std::uint64_t at = random.below(length);
    char base = base_letters[random.below(4)];
    if (base == 'G' && at > 0 && bases[at - 1] == 'C') base = 'A';
    if (base == 'C' && at + 1 < length && bases[at + 1] == 'G') base = 'T';
    bases[at] = base;
  }
}

/// Copies `length` bases, forward or as their reverse complement, and mutates them.
void copy_diverged(Random& random, const char* from, char* to, std::uint64_t length, bool reverse,
                   double divergence) {
  if (reverse) {
    for (std::uint64_t i = 0; i < length; ++i) {
      const char c = from[length - 1 - i];
      to[i] = c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : 'A';
    }
  } else {
    std::copy_n(from, length, to);
  }
  mutate(random, to, length, divergence);
}

/// A subfamily of interspersed repeats. Its copies are as diverged as it is old.
struct Family {
  std::string consensus;
  double age;
};

/// Subfamilies, each the one before it with a few more changes; the oldest comes first.
std::vector<Family> make_lineage(Random& random, std::string consensus, std::size_t count,
                                 double oldest, double youngest, double step) {
  std::vector<Family> families;
  for (std::size_t f = 0; f < count; ++f) {
    const double share = static_cast<double>(f) / static_cast<double>(count - 1);
    families.push_back({consensus, oldest + (youngest - oldest) * share});
    mutate(random, consensus.data(), consensus.size(), step);
  }
  return families;
}

/// The repeats of a genome, with the shares that they have in human DNA.
class GenomeRepeats {
 public:
  explicit GenomeRepeats(std::uint64_t seed) {
    Random random(seed);
    alus_ = make_lineage(random, bases_.draw(random, 7, 290), 12, 0.26, 0.05, 0.015);
    lines_ = make_lineage(random, bases_.draw(random, 3, 6000), 40, 0.32, 0.005, 0.02);
    for (int k = 0; k < 240; ++k)
      ltrs_.push_back(
          {bases_.draw(random, 5, 350 + random.below(300)), 0.08 + 0.24 * random.unit()});
  }

  /// Writes bases, and over them repeats.
  void fill_piece(Random& random, char* out, std::uint64_t length) const {
    bases_.fill_mixed(random, out, length);
    for (std::uint64_t at = 0; at < length;) {
      at += random.below(2 * mean_gap);
      if (at >= length) break;
      at += add(random, out + at, length - at);
    }
  }

 private:
  static constexpr std::uint64_t mean_gap = 600;

  /// Writes one repeat into `room` bases; returns its length.
  std::uint64_t add(Random& random, char* out, std::uint64_t room) const {
    const std::uint64_t kind = random.below(100);
    if (kind < 11) return add_microsatellite(random, out, room);
    if (kind < 55) {
      // Most Alus are of the subfamilies between.
      const std::size_t f = (random.below(12) + random.below(12)) / 2;
      const std::uint64_t length = place(random, alus_[f], 290, out, room);
      const std::uint64_t tail = std::min(room - length, 6 + random.below(20));
      std::fill_n(out + length, tail, 'A');
      mutate(random, out + length, tail, 0.1);
      return length + tail;
    }
    if (kind < 84) {
      // Most are truncated at the begin.
      const std::uint64_t length =
          random.below(40) == 0 ? 6000 : log_uniform(random, 150, 4) + random.below(300);
      const std::uint64_t f = std::min(random.below(40), random.below(40));
      return place(random, lines_[f], length, out, room);
    }
    const Family& ltr = ltrs_[random.below(ltrs_.size())];
    return place(random, ltr, ltr.consensus.size(), out, room);
  }

  /// Writes the last `length` bases of a family, on either strand.
  static std::uint64_t place(Random& random, const Family& family, std::uint64_t length, char* out,
                             std::uint64_t room) {
    length = std::min({length, room, std::uint64_t{family.consensus.size()}});
    const double divergence = family.age * (0.5 + random.unit());
    copy_diverged(random, family.consensus.data() + family.consensus.size() - length, out, length,
                  random.below(2) == 0, divergence);
    return length;
  }

  /// Writes a unit of 1 to 6 bases, repeated over 15 to 80 bases.
  std::uint64_t add_microsatellite(Random& random, char* out, std::uint64_t room) const {
    const std::uint64_t unit = 1 + random.below(6);
    const std::uint64_t length = std::min(room, 14 + random.below(12) + random.below(30));
    bases_.fill(random, 0, out, std::min(unit, length));
    for (std::uint64_t i = unit; i < length; ++i)
      out[i] = out[i - unit];
    mutate(random, out, length, 0.15 * random.unit());
    return length;
  }

  BaseSource bases_;
  std::vector<Family> alus_, lines_, ltrs_;
};

/// Adds segmental duplications: copies of other places, of 0.6 to 77 kbp and all ages. Sequential,
/// so that copies may be copied again.
void duplicate_segments(Random& random, std::string& text) {
  const std::uint64_t n = text.size();
  std::uint64_t from = 0;
  for (std::uint64_t done = 0; done < n / 40;) {
    const std::uint64_t length = std::min(n / 4, log_uniform(random, 600, 7));
    const double age = static_cast<double>(log_uniform(random, 1, 11)) * 0x1p-13;
    const double divergence = random.below(24) == 0 ? 0 : age;
    if (random.below(2) == 0 || from + length > n) from = random.below(n - length);
    const std::uint64_t to = random.below(n - length);
    const std::string copy = text.substr(from, length);
    copy_diverged(random, copy.data(), text.data() + to, length, random.below(2) == 0, divergence);
    done += length;
  }
}

/// Adds arrays of a 171-base monomer in nearly identical higher-order units; about 1 %.
void add_satellites(Random& random, std::string& text) {
  constexpr std::uint64_t monomer = 171;
  const std::uint64_t n = text.size();
  std::string unit(12 * monomer, 'A');
  BaseSource().fill(random, 1, unit.data(), monomer);
  for (std::uint64_t m = 1; m < 12; ++m)
    copy_diverged(random, unit.data(), unit.data() + m * monomer, monomer, false, 0.25);
  for (std::uint64_t done = 0; done < n / 160;) {
    const std::uint64_t copies = 1 + random.below(20);
    if (copies * unit.size() >= n) return;
    const std::uint64_t to = random.below(n - copies * unit.size());
    for (std::uint64_t c = 0; c < copies; ++c) {
      copy_diverged(random, unit.data(), text.data() + to + c * unit.size(), unit.size(), false,
                    0.02);
    }
    done += copies * unit.size();
  }
}

}  // namespace

std::string synthetic_genome(std::uint64_t length, std::uint64_t seed, int threads) {
  const GenomeRepeats repeats(seed);
  std::string text(length, 'A');
  for_pieces(length, seed, threads, [&](Random& random, std::uint64_t begin, std::uint64_t end) {
    repeats.fill_piece(random, text.data() + begin, end - begin);
  });
  if (length < 10000) return text;
  Random random(~seed);
  duplicate_segments(random, text);
  add_satellites(random, text);
  return text;
}

}  // namespace gsx
