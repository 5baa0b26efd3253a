// Opens an index and trusts none of its bytes before checking them.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/export.hpp"
#include "index/fm/fm_view.hpp"
#include "index/store/format.hpp"
#include "index/store/index_image.hpp"
#include "index/store/section_table.hpp"
#include "text/text.hpp"

namespace gsx {

/// How an index file is opened.
enum class Load : std::uint8_t {
  map,   ///< mapped; every checksum checked in one pass over the file. If the file is cut short
         ///< while the index lives, SIGBUS kills the process
  read,  ///< copied into memory; every checksum checked. The file may then change or disappear
  lazy,  ///< mapped; check_content() is left to check the large sections. Opening reads only the
         ///< tables of records and segments (and, for more than 4 symbols, the counts of the BWT)
};

/// A read-only index: its bytes and the views into them. It can only be moved. What it holds stays
/// where it is: views, Cursors and searchers stay valid while the Index lives that it was moved to.
/// An Index that was moved from can only be assigned to or destroyed.
class GSX_API Index {
 public:
  Index(Index&&) noexcept = default;
  Index& operator=(Index&&) noexcept = default;

  /// Opens and checks a file: magic, version, byte order, sizes against the real size, every
  /// checksum, whether the tables fit one another and, if the BWT has several levels, whether their
  /// counts do. Allocates nothing that the real size of the file does not justify. Throws
  /// ForeignIndexError for a file that is missing, unreadable, not a gsx index, or of another
  /// format version, and CorruptIndexError for a damaged one. Cost: one pass over the file on
  /// `threads` threads (0: as many as this process may run), unless loaded lazily; memory for the
  /// segment table, and for the file if it is read.
  static Index open(const std::string& path, Load load = Load::map, int threads = 0);
  /// Does the same for bytes in memory, as index_image() makes them.
  static Index of(Buffer<std::uint8_t> bytes, int threads = 0);
  /// Opens all shards that a manifest names, and joins the tables of their records. The FM-index of
  /// such an index is in its parts(); its text is put together when it is asked for. Throws what
  /// open() does, for the shards too, and CorruptIndexError for a shard that is not the one of the
  /// manifest. Pre: begins_as_manifest(path).
  static Index open_shards(const std::string& path, Load load = Load::map, int threads = 0);
  /// Another owner of the same index, which lives until the last of them goes. Cost: a counter.
  Index share() const { return Index(state_); }

  /// Writes the index to a file, which appears under its name only when it is complete. "-" is the
  /// name of a file, too. Throws UsageError for an empty path, and what Output throws.
  void save(const std::string& path) const;

  /// Checks the checksums that Load::lazy has skipped. Throws CorruptIndexError. Any thread may
  /// call it. Cost: one pass over the file.
  void check_content(int threads = 0) const;

  /// Throws CorruptIndexError if a mapped file has been written to since it was opened: what was
  /// read from it may be wrong. A file that was renamed, removed or replaced by a rename counts as
  /// the same. Call this before you hand out results of searches. Any thread may call it. Cost: one
  /// system call; one pass over the file after a change of its mode or name.
  void require_unchanged() const;

  const Meta& meta() const;
  const Alphabet& alphabet() const;
  const FmView& fm() const;
  TextView text() const;
  const RecordsView& records() const;
  /// Which letters were lower case, if the index keeps that.
  const LetterCaseView& letter_case() const;
  /// The MD5 of each record, if the index stores them; otherwise empty.
  std::span<const Md5> md5s() const;
  /// Name of the file; "memory" for an index made in memory.
  const std::string& path() const;
  std::uint64_t file_bytes() const;
  /// Whether the bytes are pages of a file; otherwise the process owns them.
  bool is_mapped() const;
  std::span<const SectionEntry> sections() const;
  /// The file's sections and bytes; of an index in shards, none.
  const SectionTable& section_table() const;
  /// Whether each record is named FILE#NAME, because two files have a record of one NAME.
  bool names_by_file() const;
  /// Whether names are whole header lines, not first words. An index of an earlier gsx does not
  /// say so: there, a name with a blank tells it. Cost then: one pass over the names.
  bool whole_header() const;
  /// The shards that the index was joined of; empty for an index of one file.
  std::span<const Index> parts() const;
  /// Where the text of each shard begins in that of all.
  std::span<const std::uint64_t> part_begins() const;
  /// The checksum in the header of the file, which covers those of all sections.
  std::uint64_t checksum_of_header() const;

 private:
  struct State;
  explicit Index(std::shared_ptr<const State> state) : state_(std::move(state)) {}

  std::shared_ptr<const State> state_;
};

/// What an Index owns. It never moves.
struct Index::State {
  State(std::string path, IndexImage image, int threads, Load load);
  /// Joins shards.
  State(std::string path, std::vector<Index> shards);
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void check_content(int threads) const;
  void require_unchanged() const;
  std::uint64_t file_bytes() const;
  void require_parts_unchanged() const;
  void check_parts(int threads) const;
  void start_watch(int threads, Load load);
  bool has_table_of_open() const;
  const SectionEntry* find_wrong_section() const;
  void read_sections(int threads);
  [[noreturn]] void corrupt(const std::string& why) const;
  QuadView level(std::uint32_t k, std::uint64_t size) const;

  std::string path_;
  IndexImage image_;
  SectionTable table_;
  Meta meta_of_file_{};
  const Meta* meta_ = &meta_of_file_;  ///< or that of all shards
  Alphabet alphabet_;
  RecordsView records_;
  LetterCaseView letter_case_;
  std::span<const Md5> md5s_;
  Segments segments_;
  PackedView symbols_;
  FmView fm_;
  std::vector<std::uint64_t> c_offsets_;

  /// State of require_unchanged().
  struct Watch {
    std::mutex mutex;
    FileStamp last;  ///< the content was right when the file had this stamp
    std::vector<SectionEntry> sections;
    int threads = 1;
    bool checked = false;  ///< whether all of the content was right when it was opened, or later
  };
  std::unique_ptr<Watch> watch_;

  struct Joined;
  std::unique_ptr<Joined> joined_;  ///< null for an index of one file
};

inline const Meta& Index::meta() const {
  return *state_->meta_;
}
inline const Alphabet& Index::alphabet() const {
  return state_->alphabet_;
}
inline const FmView& Index::fm() const {
  return state_->fm_;
}
inline const RecordsView& Index::records() const {
  return state_->records_;
}
inline const LetterCaseView& Index::letter_case() const {
  return state_->letter_case_;
}
inline std::span<const Md5> Index::md5s() const {
  return state_->md5s_;
}
inline const std::string& Index::path() const {
  return state_->path_;
}
inline std::uint64_t Index::file_bytes() const {
  return state_->file_bytes();
}
inline const SectionTable& Index::section_table() const {
  return state_->table_;
}
inline std::span<const SectionEntry> Index::sections() const {
  return state_->table_.entries();
}

}  // namespace gsx
