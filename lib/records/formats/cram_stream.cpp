#include "records/formats/cram_stream.hpp"

#include <htslib/cram.h>
#include <htslib/hfile.h>
#include <htslib/hts.h>
#include <htslib/sam.h>

#include <cerrno>
#include <new>
#include <string>

#include "bytes/source_error.hpp"
#include "records/formats/cram_references.hpp"

namespace gsx {

void CramStream::Close::operator()(htsFile* file) const {
  hts_close(file);
}
void CramStream::Close::operator()(sam_hdr_t* header) const {
  sam_hdr_destroy(header);
}
void CramStream::Close::operator()(bam1_t* read) const {
  bam_destroy1(read);
}

CramStream::CramStream(hFILE* file, const Decoding& decoding)
    : AlignmentStream("CRAM"), raw_(file), file_(hts_hopen(file, "-", "r")), read_(bam_init1()) {
  if (!file_) {
    hclose_abruptly(file);
    throw SourceError("it begins as CRAM, but its header is damaged; fetch it again");
  }
  if (!read_) throw std::bad_alloc();
  if (file_->format.format != cram)
    throw SourceError("it looks like CRAM, but htslib does not know it as that");
  hts_set_opt(file_.get(), CRAM_OPT_REQUIRED_FIELDS, SAM_QNAME | SAM_FLAG | SAM_SEQ | SAM_QUAL);
  hts_set_opt(file_.get(), CRAM_OPT_DECODE_MD, 0);
  set_reference(*file_, decoding.cram);
  header_.reset(sam_hdr_read(file_.get()));
  if (!header_) {
    throw SourceError("the header of the CRAM data is truncated or damaged; fetch the file again");
  }
  const LocalReferences kept = keep_local_references(*file_, decoding.cram);
  lacks_references_ = decoding.cram.fasta.empty() && kept.missing != 0;
  if (kept.longest > decoding.record_bytes) {
    throw MemoryError("its reference has a sequence of " + std::to_string(kept.longest) +
                      " bases, which takes as many bytes, more memory than the " +
                      std::to_string(decoding.record_bytes) + " allowed; raise the memory limit");
  }
}

CramStream::~CramStream() = default;

std::uint64_t CramStream::position() const {
  const off_t at = htell(raw_);
  return at < 0 ? 0 : static_cast<std::uint64_t>(at);
}

bool CramStream::next_line(Line& line) {
  errno = 0;
  const int status = sam_read1(file_.get(), header_.get(), read_.get());
  if (status == -1) {
    check_end();
    return false;
  }
  if (status < -1) fail();
  line = {bam_get_qname(read_.get()), read_->core.flag,
          static_cast<std::size_t>(read_->core.l_qseq), bam_get_seq(read_.get()),
          bam_get_qual(read_.get())};
  return true;
}

/// Throws SourceError if the file ends early, at the border of a block.
void CramStream::check_end() const {
  constexpr int ended_without_mark = 2;
  if (cram_eof(file_->fp.cram) != ended_without_mark) return;
  throw SourceError(
      "the end-of-file marker is missing: the CRAM data is truncated; fetch the file again. If it "
      "is whole, as old programs left it, 'samtools view -C' writes it anew");
}

void CramStream::fail() const {
  if (errno == ENOMEM) throw std::bad_alloc();
  if (const int number = herrno(raw_); number != 0) fail_with_errno(number);
  if (lacks_references_) {
    throw SourceError(
        "the reads cannot be decoded without the reference of this CRAM file; give its FASTA, "
        "indexed by 'samtools faidx', by --cram-reference, or let REF_PATH or REF_CACHE name a "
        "local folder of it (gsx fetches nothing)");
  }
  fail_on_line(
      "cannot be decoded: it is damaged, or this is not its reference; or the file is truncated, "
      "or another one was put behind it ('samtools cat' joins files)");
}

}  // namespace gsx
