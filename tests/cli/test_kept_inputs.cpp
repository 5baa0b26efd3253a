// What a run reads is kept: no output of any command may replace it, under whatever name; and no
// file is read twice.
#include <map>
#include <set>

#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

/// A command line whose outputs may be named.
struct Row {
  Arguments command;
  std::map<std::string, std::string> outputs;  ///< options, and what they name otherwise; "": none
  std::vector<std::string> inputs;             ///< files that it reads
};

const std::vector<std::string> shards = {"many.gsx", "many.000.gsx", "many.001.gsx"};

std::vector<std::string> with(std::vector<std::string> some, const std::vector<std::string>& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

const std::vector<Row> index_rows = {
    {{"index", "g.fa", "--input-list", "files.txt", "--cram-reference", "c.fa", "--force"},
     {{"-o", "x.gsx"}},
     {"g.fa", "h.fa", "files.txt", "c.fa", "c.fa.fai"}},
    {{"index", "--shards", "2", "g.fa", "--force"}, {{"-o", "x.gsx"}}, {"g.fa"}},
    {{"index", "--append", "one.gsx", "h.fa", "--force"}, {{"-o", "x.gsx"}}, {"h.fa"}}};

const std::vector<Row> query_rows = {
    {{"count", "-x", "many.gsx", "q.reads", "-f", "list.txt", "--cram-reference", "c.fa"},
     {{"-o", ""}, {"--unmatched", ""}, {"--summary", ""}},
     with(shards, {"q.reads", "list.txt", "c.fa", "c.fa.fai"})},
    {{"count", "-r", "g.fa", "q.reads"}, {{"-o", ""}, {"--unmatched", ""}}, {"g.fa", "q.reads"}},
    {{"locate", "many.gsx", "q.reads", "-f", "list.txt"},
     {{"-o", ""}, {"--unmatched", ""}, {"--summary", ""}, {"--bigwig", ""}},
     with(shards, {"q.reads", "list.txt"})},
    {{"filter", "-x", "many.gsx", "r1.fq", "r2.fq", "--drop"},
     {{"-o", "a.fq"},
      {"-O", "b.fq"},
      {"--rest", "c.fq"},
      {"--rest2", "d.fq"},
      {"--by-record", ""},
      {"--summary", ""}},
     with(shards, {"r1.fq", "r2.fq"})}};

const std::vector<Row> match_rows = {
    {{"mem", "-x", "many.gsx", "q.reads", "-f", "list.txt", "-L", "3"},
     {{"-o", ""}, {"--unmatched", ""}, {"--summary", ""}},
     with(shards, {"q.reads", "list.txt"})},
    {{"mem", "--pairs", "-x", "many.gsx", "h.fa"}, {{"-o", ""}}, with(shards, {"h.fa"})},
    {{"mem", "--pairs", "g.fa", "h.fa"}, {{"-o", ""}}, {"g.fa", "h.fa"}},
    {{"ms", "-x", "many.gsx", "q.reads"},
     {{"-o", ""}, {"--unmatched", ""}, {"--summary", ""}, {"--offsets", ""}, {"--places", ""}},
     with(shards, {"q.reads"})}};

const std::vector<Row> site_rows = {
    {{"offtarget", "many.gsx", "guides.txt", "-k", "1", "--score", "score.tsv"},
     {{"-o", ""}, {"--sites", ""}, {"--summary", ""}},
     with(shards, {"guides.txt", "score.tsv"})},
    {{"offtarget", "-r", "g.fa", "--all-sites", "--guides-in", "regions.txt"},
     {{"-o", ""}, {"--sites", ""}},
     {"g.fa", "regions.txt"}},
    {{"amplicon", "many.gsx", "primers.tsv", "-R", "regions.txt"},
     {{"-o", ""}, {"--summary", ""}},
     with(shards, {"primers.tsv", "regions.txt"})},
    {{"amplicon", "-r", "g.fa", "primers.tsv"}, {{"-o", ""}}, {"g.fa", "primers.tsv"}}};

const std::vector<Row> text_rows = {
    {{"mappability", "-K", "3", "-x", "many.gsx"}, {{"-o", ""}, {"--bigwig", ""}}, shards},
    {{"mappability", "--spectrum", "g.fa"}, {{"-o", ""}, {"--plot", ""}}, {"g.fa"}},
    {{"repeats", "-L", "3", "-x", "many.gsx"}, {{"-o", ""}, {"--dotplot", ""}}, shards},
    {{"sa", "-x", "many.gsx"}, {{"-o", "a"}, {"--lcp", ""}}, shards},
    {{"sa", "g.fa", "--cram-reference", "c.fa"}, {{"-o", "a"}, {"--lcp", ""}}, {"g.fa", "c.fa"}},
    {{"bwt", "-x", "many.gsx"}, {{"-o", ""}}, shards},
    {{"bwt", "g.fa"}, {{"-o", ""}}, {"g.fa"}},
    {{"bwt", "--inverse", "g.bwt"}, {{"-o", ""}}, {"g.bwt"}},
    {{"lz77", "-x", "many.gsx"}, {{"-o", "a"}}, shards},
    {{"lz77", "g.fa"}, {{"-o", "a"}}, {"g.fa"}},
    {{"lz77", "--inverse", "g.lz77"}, {{"-o", ""}}, {"g.lz77"}},
    {{"bench", "--input", "g.fa", "--haplotypes", "2"},
     {{"-o", ""}, {"--write-text", ""}},
     {"g.fa"}}};

const std::vector<Row> other_rows = {
    {{"neighbors", "t.txt", "--whitelist", "w.txt", "--cram-reference", "c.fa"},
     {{"-o", ""}, {"--summary", ""}},
     {"t.txt", "w.txt", "c.fa", "c.fa.fai"}},
    {{"prefix", "--set", "list.txt", "q.reads", "--cram-reference", "c.fa"},
     {{"-o", ""}, {"--summary", ""}},
     {"list.txt", "q.reads", "c.fa", "c.fa.fai"}},
    {{"merge", "p0.tsv", "p1.tsv", "p0.json", "p1.json", "-x", "many.gsx", "--queries", "q.reads",
      "-f", "list.txt"},
     {{"-o", ""}, {"--summary", ""}},
     with(shards, {"p0.tsv", "p1.tsv", "p0.json", "p1.json", "q.reads", "list.txt"})},
    {{"extract", "many.gsx", "-R", "regions.txt"}, {{"-o", ""}}, with(shards, {"regions.txt"})},
    {{"info", "many.gsx"}, {{"-o", ""}}, shards},
    {{"report", "many.gsx", "p0.summary", "--spectrum", "sp.table"},
     {{"-o", ""}},
     with(shards, {"p0.summary", "sp.table"})}};

struct Place {
  TemporaryFolder folder;

  Place() {
    const std::string a = "ACGTACGTTTGACAGGATCCAGG", b = "TTGCAACGGTAAGGCATGATCCG";
    folder.write("g.fa", ">a\n" + a + "\n>b\n" + b + '\n');
    for (const char* name : {"h.fa", "c.fa"})
      folder.write(name, ">h\nACGTTGCATTGCA\n");
    folder.write("c.fa.fai", "h\t13\t3\t13\t14\n");
    folder.write("files.txt", "h.fa\n");
    for (const char* name : {"q.reads", "r1.fq", "r2.fq"})
      folder.write(name, "@q\nACGTACGT\n+\nIIIIIIII\n");
    for (const char* name : {"list.txt", "t.txt", "w.txt"})
      folder.write(name, "ACGTAC\nTTGACA\n");
    folder.write("guides.txt", "ACGTACGTTTGACA\n");
    folder.write("score.tsv", "length\t14\npam\tAGG\t1\n");
    folder.write("regions.txt", "a\t0\t20\n");
    folder.write("primers.tsv", "p\tACGTAC\tGGATCC\n");
    check_output(in("set -e; \"$gsx\" index -q --shard-size 10 g.fa -o many.gsx; "
                    "\"$gsx\" index -q g.fa -o one.gsx; \"$gsx\" bwt -q h.fa -o g.bwt; "
                    "\"$gsx\" lz77 -q g.fa -o g.lz77; "
                    "\"$gsx\" mappability -q --spectrum g.fa -o sp.table; "
                    "for i in 0 1; do \"$gsx\" count -q -x many.00$i.gsx q.reads -o p$i.tsv "
                    "--summary p$i.json; done; cp p0.json p0.summary"),
                 "");
  }
  Outcome in(const std::string& script) const {
    return run_shell(script, {.folder = folder.path()});
  }
  std::map<std::string, std::string> content() const {
    std::map<std::string, std::string> all;
    for (const std::string& name : folder.names())
      all[name] = folder.read(name);
    return all;
  }
  /// Another name of a file, by a link of either kind.
  std::string linked(const std::string& file, bool symbolic) const {
    const std::string name = (symbolic ? "soft." : "hard.") + file;
    if (folder.has(name)) return name;
    if (symbolic) {
      std::filesystem::create_symlink(file, folder / name);
    } else {
      std::filesystem::create_hard_link(folder / file, folder / name);
    }
    return name;
  }

  /// Names each input of each row by each of its outputs.
  void check(const std::vector<Row>& rows) const {
    int form = 0;
    for (const Row& row : rows) {
      for (const auto& [output, usual] : row.outputs) {
        for (const std::string& input : row.inputs) {
          const std::string name = form % 3 == 0 ? input : linked(input, form % 3 == 1);
          ++form;
          Arguments command = row.command;
          command.emplace_back("-q");
          for (const auto& [other, otherwise] : row.outputs) {
            if (other == output) {
              command.insert(command.end(), {output, name});
            } else if (!otherwise.empty()) {
              command.insert(command.end(), {other, otherwise});
            }
          }
          CAPTURE(command);
          const auto before = content();
          check_failure(run(command, {.folder = folder.path()}), 2, {"would replace the input"});
          CHECK(content() == before);
        }
      }
    }
  }
};

}  // namespace

