// Errors of sequence input: each names file, record, line and symbol, and what helps.
#include "support/program.hpp"

#include "support/texts.hpp"

using namespace gsx::testing;
using namespace std::string_literals;

namespace {

struct Refused {
  std::string content;
  std::vector<std::string> words;  ///< that the error must contain
  Arguments options = {};
};

/// The error of indexing `files`. It must be the same for all batch sizes and numbers of threads,
/// and for plain, gzip and BGZF files.
std::string error_of(const TemporaryFolder& folder, const Arguments& files,
                     const Arguments& options) {
  std::string error;
  for (const char* threads : {"1", "3"}) {
    for (const char* batch : {"1", "7", "100", "1048576"}) {
      Arguments command = Arguments{"index", "-q", "-t", threads, "--batch", batch, "-o", "x.gsx"};
      command.insert(command.end(), options.begin(), options.end());
      command.insert(command.end(), files.begin(), files.end());
      const Outcome outcome = run(command, {.folder = folder.path()});
      CAPTURE(threads);
      CAPTURE(batch);
      check_failure(outcome, 3);
      CHECK_FALSE(folder.has("x.gsx"));
      if (!error.empty()) CHECK(outcome.err == error);
      error = outcome.err;
    }
  }
  return error;
}

/// The beginning of a tar archive of one file.
std::string tar_of(const std::string& name) {
  std::string block(512, '\0');
  block.replace(0, name.size(), name);
  block.replace(257, 5, "ustar");
  return block + ">a\nACGT\n";
}

}  // namespace

TEST_CASE("an error of a symbol names file, record, line, symbol and what helps") {
  const std::string dna = ">a\n" + std::string(100, 'C') + "\nGTACGT\n\n";
  const std::string protein = ">a\nMKVLEFPQIL\nMKV\n";
  const std::string long_read(60, 'A');
  const std::vector<Refused> all = {
      {dna + ">b\nACGT\nAC!T\n", {"record 2 ('b'), line 7: '!'", "--alphabet bytes"}},
      {dna + ">b\nAC?T\n", {"record 2 ('b'), line 6: '?'", "--alphabet dna"}},
      {dna + ">b\r\n\r\nACGT\r\n 61 ACGT\r\n", {"('b'), line 8: '6'", "numbers"}},
      {dna + ";x\nACGT\n", {"record 1 ('a'), line 5: ';'", "grep -v"}},
      {dna + "@r\nACGT\n+\nIIII\n", {"record 1 ('a'), line 5: '@'", "FASTQ"}},
      {dna + ">b\nACNT\n", {"record 2 ('b'), line 6: 'N'", "split"}, {"--ambiguous", "error"}},
      {dna + ">b x\nACGT\nMKEVFL\n", {"('b'), line 7: 'E'", "looks like protein", "apart"}},
      {protein + ">b\nM\nK-X.A\n", {"record 2 ('b'), line 6: '-'", "gaps"}},
      {protein + ">b\nM?\n", {"record 2 ('b'), line 5: '?'", "--alphabet bytes"}},
      {"@a\n" + long_read + "\n+\n" + long_read + "\n@b\nAC\nGZ\n+\nIIII\n@c\n*\n+\n*\n",
       {"record 2 ('b'), line 7: 'Z'", "looks like protein"}},
  };
  for (const Refused& one : all) {
    CAPTURE(one.content);
    const TemporaryFolder folder;
    folder.write("t.fa", one.content);
    const std::string error = error_of(folder, {"t.fa"}, one.options);
    CHECK(error.starts_with("error: t.fa: record "));
    for (const std::string& word : one.words) {
      CAPTURE(word);
      CHECK(error.find(word) != std::string::npos);
    }
    write_gzip(folder / "t.fa", one.content);
    CHECK(error_of(folder, {"t.fa"}, one.options) == error);
    write_bgzf(folder / "t.fa", one.content);
    CHECK(error_of(folder, {"t.fa"}, one.options) == error);
    // Also from a pipe. The number of a record is that in its own file.
    const bool reads = one.content[0] == '@';
    folder.write("good.fa",
                 reads ? ">g\nACGT\n" : one.content.substr(0, one.content.find('\n', 5) + 1));
    Arguments command = {"index", "-q", "good.fa", "-", "-o", "x.gsx"};
    command.insert(command.end(), one.options.begin(), one.options.end());
    const Outcome piped = run(command, {.input = one.content, .folder = folder.path()});
    std::string expected =
        "error: standard input" + error.substr(std::string("error: t.fa").size());
    if (const std::size_t at = expected.find(" t.fa "); at != std::string::npos)
      expected.replace(at, 6, " FILE ");  // in a command
    CHECK(piped.err == expected);
  }
}

