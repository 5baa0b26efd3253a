#include "output/lines/alignments.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <string_view>
#include <unordered_set>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "output/lines/text_format.hpp"
#include "text/alphabet.hpp"
#include "text/complement.hpp"

namespace gsx {
namespace {

constexpr std::size_t longest_name = 254;
/// Symbols that one operation of a CIGAR can span in BAM, less than that.
constexpr std::uint64_t too_long_query = std::uint64_t{1} << 28;
constexpr std::uint64_t too_long_target = std::uint64_t{1} << 31;
/// The largest number that a tag holds in BAM.
constexpr std::uint64_t largest_tag = 0xFFFFFFFF;

/// The mapping quality of a query with so many hits, as STAR has it.
constexpr std::uint8_t quality_of(std::uint64_t hits) {
  return hits == 0 ? 0 : hits == 1 ? 255 : hits == 2 ? 3 : hits <= 4 ? 1 : 0;
}

/// The letter of SEQ that stands for each letter of a query: in upper case, T for U, and N for what
/// is no IUPAC code.
constexpr auto shown_letters = [] {
  std::array<char, 256> table{};
  table.fill('N');
  for (const char letter : std::string_view("ACGTMRWSYKVHDB")) {
    table[static_cast<unsigned char>(letter)] = letter;
    table[static_cast<unsigned char>(to_lower(letter))] = letter;
  }
  table['U'] = table['u'] = 'T';
  return table;
}();

bool is_visible(char c) {
  return c >= '!' && c <= '~';
}

/// Why SAM does not allow the name of a record, or null.
const char* fault_of_target(std::string_view name) {
  constexpr std::string_view not_allowed = "\\,\"'`()[]{}<>";
  if (name.empty()) return "it has no name";
  if (name.size() > longest_name) return "its name is longer than 254 bytes";
  if (!std::all_of(name.begin(), name.end(), is_visible) ||
      name.find_first_of(not_allowed) != std::string_view::npos || name[0] == '*' || name[0] == '=')
    return "SAM does not allow its name";
  return nullptr;
}

[[noreturn]] void refuse_target(std::uint64_t record, std::string_view name,
                                const std::string& why) {
  throw InputError("record " + std::to_string(record + 1) + ", '" + shown_name(name) +
                   "', cannot be in the header of the alignments: " + why +
                   "; choose another format, or index records with other names");
}

/// Says where the query is, if it is of a sequence file.
[[noreturn]] void refuse_query(const RecordBatch& queries, std::size_t i, const std::string& why) {
  const std::string named = "'" + shown_name(queries.name(i)) + "'";
  throw InputError((queries.source
                        ? *queries.source + ": record " +
                              std::to_string(queries.first_in_source + i) + " (" + named + ")"
                        : "query " + named) +
                   ": " + why);
}

void check_targets(const RecordsView& targets, bool binary) {
  std::unordered_set<std::string_view> names;
  for (std::uint64_t record = 0; record < targets.size(); ++record) {
    const std::string_view name = targets.name(record);
    if (name.find(' ') != std::string_view::npos) {
      throw UsageError("record " + std::to_string(record + 1) + " has the name '" +
                       shown_name(name) +
                       "', with blanks, which alignments do not allow: choose another format, or "
                       "index the records without --whole-header");
    }
    if (const char* fault = fault_of_target(name)) refuse_target(record, name, fault);
    if (!names.insert(name).second) refuse_target(record, name, "an earlier one has its name");
    if (binary && targets.infos[record].length >= too_long_target)
      refuse_target(record, name, "BAM takes less than 2^31 symbols");
  }
}

/// Appends a number as BAM stores it.
template <class Integer>
void append_little_endian(std::string& out, Integer value) {
  for (std::size_t byte = 0; byte < sizeof value; ++byte)
    out += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * byte));
}

void require(bool done) {
  if (!done) throw std::bad_alloc();
}

}  // namespace

