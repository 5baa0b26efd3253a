#include "index/store/file_table.hpp"

#include <set>
#include <span>
#include <string_view>

namespace gsx {
namespace {

std::optional<std::string> fault_of_ends(std::span<const std::uint64_t> ends, std::uint64_t last,
                                         const std::string& section) {
  std::uint64_t previous = 0;
  for (const std::uint64_t end : ends) {
    if (end < previous) return "section '" + section + "' is not in order";
    previous = end;
  }
  if (previous != last) return "section '" + section + "' does not end where it should";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> fault_of(const SourceFilesView& files, std::uint64_t records) {
  if (files.name_ends.empty() || files.name_ends.size() != files.record_ends.size())
    return "its tables of files do not fit one another";
  if (auto fault = fault_of_ends(files.name_ends, files.names.size(), "file_name_ends"))
    return fault;
  if (auto fault = fault_of_ends(files.record_ends, records, "file_record_ends")) return fault;
  std::set<std::string_view> names;
  for (std::uint64_t f = 0; f < files.size(); ++f)
    if (!names.insert(files.name(f)).second) return "two of its files have the same name";
  return std::nullopt;
}

void add_files(SourceFiles& all, const SourceFilesView& more, std::uint64_t records) {
  for (std::uint64_t f = 0; f < more.size(); ++f) {
    const bool goes_on =
        f == 0 && all.kept() && all.view().name(all.name_ends.size() - 1) == more.name(0);
    if (goes_on) {
      all.record_ends.pop_back();
    } else {
      all.add_name(more.name(f));
    }
    all.record_ends.push_back(records + more.record_ends[f]);
  }
}

}  // namespace gsx
