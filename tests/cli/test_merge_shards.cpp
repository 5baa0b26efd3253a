// gsx merge -x: a part for each shard, in its place.
#include <filesystem>

#include "support/program_folder.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Three shards of a record each, and parts of a search for what every record has.
struct ThreeParts : ProgramFolder {
  ThreeParts() {
    folder.write("g.fa", ">#a\nTTTACGTACG\n>b b\nGGGGACGAAT\n>c\nCCACGAA\n");
    folder.write("q.fa", ">x\nACG\n>y\nGGGG\n");
    run_ok({"index", "-q", "g.fa", "-o", "many.gsx", "--shards", "3"});
  }
  /// Searches each shard; the results are in p0.SUFFIX and so on, the summaries in p0.json.
  void make(Arguments command, const std::string& suffix) const {
    command.insert(command.end(), {"-q", "q.fa"});
    for (const std::string shard : {"0", "1", "2"}) {
      Arguments arguments = command;
      arguments.insert(arguments.end(), {"-x", "many.00" + shard + ".gsx", "-o",
                                         "p" + shard + suffix, "--summary", "p" + shard + ".json"});
      run_ok(arguments);
    }
  }
  Outcome merge(const Arguments& more) const {
    Arguments arguments = {"merge", "-q", "-x", "many.gsx"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return gsx(arguments);
  }
};

/// A summary but for the member "index".
std::string without_index(std::string summary) {
  const std::size_t begin = summary.find(",\"index\":");
  return summary.erase(begin, summary.find('}', begin) + 1 - begin);
}

}  // namespace

TEST_CASE("merge -x takes parts in the order of the shards only") {
  const ThreeParts all;
  const std::pair<Arguments, const char*> forms[] = {
      {{"locate"}, ".tsv"},
      {{"locate"}, ".bed"},
      {{"locate"}, ".paf"},
      {{"count", "--by-record"}, ".tsv.gz"},
      {{"locate", "--bedgraph"}, ".bedgraph"},
      {{"locate", "--sort", "position"}, ".bed.gz"},
  };
  for (const auto& [command, end] : forms) {
    const std::string suffix = end;
    CAPTURE(suffix);
    all.make(command, suffix);
    const Arguments by_query = {"--queries", "q.fa", "-o", "m" + suffix};
    const Arguments by_place = {"--sort", "position", "-o", "m" + suffix};
    const bool sorted = command.back() == "position";
    const bool placed = sorted || command.back() == "--bedgraph";
    const auto merge = [&](const std::string& a, const std::string& b, const std::string& c) {
      Arguments arguments = {a + suffix, b + suffix, c + suffix};
      if (!placed) arguments.insert(arguments.end(), by_query.begin(), by_query.end());
      if (placed)
        arguments.insert(arguments.end(), sorted ? by_place.begin() : by_place.begin() + 2,
                         by_place.end());
      return all.merge(arguments);
    };
    check_output(merge("p0", "p1", "p2"), "");
    Arguments whole = command;
    whole.insert(whole.end(), {"-q", "q.fa", "-x", "many.gsx", "-o", "whole" + suffix});
    all.run_ok(whole);
    CHECK(all.folder.read("m" + suffix) == all.folder.read("whole" + suffix));
    std::filesystem::remove(all.folder / ("m" + suffix));
    check_failure(merge("p1", "p0", "p2"), 3,
                  {"p1", "the record 'b'", "not in the shard 'many.000.gsx'", "order"});
    check_failure(merge("p0", "p2", "p1"), 3, {"p2", "the record 'c'", "'many.001.gsx'"});
    CHECK_FALSE(std::filesystem::exists(all.folder / ("m" + suffix)));
  }
}

