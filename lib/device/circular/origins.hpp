// The origins of circular records, searched for patterns of any length.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "device/circular/junctions.hpp"

namespace gsx {

/// The places that span the origins of circular records. Junctions are made when a pattern first
/// needs them, for patterns of at most twice its length, so that short patterns are not sought in
/// the wide surroundings of long ones. Several threads may call const functions at once.
class Origins {
 public:
  /// `circular` are the numbers of the records, ascending. Refers to the text. Pre: it is DNA.
  Origins(const TextView& text, const RecordsView& records, std::span<const std::uint64_t> circular,
          const JunctionOptions& options);

  /// Calls take(pattern, hit) for each place that spans an origin, those of a pattern in output
  /// order; the patterns come in any order. `stream(junctions, patterns, sink)` searches some of
  /// the patterns. `Set` is Patterns or SetPatterns.
  template <class Set, class Stream, class Take>
  void visit(const Set& patterns, const Stream& stream, const Take& take) const;

 private:
  static constexpr std::size_t most_classes = 65;

  /// The junctions for the lengths that need so many bits.
  const Junctions& junctions(std::size_t size_class) const;
  /// The class of a length; 0 if no place of that length spans an origin.
  std::size_t class_of(std::uint64_t length) const;

  struct Class {
    std::once_flag made;
    std::unique_ptr<const Junctions> junctions;
  };

  TextView text_;
  std::vector<Circle> circles_;
  std::uint64_t longest_ = 0;  ///< of the circles
  JunctionOptions options_;
  mutable std::mutex making_;
  mutable std::uint64_t bytes_ = 0;  ///< of all junctions; guarded by making_
  mutable std::array<Class, most_classes> classes_;
};

namespace detail {

/// Some patterns of a set, copied.
template <class Set>
struct GatheredPatterns {
  using Symbol = std::remove_cvref_t<decltype(std::declval<Set>()[0][0])>;
  std::vector<Symbol> symbols;
  std::vector<std::uint64_t> ends;
  std::vector<std::size_t> numbers;  ///< in the set

  void add(const Set& patterns, std::size_t number) {
    const auto pattern = patterns[number];
    symbols.insert(symbols.end(), pattern.begin(), pattern.end());
    ends.push_back(symbols.size());
    numbers.push_back(number);
  }
  Set patterns() const { return {symbols, ends}; }
};

}  // namespace detail

template <class Set, class Stream, class Take>
void Origins::visit(const Set& patterns, const Stream& stream, const Take& take) const {
  std::array<detail::GatheredPatterns<Set>, most_classes> gathered;
  for (std::size_t i = 0; i < patterns.size(); ++i)
    if (const std::size_t of = class_of(patterns[i].size()); of != 0) gathered[of].add(patterns, i);
  for (std::size_t of = 1; of < most_classes; ++of) {
    const detail::GatheredPatterns<Set>& some = gathered[of];
    if (some.numbers.empty()) continue;
    const Junctions& where = junctions(of);
    stream(where, some.patterns(), [&](const HitChunk& chunk) {
      std::uint64_t next = 0;
      for (std::size_t i = 0; i < chunk.patterns(); ++i) {
        const std::size_t number = some.numbers[chunk.first + i];
        for (; next < chunk.ends[i]; ++next) {
          const auto hit = where.spanning(chunk.hits[next], patterns[number].size());
          if (hit) take(number, *hit);
        }
      }
    });
  }
}

}  // namespace gsx
