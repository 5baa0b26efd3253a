#include "index/store/section_table.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "index/store/checksum.hpp"
#include "index/store/corrupt_index.hpp"
#include "index/store/sections.hpp"

namespace gsx {

SectionTable::SectionTable(std::string path, std::span<const std::uint8_t> file)
    : path_(std::move(path)), file_(file) {
  read_header();
  read_entries();
}

void SectionTable::read_header() {
  if (file_.size() < index_magic.size() ||
      std::memcmp(file_.data(), index_magic.data(), index_magic.size()) != 0) {
    const bool cut = file_.size() < index_magic.size() &&
                     std::equal(file_.begin(), file_.end(), index_magic.begin()) && !file_.empty();
    if (cut) corrupt("it ends within its header");
    throw ForeignIndexError("'" + printable(path_) + "' is " +
                            (file_.empty() ? "empty, not a gsx index" : "not a gsx index") +
                            "; make one with gsx index");
  }
  if (file_.size() < sizeof(IndexHeader)) corrupt("it ends within its header");
  IndexHeader header;
  std::memcpy(&header, file_.data(), sizeof header);
  // Check the header's checksum before trusting anything it says, its version included.
  if (header.header_bytes < sizeof header || header.header_bytes > file_.size() ||
      header_checksum(file_.first(header.header_bytes)) != header.checksum) {
    corrupt("it is truncated or its header is damaged");
  }
  if (header.version != format_version) {
    throw ForeignIndexError(
        "index '" + printable(path_) + "' has format version " + std::to_string(header.version) +
        "; this gsx (" GSX_VERSION ") reads version " + std::to_string(format_version) +
        ": rebuild the index with this gsx, or use the gsx that made it");
  }
  if (header.byte_order != byte_order_stamp) {
    throw ForeignIndexError("index '" + printable(path_) +
                            "' was written with another byte order; rebuild it on this machine");
  }
  if (header.file_bytes != file_.size()) {
    corrupt("it has " + std::to_string(file_.size()) + " bytes where " +
            std::to_string(header.file_bytes) + " were written (a copy cut short?)");
  }
  if (header.header_bytes != sizeof header + header.sections * sizeof(SectionEntry)) {
    corrupt("its section table does not describe the file");
  }
  entries_ = {reinterpret_cast<const SectionEntry*>(file_.data() + sizeof header), header.sections};
  if (!is_zero(header.zero)) corrupt("its header has bytes where zeros belong");
}

void SectionTable::read_entries() {
  std::set<std::string_view> names;
  std::uint64_t offset = header().header_bytes;
  for (const SectionEntry& entry : entries_) {
    if (entry.offset != offset || entry.bytes > file_.size() - offset ||
        entry.padded_bytes() > file_.size() - offset || !is_zero_padded(entry.name) ||
        !is_zero(entry.zero)) {
      corrupt("its section table does not describe the file");
    }
    if (!names.insert(entry.name).second) {
      corrupt("it has two sections '" + printable(entry.name) + "'");
    }
    offset += entry.padded_bytes();
  }
  if (offset != file_.size()) corrupt("its sections do not fill the file");
}

const SectionEntry* SectionTable::find(Section section, std::uint32_t level) const {
  const std::string name = name_of(section, level);
  const auto found =
      std::ranges::find_if(entries_, [&](const SectionEntry& entry) { return name == entry.name; });
  return found == entries_.end() ? nullptr : &*found;
}

const SectionEntry& SectionTable::at(Section section, std::uint32_t level) const {
  const SectionEntry* const entry = find(section, level);
  if (entry == nullptr) corrupt("it has no section '" + name_of(section, level) + "'");
  return *entry;
}

void SectionTable::corrupt(const std::string& why) const {
  throw_corrupt_index(path_, why);
}

void SectionTable::check(const SectionEntry& entry, int threads) const {
  const auto padded = file_.subspan(entry.offset, entry.padded_bytes());
  if (checksum(padded.first(entry.bytes), threads) == entry.checksum &&
      is_zero(padded.subspan(entry.bytes)))
    return;
  corrupt("section '" + printable(entry.name) + "' does not match its checksum");
}

}  // namespace gsx
