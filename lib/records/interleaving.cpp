#include "records/interleaving.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/messages.hpp"

namespace gsx {

std::string place_of(std::uint64_t number, std::string_view name, const std::string& file) {
  return "record " + std::to_string(number) + " ('" + shown_name(name) + "') of " + file;
}

std::string place_of(const RecordBatch& reads, std::size_t i) {
  return place_of(reads.first_in_source + i, reads.name(i), *reads.source);
}

std::string advice_on_order(bool is_alignment) {
  if (is_alignment)
    return "bring mates together first: samtools collate -O FILE | gsx ... --interleaved -; if "
           "they are, a mate may be missing: leave its read out by samtools fixmate and samtools "
           "view -f 1, or by samtools fastq -s, or give --unpaired";
  return "let each mate follow the other, or leave out --interleaved: two files are then those of "
         "mates, and --unpaired is for any others";
}

std::string what_is(MateAnswer answer) {
  if (answer == MateAnswer::both_first) return " are both first mates";
  if (answer == MateAnswer::both_second) return " are both second mates";
  return " are not mates by their names";
}

void fail_on_mates(MateAnswer answer, const std::string& first, const std::string& second,
                   const std::string& advice) {
  throw InputError("mates are out of step: " + first + " and " + second + what_is(answer) + "; " +
                   advice);
}

bool MateEvidence::add(const ReadHeader& first, const ReadHeader& second, SequenceFormat format) {
  if (is_list(format) || names_.compare(first, second) != MateAnswer::mates) return false;
  if (format == SequenceFormat::fasta && names_.is_weak()) return false;
  if (names_.is_plain() && (first.name.empty() || (pairs_ > 0 && first.name == last_name_)))
    return false;
  last_name_ = first.name;
  ++pairs_;
  return true;
}

bool MateEvidence::tells_pairs(bool half) const {
  if (pairs_ != 1) return pairs_ > 1;
  return !names_.is_weak() || (names_.is_plain() && !half);
}

PairWatch::Answer PairWatch::take(const RecordBatch& reads, bool is_alignment) {
  is_alignment_ = is_alignment;
  for (std::size_t i = 0; i < reads.size() && answer_ == Answer::open; ++i)
    answer_ = take(reads, i);
  return answer_;
}

PairWatch::Answer PairWatch::take(const RecordBatch& reads, std::size_t i) {
  const ReadHeader header = read_header(reads, i);
  ++records_;
  if (is_alignment_) {
    if (!ends_in_mate(header.name))
      return records_ == 2 * MateEvidence::most_pairs ? Answer::single : Answer::open;
    found_ = place_of(reads, i) + " is one of a pair";
    return Answer::pairs;
  }
  bytes_ += reads.bytes.are_kept() ? reads.bytes.run(i, i + 1).size() : reads.length(i);
  if (records_ % 2 == 1) {
    last_name_ = header.name;
    last_comment_ = header.comment;
    return Answer::open;
  }
  if (!evidence_.add({last_name_, last_comment_}, header, reads.format)) return Answer::single;
  if (records_ == 2) {
    found_ = place_of(reads.first_in_source + i - 1, last_name_, *reads.source) + " and record " +
             std::to_string(reads.first_in_source + i) + " ('" + shown_name(header.name) +
             "') are mates";
  }
  return records_ == 2 * MateEvidence::most_pairs || bytes_ > most_bytes ? end() : Answer::open;
}

PairWatch::Answer PairWatch::end() {
  if (answer_ != Answer::open) return answer_;
  // Behind the last pair, a record alone says little: the file may be cut.
  const bool half = records_ % 2 != 0;
  return answer_ = !found_.empty() && evidence_.tells_pairs(half) ? Answer::pairs : Answer::single;
}

void PairWatch::refuse(const std::string& keep, const std::string& split) const {
  throw UsageError(found_ + "; give --interleaved to " + keep + ", or --unpaired to " + split +
                   (is_alignment_ ? "; mates that lie apart are brought together by samtools "
                                    "collate -O FILE | gsx ... --interleaved -"
                                  : ""));
}

void MateFilesWatch::take(const RecordBatch& reads, bool is_alignment, const std::string& cure) {
  if (file_ != reads.file) {
    end_file(cure);
    file_ = reads.file;
    heads_.push_back({.file = *reads.source, .format = reads.format, .headers = {}});
  }
  Head& head = heads_.back();
  if (is_alignment || is_list(reads.format)) return;
  for (std::size_t i = 0; i < reads.size() && !head.is_full; ++i) {
    const ReadHeader header = read_header(reads, i);
    head.headers.push_back({std::string(header.name), std::string(header.comment)});
    head.bytes += header.name.size() + header.comment.size();
    head.is_full = head.headers.size() == MateEvidence::most_pairs || head.bytes > most_bytes;
    if (head.is_full) require_strangers(cure);
  }
}

void MateFilesWatch::end_file(const std::string& cure) {
  if (file_ && !heads_.back().is_full) require_strangers(cure);
  file_.reset();
}

void MateFilesWatch::require_strangers(const std::string& cure) const {
  const Head& last = heads_.back();
  for (std::size_t i = 0; i + 1 < heads_.size(); ++i) {
    if (!are_mates(heads_[i], last)) continue;
    throw UsageError(place_of(1, heads_[i].headers.front().name, heads_[i].file) + " and " +
                     place_of(1, last.headers.front().name, last.file) + " are mates; " + cure);
  }
}

bool MateFilesWatch::are_mates(const Head& one, const Head& other) {
  const std::size_t reads = std::min(one.headers.size(), other.headers.size());
  const bool all = one.is_full && other.is_full;
  if (one.format != other.format || (!all && one.headers.size() != other.headers.size()))
    return false;
  MateEvidence evidence;
  for (std::size_t i = 0; i < reads; ++i) {
    const Header &first = one.headers[i], &second = other.headers[i];
    if (!evidence.add({first.name, first.comment}, {second.name, second.comment}, one.format))
      return false;
  }
  return evidence.tells_pairs(false);
}

void InterleavedMates::check(const RecordBatch& reads, bool is_alignment) {
  const auto require_mates = [&](const ReadHeader& first, std::size_t second,
                                 const auto& first_place) {
    const MateAnswer answer = names_.compare(first, read_header(reads, second));
    if (answer == MateAnswer::mates) return;
    fail_on_mates(answer, first_place(), place_of(reads, second), advice_on_order(is_alignment));
  };
  std::size_t i = 0;
  if (single_) {
    if (single_->file != reads.file) finish();
    require_mates({single_->name, single_->comment}, 0, [&] { return single_->place; });
    single_.reset();
    i = 1;
  }
  for (; i + 1 < reads.size(); i += 2)
    require_mates(read_header(reads, i), i + 1, [&] { return place_of(reads, i); });
  if (i == reads.size()) return;
  single_.emplace(Single{std::string(reads.name(i)), std::string(reads.comment(i)),
                         place_of(reads, i), reads.file});
}

void InterleavedMates::finish() const {
  if (!single_) return;
  throw InputError("mates are out of step: " + single_->place +
                   ", its last, has no mate; give whole pairs, or leave out --interleaved");
}

}  // namespace gsx
