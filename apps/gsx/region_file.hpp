// Regions that are asked for, from the command line or from a file of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "seq/byte_source.hpp"
#include "text/region.hpp"

namespace gsx::app {

/// A region as it was asked for.
struct RegionRequest {
  std::string text;        ///< the region; of a BED line the first column
  std::uint64_t line = 0;  ///< in the file; 0 for an argument
  bool bed = false;        ///< a line of BED, to which what follows belongs
  RegionBounds bounds;     ///< columns 2 and 3
  std::string name;        ///< column 4
  bool has_name = false;
  std::string strand;  ///< column 6: +, - or . ; empty without such a column
};

/// A file of regions, one per line: BED, or regions as extract's arguments. Lines that are blank or
/// begin with '#', and BED's track and browser lines, are passed over.
class RegionFile {
 public:
  /// `path` "-" is standard input; the file may be compressed. Throws InputError.
  explicit RegionFile(const std::string& path);

  /// Replaces `requests` by the next ones, as many as fit some megabytes; false at the end.
  /// Throws InputError that names file and line.
  bool next(std::vector<RegionRequest>& requests);

  /// The file, for a message.
  std::string name() const;
  /// The file and a line of it, to begin a message with.
  std::string place(std::uint64_t line) const;

 private:
  bool read_line();

  std::string path_;
  ByteSource source_;
  std::string text_;  ///< of the current line
  std::uint64_t line_ = 0;
};

}  // namespace gsx::app
