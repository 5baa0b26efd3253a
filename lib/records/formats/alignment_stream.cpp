#include "records/formats/alignment_stream.hpp"

#include <htslib/hts.h>
#include <htslib/sam.h>

#include <algorithm>

#include "base/byte_text.hpp"
#include "base/messages.hpp"
#include "bytes/source_error.hpp"

namespace gsx {
namespace {

/// Lines that repeat a read which has another line.
constexpr unsigned repeated = BAM_FSECONDARY | BAM_FSUPPLEMENTARY;
/// What `samtools fastq` gives to bases without a quality: 33.
constexpr char missing_quality = 'B';
constexpr unsigned highest_quality = 93;

/// The letters of the complements of htslib's codes.
constexpr std::string_view complements = "=TGKCYSBAWRDMHVN";
/// About as much text as is made at a time.
constexpr std::size_t text_bytes = std::size_t{64} << 10;

}  // namespace

/// A long read is made piece by piece, so that its text is never held beside it.
bool AlignmentStream::make(std::string& text) {
  while (text.size() < text_bytes) {
    const std::size_t count = std::min(text_bytes - text.size(), line_.length - done_);
    switch (part_) {
      case Part::none:
        ++lines_;
        if (!next_line(line_)) return false;
        if ((line_.flag & repeated) == 0) begin_read(text);
        break;
      case Part::symbols:
        add_symbols(text, count);
        break;
      case Part::qualities:
        add_qualities(text, count);
        break;
    }
  }
  return true;
}

void AlignmentStream::begin_read(std::string& text) {
  const std::string_view name = line_.name;
  if (std::ranges::any_of(name, [](unsigned char c) { return c <= ' ' || c == 0x7f; }))
    fail_on_line("has a name with a blank or a control byte in it: '" + shown_name(name) + "'");
  const std::uint8_t* const values = line_.values;
  const bool has_values = line_.length != 0 && values[0] != 0xff;
  const auto is_wrong = [](unsigned value) { return value > highest_quality; };
  if (has_values && std::any_of(values, values + line_.length, is_wrong))
    fail_on_line("has a quality above 93; the file is damaged");
  text += '@';
  text += name;
  const unsigned mate = line_.flag & (BAM_FREAD1 | BAM_FREAD2);
  if (mate == BAM_FREAD1) text += "/1";
  if (mate == BAM_FREAD2) text += "/2";
  text += '\n';
  part_ = Part::symbols;
  done_ = 0;
}

void AlignmentStream::add_symbols(std::string& text, std::size_t count) {
  const std::uint8_t* const codes = line_.codes;
  const std::size_t before = text.size(), last = line_.length - 1;
  const bool reverse = (line_.flag & BAM_FREVERSE) != 0;
  text.resize(before + count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = done_ + i;
    text[before + i] =
        reverse ? complements[bam_seqi(codes, last - at)] : seq_nt16_str[bam_seqi(codes, at)];
  }
  done_ += count;
  if (done_ != line_.length) return;
  text += "\n+\n";
  part_ = Part::qualities;
  done_ = 0;
}

void AlignmentStream::add_qualities(std::string& text, std::size_t count) {
  const std::uint8_t* const values = line_.values;
  const std::size_t before = text.size(), last = line_.length - 1;
  const bool missing = count != 0 && values[0] == 0xff;
  const bool reverse = (line_.flag & BAM_FREVERSE) != 0;
  text.resize(before + count, missing_quality);
  for (std::size_t i = 0; i < count && !missing; ++i) {
    const std::size_t at = done_ + i;
    text[before + i] = static_cast<char>(values[reverse ? last - at : at] + 33);
  }
  done_ += count;
  if (done_ != line_.length) return;
  text += '\n';
  part_ = Part::none;
  line_.length = done_ = 0;
}

std::string AlignmentStream::place() const {
  return "line " + std::to_string(lines_) + " of the " + format_ + " data ";
}

void AlignmentStream::fail_on_line(const std::string& what) const {
  throw SourceError(place() + what);
}

void AlignmentStream::fail_on_memory(std::uint64_t bytes, std::uint64_t most) const {
  throw MemoryError(place() + "takes " + bytes_text(bytes) + ", more memory than the " +
                    bytes_text(most) + " allowed; raise the memory limit");
}

}  // namespace gsx
