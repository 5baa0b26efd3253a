// The commands give the same bytes for the same sequences in every form of input.
#include "support/packed_files.hpp"
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

std::string genome() {
  Random random(11);
  return random_string(random, 5000, "ACGT") + random_string(random, 70, "acgt") +
         std::string(130, 'N') + random_string(random, 3000, "ACGT");
}

/// Lines of 50, as text made of 2bit has.
std::string as_fasta(const std::string& name, const std::string& bases) {
  std::string text = ">" + name + "\n";
  for (std::size_t at = 0; at < bases.size(); at += 50)
    text += bases.substr(at, 50) + "\n";
  return text;
}

std::string as_sam(const std::string& name, const std::string& read) {
  return name + "\t4\t*\t0\t0\t*\t*\t0\t0\t" + read + "\t" + std::string(read.size(), 'I') + "\n";
}

struct Place {
  TemporaryFolder folder;
  std::string bases = genome();
  std::string fastq, sam = "@HD\tVN:1.6\n@SQ\tSN:a\tLN:9\n";

  Place() {
    const std::string fasta = as_fasta("chr", bases);
    folder.write("g.fa", fasta);
    folder.write("g.fa.bz2", bzip2_bytes(fasta));
    folder.write("g.fa.xz", xz_bytes(fasta));
    folder.write("g.fa.zst", zstd_bytes(fasta));
    folder.write("g.2bit", two_bit_bytes({{"chr", bases}}));
    for (int r = 0; r < 30; ++r) {
      const std::string read = bases.substr(static_cast<std::size_t>(r) * 150, 60);
      const std::string name = "r" + std::to_string(r);
      fastq += "@" + name + "\n" + read + "\n+\n" + std::string(60, 'I') + "\n";
      sam += as_sam(name, read);
    }
    folder.write("q.fq", fastq);
    folder.write("q.fq.bz2", bzip2_bytes(fastq));
    folder.write("q.fq.xz", xz_bytes(fastq));
    folder.write("q.fq.zst", zstd_bytes(fastq));
    folder.write("q.sam", sam);
    write_alignments(folder / "q.bam", sam, "wb");
    write_alignments(folder / "q.cram", sam, "wc");
    CHECK(run({"index", "-q", folder / "g.fa"}).exit_code == 0);
  }
  RunOptions here() const { return {.folder = folder.path()}; }
};

const std::vector<std::string> genomes = {"g.fa.bz2", "g.fa.xz", "g.fa.zst", "g.2bit"};
const std::vector<std::string> reads = {"q.fq.bz2", "q.fq.xz", "q.fq.zst",
                                        "q.sam",    "q.bam",   "q.cram"};

Outcome with(Arguments command, const std::string& file, const RunOptions& options) {
  command.push_back(file);
  return run(command, options);
}

}  // namespace

TEST_CASE("texts in every form give the same index, suffix array, transform and tracks") {
  const Place place;
  for (const char* mask : {"fold", "keep", "split"}) {
    REQUIRE(run({"index", "-q", "--soft-mask", mask, "-o", "want.gsx", "g.fa"}, place.here())
                .exit_code == 0);
    const std::string index = place.folder.read("want.gsx");
    const std::vector<Arguments> commands = {
        {"sa", "-q", "--text", "--soft-mask", mask},
        {"bwt", "-q", "--soft-mask", mask},
        {"mappability", "-q", "-K", "20", "--soft-mask", mask}};
    for (const std::string& form : genomes) {
      CAPTURE(form);
      for (const bool piped : {false, true}) {
        const RunOptions options{.input = piped ? place.folder.read(form) : "",
                                 .folder = place.folder.path()};
        const std::string file = piped ? "-" : form;
        CHECK(
            with({"index", "-q", "--soft-mask", mask, "-o", "got.gsx"}, file, options).exit_code ==
            0);
        CHECK((place.folder.read("got.gsx") == index));
        for (const Arguments& command : commands) {
          const Outcome want = with(command, "g.fa", place.here());
          const Outcome got = with(command, file, options);
          CHECK(got.exit_code == 0);
          CHECK((got.out == want.out));
          CHECK(got.err == want.err);
        }
      }
    }
  }
}

TEST_CASE("queries in every form give the same lines") {
  const Place place;
  const std::vector<Arguments> commands = {{"count", "-q", "g.gsx"},
                                           {"locate", "-q", "g.gsx"},
                                           {"locate", "-q", "--sam", "g.gsx"},
                                           {"mem", "-q", "g.gsx"},
                                           {"ms", "-q", "g.gsx"},
                                           {"filter", "-q", "--keep", "g.gsx"},
                                           {"count", "-q", "-k", "1", "g.gsx"},
                                           {"count", "-q", "-r", "g.2bit"}};
  for (const Arguments& command : commands) {
    CAPTURE(command);
    const Outcome want = with(command, "q.fq", place.here());
    CHECK(want.exit_code == 0);
    CHECK(want.out.size() > 100);
    for (const std::string& form : reads) {
      CAPTURE(form);
      const Outcome got = with(command, form, place.here());
      CHECK(got.exit_code == 0);
      CHECK((got.out == want.out));
      const Outcome piped =
          with(command, "-", {.input = place.folder.read(form), .folder = place.folder.path()});
      CHECK(piped.exit_code == 0);
      CHECK((piped.out == want.out));
    }
  }
}

TEST_CASE("the name of an index follows from that of the sequences in every form") {
  const Place place;
  for (const char* name :
       {"g.fa.bz2", "g.fa.xz", "g.fa.zst", "g.2bit", "q.bam", "q.sam", "q.cram"}) {
    CAPTURE(name);
    const TemporaryFolder folder;
    folder.write(name, place.folder.read(name));
    CHECK(run({"index", "-q", name}, {.folder = folder.path()}).exit_code == 0);
    CHECK(folder.has(std::string(1, name[0]) + ".gsx"));
  }
}

TEST_CASE("reads before damage are answered") {
  const Place place;
  std::string fastq;
  for (int i = 0; i < 30; ++i)
    fastq += place.fastq;
  const std::string packed = xz_bytes(fastq) + xz_bytes(place.fastq).substr(0, 300);
  place.folder.write("cut.xz", packed);
  const Outcome got = run({"count", "-q", "g.gsx", "cut.xz"}, place.here());
  CHECK(got.exit_code == 3);
  CHECK(std::count(got.out.begin(), got.out.end(), '\n') >= 1 + 900);
  CHECK(got.err.find("cut.xz: record 9") != std::string::npos);
  CHECK(got.err.find("the xz data ends early: the file is truncated") != std::string::npos);
}

TEST_CASE("--memory-limit bounds what decompressing takes") {
  const Place place;
  place.folder.write("big.xz", xz_bytes(place.fastq, 128 << 20));
  const Outcome refused = run(
      {"count", "-q", "--no-header", "--memory-limit", "100MB", "g.gsx", "big.xz"}, place.here());
  check_failure(refused, 6,
                {"big.xz", "takes 129 MiB, more memory than the", "raise the memory limit"});
  CHECK(run({"count", "-q", "g.gsx", "big.xz"}, place.here()).exit_code == 0);
  CHECK(
      run({"count", "-q", "--memory-limit", "100MB", "g.gsx", "q.fq.xz"}, place.here()).exit_code ==
      0);
  place.folder.write("text.xz", xz_bytes(place.folder.read("g.fa"), 128 << 20));
  check_failure(
      run({"index", "-q", "--memory-limit", "100MB", "text.xz", "-o", "x.gsx"}, place.here()), 6,
      {"text.xz", "more memory than the 12 MiB allowed"});
}
