// What count and locate write besides their results (--unmatched, --summary), and how they report
// queries that are their own reverse complement or come from several files.
#include <filesystem>

#include "support/indexed.hpp"
#include "support/json.hpp"

using namespace gsx::testing;

namespace {

constexpr const char* genome = ">r\nACGTTACGGAATTC\n";
constexpr const char* reads =
    ">a first one\nacg\n>b\nGGGG\n>c\t x\nCCcCn\n>\nTTTT\n>d\nTTA\n>e\n\n";

}  // namespace

TEST_CASE("--unmatched gets the queries without a hit, unchanged and in input order") {
  const IndexedFolder index(genome);
  const std::string expected = ">b\nGGGG\n>c\t x\nCCcCn\n>\nTTTT\n>e\n\n";
  for (const char* command : {"count", "locate"}) {
    for (const char* threads : {"1", "4"}) {
      for (const char* batch : {"1", "1000"}) {
        CAPTURE(batch);
        const Outcome outcome = index.gsx(
            {command, "-t", threads, "--batch", batch, "--unmatched", "no.fa", "-"}, reads);
        CHECK(outcome.exit_code == 0);
        CHECK(outcome.out == index.gsx({command, "-"}, reads).out);
        CHECK(index.folder.read("no.fa") == expected);
      }
    }
  }
  CHECK(index.gsx({"count", "--unmatched", "no.fa.gz", "-"}, reads).exit_code == 0);
  CHECK(output_of(Process({"gzip", "-dc", index.folder / "no.fa.gz"}).wait()) == expected);
  CHECK(index.gsx({"count", "--unmatched", "no.fa", "-p", "GGGG", "-p", "A"}).exit_code == 0);
  CHECK(index.folder.read("no.fa") == ">GGGG\nGGGG\n");
  check_output(index.gsx({"count", "-o", "c.tsv", "--unmatched", "-", "-p", "GGGG"}),
               ">GGGG\nGGGG\n");
}

TEST_CASE("--unmatched and --summary replace neither input nor each other") {
  const IndexedFolder index(genome);
  index.folder.write("reads.fa", reads);
  index.folder.write("list.txt", "ACG\n");
  const std::string before = index.folder.read("g.gsx");
  for (const char* option : {"--unmatched", "--summary"}) {
    CAPTURE(option);
    for (const char* name : {"reads.fa", "./reads.fa", "list.txt", "g.gsx"}) {
      check_failure(index.gsx({"count", "reads.fa", "-f", "list.txt", option, name}), 2,
                    {"replace the input"});
    }
    check_failure(index.gsx({"count", "reads.fa", option, "x", "-o", "./x"}), 2,
                  {"two outputs go to", "x'"});
    check_failure(index.gsx({"count", "reads.fa", option, "-"}), 2, {"standard output"});
    check_failure(index.gsx({"count", "reads.fa", option, "none/x"}), 1, {"none/x"});
    check_failure(index.gsx({"count", "reads.fa", option, ""}), 2, {option});
  }
  CHECK(index.folder.read("reads.fa") == reads);
  CHECK(index.folder.read("g.gsx") == before);
  // A run that fails leaves none of these files.
  const auto names = index.folder.names();
  check_failure(
      index.gsx({"count", "-o", "c", "--unmatched", "u", "--summary", "s", "reads.fa", "none.fa"}),
      3, {"none.fa"});
  CHECK(index.folder.names() == names);
}

TEST_CASE("no output appears under its name if one of them cannot be written") {
  const IndexedFolder index(genome);
  index.folder.write("reads.fa", reads);
  const auto names = index.folder.names();
  check_failure(
      index.gsx({"count", "-o", "/dev/full", "--unmatched", "u", "--summary", "s", "reads.fa"}), 6,
      {"/dev/full"});
  CHECK(index.folder.names() == names);
  check_failure(
      index.gsx({"count", "-o", "c", "--unmatched", "/dev/full", "--summary", "s", "reads.fa"}), 6,
      {"/dev/full"});
  CHECK(index.folder.names() == names);
  for (const char* command : {"count", "locate", "mem", "ms"}) {
    CAPTURE(command);
    check_failure(index.gsx({command, "-o", "c", "--summary", "/dev/full", "reads.fa"}), 6,
                  {"/dev/full"});
    CHECK(index.folder.names() == names);
  }
  check_failure(index.gsx({"filter", "--keep", "-o", "c", "--summary", "/dev/full", "reads.fa"}), 6,
                {"/dev/full"});
  CHECK(index.folder.names() == names);
}

