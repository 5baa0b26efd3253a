// Makes FASTQ of SAM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "bytes/byte_stream.hpp"
#include "records/formats/alignment_stream.hpp"

struct bam1_t;
struct kstring_t;
struct sam_hdr_t;

namespace gsx {

/// Passes over the header, whatever is in it: nothing in it is needed for the reads.
class SamStream final : public AlignmentStream {
 public:
  /// Takes the text over, which is at its first byte. Holds at most `most_memory` bytes of a line.
  SamStream(std::unique_ptr<ByteStream> text, std::uint64_t most_memory);
  ~SamStream() override;

  std::uint64_t position() const override { return text_->position(); }

 private:
  struct Free {
    void operator()(bam1_t* read) const;
    void operator()(kstring_t* text) const;
    void operator()(sam_hdr_t* header) const;
  };

  bool next_line(Line& line) override;
  bool read_text();
  void keep(const char* from, std::size_t count);
  [[noreturn]] void fail_on_columns(std::string_view text) const;

  std::unique_ptr<ByteStream> text_;
  std::uint64_t most_memory_;
  std::unique_ptr<bam1_t, Free> read_;
  std::unique_ptr<kstring_t, Free> columns_;  ///< the text of the line
  std::unique_ptr<sam_hdr_t, Free> header_;   ///< one that fits every line
  std::unique_ptr<char[]> ahead_;             ///< read, and not yet taken: [at_, end_)
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  bool has_end_ = false;  ///< whether the line ends with a line end
};

}  // namespace gsx
