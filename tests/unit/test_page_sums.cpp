// Sums of pages: as they are written, and as verify compares them.
#include "index/store/page_sums.hpp"

#include <doctest/doctest.h>

#include "device/registry.hpp"
#include "gsx/index.hpp"
#include "index/store/checksum.hpp"
#include "index/store/verify_lookup.hpp"
#include "support/index_file.hpp"
#include "support/scan.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes random_bytes(Random& random, std::size_t count) {
  Bytes bytes(count);
  for (std::uint8_t& byte : bytes)
    byte = static_cast<std::uint8_t>(random());
  return bytes;
}

/// An index of several pages.
const IndexFile& paged_index() {
  static const IndexFile file = [] {
    const TemporaryFolder folder;
    Random random(77);
    std::vector<std::string> records;
    for (int r = 0; r < 900; ++r)
      records.push_back(random_string(random, 300, "ACGT"));
    build_index(text_of_records(records), {.device = "cpu"}).save(folder / "g.gsx");
    return IndexFile(folder.read("g.gsx"));
  }();
  return file;
}

std::string fault_of(const IndexFile& file) {
  const TemporaryFolder folder;
  try {
    const Index index = Index::open(folder.write("g.gsx", file.bytes), Load::map, 2);
    verify_page_sums(index, 2);
    verify_name_table(index, 2);
  } catch (const CorruptIndexError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("sums of sections and pages, made in one pass, are those of the laid-out file") {
  Random random(5);
  constexpr std::uint64_t piece = checksum_piece;
  const std::vector<std::vector<std::uint64_t>> cases = {{1},
                                                         {page_bytes},
                                                         {page_bytes + 1, 0, 0, 63},
                                                         {10, 0, 64, page_bytes - 128, 5, 200'000},
                                                         {piece + 70'001, 3, piece - 7},
                                                         std::vector<std::uint64_t>(3000, 100)};
  for (const auto& sizes : cases) {
    std::vector<Bytes> contents;
    std::vector<PlacedSection> sections;
    Bytes file(192);
    for (const std::uint64_t size : sizes) {
      contents.push_back(random_bytes(random, size));
      sections.push_back({file.size(), {}});
      file.insert(file.end(), contents.back().begin(), contents.back().end());
      file.resize((file.size() + 63) / 64 * 64);
    }
    for (std::size_t s = 0; s < sections.size(); ++s)
      sections[s].bytes = contents[s];
    for (const int threads : {1, 3}) {
      const FileSums sums = sums_of(sections, threads);
      CHECK(sums.pages == page_sums_of(std::span(file).subspan(192)));
      REQUIRE(sums.sections.size() == sections.size());
      for (std::size_t s = 0; s < sections.size(); ++s)
        CHECK(sums.sections[s] == checksum(contents[s], 1));
    }
  }
  CHECK(page_sums_bytes(0) == 0);
  CHECK(page_sums_bytes(page_bytes + 1) == 16);
}

TEST_CASE("the sums of a file cover it from the section table to themselves") {
  const IndexFile& file = paged_index();
  CHECK(fault_of(file) == "");
  const SectionEntry sums = file.entry(file.find("page_sums"));
  CHECK(sums.bytes == page_sums_bytes(sums.offset - file.header().header_bytes));
  CHECK(sums.bytes > 5 * sizeof(std::uint64_t));
  const std::size_t last = file.header().sections - 1;
  CHECK(std::string(file.entry(last).name) == "page_sum_sums");
  IndexFile sealed = file;
  sealed.seal();
  CHECK((sealed.bytes == file.bytes));
}

TEST_CASE("verify finds a wrong sum of a page, and names the section that the page begins in") {
  const IndexFile& file = paged_index();
  const SectionEntry sums = file.entry(file.find("page_sums"));
  const std::uint64_t pages = sums.bytes / sizeof(std::uint64_t);
  for (std::uint64_t page = 0; page < pages; ++page) {
    const std::uint64_t begin = file.header().header_bytes + page * page_bytes;
    std::string section;
    for (std::size_t s = 0; s < file.header().sections; ++s)
      if (file.entry(s).bytes > 0 && file.entry(s).offset <= begin) section = file.entry(s).name;
    IndexFile wrong = file;
    wrong.set(sums.offset + page * sizeof(std::uint64_t), std::uint64_t{12345});
    wrong.seal_but_pages();
    const std::string fault = fault_of(wrong);
    CAPTURE(fault);
    CHECK(fault.find("'page_sum_sums' does not fit section 'page_sums'") != fault.npos);
    wrong.set(wrong.at("page_sum_sums"), page_sums_of(wrong.span(sums.offset, sums.bytes)).front());
    wrong.seal_but_pages();
    const std::string other = fault_of(wrong);
    CAPTURE(other);
    CHECK(other.find("sum of page " + std::to_string(page) + ", which begins in section '" +
                     section + "'") != other.npos);
  }
}

TEST_CASE("sums of pages of the wrong number, or half of them, are refused") {
  const IndexFile& file = paged_index();
  for (const std::string name : {"page_sums", "page_sum_sums", "name_hashes", "name_records"}) {
    CAPTURE(name);
    IndexFile renamed = file;
    renamed.change_entry(renamed.find(name), [](SectionEntry& entry) { entry.name[0] = 'x'; });
    renamed.seal();
    CHECK(fault_of(renamed).find("corrupt") != std::string::npos);
    IndexFile shorter = file;
    const SectionEntry whole = file.entry(file.find(name));
    shorter.bytes[whole.offset + whole.bytes - 1] = '\0';  // which is padding then
    shorter.change_entry(shorter.find(name), [](SectionEntry& entry) { entry.bytes -= 1; });
    shorter.seal();
    CHECK(fault_of(shorter).find("section '" + name + "' has the wrong size") != std::string::npos);
  }
}

TEST_CASE("verify finds every wrong entry of the table of names") {
  const IndexFile& file = paged_index();
  for (const std::string name : {"name_hashes", "name_records"}) {
    const SectionEntry entry = file.entry(file.find(name));
    for (const std::size_t at : {std::size_t{0}, entry.bytes / 2, entry.bytes - 1}) {
      IndexFile wrong = file;
      wrong.bytes[entry.offset + at] ^= 1;
      wrong.seal();
      const std::string fault = fault_of(wrong);
      CAPTURE(fault);
      CHECK(fault.find("section '" + name + "'") != fault.npos);
    }
  }
}