AlignmentHeader::AlignmentHeader(const RecordsView& targets, std::span<const Md5> md5s, bool binary,
                                 std::span<const std::uint64_t> circular)
    : binary_(binary), header_(nullptr, sam_hdr_destroy) {
  check_targets(targets, binary);
  text_ = "@HD\tVN:1.6\tSO:unsorted\tGO:query\n";
  for (std::uint64_t record = 0; record < targets.size(); ++record) {
    text_ += "@SQ\tSN:";
    text_ += targets.name(record);
    text_ += "\tLN:";
    append_number(text_, targets.infos[record].length);
    if (!md5s.empty()) text_ += "\tM5:" + to_hex(md5s[record]);
    if (std::ranges::binary_search(circular, record)) text_ += "\tTP:circular";
    text_ += '\n';
  }
  text_ += "@PG\tID:gsx\tPN:gsx\tVN:" GSX_VERSION "\n";
  header_.reset(sam_hdr_parse(text_.size(), text_.c_str()));
  require(header_ != nullptr);
}

std::string AlignmentHeader::bytes() const {
  if (!binary_) return text_;
  std::string out("BAM\1", 4);
  append_little_endian(out, static_cast<std::uint32_t>(text_.size()));
  out += text_;
  append_little_endian(out, static_cast<std::uint32_t>(header_->n_targets));
  for (std::int32_t i = 0; i < header_->n_targets; ++i) {
    const std::string_view name = header_->target_name[i];
    append_little_endian(out, static_cast<std::uint32_t>(name.size() + 1));
    out.append(name).push_back('\0');
    append_little_endian(out, header_->target_len[i]);
  }
  return out;
}

Alignments::Alignments(const AlignmentHeader& header, const RecordsView& targets,
                       const SegmentsView& segments, const MismatchText& text)
    : header_(header),
      text_(text),
      finder_(targets, segments),
      alignment_(bam_init1(), bam_destroy1) {
  require(alignment_ != nullptr);
}

Alignments::~Alignments() {
  ks_free(&line_);
}

void Alignments::append(TextPieces& pieces, const RecordBatch& queries, const HitChunk& chunk) {
  std::uint64_t next = 0;
  for (std::size_t i = 0; i < chunk.patterns(); ++i) {
    const std::uint64_t before = i == 0 ? chunk.before : 0;
    const std::uint64_t begin = next, end = chunk.ends[i];
    if (before == 0) begin_query(queries, chunk, i);
    const bool whole = before == 0 && end - begin == reported_;
    fewest_ = chunk.fewest_mismatches;
    for (std::uint64_t k = begin; whole && k < end; ++k)
      fewest_ = std::min(k == begin ? most_mismatches : fewest_, chunk.hits[k].mismatches());
    if (reported_ == 0) {
      set(BAM_FUNMAP, -1, -1, false);
      write(pieces.text());
    }
    for (; next < end; ++next) {
      set_mapped(chunk.hits[next], before + (next - begin) + 1);
      write(pieces.text());
      pieces.check();
    }
  }
  pieces.check();
}

void Alignments::begin_query(const RecordBatch& queries, const HitChunk& chunk, std::size_t i) {
  const std::size_t query = chunk.first + i;
  name_ = queries.name(query);
  symbols_ = queries.sequence(query);
  qualities_ = queries.quality(query);
  if (name_.empty()) name_ = "*";
  if (name_.size() > longest_name || !std::all_of(name_.begin(), name_.end(), is_visible) ||
      name_[0] == '@') {
    refuse_query(
        queries, query,
        std::string("SAM allows names of up to 254 visible characters, not begun by @; ") +
            (queries.source ? "rename it" : "give the pattern a name (NAME<tab>SEQUENCE, by -f)") +
            ", or choose another format");
  }
  if (symbols_.size() >= too_long_query) {
    refuse_query(queries, query, "SAM and BAM take queries of less than 2^28 symbols");
  }
  bool is_plain = true;
  for (char& symbol : symbols_) {
    symbol = shown_letters[static_cast<unsigned char>(symbol)];
    is_plain &= symbol == 'A' || symbol == 'C' || symbol == 'G' || symbol == 'T';
  }
  is_plain_ = is_plain;
  reverse_symbols_ = symbols_;
  reverse_complement(reverse_symbols_);
  for (char& quality : qualities_)
    quality = static_cast<char>(quality - '!');
  reverse_qualities_.assign(qualities_.rbegin(), qualities_.rend());
  total_ = chunk.counts[i].total();
  reported_ = chunk.reported(i);
  has_primary_ = false;
}