TEST_CASE("merge -x takes files in the order of the shards only") {
  const ThreeParts all;
  for (const std::string name : {"a", "b", "c"})
    all.folder.write(name + ".fa", ">r\nACGT" + std::string(20, 'A') + "\n");
  all.run_ok({"index", "-q", "--files", "a.fa", "b.fa", "c.fa", "-o", "many.gsx", "--shards", "3"});
  for (const char* form : {"--by-file", "--matrix", "--presence"}) {
    CAPTURE(form);
    const bool lines = form == std::string("--by-file");
    all.make(lines ? Arguments{"count", "--by-file"} : Arguments{"count", "--by-file", form},
             ".tsv");
    const auto merge = [&](const Arguments& parts) {
      Arguments arguments = parts;
      if (lines) arguments.insert(arguments.end(), {"--queries", "q.fa"});
      if (!lines) arguments.emplace_back(form);
      return all.merge(arguments);
    };
    CHECK(merge({"p0.tsv", "p1.tsv", "p2.tsv"}).exit_code == 0);
    check_failure(merge({"p0.tsv", "p2.tsv", "p1.tsv"}), 3,
                  {"p2.tsv", "the file 'c'", "not in the shard 'many.001.gsx'"});
  }
}

TEST_CASE("merge -x needs a part for each shard, once") {
  const ThreeParts all;
  all.make({"count"}, ".tsv");
  CHECK(all.merge({"p0.tsv", "p1.tsv", "p2.tsv"}).exit_code == 0);
  check_failure(all.merge({"p0.tsv", "p2.tsv"}), 2,
                {"'many.gsx' has 3 shards", "2 parts are named", "a part for each shard"});
  check_failure(all.merge({"p0.tsv"}), 2, {"'many.gsx' has 3 shards", "1 part is named"});
  check_failure(all.gsx({"merge", ""}), 2, {"the name of a file is empty"});
  check_failure(all.gsx({"merge", "--pattern", "", "p0.tsv"}), 2, {"-p '': the pattern is empty"});
  check_failure(all.merge({"p0.tsv", "p1.tsv", "p2.tsv", "./p1.tsv"}), 2,
                {"'./p1.tsv' is named twice, also as 'p1.tsv'"});
  std::filesystem::create_symlink("p1.tsv", all.folder / "link.tsv");
  // A pipe is not waited for.
  REQUIRE(run_shell("mkfifo pipe", {.folder = all.folder.path()}).exit_code == 0);
  check_failure(all.gsx({"merge", "pipe", "pipe"}), 2, {"'pipe' is named twice"});
  check_failure(all.gsx({"merge", "p1.tsv", "link.tsv"}), 2, {"'link.tsv'", "twice"});
  check_failure(all.gsx({"merge", "-x", "many.001.gsx", "p0.tsv", "p1.tsv", "p2.tsv"}), 2,
                {"'many.001.gsx' is no manifest"});
  check_failure(all.gsx({"merge", "-x", "none.gsx", "p0.tsv", "p1.tsv", "p2.tsv"}), 4,
                {"none.gsx"});
  check_failure(all.gsx({"merge", "-x", "g.fa", "p0.tsv", "p1.tsv", "p2.tsv"}), 4, {"g.fa"});
  check_failure(all.merge({"p0.tsv", "p1.tsv", "p2.tsv", "-o", "many.001.gsx"}), 2,
                {"would replace the input"});
}

TEST_CASE("merged summaries name the whole index, and are refused for another one") {
  const ThreeParts all;
  all.folder.write("h.fa", ">#a\nTTTACGTACT\n>b b\nGGGGACGAAT\n>c\nCCACGAA\n");
  all.run_ok({"index", "-q", "h.fa", "-o", "other.gsx", "--shards", "3"});
  for (const std::string shard : {"0", "1", "2"})
    all.run_ok({"count", "-q", "q.fa", "-x", "many.00" + shard + ".gsx", "-o", "p" + shard + ".tsv",
                "--summary", "p" + shard + ".json"});
  all.run_ok({"count", "-q", "q.fa", "-x", "many.gsx", "-o", "w.tsv", "--summary", "w.json"});
  const Arguments parts = {"p0.tsv",  "p1.tsv",  "p2.tsv",    "p2.json",
                           "p0.json", "p1.json", "--summary", "s.json"};
  const auto merge = [&](Arguments more) {
    more.insert(more.begin(), {"merge", "-q"});
    more.insert(more.end(), parts.begin(), parts.end());
    return all.gsx(more);
  };
  CHECK(merge({"-x", "many.gsx"}).exit_code == 0);
  CHECK(all.folder.read("s.json") == all.folder.read("w.json"));
  CHECK(merge({}).exit_code == 0);
  // Whatever the order of the summaries is, the checksum is that of the whole.
  const std::string whole = all.folder.read("w.json");
  const std::string checksum = whole.substr(whole.find(",\"checksum\":\""), 32);
  CHECK(all.folder.read("s.json").find("\"index\":{\"file\":null" + checksum) != std::string::npos);
  check_failure(merge({"-x", "other.gsx"}), 3, {"other.gsx", "'p2.json'"});
}

