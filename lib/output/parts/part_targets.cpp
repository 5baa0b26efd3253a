#include "output/parts/part_targets.hpp"

#include <utility>

namespace gsx {

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
