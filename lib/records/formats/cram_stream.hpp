// Makes FASTQ of CRAM.
#pragma once

#include <cstdint>
#include <memory>

#include "records/decoding.hpp"
#include "records/formats/alignment_stream.hpp"

struct bam1_t;
struct hFILE;
struct htsFile;
struct sam_hdr_t;

namespace gsx {

/// Lets htslib decode, by references that are local files.
class CramStream final : public AlignmentStream {
 public:
  /// Takes `file` over, which is at its first byte. Throws SourceError.
  CramStream(hFILE* file, const Decoding& decoding);
  ~CramStream() override;

  std::uint64_t position() const override;

 private:
  struct Close {
    void operator()(htsFile* file) const;
    void operator()(sam_hdr_t* header) const;
    void operator()(bam1_t* read) const;
  };

  bool next_line(Line& line) override;
  void check_end() const;
  [[noreturn]] void fail() const;

  hFILE* raw_;  ///< owned by file_
  std::unique_ptr<htsFile, Close> file_;
  std::unique_ptr<sam_hdr_t, Close> header_;
  std::unique_ptr<bam1_t, Close> read_;
  bool lacks_references_ = false;  ///< whether there may be sequences without reference
};

}  // namespace gsx
