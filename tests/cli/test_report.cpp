// gsx report: what the page says, and what it refuses. scripts/check_report.py checks its form.
#include <doctest/doctest.h>

#include "support/indexed.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

bool has(const std::string& page, const std::string& words) {
  return page.find(words) != std::string::npos;
}

const std::string genome =
    ">first<b> rest\nACGTACGGGG\n>second\nNNNNACGT\n>third\nACNRAC\n";  // 24 symbols, 5 N

}  // namespace

TEST_CASE("the page of an index has its records, lengths, composition and runs of N") {
  const IndexedFolder index(genome, {"--md5"});
  const std::string page = output_of(index.gsx({"report", "-q", "g.gsx", "--genome-size", "40"}));
  CHECK(page.starts_with("<!DOCTYPE html>\n"));
  CHECK(page.ends_with("</html>\n"));
  CHECK(has(page, "<title>Report of g.gsx</title>"));
  CHECK(has(page, "<dt>records</dt><dd>3</dd>"));
  CHECK(has(page, "<dt>symbols</dt><dd>24</dd>"));
  CHECK(has(page, "<dt>N50</dt><dd>8</dd>"));
  CHECK(has(page, "<dt>L50</dt><dd>2</dd>"));
  CHECK(has(page, "<dt>NG50, of 40</dt><dd>6</dd>"));
  CHECK(has(page, "<dt>GC</dt><dd>61.11\u202F%</dd>"));  // 11 of 18
  CHECK(has(page, "5 N in 2 runs, 20.83\u202F% of all symbols; the longest has 4."));
  CHECK(has(page, "<bdi>first&lt;b&gt;</bdi>"));
  CHECK(!has(page, "first<b>"));
  CHECK(has(page, "<th scope=\"row\" class=\"name\">other IUPAC</th><td class=\"num\">1</td>"));
  CHECK(has(page, "<td>stored</td>"));
  CHECK(has(page, "level0_blocks"));
  CHECK(!has(page, "K-mers"));  // nobody has asked for them
}

TEST_CASE("the longest records are told one by one, and the others together") {
  const IndexedFolder index(genome);
  const std::string page = output_of(index.gsx({"report", "-q", "-x", "g.gsx", "--top", "1"}));
  CHECK(has(page, "the 1 longest of 3 records"));
  CHECK(has(page, "2 shorter records hold 14 symbols, 58.33\u202F% of all."));
  CHECK(!has(page, "<bdi>third</bdi></th><td class=\"num\">3</td>"));
}

TEST_CASE("the page is the same for any number of threads, and the same again") {
  Random random(23);
  std::string fasta;
  for (int i = 0; i < 500; ++i) {
    fasta += ">r" + std::to_string(i) + '\n' +
             random_string(random, 1 + below(random, 300), "ACGTN") + "A\n";
  }
  const IndexedFolder index(fasta);
  const std::string page = output_of(index.gsx({"report", "-q", "g.gsx", "-t", "1"}));
  CHECK((output_of(index.gsx({"report", "-q", "g.gsx", "-t", "4"})) == page));
  CHECK(index.gsx({"report", "-q", "-o", "p.html"}).exit_code == 0);  // the only *.gsx
  CHECK((index.folder.read("p.html") == page));
}

TEST_CASE("the page of runs has a row for each sample, with its hit rate and strands") {
  const IndexedFolder index(genome);
  index.folder.write("r.fa", ">a\nACG\n>b\nGGGG\n>c\nTTTTTT\n>d\nGTAC\n");
  for (const Arguments& run :
       {Arguments{"count", "-q", "g.gsx", "r.fa", "--summary", "counted.json"},
        {"mem", "-q", "g.gsx", "r.fa", "-L", "4", "--summary", "matched.json.gz"},
        {"filter", "-q", "--keep", "-L", "4", "-x", "g.gsx", "r.fa", "--summary", "<kept>.json"}})
    CHECK(index.gsx(run).exit_code == 0);
  const std::string page = output_of(
      index.gsx({"report", "-q", "--summary", "counted.json", "matched.json.gz", "<kept>.json"}));
  CHECK(has(page, "Report of 3 runs"));
  CHECK(has(page,
            "<bdi>counted</bdi></th><td>count</td><td class=\"num\">4</td>"
            "<td class=\"num\">3</td><td class=\"num\">75.00\u202F%"));
  CHECK(has(page, "<bdi>matched</bdi></th><td>mem</td>"));
  CHECK(has(page, "<bdi>&lt;kept&gt;</bdi></th><td class=\"num\">4</td>"));
  CHECK(!has(page, "Index file"));
  // With an index before them, or named.
  CHECK((output_of(index.gsx({"report", "-q", "g.gsx", "counted.json"})) ==
         output_of(index.gsx({"report", "-q", "counted.json", "-x", "g.gsx"}))));
  // The order is that of the command line.
  const std::string turned = output_of(
      index.gsx({"report", "-q", "--summary", "matched.json.gz", "--summary", "counted.json"}));
  CHECK(turned.find("matched</bdi>") < turned.find("counted</bdi>"));
}

