#include "output/parts/part_reader.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace gsx {
namespace {

/// Positions, lengths and numbers of hits are below it.
constexpr std::uint64_t too_large = std::uint64_t{1} << 55;

RunSummary parse_run(const PartBytes& bytes, const std::string& text) {
  try {
    return parse_summary(bytes.label(), text);
  } catch (const InputError& error) {
    bytes.fail_damaged(error.what());
  }
}

}  // namespace

PartReader::PartReader(PartSource source, PartTargets& targets)
    : bytes_(std::move(source)),
      targets_(targets),
      run_(parse_run(bytes_, bytes_.text(most_summary_bytes))) {
  const std::uint8_t content = bytes_.byte();
  if (content >= part_contents) bytes_.fail_damaged("it holds what is not known");
  content_ = static_cast<PartContent>(content);
  if (run_.command != (holds_hits(content_) ? "locate" : "count"))
    bytes_.fail_damaged("its command is another");
  if (const std::uint64_t most = run_.number_option("max_hits"); most != 0) max_hits_ = most;
  if (run_.number_option("mismatches") > most_mismatches)
    bytes_.fail_damaged("it was searched with too many mismatches");
  for (std::uint64_t left = bytes_.varint(); left > 0; --left)
    circular_names_.push_back(bytes_.text());
  regions_.number = bytes_.varint();
  regions_.checksum = bytes_.number(8);
  begins_ = targets_.begin_shard();
  read_files();
  read_records();
  text_length_ = targets_.text_length() - begins_.text;
}

void PartReader::read_files() {
  files_ = bytes_.varint();
  std::uint64_t all = 0;
  for (std::uint64_t f = 0; f < files_; ++f) {
    const std::string name = bytes_.text();
    const std::uint64_t records = bytes_.varint();
    if (records >= too_large || (all += records) >= too_large)
      bytes_.fail_damaged("its files have too many records");
    targets_.add_file(name, records);
  }
  // The first file may be the one that the shard before ends with.
  begins_.file = targets_.files_added() - files_;
}

void PartReader::read_records() {
  records_ = bytes_.varint();
  for (std::uint64_t r = 0; r < records_; ++r) {
    const std::string name = bytes_.text();
    const std::uint64_t length = bytes_.varint();
    if (length >= too_large) bytes_.fail_damaged("a record is too long");
    targets_.add_record(name, length >> 1, (length & 1) != 0);
    read_segments(length >> 1);
    if (targets_.text_length() >= too_large) bytes_.fail_damaged("its records are too long");
  }
  if (records_ != 0 && run_.has_option("by_file") != (files_ != 0))
    bytes_.fail_damaged("its files and its option by_file do not fit one another");
  const SourceFilesView files = targets_.records().files;
  const bool names_all = records_ != 0 && files_ != 0;
  if (names_all && files.record_ends.back() != targets_.records_added())
    bytes_.fail_damaged("its files and its records do not fit one another");
}

void PartReader::read_segments(std::uint64_t length) {
  std::uint64_t offset = 0;
  for (std::uint64_t left = bytes_.varint(); left > 0; --left) {
    const std::uint64_t before = bytes_.varint(), size = bytes_.varint();
    if (before > length - offset || size > length - offset - before || size == 0)
      bytes_.fail_damaged("a segment does not lie in its record");
    targets_.add_segment(offset + before, size);
    offset += before + size;
  }
}

bool PartReader::next(PartQuery& query) {
  const std::uint64_t name = bytes_.varint();
  if (name == 0) {
    summary_ = parse_run(bytes_, bytes_.text(most_summary_bytes));
    if (summary_->version != run_.version || summary_->command != run_.command ||
        summary_->options != run_.options)
      bytes_.fail_damaged("its end is of another run");
    bytes_.require_end();
    return false;
  }
  bytes_.read(name - 1, query.name);
  query.length = query_length_ = bytes_.varint();
  query.symbols = static_cast<std::uint32_t>(bytes_.number(4));
  previous_ = 0;
  first_ = true;
  if (!holds_hits(content_)) return true;
  query.total.forward = bytes_.varint();
  query.total.reverse = bytes_.varint();
  if (query.total.forward >= too_large || query.total.reverse >= too_large)
    bytes_.fail_damaged("a query has too many hits");
  hits_left_ = std::min(max_hits_, query.total.total());
  strand_left_ = query.total;
  return true;
}

