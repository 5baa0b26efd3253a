// The format of locate's output: by option, by the name of the output, and compressed.
#include "support/indexed.hpp"

using namespace gsx::testing;

namespace {

constexpr const char* genome = ">r\nACGTTACG\n";
const Arguments query = {"-p", "TTA"};

std::string inflated(const std::string& path) {
  return output_of(Process({"gzip", "-dc", path}).wait());
}

/// What locate writes to standard output with these arguments.
std::string located(const IndexedFolder& index, Arguments arguments) {
  arguments.insert(arguments.begin(), {"locate", "-p", "TTA"});
  return output_of(index.gsx(arguments));
}

}  // namespace

TEST_CASE("--format names the format, and the flags are short for it") {
  const IndexedFolder index(genome);
  CHECK(located(index, {"--format", "tsv"}) == located(index, {}));
  CHECK(located(index, {"--format", "bed"}) == "r\t3\t6\tTTA\t0\t+\n");
  for (const std::string name : {"bed", "paf", "jsonl"}) {
    CAPTURE(name);
    CHECK(located(index, {"--format", name}) == located(index, {"--" + name}));
    CHECK(located(index, {"--format", name, "--" + name}) == located(index, {"--" + name}));
    check_failure(index.gsx({"locate", "-p", "TTA", "--format", "tsv", "--" + name}), 2,
                  {"--" + name, "--format tsv", "disagree"});
  }
  check_failure(index.gsx({"locate", "-p", "TTA", "--format", "gff"}), 2, {"--format", "gff"});
}

TEST_CASE("the suffix of the output chooses the format unless an option does") {
  const IndexedFolder index(genome);
  for (const std::string name : {"tsv", "bed", "paf", "jsonl"}) {
    CAPTURE(name);
    const std::string expected = located(index, {"--format", name});
    for (const std::string compressed : {"", ".gz", ".bgz"}) {
      const std::string output = "hits." + name + compressed;
      CAPTURE(output);
      CHECK(located(index, {"-o", output}) == "");
      const std::string written =
          compressed.empty() ? index.folder.read(output) : inflated(index.folder / output);
      CHECK(written == expected);
      // The option wins over the suffix.
      CHECK(located(index, {"-o", output, "--paf"}) == "");
      CHECK((compressed.empty() ? index.folder.read(output) : inflated(index.folder / output)) ==
            located(index, {"--paf"}));
    }
  }
  for (const std::string other : {"hits.sam", "hits.csv"}) {
    const Outcome odd = index.gsx({"locate", "-p", "TTA", "--bed", "-o", other});
    CHECK(odd.exit_code == 0);
    CHECK(odd.err.find("'" + other + "' is written as bed, whatever its suffix says") !=
          std::string::npos);
  }
  CHECK(index.gsx({"locate", "-p", "TTA", "--bed", "-o", "hits.txt"}).err.find("suffix") ==
        std::string::npos);
  CHECK(located(index, {"-o", "hits.txt"}) == "");
  CHECK(index.folder.read("hits.txt") == located(index, {}));
  CHECK(located(index, {"-o", "bed"}) == "");
  CHECK(index.folder.read("bed") == located(index, {}));
}

TEST_CASE("compressed output is BGZF with its end mark, the same for any number of threads") {
  const IndexedFolder index(genome);
  const std::string end_mark(
      "\x1f\x8b\x08\x04\0\0\0\0\0\xff\x06\0\x42\x43\x02\0\x1b\0\x03\0\0\0\0\0\0\0\0\0", 28);
  std::string reads;
  for (int i = 0; i < 20000; ++i)
    reads += ">read" + std::to_string(i * 7919 % 20011) + "\nACG\n";
  const std::string expected = index.gsx({"count", "-"}, reads).out;
  REQUIRE(expected.size() > 4 * 65280);
  std::string first;
  for (const char* batch : {"1000", "65536", "100000000"}) {
    for (const char* threads : {"1", "4"}) {
      const Arguments request{"count", "-t", threads, "--batch", batch, "-o", "c.tsv.gz", "-"};
      check_output(index.gsx(request, reads), "");
      const std::string bytes = index.folder.read("c.tsv.gz");
      CHECK(inflated(index.folder / "c.tsv.gz") == expected);
      CHECK(bytes.ends_with(end_mark));
      CHECK(bytes.substr(12, 4) == std::string("BC\x02\0", 4));
      if (first.empty()) first = bytes;
      CHECK(bytes == first);
    }
  }
  CHECK(first.size() < expected.size() / 3);
  // With no output, only the mark is left.
  check_output(index.gsx({"locate", "-o", "none.bed.gz", "-p", "GGG"}), "");
  CHECK(index.folder.read("none.bed.gz") == end_mark);
}

TEST_CASE("compressed output that fails leaves nothing behind") {
  const IndexedFolder index(genome);
  const auto before = index.folder.names();
  check_failure(index.gsx({"count", "-o", "c.tsv.gz", "-"}, ">a\nACG\n>b\nA\x01\n"), 3, {"line 4"});
  CHECK(index.folder.names() == before);
  check_failure(index.gsx({"count", "-o", "none/c.tsv.gz", "-p", "A"}), 1, {"none/c.tsv.gz"});
}

TEST_CASE("no target name makes a BED line a header, and no two names are written alike") {
  std::string fasta, expected;
  const std::pair<const char*, const char*> names[] = {{"track", "\\x74rack"},
                                                       {"track1", "\\x74rack1"},
                                                       {"Tracker", "\\x54racker"},
                                                       {"browser", "\\x62rowser"},
                                                       {"visibility", "\\x76isibility"},
                                                       {"#c", "\\x23c"},
                                                       {"!c", "\\x21c"},
                                                       {"chrom", "\\x63hrom"},
                                                       {"CHROM", "\\x43HROM"},
                                                       {"chrom1", "chrom1"},
                                                       {"trac", "trac"},
                                                       {"chr1", "chr1"},
                                                       {"a\\b", "a\\b"},
                                                       {"\\x01", "\\\\x01"},
                                                       {"\x01", "\\x01"},
                                                       {".", "\\x2E"},
                                                       {"#\x01", "\\x23\\x01"},
                                                       {"..", ".."}};
  for (const auto& [name, written] : names) {
    fasta += std::string(">") + name + "\nGATTACA\n";
    expected += std::string(written) + "\t0\t7\tGATTACA\t0\t+\n";
  }
  fasta += ">>c\nGATTACA\n>\nGATTACA\n";
  expected += "\\x3Ec\t0\t7\tGATTACA\t0\t+\n.\t0\t7\tGATTACA\t0\t+\n";
  const IndexedFolder index(fasta);
  check_output(index.gsx({"locate", "--bed", "-p", "GATTACA"}), expected);
  // In other columns they are not headers.
  check_output(index.gsx({"locate", "--no-header", "-"}, ">track\\1\nGATTACAG\n>chrom\nGATTACAC\n"),
               "");
  const std::string tsv = output_of(index.gsx({"locate", "-p", "GATTACA"}));
  CHECK(tsv.find("\ttrack\t") != std::string::npos);
  CHECK(tsv.find("\t\\\\x01\t") != std::string::npos);
}
