// Records of one name, compared with a look at all pairs.
#include "text/record_names.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/seeds.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Records without symbols, of several files.
struct NamedRecords {
  std::vector<std::string> names;
  std::vector<std::uint64_t> file_of;
  Text text;

  explicit NamedRecords(Random& random) {
    const std::uint64_t files = 1 + below(random, 4), letters = 1 + below(random, 60);
    for (std::uint64_t f = 0; f < files; ++f) {
      for (std::uint64_t r = below(random, 8); r > 0; --r) {
        names.push_back(std::to_string(below(random, letters)));
        file_of.push_back(f);
        text.names += names.back();
        text.name_ends.push_back(text.names.size());
        text.records.emplace_back();
      }
      text.files.add_name(std::string("f") + static_cast<char>('0' + f));
      text.files.record_ends.push_back(names.size());
    }
  }
};

}  // namespace

TEST_CASE("twins of two files come before those of one, and the earliest first") {
  Random random(run_seed());
  for (int round = 0; round < 300; ++round) {
    NamedRecords all(random);
    std::optional<NameTwins> expected;
    for (const bool apart : {true, false}) {
      for (std::size_t second = 0; second < all.names.size() && !expected; ++second) {
        for (std::size_t first = second; first-- > 0 && !expected;) {
          if (all.names[first] == all.names[second] &&
              (all.file_of[first] != all.file_of[second]) == apart)
            expected = {first, second, apart};
        }
      }
    }
    const auto found = find_name_twins(all.text.records_view(), all.text.files.record_ends);
    REQUIRE(found.has_value() == expected.has_value());
    if (found) {
      CHECK(found->of_two_files == expected->of_two_files);
      CHECK(found->second == expected->second);
      CHECK(all.names[found->first] == all.names[found->second]);
    }
    SharedNames shared(nullptr);
    std::vector<SharedNames::Key> keys;
    for (std::size_t r = 0; r < all.names.size(); ++r) {
      keys.push_back(SharedNames::key_of(all.names[r], all.file_of[r]));
      if (below(random, 3) != 0) continue;
      shared.add(keys);
      keys.clear();
      if (below(random, 3) == 0) shared.found();
    }
    shared.add(keys);
    CHECK(shared.found() == (expected && expected->of_two_files));
    SharedNames of_text(nullptr);
    of_text.add(all.text.records_view(), all.text.files.record_ends, 0);
    CHECK(of_text.found() == shared.found());
    name_by_file(all.text, nullptr);
    CHECK(all.text.names_by_file);
    for (std::size_t r = 0; r < all.names.size(); ++r)
      CHECK(all.text.records_view().name(r) ==
            "f" + std::to_string(all.file_of[r]) + '#' + all.names[r]);
  }
}

TEST_CASE("names of many records are added piece by piece") {
  Text text;
  for (int r = 0; r < 1001; ++r) {
    text.names += std::to_string(r % 1000);
    text.name_ends.push_back(text.names.size());
    text.records.emplace_back();
  }
  for (const std::uint64_t border :
       {1, 256, 512, 1000, 1001}) {  // the first and the last are equal
    SharedNames shared(nullptr);
    const std::vector<std::uint64_t> ends = {border, border, 1001};
    shared.add(text.records_view(), ends, 7);
    CHECK(shared.found() == (border != 1001));
    shared.add(std::vector{SharedNames::key_of("999", 7 + (border > 999 ? 0u : 2u))});
    CHECK(shared.found() == (border != 1001));
  }
}

TEST_CASE("many names pass by in memory for the different ones of each file") {
  SharedNames shared(nullptr);
  std::vector<SharedNames::Key> keys;
  for (int i = 0; i < 200'000; ++i) {
    keys.push_back(SharedNames::key_of(std::to_string(i % 100), 0));
    if (keys.size() == 1000) {
      shared.add(keys);
      keys.clear();
    }
  }
  CHECK_FALSE(shared.found());
  keys = {SharedNames::key_of("7", 1)};
  shared.add(keys);
  CHECK(shared.found());
  shared.add(keys);
  CHECK(shared.found());
  SharedNames few(nullptr, 2);
  for (std::uint64_t file = 0; file < 4; ++file) {
    keys = {SharedNames::key_of(std::to_string(file), file)};
    few.add(keys);
    CHECK_FALSE(few.found());
  }
  keys = {SharedNames::key_of("0", 9)};
  few.add(keys);
  CHECK_FALSE(few.found());  // no more are held
}
