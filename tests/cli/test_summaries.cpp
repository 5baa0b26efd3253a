// What every --summary says of its input, and what report and merge make of summaries.
#include <doctest/doctest.h>

#include <array>

#include "support/indexed.hpp"
#include "support/json.hpp"

using namespace gsx::testing;

namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The value of a member whose name comes once.
std::string member(const std::string& text, const std::string& name) {
  const std::size_t at = text.find('"' + name + "\":");
  REQUIRE(at != std::string::npos);
  const std::size_t begin = at + name.size() + 3;
  return text.substr(begin, text.find_first_of(",}", begin) - begin);
}

const std::string genome = ">a\nACGTACGGGGTTACG\n>b\nACCTACGT\n";

}  // namespace

TEST_CASE("every summary names the index and the files with queries") {
  const IndexedFolder index(genome);
  index.folder.write("r.fa", ">a\nACGT\n>b\nGGGG\n");
  index.folder.write("l \"x\".txt", "ACGG\n");
  index.folder.write("other.fa", ">a\nTTTTT\n");
  CHECK(index.gsx({"index", "-q", "other.fa"}).exit_code == 0);
  const auto summary = [&](Arguments arguments) {
    arguments.insert(arguments.end(), {"-q", "--summary", "s.json", "-o", "out"});
    const Outcome outcome = index.gsx(arguments);
    REQUIRE(outcome.exit_code == 0);
    const std::string text = index.folder.read("s.json");
    CHECK(is_json(text));
    return text;
  };
  const std::string first = summary({"count", "g.gsx", "r.fa"});
  const std::string checksum = member(first, "checksum");
  CHECK(checksum.size() == 18);
  CHECK(holds(first, "\"index\":{\"file\":\"g.gsx\",\"checksum\":" + checksum +
                         "},\"query_files\":[\"r.fa\"],\"options\":"));
  for (const Arguments& command :
       {Arguments{"locate", "-x", "./g.gsx", "r.fa"}, Arguments{"mem", "-L", "4", "g.gsx", "r.fa"},
        Arguments{"ms", "g.gsx", "r.fa"},
        Arguments{"filter", "-L", "4", "--keep", "-x", "g.gsx", "r.fa"}}) {
    CAPTURE(command[0]);
    const std::string text = summary(command);
    CHECK(holds(text, "\"index\":{\"file\":\"g.gsx\",\"checksum\":" + checksum +
                          "},\"query_files\":[\"r.fa\"],\"options\":"));
  }
  CHECK(member(summary({"count", "-x", "other.gsx", "r.fa"}), "checksum") != checksum);
  const std::string lists =
      summary({"count", "-x", "g.gsx", "-p", "A", "-f", "l \"x\".txt", "./r.fa"});
  CHECK(holds(lists, "\"query_files\":[\"l \\\"x\\\".txt\",\"./r.fa\"]"));
  CHECK(holds(summary({"count", "-x", "g.gsx", "-p", "A"}), "\"query_files\":[]"));
  for (const Arguments& command :
       {Arguments{"count", "-r", "g.fa", "r.fa"},
        Arguments{"filter", "--drop", "-L", "4", "-r", "g.fa", "r.fa"}}) {
    CHECK(holds(summary(command), "\"index\":{\"file\":null,\"checksum\":" + checksum +
                                      "},\"references\":[\"g.fa\"],\"query_files\":[\"r.fa\"],"));
  }
  CHECK(holds(summary({"neighbors", "r.fa"}), "\"query_files\":[\"r.fa\"],\"options\":"));
  CHECK(holds(summary({"neighbors", "r.fa", "--whitelist", "l \"x\".txt"}),
              "\"whitelist_files\":[\"l \\\"x\\\".txt\"],\"query_files\":[\"r.fa\"],"));
  CHECK(holds(summary({"prefix", "--set", "l \"x\".txt", "r.fa"}),
              "\"set_files\":[\"l \\\"x\\\".txt\"],\"query_files\":[\"r.fa\"],"));
}

