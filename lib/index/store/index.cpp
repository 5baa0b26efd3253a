#include "index/store/joined_index.hpp"

#include <algorithm>
#include <cstring>
#include <set>

#include "arrays/rank/quad_check.hpp"
#include "arrays/rank/wavelet_matrix.hpp"
#include "base/bits.hpp"
#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/messages.hpp"
#include "base/public_call.hpp"
#include "bytes/output.hpp"
#include "index/fm/fm_index.hpp"
#include "index/store/case_table.hpp"
#include "index/store/checksum.hpp"
#include "index/store/record_tables.hpp"
#include "index/store/sections.hpp"
#include "records/symbol_scan.hpp"
#include "text/record_names.hpp"

namespace gsx {
namespace {

/// More symbols than any machine holds; keeps products of sizes within 64 bits.
constexpr std::uint64_t length_limit = RowSampling::most_rows;

template <class Array>
bool is_zero(const Array& values) {
  return std::all_of(std::begin(values), std::end(values), [](auto value) { return value == 0; });
}

/// Whether an array of characters holds visible ones and then zeros, at least one.
template <std::size_t size>
bool is_zero_padded(const char (&text)[size]) {
  const auto* const end = std::find(text, text + size, '\0');
  return end != text + size && std::all_of(end, text + size, [](char c) { return c == 0; }) &&
         std::all_of(text, end, [](char c) { return c > ' ' && c < 0x7F; });
}

/// The first field of `meta` whose value no index can have; null if there is none.
const char* impossible_field(const Meta& meta) {
  if (meta.length > length_limit) return "length";
  if (meta.segments == 0 || meta.segments > meta.length) return "segments";
  if (meta.records == 0) return "records";
  if (meta.policy > 3 || name_of(static_cast<SymbolPolicy>(meta.policy)) == "?") return "policy";
  if (meta.sigma == 0 || meta.sigma > Alphabet::none) return "sigma";
  if (meta.sample_rate == 0 || meta.sample_rate > RowSampling::most_rate) return "sample_rate";
  return meta.kmer_length > longest_kmer(meta.sigma) ? "kmer_length" : nullptr;
}

}  // namespace

void Index::State::corrupt(const std::string& why) const {
  throw CorruptIndexError("index '" + printable(path_) + "' is corrupt: " + why +
                          "; copy it again or rebuild it with gsx index");
}

Index::State::State(std::string path, IndexImage image, int threads, Load load)
    : path_(std::move(path)), image_(std::move(image)) {
  read_header(threads, load);
  read_sections(threads);
  if (image_.file() != nullptr) start_watch(threads, load);
}

Index Index::open(const std::string& path, Load load, int threads) {
  require_path(path);
  return with_gsx_errors([&] {
    IndexImage image;
    try {
      image = load == Load::read ? IndexImage::read(path) : IndexImage(MappedFile(path));
    } catch (const RuntimeError& error) {
      throw ForeignIndexError(std::string(error.what()) + "; an index is made by gsx index");
    }
    return Index(std::make_shared<const State>(path, std::move(image), threads_for(threads), load));
  });
}

Index Index::of(Buffer<std::uint8_t> bytes, int threads) {
  return Index(std::make_shared<const State>("memory", IndexImage(std::move(bytes)),
                                             threads_for(threads), Load::read));
}

void Index::save(const std::string& path) const {
  if (path.empty()) throw UsageError("an index cannot be saved to a file without a name");
  if (state_->joined_) throw UsageError("an index in shards cannot be saved as one file");
  require_path(path);
  with_gsx_errors([&] {
    Output out(path == "-" ? "./-" : path);  // standard output is not the library's
    out.write(state_->image_.bytes().data(), state_->image_.bytes().size());
    require_unchanged();
    out.commit();
  });
}

void Index::check_content(int threads) const {
  with_gsx_errors([&] { state_->check_content(threads_for(threads)); });
}

void Index::require_unchanged() const {
  state_->require_unchanged();
}

void Index::State::check_section(const SectionEntry& entry, int threads) const {
  const auto padded = image_.bytes().subspan(entry.offset, entry.padded_bytes());
  if (checksum(padded.first(entry.bytes), threads) != entry.checksum ||
      !is_zero(padded.subspan(entry.bytes))) {
    corrupt("section '" + printable(entry.name) + "' does not match its checksum");
  }
}

void Index::State::check_content(int threads) const {
  if (joined_) return check_parts(threads);
  for (const SectionEntry& entry : table_) {
    if (is_large_section(entry.name)) check_section(entry, threads);
  }
  if (watch_ == nullptr) return;
  const std::lock_guard lock(watch_->mutex);
  watch_->checked = true;
}

void Index::State::read_header(int threads, Load load) {
  const auto file = image_.bytes();
  if (file.size() < index_magic.size() ||
      std::memcmp(file.data(), index_magic.data(), index_magic.size()) != 0) {
    const bool cut = file.size() < index_magic.size() &&
                     std::equal(file.begin(), file.end(), index_magic.begin()) && !file.empty();
    if (cut) corrupt("it ends within its header");
    throw ForeignIndexError("'" + printable(path_) + "' is " +
                            (file.empty() ? "empty, not a gsx index" : "not a gsx index") +
                            "; make one with gsx index");
  }
  if (file.size() < sizeof(IndexHeader)) corrupt("it ends within its header");
  IndexHeader header;
  std::memcpy(&header, file.data(), sizeof header);
  // Check the header's checksum before trusting anything it says, its version included.
  if (header.header_bytes < sizeof header || header.header_bytes > file.size() ||
      header_checksum(file.first(header.header_bytes)) != header.checksum) {
    corrupt("it is truncated or its header is damaged");
  }
  if (header.version != format_version) {
    throw ForeignIndexError(
        "index '" + printable(path_) + "' has format version " + std::to_string(header.version) +
        "; this gsx (" GSX_VERSION ") reads version " + std::to_string(format_version) +
        ": rebuild the index with this gsx, or use the gsx that made it");
  }
  if (header.byte_order != byte_order_mark) {
    throw ForeignIndexError("index '" + printable(path_) +
                            "' was written with another byte order; rebuild it on this machine");
  }
  if (header.file_bytes != file.size()) {
    corrupt("it has " + std::to_string(file.size()) + " bytes where " +
            std::to_string(header.file_bytes) + " were written (a copy cut short?)");
  }
  if (header.header_bytes != sizeof header + header.sections * sizeof(SectionEntry)) {
    corrupt("its section table does not describe the file");
  }
  table_ = {reinterpret_cast<const SectionEntry*>(file.data() + sizeof header), header.sections};
  if (!is_zero(header.zero)) corrupt("its header has bytes where zeros belong");
  std::set<std::string_view> names;
  std::uint64_t offset = header.header_bytes;
  for (const SectionEntry& entry : table_) {
    if (entry.offset != offset || entry.bytes > file.size() - offset ||
        entry.padded_bytes() > file.size() - offset || !is_zero_padded(entry.name) ||
        !is_zero(entry.zero)) {
      corrupt("its section table does not describe the file");
    }
    if (!names.insert(entry.name).second) {
      corrupt("it has two sections '" + printable(entry.name) + "'");
    }
    if (load != Load::lazy || !is_large_section(entry.name)) check_section(entry, threads);
    offset += entry.padded_bytes();
  }
  if (offset != file.size()) corrupt("its sections do not fill the file");
}

bool Index::State::has(Section section) const {
  return std::any_of(table_.begin(), table_.end(), [&](const SectionEntry& entry) {
    return kind_of(section).name == entry.name;
  });
}

std::span<const std::uint8_t> Index::State::bytes(Section section, std::uint32_t level) const {
  const std::string name = name_of(section, level);
  for (const SectionEntry& entry : table_) {
    if (name == entry.name) return image_.bytes().subspan(entry.offset, entry.bytes);
  }
  corrupt("it has no section '" + name + "'");
}

template <class T>
std::span<const T> Index::State::array(Section section, std::uint32_t level) const {
  const auto found = bytes(section, level);
  const SectionKind& kind = kind_of(section);
  const std::uint64_t count = found.size() / sizeof(T);
  if (found.size() % sizeof(T) != 0 || (kind.items != nullptr && kind.items(*meta_) != count)) {
    corrupt("section '" + name_of(section, level) + "' has the wrong size");
  }
  return {reinterpret_cast<const T*>(found.data()), static_cast<std::size_t>(count)};
}

std::string_view Index::State::characters(Section section) const {
  const auto found = bytes(section);
  return {reinterpret_cast<const char*>(found.data()), found.size()};
}

PackedView Index::State::packed(Section section) const {
  const auto found = bytes(section);
  const SectionKind& kind = kind_of(section);
  const std::uint64_t count = kind.items(*meta_);
  if (count > length_limit || found.size() != kind.bytes(*meta_)) {
    corrupt("section '" + name_of(section) + "' has the wrong size");
  }
  return {found.data(), count, static_cast<std::uint32_t>(kind.item_bits(*meta_))};
}

void Index::State::require_ascending(std::span<const std::uint64_t> values, std::uint64_t last,
                                     Section section) const {
  std::uint64_t previous = 0;
  for (const std::uint64_t value : values) {
    if (value < previous) corrupt("section '" + name_of(section) + "' is not in order");
    previous = value;
  }
  if (previous != last) corrupt("section '" + name_of(section) + "' does not end where it should");
}

QuadView Index::State::level(std::uint32_t k, std::uint64_t size) const {
  const Section blocks = k == 0 ? Section::level0_blocks : Section::level_blocks;
  const Section superblocks = k == 0 ? Section::level0_superblocks : Section::level_superblocks;
  QuadView view;
  view.size = size;
  view.blocks = array<QuadBlock>(blocks, k).data();
  view.superblocks = array<QuadSuperblock>(superblocks, k).data();
  for (std::uint32_t d = 0; d < 4; ++d) {
    if (view.base(d) > size)
      corrupt("section '" + name_of(superblocks, k) + "' has impossible counts");
    view.base_sum += view.base(d);
  }
  return view;
}

void Index::State::read_sections(int threads) {
  const auto meta_bytes = bytes(Section::meta);
  if (meta_bytes.size() != sizeof(Meta)) corrupt("section 'meta' has the wrong size");
  meta_ = reinterpret_cast<const Meta*>(meta_bytes.data());
  const Meta& meta = *meta_;
  const auto policy = static_cast<SymbolPolicy>(meta.policy);
  if (const char* field = impossible_field(meta)) {
    corrupt("section 'meta' has an impossible " + std::string(field));
  }
  if (!is_zero(meta.zero) || !is_zero_padded(meta.gsx_version)) {
    corrupt("section 'meta' has bytes where zeros belong");
  }
  const bool masked = meta.soft_mask_split == 1 && policy == SymbolPolicy::dna;
  if ((meta.soft_mask_split != 0 && !masked) ||
      (!keeps_case() && meta.counts.lower_case != meta.literals)) {
    corrupt("section 'meta' contradicts itself about soft-masked bases");
  }
  const std::string_view symbols = characters(Section::symbols);
  const bool possible = symbols.size() == meta.sigma && all_symbols(symbols);
  if (possible && policy != SymbolPolicy::dna) alphabet_ = Alphabet::of(policy, symbols);
  if (possible && policy == SymbolPolicy::dna) alphabet_ = Alphabet::dna();
  if (!possible || alphabet_.symbols() != symbols)
    corrupt("section 'symbols' is not the alphabet that 'meta' describes");

  records_.infos = array<RecordInfo>(Section::records);
  records_.names = characters(Section::names);
  records_.comments = characters(Section::comments);
  records_.name_ends = array<std::uint64_t>(Section::name_ends);
  records_.comment_ends = array<std::uint64_t>(Section::comment_ends);
  require_ascending(records_.name_ends, records_.names.size(), Section::name_ends);
  require_ascending(records_.comment_ends, records_.comments.size(), Section::comment_ends);
  records_.segment_offsets = array<std::uint64_t>(Section::segment_offsets);
  records_.segment_records = array<std::uint64_t>(Section::segment_records);
  require_ascending(records_.segment_records, records_.segment_records.back(),
                    Section::segment_records);
  if (records_.segment_records.back() >= meta.records) corrupt("a segment has no record");
  records_.gaps = array<Gap>(Section::gaps);
  records_.literals = packed(Section::literals);
  for (const Gap& gap : records_.gaps) {
    const std::uint64_t first = gap.source - Gap::literal_base;
    if (gap.is_literal() && (first > meta.literals || gap.length > meta.literals - first)) {
      corrupt("a gap has no symbols");
    }
    const auto symbol = static_cast<char>(gap.source);
    if (!gap.is_literal() && !all_symbols({&symbol, 1})) corrupt("a gap has a wrong symbol");
  }
  for (const std::string_view headers : {records_.names, records_.comments}) {
    if (!is_header(headers) || headers.find('\n') != headers.npos) {
      corrupt("a header contains a line end");
    }
  }
  std::uint64_t segment = 0, gap = 0;
  for (const RecordInfo& info : records_.infos) {
    if (info.first_segment < segment || info.first_segment > meta.segments ||
        info.first_gap < gap || info.first_gap > meta.gaps) {
      corrupt("section 'records' is not in order");
    }
    segment = info.first_segment;
    gap = info.first_gap;
  }

  const auto starts = array<std::uint64_t>(Section::segment_starts);
  require_ascending(starts, meta.length, Section::segment_starts);
  for (std::size_t s = 0; s + 1 < starts.size(); ++s) {
    if (starts[s] >= starts[s + 1]) corrupt("section 'segment_starts' is not in order");
  }
  if (starts[0] != 0) corrupt("section 'segment_starts' does not begin at 0");
  const RecordTables tables{records_, starts, policy, meta.soft_mask_split == 1, meta.counts};
  if (const auto fault = fault_of(tables)) corrupt(*fault);
  segments_ = Segments({starts.begin(), starts.end()});
  symbols_ = packed(Section::text);
  read_letter_case();
  if (has(Section::md5)) md5s_ = array<Md5>(Section::md5);
  read_files();
  require_flag(Section::whole_header);

  fm_.bwt.level_count = WaveletMatrix::level_count(alphabet_.bits());
  std::uint64_t size = meta.length;
  for (std::uint32_t k = 0; k < fm_.bwt.level_count; ++k) {
    fm_.bwt.levels[k] = level(k, size);
    size = meta.length - meta.segments;  // only level 0 has holes
  }
  QuadView& top = fm_.bwt.levels[0];
  top.holes = packed(Section::separator_rows);
  for (std::uint64_t k = 0; k < meta.segments; ++k) {
    if (top.holes[k] >= meta.length || (k > 0 && top.holes[k] <= top.holes[k - 1])) {
      corrupt("section 'separator_rows' is not in order");
    }
  }
  fm_.hole_segments = packed(Section::separator_segments);
  for (std::uint64_t k = 0; k < meta.segments; ++k) {
    if (fm_.hole_segments[k] >= meta.segments) corrupt("a separator has no segment");
  }
  fm_.kmers = {packed(Section::kmers), meta.kmer_length, meta.sigma};
  fm_.sampling = RowSampling(meta.sample_rate);
  fm_.samples = packed(Section::samples);
  fm_.sigma = meta.sigma;
  // A rank on one level is a position on the next, so if there are several, all ranks must be true.
  for (std::uint32_t k = 0; fm_.bwt.level_count > 1 && k < fm_.bwt.level_count; ++k) {
    if (find_wrong_counts(fm_.bwt.levels[k], threads)) {
      corrupt("section 'level" + std::to_string(k) + "_blocks' has impossible counts");
    }
  }
  c_offsets_ = c_offsets_of(fm_.bwt, meta.sigma, meta.segments);
  fm_.c_offset = c_offsets_.data();
  fm_.segments = segments_.view();
}

void Index::State::require_flag(Section section) const {
  if (!has(section)) return;
  const auto flag = array<std::uint8_t>(section);
  if (flag.size() != 1 || flag[0] != 1) corrupt("section '" + name_of(section) + "' is not 1");
}

bool Index::State::keeps_case() const {
  return has(Section::case_runs) || has(Section::case_ends);
}

void Index::State::read_letter_case() {
  if (!keeps_case()) return;
  if (alphabet_.policy() == SymbolPolicy::bytes || meta_->soft_mask_split != 0) {
    corrupt("it keeps lower case for a text that does not fold it");
  }
  letter_case_.kept = true;
  letter_case_.runs = array<CaseRun>(Section::case_runs);
  letter_case_.ends = array<std::uint64_t>(Section::case_ends);
  const auto fault = fault_of(letter_case_, records_.infos, meta_->counts.lower_case);
  if (fault) corrupt(*fault);
}

void Index::State::read_files() {
  const bool some = has(Section::file_names) || has(Section::file_name_ends) ||
                    has(Section::file_record_ends) || has(Section::names_by_file);
  if (!some) return;
  SourceFilesView& files = records_.files;
  files.names = characters(Section::file_names);
  files.name_ends = array<std::uint64_t>(Section::file_name_ends);
  files.record_ends = array<std::uint64_t>(Section::file_record_ends);
  if (files.name_ends.empty() || files.name_ends.size() != files.record_ends.size())
    corrupt("its tables of files do not fit one another");
  require_ascending(files.name_ends, files.names.size(), Section::file_name_ends);
  require_ascending(files.record_ends, meta_->records, Section::file_record_ends);
  std::set<std::string_view> names;
  for (std::uint64_t f = 0; f < files.size(); ++f)
    if (!names.insert(files.name(f)).second) corrupt("two of its files have the same name");
  if (!has(Section::names_by_file)) return;
  require_flag(Section::names_by_file);
  if (files.record_ends.back() != meta_->records)
    corrupt("records are named by their files, and some have none");
  for (std::uint64_t f = 0; f < files.size(); ++f) {
    const std::string prefix = file_prefix(files.name(f));
    for (std::uint64_t r = files.first_record(f); r < files.record_ends[f]; ++r)
      if (!records_.name(r).starts_with(prefix))
        corrupt("a record has not the name of its file in its own");
  }
}

}  // namespace gsx
