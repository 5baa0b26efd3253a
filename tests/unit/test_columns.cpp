// Lines that are made of lists of columns.
#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "output/lines/gff3.hpp"
#include "output/lines/place_row.hpp"

using namespace gsx;

namespace {

struct Row : PlaceRow {
  std::uint32_t mismatches = 0;
  Word letters;
  Score score;

  std::uint64_t length() const { return end - start; }
};

using RowColumns =
    Joined<Columns<Column<"name", &Row::name, "called">>, PlaceColumns,
           Columns<Column<"mismatches", &Row::mismatches>, Column<"letters", &Row::letters>,
                   Column<"score", &Row::score>, Column<"length", &Row::length>>,
           TotalColumns>;

template <class Line>
std::string line_of(const Row& row) {
  std::string line = "before ";
  Line::append(line, row);
  CHECK(Line::most(row) >= line.size() - 7);
  return line.substr(7);
}

Row example() {
  Row row;
  row.name = {"q"};
  row.target = {"t"};
  row.target_length = 100;
  row.start = 7;
  row.end = 10;
  row.strand = '-';
  row.total = 5;
  row.reported = 3;
  row.mismatches = 2;
  row.letters = {"AcG"};
  return row;
}

}  // namespace

TEST_CASE("a list of columns gives header, TSV, BED, JSON and GFF3") {
  const Row row = example();
  CHECK(std::string(header_of<RowColumns>) ==
        "name\ttarget_id\tstart\tend\tstrand\tmismatches\tletters\tscore\tlength\tn_total\t"
        "n_reported\ttruncated\n");
  CHECK(line_of<TabbedLine<RowColumns>>(row) == "q\tt\t7\t10\t-\t2\tAcG\t.\t3\t5\t3\tyes\n");
  CHECK(line_of<TabbedLine<Pick<RowColumns, "end", "start">, "!">>(row) == "10\t7!");
  CHECK(line_of<TabbedLine<Without<RowColumns, "name", "start", "target_id", "letters">>>(row) ==
        "10\t-\t2\t.\t3\t5\t3\tyes\n");
  CHECK(line_of<BedLine<RowColumns, "name", "mismatches">>(row) == "t\t7\t10\tq\t2\t-\n");
  CHECK(line_of<JsonObject<Pick<RowColumns, "name", "strand", "letters", "score", "truncated">>>(
            row) ==
        "{\"called\":q,\"strand\":\"-\",\"letters\":\"AcG\",\"score\":null,\"truncated\":true}\n");
  CHECK(line_of<Gff3Line<RowColumns, "region", "name", Pick<RowColumns, "score">>>(row) ==
        "t\tgsx\tregion\t8\t10\t.\t-\t.\tName=q;mismatches=2;letters=AcG;length=3;n_total=5;"
        "n_reported=3;truncated=yes\n");
}

TEST_CASE("the room for a line holds the largest numbers and names") {
  constexpr std::uint64_t most = ~std::uint64_t{0};
  const auto check = [](const Row& row) {
    const auto fits = [&]<class Line>(Line) {
      const std::size_t room = Line::most(row);
      const auto line = std::make_unique<char[]>(room);  // nothing may be written behind it
      CHECK(static_cast<std::size_t>(Line::put(line.get(), row) - line.get()) <= room);
    };
    fits(TabbedLine<RowColumns>());
    fits(BedLine<RowColumns, "name", "mismatches">());
    fits(JsonObject<Without<RowColumns, "name">>());
    fits(Gff3Line<RowColumns, "region", "name", Pick<RowColumns, "score">>());
  };
  Row row = example();
  row.start = most - 1;
  row.end = row.total = row.reported = row.target_length = most;
  row.mismatches = ~std::uint32_t{0};
  row.score = {most - 1};
  check(row);
  const std::string name(100'000, 'n');
  row.name = {name};
  row.target = {name};
  check(row);
  row.name = {""};
  row.target = {""};
  row.start = row.end = row.total = row.reported = 0;
  check(row);
}

TEST_CASE("scores have four digits after the point") {
  Row row = example();
  const auto score = [&](std::uint64_t ten_thousandths) {
    row.score = {ten_thousandths};
    return line_of<TabbedLine<Pick<RowColumns, "score">, "">>(row);
  };
  CHECK(score(0) == "0.0000");
  CHECK(score(1) == "0.0001");
  CHECK(score(1'000'000) == "100.0000");
  CHECK(score(48'210) == "4.8210");
}

TEST_CASE("a place of no symbols lies behind the base that GFF3 names") {
  Row row = example();
  const auto place = [&](std::uint64_t start, std::uint64_t end) {
    row.start = start;
    row.end = end;
    return line_of<LineLayout<TextValues, "", Field<"", StartFromOne>, Field<" ", EndFromOne>>>(
        row);
  };
  CHECK(place(0, 1) == "1 1");
  CHECK(place(99, 103) == "100 103");
  CHECK(place(6, 6) == "6 6");
  CHECK(place(0, 0) == "100 100");  // behind the origin of a circle is behind its last base
}

TEST_CASE("names in GFF3: what is encoded, and what is not") {
  const auto target = [](std::string_view name) {
    std::string out;
    append_gff3_target(out, name);
    return out;
  };
  const auto value = [](std::string_view name) {
    std::string out;
    append_gff3_value(out, name);
    return out;
  };
  CHECK(target("chr1.:^*$@!+_?-|Z") == "chr1.:^*$@!+_?-|Z");
  CHECK(target(">a b#%\xc3\xa9/") == "%3Ea%20b%23%25%C3%A9%2F");
  CHECK(value("a b#\xc3\xa9/>") == "a b#\xc3\xa9/>");
  CHECK(value("a\t%;=&,\x7f\xff") == "a%09%25%3B%3D%26%2C%7F%FF");
  for (const auto& [name, shown] : {std::pair{"", "."}, {".", "%2E"}, {"..", ".."}}) {
    CHECK(target(name) == shown);
    CHECK(value(name) == shown);
  }
  CHECK(are_plain_gff3_values("a b#/>"));
  CHECK_FALSE(are_plain_gff3_values("a\xc3\xa9"));
}
