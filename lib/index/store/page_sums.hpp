// Sums of the pages of an index file, by which a reader checks what it reads and no more.
//
//   page_sums       XXH3-64 of each page: of each 65,536 bytes from the end of the section table to
//                   the begin of page_sums
//   page_sum_sums   XXH3-64 of each 65,536 bytes of page_sums
//
// The header has the checksum of page_sum_sums. So the header, page_sum_sums (8 bytes per 512 MiB),
// the stretch of page_sums and the page prove a page.
// Memory: 0.012 % of the file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "index/store/section_table.hpp"

namespace gsx {

/// Bytes of a page, and of a stretch of page_sums.
inline constexpr std::uint64_t page_bytes = 65536;

/// Bytes of the sums of the pages of so many bytes.
constexpr std::uint64_t page_sums_bytes(std::uint64_t bytes) {
  return divide_up(bytes, page_bytes) * sizeof(std::uint64_t);
}

/// The sums of the pages of these bytes, the last of which may be shorter. Cost: one pass.
std::vector<std::uint64_t> page_sums_of(std::span<const std::uint8_t> bytes, int threads = 1);

/// A section as a file will have it.
struct PlacedSection {
  std::uint64_t offset;  ///< a multiple of 64
  std::span<const std::uint8_t> bytes;
};

/// Checksums of sections, and sums of the pages that they fill.
struct FileSums {
  std::vector<std::uint64_t> sections;  ///< as checksum() gives them
  std::vector<std::uint64_t> pages;
};

/// The sums of sections that lie end to end, padded with zeros to 64 bytes. Cost: one pass over
/// memory; the second look at a page finds it in the cache.
FileSums sums_of(std::span<const PlacedSection> sections, int threads);

/// The pages of a file. Refers to its bytes.
class PageSums {
 public:
  /// None if the file has no sums. Checks the sizes of their sections, and page_sum_sums against
  /// its checksum. Throws CorruptIndexError. Cost: one pass over page_sum_sums.
  static std::optional<PageSums> of(const SectionTable& table);

  /// Pages cover the bytes [begin(), end()) of the file.
  std::uint64_t begin() const { return begin_; }
  std::uint64_t end() const { return begin_ + pages_.size(); }
  std::uint64_t size() const { return sums_.size(); }
  /// The page that has a byte. Pre: begin() <= offset < end().
  std::uint64_t page_of(std::uint64_t offset) const { return (offset - begin_) / page_bytes; }
  std::span<const std::uint8_t> page(std::uint64_t number) const;
  /// Whether a page has its sum. Pre: the stretch that has this sum is right.
  bool is_right(std::uint64_t page) const;

  std::uint64_t stretches() const { return stretch_sums_.size(); }
  /// The stretch of page_sums that has the sum of a page.
  static std::uint64_t stretch_of(std::uint64_t page) {
    return page / (page_bytes / sizeof(std::uint64_t));
  }
  bool is_right_stretch(std::uint64_t stretch) const;

 private:
  PageSums() = default;

  std::uint64_t begin_ = 0;
  std::span<const std::uint8_t> pages_;
  std::span<const std::uint64_t> sums_;
  std::span<const std::uint64_t> stretch_sums_;
};

/// What is wrong with a file whose page does not have its sum, and all of whose sections have their
/// checksums: the sum, of a page that the section has bytes of.
std::string wrong_page_sum(const SectionTable& table, std::uint64_t page);

}  // namespace gsx
