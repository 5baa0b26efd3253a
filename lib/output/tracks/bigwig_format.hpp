// The layout of a bigWig file (Kent et al., BigWig and BigBed: enabling browsing of large
// distributed datasets, Bioinformatics 26(17), 2010, and its supplement), little-endian:
//
//   header            64 bytes
//   zoom headers      room for most_zoom_levels of 24 bytes
//   total summary     40 bytes
//   chromosome tree   names to ids and lengths (bigwig_writer.cpp)
//   number of sections, 8 bytes, then the sections, each compressed
//   their index       (range_index.hpp)
//   for each zoom level: number of records, 4 bytes, then blocks of them, compressed; their index
//   the magic number again
#pragma once

#include <bit>
#include <cstdint>
#include <string>

namespace gsx::bigwig {

inline constexpr std::uint32_t magic = 0x888FFC26;
inline constexpr std::uint16_t version = 4;
inline constexpr std::uint64_t header_bytes = 64;
inline constexpr std::uint64_t zoom_header_bytes = 24;
inline constexpr std::uint16_t most_zoom_levels = 10;
inline constexpr std::uint64_t summary_offset = header_bytes + zoom_header_bytes * most_zoom_levels;
inline constexpr std::uint64_t summary_bytes = 40;

/// Of a node of the chromosome tree and of an index.
inline constexpr std::uint64_t most_children = 256;
inline constexpr std::uint64_t node_header_bytes = 4;

/// Zoom records of a block.
inline constexpr std::size_t block_zooms = 1024;

/// How the runs of a section are stored.
enum class SectionType : std::uint8_t { bed_graph = 1, variable_step = 2, fixed_step = 3 };

/// Appends the bytes of a number or a float.
template <class Number>
void put(std::string& to, Number value) {
  static_assert(std::endian::native == std::endian::little);
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace gsx::bigwig
