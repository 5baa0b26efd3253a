#include "index/store/indexed_records.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "index/store/checksum.hpp"
#include "index/store/sections.hpp"

namespace gsx {
namespace {

[[noreturn]] void fail() {
  throw CorruptIndexError("it is damaged");
}

std::span<const SectionEntry> sections_of(std::span<const std::uint8_t> file) {
  IndexHeader header;
  if (file.size() < sizeof header) fail();
  std::memcpy(&header, file.data(), sizeof header);
  if (header.header_bytes < sizeof header || header.header_bytes > file.size() ||
      header_checksum(file.first(header.header_bytes)) != header.checksum) {
    fail();
  }
  if (header.version != format_version || header.byte_order != byte_order_stamp) {
    throw ForeignIndexError("it has another format");
  }
  if (header.header_bytes != sizeof header + header.sections * sizeof(SectionEntry)) fail();
  return {reinterpret_cast<const SectionEntry*>(file.data() + sizeof header), header.sections};
}

/// The bytes of a section, after checking them against its checksum.
std::span<const std::uint8_t> section(std::span<const std::uint8_t> file, Section wanted,
                                      int threads) {
  const std::string name = name_of(wanted);
  for (const SectionEntry& entry : sections_of(file)) {
    if (std::strncmp(entry.name, name.c_str(), sizeof entry.name) != 0) continue;
    if (entry.offset > file.size() || entry.bytes > file.size() - entry.offset) fail();
    const auto bytes = file.subspan(entry.offset, entry.bytes);
    if (checksum(bytes, threads) != entry.checksum) fail();
    return bytes;
  }
  fail();
}

template <class T>
std::span<const T> array(std::span<const std::uint8_t> bytes) {
  if (bytes.size() % sizeof(T) != 0) fail();
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

std::string shown(std::string_view name, std::uint64_t length) {
  return "'" + shown_name(name) + "' of " + std::to_string(length) + " symbols";
}

}  // namespace

bool begins_as_index(const std::string& path) {
  char magic[index_magic.size()] = {};
  std::ifstream(path, std::ios::binary).read(magic, sizeof magic);
  return std::string_view(magic, sizeof magic) == index_magic;
}

IndexedRecords IndexedRecords::open(const std::string& path, int threads) {
  IndexedRecords found;
  found.file_ = MappedFile(path);
  const auto file = found.file_.bytes();
  found.infos_ = array<RecordInfo>(section(file, Section::records, threads));
  found.name_ends_ = array<std::uint64_t>(section(file, Section::name_ends, threads));
  const auto names = section(file, Section::names, threads);
  found.names_ = {reinterpret_cast<const char*>(names.data()), names.size()};
  const auto& ends = found.name_ends_;
  if (ends.size() != found.infos_.size() || !std::is_sorted(ends.begin(), ends.end()) ||
      (ends.empty() ? 0 : ends.back()) != names.size()) {
    fail();
  }
  return found;
}

std::string_view IndexedRecords::name(std::uint64_t record) const {
  const std::uint64_t begin = record == 0 ? 0 : name_ends_[record - 1];
  return names_.substr(begin, name_ends_[record] - begin);
}

std::optional<std::string> IndexedRecords::difference(const RecordsView& others) const {
  const std::uint64_t both = std::min<std::uint64_t>(size(), others.size());
  for (std::uint64_t r = 0; r < both; ++r) {
    if (name(r) == others.name(r) && length(r) == others.infos[r].length) continue;
    return "record " + std::to_string(r + 1) + " is " + shown(name(r), length(r)) + " in it and " +
           shown(others.name(r), others.infos[r].length) + " in the input";
  }
  if (size() == others.size()) return std::nullopt;
  const bool more = others.size() > size();
  return "record " + std::to_string(both + 1) + " is " +
         (more ? shown(others.name(both), others.infos[both].length) + " in the input and not in it"
               : shown(name(both), length(both)) + " in it and not in the input");
}

std::optional<std::string> IndexedRecords::symbols_difference(const RecordsView& others) const {
  for (std::uint64_t r = 0; r < size(); ++r) {
    if (checksum(r) == others.infos[r].checksum) continue;
    return "record " + std::to_string(r + 1) + " is " + shown(name(r), length(r)) +
           " in both, with other symbols";
  }
  return std::nullopt;
}

}  // namespace gsx
