// Writes an index to a file or to memory.
#pragma once

#include "bytes/output.hpp"
#include "index/fm/fm_index.hpp"
#include "text/text.hpp"

namespace gsx {

/// Writes the index of `text` in the format of index/store/format.hpp. The bytes depend on nothing
/// else; the caller commits the output. Throws what Output::write() throws, and RuntimeError if the
/// records of the text have no checksums yet, or lack the MD5s that it keeps
/// (checksum_records_beside). Returns the checksum of the header, which covers those of all
/// sections.
std::uint64_t write_index(Output& out, const Text& text, const FmIndex& fm, int threads);

/// The bytes of write_index() in memory, for Index::of(). Memory: a copy of the index. Throws
/// ResourceError.
Buffer<std::uint8_t> index_image(const Text& text, const FmIndex& fm, int threads);

/// Exact size in bytes of the index file of a text.
std::uint64_t index_bytes(const Text& text, const FmOptions& options);

/// Size in bytes of the index file of `length` symbols of `bits` bits each, without names and
/// tables of records, within one per cent (five for alphabets that do not fill their bits, because
/// the k-mer table may differ).
std::uint64_t index_bytes(std::uint64_t length, std::uint32_t bits, std::uint32_t sample_rate);

}  // namespace gsx
