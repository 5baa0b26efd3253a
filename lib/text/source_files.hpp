// Which input file each record came from, where a text keeps that.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gsx {

/// The files of a text, in the order in which they were read. Refers to a SourceFiles or to an
/// index file. Empty where the files are not kept.
struct SourceFilesView {
  std::string_view names;                      ///< of all files, one after another
  std::span<const std::uint64_t> name_ends;    ///< [files]
  std::span<const std::uint64_t> record_ends;  ///< [files] records up to the end of each file

  std::uint64_t size() const { return name_ends.size(); }
  bool empty() const { return name_ends.empty(); }
  /// The base name of the file without the suffixes of its format and of its compression.
  std::string_view name(std::uint64_t file) const {
    const std::uint64_t begin = file == 0 ? 0 : name_ends[file - 1];
    return names.substr(begin, name_ends[file] - begin);
  }
  /// The file's records are [first_record(file), record_ends[file]); a file may have none.
  std::uint64_t first_record(std::uint64_t file) const {
    return file == 0 ? 0 : record_ends[file - 1];
  }
  /// Cost: a binary search. Pre: there is such a record, and the files are kept.
  std::uint64_t file_of(std::uint64_t record) const {
    const auto end = std::upper_bound(record_ends.begin(), record_ends.end(), record);
    return static_cast<std::uint64_t>(end - record_ends.begin());
  }
};

/// Owns them. Memory: 16 bytes per file, and the names.
struct SourceFiles {
  std::string names;
  std::vector<std::uint64_t> name_ends;    ///< empty unless the files are kept
  std::vector<std::uint64_t> record_ends;  ///< known of every text that was read

  void add_name(std::string_view name) {
    names += name;
    name_ends.push_back(names.size());
  }
  bool kept() const { return !name_ends.empty(); }
  SourceFilesView view() const {
    return kept() ? SourceFilesView{names, name_ends, record_ends} : SourceFilesView{};
  }
};

}  // namespace gsx