TEST_CASE("parts of counts and of places that lack hits do not fit their summaries") {
  const ThreeParts all;
  all.run_ok({"index", "-q", "--files", "g.fa", "-o", "many.gsx", "--shards", "3"});
  const Arguments by_query = {"--queries", "q.fa"}, sorted = {"--sort", "position"};
  const auto check = [&](const Arguments& command, const std::string& suffix,
                         const Arguments& merging, const std::string& cut) {
    CAPTURE(suffix);
    CAPTURE(command.back());
    all.make(command, suffix);
    const auto merged = [&] {
      Arguments merge = {"p0" + suffix, "p1" + suffix, "p2" + suffix,
                         "p0.json",     "p1.json",     "p2.json"};
      merge.insert(merge.end(), merging.begin(), merging.end());
      return all.merge(merge);
    };
    CHECK(merged().exit_code == 0);
    REQUIRE(all.folder.read("p0" + suffix).starts_with(cut));
    all.folder.write("p0" + suffix, cut);
    check_failure(merged(), 3, {"p0.json", "a part is cut"});
  };
  check({"count", "--by-record"}, ".tsv", by_query,
        "query_id\ttarget_id\tcount\tcount_fwd\tcount_rev\n");
  check({"count", "--by-file"}, ".tsv", by_query,
        "query_id\tfile_id\tcount\tcount_fwd\tcount_rev\n");
  check({"locate", "--sort", "position"}, ".bed", sorted, "");
  check({"locate", "--sort", "position", "--circular", "all"}, ".bed", sorted, "");
  // Lines of coverage are not hits: that there are none is what tells.
  all.folder.write("q.fa", ">x\nTACGT\n");
  check({"locate", "--bedgraph"}, ".bedgraph", {}, "");
  check_failure(all.merge({"p0.bedgraph", "p1.bedgraph", "p2.bedgraph", "p0.json", "p1.json",
                           "p2.json", "--summary", "s.json"}),
                2, {"--summary needs parts by query"});
}

TEST_CASE("a cut part of PAF is one of --max-hits only if no summary says otherwise") {
  const ThreeParts all;
  all.make({"locate"}, ".paf");
  const std::string part = all.folder.read("p0.paf");
  all.folder.write("p0.paf", part.substr(0, part.find('\n') + 1));
  Arguments parts = {"p0.paf", "p1.paf", "p2.paf", "--queries", "q.fa"};
  check_failure(all.merge(parts), 2, {"p0.paf", "lines of 1", "--max-hits"});
  parts.insert(parts.end(), {"p0.json", "p1.json", "p2.json"});
  check_failure(all.merge(parts), 3, {"p0.paf", "lines of 1", "hits are missing"});
}

TEST_CASE("summaries of one shard are not merged twice, whatever the parts are") {
  const ThreeParts all;
  for (const std::string suffix : {".tsv", ".bed", ".paf", ".jsonl"}) {
    CAPTURE(suffix);
    for (const std::string name : {"a", "b"})
      all.run_ok({"locate", "-q", "q.fa", "-x", "many.000.gsx", "-o", name + suffix, "--summary",
                  name + ".json"});
    check_failure(all.gsx({"merge", "-q", "a" + suffix, "b" + suffix, "a.json", "b.json",
                           "--queries", "q.fa"}),
                  3, {"b.json", "the same index as 'a.json'", "count twice"});
  }
}

