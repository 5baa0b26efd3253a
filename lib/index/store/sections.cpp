#include "index/store/sections.hpp"

#include <algorithm>

#include "arrays/rank/wavelet_matrix.hpp"

namespace gsx {
namespace {

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < section_table.size(); ++i) {
    if (section_table[i].section != Section{static_cast<std::uint8_t>(i)}) return false;
  }
  return section_table.size() == static_cast<std::size_t>(Section::page_sum_sums) + 1;
}
static_assert(is_in_order(),
              "sections stand in the order of the enumeration; the sums of pages are the last");

}  // namespace

std::string name_of(Section section, std::uint32_t level) {
  std::string name(kind_of(section).name);
  if (const std::size_t at = name.find('K'); at != name.npos)
    name.replace(at, 1, std::to_string(level));
  return name;
}

bool is_large_section(std::string_view name) {
  std::string kind_name(name);
  constexpr std::string_view level = "level";
  if (name.starts_with(level)) {
    const std::size_t end =
        std::min(name.find_first_not_of("0123456789", level.size()), name.size());
    const std::string_view number = name.substr(level.size(), end - level.size());
    if (number.empty() || (number[0] == '0' && number != "0")) return false;
    if (number != "0") kind_name.replace(level.size(), number.size(), "K");
  }
  return std::ranges::any_of(section_table, [&](const SectionKind& kind) {
    return kind.is_large && kind.name == kind_name;
  });
}

std::vector<SectionPlace> sections_in_order(const Meta& meta) {
  const auto bits = static_cast<std::uint32_t>(section_numbers::symbol_bits(meta));
  std::vector<SectionPlace> places;
  for (const SectionKind& kind : section_table) {
    if (kind.section == Section::level_superblocks) continue;  // after the blocks of each level
    if (kind.section != Section::level_blocks) {
      places.push_back({kind.section, 0});
      continue;
    }
    for (std::uint32_t level = 1; level < WaveletMatrix::level_count(bits); ++level) {
      places.push_back({Section::level_blocks, level});
      places.push_back({Section::level_superblocks, level});
    }
  }
  return places;
}

}  // namespace gsx
