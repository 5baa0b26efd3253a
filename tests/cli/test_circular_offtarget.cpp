// offtarget --circular: sites that span the origin of a circular record.
#include <algorithm>
#include <set>

#include "support/columns.hpp"
#include "support/indexed.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

using Lines = std::vector<std::string>;

constexpr std::uint64_t length = 600, turn = 300;

/// A circle, and the same circle from another origin on. A site lies within one of them at least.
struct TurnedCircle {
  std::string circle;
  IndexedFolder index;

  explicit TurnedCircle(Random& random)
      : circle(random_string(random, length, "ACGGT")),
        index(">c\n" + circle + "\n>turned\n" + circle.substr(turn) + circle.substr(0, turn) +
              '\n') {}
  std::string at(std::uint64_t begin, std::uint64_t size) const {
    return (circle + circle).substr(begin, size);
  }
};

/// Where a start of that record lies in the circle.
std::string in_circle(const std::string& record, const std::string& start) {
  return record == "c" ? start : std::to_string((std::stoull(start) + turn) % length);
}

/// "GUIDE START STRAND MISMATCHES SITE SCORE" of the lines of --sites, in the circle.
std::set<std::string> sites_in_circle(const std::string& text, const std::string& only = "") {
  std::set<std::string> sites;
  for (const std::string& line : lines_of(text)) {
    const Lines columns = columns_of(line);
    if (!only.empty() && columns[1] != only) continue;
    const bool is_new =
        sites
            .insert(columns[0] + ' ' + in_circle(columns[1], columns[2]) + ' ' + columns[4] + ' ' +
                    columns[5] + ' ' + columns[9] + ' ' + columns[10])
            .second;
    if (!only.empty()) CHECK(is_new);
  }
  return sites;
}

}  // namespace

TEST_CASE("a site that spans the origin is found in every format") {
  const IndexedFolder index(">c\nTTCAAAGGTTTTTTTTTTGATTACAGA\n>d\nACGT\n");
  const auto sites = [&](Arguments more) {
    more.insert(more.begin(), {"offtarget", "-q", "-x", "g.gsx", "-k", "2", "--no-header", "-p",
                               "GATTACAGATTGAA", "-o", "guides.tsv", "--sites", "-"});
    return index.gsx(more);
  };
  check_output(sites({}), "");
  CHECK(index.folder.read("guides.tsv") == "GATTACAGATTGAA\tGATTACAGATTGAA\tNGG\t0\t0\t0\t0\t.\n");
  check_output(sites({"--circular", "c"}),
               "GATTACAGATTGAA\tc\t18\t35\t+\t1\t1\t1\tno\tGATTACAGATTcAAAGG\t.\n");
  CHECK(index.folder.read("guides.tsv") == "GATTACAGATTGAA\tGATTACAGATTGAA\tNGG\t0\t1\t0\t1\t.\n");
  check_output(sites({"--circular", "all", "--format", "bed"}),
               "c\t18\t27\tGATTACAGATTGAA\t1\t+\nc\t0\t8\tGATTACAGATTGAA\t1\t+\n");
  check_output(sites({"--circular", "c", "--format", "cas-offinder"}),
               "GATTACAGATTGAANNN\tc\t18\tGATTACAGATTcAAAGG\t+\t1\n");
  check_failure(sites({"--circular", "e"}), 3, {"--circular", "'e'"});
  check_failure(sites({"--circular", "c", "--dna-bulge", "1"}), 2, {"bulge", "--circular"});
}

TEST_CASE("a rotated record has the same sites") {
  Random random(77);
  for (const char* pam : {"NGG", "NG"}) {
    const TurnedCircle turned(random);
    for (const std::uint64_t count : {30U, 700U}) {  // compared with every place; looked up
      std::string guides;
      for (std::uint64_t i = 0; i < count; ++i) {
        std::string guide = turned.at(below(random, length), 20);
        if (i < 40) guide = turned.at(length - 1 - i % 24, 20);
        guide[below(random, 20)] = 'A';
        guides += "g" + std::to_string(i) + '\t' + guide + '\n';
      }
      turned.index.folder.write("guides.txt", guides);
      const auto offtarget = [&](Arguments more) {
        more.insert(more.begin(), {"offtarget", "-q", "-x", "g.gsx", "guides.txt", "--without-pam",
                                   "--no-header", "-k", "4", "--pam", pam});
        more.insert(more.end(), {"-o", "table.tsv", "--sites", "-"});
        return output_of(turned.index.gsx(more));
      };
      const std::string found = offtarget({"--circular", "c"});
      const std::set<std::string> sites = sites_in_circle(found, "c");
      CHECK(sites.size() > count / 8);
      std::uint64_t total = 0;
      for (const std::string& line : lines_of(turned.index.folder.read("table.tsv"))) {
        const Lines columns = columns_of(line);
        total += std::stoull(columns[columns.size() - 2]);
      }
      CHECK(total == lines_of(found).size());
      CHECK(sites == sites_in_circle(offtarget({})));
      CHECK(offtarget({"--circular", "c", "-t", "1"}) == found);
    }
  }
}

TEST_CASE("--all-sites takes the guides of sites that span the origin, too, in order") {
  Random random(78);
  const TurnedCircle turned(random);
  turned.index.folder.write("ends.bed", "c\t0\t20\nc\t580\t600\n");
  const auto guides = [&](Arguments more) {
    more.insert(more.begin(), {"offtarget", "-q", "-x", "g.gsx", "--all-sites", "--no-header", "-k",
                               "0", "--score", "none"});
    return lines_of(output_of(turned.index.gsx(more)));
  };
  const auto place_of = [](const std::string& line) {  // TARGET:BEGIN-END(STRAND)
    const std::size_t colon = line.find(':'), dash = line.find('-', colon);
    return Lines{line.substr(0, colon), line.substr(colon + 1, dash - colon - 1),
                 line.substr(line.find('(') + 1, 1)};
  };
  std::set<std::string> expected, found;
  for (const std::string& line : guides({})) {
    const Lines place = place_of(line), columns = columns_of(line);
    expected.insert(in_circle(place[0], place[1]) + place[2] + columns[1]);
  }
  std::uint64_t last = 0, spanning = 0, at_ends = 0;
  for (const std::string& line : guides({"--circular", "c"})) {
    const Lines place = place_of(line), columns = columns_of(line);
    if (place[0] != "c") continue;
    CHECK(found.insert(place[1] + place[2] + columns[1]).second);
    CHECK(std::stoull(place[1]) >= last);
    last = std::stoull(place[1]);
    spanning += last + 23 > length ? 1 : 0;
    at_ends += last >= 580 && last + 23 > length && last + 23 - length <= 20 ? 1 : 0;
    CHECK(turned.at(last, 23).find(columns[1]) == (place[2] == "+" ? 0 : std::string::npos));
  }
  CHECK(spanning > 0);
  CHECK(found == expected);
  CHECK(guides({"--circular", "c", "--guides-in", "ends.bed"}).size() == at_ends);
  CHECK(guides({"--guides-in", "ends.bed"}).empty());
}
