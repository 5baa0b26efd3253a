#include "store/writer.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "base/bits.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "machine/resources.hpp"
#include "store/checksum.hpp"
#include "store/format.hpp"

namespace gsx {
namespace {

using Bytes = std::span<const std::uint8_t>;

template <class T>
Bytes bytes_of(const T* data, std::size_t count) {
  return {reinterpret_cast<const std::uint8_t*>(data), count * sizeof(T)};
}
template <class Container>
Bytes bytes_of(const Container& container) {
  return bytes_of(container.data(), container.size());
}

struct Section {
  std::string name;
  Bytes bytes;
};

Meta meta_of(const Text& text, const FmIndex& fm) {
  Meta meta{};
  std::strncpy(meta.gsx_version, GSX_VERSION, sizeof meta.gsx_version - 1);
  meta.length = text.length();
  meta.segments = text.segments.view().count;
  meta.records = text.records.size();
  meta.gaps = text.gaps.size();
  meta.literals = text.literals.size();
  meta.counts = text.counts;
  if (!text.letter_case.kept) meta.counts.lower_case = text.literals.size();
  meta.policy = static_cast<std::uint32_t>(text.alphabet.policy());
  meta.sigma = text.alphabet.size();
  meta.sample_rate = fm.sample_rate();
  meta.soft_mask_split = text.soft_mask_split ? 1 : 0;
  meta.kmer_length = fm.kmers().k();
  return meta;
}

const Text& require_checksums(const Text& text) {
  if (!text.checksummed || text.keeps_md5 != !text.md5s.empty())
    throw RuntimeError("checksum_records_beside must be called before an index is made");
  return text;
}

std::vector<Section> sections_of(const Text& text, const FmIndex& fm, const Meta& meta) {
  std::vector<Section> sections = {
      {"meta", bytes_of(&meta, 1)},
      {"symbols", bytes_of(text.alphabet.symbols())},
      {"records", bytes_of(text.records)},
      {"names", bytes_of(text.names)},
      {"name_ends", bytes_of(text.name_ends)},
      {"comments", bytes_of(text.comments)},
      {"comment_ends", bytes_of(text.comment_ends)},
      {"segment_starts", bytes_of(text.segments.starts())},
      {"segment_offsets", bytes_of(text.segment_offsets)},
      {"segment_records", bytes_of(text.segment_records)},
      {"gaps", bytes_of(text.gaps)},
      {"literals", text.literals.bytes()},
      {"text", text.symbols.bytes()},
  };
  const auto& levels = fm.wavelet().levels();
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const std::string name = "level" + std::to_string(level);
    sections.push_back({name + "_blocks", bytes_of(levels[level].blocks())});
    sections.push_back({name + "_superblocks", bytes_of(levels[level].superblocks())});
  }
  sections.push_back({"separator_rows", levels[0].holes().bytes()});
  sections.push_back({"separator_segments", fm.hole_segments().bytes()});
  sections.push_back({"kmers", fm.kmers().bounds().bytes()});
  sections.push_back({"samples", fm.samples().bytes()});
  if (text.letter_case.kept) {
    sections.push_back({"case_runs", bytes_of(text.letter_case.runs)});
    sections.push_back({"case_ends", bytes_of(text.letter_case.ends)});
  }
  if (text.keeps_md5) sections.push_back({"md5", bytes_of(text.md5s)});
  return sections;
}

std::uint64_t padding_of(std::uint64_t bytes) {
  return (section_alignment - bytes % section_alignment) % section_alignment;
}

/// Lays out the header, section table and sections of an index. Refers to the text and the
/// FM-index.
class Layout {
 public:
  Layout(const Text& text, const FmIndex& fm, int threads)
      : meta_(meta_of(require_checksums(text), fm)), sections_(sections_of(text, fm, meta_)) {
    const Stopwatch watch;
    bytes_ = sizeof(IndexHeader) + sections_.size() * sizeof(SectionEntry);
    for (const Section& section : sections_) {
      SectionEntry entry{};
      section.name.copy(entry.name, sizeof entry.name - 1);
      entry.offset = bytes_;
      entry.bytes = section.bytes.size();
      entry.checksum = checksum(section.bytes, threads);
      table_.push_back(entry);
      bytes_ += entry.padded_bytes();
    }
    log().debug("sections' checksums in {:.3f} s", watch.seconds());
  }
  Layout(const Layout&) = delete;  // sections_[0] points to meta_
  Layout& operator=(const Layout&) = delete;

  std::uint64_t bytes() const { return bytes_; }
  const std::vector<Section>& sections() const { return sections_; }
  const std::vector<SectionEntry>& table() const { return table_; }

