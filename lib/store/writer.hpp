// An index out to a file.
#pragma once

#include "fm/fm_index.hpp"
#include "io/output.hpp"
#include "text/text.hpp"

namespace gsx {

/// Writes the index of `text` in the format of store/format.hpp; the bytes depend on nothing else.
/// The caller commits the output. Throws what Output::write throws, and RuntimeError for a text
/// whose records have no checksums yet (checksum_records).
void write_index(Output& out, const Text& text, const FmIndex& fm, int threads);

/// The same bytes in memory, for Index::of. Cost: a copy of the index beside what it is made of.
/// Throws ResourceError.
Buffer<std::uint8_t> index_image(const Text& text, const FmIndex& fm, int threads);

/// Bytes of the index file of a text, exactly.
std::uint64_t index_bytes(const Text& text, const FmOptions& options);

/// Bytes of the index file of a text of n symbols in m segments and as many records of DNA, within
/// a per cent (of alphabets that do not fill their bits 5, by which k-mer table they get); names
/// excluded.
std::uint64_t index_bytes(std::uint64_t length, std::uint32_t bits, std::uint32_t sample_rate);

}  // namespace gsx