TEST_CASE("merge refuses parts of --presence for --matrix, and parts that are not sorted") {
  const ThreeParts all;
  all.run_ok({"index", "-q", "--files", "g.fa", "-o", "many.gsx", "--shards", "3"});
  for (const std::string shard : {"0", "1", "2"})
    all.run_ok({"count", "-q", "--by-file", "--presence", "q.fa", "-x", "many.00" + shard + ".gsx",
                "-o", "p" + shard + ".tsv", "--summary", "p" + shard + ".json"});
  Arguments parts = {"--presence", "p0.tsv", "p1.tsv", "p2.tsv", "p0.json", "p1.json", "p2.json"};
  CHECK(all.merge(parts).exit_code == 0);
  parts[0] = "--matrix";
  check_failure(all.merge(parts), 2, {"p0.json", "without --matrix"});
  all.folder.write("u.bed", "c\t4\t7\tx\t0\t+\nc\t2\t5\tx\t0\t+\n");
  check_failure(all.gsx({"merge", "--sort", "position", "u.bed"}), 3,
                {"u.bed", "line 2", "not in the order of places"});
}

TEST_CASE("merge refuses an output that is named as another format, and parts of two formats") {
  const ThreeParts all;
  all.make({"locate"}, ".tsv");
  all.make({"locate"}, ".bed");
  all.make({"locate", "--bedgraph"}, ".bedgraph");
  const auto merge = [&](const Arguments& more) {
    const Outcome outcome = all.merge(more);
    CHECK_FALSE(std::filesystem::exists(all.folder / more.back()));
    return outcome;
  };
  check_failure(merge({"p0.tsv", "p1.tsv", "p2.tsv", "--queries", "q.fa", "-o", "m.bed.gz"}), 2,
                {"does not write the format bed; it writes tsv: as the parts are"});
  check_failure(merge({"p0.bed", "p1.bed", "p2.bed", "--queries", "q.fa", "-o", "m.tsv"}), 2,
                {"does not write the format tsv; it writes bed"});
  check_failure(merge({"p0.bed", "p1.bed", "p2.bed", "--queries", "q.fa", "-o", "m.paf"}), 2,
                {"does not write the format paf; it writes bed"});
  for (const char* part : {"0", "1", "2"})
    std::filesystem::copy(all.folder / (std::string("p") + part + ".bed"), all.folder / part);
  CHECK(output_of(all.merge({"--parts-format", "bed", "0", "1", "2", "--queries", "q.fa"})) ==
        output_of(all.merge({"p0.bed", "p1.bed", "p2.bed", "--queries", "q.fa"})));
  check_failure(merge({"p0.bedgraph", "p1.bed", "p2.bed", "-o", "m.bedgraph"}), 3,
                {"p1.bed", "6 columns, and not 4"});
  check_failure(merge({"--sort", "position", "p0.bed", "p1.bedgraph", "p2.bed", "-o", "m.bed"}), 3,
                {"p1.bedgraph", "4 columns, and not 6"});
}

TEST_CASE("summaries of shards of proteins tell what no shard can match") {
  const ProgramFolder all;
  all.folder.write("p.fa", ">a\nMKVLA\n>b\nMKWWR\n>c\nCCYUM\n");
  all.run_ok({"index", "-q", "p.fa", "-o", "one.gsx"});
  all.run_ok({"index", "-q", "p.fa", "-o", "many.gsx", "--shards", "3"});
  // A is in the first shard, W in the second, J and X in none.
  for (const Arguments& queries :
       {Arguments{"-p", "A", "-p", "W"}, Arguments{"-p", "AW"}, Arguments{"-p", "U", "-p", "MK"},
        Arguments{"-p", "AWJ", "-p", "x", "-p", "JX", "-p", "M"}}) {
    for (const std::string command : {"count", "locate"}) {
      CAPTURE(command);
      CAPTURE(queries.back());
      const auto run = [&](const std::string& index, const std::string& name) {
        Arguments arguments = {command, "-q",        "-x",        index + ".gsx",
                               "-o",    name + ".t", "--summary", name + ".json"};
        arguments.insert(arguments.end(), queries.begin(), queries.end());
        all.run_ok(arguments);
      };
      Arguments merge = {"merge", "-q", "-x", "many.gsx", "-o", "all.t", "--summary", "all.json"};
      merge.insert(merge.end(), queries.begin(), queries.end());
      for (const std::string shard : {"0", "1", "2"}) {
        run("many.00" + shard, "p" + shard);
        merge.insert(merge.end(), {"p" + shard + ".t", "p" + shard + ".json"});
      }
      run("one", "one");
      run("many", "whole");
      all.run_ok(merge);
      CHECK(all.folder.read("all.t") == all.folder.read("one.t"));
      CHECK(all.folder.read("all.json") == all.folder.read("whole.json"));
      CHECK(without_index(all.folder.read("whole.json")) ==
            without_index(all.folder.read("one.json")));
    }
  }
  CHECK(all.folder.read("one.json").find("\"absent_symbols\":{\"J\":1,\"JX\":1,\"X\":1}") !=
        std::string::npos);
  all.run_ok({"report", "-q", "one.json", "-o", "r.html"});
  // Too many sets to be told apart.
  std::string many = all.folder.read("p0.json");
  const std::size_t sets = many.find("\"absent_symbols\":") + 17;
  many.replace(sets, many.find('}', sets) + 1 - sets, "null");
  all.folder.write("many.json", many);
  all.run_ok({"report", "-q", "many.json", "-o", "r.html"});
  check_failure(all.gsx({"merge", "-q", "many.json", "p1.json", "p2.json", "p0.t", "p1.t", "p2.t",
                         "--summary", "x.json", "-o", "x.t"}),
                3, {"many.json", "more than 1000 different sets", "merge the results without"});
  // Another run's summary does not go with them.
  all.run_ok({"count", "-q", "-x", "many.001.gsx", "-p", "A", "-p", "W", "-p", "J", "-p", "J", "-o",
              "p1.t", "--summary", "p1.json"});
  check_failure(all.gsx({"merge", "-q", "p0.json", "p1.json", "p2.json", "p0.t", "p1.t", "p2.t",
                         "--summary", "x.json", "-o", "x.t"}),
                3, {"p1.json"});
}

