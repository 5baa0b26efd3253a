#include "inputs/region_file.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <system_error>

#include "base/error.hpp"
#include "base/messages.hpp"

namespace gsx::app {
namespace {

std::string shown_path(const std::string& path) {
  return path == "-" ? "standard input" : "'" + printable(path) + "'";
}

std::vector<std::string_view> columns_of(std::string_view line) {
  std::vector<std::string_view> columns;
  for (std::size_t tab = line.find('\t'); tab != line.npos; tab = line.find('\t')) {
    columns.push_back(line.substr(0, tab));
    line.remove_prefix(tab + 1);
  }
  columns.push_back(line);
  return columns;
}

std::optional<std::uint64_t> number_in(std::string_view column) {
  std::uint64_t value = 0;
  const char* end = column.data() + column.size();
  const auto [stop, error] = std::from_chars(column.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

bool is_bed(const std::vector<std::string_view>& columns) {
  return columns.size() >= 3 && number_in(columns[1]) && number_in(columns[2]);
}

/// Whether a line is a BED header, which has more than its first word. A record may have such a
/// name; numbers then follow it.
bool is_bed_header(std::string_view line, const std::vector<std::string_view>& columns) {
  const std::string_view word = line.substr(0, line.find_first_of(" \t"));
  return (word == "track" || word == "browser") && word != line && !is_bed(columns);
}

RegionRequest bed_request(const std::vector<std::string_view>& columns, const std::string& place) {
  for (const std::size_t c : {1, 2}) {
    if (number_in(columns[c])) continue;
    const bool is_header = !number_in(columns[1]) && !number_in(columns[2]);
    throw InputError(place + ": column " + std::to_string(c + 1) + " is '" +
                     shown_name(columns[c]) + "' where BED has a number of symbols" +
                     (is_header ? "; begin a header line with #" : ""));
  }
  RegionRequest request;
  request.text = columns[0];
  request.bed = true;
  request.bounds = {number_in(columns[1]), number_in(columns[2])};
  request.has_name = columns.size() > 3;
  if (request.has_name) request.name = columns[3];
  if (columns.size() > 5) {
    request.strand = columns[5];
    if (request.strand != "+" && request.strand != "-" && request.strand != ".") {
      throw InputError(place + ": column 6 is '" + shown_name(columns[5]) +
                       "' where BED has a strand: +, - or .");
    }
  }
  return request;
}

}  // namespace

const std::string& file_of_regions(const std::string& path) {
  const std::size_t colon = path.rfind(':');
  const bool is_region = colon != std::string::npos && colon != 0 && colon + 1 < path.size() &&
                         path.find_first_not_of("0123456789,-", colon + 1) == std::string::npos;
  std::error_code error;
  if (!is_region || std::filesystem::exists(path, error)) return path;
  throw UsageError("'" + printable(path) +
                   "' is a region, and a file of regions is read here; give - and write regions to "
                   "standard input");
}

RegionFile::RegionFile(const std::string& path, std::size_t bytes_at_a_time)
    : path_(path), bytes_at_a_time_(bytes_at_a_time), lines_(path) {}

std::string RegionFile::name() const {
  return shown_path(path_);
}

std::string RegionFile::place(std::uint64_t line) const {
  return lines_.label() + ": line " + std::to_string(line);
}

bool RegionFile::next(std::vector<RegionRequest>& requests) {
  requests.clear();
  std::size_t bytes = 0;
  while (bytes < bytes_at_a_time_ && lines_.next_entry()) {
    const std::string_view line = lines_.line();
    const std::uint64_t number = lines_.number();
    const std::vector<std::string_view> columns = columns_of(line);
    if (is_bed_header(line, columns)) continue;
    if (columns.size() == 2) {
      throw InputError(place(number) +
                       ": two columns; BED has three or more, and a region such as " +
                       "chr1:1,000-2,000 has one");
    }
    RegionRequest request;
    if (columns.size() > 2) {
      request = bed_request(columns, place(number));
    } else if (line.find(' ') != line.npos) {  // names have no blanks
      throw InputError(place(number) + ": a blank where BED has a tab, and a region has none");
    } else {
      request.text = line;
    }
    request.line = number;
    bytes += line.size() + sizeof request;
    requests.push_back(std::move(request));
  }
  return !requests.empty();
}

}  // namespace gsx::app
