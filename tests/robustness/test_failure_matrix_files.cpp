// What goes wrong with the files that a run reads and writes: names, links, and bytes after the
// data. Each gives one error line and leaves the folder unchanged.
#include "robustness/failure_matrix.hpp"

using namespace gsx::testing;

namespace {

struct Row {
  std::string line;  ///< a shell line; "gsx" at the start of a command is the program
  int exit_code;
  std::vector<std::string> says;
};

}  // namespace

TEST_CASE("failure matrix: outputs that are inputs, temporary names, links, and trailing bytes") {
  const MatrixPlace place;
  const std::string prepare =
      "ln -s loop2 loop1; ln -s loop1 loop2; (cat g.gz; echo more) > more.gz; (cat g.bgz; echo "
      "more) > more.bgz; head -c 600 /dev/zero > zeros; cat g.gz zeros > padded.gz";
  REQUIRE(place(prepare).exit_code == 0);
  const auto before = place.folder.names();
  const std::string temporary = ".out.gsx-1-2-3-4-5.tmp";
  std::vector<Row> rows = {
      {"gsx index -q /dev/stdin < g.fa", 2, {"standard input", "-o FILE.gsx"}},
      {"TMPDIR=/nonexistent gsx bench -q", 1, {"/nonexistent", "TMPDIR"}},
      {"gsx count -q -x g.gsx q.fa -o /dev/full --summary s --unmatched u", 6, {"/dev/full"}},
      {"gsx bwt -q g.gsx --device cuda", 2, {"--device", "has it already"}},
      {"gsx bwt -q --inverse g.bwt --wide", 2, {"--wide", "--inverse"}}};
  for (const std::string command :
       {"index -q -", "sa -q -", "bwt -q -", "bwt -q --inverse -", "lz77 -q -",
        "mappability -q -K 3 -", "repeats -q -", "count -q -x g.gsx -", "locate -q -x g.gsx -"}) {
    rows.push_back({"gsx " + command + " -o g.fa < g.fa", 2, {"replace the input", "g.fa"}});
  }
  for (const std::string command :
       {"index -q g.fa", "sa -q g.fa", "bwt -q g.fa", "lz77 -q g.fa", "mappability -q -K 3 g.fa",
        "mappability -q --spectrum g.fa", "repeats -q g.fa", "neighbors -q q.fa --at 1-3",
        "prefix -q --entry AC q.fa", "merge -q p.tsv", "extract -q g.gsx", "count -q -x g.gsx q.fa",
        "info -q g.gsx"}) {
    rows.push_back({"gsx " + command + " -o " + temporary, 2, {temporary, "another name"}});
    rows.push_back({"gsx " + command + " -o loop1", 1, {"loop1", "symbolic links"}});
  }
  for (const std::string file : {"more.gz", "more.bgz"}) {
    for (const std::string command : {"index -q -o out ", "sa -q ", "bwt -q -o out ",
                                      "mappability -q -K 3 ", "repeats -q -o out "}) {
      rows.push_back({"gsx " + command + file, 3, {file, "not compressed follow"}});
    }
  }
  for (const Row& row : rows) {
    CAPTURE(row.line);
    check_failure(place(as_shell(row.line)), row.exit_code, row.says);
    CHECK(place.folder.names() == before);
  }
  CHECK(place(as_shell("gsx bwt -q padded.gz")).out == place(as_shell("gsx bwt -q g.fa")).out);
}
