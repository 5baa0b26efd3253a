// What goes wrong with sequences and with the index to be written: other formats, symbols that do
// not fit, and files that a new index would replace.
#include "robustness/failure_matrix.hpp"

using namespace gsx::testing;

namespace {

struct Row {
  std::string line;  ///< a shell line; "gsx" at the start of a command is the program
  int exit_code;
  std::vector<std::string> says;
};

}  // namespace

TEST_CASE("failure matrix: other formats, foreign symbols, and files that an index would replace") {
  const MatrixPlace place;
  const std::string prepare =
      "printf '@HD\\tVN:1.6\\nr\\t4\\t*\\n' > t.sam; printf 'LOCUS  X\\n' > t.gbk; "
      "printf '>a\\nACGT\\nAC!T\\n' > odd.fa; cp g.fa t.fa; cp h.gsx t.gsx; cp q.fa u.gsx; "
      "cp g.fa u.fa; printf 'PK\\003\\004' > t.zip; printf '\\3757zXZ\\0\\0' > cut.xz; "
      "printf '\\103\\047\\101\\032\\0\\0' > cut.2bit";
  REQUIRE(place(prepare).exit_code == 0);
  const auto before = place.folder.names();
  std::vector<Row> rows = {
      {"gsx index t.fa", 2, {"'t.gsx' is the index of other sequences", "'h'", "--force"}},
      {"gsx index u.fa", 2, {"'u.gsx' exists and is not a gsx index", "--force"}},
      {"gsx index g.fa -o q.fa", 2, {"'q.fa' exists and is not a gsx index", "--force"}},
      {"gsx index missing.fa -o q.fa", 3, {"missing.fa"}}};
  for (const std::string command :
       {"index -q -o out ", "index -q --plan ", "sa -q ", "bwt -q -o out ",
        "mappability -q --spectrum ", "repeats -q -o out "}) {
    rows.push_back({"gsx " + command + "t.sam", 3, {"t.sam: line 1 of the SAM data", "damaged"}});
    rows.push_back({"gsx " + command + "t.zip", 3, {"t.zip: line 1", "zip", "unzip -p t.zip"}});
    rows.push_back({"gsx " + command + "cut.xz", 3, {"cut.xz: ", "xz data ends early"}});
    rows.push_back({"gsx " + command + "cut.2bit", 3, {"cut.2bit: the 2bit data ends early"}});
    rows.push_back({"gsx " + command + "t.gbk", 3, {"t.gbk: line 1", "GenBank"}});
    rows.push_back({"gsx " + command + "h.fa odd.fa", 3, {"odd.fa: record 1 ('a'), line 3: '!'"}});
    rows.push_back({"gsx " + command + "https://host.example/g.fa", 3, {"does not read URLs"}});
  }
  for (const std::string command : {"index -q -o out ", "index --plan ", "sa -q ", "bwt -o out ",
                                    "mappability -K 3 --plan ", "repeats -o out "}) {
    rows.push_back({"yes NA | tr -d '\\n' | head -c 100000000 | (echo '>r'; cat) | gsx " + command +
                        "--memory-limit 20MB -",
                    6,
                    {"too little memory: reading", "--memory-limit allows 20000000"}});
  }
  for (const std::string& command : on_queries)
    rows.push_back({"gsx " + command + "t.sam", 3, {"t.sam: line 1 of the SAM data", "damaged"}});
  for (const std::string& command : on_queries) {
    rows.push_back({"gsx " + command + "--cram-reference none.fa q.fa", 3, {"no file 'none.fa'"}});
    rows.push_back({"(cat cut.xz) | gsx " + command + "-", 3, {"standard input: ", "ends early"}});
  }
  for (const Row& row : rows) {
    CAPTURE(row.line);
    check_error(place(as_shell(row.line)), row.exit_code, row.says);
    CHECK(place.folder.names() == before);
  }
  CHECK(place.folder.read("t.gsx") == place.folder.read("h.gsx"));
  CHECK(place.folder.read("u.gsx") == place.folder.read("q.fa"));
}
