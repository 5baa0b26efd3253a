// An index file, opened with distrust.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fm/fm_view.hpp"
#include "io/mapped_file.hpp"
#include "store/format.hpp"
#include "text/text.hpp"

namespace gsx {

/// A read-only index: the mapped file and the views into it. Moves only; views stay valid while
/// the index lives.
class Index {
 public:
  /// Maps and checks a file: magic, version, byte order, sizes against the file's, every checksum,
  /// that the tables fit one another, and, where the BWT has several levels, that their counts do.
  /// Nothing is allocated that the file's real size does not justify.
  /// Throws ForeignIndexError for a file that is missing, unreadable, no gsx index, or of another
  /// format version; CorruptIndexError for one that is damaged.
  /// Cost: one pass over the file on `threads` threads; memory for the segment table only.
  static Index open(const std::string& path, int threads);

  /// Throws CorruptIndexError if somebody has written to the file since it was opened: what was
  /// read from it may be wrong then. A file that was renamed, removed or replaced by a rename is
  /// still the same one. To be called before results of searches are given away; any thread.
  /// Cost: one system call; one pass over the file after its mode or name has changed.
  void require_unchanged() const;

  const Meta& meta() const { return *meta_; }
  const Alphabet& alphabet() const { return alphabet_; }
  FmView fm() const;
  TextView text() const;
  const RecordsView& records() const { return records_; }
  /// Which letters were lower case, if that was kept.
  const LetterCaseView& letter_case() const { return letter_case_; }
  const std::string& path() const { return path_; }
  std::uint64_t file_bytes() const { return file_.bytes().size(); }
  std::span<const SectionEntry> sections() const { return table_; }

 private:
  Index() = default;
  void read_header(int threads);
  void start_watch(int threads);
  bool has_content_of_open() const;
  void read_sections(int threads);
  void read_letter_case();
  [[noreturn]] void corrupt(const std::string& why) const;
  bool has(std::string_view name) const;
  bool keeps_case() const;
  /// The bytes of a section; it must exist.
  std::span<const std::uint8_t> bytes(const std::string& name) const;
  /// A section of exactly `count` elements of T.
  template <class T>
  std::span<const T> array(const std::string& name, std::uint64_t count) const;
  std::string_view characters(const std::string& name) const;
  PackedView packed(const std::string& name, std::uint64_t count, std::uint32_t bits) const;
  QuadView level(std::uint32_t k, std::uint64_t size) const;
  void require_ascending(std::span<const std::uint64_t> values, std::uint64_t last,
                         const char* name) const;

  std::string path_;
  MappedFile file_;
  std::span<const SectionEntry> table_;
  const Meta* meta_ = nullptr;
  Alphabet alphabet_;
  RecordsView records_;
  LetterCaseView letter_case_;
  Segments segments_;
  PackedView symbols_;
  FmView fm_;
  std::vector<std::uint64_t> adjustments_;

  /// What the checks of require_unchanged() have found.
  struct Watch {
    std::mutex mutex;
    FileStamp last;  ///< the content was right then
    std::vector<SectionEntry> sections;
    int threads = 1;
  };
  std::unique_ptr<Watch> watch_;
};

}  // namespace gsx