/// Makes the alignment of the query at that place; `target` is -1 if it has none.
void Alignments::set(std::uint16_t flag, std::int32_t target, std::int64_t start, bool reverse) {
  const std::string& symbols = reverse ? reverse_symbols_ : symbols_;
  const std::string& qualities = reverse ? reverse_qualities_ : qualities_;
  const auto cigar = static_cast<std::uint32_t>(bam_cigar_gen(symbols.size(), BAM_CMATCH));
  const bool mapped = target >= 0;
  const int length =
      bam_set1(alignment_.get(), name_.size(), name_.c_str(), flag, target, start,
               quality_of(total_), mapped ? 1 : 0, mapped ? &cigar : nullptr, -1, -1, 0,
               symbols.size(), symbols.c_str(), qualities.empty() ? nullptr : qualities.c_str(), 0);
  require(length >= 0);
}

void Alignments::add_tag(const char* name, std::uint64_t value) {
  const auto held = static_cast<std::int64_t>(std::min(value, largest_tag));
  require(bam_aux_update_int(alignment_.get(), name, held) == 0);
}

void Alignments::set_mapped(const Hit& hit, std::uint64_t number) {
  const std::uint64_t start = finder_.start_of(hit.position());
  const bool is_primary = !has_primary_ && hit.mismatches() == fewest_;
  has_primary_ |= is_primary;
  const int flag = (hit.is_reverse() ? BAM_FREVERSE : 0) | (is_primary ? 0 : BAM_FSECONDARY);
  set(static_cast<std::uint16_t>(flag), static_cast<std::int32_t>(finder_.target()),
      static_cast<std::int64_t>(start), hit.is_reverse());
  add_tag("NH", total_);
  add_tag("HI", number);
  find_differences(hit);
  add_tag("NM", differences_);
  require(bam_aux_append(alignment_.get(), "MD", 'Z', static_cast<int>(md_.size() + 1),
                         reinterpret_cast<const std::uint8_t*>(md_.c_str())) == 0);
  if (text_.iupac) add_tag("xm", hit.mismatches());
}

/// Sets md_, the bases of the text where SEQ has another letter, between lengths that agree, and
/// differences_, their number. A letter that stands for several bases differs from each of them, as
/// the SAM specification has it.
void Alignments::find_differences(const Hit& hit) {
  md_.clear();
  differences_ = 0;
  std::uint64_t equal = symbols_.size();
  if (hit.mismatches() != 0 || !is_plain_) {
    const std::string& symbols = hit.is_reverse() ? reverse_symbols_ : symbols_;
    const PlaceParts parts = finder_.parts(hit.position(), symbols.size());
    equal = 0;
    for (std::uint64_t i = 0; i < symbols.size(); ++i) {
      const auto code = static_cast<std::uint32_t>(text_.text.symbols[parts.position_of(i)]);
      if (symbols[i] == "ACGT"[code]) {
        ++equal;
        continue;
      }
      append_number(md_, equal);
      md_ += "ACGT"[code];
      ++differences_;
      equal = 0;
    }
  }
  append_number(md_, equal);
}

void Alignments::write(std::string& out) {
  const bam1_t& made = *alignment_;
  if (!header_.is_binary()) {
    ks_clear(&line_);
    require(sam_format1(header_.get(), &made, &line_) >= 0);
    out.append(line_.s, line_.l) += '\n';
    return;
  }
  // As section 4.2 of the SAM specification has it. htslib pads names in memory only.
  const bam1_core_t& core = made.core;
  const std::size_t name_bytes = core.l_qname - core.l_extranul;
  const auto rest = static_cast<std::size_t>(made.l_data) - core.l_qname;
  append_little_endian(out, static_cast<std::uint32_t>(32 + name_bytes + rest));
  append_little_endian(out, core.tid);
  append_little_endian(out, static_cast<std::int32_t>(core.pos));
  append_little_endian(out, static_cast<std::uint8_t>(name_bytes));
  append_little_endian(out, core.qual);
  append_little_endian(out, core.bin);
  append_little_endian(out, static_cast<std::uint16_t>(core.n_cigar));
  append_little_endian(out, core.flag);
  append_little_endian(out, core.l_qseq);
  append_little_endian(out, core.mtid);
  append_little_endian(out, static_cast<std::int32_t>(core.mpos));
  append_little_endian(out, static_cast<std::int32_t>(core.isize));
  const char* const data = reinterpret_cast<const char*>(made.data);
  out.append(data, name_bytes).append(data + core.l_qname, rest);
}

}  // namespace gsx