TEST_CASE("no output replaces what gsx index reads") {
  const Place place;
  place.check(index_rows);
  // Names that are made of others.
  place.in("cp g.fa x.000.gsx; cp g.fa t.k3.bedgraph");
  for (const Arguments& command :
       {Arguments{"index", "--shard-size", "10", "--force", "x.000.gsx", "-o", "x.gsx"},
        Arguments{"index", "--shards", "2", "--shard", "0", "--force", "x.000.gsx", "-o", "x.gsx"},
        Arguments{"mappability", "-K", "3,4", "t.k3.bedgraph", "-o", "t.bedgraph"}}) {
    CAPTURE(command);
    const auto before = place.content();
    check_failure(run(command, {.folder = place.folder.path()}), 2, {"would replace the input"});
    CHECK(place.content() == before);
  }
}

TEST_CASE("no output replaces what count, locate and filter read") {
  Place().check(query_rows);
}

TEST_CASE("no output replaces what mem and ms read") {
  Place().check(match_rows);
}

TEST_CASE("no output replaces what offtarget and amplicon read") {
  Place().check(site_rows);
}

TEST_CASE("no output replaces what commands read that take texts") {
  Place().check(text_rows);
}

TEST_CASE("no output replaces what the other commands read") {
  const Place place;
  place.check(other_rows);
  // Nor is it appended to.
  for (const char* const command :
       {"extract one.gsx >> one.gsx", "count -x one.gsx q.reads >> q.reads",
        "bwt - < g.fa >> g.fa"}) {
    CAPTURE(command);
    const auto before = place.content();
    check_failure(place.in(std::string("\"$gsx\" ") + command), 2, {"would replace the input"});
    CHECK(place.content() == before);
  }
}

