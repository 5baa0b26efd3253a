// Hits as SAM or BAM, made by htslib.
#pragma once

#include <htslib/sam.h>

#include <memory>
#include <span>
#include <string>

#include "base/text_pieces.hpp"
#include "output/lines/mismatch_places.hpp"
#include "output/lines/target_finder.hpp"
#include "records/record_batch.hpp"
#include "search/exact/hits.hpp"
#include "text/text.hpp"

namespace gsx {

/// What all alignments of a run share: the header, and the records it names.
class AlignmentHeader {
 public:
  /// `md5s`, if there are any, become M5. Throws InputError that names the first record that cannot
  /// be in the header: a name that SAM does not allow, is longer than 254 bytes or occurs twice,
  /// or, in BAM, a length of 2^31 or more. The `circular` records, which ascend, are marked as
  /// such.
  AlignmentHeader(const RecordsView& targets, std::span<const Md5> md5s, bool binary,
                  std::span<const std::uint64_t> circular = {});

  bool is_binary() const { return binary_; }
  const sam_hdr_t* get() const { return header_.get(); }
  /// The header as bytes of the format.
  std::string bytes() const;

 private:
  bool binary_;
  std::string text_;
  std::unique_ptr<sam_hdr_t, void (*)(sam_hdr_t*)> header_;
};

/// Appends the alignments of one thread. The hit of a query with the fewest mismatches, of equal
/// ones the first, is primary (flag 0 or 16), the others are secondary (256). A query without hits
/// is unmapped (4). SEQ is the query in upper case, with T for U and N for what is no IUPAC code.
/// The mapping quality is that of STAR: 255 for one hit, 3 for two, 1 for three and four, 0 for
/// more. Tags: NH, the number of all hits, also where not all are written; HI, the number of the
/// hit from 1; NM and MD, the letters of SEQ that are not the base of the text; and xm, the
/// mismatches of the search, where letters are IUPAC codes. Targets are DNA. A place that spans the
/// origin of a circular record is one alignment that ends behind the end of the record, as the SAM
/// specification prefers.
class Alignments {
 public:
  /// Refers to the header, and to what the views do.
  Alignments(const AlignmentHeader& header, const RecordsView& targets,
             const SegmentsView& segments, const MismatchText& text);
  ~Alignments();
  Alignments(const Alignments&) = delete;
  Alignments& operator=(const Alignments&) = delete;

  /// Throws InputError for a query whose name or length neither format allows. Pre: chunks come in
  /// order.
  void append(TextPieces& pieces, const RecordBatch& queries, const HitChunk& chunk);

 private:
  void begin_query(const RecordBatch& queries, const HitChunk& chunk, std::size_t i);
  void set(std::uint16_t flag, std::int32_t target, std::int64_t start, bool reverse);
  void set_mapped(const Hit& hit, std::uint64_t number);
  void add_tag(const char* name, std::uint64_t value);
  void find_differences(const Hit& hit);
  void write(std::string& out);

  const AlignmentHeader& header_;
  MismatchText text_;
  TargetFinder finder_;
  std::unique_ptr<bam1_t, void (*)(bam1_t*)> alignment_;
  kstring_t line_ = KS_INITIALIZE;
  std::string name_, symbols_, qualities_;           ///< of the query, in the letters of SEQ
  std::string reverse_symbols_, reverse_qualities_;  ///< of its reverse complement
  bool is_plain_ = true;  ///< whether the letters of the query are A, C, G and T only
  std::string md_;
  std::uint64_t differences_ = 0;  ///< letters of SEQ that are not the base of the text
  std::uint64_t total_ = 0;        ///< hits of the query
  std::uint64_t reported_ = 0;     ///< of these, those that are written
  std::uint32_t fewest_ = 0;       ///< the fewest mismatches of any
  bool has_primary_ = false;       ///< whether the primary one has been written
};

}  // namespace gsx
