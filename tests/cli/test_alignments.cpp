// locate --sam and --bam.
#include <htslib/sam.h>

#include <algorithm>
#include <sstream>

#include "support/indexed.hpp"

using namespace gsx::testing;

namespace {

constexpr const char* genome = ">x\nACGTACGAACCTNNACGATT\n>y\ntcgtacgt\n";
constexpr const char* reads =
    "@a\nACGTACG\n+\nIIIIABC\n@none\nTTTTTTTTTTTT\n+\nIIIIIIIIIIII\n@rn\nCCTACGTA\n+\n12345678\n";
const std::string alignments =
    "a\t0\tx\t1\t1\t7M\t*\t0\t0\tACGTACG\tIIIIABC\tNH:i:4\tHI:i:1\tNM:i:0\tMD:Z:7\n"
    "a\t272\tx\t2\t1\t7M\t*\t0\t0\tCGTACGT\tCBAIIII\tNH:i:4\tHI:i:2\tNM:i:1\tMD:Z:6A0\n"
    "a\t256\ty\t1\t1\t7M\t*\t0\t0\tACGTACG\tIIIIABC\tNH:i:4\tHI:i:3\tNM:i:1\tMD:Z:0T6\n"
    "a\t272\ty\t2\t1\t7M\t*\t0\t0\tCGTACGT\tCBAIIII\tNH:i:4\tHI:i:4\tNM:i:0\tMD:Z:7\n"
    "none\t4\t*\t0\t0\t*\t*\t0\t0\tTTTTTTTTTTTT\tIIIIIIIIIIII\n"
    "rn\t4\t*\t0\t0\t*\t*\t0\t0\tCCTACGTA\t12345678\n";
const std::string header =
    "@HD\tVN:1.6\tSO:unsorted\tGO:query\n@SQ\tSN:x\tLN:20\n@SQ\tSN:y\tLN:8\n@PG\tID:gsx\tPN:"
    "gsx\tVN:";

/// The header and the alignments of a BAM file, as SAM.
std::string read_bam(const std::string& path) {
  samFile* file = sam_open(path.c_str(), "r");
  REQUIRE(file != nullptr);
  CHECK(hts_get_format(file)->format == bam);
  sam_hdr_t* names = sam_hdr_read(file);
  REQUIRE(names != nullptr);
  std::string text(sam_hdr_str(names), sam_hdr_length(names));
  bam1_t* alignment = bam_init1();
  kstring_t line = KS_INITIALIZE;
  int found = 0;
  while ((found = sam_read1(file, names, alignment)) >= 0) {
    CHECK(sam_format1(names, alignment, &line) >= 0);
    text.append(line.s, line.l) += '\n';
    ks_clear(&line);
  }
  CHECK(found == -1);
  CHECK(bgzf_check_EOF(file->fp.bgzf) == 1);
  ks_free(&line);
  bam_destroy1(alignment);
  sam_hdr_destroy(names);
  sam_close(file);
  return text;
}

std::string without_line_of_program(const std::string& sam) {
  const std::size_t begin = sam.find("@PG");
  return sam.substr(0, begin) + sam.substr(sam.find('\n', begin) + 1);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("SAM has every hit, one of them primary, and the queries without hits") {
  const IndexedFolder index(genome);
  index.folder.write("q.fq", reads);
  const Outcome sam = index.gsx({"locate", "-k", "1", "--sam", "q.fq"});
  CHECK(sam.exit_code == 0);
  CHECK(sam.out.starts_with(header));
  CHECK(sam.out.ends_with('\n' + alignments));
  for (const char* threads : {"1", "3"}) {
    check_output(index.gsx({"locate", "-k", "1", "--sam", "--no-header", "-t", threads, "--batch",
                            "10", "q.fq"}),
                 alignments);
  }
  // The primary one is the best, not the first; of a FASTA query, there are no qualities.
  check_output(
      index.gsx({"locate", "-k", "1", "--format", "sam", "--no-header", "-p", "TCGTACG"}),
      "TCGTACG\t256\tx\t1\t1\t7M\t*\t0\t0\tTCGTACG\t*\tNH:i:4\tHI:i:1\tNM:i:1\tMD:Z:0A6\n"
      "TCGTACG\t16\tx\t2\t1\t7M\t*\t0\t0\tCGTACGA\t*\tNH:i:4\tHI:i:2\tNM:i:0\tMD:Z:7\n"
      "TCGTACG\t256\ty\t1\t1\t7M\t*\t0\t0\tTCGTACG\t*\tNH:i:4\tHI:i:3\tNM:i:0\tMD:Z:7\n"
      "TCGTACG\t272\ty\t2\t1\t7M\t*\t0\t0\tCGTACGA\t*\tNH:i:4\tHI:i:4\tNM:i:1\tMD:Z:6T0\n");
  check_output(
      index.gsx({"locate", "-k", "1", "--sam", "--no-header", "--max-hits", "1", "-p", "ACGTACG"}),
      "ACGTACG\t0\tx\t1\t1\t7M\t*\t0\t0\tACGTACG\t*\tNH:i:4\tHI:i:1\tNM:i:0\tMD:Z:7\n");
  check_output(index.gsx({"locate", "--sam", "--no-header", "-p", "CCT"}),
               "CCT\t0\tx\t10\t255\t3M\t*\t0\t0\tCCT\t*\tNH:i:1\tHI:i:1\tNM:i:0\tMD:Z:3\n");
}

TEST_CASE("NH is the number of all hits, and the mapping quality that of STAR") {
  const IndexedFolder index(">x\nAACTAACTAACT\n>y\nCCAGAACTAACT\n");
  check_output(index.gsx({"index", "-q", "--shard-size", "10", "g.fa", "-o", "many.gsx"}), "");
  struct Wanted {
    const char* query;
    const char* nh;
    const char* quality;
  };
  for (const Wanted& wanted :
       {Wanted{"CCAG", "1", "255"}, Wanted{"AACTAACTAA", "1", "255"}, Wanted{"TAACTAA", "1", "255"},
        Wanted{"CTAACTA", "1", "255"}, Wanted{"GAACT", "1", "255"}, Wanted{"ACTAACTA", "1", "255"},
        Wanted{"AACTAACT", "3", "1"}, Wanted{"CTAAC", "3", "1"}, Wanted{"AACT", "5", "0"},
        Wanted{"TAACTA", "1", "255"}, Wanted{"CTAA", "3", "1"}, Wanted{"GA", "1", "255"}}) {
    CAPTURE(wanted.query);
    for (const char* most : {"0", "1", "2"}) {
      for (const char* name : {"g.gsx", "many.gsx"}) {
        const std::string sam =
            output_of(index.gsx({"locate", "-q", "-x", name, "--sam", "--no-header", "--strand",
                                 "fwd", "--max-hits", most, "-p", wanted.query}));
        std::istringstream lines(sam);
        std::uint64_t written = 0;
        for (std::string line; std::getline(lines, line); ++written) {
          CHECK(contains(line, std::string("\t") + wanted.quality + "\t" +
                                   std::to_string(std::string(wanted.query).size()) + "M\t"));
          CHECK(contains(line, std::string("\tNH:i:") + wanted.nh +
                                   "\tHI:i:" + std::to_string(written + 1) + "\t"));
        }
        const std::uint64_t all = std::stoull(wanted.nh), limit = std::stoull(most);
        CHECK(written == (limit == 0 ? all : std::min(all, limit)));
      }
    }
  }
}

TEST_CASE("BAM has the same alignments, under any name and from a pipe") {
  const IndexedFolder index(genome, {"--md5"});
  index.folder.write("q.fq", reads);
  const std::string sam =
      output_of(index.gsx({"locate", "-k", "1", "-o", "/dev/stdout", "--sam", "q.fq"}));
  CHECK(sam.find("@SQ\tSN:y\tLN:8\tM5:75fb5ba81360888e6400c4b82d91a095\n") != std::string::npos);
  check_output(index.gsx({"locate", "-k", "1", "-o", "a.bam", "q.fq"}), "");
  CHECK(read_bam(index.folder / "a.bam") == sam);
  check_output(index.gsx({"locate", "-k", "1", "-o", "a.dat", "--bam", "q.fq"}), "");
  CHECK(index.folder.read("a.dat") == index.folder.read("a.bam"));
  CHECK(output_of(index.gsx({"locate", "-k", "1", "--bam", "q.fq"})) == index.folder.read("a.bam"));
  check_output(index.gsx({"locate", "-k", "1", "-o", "a.sam", "q.fq"}), "");
  CHECK(without_line_of_program(index.folder.read("a.sam")) == without_line_of_program(sam));
}

TEST_CASE("alignments that cannot be written are refused before the search") {
  const IndexedFolder twice(">x\nACGT\n>x\nACGT\n");
  check_failure(twice.gsx({"locate", "--sam", "-p", "ACG"}), 3, {"record 2", "'x'", "earlier"});
  const IndexedFolder comma(">ok\nACGT\n>a,b\nACGT\n");
  check_failure(comma.gsx({"locate", "--bam", "-o", "h.bam", "-p", "ACG"}), 3,
                {"record 2", "'a,b'", "SAM"});
  CHECK(comma.folder.names() == std::vector<std::string>{"g.fa", "g.gsx"});
  const IndexedFolder longer(">" + std::string(255, 'n') + "\nACGT\n");
  check_failure(longer.gsx({"locate", "--sam", "-p", "ACG"}), 3, {"254"});
  const IndexedFolder index(genome);
  check_failure(index.gsx({"locate", "--sam", "--sort", "position", "-p", "ACG"}), 2,
                {"--sort position", "samtools sort"});
  check_failure(index.gsx({"locate", "--bam", "--no-header", "-p", "ACG"}), 2, {"--no-header"});
  check_failure(index.gsx({"locate", "--bam", "--sam", "-p", "ACG"}), 2, {"--sam"});
  const std::string name(255, 'q');
  check_error(index.gsx({"locate", "--sam", "--no-header", "-"}, ">" + name + "\nACG\n"), 3,
              {"standard input: record 1", "254 visible", "rename it, or choose another format"});
  check_failure(
      index.gsx({"locate", "--sam", "--no-header", "-k", "1", "-p", std::string(255, 'A')}), 3,
      {"query 'AAA", "NAME<tab>SEQUENCE, by -f", "another format"});
}