TEST_CASE("an output is refused whose name promises another format") {
  const IndexedFolder index(genome);
  index.folder.write("reads.fa", reads);
  const auto names = index.folder.names();
  for (const char* command : {"count", "mem", "ms"}) {
    CAPTURE(command);
    for (const std::string name : {"o.bam", "o.SAM.gz", "o.json", "o.vcf", "o.bdg", "o.bw"}) {
      CAPTURE(name);
      check_failure(index.gsx({command, "-o", name, "reads.fa"}), 2, {"does not write the format"});
    }
    check_failure(index.gsx({command, "-o", "o.tsv.xz", "reads.fa"}), 2, {"o.tsv.xz", ".gz"});
    check_failure(index.gsx({command, "-o", "o.XZ", "reads.fa"}), 2, {"o.XZ", ".gz"});
    check_failure(index.gsx({command, "-o", "o.tsv.Zst", "reads.fa"}), 2, {"o.tsv.Zst", ".gz"});
    check_failure(index.gsx({command, "--unmatched", "u.zip", "reads.fa"}), 2, {"u.zip", ".gz"});
  }
  check_failure(index.gsx({"locate", "-o", "o.json", "reads.fa"}), 2,
                {"does not write the format"});
  check_failure(index.gsx({"filter", "--keep", "-o", "o.fa.zst", "reads.fa"}), 2, {"o.fa.zst"});
  const std::pair<Arguments, const char*> others[] = {
      {{"index", "g.fa", "-o", "o.fa"}, "index does not write the format fasta; it writes gsx"},
      {{"extract", "-o", "o.bed"}, "extract does not write the format bed; it writes fasta"},
      {{"sa", "-o", "o.csv"}, "--text and the suffix"},
      {{"sa", "-o", "o.sa", "--lcp", "o.tsv"}, "--lcp 'o.tsv': sa does not write the format tsv"},
      {{"bwt", "-o", "o.bam"}, "bytes, fmd or bre"},
      {{"bwt", "--inverse", "g.fa", "-o", "o.fa"}, "bwt --inverse does not write"},
      {{"lz77", "--inverse", "g.fa", "-o", "o.tsv"}, "lz77 --inverse does not write"},
      {{"lz77", "-o", "o.bed"}, "lz77 does not write"},
      // What is no text is not called so.
      {{"lz77", "-o", "o.txt"}, "name one by --format"},
      {{"sa", "-o", "o.txt"}, "--text and the suffix"},
      {{"sa", "-o", "o.sa", "--lcp", "o.txt"}, "--lcp 'o.txt'"},
      {{"index", "g.fa", "-o", "o.txt"}, "index does not write the format txt; it writes gsx"},
      {{"info", "-o", "o.csv"}, "it writes tsv or json"},
      {{"info", "--records", "-o", "o.json"}, "it writes tsv"},
      {{"doctor", "-o", "o.tsv"}, "text or json"},
      {{"report", "-o", "o.pdf"}, "it writes html"},
      {{"count", "-p", "ACG", "-o", "o.fa"}, "does not write the format fasta"},
      {{"mappability", "-K", "2", "-o", "o.json"}, "does not write the format json"},
      {{"offtarget", "-p", "ACGTACGTACGT", "-o", "o.bed"}, "--sites FILE"},
      {{"filter", "--keep", "-o", "o.fq", "reads.fa"}, "it writes fasta: that of the reads"}};
  for (const auto& [request, says] : others)
    check_failure(index.gsx(request), 2, {says});
  CHECK(index.folder.names() == names);
}

TEST_CASE("the suffix of an output chooses among the formats of a command without --format") {
  const IndexedFolder index(genome);
  const auto written = [&](Arguments request, const std::string& name) {
    request.insert(request.end(), {"-q", "-o", name});
    REQUIRE(index.gsx(request).exit_code == 0);
    return index.folder.read(name);
  };
  CHECK(written({"sa"}, "o.tsv") == written({"sa", "--text"}, "o.txt"));
  CHECK(written({"sa"}, "o.sa") == written({"sa"}, "o"));
  CHECK(written({"info"}, "o.json") == written({"info", "--json"}, "o"));
  CHECK(written({"info"}, "o.txt") != written({"info"}, "o.json"));
  CHECK(written({"bwt"}, "o.fmd") == written({"bwt", "--format", "fmd"}, "o"));
  check_failure(index.gsx({"sa", "--text", "--width", "4"}), 2, {"--width", "--text"});
  check_failure(index.gsx({"sa", "-o", "o.tsv.gz", "--width", "4"}), 2, {"--width", "--text"});
}

TEST_CASE("two links to one file are one output") {
  const IndexedFolder index(genome);
  index.folder.write("reads.fa", reads);
  index.folder.write("one", "");
  std::filesystem::create_hard_link(index.folder / "one", index.folder / "two");
  check_failure(index.gsx({"count", "-o", "one", "--unmatched", "two", "reads.fa"}), 2,
                {"two outputs go to"});
}

TEST_CASE("a file with only empty queries is answered") {
  const IndexedFolder index(genome);
  const Outcome outcome = index.gsx({"count", "--no-header", "-t", "1", "-"}, ">e\n\n>f\n");
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out == "e\t0\t0\t0\t0\nf\t0\t0\t0\t0\n");
}