TEST_CASE("every summary of a search of shards names their manifest") {
  const IndexedFolder index(genome);
  index.folder.write("r.fa", ">a\nACGT\n>b\nGGGG\n");
  REQUIRE(index.gsx({"index", "-q", "g.fa", "--shards", "2", "-o", "many.gsx"}).exit_code == 0);
  std::string checksum;
  for (const Arguments& command : {Arguments{"count"}, Arguments{"mem", "-L", "4"}, Arguments{"ms"},
                                   Arguments{"filter", "--drop", "-L", "4"}}) {
    CAPTURE(command[0]);
    Arguments arguments = command;
    arguments.insert(arguments.end(),
                     {"-x", "many.gsx", "r.fa", "-q", "--summary", "s.json", "-o", "out"});
    REQUIRE(index.gsx(arguments).exit_code == 0);
    const std::string text = index.folder.read("s.json");
    CHECK(holds(text, "\"index\":{\"file\":\"many.gsx\",\"checksum\":"));
    if (checksum.empty()) checksum = member(text, "checksum");
    CHECK(member(text, "checksum") == checksum);
  }
}

TEST_CASE("summaries record what decides the names and the form of results") {
  const IndexedFolder index(genome);
  index.folder.write("r.fq", "@a x\nACGT\n+\nIIII\n");
  const auto option = [&](Arguments arguments, const std::string& name) {
    arguments.insert(arguments.end(), {"r.fq", "-q", "--summary", "s.json", "-o", "out"});
    REQUIRE(index.gsx(arguments).exit_code == 0);
    return member(index.folder.read("s.json"), name);
  };
  for (const Arguments& command :
       {Arguments{"count"}, Arguments{"locate"}, Arguments{"mem", "-L", "4"}, Arguments{"ms"}}) {
    CAPTURE(command[0]);
    Arguments whole = command;
    whole.emplace_back("--whole-header");
    CHECK(option(command, "whole_header") == "false");
    CHECK(option(whole, "whole_header") == "true");
  }
  CHECK(option({"neighbors", "--correct"}, "format") == "\"tsv\"");
  CHECK(option({"neighbors", "--correct", "--format", "fastq"}, "format") == "\"fastq\"");
}

TEST_CASE("a report marks runs on another index, and takes neighbors and prefix") {
  const IndexedFolder index(genome);
  index.folder.write("r.fa", ">a\nACGT\n>b\nGGGG\n");
  index.folder.write("other.fa", ">a\nTTTTT\n");
  index.folder.write("w.txt", "ACGT\nACGA\n");
  REQUIRE(index.gsx({"index", "-q", "other.fa"}).exit_code == 0);
  for (const Arguments& command :
       {Arguments{"count", "g.gsx", "r.fa", "--summary", "here.json"},
        Arguments{"count", "-r", "g.fa", "r.fa", "--summary", "memory.json"},
        Arguments{"locate", "other.gsx", "r.fa", "--summary", "there.json"},
        Arguments{"neighbors", "r.fa", "--clusters", "--summary", "n.neighbors.json"},
        Arguments{"neighbors", "r.fa", "--correct", "--whitelist", "w.txt", "--summary", "c.json"},
        Arguments{"prefix", "--entry", "ACG", "r.fa", "--summary", "p.prefix.json"}})
    REQUIRE(index.gsx(command).exit_code == 0);
  std::string old = index.folder.read("here.json");
  const std::size_t begin = old.find(",\"index\"");
  old.erase(begin, old.find(",\"options\"") - begin);
  index.folder.write("old.json", old);

  const Outcome same = index.gsx({"report", "g.gsx", "here.json", "memory.json", "c.json"});
  CHECK_FALSE(holds(same.err, "another index"));
  CHECK_FALSE(holds(same.out, "another index"));
  CHECK_FALSE(holds(same.out, "indexes that were searched"));
  const Outcome other =
      index.gsx({"report", "g.gsx", "here.json", "there.json", "old.json", "p.prefix.json"});
  CHECK(holds(other.err,
              "1 of 4 runs is of another index than 'g.gsx', and marked on the page "
              "(first: 'there.json', which searched 'other.gsx')"));
  CHECK(holds(other.out, "1 run has searched another index than the one that this page shows."));
  CHECK(holds(other.out, "1 run does not say which index was searched."));
  CHECK(holds(other.out, "<bdi>other.gsx</bdi>"));
  const std::string all = output_of(
      index.gsx({"report", "-q", "--summary", "n.neighbors.json", "c.json", "p.prefix.json"}));
  CHECK(holds(all,
              "<bdi>n</bdi></th><td class=\"num\">2</td><td class=\"num\">0</td>"
              "<td class=\"num\">2</td><td class=\"num\">4</td><td class=\"num\">\u2013</td>"
              "<td class=\"num\">2</td>"));
  CHECK(holds(all,
              "<bdi>c</bdi></th><td class=\"num\">2</td><td class=\"num\">1</td>"
              "<td class=\"num\">0</td><td class=\"num\">0</td><td class=\"num\">1</td>"));
  CHECK(holds(all,
              "<bdi>p</bdi></th><td class=\"num\">2</td><td class=\"num\">1</td>"
              "<td class=\"num\">50.00\u202F%"));
  std::string wrong = index.folder.read("c.json");
  wrong.replace(wrong.find("\"exact\":1"), 9, "\"exact\":2");
  index.folder.write("wrong.json", wrong);
  check_failure(index.gsx({"report", "wrong.json"}), 3, {"contradict"});
}

