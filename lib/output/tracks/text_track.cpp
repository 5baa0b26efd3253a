#include "output/tracks/text_track.hpp"

#include "base/text_pieces.hpp"
#include "output/lines/digits.hpp"
#include "output/lines/line_writer.hpp"
#include "output/lines/text_format.hpp"
#include "output/tracks/value_text.hpp"

namespace gsx {
namespace {

class TextEncoder final : public TrackEncoder {
 public:
  TextEncoder(std::span<const TrackRecord> records, TrackText format, TrackKind kind)
      : records_(records), format_(format), values_(kind) {}

  void encode(const SectionsView& sections, EncodedSections& to) override {
    pieces_.text().swap(to.bytes);  // its memory is used again
    LineWriter lines(pieces_);
    for (const TrackSection& section : sections.sections) {
      start_with(section.record);
      const std::size_t most = line_start_.size() + 2 * most_digits + most_value_digits + 3;
      sections.for_each_run(section,
                            [&](std::uint64_t begin, std::uint64_t end, std::uint32_t bits) {
                              char* at = put_text(lines.begin(most), line_start_);
                              at = put_number(at, begin);
                              *at++ = '\t';
                              at = put_number(at, end);
                              *at++ = '\t';
                              at = values_.put(at, bits);
                              *at++ = '\n';
                              lines.end(at);
                            });
    }
    lines.flush();
    pieces_.text().swap(to.bytes);
  }

 private:
  void start_with(std::uint64_t record) {
    line_start_.clear();
    if (format_ == TrackText::bed_graph) {
      append_bed_target(line_start_, records_[record].name);
    } else {
      append_name(line_start_, records_[record].name);
    }
    line_start_ += '\t';
  }

  std::span<const TrackRecord> records_;
  TrackText format_;
  ValueText values_;
  TextPieces pieces_;
  std::string line_start_;
};

}  // namespace

void TextTrackWriter::begin(std::span<const TrackRecord> records, TrackKind kind) {
  records_ = records;
  kind_ = kind;
  if (format_ == TrackText::tsv && header_) output_.write("record\tbegin\tend\tvalue\n");
}

std::unique_ptr<TrackEncoder> TextTrackWriter::make_encoder() const {
  return std::make_unique<TextEncoder>(records_, format_, kind_);
}

}  // namespace gsx
