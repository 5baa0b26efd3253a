#include "inputs/region_records.hpp"

#include "gsx/index.hpp"

namespace gsx::app {

void ViewedRecords::expect(const std::vector<std::string_view>& names) {
  finder_.emplace(records_, names);
}

std::vector<std::uint64_t> ViewedRecords::find(std::string_view name) const {
  const auto found = finder_->find(name);
  return {found.begin(), found.end()};
}

void LookedUpRecords::expect(const std::vector<std::string_view>& names) {
  finders_.clear();
  for (const auto& file : index_.files())
    if (!file->has_name_table()) finders_.emplace_back(file->names(), names);
}

std::vector<std::uint64_t> LookedUpRecords::find(std::string_view name) const {
  std::vector<std::uint64_t> found;
  std::uint64_t before = 0;
  auto finder = finders_.begin();
  for (const auto& file : index_.files()) {
    if (file->has_name_table()) {
      file->find(name, before, found);
    } else {
      for (const std::uint64_t record : (finder++)->find(name))
        found.push_back(before + record);
    }
    before += file->size();
  }
  return found;
}

const RecordsView& LookedUpRecords::all() {
  if (!whole_) whole_.emplace(open_index(index_.path(), Load::lazy));
  return whole_->records();
}

}  // namespace gsx::app
