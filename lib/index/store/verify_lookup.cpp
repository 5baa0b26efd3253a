#include "index/store/verify_lookup.hpp"

#include <algorithm>
#include <atomic>

#include "base/parallel.hpp"
#include "index/store/name_table.hpp"
#include "index/store/page_sums.hpp"
#include "index/store/sections.hpp"

namespace gsx {

void verify_page_sums(const Index& index, int threads) {
  const SectionTable& table = index.section_table();
  const auto pages = PageSums::of(table);
  if (!pages) return;
  for (std::uint64_t stretch = 0; stretch < pages->stretches(); ++stretch) {
    if (!pages->is_right_stretch(stretch))
      table.corrupt("section 'page_sum_sums' does not fit section 'page_sums'");
  }
  std::atomic<std::uint64_t> wrong{pages->size()};  // the first page
  parallel_for(threads, pages->size(), [&](std::uint64_t page, int) {
    if (pages->is_right(page)) return;
    std::uint64_t first = wrong;
    while (page < first && !wrong.compare_exchange_weak(first, page)) {
    }
  });
  if (wrong < pages->size()) table.corrupt(wrong_page_sum(table, wrong));
}

void verify_name_table(const Index& index, int threads) {
  const SectionTable& table = index.section_table();
  if (!table.has(Section::name_hashes)) return;
  const NameTable right = name_table_of(index.records(), threads);
  const auto differs = [&](Section section, std::span<const std::uint8_t> bytes) {
    return !std::ranges::equal(table.bytes(table.at(section)), bytes);
  };
  const std::span<const std::uint32_t> hashes(right.hashes);
  const std::span<const std::uint8_t> hash_bytes(
      reinterpret_cast<const std::uint8_t*>(hashes.data()), hashes.size_bytes());
  if (differs(Section::name_hashes, hash_bytes))
    table.corrupt("section 'name_hashes' does not have the hashes of its names");
  if (differs(Section::name_records, right.records.bytes()))
    table.corrupt("section 'name_records' does not have the records of its names");
}

}  // namespace gsx
