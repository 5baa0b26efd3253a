// One index file, of which only what is asked for is read and checked.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/lookup/checked_sections.hpp"
#include "index/store/record_sections.hpp"
#include "text/alphabet.hpp"
#include "text/text.hpp"

namespace gsx {

/// The records of an index file. Trusts no byte: what it gives has been checked against a sum, and
/// whether it fits the rest of the file; it throws CorruptIndexError if not. Any thread may ask. It
/// never moves.
class FileLookup {
 public:
  /// Checks the header and the section `meta`. Throws what Index::open() throws for these.
  FileLookup(const std::string& path, int threads);

  const SectionTable& table() const { return sections_.table(); }
  const Meta& meta() const { return meta_; }
  const Alphabet& alphabet() const { return alphabet_; }
  std::uint64_t file_bytes() const { return table().file().size(); }
  std::uint64_t checksum_of_header() const { return table().header().checksum; }

  std::uint64_t size() const { return meta_.records; }
  /// Pre for these: record < size().
  std::uint64_t length(std::uint64_t record) const { return infos_[record].length; }
  std::string_view name(std::uint64_t record) const {
    return all_ ? all_->records.name(record) : header_part(names_, name_ends_, record);
  }
  std::string_view comment(std::uint64_t record) const {
    return all_ ? all_->records.comment(record) : header_part(comments_, comment_ends_, record);
  }
  /// Pre: the file has the section md5.
  const Md5& md5(std::uint64_t record) const { return md5s_[record]; }

  bool has_name_table() const { return table().has(Section::name_hashes); }
  /// Appends the numbers of the records of a name, each plus `before`. Pre: has_name_table(). Cost:
  /// two or three pages of the table, and those of each name that has the hash.
  void find(std::string_view name, std::uint64_t before, std::vector<std::uint64_t>& found) const;
  /// The names of all records, and nothing else, for a pass over them. Cost: checks them.
  RecordsView names() const;
  /// The files of the records; empty where they are not kept. Cost: checks their sections.
  SourceFilesView files() const;

  /// Appends symbols [begin, end) of a record, in lower case where that is kept, if `keep_case`,
  /// and else as extract(). Pre: begin <= end <= length(record). Cost: the pages of the symbols,
  /// and a binary search among the record's segments, gaps and runs of lower case.
  void read(std::uint64_t record, std::uint64_t begin, std::uint64_t end, bool keep_case,
            std::string& out) const;

  /// Checks all that name(), length() and md5() need, on all threads: they then cost what they cost
  /// without checks of pages.
  void check_names() const;
  /// Checks all that this class gives, on all threads, as Index::open() does, but for the BWT.
  /// Calls then cost what they cost without checks. Call it before several threads ask.
  void check_all();
  /// As Index::require_unchanged().
  void require_unchanged() const { sections_.require_unchanged(); }

 private:
  struct Part;

  [[noreturn]] void corrupt(const std::string& why) const { table().corrupt(why); }
  [[noreturn]] void refuse_record(std::uint64_t record) const;
  std::string_view header_part(const CheckedArray<char>& all,
                               const CheckedArray<std::uint64_t>& ends, std::uint64_t record) const;
  void require_ascending(std::span<const std::uint64_t> ends, std::uint64_t last,
                         Section section) const;
  Part part_of(std::uint64_t record, std::uint64_t begin, std::uint64_t end) const;
  void read_of_all(std::uint64_t record, std::uint64_t begin, std::uint64_t end, bool keep_case,
                   std::string& out) const;
  void restore_letters(std::uint64_t record, std::uint64_t begin, char* symbols,
                       std::uint64_t count) const;

  CheckedSections sections_;
  Meta meta_;
  Alphabet alphabet_;
  CheckedArray<RecordInfo> infos_;
  CheckedArray<char> names_, comments_;
  CheckedArray<std::uint64_t> name_ends_, comment_ends_;
  CheckedArray<std::uint64_t> segment_starts_, segment_offsets_;
  CheckedArray<Gap> gaps_;
  CheckedPacked literals_, symbols_;
  CheckedArray<CaseRun> case_runs_;
  CheckedArray<std::uint64_t> case_ends_;
  CheckedArray<Md5> md5s_;
  CheckedArray<std::uint32_t> name_hashes_;
  CheckedPacked name_records_;
  std::optional<RecordSections> all_;  ///< once all has been checked
};

}  // namespace gsx