  /// The bytes before the sections.
  std::vector<std::uint8_t> head() const {
    IndexHeader header{};
    index_magic.copy(header.magic, sizeof header.magic);
    header.version = format_version;
    header.byte_order = byte_order_mark;
    header.header_bytes = sizeof header + table_.size() * sizeof(SectionEntry);
    header.file_bytes = bytes_;
    header.sections = static_cast<std::uint32_t>(table_.size());
    std::vector<std::uint8_t> head(header.header_bytes);
    std::memcpy(head.data(), &header, sizeof header);
    std::memcpy(head.data() + sizeof header, table_.data(), table_.size() * sizeof(SectionEntry));
    header.checksum = header_checksum(head);
    std::memcpy(head.data(), &header, sizeof header);
    return head;
  }

 private:
  Meta meta_;
  std::vector<Section> sections_;
  std::vector<SectionEntry> table_;
  std::uint64_t bytes_ = 0;
};

/// Copies bytes on several threads.
void copy_bytes(Bytes from, std::uint8_t* to, int threads) {
  const auto slices = static_cast<std::uint64_t>(threads);
  parallel_for(threads, slices, [&](std::uint64_t part, int) {
    const Slice slice = slice_of(from.size(), slices, part);
    std::copy(from.data() + slice.begin, from.data() + slice.end, to + slice.begin);
  });
}

}  // namespace

void write_index(Output& out, const Text& text, const FmIndex& fm, int threads) {
  const Layout layout(text, fm, threads);
  const std::vector<std::uint8_t> head = layout.head();
  out.write(head.data(), head.size());
  constexpr std::uint8_t zeros[section_alignment] = {};
  for (const Section& section : layout.sections()) {
    out.write(section.bytes.data(), section.bytes.size());
    out.write(zeros, padding_of(section.bytes.size()));
  }
}

Buffer<std::uint8_t> index_image(const Text& text, const FmIndex& fm, int threads) {
  const Layout layout(text, fm, threads);
  Buffer<std::uint8_t> image(layout.bytes(), "an index in memory");
  const std::vector<std::uint8_t> head = layout.head();
  std::copy(head.begin(), head.end(), image.begin());
  for (std::size_t i = 0; i < layout.sections().size(); ++i) {
    const SectionEntry& entry = layout.table()[i];
    std::uint8_t* const to = image.data() + entry.offset;
    copy_bytes(layout.sections()[i].bytes, to, threads);
    std::fill(to + entry.bytes, to + entry.padded_bytes(), std::uint8_t{0});
  }
  return image;
}

std::uint64_t index_bytes(const Text& text, const FmOptions& options) {
  const FmPartBytes fm = fm_part_bytes(text.view(), options);
  const std::uint64_t records = text.records.size(), segments = text.segments.view().count;
  std::vector<std::uint64_t> sections = {
      sizeof(Meta),
      text.alphabet.size(),
      records * sizeof(RecordInfo),
      text.names.size(),
      records * 8,
      text.comments.size(),
      records * 8,
      segments * 8 + 8,
      segments * 8,
      segments * 8,
      text.gaps.size() * sizeof(Gap),
      text.literals.bytes().size(),
      text.symbols.bytes().size(),
      fm.separator_rows,
      fm.separator_segments,
      fm.kmers,
      fm.samples,
  };
  for (std::size_t level = 0; level < fm.levels.size(); ++level) {
    sections.push_back(fm.blocks[level]);
    sections.push_back(fm.levels[level] - fm.blocks[level]);
  }
  if (text.letter_case.kept) {
    sections.push_back(text.letter_case.runs.size() * sizeof(CaseRun));
    sections.push_back(records * 8);
  }
  if (text.keeps_md5) sections.push_back(records * sizeof(Md5));
  std::uint64_t bytes = sizeof(IndexHeader) + sections.size() * sizeof(SectionEntry);
  for (const std::uint64_t section : sections)
    bytes += section + padding_of(section);
  return bytes;
}

std::uint64_t index_bytes(std::uint64_t length, std::uint32_t bits, std::uint32_t sample_rate) {
  const std::uint32_t sigma = bits < 8 ? 1u << bits : Alphabet::none;
  const std::uint64_t bounds = kmer_bound_count(sigma, choose_kmer_length(length, sigma));
  const std::uint64_t level = QuadVector::block_count(length) * sizeof(QuadBlock) +
                              QuadVector::superblock_count(length) * sizeof(QuadSuperblock);
  return WaveletMatrix::level_count(bits) * level + PackedView::bytes_for(length, bits) +
         PackedView::bytes_for(bounds, bits_for(length)) +
         PackedView::bytes_for(RowSampling(sample_rate).count(length), bits_for(length)) + 4096;
}

}  // namespace gsx
