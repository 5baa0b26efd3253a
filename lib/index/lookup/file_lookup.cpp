#include "index/lookup/file_lookup.hpp"

#include <algorithm>

#include "index/store/file_table.hpp"
#include "index/store/meta_checks.hpp"
#include "index/store/name_table.hpp"
#include "records/symbol_scan.hpp"

namespace gsx {
namespace {

/// The numbers of the file, whose bytes are checked first.
Meta checked_meta(const CheckedSections& sections) {
  const SectionTable& table = sections.table();
  for (const Section section : {Section::meta, Section::symbols}) {
    const SectionEntry& entry = table.at(section);
    sections.require(sections.number_of(entry), 0, entry.bytes);
  }
  return meta_of(table);
}

bool is_one_line(std::string_view header) {
  return is_header(header) && header.find('\n') == header.npos;
}

std::string_view text_of(std::span<const char> characters) {
  return {characters.data(), characters.size()};
}

}  // namespace

FileLookup::FileLookup(const std::string& path, int threads)
    : sections_(path, threads),
      meta_(checked_meta(sections_)),
      alphabet_(alphabet_of(table(), meta_)),
      infos_(sections_, Section::records),
      names_(sections_, Section::names),
      comments_(sections_, Section::comments),
      name_ends_(sections_, Section::name_ends),
      comment_ends_(sections_, Section::comment_ends),
      segment_starts_(sections_, Section::segment_starts),
      segment_offsets_(sections_, Section::segment_offsets),
      gaps_(sections_, Section::gaps),
      literals_(sections_, Section::literals, meta_),
      symbols_(sections_, Section::text, meta_),
      case_runs_(sections_, Section::case_runs),
      case_ends_(sections_, Section::case_ends),
      md5s_(sections_, Section::md5),
      name_hashes_(sections_, Section::name_hashes),
      name_records_(sections_, Section::name_records, meta_) {}

std::string_view FileLookup::header_part(const CheckedArray<char>& all,
                                         const CheckedArray<std::uint64_t>& ends,
                                         std::uint64_t record) const {
  const std::uint64_t begin = record == 0 ? 0 : ends[record - 1], end = ends[record];
  if (begin > end || end > all.size()) refuse_record(record);
  const std::string_view part = text_of(all.part(begin, end));
  if (!is_one_line(part)) corrupt("a header contains a line end");
  return part;
}

void FileLookup::refuse_record(std::uint64_t record) const {
  corrupt("the tables of record " + std::to_string(record + 1) + " do not fit one another");
}

void FileLookup::find(std::string_view name, std::uint64_t before,
                      std::vector<std::uint64_t>& found) const {
  const std::uint32_t hash = name_hash(name);
  std::uint64_t at = find_hash(size(), hash, [&](std::uint64_t i) { return name_hashes_[i]; });
  for (; at < size() && name_hashes_[at] == hash; ++at) {
    const std::uint64_t record = name_records_[at];
    if (record >= size()) corrupt("section 'name_records' names no record");
    if (this->name(record) == name) found.push_back(before + record);
  }
}

void FileLookup::require_ascending(std::span<const std::uint64_t> ends, std::uint64_t last,
                                   Section section) const {
  if (!std::ranges::is_sorted(ends) || ends.back() != last)
    corrupt("section '" + name_of(section) + "' is not in order");
}

RecordsView FileLookup::names() const {
  constexpr Section needed[] = {Section::records, Section::names, Section::name_ends};
  sections_.require_whole(needed);
  RecordsView view;
  view.infos = infos_.all();
  view.names = text_of(names_.all());
  view.name_ends = name_ends_.all();
  require_ascending(view.name_ends, view.names.size(), Section::name_ends);
  if (!is_one_line(view.names)) corrupt("a header contains a line end");
  return view;
}

SourceFilesView FileLookup::files() const {
  const CheckedArray<char> names(sections_, Section::file_names);
  const CheckedArray<std::uint64_t> name_ends(sections_, Section::file_name_ends),
      record_ends(sections_, Section::file_record_ends);
  SourceFilesView files{text_of(names.all()), name_ends.all(), record_ends.all()};
  if (files.names.empty() && files.name_ends.empty() && files.record_ends.empty()) return {};
  if (const auto fault = fault_of(files, size())) corrupt(*fault);
  return files;
}

void FileLookup::check_names() const {
  using enum Section;
  constexpr Section needed[] = {records, names, name_ends, md5};
  sections_.require_whole(needed);
}

void FileLookup::check_all() {
  std::vector<Section> needed(std::begin(described_records), std::end(described_records));
  needed.insert(needed.end(), {Section::literals, Section::text});
  sections_.require_whole(needed);
  all_ = record_sections_of(table(), meta_);
}

}  // namespace gsx
