// Makes FASTQ of the lines of SAM, BAM and CRAM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "records/formats/made_stream.hpp"

namespace gsx {

/// Gives each read once, as it came from the machine, and as `samtools fastq` does: lines that are
/// secondary or supplementary are left out; the symbols of a reverse line are reverse-complemented
/// and its qualities reversed; names get /1 or /2 if the line is of one mate; where qualities are
/// missing, they are 33. A line without sequence is a read without symbols, which samtools leaves
/// out.
class AlignmentStream : public MadeStream {
 protected:
  /// What a read is made of.
  struct Line {
    std::string_view name;
    unsigned flag = 0;
    std::size_t length = 0;                ///< symbols
    const std::uint8_t* codes = nullptr;   ///< two symbols in each byte, by the codes of BAM
    const std::uint8_t* values = nullptr;  ///< qualities; the first is 255 if they are missing
  };

  explicit AlignmentStream(const char* format) : format_(format) {}

  /// Reads the next line; false at the end. What the line points to stays until the next call.
  virtual bool next_line(Line& line) = 0;

  /// Lines before the one that is being read.
  std::uint64_t lines_before() const { return lines_ - 1; }
  /// Throws SourceError: "line N of the FORMAT data WHAT".
  [[noreturn]] void fail_on_line(const std::string& what) const;
  /// Throws MemoryError: the line takes `bytes`, of which `most` are allowed.
  [[noreturn]] void fail_on_memory(std::uint64_t bytes, std::uint64_t most) const;

  const char* format() const { return format_; }

 private:
  enum class Part : std::uint8_t { none, symbols, qualities };

  bool make(std::string& text) final;
  void begin_read(std::string& text);
  void add_symbols(std::string& text, std::size_t count);
  void add_qualities(std::string& text, std::size_t count);
  std::string place() const;

  const char* format_;
  std::uint64_t lines_ = 0;  ///< with the one that is being read
  Line line_;
  Part part_ = Part::none;  ///< what of the line is made next
  std::size_t done_ = 0;    ///< of that part
};

}  // namespace gsx