TEST_CASE("the spectrum of mappability is shown when it is given") {
  const IndexedFolder index(genome);
  CHECK(index.gsx({"mappability", "-q", "--spectrum", "g.gsx", "-o", "s.tsv.gz"}).exit_code == 0);
  const std::string page =
      output_of(index.gsx({"report", "-q", "g.gsx", "--spectrum", "s.tsv.gz"}));
  CHECK(has(page, "at least half of all places have a k-mer that occurs once"));
  CHECK(has(page, "id=\"spectrum-desc\""));
  CHECK(has(output_of(index.gsx({"report", "-q", "--spectrum", "s.tsv.gz"})), "Report of k-mers"));
}

TEST_CASE("gsx report refuses what it cannot read, and leaves no file") {
  const IndexedFolder index(genome);
  index.folder.write("text.json", "hello\n");
  index.folder.write("other.json", "{\"version\":\"1\"}\n");
  index.folder.write("x.html", "{}");
  index.folder.write("others.tsv", "k\tdistinct\tunique\ttotal\n1\t4\t0\t9\n");
  index.folder.write("big.json",
                     "{\"version\":\"1\",\"command\":\"ms\",\"queries\":18446744073709551615}");
  index.folder.write("twice.json", R"({"version":"1","version":"1"})");
  index.folder.write("long.json", std::string(4300000, ' '));
  const auto names = index.folder.names();
  const auto refuses = [&](Arguments arguments, int code, const std::vector<std::string>& says) {
    arguments.insert(arguments.begin(), "report");
    arguments.insert(arguments.end(), {"-o", "p.html"});
    check_failure(index.gsx(arguments), code, says);
    CHECK(index.folder.names() == names);
  };
  refuses({"text.json"}, 3, {"'text.json' is not what --summary of gsx writes"});
  refuses({"other.json"}, 3, {"no member command"});
  refuses({"twice.json"}, 3, {"at byte 29", "the member 'version' twice"});
  refuses({"long.json"}, 3, {"'long.json' is not what", "longer than"});
  refuses({"-", "-"}, 2, {"'-' is given twice", "standard input"});
  refuses({"--summary", "-", "--spectrum", "/dev/stdin"}, 2, {"'-' and '/dev/stdin' are given"});
  refuses({"g.gsx", "big.json"}, 3, {"queries is not a whole number below 2^48"});
  refuses({"--summary", "text.json", "other.json", "text.json"}, 2, {"'text.json' is named twice"});
  refuses({"--summary", "text.json", "./text.json"}, 2,
          {"'./text.json' is named twice, also as 'text.json'"});
  refuses({"g.gsx", "--spectrum", "others.tsv"}, 3,
          {"'others.tsv' is the spectrum of another text", "k = 1, it has 9 k-mers"});
  refuses({"missing.json"}, 3, {"missing.json", "No such file"});
  refuses({"g.fa"}, 3, {"g.fa"});
  refuses({"missing.gsx"}, 4, {"missing.gsx"});
  refuses({"-x", "g.fa"}, 4, {"not a gsx index"});
  refuses({"text.json", "g.gsx"}, 2, {"must come first"});
  refuses({"g.gsx", "g.gsx"}, 2, {"'g.gsx' is an index, not a summary", "run once for each"});
  refuses({"g.gsx", "-x", "g.gsx"}, 2, {"two indexes"});
  refuses({"g.gsx", "--spectrum", "g.fa"}, 3, {"g.fa", "line 1", "gsx mappability --spectrum"});
  refuses({"g.gsx", "--spectrum", "missing.tsv"}, 3, {"missing.tsv"});
  refuses({"--summary", "text.json", "--top", "3"}, 2, {"--top", "needs an index"});
  refuses({"g.gsx", "--top", "5000"}, 2, {"--top"});
  refuses({"g.gsx", "--genome-size", "x"}, 2, {"--genome-size"});
  check_failure(index.gsx({"report", "-", "-o", "p.html"}, "hello\n"), 3,
                {"error: standard input is not what --summary of gsx writes: at byte 1"});
  check_failure(index.gsx({"report", "g.gsx", "-o", "p.pdf"}), 2, {"html"});
  check_failure(index.gsx({"report", "g.gsx", "-o", "g.gsx"}), 2, {"replace the input"});
  check_failure(index.gsx({"report", "x.html", "-o", "x.html"}), 2, {"replace the input"});
  CHECK(index.folder.names() == names);
}
