// gsx ms: exact output in every format, checked by hand, and what is refused.
#include <cstring>
#include <string>
#include <vector>

#include "support/indexed.hpp"
#include "support/program.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

// chr1: 0 A C G T A C G T(7) N N(9) A C G T(13) T T G G G A(19)
// chr2: 0 T T T A C G(5) N(6) C C C A A A(12) G G G(15)
constexpr const char* genome =
    ">chr1 first\nACGTACGTNN\nACGTTTGGGA\n>chr2\nTTTACGNCCCAAAGGG\n>empty\n>chr3\nGATTACA\n";
constexpr const char* queries =
    ">q1\nACGTTTGGGACC\n>none\nNNN\n>q2 comment\nTACGTNTCCCAAA\n>empty\n\n>q3\nTGTAATCGATTACA\n";

constexpr const char* lengths =
    ">q1\n10 9 8 7 6 5 4 3 2 2 2 1\n"
    ">none\n0 0 0\n"
    ">q2\n5 4 3 2 1 0 7 6 5 4 3 2 1\n"
    ">empty\n\n"
    ">q3\n7 6 5 4 3 2 2 7 6 5 4 3 2 1\n";

struct Genome : IndexedFolder {
  Genome() : IndexedFolder(genome) { folder.write("q.fa", queries); }
  Outcome ms(Arguments arguments, std::string input = "") const {
    arguments.insert(arguments.begin(), {"ms", "-x", "g.gsx"});
    return gsx(arguments, std::move(input));
  }
};

/// The little-endian numbers in `bytes`, as text.
template <class Number>
std::string numbers_in(const std::string& bytes) {
  std::string all;
  for (std::size_t at = 0; at + sizeof(Number) <= bytes.size(); at += sizeof(Number)) {
    Number number = 0;
    std::memcpy(&number, bytes.data() + at, sizeof(number));
    all += std::to_string(number) + ' ';
  }
  return all;
}

}  // namespace

TEST_CASE("ms writes the length of the longest match at each position") {
  const Genome index;
  check_output(index.ms({"q.fa"}), lengths);
  check_output(index.ms({"-o", "m.txt", "-"}, queries), "");
  CHECK(index.folder.read("m.txt") == lengths);
  check_output(index.gsx({"ms", "-r", "g.fa", "q.fa"}), lengths);
  check_output(index.gsx({"ms", "g.gsx", "q.fa"}), lengths);
  check_output(index.ms({"--ending", "q.fa"}),
               ">q1\n1 2 3 4 5 6 7 8 9 10 2 2\n"
               ">none\n0 0 0\n"
               ">q2\n1 2 3 4 5 0 1 2 3 4 5 6 7\n"
               ">empty\n\n"
               ">q3\n1 2 3 4 5 6 7 2 2 3 4 5 6 7\n");
  check_output(index.ms({"-p", "acgtnGATT"}), ">acgtnGATT\n4 3 2 1 0 4 3 2 1\n");
}

TEST_CASE("ms takes the longer match of both strands, or that of the one asked for") {
  const Genome index;
  check_output(index.ms({"-p", "TGTAATCGATTACA", "--strand", "fwd"}),
               ">TGTAATCGATTACA\n2 3 2 2 2 1 2 7 6 5 4 3 2 1\n");
  check_output(index.ms({"-p", "TGTAATCGATTACA", "--strand", "rev"}),
               ">TGTAATCGATTACA\n7 6 5 4 3 2 2 1 2 2 3 2 2 1\n");
}

TEST_CASE("ms writes numbers of 16 and 32 bits, and where those of each query begin") {
  const Genome index;
  const std::string all =
      "10 9 8 7 6 5 4 3 2 2 2 1 0 0 0 5 4 3 2 1 0 7 6 5 4 3 2 1 7 6 5 4 3 2 2 7 6 5 4 3 2 1 ";
  check_output(index.ms({"--format", "u16", "-o", "m.u16", "--offsets", "m.tsv", "q.fa"}), "");
  CHECK(numbers_in<std::uint16_t>(index.folder.read("m.u16")) == all);
  const std::string offsets = "q1\t0\t12\nnone\t12\t3\nq2\t15\t13\nempty\t28\t0\nq3\t28\t14\n";
  CHECK(index.folder.read("m.tsv") == "query_id\toffset\tlength\n" + offsets);
  check_output(index.ms({"--format", "u32", "-o", "m.u32", "--offsets", "n.tsv", "--no-header",
                         "--batch", "1", "q.fa"}),
               "");
  CHECK(numbers_in<std::uint32_t>(index.folder.read("m.u32")) == all);
  CHECK(index.folder.read("n.tsv") == offsets);
}