bool PartReader::next_count(PlaceCount& count) {
  const std::uint64_t step = bytes_.varint();
  if (step == 0) return false;
  const bool by_record = content_ == PartContent::record_counts;
  const bool by_file = content_ == PartContent::file_counts;
  const std::uint64_t places = by_record ? records_
                               : by_file ? files_
                               : content_ == PartContent::mismatch_counts
                                   ? run_.number_option("mismatches") + 1
                                   : 1;
  if (step - 1 >= places - previous_ || (!first_ && step == 1))
    bytes_.fail_damaged("a count is of a place that there is not");
  first_ = false;
  previous_ += step - 1;
  count.place = previous_ + (by_record ? begins_.record : by_file ? begins_.file : 0);
  count.counts.forward = bytes_.varint();
  count.counts.reverse = bytes_.varint();
  if (count.counts.forward >= too_large || count.counts.reverse >= too_large)
    bytes_.fail_damaged("a count is too large");
  return true;
}

Hit PartReader::next_hit() {
  const std::uint64_t step = bytes_.varint();
  if (step >> 1 >= text_length_ - previous_)
    bytes_.fail_damaged("a hit lies behind the end of the text");
  const bool reverse = (step & 1) != 0;
  // At one position, the forward hit is the first.
  if (!first_ && step >> 1 == 0 && !(reverse && !previous_reverse_))
    bytes_.fail_damaged("a hit comes twice");
  if ((reverse ? strand_left_.reverse : strand_left_.forward)-- == 0)
    bytes_.fail_damaged("a query has more hits on a strand than it has in all");
  first_ = false;
  previous_reverse_ = reverse;
  previous_ += step >> 1;
  const std::uint64_t position = begins_.text + previous_;
  require_place(position);
  --hits_left_;
  mismatches_.clear();
  if (content_ != PartContent::mismatched_hits) return {position, reverse};
  const std::uint64_t count = bytes_.varint();
  if (count > run_.number_option("mismatches"))
    bytes_.fail_damaged("a hit has too many mismatches");
  std::uint64_t place = 0;
  for (std::uint64_t m = 0; m < count; ++m) {
    const std::uint64_t more = bytes_.varint();
    if (more >= query_length_ - place || (m != 0 && more == 0))
      bytes_.fail_damaged("a mismatch does not lie in its hit");
    mismatches_.push_back(place += more);
  }
  return {position, reverse, static_cast<std::uint32_t>(count)};
}

/// Throws unless the symbols of a hit lie in a segment, or span the origin of a circular record.
void PartReader::require_place(std::uint64_t position) {
  const SegmentsView segments = targets_.segments();
  if (position - segment_begin_ >= segment_size_) {
    const std::uint64_t segment = segments.segment_at(position);
    segment_begin_ = segments.starts[segment];
    segment_size_ = segments.starts[segment + 1] - segment_begin_;
  }
  const std::uint64_t room = segment_begin_ + segment_size_ - 1 - position;
  spans_origin_ = query_length_ > room;
  if (query_length_ == 0 || room == 0) bytes_.fail_damaged("a hit has no symbols");
  if (!spans_origin_) return;
  const RecordsView& records = targets_.records();
  const std::uint64_t record = records.segment_records[segments.segment_at(position)];
  const std::uint64_t first = records.infos[record].first_segment;
  const std::uint64_t first_size = segments.starts[first + 1] - 1 - segments.starts[first];
  const auto& circular = targets_.circular();
  if (!std::binary_search(circular.begin(), circular.end(), record) ||
      query_length_ - room > first_size || query_length_ > records.infos[record].length)
    bytes_.fail_damaged("a hit does not lie in its record");
}

PartBegins PartTargets::begin_shard() {
  first_file_ = true;
  return {text_, infos_.size(), files_.name_ends.size()};
}

void PartTargets::add_file(std::string_view name, std::uint64_t records) {
  const bool goes_on = std::exchange(first_file_, false) && files_.kept() &&
                       files_.view().name(files_.name_ends.size() - 1) == name;
  const std::uint64_t begin = files_.record_ends.empty() ? 0 : files_.record_ends.back();
  if (!goes_on) {
    files_.add_name(name);
    files_.record_ends.push_back(begin);
  }
  files_.record_ends.back() = begin + records;
}

void PartTargets::add_record(std::string_view name, std::uint64_t length, bool circular) {
  if (circular) circular_.push_back(infos_.size());
  infos_.push_back({length, segment_offsets_.size(), 0, {}});
  names_ += name;
  name_ends_.push_back(names_.size());
  comment_ends_.push_back(0);
}

void PartTargets::add_segment(std::uint64_t offset, std::uint64_t length) {
  starts_.push_back(text_);
  segment_offsets_.push_back(offset);
  segment_records_.push_back(infos_.size() - 1);
  text_ += length + 1;
}

void PartTargets::finish() {
  starts_.push_back(text_);
  segments_ = Segments(std::move(starts_));
}

RecordsView PartTargets::records() const {
  return {.infos = infos_,
          .segment_offsets = segment_offsets_,
          .segment_records = segment_records_,
          .gaps = {},
          .literals = {},
          .names = names_,
          .comments = {},
          .name_ends = name_ends_,
          .comment_ends = comment_ends_,
          .files = files_.view()};
}

}  // namespace gsx
