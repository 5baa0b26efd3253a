#include "index/store/page_sums.hpp"

#include <xxhash.h>

#include <algorithm>
#include <string>

#include "base/bits.hpp"
#include "base/parallel.hpp"
#include "index/store/checksum.hpp"
#include "index/store/sections.hpp"

namespace gsx {
namespace {

using Bytes = std::span<const std::uint8_t>;

Bytes piece_of(Bytes bytes, std::uint64_t number, std::uint64_t size) {
  const std::uint64_t begin = number * size;
  return bytes.subspan(begin, std::min<std::uint64_t>(size, bytes.size() - begin));
}

std::uint64_t hash_of(Bytes bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::uint64_t padded(std::uint64_t bytes) {
  return divide_up(bytes, section_alignment) * section_alignment;
}

/// The sum of bytes [begin, end) of a file. `section` is the first that has some of them.
std::uint64_t sum_across(std::span<const PlacedSection> sections, std::size_t section,
                         std::uint64_t begin, std::uint64_t end) {
  const auto [offset, bytes] = sections[section];
  if (end <= offset + bytes.size()) return hash_of(bytes.subspan(begin - offset, end - begin));
  std::vector<std::uint8_t> page(end - begin);  // zeros, as the padding
  for (; section < sections.size() && sections[section].offset < end; ++section) {
    const PlacedSection& one = sections[section];
    const std::uint64_t from = std::max(begin, one.offset);
    const std::uint64_t to = std::min<std::uint64_t>(end, one.offset + one.bytes.size());
    if (from >= to) continue;
    const Bytes part = one.bytes.subspan(from - one.offset, to - from);
    std::copy(part.begin(), part.end(), page.begin() + static_cast<std::ptrdiff_t>(from - begin));
  }
  return hash_of(page);
}

template <class T>
std::span<const T> array_of(const SectionTable& table, const SectionEntry& entry) {
  const Bytes bytes = table.bytes(entry);
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

void require_size(const SectionTable& table, const SectionEntry& entry, std::uint64_t bytes) {
  if (entry.bytes == page_sums_bytes(bytes)) return;
  table.corrupt("section '" + std::string(entry.name) + "' has the wrong size");
}

}  // namespace

std::vector<std::uint64_t> page_sums_of(Bytes bytes, int threads) {
  std::vector<std::uint64_t> sums(divide_up(bytes.size(), page_bytes));
  parallel_for(threads, sums.size(),
               [&](std::uint64_t i, int) { sums[i] = hash_of(piece_of(bytes, i, page_bytes)); });
  return sums;
}

FileSums sums_of(std::span<const PlacedSection> sections, int threads) {
  if (sections.empty()) return {};
  const std::uint64_t begin = sections.front().offset;
  const std::uint64_t end = sections.back().offset + padded(sections.back().bytes.size());
  FileSums sums;
  sums.pages.resize(divide_up(end - begin, page_bytes));
  std::vector<std::uint64_t> firsts{0};  // the first piece of each section
  for (const PlacedSection& section : sections)
    firsts.push_back(firsts.back() + divide_up(section.bytes.size(), checksum_piece));
  std::vector<std::uint64_t> pieces(firsts.back());
  parallel_for(threads, pieces.size(), [&](std::uint64_t i, int) {
    const auto after = std::upper_bound(firsts.begin(), firsts.end(), i);
    const auto section = static_cast<std::size_t>(after - firsts.begin() - 1);
    const Bytes piece = piece_of(sections[section].bytes, i - firsts[section], checksum_piece);
    pieces[i] = hash_of(piece);
    // Each page begins in one piece: a multiple of 64 is never in the padding.
    const std::uint64_t from =
        sections[section].offset + (i - firsts[section]) * checksum_piece - begin;
    for (std::uint64_t page = divide_up(from, page_bytes); page * page_bytes < from + piece.size();
         ++page) {
      const std::uint64_t at = begin + page * page_bytes;
      sums.pages[page] = sum_across(sections, section, at, std::min(end, at + page_bytes));
    }
  });
  for (std::size_t s = 0; s < sections.size(); ++s) {
    const std::span<const std::uint64_t> own(pieces.data() + firsts[s], firsts[s + 1] - firsts[s]);
    sums.sections.push_back(XXH3_64bits(own.data(), own.size_bytes()));
  }
  return sums;
}

std::optional<PageSums> PageSums::of(const SectionTable& table) {
  const SectionEntry* const sums = table.find(Section::page_sums);
  const SectionEntry* const sums_of_sums = table.find(Section::page_sum_sums);
  if (sums == nullptr && sums_of_sums == nullptr) return std::nullopt;
  if (sums == nullptr || sums_of_sums == nullptr) table.corrupt("it has half of the sums of pages");
  PageSums pages;
  pages.begin_ = table.header().header_bytes;
  pages.pages_ = table.file().subspan(pages.begin_, sums->offset - pages.begin_);
  require_size(table, *sums, pages.pages_.size());
  require_size(table, *sums_of_sums, sums->bytes);
  table.check(*sums_of_sums, 1);
  pages.sums_ = array_of<std::uint64_t>(table, *sums);
  pages.stretch_sums_ = array_of<std::uint64_t>(table, *sums_of_sums);
  return pages;
}

Bytes PageSums::page(std::uint64_t number) const {
  return piece_of(pages_, number, page_bytes);
}

bool PageSums::is_right(std::uint64_t page) const {
  return hash_of(this->page(page)) == sums_[page];
}

bool PageSums::is_right_stretch(std::uint64_t stretch) const {
  const Bytes all(reinterpret_cast<const std::uint8_t*>(sums_.data()), sums_.size_bytes());
  return hash_of(piece_of(all, stretch, page_bytes)) == stretch_sums_[stretch];
}

std::string wrong_page_sum(const SectionTable& table, std::uint64_t page) {
  const std::uint64_t begin = table.header().header_bytes + page * page_bytes;
  std::string in;
  for (const SectionEntry& entry : table.entries())
    if (entry.bytes > 0 && entry.offset <= begin) in = entry.name;
  return "section 'page_sums' has a wrong sum of page " + std::to_string(page) +
         ", which begins in section '" + in + "'";
}

}  // namespace gsx
