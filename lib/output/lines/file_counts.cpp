#include "output/lines/file_counts.hpp"

#include <algorithm>

#include "output/lines/text_format.hpp"

namespace gsx {

std::string file_counts_header(FileCountForm form, const SourceFilesView& files) {
  if (form == FileCountForm::lines) return "query_id\tfile_id\tcount\tcount_fwd\tcount_rev\n";
  std::string header = "query_id";
  for (std::uint64_t f = 0; f < files.size(); ++f) {
    header += '\t';
    append_name(header, files.name(f));
  }
  return header + '\n';
}

void FileCounts::add(const HitChunk& chunk) {
  std::uint64_t next = 0;
  for (std::size_t i = 0; i < chunk.patterns(); ++i) {
    const std::size_t query = chunk.first + i;
    if (!begun_ || query != query_) {
      finish();
      query_ = query;
      begun_ = true;
    }
    for (; next < chunk.ends[i]; ++next) {
      const Hit hit = chunk.hits[next];
      if (counts_.empty() || hit.position() >= file_end_) find_file(hit.position());
      StrandCounts& counts = counts_.back().counts;
      ++(hit.is_reverse() ? counts.reverse : counts.forward);
    }
  }
}

/// Where the text of a file ends.
std::uint64_t FileCounts::end_of(std::uint64_t file) const {
  const std::uint64_t next = targets_.files.record_ends[file];
  return next == targets_.size() ? segments_.length()
                                 : segments_.starts[targets_.infos[next].first_segment];
}

/// Begins to count in the file of a position, which is behind the last one. In similar genomes, it
/// mostly is the next file.
void FileCounts::find_file(std::uint64_t position) {
  const SourceFilesView& files = targets_.files;
  std::uint64_t file = counts_.empty() ? 0 : counts_.back().file + 1;
  if (file == files.size() || position >= end_of(file))
    file = files.file_of(targets_.segment_records[segments_.segment_at(position)]);
  file_end_ = end_of(file);
  counts_.push_back({file, {}});
}

void FileCounts::finish() {
  if (!begun_) return;
  if (options_.wanted.has(counts_.size())) {
    const std::string_view query = names_[query_];
    std::string& text = out_.text();
    options_.form == FileCountForm::lines ? write_lines(query, text) : write_row(query, text);
    out_.check();
  }
  counts_.clear();
  begun_ = false;
}

void FileCounts::write_lines(std::string_view query, std::string& text) const {
  for (const FileCount& one : counts_) {
    text += query;
    text += '\t';
    append_name(text, targets_.files.name(one.file));
    append_column(text, one.counts.total());
    append_column(text, one.counts.forward);
    append_column(text, one.counts.reverse);
    text += '\n';
  }
}

void FileCounts::write_row(std::string_view query, std::string& text) const {
  text += query;
  auto next = counts_.begin();
  for (std::uint64_t f = 0; f < targets_.files.size(); ++f) {
    const bool found = next != counts_.end() && next->file == f;
    const std::uint64_t count = found ? (next++)->counts.total() : 0;
    append_column(
        text, options_.form == FileCountForm::presence ? std::min<std::uint64_t>(1, count) : count);
  }
  text += '\n';
}

}  // namespace gsx