TEST_CASE("the first error of the input is reported, even if its batch has others") {
  const TemporaryFolder folder;
  folder.write("t.fa", ">a\nACGT\nAC!T\nAC\x01T\n");
  CHECK(error_of(folder, {"t.fa"}, {}).find("line 3: '!'") != std::string::npos);
  folder.write("t.fa", ">a\nACGT\nAC\x01T\nAC!T\n");
  CHECK(error_of(folder, {"t.fa"}, {}).find("line 3: control byte") != std::string::npos);
}

TEST_CASE("auto checks every record, and refuses those that are clearly of the other kind") {
  Random random(5);
  const auto record = [](const std::string& name, const std::string& sequence) {
    return ">" + name + "\n" + sequence + "\n";
  };
  const std::string genome = random_string(random, 1200000, "ACGT");
  const std::string proteins = record("p", random_string(random, 1200000, "ACDEFGHIKLMNPQRSTVWY"));
  const std::string peptide = "MKVLEFPQILDE";
  const TemporaryFolder folder;
  folder.write("t.fa", record("g", genome) + record("q", peptide));
  const RunOptions here{.folder = folder.path()};
  check_failure(run({"index", "-q", "t.fa"}, here), 3,
                {"t.fa: record 2 ('q'), line 4: 'L'", "looks like protein"});
  for (const std::size_t length : {std::size_t{200}, genome.size()}) {
    folder.write("t.fa", proteins + record("q", genome.substr(0, length)));
    check_failure(run({"index", "-q", "t.fa"}, here), 3,
                  {"t.fa: record 2 ('q'), line 4: ", "looks like DNA", "--alphabet protein"});
    CHECK(run({"index", "-q", "--alphabet", "protein", "t.fa"}, here).exit_code == 0);
    std::filesystem::remove(folder / "t.gsx");
  }
  // Short peptides of these letters are plausible; so are proteins that begin with them.
  const std::string odd = "GATTACA", like = genome.substr(0, 199);
  folder.write("t.fa", proteins + record("q", odd) + record("r", like) + record("s", like + "M"));
  CHECK(run({"index", "-q", "t.fa"}, here).exit_code == 0);
  std::filesystem::remove(folder / "t.gsx");
  // DNA with some IUPAC codes, masks and gaps is DNA.
  folder.write("t.fa", record("g", genome) + record("q", "ACGTRYKMXXXX----ACGTN"));
  CHECK(run({"index", "-q", "t.fa"}, here).exit_code == 0);
}

TEST_CASE("DNA after proteins is found wherever its record is cut") {
  const TemporaryFolder folder;
  const std::string dna(199, 'A');
  folder.write("t.fa", ">p\nMKVLEFPQILDE\n>q\n" + dna + "\nC\n>r\nMKVLE" + dna + "\n");
  // Read first, so that the guess is protein: in t.fa, most letters are nucleotides.
  folder.write("p.fa", ">p\n" + std::string(2000, 'L') + "\n");
  const std::string error = error_of(folder, {"p.fa", "t.fa"}, {});
  CHECK(error.starts_with("error: t.fa: record 2 ('q'), line 5: its first 200 letters"));
}

