// What a file is, by the bytes that it begins with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

struct hFILE;

namespace gsx {

enum class FileKind : std::uint8_t {
  plain,  ///< anything that is not named here
  gzip,   ///< not BGZF
  bgzf,   ///< gzip in independent blocks
  bzip2,
  xz,
  zstd,
  two_bit,
  sam,
  bam,  ///< without its compression
  cram,
};

/// A compressed file of reads usually expands to at most this many times its size.
inline constexpr unsigned usual_expansion = 6;

/// Enough for most first lines of SAM, and less than htslib buffers of a file.
inline constexpr std::size_t long_probe_bytes = 4000;

/// The kind of a file by its next 18 bytes, or by fewer if these hold a line of text. They stay.
/// SAM without a header is plain. Throws SourceError if the file cannot be read, or ends inside the
/// header of gzip.
FileKind kind_of(hFILE& file);
/// What a plain file holds, by more of its bytes, which stay. Of a pipe that begins as FASTA or
/// FASTQ does, it waits for as many bytes as kind_of(). Pre: kind_of() is plain.
FileKind kind_of_text(hFILE& file, bool is_pipe);
/// The kind of what gzip or BGZF holds, by its next bytes, which stay. Pre: kind_of() is one of
/// these.
FileKind kind_inside_gzip(hFILE& file);
/// The kind of a file, or of what a compression holds.
FileKind kind_of_start(std::string_view bytes);

/// What decompresses files of this kind: "gzip", "bzip2", "xz" or "zstd"; null for other kinds.
const char* packing_name(FileKind kind);

/// Whether text begins as SAM does: with a header, or with a line of its columns.
bool begins_as_sam(std::string_view text);

}  // namespace gsx
