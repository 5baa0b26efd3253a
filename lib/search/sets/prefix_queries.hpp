// Asks a PrefixSet about sequences, and sequences whether they can be in one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "search/sets/prefix_set.hpp"

namespace gsx {

/// Why a sequence cannot be in a set, in words that follow it: "is empty"; empty if it can.
std::string why_no_entry(std::string_view sequence);

/// Writes for each sequence the index of the longest sequence of the set that it begins with, or
/// PrefixSetView::none. Pre: found.size() == sequences.size(). Cost: two or three cache lines per
/// sequence, for 32 sequences at the same time.
void find_longest_prefixes(const PrefixSet& set, std::span<const std::string_view> sequences,
                           std::span<std::uint32_t> found);
/// Asks on at most `threads` threads at a time.
void find_longest_prefixes(const PrefixSet& set, std::span<const std::string_view> sequences,
                           std::span<std::uint32_t> found, int threads);

}  // namespace gsx
