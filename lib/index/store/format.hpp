// The gsx index file, format 4.
//
// All numbers are little-endian. A file is a header and sections, nothing else.
//
//   offset  bytes  header
//        0      8  magic "GSXINDEX"
//        8      4  format version, 4
//       12      4  byte order mark, 0x0A0B0C0D
//       16      8  bytes of the header with its section table (a multiple of 64)
//       24      8  bytes of the whole file
//       32      8  checksum of the header, computed with this field zero
//       40      4  number of sections
//       44     20  zero
//       64   64 k  section table
//
//   offset  bytes  entry of the section table
//        0     24  name, zero padded
//       24      8  offset in the file (a multiple of 64)
//       32      8  bytes, without padding
//       40      8  checksum of the bytes
//       48     16  zero
//
// The first 64 bytes, and the checksum of the header, keep this meaning in every version, so any
// gsx can tell a file of another version from a damaged one. Sections follow the header in table
// order, without gaps, each padded with zeros to 64 bytes: exactly one checksum covers each byte of
// the file. A checksum is the XXH3-64 of the XXH3-64 values (8 bytes each) of the pieces of 4 MiB,
// so that threads can share the work. Sums of pages (index/store/page_sums.hpp) let a reader check
// less than a section.
//
// index/store/sections.hpp has the table of the sections, and FORMAT.md what they hold. Packed
// arrays (base/packed.hpp) end with 16 bytes of slack.
#pragma once

#include <cstdint>
#include <string_view>

#include "text/text.hpp"

namespace gsx {

inline constexpr std::string_view index_magic = "GSXINDEX";
inline constexpr std::uint32_t format_version = 4;
inline constexpr std::uint32_t byte_order_stamp = 0x0A0B0C0D;
inline constexpr std::uint64_t section_alignment = 64;

struct IndexHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t byte_order;
  std::uint64_t header_bytes;
  std::uint64_t file_bytes;
  std::uint64_t checksum;
  std::uint32_t sections;
  std::uint8_t zero[20];
};
static_assert(sizeof(IndexHeader) == 64);

struct SectionEntry {
  char name[24];
  std::uint64_t offset;
  std::uint64_t bytes;
  std::uint64_t checksum;
  std::uint8_t zero[16];

  std::uint64_t padded_bytes() const {
    return (bytes + section_alignment - 1) / section_alignment * section_alignment;
  }
};
static_assert(sizeof(SectionEntry) == 64);

/// Determines the sizes of the other sections, and says which program wrote the index.
struct Meta {
  char gsx_version[32];  ///< of the program that wrote the file, zero padded
  std::uint64_t length;  ///< n, separators included
  std::uint64_t segments;
  std::uint64_t records;
  std::uint64_t gaps;
  std::uint64_t literals;
  SymbolCounts counts;   ///< lower_case: only those that `literals` or case_runs keep
  std::uint32_t policy;  ///< SymbolPolicy
  std::uint32_t sigma;
  std::uint32_t sample_rate;
  std::uint32_t soft_mask_split;
  std::uint32_t kmer_length;
  std::uint32_t zero[3];
};
static_assert(sizeof(Meta) == 152);

}  // namespace gsx
