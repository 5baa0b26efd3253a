// Sections of a bigWig file.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "output/tracks/track_writer.hpp"

namespace gsx {

/// Encodes sections of runs: as fixedStep (4 bytes per run) if all runs have one length and one
/// distance, as variableStep (8 bytes) if they have one length, and otherwise as bedGraph (12
/// bytes). Each is compressed. Also collects their zoom records. ids[record] is the id of a record
/// in the file. Pre: every record has fewer than 2^32 positions. `ids` must outlive the encoder.
std::unique_ptr<TrackEncoder> make_section_encoder(std::span<const std::uint32_t> ids,
                                                   TrackKind kind);

}  // namespace gsx
