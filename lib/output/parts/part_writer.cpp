#include "output/parts/part_writer.hpp"

#include <algorithm>

#include "base/little_endian.hpp"

namespace gsx {
namespace {

void append_query(std::string& out, const RecordBatch& queries, std::size_t i) {
  const std::string_view name = queries.name(i), symbols = queries.sequence(i);
  append_varint(out, name.size() + 1);
  out += name;
  append_varint(out, symbols.size());
  append_little_endian(out, symbols_sum(symbols), 4);
}

void append_files(std::string& out, const SourceFilesView& files) {
  append_varint(out, files.size());
  for (std::uint64_t f = 0; f < files.size(); ++f) {
    append_sized(out, files.name(f));
    append_varint(out, files.record_ends[f] - files.first_record(f));
  }
}

void append_records(std::string& out, const PartIndex& index) {
  const RecordsView& records = index.records;
  auto circular = index.circular.begin();
  append_varint(out, records.size());
  for (std::uint64_t r = 0; r < records.size(); ++r) {
    const bool is_circular = circular != index.circular.end() && *circular == r;
    if (is_circular) ++circular;
    append_sized(out, records.name(r));
    append_varint(out, records.infos[r].length << 1 | (is_circular ? 1 : 0));
    const std::uint64_t begin = records.infos[r].first_segment;
    const std::uint64_t end =
        r + 1 < records.size() ? records.infos[r + 1].first_segment : index.segments.count;
    append_varint(out, end - begin);
    std::uint64_t offset = 0;
    for (std::uint64_t s = begin; s < end; ++s) {
      const std::uint64_t length = index.segments.starts[s + 1] - 1 - index.segments.starts[s];
      append_varint(out, records.segment_offsets[s] - offset);
      append_varint(out, length);
      offset = records.segment_offsets[s] + length;
    }
  }
}

}  // namespace

void PartFrames::append_frame(std::string& out, std::string_view content) {
  std::string frame;
  append_little_endian(frame, content.size(), 4);
  frame += content;
  append_little_endian(frame, frame_sum(frame, frames_++), part_sum_bytes);
  out += frame;
}

void PartFrames::seal(std::string& bytes) {
  std::string out;
  if (!begun_) {
    begun_ = true;
    out = part_magic;
    append_little_endian(out, part_version, 4);
  }
  std::string_view rest = bytes;
  while (pending_.size() + rest.size() >= part_frame_bytes) {
    const std::size_t taken = part_frame_bytes - pending_.size();
    pending_ += rest.substr(0, taken);
    rest.remove_prefix(taken);
    append_frame(out, pending_);
    pending_.clear();
  }
  pending_ += rest;
  bytes = std::move(out);
}

std::string PartFrames::finish() {
  std::string out;
  seal(out);
  append_frame(out, pending_);
  return out;
}

std::string part_head(const RunSummary& run, PartContent content, const PartIndex& index) {
  std::string out;
  append_sized(out, summary_text(run));
  out += static_cast<char>(content);
  append_varint(out, index.named_circular ? index.circular.size() : 0);
  if (index.named_circular)
    for (const std::uint64_t record : index.circular)
      append_sized(out, index.records.name(record));
  append_varint(out, index.regions.number);
  append_little_endian(out, index.regions.checksum, 8);
  append_files(out, index.with_files ? index.records.files : SourceFilesView());
  const bool names_records = holds_hits(content) || content == PartContent::record_counts;
  append_records(out, names_records ? index : PartIndex());
  return out;
}

std::string part_end(const RunSummary& run) {
  std::string out;
  append_varint(out, 0);
  append_sized(out, summary_text(run));
  return out;
}

void PartCounts::begin_next() {
  std::string& text = out_.text();
  if (begun_ != 0) append_varint(text, 0);
  out_.check();
  if (begun_ < queries_.size()) append_query(text, queries_, begun_);
  ++begun_;
  previous_ = 0;
}

void PartCounts::add(std::size_t query, std::uint64_t place, const StrandCounts& counts) {
  while (begun_ <= query)
    begin_next();
  std::string& text = out_.text();
  append_varint(text, place - previous_ + 1);
  append_varint(text, counts.forward);
  append_varint(text, counts.reverse);
  previous_ = place;
  out_.check();
}

void PartCounts::finish() {
  while (begun_ <= queries_.size())
    begin_next();
}

void PartHits::add(const HitChunk& chunk, const MismatchPlaces* mismatches) {
  constexpr std::uint64_t hits_per_check = 4096;
  std::string& text = out_.text();
  std::uint64_t next = 0;
  for (std::size_t i = 0; i < chunk.patterns(); ++i) {
    if (i != 0 || chunk.before == 0) {
      append_query(text, queries_, chunk.first + i);
      append_varint(text, chunk.counts[i].forward);
      append_varint(text, chunk.counts[i].reverse);
      previous_ = 0;
    }
    for (; next < chunk.ends[i]; ++next) {
      const Hit hit = chunk.hits[next];
      append_varint(text, (hit.position() - previous_) << 1 | (hit.is_reverse() ? 1 : 0));
      previous_ = hit.position();
      if (next % hits_per_check == 0) out_.check();
      if (mismatches == nullptr) continue;
      const auto places = mismatches->of(next);
      append_varint(text, places.size());
      std::uint64_t before = 0;
      for (const std::uint64_t place : places) {
        append_varint(text, place - before);
        before = place;
      }
    }
    out_.check();
  }
}

}  // namespace gsx
