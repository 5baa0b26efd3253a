// An index file as bytes, which a test may damage and then seal with right checksums, or not.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "index/store/checksum.hpp"
#include "index/store/format.hpp"
#include "index/store/index.hpp"
#include "index/store/page_sums.hpp"
#include "support/files.hpp"

namespace gsx::testing {

class IndexFile {
 public:
  explicit IndexFile(std::string file) : bytes(std::move(file)) {}

  std::string bytes;

  template <class T>
  T get(std::size_t at) const {
    T value{};
    require(at, sizeof value);
    bytes.copy(reinterpret_cast<char*>(&value), sizeof value, at);
    return value;
  }
  template <class T>
  void set(std::size_t at, const T& value) {
    require(at, sizeof value);
    bytes.replace(at, sizeof value, reinterpret_cast<const char*>(&value), sizeof value);
  }

  IndexHeader header() const { return get<IndexHeader>(0); }
  std::size_t entry_at(std::size_t section) const {
    return sizeof(IndexHeader) + section * sizeof(SectionEntry);
  }
  SectionEntry entry(std::size_t section) const { return get<SectionEntry>(entry_at(section)); }
  std::size_t find(std::string_view name) const {
    for (std::size_t s = 0; s < header().sections; ++s) {
      if (name == entry(s).name) return s;
    }
    throw std::logic_error("no section " + std::string(name));
  }
  /// Offset of the bytes of a section.
  std::size_t at(std::string_view name) const { return entry(find(name)).offset; }
  Meta meta() const { return get<Meta>(at("meta")); }

  void change_header(const std::function<void(IndexHeader&)>& change) {
    IndexHeader changed = header();
    change(changed);
    set(0, changed);
  }
  void change_entry(std::size_t section, const std::function<void(SectionEntry&)>& change) {
    SectionEntry changed = entry(section);
    change(changed);
    set(entry_at(section), changed);
  }
  void change_meta(const std::function<void(Meta&)>& change) {
    Meta changed = meta();
    change(changed);
    set(at("meta"), changed);
  }

  /// Corrects the sums of pages, if the file has sections of the right sizes for them.
  void seal_pages() {
    std::optional<SectionEntry> sums, sums_of_sums;
    for (std::size_t s = 0; s < header().sections && entry_at(s + 1) <= bytes.size(); ++s) {
      const SectionEntry found = entry(s);
      if (!lies_within(found) || found.offset < header().header_bytes) continue;
      if (std::string_view(found.name) == "page_sums") sums = found;
      if (std::string_view(found.name) == "page_sum_sums") sums_of_sums = found;
    }
    const std::size_t begin = header().header_bytes;
    if (!sums || !sums_of_sums || begin > sums->offset) return;
    const auto fill = [&](const SectionEntry& section, std::size_t from, std::size_t count) {
      if (section.bytes != page_sums_bytes(count)) return;
      std::size_t at = section.offset;
      for (const std::uint64_t sum : page_sums_of(span(from, count))) {
        set(at, sum);
        at += sizeof sum;
      }
    };
    fill(*sums, begin, sums->offset - begin);
    fill(*sums_of_sums, sums->offset, sums->bytes);
  }
  /// Corrects the checksums of all sections whose entries and bytes lie within the file.
  void seal_sections() {
    seal_pages();
    seal_but_pages();
  }
  /// Corrects all checksums, and leaves the sums of pages as they are.
  void seal_but_pages() {
    for (std::size_t s = 0; s < header().sections; ++s) {
      if (entry_at(s + 1) > bytes.size()) break;
      change_entry(s, [&](SectionEntry& entry) {
        if (!lies_within(entry)) return;
        entry.checksum = checksum(span(entry.offset, entry.bytes), 1);
      });
    }
    seal_header();
  }
  /// Corrects the checksum of the header, if the header lies within the file.
  void seal_header() {
    if (header().header_bytes > bytes.size() || header().header_bytes < sizeof(IndexHeader)) return;
    change_header([&](IndexHeader& changed) {
      changed.checksum = header_checksum(span(0, changed.header_bytes));
    });
  }
  void seal() {
    seal_sections();
    seal_header();
  }
  std::span<const std::uint8_t> span(std::size_t begin, std::size_t count) const {
    return {reinterpret_cast<const std::uint8_t*>(bytes.data()) + begin, count};
  }

 private:
  bool lies_within(const SectionEntry& entry) const {
    return entry.offset <= bytes.size() && entry.bytes <= bytes.size() - entry.offset;
  }
  void require(std::size_t at, std::size_t count) const {
    if (at > bytes.size() || count > bytes.size() - at) throw std::logic_error("beyond the file");
  }
};

/// What Index::open() makes of a file.
enum class Verdict { accepted, foreign, corrupt, other };

inline Verdict verdict_on_path(const std::string& path) {
  try {
    Index::open(path, Load::map, 1);
    return Verdict::accepted;
  } catch (const ForeignIndexError&) {
    return Verdict::foreign;
  } catch (const CorruptIndexError&) {
    return Verdict::corrupt;
  } catch (...) {
    return Verdict::other;  // a bad file must not cause any other error
  }
}

inline Verdict verdict_on(const TemporaryFolder& folder, std::string_view bytes) {
  // A file that is truncated and written again is flushed to the disk at once; a new file is not.
  std::filesystem::remove(folder / "judged.gsx");
  return verdict_on_path(folder.write("judged.gsx", bytes));
}

}  // namespace gsx::testing
