// The table of sections is that of the document.
#include "index/store/sections.hpp"

#include <doctest/doctest.h>

#include <map>
#include <sstream>

#include "support/files.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Cells of the rows of the document's table of sections, without backquotes and blanks.
std::vector<std::vector<std::string>> rows_of_document() {
  const std::string document = read_file(GSX_SOURCE_DIR "/lib/index/store/FORMAT.md");
  std::istringstream lines(document.substr(document.find("\n## Sections\n")));
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## The BWT")) break;
    if (!line.starts_with("| `")) continue;
    std::vector<std::string> cells;
    std::istringstream row(line.substr(1));
    for (std::string cell; std::getline(row, cell, '|');) {
      std::erase(cell, '`');
      cell.erase(0, cell.find_first_not_of(' '));
      cell.erase(cell.find_last_not_of(' ') + 1);
      cells.push_back(cell);
    }
    rows.push_back(cells);
  }
  return rows;
}

}  // namespace

TEST_CASE("the table of sections is that of lib/index/store/FORMAT.md") {
  const std::map<std::string, std::uint32_t> sizes = {
      {"u8", 1},   {"u32", 4},    {"u64", 8},         {"Meta", 152},   {"Record", 40},
      {"Gap", 32}, {"Block", 32}, {"Superblock", 32}, {"CaseRun", 16}, {"Md5", 16}};
  const auto rows = rows_of_document();
  REQUIRE(rows.size() == section_table.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const SectionKind& kind = section_table[i];
    CAPTURE(kind.name);
    REQUIRE(rows[i].size() >= 3);
    CHECK(rows[i][0] == kind.name);
    const std::string& item = rows[i][2];
    const bool packed = item.starts_with("packed ");
    CHECK(packed == (kind.item_bytes == 0));
    CHECK(packed == (kind.item_bits != nullptr));
    if (!packed) CHECK(sizes.at(item) == kind.item_bytes);
    CHECK((kind.items == nullptr) == (rows[i][1] == "any"));
    CHECK(kind.is_optional == (rows[i].size() > 3 && rows[i][3].starts_with("optional")));
  }
}

TEST_CASE("sections come in the order of the document, level by level") {
  Meta meta{};
  meta.length = 1000;
  meta.segments = 3;
  meta.records = 2;
  meta.sigma = 21;  // 5 bits, so 3 levels
  meta.sample_rate = 16;
  std::vector<std::string> names;
  for (const SectionPlace& place : sections_in_order(meta))
    names.push_back(name_of(place.section, place.level));
  CHECK(names.size() == section_table.size() + 2);
  const auto at = std::find(names.begin(), names.end(), "level0_superblocks") - names.begin();
  CHECK(names[at + 1] == "level1_blocks");
  CHECK(names[at + 2] == "level1_superblocks");
  CHECK(names[at + 4] == "level2_superblocks");
  CHECK(names[at + 5] == "separator_rows");
  CHECK(kind_of(Section::level0_blocks).bytes(meta) == (1000 / 96 + 1) * 32);
  CHECK(kind_of(Section::level_blocks).bytes(meta) == (997 / 96 + 1) * 32);
  CHECK(kind_of(Section::text).bytes(meta) == (1000 * 5 + 7) / 8 + 16);
  for (const char* large :
       {"text", "samples", "kmers", "literals", "level0_blocks", "level2_superblocks", "page_sums"})
    CHECK(is_large_section(large));
  for (const char* small :
       {"meta", "records", "separator_rows", "md5", "unknown", "levels", "level1", "level1_text",
        "levelK_blocks", "level01_blocks", "level_blocks"})
    CHECK_FALSE(is_large_section(small));
}