TEST_CASE("the suffix of -o picks the format of ms, unless that is given") {
  const Genome index;
  for (const char* name : {"m.u16", "m.U32", "m.u32.gz", "m.txt", "m"}) {
    const std::string of = name;
    CAPTURE(of);
    const std::string format = of.starts_with("m.u16")          ? "u16"
                               : of.size() > 5 || of == "m.U32" ? "u32"
                                                                : "text";
    check_output(index.ms({"-o", of, "--summary", "s.json", "q.fa"}), "");
    check_output(index.ms({"-o", of.ends_with(".gz") ? "n.gz" : "n", "--format", format, "q.fa"}),
                 "");
    CHECK(index.folder.read(of) == index.folder.read(of.ends_with(".gz") ? "n.gz" : "n"));
    CHECK(index.folder.read("s.json").find("\"format\":\"" + format + "\"") != std::string::npos);
  }
  check_output(index.ms({"-o", "m.u16", "--format", "text", "q.fa"}), "");
  CHECK(index.folder.read("m.u16") == lengths);
  check_failure(index.ms({"-o", "m.json", "q.fa"}), 2, {"ms does not write", "u32"});
}

TEST_CASE("ms writes a place of each longest match, on the forward strand of the target") {
  const Genome index;
  index.folder.write("list.fa", ">TACGTNTCCC\nTACGTNTCCC\n>NN\nNN\n>\n\n");
  check_output(index.ms({"--places", "p.txt", "list.fa"}),
               ">TACGTNTCCC\n5 4 3 2 1 0 4 3 2 1\n>NN\n0 0\n>.\n\n");
  CHECK(index.folder.read("p.txt") ==
        ">TACGTNTCCC\nchr1:3:+ chr1:4:+ chr1:5:+ chr1:6:+ chr1:7:+ * chr1:16:- chr1:16:- "
        "chr1:16:- chr1:16:-\n"
        ">NN\n* *\n>.\n\n");
  check_output(index.ms({"--ending", "--places", "e.txt", "-p", "TCCCA"}), ">TCCCA\n1 2 3 4 5\n");
  CHECK(index.folder.read("e.txt") ==
        ">TCCCA\nchr1:19:- chr1:18:- chr1:17:- chr1:16:- chr1:15:-\n");
  check_output(index.ms({"--format", "u16", "--places", "p.bin", "-o", "m.u16", "-p", "NTCCC"}),
               "");
  // Number of the target, strand, and the start in two parts.
  CHECK(numbers_in<std::int32_t>(index.folder.read("p.bin")) ==
        "0 0 0 0 0 -1 16 0 0 -1 16 0 0 -1 16 0 0 -1 16 0 ");
}

