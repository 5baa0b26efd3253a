#include "output/lines/count_lines.hpp"

#include <algorithm>

#include "output/lines/text_format.hpp"

namespace gsx {

std::string file_counts_header(FileCountForm form, const SourceFilesView& files) {
  if (form == FileCountForm::lines) return header_of<FileCountColumns>;
  std::string header = "query_id";
  for (std::uint64_t f = 0; f < files.size(); ++f) {
    header += '\t';
    append_name(header, files.name(f));
  }
  return header + '\n';
}

void FileCountLines::add(std::size_t query, std::uint64_t file, const StrandCounts& counts) {
  while (query_ < query)
    write_query();
  counts_.push_back({file, counts});
}

void FileCountLines::finish() {
  while (query_ < queries_.size())
    write_query();
}

void FileCountLines::write_query() {
  if (options_.wanted.has(counts_.size())) {
    const ShownName query = names_[query_];
    std::string& text = out_.text();
    options_.form == FileCountForm::lines ? write_lines(query, text) : write_row(query, text);
    out_.check();
  }
  counts_.clear();
  ++query_;
}

void FileCountLines::write_lines(ShownName query, std::string& text) const {
  std::string file;
  for (const FileCount& one : counts_) {
    file.clear();
    append_name(file, files_.name(one.file));
    TabbedLine<FileCountColumns>::append(text, CountRow{query, 0, {file}, one.counts});
  }
}

void FileCountLines::write_row(ShownName query, std::string& text) const {
  text += query.text;
  auto next = counts_.begin();
  for (std::uint64_t f = 0; f < files_.size(); ++f) {
    const bool found = next != counts_.end() && next->file == f;
    const std::uint64_t count = found ? (next++)->counts.total() : 0;
    append_column(
        text, options_.form == FileCountForm::presence ? std::min<std::uint64_t>(1, count) : count);
  }
  text += '\n';
}

void RecordCountLines::add(std::size_t query, std::uint64_t record, const StrandCounts& counts) {
  std::string name, target;
  append_name(name, queries_.name(query));
  append_name(target, targets_.name(record));
  TabbedLine<RecordCountColumns>::append(out_.text(), CountRow{{name}, 0, {target}, counts});
  out_.check();
}

}  // namespace gsx
