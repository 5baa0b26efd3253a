// Makes FASTA of a 2bit file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/byte_stream.hpp"
#include "records/formats/made_stream.hpp"

struct hFILE;

namespace gsx {

/// Reads the format of UCSC, version 0 and 1, in either byte order: bases in two bits each, and the
/// intervals that are N or lower case. Lines have 50 bases, as those of twoBitToFa. Trusts no size.
class TwoBitStream final : public MadeStream {
 public:
  /// What is known of the file.
  struct File {
    std::uint64_t bytes = 0;    ///< its size; 0 if that is not known, as of a pipe
    hFILE* seekable = nullptr;  ///< what `from` reads, if sequences may be in any order
  };

  /// Takes `from` over, which is at its first byte. Holds at most `most_memory` bytes of names and
  /// intervals.
  TwoBitStream(std::unique_ptr<ByteStream> from, const File& facts, std::uint64_t most_memory);

  std::uint64_t position() const override { return from_->position(); }

 protected:
  bool make(std::string& text) override;

 private:
  struct Entry {
    std::string name;
    std::uint64_t offset;
  };
  struct Interval {
    std::uint32_t begin;
    std::uint32_t end;
  };
  /// The intervals of one kind, and the first that does not end before the next base.
  struct Intervals {
    std::vector<Interval> all;
    std::size_t next = 0;
  };

  void read_index();
  void begin_sequence(std::string& text);
  void read_intervals(Intervals& intervals);
  void add_bases(std::string& text);
  template <class Change>
  void change(Intervals& intervals, char* bases, std::uint64_t count, const Change& change) const;
  void add_lines(std::string_view bases, std::string& text) const;

  void go_to(std::uint64_t offset);
  void read_bytes(void* to, std::size_t count);
  std::uint32_t number();
  void require_bytes(std::uint64_t count) const;
  void hold(std::uint64_t bytes);
  void require_end();

  std::unique_ptr<ByteStream> from_;
  File facts_;
  std::uint64_t most_memory_;
  std::uint64_t held_ = 0;  ///< bytes of names and intervals
  std::uint64_t at_ = 0;    ///< offset in the file
  std::uint64_t end_ = 0;   ///< the furthest offset so far
  bool begun_ = false;
  bool swapped_ = false;  ///< whether numbers are in the other byte order
  std::vector<Entry> entries_;
  std::size_t sequence_ = 0;  ///< number of the sequence that is read next, or now
  bool inside_ = false;       ///< whether a sequence is being read
  std::uint64_t length_ = 0;  ///< of the sequence being read
  std::uint64_t done_ = 0;    ///< bases of it that have been read
  Intervals unknown_;
  Intervals masked_;
};

}  // namespace gsx
