// What a search for repeats asks for, and what it finds.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace gsx {

struct RepeatRequest {
  std::uint64_t min_length = 100;       ///< symbols, at least 1
  bool supermaximal = false;            ///< only repeats that are part of no other
  std::uint64_t min_count = 2;          ///< places, at least 2
  std::uint64_t max_places = no_limit;  ///< given of each repeat, at least 1

  static constexpr std::uint64_t no_limit = ~std::uint64_t{0};
};

/// A place of a repeat: where it begins on the forward strand, as a position of the text, and
/// whether its reverse complement is there.
struct RepeatPlace {
  std::uint64_t begin;
  bool reverse;

  friend bool operator==(const RepeatPlace&, const RepeatPlace&) = default;
};

/// A string that repeats, and where. Valid during the call that gives it.
struct Repeat {
  std::uint64_t length;
  std::uint64_t count;                  ///< places in all
  std::span<const RepeatPlace> places;  ///< in the order of the text; at most max_places
};
using TakeRepeat = std::function<void(const Repeat& repeat)>;

/// Two places of `length` symbols, first <= second, that have the same symbols, or the reverse
/// complements of one another, and cannot both be made longer on either side. Only a string that is
/// its own reverse complement makes a pair with itself.
struct RepeatPair {
  std::uint64_t length;
  std::uint64_t first, second;
  bool reverse;

  friend auto operator<=>(const RepeatPair&, const RepeatPair&) = default;
};
using TakeRepeatPair = std::function<void(const RepeatPair& pair)>;

}  // namespace gsx
