// Reads regions from a file of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "records/lists/line_reader.hpp"
#include "text/region.hpp"

namespace gsx::app {

/// A region as it was asked for.
struct RegionRequest {
  std::string text;        ///< the region; for BED, the first column
  std::uint64_t line = 0;  ///< line number in the file; 0 for an argument
  bool bed = false;        ///< whether it is a line of BED; the members below are for BED only
  RegionBounds bounds;     ///< columns 2 and 3
  std::string name;        ///< column 4
  bool has_name = false;
  std::string strand;  ///< column 6: +, - or . ; empty if there is no such column
};

/// The path of a file of regions. Throws UsageError for a region, such as II:1-100, that is no
/// file.
const std::string& file_of_regions(const std::string& path);

/// A file of regions, one per line: BED, or regions as extract takes them as arguments. Skips blank
/// lines, lines that begin with '#', and BED's track and browser lines.
class RegionFile {
 public:
  /// Requests of about this many bytes are given at a time, unless the caller says less.
  static constexpr std::size_t usual_bytes = std::size_t{16} << 20;

  /// `path` "-" is standard input; the file may be compressed. Throws InputError.
  explicit RegionFile(const std::string& path, std::size_t bytes_at_a_time = usual_bytes);

  /// Replaces `requests` by the next ones; false at the end. Throws InputError that names file and
  /// line.
  bool next(std::vector<RegionRequest>& requests);

  /// The name of the file, for messages.
  std::string name() const;
  /// The file and a line of it, for the beginning of a message.
  std::string place(std::uint64_t line) const;

 private:
  std::string path_;
  std::size_t bytes_at_a_time_;
  LineReader lines_;
};

}  // namespace gsx::app
