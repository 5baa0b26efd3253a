// What writes a track in one format.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "output/tracks/section_cutter.hpp"
#include "output/tracks/track_records.hpp"
#include "output/tracks/zoom_records.hpp"

namespace gsx {

/// Where a section lies in its record, and in the encoded bytes.
struct EncodedPlace {
  std::uint32_t id;  ///< of the record
  std::uint32_t begin;
  std::uint32_t end;
  std::uint32_t bytes;  ///< follow those of the section before
};

/// Sections encoded by one thread. A text leaves all but the bytes empty.
struct EncodedSections {
  std::string bytes;
  std::vector<EncodedPlace> places;
  std::vector<ZoomRecord> totals;  ///< of each section
  std::vector<ZoomRecord> zooms;
  std::uint32_t zoom_shift = 0;          ///< log2 of the longest reduction of `zooms`
  std::uint64_t most_section_bytes = 0;  ///< before compression
  std::uint64_t runs_yet = 0;            ///< as in the last of the sections
  std::uint64_t extent_yet = 0;

  void clear();
};

/// Encodes sections; each thread has its own.
class TrackEncoder {
 public:
  TrackEncoder() = default;
  virtual ~TrackEncoder() = default;
  TrackEncoder(const TrackEncoder&) = delete;
  TrackEncoder& operator=(const TrackEncoder&) = delete;
  /// Appends the sections to `to`.
  virtual void encode(const SectionsView& sections, EncodedSections& to) = 0;
};

/// Writes one track. The functions are called in this order: begin(), then write() for all encoded
/// sections in order, then finish(), each by one thread at a time. Encoders may be at work on later
/// sections meanwhile.
class TrackWriter {
 public:
  TrackWriter() = default;
  virtual ~TrackWriter() = default;
  TrackWriter(const TrackWriter&) = delete;
  TrackWriter& operator=(const TrackWriter&) = delete;

  virtual void begin(std::span<const TrackRecord> records, TrackKind kind) = 0;
  /// Called after begin().
  virtual std::unique_ptr<TrackEncoder> make_encoder() const = 0;
  virtual void write(const EncodedSections& encoded) = 0;
  /// Writes what follows the sections, on up to `threads` threads. Leaves the output open, so that
  /// the caller can complete several outputs together.
  virtual void finish(int threads) = 0;
};

}  // namespace gsx
