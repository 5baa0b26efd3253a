// The file of --format part: what a search found, before it is formatted.
//
// All numbers are little-endian.
//
//   offset  bytes  file
//        0      8  magic "GSXPARTS"
//        8      4  format version, 1
//       12         frames, one after another, and nothing else
//
//    bytes  frame
//        4  bytes n of its content: 65536, but fewer in the last frame, which every file has
//        n  content
//        8  XXH3-64 of these 4 + n bytes, seeded with the number of the frame (from 0)
//
// The magic and the version keep this meaning in every version. The contents of all frames are one
// stream, so frames end anywhere in it, and the bytes of the file do not depend on threads and
// batches. In the stream, v is a number of 7 bits per byte, the lowest first, where the highest bit
// of a byte says that more follow; a text is a v, the number of its bytes, and the bytes.
//
//    bytes  stream
//     text  the run: what --summary writes, without the figures
//        1  what the part holds: a PartContent
//        v  records of the index that --circular names; 0 for "all". Of each:
//     text    its name
//        v  regions of -R that are of records of the index
//        8  the sum of their checksums
//        v  input files of the index; 0 unless results name them. Of each:
//     text    its name
//        v    the number of its records
//        v  records of the index; 0 if results name none. Of each:
//     text    its name
//        v    its length << 1 | whether it is circular
//        v    the number of its segments, whose symbols are the text. Of each:
//        v      symbols of the record between it and the segment before it
//        v      its length
//           queries, in input order. Of each:
//        v    1 + bytes of the name
//             the name
//        v    its length
//        4    the lowest bytes of the XXH3-64 of its symbols
//             what was found, see below
//        v  0
//     text  the run with its figures
//
// Of counts, each query has, for each place with hits, in ascending order:
//        v    1 + number of the place, less that of the place before it (0 at first)
//        v    hits on the forward strand
//        v    hits on the reverse strand
// and a v of 0 behind them. The place is 0, the number of mismatches, of the record or of the file.
//
// Of hits, each query has
//        v    all its hits on the forward strand
//        v    those on the reverse strand
// and, of each of those reported, which --max-hits of the run tells, in output order:
//        v    (position in the text, less that of the hit before it, 0 at first) << 1 | 1 on the
//             reverse strand
//             after a search with mismatches only:
//        v    the number of its mismatches. Of each, in ascending order:
//        v      its place in the hit, less that of the mismatch before it (0 at first)
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gsx {

/// Regions of -R: how many, and the sum of their checksums.
struct PartRegions {
  std::uint64_t number = 0;
  std::uint64_t checksum = 0;
};

inline constexpr std::string_view part_magic = "GSXPARTS";
inline constexpr std::uint32_t part_version = 1;
inline constexpr std::size_t part_frame_bytes = std::size_t{1} << 16;
inline constexpr std::size_t part_sum_bytes = 8;

enum class PartContent : std::uint8_t {
  counts,           ///< of each query
  mismatch_counts,  ///< by number of mismatches
  record_counts,
  file_counts,
  hits,
  mismatched_hits,  ///< with their mismatches
};
inline constexpr std::uint8_t part_contents = 6;

inline bool holds_hits(PartContent content) {
  return content >= PartContent::hits;
}

/// The checksum of a frame, its number of bytes included.
std::uint64_t frame_sum(std::string_view frame, std::uint64_t number);
/// What tells the symbols of a query from others.
std::uint32_t symbols_sum(std::string_view symbols);

}  // namespace gsx