TEST_CASE("other formats are recognised, with what to do") {
  const TemporaryFolder folder;
  const RunOptions here{.folder = folder.path()};
  folder.write("good.fa", ">a\nACGTACGT\n");
  REQUIRE(run({"index", "-q", "good.fa"}, here).exit_code == 0);
  const std::vector<std::pair<std::string, std::string>> all = {
      {"LOCUS       X 4 bp\n", "GenBank"},
      {"ID   X; SV 1\n", "EMBL"},
      {"##fileformat=VCFv4.2\n", "it is VCF, which holds variants; run: bcftools consensus"},
      {"##gff-version 3\n", "it is GFF, which holds features; run: bedtools getfasta"},
      {"PK\x03\x04...", "it is a zip archive; run: unzip -p t.fa | gsx ... -"},
      {"Rar!\x1a\x07...", "it is a RAR archive; run: unrar p -inul t.fa | gsx ... -"},
      {"7z\xbc\xaf\x27\x1c...", "it is a 7z archive; run: 7z x -so t.fa | gsx ... -"},
      {"\x1f\x9d...", "compress (.Z); run: gzip -dc t.fa | gsx ... -"},
      {"NCBI.sra...", "it is an SRA archive; run: fasterq-dump --stdout t.fa | gsx ... -"},
      {"\x89HDF\r\n\x1a\n...", "FAST5"},
      {"\x8bPOD\r\n\x1a\n...", "POD5"},
      {"BCF\x02\x02...", "it is BCF, which holds variants"},
      {"%PDF-1.5\n", "it is a PDF document"},
      {"\n<!DOCTYPE html>\n", "it is a page of HTML: a server has sent it"},
      {"<HTML><body>404", "it is a page of HTML: a server has sent it"},
      {"<?xml version='1.0'?>\n", "it is XML"},
      {"{\"error\": 404}", "it is JSON"},
      {"\xff\xfe>\0a\0\n\0"s, "UTF-16, with a byte-order mark; run: iconv -f UTF-16 -t ASCII t.fa"},
      {">\0a\0\n\0A\0"s, "it is text in UTF-16; run: iconv -f UTF-16LE -t ASCII t.fa"},
      {"\0>\0a\0\n\0A"s, "it is text in UTF-16; run: iconv -f UTF-16BE -t ASCII t.fa"},
      {tar_of("genome.fa"), "it is a tar archive; run: tar -xOf t.fa | gsx ... -"},
      {folder.read("good.gsx"), "it is a gsx index"},
      {"banana\n", "(echo '>name'; cat t.fa)"},
      {"\xEF\xBB\xBF>a\nAC\n", "byte-order mark"}};
  for (const auto& [content, says] : all) {
    CAPTURE(says);
    folder.write("t.fa", content);
    check_failure(run({"index", "-q", "t.fa"}, here), 3, {"t.fa: line ", "not FASTA", says});
    // These commands accept an index.
    if (says == "it is a gsx index") continue;
    check_failure(run({"sa", "-q", "t.fa"}, here), 3, {"t.fa: line ", "not FASTA", says});
    // Queries may be lists.
    if (content.starts_with("banana") || says == "byte-order mark") continue;
    // Also in gzip, as .tar.gz and .vcf.gz are.
    write_gzip(folder / "t.fa", content);
    check_failure(run({"count", "-q", "--no-header", "good.gsx", "t.fa"}, here), 3,
                  {"not FASTA", says});
  }
}

TEST_CASE("a URL is a file that does not exist") {
  const TemporaryFolder folder;
  const RunOptions here{.folder = folder.path()};
  check_failure(run({"index", "-q", "https://host.example/x.fa.gz"}, here), 3,
                {"https://host.example/x.fa.gz: cannot read it", "does not read URLs"});
  check_failure(run({"index", "-q", "no/x.fa"}, here), 3, {"no/x.fa: cannot read it: No such"});
  CHECK(folder.names().empty());
}

TEST_CASE("the output of extract can be indexed again if '@' is a symbol") {
  const TemporaryFolder folder;
  const std::string symbols = std::string(60, 'A') + "@A" + std::string(58, '@') + "@b";
  folder.write("t.fa", ">a x\n" + symbols + "\n>@\n@\n");
  const RunOptions here{.folder = folder.path()};
  CHECK(run({"index", "--alphabet", "bytes", "t.fa"}, here).exit_code == 0);
  const std::string written = output_of(run({"extract", "t.gsx"}, here));
  CHECK(written.find("\n@") != std::string::npos);
  folder.write("u.fa", written);
  CHECK(run({"index", "--alphabet", "bytes", "u.fa"}, here).exit_code == 0);
  CHECK(folder.read("u.gsx") == folder.read("t.gsx"));
}
