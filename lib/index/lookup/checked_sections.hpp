// Sections of an index file, of which each page is checked before it is read.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/packed.hpp"
#include "bytes/mapped_file.hpp"
#include "index/store/page_sums.hpp"
#include "index/store/section_table.hpp"
#include "index/store/sections.hpp"

namespace gsx {

/// Maps an index file and gives its bytes once they are proved by the checksum of the header: of a
/// file with sums of pages, those pages that are asked for; of any other, whole sections. Checks
/// nothing twice. Any thread may ask. It never moves.
class CheckedSections {
 public:
  /// Checks the header, the section table and page_sum_sums. Throws what Index::open() throws for
  /// these. `threads` check whole sections. Cost: some microseconds.
  CheckedSections(const std::string& path, int threads);
  CheckedSections(const CheckedSections&) = delete;
  CheckedSections& operator=(const CheckedSections&) = delete;

  const SectionTable& table() const { return table_; }
  /// The place of a section in the table of the file; that must have it.
  std::size_t number_of(const SectionEntry& entry) const {
    return static_cast<std::size_t>(&entry - table_.entries().data());
  }
  /// Checks bytes [begin, end) of a section, given by its number. Throws CorruptIndexError that
  /// names the section that is wrong. Pre: they are within the section. Cost: 10 us per page that
  /// has not been checked, some nanoseconds for the others.
  void require(std::size_t section, std::uint64_t begin, std::uint64_t end) const {
    if (whole_[section].load(std::memory_order_acquire)) return;
    if (begin < end) require_some(section, begin, end);
  }
  /// Checks whole sections on all threads, if the file has them. After that, require() costs a
  /// nanosecond. Cost: one pass over them.
  void require_whole(std::span<const Section> sections) const;

  /// Throws CorruptIndexError if the file has been written to since it was opened: see
  /// Index::require_unchanged(). Cost: one system call; after a change of the file's mode or name,
  /// one pass over what has been checked before.
  void require_unchanged() const;

 private:
  using Bits = std::unique_ptr<std::atomic<std::uint64_t>[]>;

  void require_some(std::size_t section, std::uint64_t begin, std::uint64_t end) const;
  void require_page(std::uint64_t page) const;
  [[noreturn]] void refuse_page(std::uint64_t page) const;
  bool is_as_checked() const;

  MappedFile file_;
  SectionTable table_;
  std::optional<PageSums> pages_;
  int threads_;
  std::vector<std::uint8_t> head_;  ///< the header and the table, as they were checked

  // What has been checked.
  std::unique_ptr<std::atomic<bool>[]> whole_;  ///< sections
  Bits right_pages_;
  Bits right_stretches_;

  mutable std::mutex mutex_;
  mutable FileStamp stamp_;  ///< the content was as checked when the file had this stamp
};

/// A section of elements of T. Refers to the sections, which must outlive it.
template <class T>
class CheckedArray {
 public:
  CheckedArray() = default;
  /// Empty if the file has no such section. Pre: meta_of() has found the sizes right.
  CheckedArray(const CheckedSections& sections, Section section) {
    const SectionEntry* const entry = sections.table().find(section);
    if (entry == nullptr) return;
    sections_ = &sections;
    number_ = sections.number_of(*entry);
    const auto bytes = sections.table().bytes(*entry);
    values_ = {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  std::uint64_t size() const { return values_.size(); }
  /// Pre: i < size().
  const T& operator[](std::uint64_t i) const { return part(i, i + 1)[0]; }
  /// Elements [begin, end). Pre: begin <= end <= size().
  std::span<const T> part(std::uint64_t begin, std::uint64_t end) const {
    if (begin < end) sections_->require(number_, begin * sizeof(T), end * sizeof(T));
    return values_.subspan(begin, end - begin);
  }
  std::span<const T> all() const { return part(0, size()); }

 private:
  const CheckedSections* sections_ = nullptr;
  std::size_t number_ = 0;
  std::span<const T> values_;
};

/// A packed section. Refers to the sections, which must outlive it.
class CheckedPacked {
 public:
  CheckedPacked() = default;
  /// Empty if the file has no such section. Pre: meta_of() has found the sizes right.
  CheckedPacked(const CheckedSections& sections, Section section, const Meta& meta) {
    const SectionEntry* const entry = sections.table().find(section);
    if (entry == nullptr) return;
    sections_ = &sections;
    number_ = sections.number_of(*entry);
    const SectionKind& kind = kind_of(section);
    view_ = {sections.table().bytes(*entry).data(), kind.items(meta),
             static_cast<std::uint32_t>(kind.item_bits(meta))};
  }
  std::uint64_t operator[](std::uint64_t i) const { return part(i, i + 1)[i]; }
  /// The packed numbers, of which [begin, end) may be read. Pre: begin <= end <= their number.
  const PackedView& part(std::uint64_t begin, std::uint64_t end) const {
    if (begin < end)
      sections_->require(number_, begin * view_.bits / 8, divide_up(end * view_.bits, 8));
    return view_;
  }

 private:
  const CheckedSections* sections_ = nullptr;
  std::size_t number_ = 0;
  PackedView view_;
};

}  // namespace gsx
