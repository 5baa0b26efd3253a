#include "analysis/guides/bulges.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

namespace gsx {
namespace {

/// The next word over A, C, G and T; false after the last one.
bool next_word(std::string& word) {
  constexpr std::string_view bases = "ACGT";
  for (char& letter : word) {
    const std::size_t code = bases.find(letter);
    letter = bases[(code + 1) % bases.size()];
    if (code + 1 < bases.size()) return true;
  }
  return false;
}

}  // namespace

std::vector<Bulge> BulgeLimits::kinds() const {
  std::vector<Bulge> kinds = {0};
  for (std::uint32_t size = 1; size <= dna; ++size)
    kinds.push_back(static_cast<Bulge>(size));
  for (std::uint32_t size = 1; size <= rna; ++size)
    kinds.push_back(static_cast<Bulge>(-static_cast<int>(size)));
  return kinds;
}

std::string_view type_of(Bulge bulge) {
  if (bulge == 0) return "X";
  return bulge > 0 ? "DNA" : "RNA";
}

std::vector<std::string> site_classes(std::uint32_t mismatches, const BulgeLimits& limits) {
  std::vector<std::string> names;
  for (const Bulge bulge : limits.kinds()) {
    const std::string kind =
        bulge == 0 ? "" : fmt::format("{}{}_", bulge > 0 ? "dna" : "rna", size_of(bulge));
    for (std::uint32_t m = 0; m <= mismatches; ++m)
      names.push_back(fmt::format("{}n{}", kind, m));
  }
  return names;
}

BulgePlaces places_of(Bulge bulge, std::size_t guide_length, std::uint32_t mismatches) {
  const std::size_t removed = bulge < 0 ? size_of(bulge) : 0;
  if (guide_length < removed + 2 || guide_length - removed <= mismatches) return {};
  return {1, static_cast<std::uint32_t>(guide_length - removed)};
}

void for_each_with_bulge(std::string_view guide, Bulge bulge, std::uint32_t mismatches,
                         const TakeLetters& take) {
  const std::uint32_t added = bulge > 0 ? size_of(bulge) : 0;
  const std::uint32_t removed = bulge < 0 ? size_of(bulge) : 0;
  const BulgePlaces places = places_of(bulge, guide.size(), mismatches);
  std::string one;
  for (std::uint32_t before = places.first; before < places.last; ++before) {
    // One place earlier, it gives the same.
    const char other = removed == 0 ? 'N' : guide[before + removed - 1];
    if (before > places.first && guide[before - 1] == other) continue;
    one.assign(guide.substr(0, before)).append(added, 'N').append(guide.substr(before + removed));
    if (std::all_of(one.begin(), one.end(), [](char c) { return is_any(iupac_base_set(c)); }))
      continue;
    take(one);
  }
}

void for_each_with_bulge_of_bases(std::string_view guide, Bulge bulge, std::uint32_t mismatches,
                                  const TakeLetters& take) {
  if (bulge <= 0) return for_each_with_bulge(guide, bulge, mismatches, take);
  const BulgePlaces places = places_of(bulge, guide.size(), mismatches);
  std::string one;
  for (std::uint32_t before = places.first; before < places.last; ++before) {
    std::string word(size_of(bulge), 'A');
    do {
      // Adding the word in another order one place earlier gives the same.
      if (before > places.first && word.back() == guide[before - 1]) continue;
      one.assign(guide.substr(0, before)).append(word).append(guide.substr(before));
      take(one);
    } while (next_word(word));
  }
}

BulgeAlignment align_bulge(std::span<const BaseSet> guide, std::span<const std::uint8_t> codes,
                           Bulge bulge, std::uint32_t mismatches) {
  const std::uint32_t removed = bulge < 0 ? size_of(bulge) : 0;
  const BulgePlaces places = places_of(bulge, guide.size(), mismatches);
  BulgeAlignment best;
  if (places.first >= places.last) return best;
  const auto differ = [&](std::size_t i, std::size_t at) {
    return has_base(guide[i], codes[at]) ? 0u : 1u;
  };
  const auto behind = [bulge](std::size_t i) {
    return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(i) + bulge);
  };
  std::uint32_t now = differ(0, 0);
  std::size_t telling = is_any(guide[0]) ? 0 : 1;  // letters beside the bulge that are not N
  for (std::size_t i = 1 + removed; i < guide.size(); ++i) {
    now += differ(i, behind(i));
    telling += is_any(guide[i]) ? 0 : 1;
  }
  for (std::uint32_t before = places.first;;) {
    if (telling != 0 && now < best.mismatches) best = {now, before};
    // The next letter moves from behind the bulge, or out of it, to its front.
    const std::size_t in = before, out = before + removed;
    if (++before == places.last) return best;
    now += differ(in, in);
    now -= differ(out, behind(out));
    telling += is_any(guide[in]) ? 0 : 1;
    telling -= is_any(guide[out]) ? 0 : 1;
  }
}

}  // namespace gsx