TEST_CASE("--summary has the numbers of the run, the same for any number of threads") {
  const IndexedFolder index(genome);
  std::string first;
  for (const char* threads : {"1", "4"}) {
    const Outcome outcome = index.gsx({"locate", "-t", threads, "--batch", "1", "--max-hits", "1",
                                       "--bed", "--summary", "s.json", "-"},
                                      reads);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.find("info: 6 queries, 2 with hits, 4 hits\n") != std::string::npos);
    const std::string summary = index.folder.read("s.json");
    CHECK(summary.find("\"command\":\"locate\",\"queries\":6,\"queries_with_hits\":2,"
                       "\"queries_that_cannot_match\":1,\"queries_truncated\":1,\"hits\":4,"
                       "\"hits_fwd\":3,\"hits_rev\":1,\"hits_reported\":2,\"records\":1,"
                       "\"index\":{\"file\":\"g.gsx\",\"checksum\":\"") != std::string::npos);
    CHECK(summary.find("\"query_files\":[\"-\"],\"options\":{\"strand\":\"both\","
                       "\"palindromes\":\"twice\",\"mismatches\":0,\"iupac\":false,\"equal\":\"\","
                       "\"circular\":[],\"regions\":0,\"regions_checksum\":\"\","
                       "\"tag_files\":false,\"whole_header\":false,\"format\":\"bed\","
                       "\"max_hits\":1,\"sort\":\"query\",\"by_file\":false}}\n") !=
          std::string::npos);
    if (first.empty()) first = summary;
    CHECK(summary == first);
  }
  CHECK(index.gsx({"count", "--summary", "c.json", "-p", "ACG"}).exit_code == 0);
  CHECK(index.folder.read("c.json").find("\"hits\":3,\"hits_fwd\":") != std::string::npos);
  // Also where no query can match.
  check_error(index.gsx({"count", "--summary", "n.json", "-p", "RYR"}), 3, {"no query can match"});
  CHECK(index.folder.read("n.json").find("\"queries_that_cannot_match\":1") != std::string::npos);
}

TEST_CASE("--palindromes once reports palindromes on the forward strand only") {
  const IndexedFolder index(">r\nGAATTCACGTGAATTC\n");
  const Arguments patterns = {"-p", "GAATTC", "-p", "ACGT", "-p", "ACG", "-p", "A"};
  const auto with = [&](Arguments arguments) {
    arguments.insert(arguments.end(), patterns.begin(), patterns.end());
    return index.gsx(arguments);
  };
  check_output(with({"count", "--no-header"}),
               "GAATTC\t6\t4\t2\t2\nACGT\t4\t2\t1\t1\nACG\t3\t2\t1\t1\nA\t1\t10\t5\t5\n");
  check_output(with({"count", "--no-header", "--palindromes", "once"}),
               "GAATTC\t6\t2\t2\t0\nACGT\t4\t1\t1\t0\nACG\t3\t2\t1\t1\nA\t1\t10\t5\t5\n");
  check_output(
      index.gsx({"locate", "--palindromes", "once", "--no-header", "-p", "GAATTC", "-p", "ACG"}),
      "GAATTC\tr\t0\t6\t+\t0\t2\t2\tno\nGAATTC\tr\t10\t16\t+\t0\t2\t2\tno\n"
      "ACG\tr\t6\t9\t+\t0\t2\t2\tno\nACG\tr\t7\t10\t-\t0\t2\t2\tno\n");
  const std::string capped = output_of(index.gsx(
      {"locate", "--palindromes", "once", "--no-header", "--max-hits", "1", "-p", "GAATTC"}));
  CHECK(capped.find("\t+\t0\t2\t1\tyes\n") != std::string::npos);
  const std::string json = output_of(
      index.gsx({"locate", "--palindromes", "once", "--jsonl", "-p", "GAATTC", "-p", "ACGT"}));
  CHECK(json.find("\"strand\":\"-\"") == std::string::npos);
  CHECK(json.find("\"n_total\":2,\"n_reported\":2") != std::string::npos);
  // With one strand, every place is reported once anyway.
  check_output(index.gsx({"count", "--no-header", "--strand", "rev", "--palindromes", "once", "-p",
                          "GAATTC"}),
               "GAATTC\t6\t2\t0\t2\n");
  check_failure(with({"count", "--palindromes", "never"}), 2, {"--palindromes"});
}

TEST_CASE("--tag-files distinguishes queries of the same name by their file") {
  const IndexedFolder index(genome);
  index.folder.write("1.fq", "@x one\nACG\n+\nIII\n@y\nGGGG\n+\nIIII\n");
  index.folder.write("2.fa", ">x\nTTA\n>\nGGGG\n");
  index.folder.write("list.txt", "ACG\n");
  for (const char* batch : {"1", "1000"}) {
    check_output(index.gsx({"count", "--tag-files", "--no-header", "-t", "3", "--batch", batch,
                            "-p", "A", "-f", "list.txt", "1.fq", "2.fa", "--unmatched", "no.fa"}),
                 "A\t1\t8\t4\t4\nACG\t3\t3\t2\t1\nx/1\t3\t3\t2\t1\ny/1\t4\t0\t0\t0\n"
                 "x/2\t3\t1\t1\t0\n/2\t4\t0\t0\t0\n");
    CHECK(index.folder.read("no.fa") == ">y/1\nGGGG\n>/2\nGGGG\n");
  }
  CHECK(output_of(index.gsx({"locate", "--bed", "--tag-files", "2.fa"})).find("\tx/1\t") !=
        std::string::npos);
}
