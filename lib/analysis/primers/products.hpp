// What PCR makes of the places of two primers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "analysis/primers/primer_pair.hpp"
#include "analysis/primers/record_axis.hpp"
#include "search/exact/hits.hpp"

namespace gsx {

/// The places of a primer, on the axis of the records, each strand in ascending order.
struct PrimerPlaces {
  std::uint64_t length = 0;  ///< of the primer
  std::vector<Hit> starts;   ///< on the forward strand: where a product starts
  std::vector<Hit> ends;     ///< on the reverse strand: where a product ends
  /// Ends once more, where products end behind the origin of a circular record.
  std::vector<Hit> ends_round = {};

  void clear() {
    starts.clear();
    ends.clear();
    ends_round.clear();
  }
  std::uint64_t size() const { return starts.size() + ends.size() + ends_round.size(); }
  /// Merges the ends.
  void join_ends() {
    if (ends_round.empty()) return;
    const auto middle = static_cast<std::ptrdiff_t>(ends.size());
    ends.insert(ends.end(), ends_round.begin(), ends_round.end());
    std::inplace_merge(ends.begin(), ends.begin() + middle, ends.end());
    ends_round.clear();
  }
};

inline constexpr std::size_t primer_roles = 4;

struct Product {
  std::uint64_t record = 0;
  std::uint64_t start = 0;  ///< on the axis, as `end`
  std::uint64_t end = 0;
  std::uint32_t start_mismatches = 0;
  std::uint32_t end_mismatches = 0;
  PrimerRoles roles = PrimerRoles::forward_reverse;

  std::uint64_t length() const { return end - start; }
  std::uint32_t mismatches() const { return start_mismatches + end_mismatches; }
  /// Of the forward primer; of the one at the start, if one primer made the product.
  std::uint32_t forward_mismatches() const {
    return roles == PrimerRoles::reverse_forward ? end_mismatches : start_mismatches;
  }
  /// Of the other one.
  std::uint32_t reverse_mismatches() const { return mismatches() - forward_mismatches(); }
};

struct ProductRules {
  std::uint64_t least = 50;      ///< length
  std::uint64_t most = 3000;     ///< length
  std::uint32_t mismatches = 0;  ///< of a primer
};

/// The ends that a start reaches, by their mismatches. Starts ascend.
class EndsWithin {
 public:
  EndsWithin(const std::vector<Hit>& ends, std::uint32_t mismatches)
      : ends_(ends), within_(mismatches + 1, 0) {}

  /// The start reaches the ends [begin, limit].
  void move(std::uint64_t begin, std::uint64_t limit) {
    for (; last_ < ends_.size() && ends_[last_].position() <= limit; ++last_)
      ++within_[ends_[last_].mismatches()];
    for (; first_ < last_ && ends_[first_].position() < begin; ++first_)
      --within_[ends_[first_].mismatches()];
  }
  std::uint64_t operator[](std::size_t mismatches) const { return within_[mismatches]; }

 private:
  const std::vector<Hit>& ends_;
  std::vector<std::uint64_t> within_;
  std::size_t first_ = 0, last_ = 0;
};

/// Pairs the places of two primers: one on the forward strand with one behind it on the reverse
/// strand, in one record. A product holds both places whole; they may overlap. Each is given once.
/// On a circular record, it may span the origin, but is not longer than the record.
class ProductFinder {
 public:
  ProductFinder(const PrimerPlaces& forward, const PrimerPlaces& reverse, const RecordAxis& axis,
                const ProductRules& rules)
      : places_{&forward, &reverse}, axis_(axis), rules_(rules) {}

  /// Products by the mismatches of both primers together. Cost: linear in the places, however many
  /// products there are.
  std::vector<std::uint64_t> count() const;

  /// Gives each product to `take`, ordered by start, end and roles, until `take` returns false.
  template <class Take>
  void for_each(const Take& take) const;
  /// Gives `most` products to `take`, of those that count() counted: the ones with the fewest
  /// mismatches of both primers together, and among equal ones the first; in the same order. Looks
  /// only at the ends of starts that have such a product.
  template <class Take>
  void for_fewest_mismatches(std::vector<std::uint64_t> counts, std::uint64_t most,
                             const Take& take) const;

 private:
  struct Roles {
    std::size_t start;
    std::size_t end;
  };
  static constexpr std::array<Roles, primer_roles> roles{{{0, 1}, {1, 0}, {0, 0}, {1, 1}}};

  /// What to look at after a product.
  enum class Next : std::uint8_t { end, start, nothing };
  /// The place of each primer that is at a start, or null.
  using Here = std::array<const Hit*, 2>;

  /// for_each() of the starts for which wants(here, at, last) is true; `last` is the last end that
  /// one at `at` reaches.
  template <class Wants, class Take>
  void for_each_of(const Wants& wants, const Take& take) const;

