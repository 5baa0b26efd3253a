#include "index/store/writer.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "base/bits.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/resources.hpp"
#include "index/store/checksum.hpp"
#include "index/store/name_table.hpp"
#include "index/store/page_sums.hpp"
#include "index/store/sections.hpp"

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

/// What a section holds that says by being there that something is so.
constexpr std::uint8_t yes[] = {1};

/// A section and its name in the file.
struct NamedBytes {
  std::string name;
  Bytes bytes;
};

Meta meta_of(const Text& text, std::uint32_t sample_rate, std::uint32_t kmer_length) {
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
  meta.sample_rate = sample_rate;
  meta.soft_mask_split = text.soft_mask_split ? 1 : 0;
  meta.kmer_length = kmer_length;
  return meta;
}

const Text& require_checksums(const Text& text) {
  if (!text.checksummed || text.keeps_md5 != !text.md5s.empty())
    throw RuntimeError("checksum_records_beside must be called before an index is made");
  return text;
}

/// Whether the index of a text has the section.
bool is_stored(Section section, const Text& text) {
  switch (section) {
    case Section::md5:
      return text.keeps_md5;
    case Section::case_runs:
    case Section::case_ends:
      return text.letter_case.kept;
    case Section::file_names:
    case Section::file_name_ends:
    case Section::file_record_ends:
      return text.files.kept();
    case Section::names_by_file:
      return text.names_by_file;
    case Section::whole_header:
      return text.whole_header;
    case Section::name_hashes:
    case Section::name_records:
      return has_name_table(text.records.size());
    case Section::page_sums:
    case Section::page_sum_sums:
      return true;
    default:
      return !kind_of(section).is_optional;
  }
}

/// The bytes of a section. `fm` and `names` may be null for those that come of the text alone.
Bytes content_of(const SectionPlace& place, const Text& text, const FmIndex* fm, const Meta& meta,
                 const NameTable* names) {
  switch (place.section) {
    case Section::meta:
      return bytes_of(&meta, 1);
    case Section::symbols:
      return bytes_of(text.alphabet.symbols());
    case Section::records:
      return bytes_of(text.records);
    case Section::names:
      return bytes_of(text.names);
    case Section::name_ends:
      return bytes_of(text.name_ends);
    case Section::comments:
      return bytes_of(text.comments);
    case Section::comment_ends:
      return bytes_of(text.comment_ends);
    case Section::segment_starts:
      return bytes_of(text.segments.starts());
    case Section::segment_offsets:
      return bytes_of(text.segment_offsets);
    case Section::segment_records:
      return bytes_of(text.segment_records);
    case Section::gaps:
      return bytes_of(text.gaps);
    case Section::literals:
      return text.literals.bytes();
    case Section::text:
      return text.symbols.bytes();
    case Section::level0_blocks:
    case Section::level_blocks:
      return bytes_of(fm->wavelet().levels()[place.level].blocks());
    case Section::level0_superblocks:
    case Section::level_superblocks:
      return bytes_of(fm->wavelet().levels()[place.level].superblocks());
    case Section::separator_rows:
      return fm->wavelet().levels()[0].holes().bytes();
    case Section::separator_segments:
      return fm->hole_segments().bytes();
    case Section::kmers:
      return fm->kmers().bounds().bytes();
    case Section::samples:
      return fm->samples().bytes();
    case Section::case_runs:
      return bytes_of(text.letter_case.runs);
    case Section::case_ends:
      return bytes_of(text.letter_case.ends);
    case Section::md5:
      return bytes_of(text.md5s);
    case Section::file_names:
      return bytes_of(text.files.names);
    case Section::file_name_ends:
      return bytes_of(text.files.name_ends);
    case Section::file_record_ends:
      return bytes_of(text.files.record_ends);
    case Section::names_by_file:
    case Section::whole_header:
      return bytes_of(yes, 1);
    case Section::name_hashes:
      return bytes_of(names->hashes);
    case Section::name_records:
      return names->records.bytes();
    case Section::page_sums:  // which are known when all else is laid out
    case Section::page_sum_sums:
      break;
  }
  return {};
}

/// All sections of a file; those of the sums of pages are empty.
std::vector<NamedBytes> sections_of(const Text& text, const FmIndex& fm, const Meta& meta,
                                    const NameTable& names) {
  std::vector<NamedBytes> sections;
  for (const SectionPlace& place : sections_in_order(meta)) {
    if (!is_stored(place.section, text)) continue;
    sections.push_back(
        {name_of(place.section, place.level), content_of(place, text, &fm, meta, &names)});
  }
  return sections;
}

