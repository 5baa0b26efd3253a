// Makes FASTQ of BAM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "bytes/byte_stream.hpp"
#include "records/formats/alignment_stream.hpp"

namespace gsx {

/// Reads the decompressed bytes itself: htslib would read a line whole, of any size, before anybody
/// could look at its size. Trusts no number in them.
class BamStream final : public AlignmentStream {
 public:
  /// Takes the bytes over, which are at the first of the header. Holds at most `most_memory` bytes
  /// of a line.
  BamStream(std::unique_ptr<ByteStream> bytes, std::uint64_t most_memory);

  std::uint64_t position() const override { return bytes_->position(); }

 private:
  struct Core;
  struct Free {
    void operator()(unsigned char* memory) const;
  };

  bool next_line(Line& line) override;
  void read_header();
  void pass_over(std::uint64_t count);
  std::uint32_t number();
  void read_rest(std::size_t size);
  bool has_right_cigar(const Core& core) const;
  [[noreturn]] void fail_damaged_line() const;
  [[noreturn]] void fail_on_header() const;

  std::unique_ptr<ByteStream> bytes_;
  std::uint64_t most_memory_;
  std::int64_t targets_ = -1;                    ///< -1 before the header has been read
  std::unique_ptr<unsigned char[], Free> rest_;  ///< of a line, behind its core
  std::size_t room_ = 0;                         ///< of rest_
};

}  // namespace gsx