TEST_CASE("merge takes summaries with other blanks, and says what is wrong with others") {
  const IndexedFolder index(genome);
  index.folder.write("q.fa", ">a\nACGT\n>b\nGGGG\n");
  REQUIRE(index.gsx({"index", "-q", "g.fa", "-o", "many.gsx", "--shards", "2"}).exit_code == 0);
  for (const std::string shard : {"0", "1"})
    REQUIRE(index
                .gsx({"count", "-q", "-x", "many.00" + shard + ".gsx", "q.fa", "-o",
                      "p" + shard + ".tsv", "--summary", "p" + shard + ".json"})
                .exit_code == 0);
  const auto merged_with = [&](const std::string& part, const std::string& by) {
    std::string summary = index.folder.read("p1.json");
    for (std::size_t at = summary.find(part); at != std::string::npos;
         at = summary.find(part, at + by.size()))
      summary.replace(at, part.size(), by);
    index.folder.write("x.json", summary);
    return index.gsx(
        {"merge", "-q", "p0.tsv", "p1.tsv", "p0.json", "x.json", "-o", "m", "--summary", "s.json"});
  };
  REQUIRE(merged_with("\n", "\n").exit_code == 0);
  const std::string whole = index.folder.read("s.json");
  CHECK(merged_with(",\"", " ,\r\n\t\"").exit_code == 0);
  CHECK(index.folder.read("s.json") == whole);
  for (const auto& [part, by, what] : std::vector<std::array<std::string, 3>>{
           {"\"hits\":", "\"hits\":0,\"hits\":", "the member 'hits' twice"},
           {"\"records\":", "\"bases\":1,\"records\":", "does not know its member 'bases'"},
           {",\"hits\":", ",\"hit\":", "it has no member hits"},
           {"\"queries\":", "\"queries\":-", "queries is not a whole number below 2^64"},
           {"\"queries\":", "\"queries\":0", "at byte "},
           {"\"hits\":", "\"hits\":9999999999999999999", "hits is not a whole number below 2^64"},
           {"\"options\":", "\"absent_symbols\":{},\"options\":", "do not fit one another"},
           {"[\"q.fa\"]", "7", "query_files is no list"},
           {"\"file\":", "\"name\":", "its index has no file"}}) {
    CAPTURE(by);
    check_failure(merged_with(part, by), 3, {"'x.json' is not what --summary of gsx writes", what});
  }
}