TEST_CASE("merge joins sorted parts of a shard with records of one name") {
  const ProgramFolder all;
  // Neighbours of one name, and others with a record without hits between them.
  all.folder.write("g.fa",
                   ">t\nCCACGACG\n>t\nACGTTTTT\n>u\nGGGGGGGG\n>t\nACGACGAA\n"
                   ">v\nACGACGCC\n>v\nCACGACGC\n");
  all.run_ok({"index", "-q", "g.fa", "-o", "m.gsx", "--shard-size", "32"});
  for (const std::string suffix : {".bed", ".bedgraph"}) {
    CAPTURE(suffix);
    const bool bed = suffix == ".bed";
    Arguments locate = {"locate", "-q", "-p", "ACG", "-p", "GA", "-x"};
    Arguments merge = {"merge", "-q"};
    if (bed) merge.insert(merge.end(), {"--sort", "position"});
    const auto search = [&](const std::string& index, const std::string& output) {
      Arguments arguments = locate;
      arguments.insert(arguments.end(), {index, "-o", output});
      if (bed) arguments.insert(arguments.end(), {"--sort", "position"});
      all.run_ok(arguments);
    };
    search("m.gsx", "whole" + suffix);
    for (const std::string shard : {"0", "1"}) {
      search("m.00" + shard + ".gsx", "p" + shard + suffix);
      merge.push_back("p" + shard + suffix);
    }
    const std::string whole = all.folder.read("whole" + suffix);
    // Coverage comes in this order only; hits may also be in that of the queries.
    const Outcome alone = all.gsx(merge);
    if (bed) {
      check_failure(alone, 3,
                    {"p0.bed", "line 4", "not in the order of places", "several records named 't'",
                     "name the manifest by -x"});
    } else {
      check_output(alone, whole);
    }
    merge.insert(merge.end(), {"-x", "m.gsx"});
    check_output(all.gsx(merge), whole);
  }
  // The names of the shard tell the order of queries from that of places, also by names that
  // return.
  for (const std::string order : {"t\t2\t5\tx\t0\t+\nt\t0\t3\tx\t0\t+\nt\t3\t6\tx\t0\t+\n"
                                  "t\t0\t3\tx\t0\t+\nt\t5\t8\tx\t0\t+\nt\t1\t4\tx\t0\t+\n",
                                  "u\t0\t3\tx\t0\t+\nt\t3\t6\tx\t0\t+\nu\t4\t7\tx\t0\t+\n"}) {
    all.folder.write("p0.bed", order);
    check_failure(all.gsx({"merge", "-q", "--sort", "position", "-x", "m.gsx", "p0.bed", "p1.bed"}),
                  3, {"p0.bed", "come again", "not in the order of places"});
  }
}
