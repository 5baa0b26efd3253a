// The sections of an index file as arrays of what they hold.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/packed.hpp"
#include "index/store/section_table.hpp"
#include "index/store/sections.hpp"

namespace gsx {

/// Pre: meta_of() has found the sizes of the sections right. Throws CorruptIndexError if there is
/// no such section. Refers to the bytes of the file, the table and the meta.
class SectionViews {
 public:
  SectionViews(const SectionTable& table, const Meta& meta) : table_(table), meta_(meta) {}

  template <class T>
  std::span<const T> array(Section section, std::uint32_t level = 0) const {
    const auto bytes = table_.bytes(table_.at(section, level));
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  std::string_view characters(Section section) const {
    const auto bytes = array<char>(section);
    return {bytes.data(), bytes.size()};
  }
  PackedView packed(Section section) const {
    const SectionKind& kind = kind_of(section);
    return {table_.bytes(table_.at(section)).data(), kind.items(meta_),
            static_cast<std::uint32_t>(kind.item_bits(meta_))};
  }

 private:
  const SectionTable& table_;
  const Meta& meta_;
};

}  // namespace gsx
