// An index, opened with distrust.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/export.hpp"
#include "fm/fm_view.hpp"
#include "store/format.hpp"
#include "store/index_image.hpp"
#include "text/text.hpp"

namespace gsx {

/// How an index file is opened.
enum class Load : std::uint8_t {
  map,   ///< mapped, every checksum checked: one pass over the file. Who cuts the file short while
         ///< the index lives has the process killed by SIGBUS
  read,  ///< copied into memory, every checksum checked; the file may then change or go
  lazy,  ///< mapped, and the large sections' checksums left to check_content(): the open costs the
         ///< tables of records and segments only (and, for more than 4 symbols, the BWT's counts)
};

/// A read-only index: its bytes and the views into them. Moves only; views stay valid while the
/// index lives.
class GSX_API Index {
 public:
  /// Opens and checks a file: magic, version, byte order, sizes against the file's, every checksum,
  /// that the tables fit one another, and, where the BWT has several levels, that their counts do.
  /// Nothing is allocated that the file's real size does not justify.
  /// Throws ForeignIndexError for a file that is missing, unreadable, no gsx index, or of another
  /// format version; CorruptIndexError for one that is damaged.
  /// Cost: one pass over the file on `threads` threads, unless loaded lazily; memory for the
  /// segment table, and for the file if it is read.
  static Index open(const std::string& path, int threads, Load load = Load::map);
  /// The same of bytes in memory, as index_image() makes them.
  static Index of(Buffer<std::uint8_t> bytes, int threads);

  /// Writes the index to a file, which appears under its name only when it is whole. Throws what
  /// Output throws.
  void save(const std::string& path) const;

  /// Checks the checksums that Load::lazy has left out. Throws CorruptIndexError. Any thread. Cost:
  /// one pass over the file.
  void check_content(int threads) const;

  /// Throws CorruptIndexError if somebody has written to a mapped file since it was opened: what
  /// was read from it may be wrong then. A file that was renamed, removed or replaced by a rename
  /// is still the same one. To be called before results of searches are given away; any thread.
  /// Cost: one system call; one pass over the file after its mode or name has changed.
  void require_unchanged() const;

  const Meta& meta() const { return *meta_; }
  const Alphabet& alphabet() const { return alphabet_; }
  FmView fm() const;
  TextView text() const;
  const RecordsView& records() const { return records_; }
  /// Which letters were lower case, if that was kept.
  const LetterCaseView& letter_case() const { return letter_case_; }
  /// Name of the file; "memory" for an index that was made in memory.
  const std::string& path() const { return path_; }
  std::uint64_t file_bytes() const { return image_.bytes().size(); }
  /// Whether the bytes are a file's pages; else they are in memory of the process.
  bool is_mapped() const { return image_.file() != nullptr; }
  std::span<const SectionEntry> sections() const { return table_; }

 private:
  Index(std::string path, IndexImage image, int threads, Load load);
  void read_header(int threads, Load load);
  void check_section(const SectionEntry& entry, int threads) const;
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
  IndexImage image_;
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