  std::uint64_t least_of(const Roles& of) const {
    return std::max({rules_.least, places_[of.start]->length, places_[of.end]->length});
  }

  std::array<const PrimerPlaces*, 2> places_;
  const RecordAxis& axis_;
  ProductRules rules_;
};

template <class Take>
void ProductFinder::for_each(const Take& take) const {
  for_each_of(
      [](const Here&, std::uint64_t, std::uint64_t) { return true; },
      [&take](const Product& product) { return take(product) ? Next::end : Next::nothing; });
}

template <class Wants, class Take>
void ProductFinder::for_each_of(const Wants& wants, const Take& take) const {
  std::array<std::size_t, 2> start{}, first_end{};  // into the places of each primer
  std::array<std::uint64_t, primer_roles> least{};
  for (std::size_t i = 0; i < primer_roles; ++i)
    least[i] = least_of(roles[i]);
  Product product;
  while (true) {
    // The next start, of one primer or both.
    std::uint64_t at = unlimited;
    for (std::size_t p = 0; p < 2; ++p) {
      const std::vector<Hit>& starts = places_[p]->starts;
      if (start[p] < starts.size()) at = std::min(at, starts[start[p]].position());
    }
    if (at == unlimited) return;
    Here here{};
    for (std::size_t p = 0; p < 2; ++p) {
      const std::vector<Hit>& starts = places_[p]->starts;
      if (start[p] < starts.size() && starts[start[p]].position() == at)
        here[p] = &starts[start[p]++];
    }
    product.start = at;
    product.record = axis_.record_from(product.record, at);
    const std::uint64_t last = axis_.last_end(product.record, at, rules_.most);
    if (!wants(here, at, last)) continue;
    // The ends of both primers, merged.
    std::array<std::size_t, 2> next{};
    for (std::size_t p = 0; p < 2; ++p) {
      const std::vector<Hit>& ends = places_[p]->ends;
      while (first_end[p] < ends.size() && ends[first_end[p]].position() < at + rules_.least)
        ++first_end[p];
      next[p] = first_end[p];
    }
    for (Next then = Next::end; then == Next::end;) {
      std::uint64_t end = unlimited;
      for (std::size_t p = 0; p < 2; ++p) {
        const std::vector<Hit>& ends = places_[p]->ends;
        if (next[p] < ends.size()) end = std::min(end, ends[next[p]].position());
      }
      if (end > last) break;
      Here there{};
      for (std::size_t p = 0; p < 2; ++p) {
        const std::vector<Hit>& ends = places_[p]->ends;
        if (next[p] < ends.size() && ends[next[p]].position() == end) there[p] = &ends[next[p]++];
      }
      product.end = end;
      for (std::size_t i = 0; i < primer_roles && then == Next::end; ++i) {
        const Hit *const a = here[roles[i].start], *const b = there[roles[i].end];
        if (a == nullptr || b == nullptr || product.length() < least[i]) continue;
        product.start_mismatches = a->mismatches();
        product.end_mismatches = b->mismatches();
        product.roles = static_cast<PrimerRoles>(i);
        then = take(product);
        if (then == Next::nothing) return;
      }
    }
  }
}

template <class Take>
void ProductFinder::for_fewest_mismatches(std::vector<std::uint64_t> counts, std::uint64_t most,
                                          const Take& take) const {
  std::uint64_t left = 0;
  bool all = true;
  for (std::uint64_t& of_class : counts) {
    all = all && of_class <= most - left;
    of_class = std::min(of_class, most - left);
    left += of_class;
  }
  if (left == 0) return;
  const auto take_all = [&take](const Product& product) {
    take(product);
    return true;
  };
  if (all) return for_each(take_all);
  std::vector<EndsWithin> within;  // by roles
  within.reserve(roles.size());
  for (const Roles& of : roles)
    within.emplace_back(places_[of.end]->ends, rules_.mismatches);
  std::uint64_t wanted = 0;  // products of a start, of classes that are not used up
  const auto wants = [&](const Here& here, std::uint64_t at, std::uint64_t last) {
    wanted = 0;
    for (std::size_t i = 0; i < primer_roles; ++i) {
      const Hit* const a = here[roles[i].start];
      if (a == nullptr) continue;
      within[i].move(at + least_of(roles[i]), last);
      for (std::size_t m = 0; m <= rules_.mismatches; ++m)
        if (counts[a->mismatches() + m] != 0) wanted += within[i][m];
    }
    return wanted != 0;
  };
  for_each_of(wants, [&](const Product& product) {
    std::uint64_t& of_class = counts[product.mismatches()];
    if (of_class == 0) return Next::end;
    --of_class;
    take(product);
    if (--left == 0) return Next::nothing;
    return --wanted == 0 ? Next::start : Next::end;
  });
}

}  // namespace gsx
