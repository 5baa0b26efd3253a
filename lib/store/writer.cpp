#include "store/writer.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "base/bits.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "machine/resources.hpp"
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
  return sections;
}

std::uint64_t padding_of(std::uint64_t bytes) {
  return (section_alignment - bytes % section_alignment) % section_alignment;
}

}  // namespace

void write_index(Output& out, const Text& text, const FmIndex& fm, int threads) {
  if (!text.checksummed) throw RuntimeError("no index can be written before checksum_records");
  const Meta meta = meta_of(text, fm);
  const std::vector<Section> sections = sections_of(text, fm, meta);

  const Stopwatch watch;
  std::vector<SectionEntry> table;
  std::uint64_t offset = sizeof(IndexHeader) + sections.size() * sizeof(SectionEntry);
  for (const Section& section : sections) {
    SectionEntry entry{};
    section.name.copy(entry.name, sizeof entry.name - 1);
    entry.offset = offset;
    entry.bytes = section.bytes.size();
    entry.checksum = checksum(section.bytes, threads);
    table.push_back(entry);
    offset += entry.padded_bytes();
  }
  log().debug("sections' checksums in {:.3f} s", watch.seconds());
  IndexHeader header{};
  index_magic.copy(header.magic, sizeof header.magic);
  header.version = format_version;
  header.byte_order = byte_order_mark;
  header.header_bytes = sizeof header + table.size() * sizeof(SectionEntry);
  header.file_bytes = offset;
  header.sections = static_cast<std::uint32_t>(table.size());
  std::vector<std::uint8_t> head(header.header_bytes);
  std::memcpy(head.data(), &header, sizeof header);
  std::memcpy(head.data() + sizeof header, table.data(), table.size() * sizeof(SectionEntry));
  header.checksum = header_checksum(head);
  std::memcpy(head.data(), &header, sizeof header);

  out.write(head.data(), head.size());
  constexpr std::uint8_t zeros[section_alignment] = {};
  for (const Section& section : sections) {
    out.write(section.bytes.data(), section.bytes.size());
    out.write(zeros, padding_of(section.bytes.size()));
  }
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
  return Wavelet::level_count(bits) * level + PackedView::bytes_for(length, bits) +
         PackedView::bytes_for(bounds, bits_for(length)) +
         PackedView::bytes_for(RowSampling(sample_rate).count(length), bits_for(length)) + 4096;
}

}  // namespace gsx