TEST_CASE("every option that names an output stands in the tables of this file") {
  std::map<std::string, std::set<std::string>> known;
  for (const auto* rows :
       {&index_rows, &query_rows, &match_rows, &site_rows, &text_rows, &other_rows})
    for (const Row& row : *rows)
      for (const auto& [output, usual] : row.outputs)
        known[row.command[0]].insert(output);
  for (const auto& [command, outputs] : known) {
    CAPTURE(command);
    for (const std::string& line : lines_of(output_of(run({command, "--help"})))) {
      std::istringstream words(line);
      std::string option, value;
      words >> option >> value;
      if (option.ends_with(',')) {
        option.pop_back();
        words >> value;
      }
      if (!line.starts_with("  -") || value != "FILE") continue;
      CAPTURE(line);
      const bool reads = std::set<std::string>{"-f",           "-R",          "--cram-reference",
                                               "--input-list", "--whitelist", "--spectrum",
                                               "--set",        "--guides-in", "--score",
                                               "--input",      "--queries"}
                             .contains(option) ||
                         (command == "report" && option == "--summary");
      CHECK((reads || outputs.contains(option)));
    }
  }
}

TEST_CASE("a file that is named twice is refused where it would count twice") {
  const Place place;
  const std::vector<std::pair<Arguments, std::string>> rows = {
      {{"index", "g.fa", "g.fa", "-o", "x.gsx"}, "g.fa"},
      {{"index", "h.fa", "--input-list", "files.txt", "-o", "x.gsx"}, "h.fa"},
      {{"index", "--shards", "2", "g.fa", "g.fa", "-o", "x.gsx"}, "g.fa"},
      {{"sa", "g.fa", "g.fa", "-o", "x"}, "g.fa"},
      {{"bwt", "g.fa", "g.fa"}, "g.fa"},
      {{"lz77", "g.fa", "g.fa", "-o", "x"}, "g.fa"},
      {{"repeats", "-L", "3", "g.fa", "g.fa"}, "g.fa"},
      {{"mappability", "-K", "3", "g.fa", "g.fa"}, "g.fa"},
      {{"count", "-r", "g.fa", "-r", "g.fa", "-p", "A"}, "g.fa"},
      {{"filter", "-r", "g.fa", "-r", "g.fa", "--keep", "q.reads"}, "g.fa"},
      {{"mem", "--pairs", "-r", "g.fa", "-r", "g.fa", "h.fa"}, "g.fa"},
      {{"offtarget", "-r", "g.fa", "-r", "g.fa", "guides.txt"}, "g.fa"},
      {{"amplicon", "-r", "g.fa", "-r", "g.fa", "primers.tsv"}, "g.fa"},
      {{"locate", "one.gsx", "--bedgraph", "-f", "list.txt", "-f", "list.txt"}, "list.txt"},
      {{"filter", "one.gsx", "--keep", "--unpaired", "q.reads", "q.reads"}, "q.reads"},
      {{"neighbors", "t.txt", "t.txt"}, "t.txt"},
      {{"prefix", "--set", "list.txt", "q.reads", "q.reads"}, "q.reads"},
      {{"prefix", "--set", "list.txt", "--set", "list.txt", "q.reads"}, "list.txt"}};
  for (const auto& [command, file] : rows) {
    CAPTURE(command);
    check_failure(run(command, {.folder = place.folder.path()}), 2,
                  {"'" + file + "' is named twice"});
    Arguments linked = command;  // the second time by a link
    const auto again = std::find(linked.rbegin(), linked.rend(), file);
    REQUIRE(again != linked.rend());
    *again = place.linked(file, true);
    CAPTURE(linked);
    check_failure(run(linked, {.folder = place.folder.path()}), 2, {"is named twice, also as"});
  }
  for (const std::string command :
       {"index g.fa - -o x.gsx < g.fa", "count -r g.fa -r - -p A < g.fa",
        "neighbors t.txt - < t.txt", "prefix --set list.txt q.reads - < q.reads"}) {
    CAPTURE(command);
    check_failure(run_shell("\"$gsx\" " + command, {.folder = place.folder.path()}), 2,
                  {"'-' is named twice, also as"});
  }
  CHECK_FALSE(place.folder.has("x.gsx"));
  // Each query has lines of its own, which are right.
  for (const Arguments& command :
       {Arguments{"count", "one.gsx", "q.reads"}, Arguments{"locate", "one.gsx", "q.reads"},
        Arguments{"mem", "-L", "3", "one.gsx", "q.reads"}, Arguments{"ms", "one.gsx", "q.reads"},
        Arguments{"mem", "--pairs", "g.fa", "h.fa"},
        Arguments{"offtarget", "one.gsx", "guides.txt"},
        Arguments{"amplicon", "one.gsx", "primers.tsv"}}) {
    CAPTURE(command);
    Arguments twice = command;
    twice.push_back(command.back());
    const Outcome outcome = run(twice, {.folder = place.folder.path()});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.find("warning: '" + command.back() + "' is named twice") !=
          std::string::npos);
  }
  // A set, or a text, may be compared with itself.
  CHECK(run({"count", "-q", "-r", "g.fa", "g.fa"}, {.folder = place.folder.path()}).exit_code == 0);
  CHECK(run({"neighbors", "-q", "t.txt", "--whitelist", "t.txt"}, {.folder = place.folder.path()})
            .exit_code == 0);
}
