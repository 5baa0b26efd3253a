// The table of names, and look-ups in it.
#include "index/store/name_table.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>

#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Names one after another, and a view of the records that have them.
struct Names {
  std::string all;
  std::vector<std::uint64_t> ends;
  std::vector<RecordInfo> infos;

  void add(const std::string& name) {
    all += name;
    ends.push_back(all.size());
    infos.push_back({});
  }
  RecordsView view() const {
    RecordsView records;
    records.infos = infos;
    records.names = all;
    records.name_ends = ends;
    return records;
  }
};

}  // namespace

TEST_CASE("a hash is found among ascending ones, however they are spread") {
  Random random(31);
  std::vector<std::vector<std::uint32_t>> tables = {{}, {0}, {0xFFFFFFFF}, {7, 7, 7}};
  for (const std::uint32_t most : {5u, 1000u, 0xFFFFFFFFu}) {
    for (const std::size_t size : {1, 2, 15, 16, 17, 1000}) {
      std::vector<std::uint32_t> table(size);
      for (std::uint32_t& hash : table)
        hash = static_cast<std::uint32_t>(random() % most);
      std::ranges::sort(table);
      tables.push_back(table);
      for (std::uint32_t& hash : table)
        hash = 0xFFFFFFFF - hash;
      std::ranges::reverse(table);
      tables.push_back(table);
    }
  }
  std::size_t found_right = 0;
  for (const auto& table : tables) {
    std::vector<std::uint32_t> wanted = {0, 1, 6, 7, 8, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF};
    wanted.insert(wanted.end(), table.begin(), table.end());
    for (const std::uint32_t hash : wanted) {
      std::size_t looks = 0;
      const std::uint64_t found = find_hash(table.size(), hash, [&](std::uint64_t i) {
        ++looks;
        return table.at(i);
      });
      const auto expected = std::ranges::lower_bound(table, hash) - table.begin();
      if (found != static_cast<std::uint64_t>(expected)) FAIL_CHECK("wrong place of " << hash);
      ++found_right;
      if (looks > 4 + 2 * std::bit_width(table.size())) FAIL_CHECK(looks << " looks");
    }
  }
  CHECK(found_right > 3000);
}

TEST_CASE("the table of names has every record, the same on any number of threads") {
  for (const std::uint64_t size : {1, 5, 1000, 70'000}) {
    CAPTURE(size);
    Names names;
    for (std::uint64_t r = 0; r < size; ++r)  // some twice
      names.add(r == 0 ? "" : "read." + std::to_string(r % (size - size / 10)));
    const NameTable table = name_table_of(names.view(), 1);
    const NameTable again = name_table_of(names.view(), 3);
    CHECK(table.hashes == again.hashes);
    CHECK(std::ranges::equal(table.records.bytes(), again.records.bytes()));
    std::vector<std::pair<std::uint32_t, std::uint64_t>> expected;
    for (std::uint64_t r = 0; r < size; ++r)
      expected.emplace_back(name_hash(names.view().name(r)), r);
    std::ranges::sort(expected);
    REQUIRE(table.hashes.size() == size);
    bool right = true;
    for (std::uint64_t i = 0; i < size; ++i)
      right &= expected[i] == std::pair{table.hashes[i], table.records.view()[i]};
    CHECK(right);
  }
  CHECK(has_name_table((std::uint64_t{1} << 32) - 1));
  CHECK_FALSE(has_name_table(std::uint64_t{1} << 32));
}
