// What is known of neighbours: sequences that differ in few symbols.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/host_device.hpp"

namespace gsx {

/// Whether the rarer of two neighbours may come from the other one by errors: a >= 2b - 1, the rule
/// of directional networks (Smith, Heger and Sudbery, 2017).
GSX_HD bool explains(std::uint64_t a, std::uint64_t b) {
  return b <= a / 2 + (a & 1);
}

/// Which neighbours of a sequence are listed with it.
enum class NeighborKind : std::uint8_t {
  later,        ///< those that follow it in the set: so each pair is listed once
  explained,    ///< those whose counts it explains()
  explanations  ///< those that are more frequent and explain its count
};

/// Whether a sequence that comes `count` times lists a neighbour that comes `other` times. Pre: the
/// kind is not `later`.
GSX_HD bool lists(NeighborKind kind, std::uint64_t count, std::uint64_t other) {
  if (kind == NeighborKind::explained) return explains(count, other);
  return other > count && explains(other, count);
}

/// The neighbours of sequences [begin, end) of a set, each list ascending.
struct NeighborChunk {
  std::uint64_t begin;
  std::uint64_t end;
  const std::uint64_t* offsets;  ///< [end - begin + 1], into `others`
  const std::uint32_t* others;   ///< numbers in the set, or in the second one

  std::span<const std::uint32_t> of(std::uint64_t i) const {
    return {others + offsets[i - begin], others + offsets[i - begin + 1]};
  }
};

/// A centroid and its other members, which its count explains, one step after another.
struct Cluster {
  std::uint32_t centroid;
  std::uint64_t count;  ///< of all members
  std::uint64_t begin;  ///< in the list of members, without the centroid
  std::uint64_t end;
};

struct Clusters {
  std::vector<Cluster> list;           ///< by falling count, then by centroid
  std::vector<std::uint32_t> members;  ///< of each cluster, by falling count, then by sequence

  std::span<const std::uint32_t> members_of(const Cluster& cluster) const {
    return {members.data() + cluster.begin, members.data() + cluster.end};
  }
};

enum class CorrectionKind : std::uint8_t {
  exact,      ///< the sequence is right
  corrected,  ///< another one is right
  ambiguous,  ///< several others may be
  unmatched   ///< no other one may be
};

struct Correction {
  CorrectionKind kind;
  std::uint8_t distance;  ///< to the target
  std::uint32_t target;   ///< if there is one: in the set, or in the whitelist

  bool has_target() const { return kind <= CorrectionKind::corrected; }
};

}  // namespace gsx
