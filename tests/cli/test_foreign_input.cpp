// What the program says of files in other forms, where it finds them, and what they may take.
#include <filesystem>

#include "support/packed_files.hpp"
#include "support/peak_memory.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

std::string sam_of(const std::string& bases) {
  return "@HD\tVN:1.6\nr\t4\t*\t0\t0\t*\t*\t0\t0\t" + bases + "\t" +
         std::string(bases.size(), 'I') + "\n";
}

}  // namespace

TEST_CASE("-f takes all formats of sequences, and refuses others by their names") {
  const TemporaryFolder folder;
  folder.write("g.fa", ">g\nACGTACGGT\n");
  REQUIRE(run({"index", "-q", "g.fa"}, {.folder = folder.path()}).exit_code == 0);
  const std::string sam = sam_of("ACGT");
  folder.write("q.sam", sam);
  write_alignments(folder / "q.bam", sam, "wb");
  write_alignments(folder / "q.cram", sam, "wc");
  folder.write("q.2bit", two_bit_bytes({{"a", "ACGT"}}));
  folder.write("q.zip", std::string("PK\x03\x04rest of it\n", 15));
  check_failure(
      run({"count", "-q", "--no-header", "g.gsx", "-f", "q.zip"}, {.folder = folder.path()}), 3,
      {"q.zip", "it is a zip archive"});
  // All formats of sequences are taken.
  for (const char* file : {"q.sam", "q.bam", "q.cram", "q.2bit", "g.fa"}) {
    CAPTURE(file);
    const Outcome listed =
        run({"count", "-q", "--no-header", "g.gsx", "-f", file}, {.folder = folder.path()});
    CHECK(listed.exit_code == 0);
    CHECK(listed.out ==
          run({"count", "-q", "--no-header", "g.gsx", file}, {.folder = folder.path()}).out);
  }
  folder.write("list", "# one\nAC GT\n");
  check_failure(
      run({"count", "-q", "--no-header", "g.gsx", "-f", "list"}, {.folder = folder.path()}), 3,
      {"list: line 2: there is a blank inside"});
}

TEST_CASE("the name of an index follows from that of the sequences in either case") {
  for (const char* name : {"g.FA", "g.Fa.GZ", "g.BAM", "g.Sam", "g.2BIT"}) {
    CAPTURE(name);
    const TemporaryFolder folder;
    folder.write(name, ">g\nACGTACGT\n");
    CHECK(run({"index", "-q", name}, {.folder = folder.path()}).exit_code == 0);
    CHECK(folder.has("g.gsx"));
  }
}

TEST_CASE("a folder is no reference of CRAM") {
  const TemporaryFolder folder;
  folder.write("g.fa", ">g\nACGTACGGT\n");
  std::filesystem::create_directory(folder / "refs");
  check_failure(run({"index", "-q", "-o", "x.gsx", "--cram-reference", "refs", "g.fa"},
                    {.folder = folder.path()}),
                3, {"--cram-reference: 'refs' is no regular file"});
}

TEST_CASE("a read of SAM and BAM keeps to --memory-limit") {
  GSX_SKIP_IF(sanitized, "sanitizers take memory of their own");
  const TemporaryFolder folder;
  Random random(5);
  const std::string bases = random_string(random, 50'000'000, "ACGT");
  folder.write("g.fa", ">g\n" + bases.substr(0, 100'000) + "\n");
  REQUIRE(run({"index", "-q", "g.fa"}, {.folder = folder.path()}).exit_code == 0);
  folder.write("q.sam", sam_of(bases));
  write_alignments(folder / "q.bam", sam_of(bases), "wb1");
  for (const std::string file : {"q.sam", "q.bam"}) {
    for (const std::string command : {"count -q g.gsx ", "index -q -o x.gsx "}) {
      CAPTURE(command);
      CAPTURE(file);
      Outcome outcome;
      const double peak = peak_of(command + file + " --memory-limit 60M -t 2", folder, outcome);
      CHECK(outcome.exit_code == 6);
      CHECK(outcome.err.find(file) != std::string::npos);
      CHECK(peak < 60 * megabyte + mapped_bytes);
    }
  }
}

TEST_CASE("a reference of CRAM that takes more than --memory-limit leaves is refused") {
  const TemporaryFolder folder;
  Random random(6);
  const std::string bases = random_string(random, 20'000'000, "ACGT");
  folder.write("ref.fa", ">chr\n" + bases + "\n");
  folder.write("ref.fa.fai", "chr\t20000000\t5\t20000000\t20000001\n");
  folder.write("g.fa", ">g\n" + bases.substr(0, 100'000) + "\n");
  REQUIRE(run({"index", "-q", "g.fa"}, {.folder = folder.path()}).exit_code == 0);
  write_alignments(folder / "q.cram",
                   "@HD\tVN:1.6\n@SQ\tSN:chr\tLN:20000000\nr\t0\tchr\t1\t9\t50M\t*\t0\t0\t" +
                       bases.substr(0, 50) + "\t" + std::string(50, 'I') + "\n",
                   "wc", folder / "ref.fa");
  const Arguments command = {"count", "-q", "--no-header", "g.gsx", "q.cram", "--cram-reference",
                             "ref.fa"};
  Arguments limited = command;
  limited.insert(limited.end(), {"--memory-limit", "60M"});
  check_failure(run(limited, {.folder = folder.path()}), 6,
                {"q.cram: its reference has a sequence of 20000000 bases"});
  CHECK(run(command, {.folder = folder.path()}).exit_code == 0);
}
