// Writes a track as bedGraph or TSV.
#pragma once

#include "bytes/output.hpp"
#include "output/tracks/track_writer.hpp"

namespace gsx {

/// bedGraph has no header; TSV has one, and writes names as TSV of gsx does.
enum class TrackText : std::uint8_t { bed_graph, tsv };

/// Writes a line per run: name of the record, begin, end, value. Values are as ValueText writes
/// them. Positions are 0-based, half-open.
class TextTrackWriter final : public TrackWriter {
 public:
  /// The output must outlive the writer. `header` says whether TSV has its header.
  TextTrackWriter(Output& output, TrackText format, bool header = true)
      : output_(output), format_(format), header_(header) {}

  void begin(std::span<const TrackRecord> records, TrackKind kind) override;
  std::unique_ptr<TrackEncoder> make_encoder() const override;
  void write(const EncodedSections& encoded) override { output_.write(encoded.bytes); }
  void finish(int /*threads*/) override {}

 private:
  Output& output_;
  TrackText format_;
  bool header_;
  std::span<const TrackRecord> records_;
  TrackKind kind_ = TrackKind::real;
};

}  // namespace gsx
