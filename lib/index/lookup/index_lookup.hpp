// An index, in one file or in shards, of which only what is asked for is read and checked.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/lookup/file_lookup.hpp"
#include "index/store/meta_checks.hpp"

namespace gsx {

/// Looks up records of an index without opening all of it: what it costs depends on what is asked
/// for, and not on the size of the index. Nothing is given from bytes that have not been checked,
/// and any call may throw CorruptIndexError. Of shards, each file is looked up by itself; records
/// are numbered through all of them. Any thread may ask.
class IndexLookup {
 public:
  /// Opens an index file or the manifest of shards, and checks their headers and the section
  /// `meta` of each. Throws what Index::open() and Index::open_shards() throw for these. Cost: some
  /// tens of microseconds per file. `threads` check whole sections.
  static IndexLookup open(const std::string& path, int threads);

  const std::string& path() const { return path_; }
  bool is_in_shards() const { return is_in_shards_; }
  /// The file itself, or each shard.
  std::span<const std::unique_ptr<FileLookup>> files() const { return files_; }
  /// The numbers of all records.
  const Meta& meta() const { return meta_; }
  const IndexTraits& traits() const { return traits_; }
  const Alphabet& alphabet() const { return alphabet_; }
  std::uint64_t file_bytes() const;

  std::uint64_t size() const { return meta_.records; }
  /// A record, and the file that has it.
  struct Place {
    const FileLookup& file;
    std::uint64_t record;  ///< its number there
  };
  /// Pre for these: record < size(). Cost: a binary search among the shards.
  Place place_of(std::uint64_t record) const;
  std::uint64_t length(std::uint64_t record) const;
  std::string_view name(std::uint64_t record) const;
  std::string_view comment(std::uint64_t record) const;
  /// As FileLookup::read().
  void read(std::uint64_t record, std::uint64_t begin, std::uint64_t end, bool keep_case,
            std::string& out) const;

  /// The input files of the records; none where they are not kept.
  SourceFiles source_files() const;
  /// As FileLookup::check_names() and check_all(), of each file.
  void check_names() const;
  void check_all();
  /// As Index::require_unchanged().
  void require_unchanged() const;

 private:
  IndexLookup() = default;
  void add(std::unique_ptr<FileLookup> file);

  std::string path_;
  bool is_in_shards_ = false;
  std::vector<std::unique_ptr<FileLookup>> files_;
  std::vector<std::uint64_t> begins_;  ///< the first record of each file
  Meta meta_{};
  IndexTraits traits_{};
  Alphabet alphabet_;
};

}  // namespace gsx
