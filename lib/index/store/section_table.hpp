// The header and the section table of an index file.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/export.hpp"
#include "index/store/format.hpp"

namespace gsx {

enum class Section : std::uint8_t;

/// Where the sections of a file lie. Refers to its bytes.
class GSX_API SectionTable {
 public:
  SectionTable() = default;
  /// Checks magic, checksum of the header, version, byte order, sizes against the real size, and
  /// that the sections lie end to end; reads nothing behind the table. `path` is for messages.
  /// Throws ForeignIndexError for what is no gsx index, or one of another format version, and
  /// CorruptIndexError for a damaged one.
  SectionTable(std::string path, std::span<const std::uint8_t> file);

  const std::string& path() const { return path_; }
  std::span<const std::uint8_t> file() const { return file_; }
  const IndexHeader& header() const { return *reinterpret_cast<const IndexHeader*>(file_.data()); }
  std::span<const SectionEntry> entries() const { return entries_; }
  /// Null if the file has no such section; `level` is as in name_of().
  const SectionEntry* find(Section section, std::uint32_t level = 0) const;
  bool has(Section section) const { return find(section) != nullptr; }
  /// Throws CorruptIndexError if there is none.
  const SectionEntry& at(Section section, std::uint32_t level = 0) const;
  std::span<const std::uint8_t> bytes(const SectionEntry& entry) const {
    return file_.subspan(entry.offset, entry.bytes);
  }
  /// Throws CorruptIndexError if a section does not match its checksum, or if what pads it is not
  /// zero. Cost: one pass over it.
  void check(const SectionEntry& entry, int threads) const;
  /// Throws the CorruptIndexError of the file, which says why.
  [[noreturn]] void corrupt(const std::string& why) const;

 private:
  void read_header();
  void read_entries();

  std::string path_;
  std::span<const std::uint8_t> file_;
  std::span<const SectionEntry> entries_;
};

}  // namespace gsx