NameTable names_of(const Text& text, int threads) {
  if (!has_name_table(text.records.size())) return {};
  return name_table_of(text.records_view(), threads);
}

std::uint64_t padding_of(std::uint64_t bytes) {
  return (section_alignment - bytes % section_alignment) % section_alignment;
}

/// Lays out the header, section table and sections of an index. Refers to the text and the
/// FM-index.
class Layout {
 public:
  Layout(const Text& text, const FmIndex& fm, int threads)
      : meta_(meta_of(require_checksums(text), fm.sample_rate(), fm.kmers().k())),
        names_(names_of(text, threads)),
        sections_(sections_of(text, fm, meta_, names_)) {
    const Stopwatch watch;
    bytes_ = sizeof(IndexHeader) + sections_.size() * sizeof(SectionEntry);
    std::vector<PlacedSection> placed;
    for (std::size_t s = 0; s < sections_.size() - 2; ++s) {
      placed.push_back({bytes_, sections_[s].bytes});
      add_entry(sections_[s]);
    }
    FileSums sums = sums_of(placed, threads);
    for (std::size_t s = 0; s < placed.size(); ++s)
      table_[s].checksum = sums.sections[s];
    page_sums_ = std::move(sums.pages);
    page_sum_sums_ = page_sums_of(bytes_of(page_sums_), threads);
    for (const auto* const last : {&page_sums_, &page_sum_sums_}) {
      NamedBytes& section = sections_[table_.size()];
      section.bytes = bytes_of(*last);
      add_entry(section);
      table_.back().checksum = checksum(section.bytes, threads);
    }
    log().debug("checksums of sections and pages in {:.3f} s", watch.seconds());
  }
  Layout(const Layout&) = delete;  // sections_[0] points to meta_
  Layout& operator=(const Layout&) = delete;

  std::uint64_t bytes() const { return bytes_; }
  const std::vector<NamedBytes>& sections() const { return sections_; }
  const std::vector<SectionEntry>& table() const { return table_; }

  /// The bytes before the sections.
  std::vector<std::uint8_t> head() const {
    IndexHeader header{};
    index_magic.copy(header.magic, sizeof header.magic);
    header.version = format_version;
    header.byte_order = byte_order_stamp;
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
  void add_entry(const NamedBytes& section) {
    SectionEntry entry{};
    section.name.copy(entry.name, sizeof entry.name - 1);
    entry.offset = bytes_;
    entry.bytes = section.bytes.size();
    table_.push_back(entry);
    bytes_ += entry.padded_bytes();
  }

  Meta meta_;
  NameTable names_;
  std::vector<std::uint64_t> page_sums_;
  std::vector<std::uint64_t> page_sum_sums_;
  std::vector<NamedBytes> sections_;
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

std::uint64_t write_index(Output& out, const Text& text, const FmIndex& fm, int threads) {
  const Layout layout(text, fm, threads);
  const std::vector<std::uint8_t> head = layout.head();
  out.write(head.data(), head.size());
  constexpr std::uint8_t zeros[section_alignment] = {};
  for (const NamedBytes& section : layout.sections()) {
    out.write_on_threads(
        {reinterpret_cast<const char*>(section.bytes.data()), section.bytes.size()}, threads);
    out.write(zeros, padding_of(section.bytes.size()));
  }
  return reinterpret_cast<const IndexHeader*>(head.data())->checksum;
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
  const Meta meta = meta_of(text, options.sample_rate, options.kmer_length_for(text.view()));
  std::uint64_t head = sizeof(IndexHeader), bytes = 0, sums = 0;
  for (const SectionPlace& place : sections_in_order(meta)) {
    if (!is_stored(place.section, text)) continue;
    const SectionKind& kind = kind_of(place.section);
    std::uint64_t content = 0;
    if (place.section == Section::page_sums) {
      content = sums = page_sums_bytes(bytes);
    } else if (place.section == Section::page_sum_sums) {
      content = page_sums_bytes(sums);
    } else {
      content = kind.items != nullptr ? kind.bytes(meta)
                                      : content_of(place, text, nullptr, meta, nullptr).size();
    }
    head += sizeof(SectionEntry);
    bytes += content + padding_of(content);
  }
  return head + bytes;
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