TEST_CASE("ms tallies positions with a match") {
  const Genome index;
  const Outcome outcome = index.ms({"--summary", "s.json", "--unmatched", "u.fa", "q.fa"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.find("5 queries, 3 with matched positions, 38 matched positions") !=
        std::string::npos);
  CHECK(index.folder.read("u.fa") == ">none\nNNN\n>empty\n\n");
  const std::string summary = index.folder.read("s.json");
  for (const char* part : {"\"command\":\"ms\"", "\"queries_with_hits\":3", "\"hits\":38",
                           "\"format\":\"text\"", "\"ending\":false"})
    CHECK(summary.find(part) != std::string::npos);
}

TEST_CASE("ms gives the same for any threads and batches, and a long query is streamed") {
  Random random(run_seed());
  const std::string sequence = random_string(random, 200'000, "ACGT") + std::string(40, 'N') +
                               mutated_copies(random, 300, 30, 100, "ACGT");
  std::string reads;
  for (int i = 0; i < 200; ++i) {
    std::string read = sequence.substr(below(random, sequence.size() - 300), 300);
    for (std::uint64_t errors = below(random, 6); errors > 0; --errors)
      read[below(random, read.size())] = 'A';
    reads += ">r" + std::to_string(i) + "\n" + read + "\n";
  }
  const IndexedFolder index(">a\n" + sequence + "\n");
  index.folder.write("r.fa", reads + ">whole\n" + sequence + "\n");
  for (const char* format : {"text", "u32"}) {
    CAPTURE(format);
    const Arguments asked{"ms", "-q", "-x", "g.gsx", "r.fa", "--format", format};
    const auto with = [&](Arguments more) {
      more.insert(more.begin(), asked.begin(), asked.end());
      more.insert(more.end(), {"-o", "m", "--places", "p", "--offsets", "o"});
      check_output(index.gsx(more), "");
      return index.folder.read("m") + index.folder.read("p") + index.folder.read("o");
    };
    const std::string expected = with({"-t", "1"});
    CHECK(with({"-t", "3", "--batch", "1000"}) == expected);
    CHECK(with({"-t", "2", "--batch", "1", "--memory-limit", "200M"}) == expected);
  }
}

TEST_CASE("ms measures protein and bytes on one strand") {
  for (const char* alphabet : {"protein", "bytes"}) {
    CAPTURE(alphabet);
    const IndexedFolder index(">p\nMKVLAAGIVG\n", {"--alphabet", alphabet});
    check_output(index.gsx({"ms", "-q", "-x", "g.gsx", "-p", "KVLWAAG"}),
                 std::string(">KVLWAAG\n3 2 1 0 3 2 1\n"));
    check_failure(index.gsx({"ms", "-x", "g.gsx", "-p", "KVL", "--strand", "rev"}), 2,
                  {"the reverse strand needs a text of DNA"});
  }
}

TEST_CASE("ms refuses lengths that a format cannot hold, and leaves nothing behind") {
  const std::string text(70'000, 'A');
  const IndexedFolder index(">a\n" + text + "\n");
  index.folder.write("q.fa", ">long\n" + text + "\n");
  const Arguments asked{"ms", "-x", "g.gsx", "q.fa", "-o", "m", "--places", "p", "--offsets", "o"};
  Arguments small = asked;
  small.insert(small.end(), {"--format", "u16"});
  check_failure(index.gsx(small), 2,
                {"query 'long': a match of 70000 symbols does not fit 16 bits; write u32"});
  for (const char* file : {"m", "p", "o"})
    CHECK(!index.folder.has(file));
  Arguments large = asked;
  large.insert(large.end(), {"--format", "u32"});
  check_output(index.gsx(large), "");
  CHECK(index.folder.read("m").size() == 4 * text.size());
  CHECK(index.folder.read("p").size() == 16 * text.size());
  CHECK(index.folder.read("o") == "query_id\toffset\tlength\nlong\t0\t70000\n");
}

TEST_CASE("ms writes all of its files, or none") {
  const Genome index;
  for (const char* full : {"--places", "--offsets", "--unmatched"}) {
    CAPTURE(full);
    check_failure(index.ms({"-p", "ACGT", "-p", "NN", "-o", "m", full, "/dev/full"}), 6,
                  {"/dev/full"});
    CHECK(!index.folder.has("m"));
  }
}

TEST_CASE("ms refuses outputs that replace each other, and what it cannot do") {
  const Genome index;
  check_failure(index.ms({"q.fa", "--places", "x", "-o", "x"}), 2, {"two outputs go to", "x"});
  check_failure(index.ms({"q.fa", "--offsets", "x", "--places", "x"}), 2, {"two outputs go to"});
  check_failure(index.ms({"q.fa", "--offsets", "q.fa"}), 2, {"q.fa"});
  check_failure(index.ms({"q.fa", "--format", "u8"}), 2, {"--format"});
  check_failure(index.ms({"q.fa", "--device", "cuda:77"}), 7);
  check_failure(index.ms({}), 2, {"no queries"});
}
