// gsx filter: which records are mates, and inputs whose pairs it would break.
#include <string>
#include <vector>

#include "support/filtered.hpp"
#include "support/packed_files.hpp"
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

std::string read_named(const std::string& header, bool matches = true) {
  return "@" + header + (matches ? "\nGATTACA\n+\nIIIIIII\n" : "\nCCCCCCC\n+\nIIIIIII\n");
}

/// Headers of two mates, with NAME in them.
struct Names {
  std::string first, second;
};

std::string named(std::string header, const std::string& name) {
  return header.replace(header.find("NAME"), 4, name);
}

const std::vector<Names> conventions = {{"NAME", "NAME"},
                                        {"NAME 1 length=7", "NAME 1 length=7"},
                                        {"NAME/1", "NAME/2 x"},
                                        {"NAME/2", "NAME/1"},
                                        {"NAME.1 1 length=7", "NAME.2 1 length=7"},
                                        {"NAME_1", "NAME_2"},
                                        {"NAME-1", "NAME-2"},
                                        {"NAME 1:N:0:AC", "NAME 2:N:0:AC"},
                                        {"NAME_1:N:0:AC", "NAME_2:N:0:AC"},
                                        {"NAME X:7/1", "NAME X:7/2"}};

const std::string sam_of_pairs =
    "@SQ\tSN:h\tLN:57\n"
    "r1\t77\t*\t0\t0\t*\t*\t0\t0\tGATTACA\tIIIIIII\n"
    "r2\t77\t*\t0\t0\t*\t*\t0\t0\tCCCCCCC\tIIIIIII\n"
    "r1\t141\t*\t0\t0\t*\t*\t0\t0\tCCCCCCC\tIIIIIII\n"
    "r2\t141\t*\t0\t0\t*\t*\t0\t0\tGATTACA\tIIIIIII\n";

/// Checks that commands that break no pairs take a file of them.
void check_read_one_by_one(const Genome& index, const std::string& file) {
  for (const Arguments& command : {Arguments{"count"}, {"locate"}, {"mem", "-L", "7"}, {"ms"}})
    CHECK(index.gsx(command + Arguments{"-q", "-x", "g.gsx", file}).exit_code == 0);
}

}  // namespace

TEST_CASE("filter takes mates by the names that the first pair has") {
  const Genome index;
  for (const Names& names : conventions) {
    CAPTURE(names.first);
    std::string files[2], interleaved, kept;
    for (const std::string name : {"SRR1.1", "SRR1.2", "x_3"}) {
      const bool matches = name != "SRR1.2";
      const std::string one = read_named(named(names.first, name), false),
                        two = read_named(named(names.second, name), matches);
      files[0] += one;
      files[1] += two;
      interleaved += one + two;
      if (matches) kept += one + two;
    }
    index.folder.write("1.fq", files[0]);
    index.folder.write("2.fq", files[1]);
    const Arguments keep{"--keep", "-L", "7", "--batch", "50"};
    check_output(index.filter(keep + Arguments{"1.fq", "2.fq"}), kept);
    check_output(index.filter(keep + Arguments{"--interleaved", "-"}, interleaved), kept);
  }
  // Another convention from the second pair on.
  check_error(
      index.filter({"--keep", "-L", "7", "--interleaved", "-"},
                   read_named("a/1") + read_named("a/2") + read_named("b.1") + read_named("b.2")),
      3, {"out of step", "record 3 ('b.1')"});
  const auto refused = [&](const std::string& first, const std::string& second) {
    index.folder.write("1.fq", read_named(first));
    index.folder.write("2.fq", read_named(second));
    check_error(index.filter({"--keep", "1.fq", "2.fq"}), 3,
                {"two files are taken for those of mates", "--unpaired", "--mates order"});
    check_error(
        index.filter({"--keep", "--interleaved", "-"}, read_named(first) + read_named(second)), 3,
        {"out of step"});
  };
  refused("r1", "r2");
  refused("a1", "b1");
  refused("r/1", "r/3");
  refused("r.1", "r_2");
}

TEST_CASE("filter pairs records by their order if --mates says so") {
  const Genome index;
  const std::string first = read_named("a") + read_named("b", false),
                    second = read_named("c", false) + read_named("a", false);
  index.folder.write("1.fq", first);
  index.folder.write("2.fq", second);
  const Arguments by_order{"--keep", "-L", "7", "--mates", "order"};
  const std::string kept = read_named("a") + read_named("c", false);
  check_output(index.filter(by_order + Arguments{"1.fq", "2.fq"}), kept);
  check_output(index.filter(by_order + Arguments{"--interleaved", "-"},
                            kept + read_named("b", false) + read_named("a", false)),
               kept);
  index.folder.write("2.fq", first);  // both say the same
  check_output(index.filter(by_order + Arguments{"1.fq", "2.fq"}),
               read_named("a") + read_named("a"));
  CHECK(index.filter(by_order + Arguments{"1.fq", "2.fq", "--summary", "s"}).exit_code == 0);
  CHECK(index.folder.read("s").find("\"mates\":\"order\"") != std::string::npos);
  index.folder.write("2.fq", second + second);
  check_error(index.filter(by_order + Arguments{"1.fq", "2.fq"}), 3, {"has no mate"});
  check_failure(index.filter(by_order + Arguments{"1.fq"}), 2, {"--mates is about pairs"});
  check_failure(index.filter(by_order + Arguments{"--unpaired", "1.fq", "2.fq"}), 2, {"--mates"});
}

TEST_CASE("filter refuses one file, and two of the same mates, as files of mates") {
  const Genome index;
  index.folder.write("1.fq", read_named("r"));
  CHECK(run_shell("ln -s 1.fq soft.fq && ln 1.fq hard.fq", {.folder = index.folder.path()})
            .exit_code == 0);
  const std::string before = index.files();
  for (const char* same : {"1.fq", "./1.fq", "soft.fq", "hard.fq"}) {
    for (const char* mates : {"names", "order"}) {
      check_failure(index.filter({"--drop", "1.fq", same, "--mates", mates, "-o", "a", "-O", "b"}),
                    2, {"1.fq", "two files are those of mates"});
    }
  }
  check_failure(run_shell("\"$gsx\" filter -q -x g.gsx --drop - 1.fq -o a -O b < 1.fq",
                          {.folder = index.folder.path()}),
                2, {"the same file"});
  CHECK(index.files() == before);
  for (const auto& [header, both] :
       std::vector<std::pair<std::string, std::string>>{{"r/1", "both first mates"},
                                                        {"r/2", "both second mates"},
                                                        {"r 1:N:0:AC", "both first mates"},
                                                        {"r_2:N:0:AC", "both second mates"},
                                                        {"r X:7/1", "both first mates"}}) {
    index.folder.write("x.fq", read_named(header));
    index.folder.write("y.fq", read_named(header));
    check_failure(index.filter({"--drop", "x.fq", "y.fq", "-o", "a", "-O", "b"}), 2,
                  {both, "--mates order"});
    CHECK_FALSE(index.has("a"));
  }
  index.folder.write("x.fq", read_named("lane1/1"));
  index.folder.write("y.fq", read_named("lane22/1"));
  check_failure(index.filter({"--drop", "x.fq", "y.fq", "-o", "a", "-O", "b"}), 2,
                {"both first mates", "--unpaired"});
  // Of later pairs, that is an error of the file.
  index.folder.write("x.fq", read_named("a/1") + read_named("b/1"));
  index.folder.write("y.fq", read_named("a/2") + read_named("b/1"));
  check_failure(index.filter({"--drop", "x.fq", "y.fq", "-o", "a", "-O", "b"}), 3, {"out of step"});
}

TEST_CASE("filter refuses a file of pairs that it would break") {
  const Genome index;
  const std::vector<std::string> hints{"are mates", "--interleaved", "--unpaired"};
  for (const Names& names : conventions) {
    for (const int pairs : {1, 2, 99, 101, 300}) {
      if (pairs > 2 && names.first != "NAME/1") continue;  // the rule is that of all names
      CAPTURE(names.first);
      CAPTURE(pairs);
      std::string all;
      for (int i = 0; i < pairs; ++i) {
        const std::string name = "p" + std::to_string(i);
        all += read_named(named(names.first, name)) + read_named(named(names.second, name), false);
      }
      const char sign = names.first[4];
      const bool weak = pairs == 1 && (sign == '.' || sign == '-' || names.first == "NAME_1");
      for (const char* batch : {"1", "2097152"}) {
        if (batch[1] == 0 && pairs != 2 && pairs != 101) continue;
        const Arguments keep{"--keep", "-L", "7", "--batch", batch, "-t", "2"};
        const Outcome outcome = index.filter(keep + Arguments{"-"}, all);
        if (weak) {
          CHECK(outcome.exit_code == 0);
        } else {
          check_failure(outcome, 2, hints);
        }
      }
      if (pairs != 2) continue;
      check_output(index.filter({"--keep", "-L", "7", "--interleaved", "-"}, all), all);
      CHECK(index.filter({"--keep", "-L", "7", "--unpaired", "-"}, all).exit_code == 0);
      index.folder.write("i.fq", all);
      check_failure(index.filter({"--keep", "i.fq", "-o", "o"}), 2, hints);
      CHECK_FALSE(index.has("o"));
      if (names.first == "NAME/1") check_read_one_by_one(index, "i.fq");
    }
  }
  // Reads before an error come out, unless they are known to be pairs.
  const Outcome cut = index.filter({"--keep", "-L", "7", "-"}, read_named("a/1") + "@b\nA\n");
  check_error(cut, 3, {"record 2"});
  CHECK(cut.out == read_named("a/1"));
}

TEST_CASE("filter refuses alignments of pairs, and says how to bring mates together") {
  const Genome index;
  index.folder.write("p.sam", sam_of_pairs);
  write_alignments(index.folder / "p.bam", sam_of_pairs, "wb");
  for (const char* file : {"p.sam", "p.bam"}) {
    const Arguments keep{"--keep", "-L", "7", file, "-o", "o"};
    check_failure(index.filter(keep), 2, {"is one of a pair", "--interleaved", "--unpaired"});
    check_failure(index.filter(keep + Arguments{"--interleaved"}), 3,
                  {"samtools collate", "a mate may be missing", "samtools fixmate"});
    CHECK_FALSE(index.has("o"));
    check_output(index.filter({"--keep", "-L", "7", "--unpaired", file}),
                 read_named("r1/1") + read_named("r2/2"));
    check_read_one_by_one(index, file);
  }
  // One of single reads is none of pairs.
  index.folder.write("s.sam", "r1\t4\t*\t0\t0\t*\t*\t0\t0\tGATTACA\tIIIIIII\n");
  check_output(index.filter({"--keep", "-L", "7", "s.sam"}), read_named("r1"));
}

TEST_CASE("filter writes pairs of two files interleaved, and the others to --rest") {
  const Genome index;
  std::string first, second, halves[2], mates[2][2];
  for (int i = 0; i < 30; ++i) {
    const bool matches = i % 3 != 0;
    const std::string name = "p" + std::to_string(i);
    const std::string one = read_named(name + "/1", false), two = read_named(name + "/2", matches);
    first += one;
    second += two;
    halves[matches ? 0 : 1] += one + two;
    mates[matches ? 0 : 1][0] += one;
    mates[matches ? 0 : 1][1] += two;
  }
  index.folder.write("1.fq", first);
  index.folder.write("2.fq", second);
  const auto content = [&](const char* name) { return index.folder.read(name); };
  for (const char* batch : {"99", "2097152"}) {
    for (const bool keep : {true, false}) {
      const std::string &out = halves[keep ? 0 : 1], &others = halves[keep ? 1 : 0];
      const auto &out_mates = mates[keep ? 0 : 1], &other_mates = mates[keep ? 1 : 0];
      const Arguments files{
          keep ? "--keep" : "--drop", "-L", "7", "--batch", batch, "1.fq", "2.fq"};
      const Arguments pairs{
          keep ? "--keep" : "--drop", "-L", "7", "--batch", batch, "--interleaved", "-"};
      check_output(index.filter(files), out);
      check_output(index.filter(files + Arguments{"-o", "-", "--rest", "r"}), out);
      CHECK(content("r") == others);
      check_output(index.filter(files + Arguments{"--rest", "r", "--rest2", "s"}), out);
      CHECK(content("r") == other_mates[0]);
      CHECK(content("s") == other_mates[1]);
      check_output(index.filter(files + Arguments{"-o", "o", "-O", "p", "--rest", "-"}), others);
      CHECK(content("o") == out_mates[0]);
      CHECK(content("p") == out_mates[1]);
      const std::string all = halves[0] + halves[1];
      check_output(index.filter(pairs + Arguments{"--rest", "r"}, all), out);
      CHECK(content("r") == others);
      check_output(
          index.filter(pairs + Arguments{"-o", "o", "-O", "p", "--rest", "r", "--rest2", "s"}, all),
          "");
      CHECK(content("o") == out_mates[0]);
      CHECK(content("p") == out_mates[1]);
      CHECK(content("r") == other_mates[0]);
      CHECK(content("s") == other_mates[1]);
      check_output(
          index.filter(pairs + Arguments{"-o", "o", "--rest", "r.gz", "--rest2", "s"}, all), "");
      CHECK(content("o") == out);
      check_output(run_shell("gzip -dc r.gz", {.folder = index.folder.path()}), other_mates[0]);
    }
  }
  const auto refused = [&](const Arguments& arguments, const std::vector<std::string>& words) {
    check_failure(index.filter(Arguments{"--keep", "1.fq"} + arguments), 2, words);
  };
  refused({"2.fq", "-o", "o"}, {"-O"});
  refused({"2.fq", "-O", "o"}, {"-o"});
  refused({"2.fq", "-o", "o", "-O", "p", "--rest", "r"}, {"--rest2"});
  refused({"2.fq", "--rest2", "r"}, {"--rest"});
  refused({"--rest", "r", "--rest2", "s"}, {"--rest2", "--interleaved"});
  refused({"--rest", "-"}, {"two outputs"});
  refused({"-o", "o", "--rest", "1.fq"}, {"replace the input"});
  refused({"-o", "o", "--rest", "o"}, {"two outputs"});
  refused({"-o", "o", "--rest", "r.bam"}, {"r.bam", "fastq"});
  refused({"--rest", ""}, {"--rest"});
}

TEST_CASE(
    "filter writes the rest of single reads, of FASTA, and of reads without a last line end") {
  const Genome index;
  const std::string fasta = ">a\nGATT\nACA\n>b x\nCCC\n>c\nTGTAATC";
  check_output(index.filter({"--keep", "-L", "7", "--rest", "r", "-"}, fasta),
               ">a\nGATT\nACA\n>c\nTGTAATC");
  CHECK(index.folder.read("r") == ">b x\nCCC\n");
  check_output(index.filter({"--drop", "-L", "7", "--rest", "r", "--summary", "s", "-"}, fasta),
               ">b x\nCCC\n");
  CHECK(index.folder.read("r") == ">a\nGATT\nACA\n>c\nTGTAATC");
  CHECK(index.folder.read("s").find("\"reads_written\":1,") != std::string::npos);
  // Both halves to files, or one nowhere.
  check_output(index.filter({"--keep", "-L", "7", "--rest", "r", "-o", "/dev/null", "-"}, fasta),
               "");
  CHECK(index.folder.read("r") == ">b x\nCCC\n");
}

TEST_CASE("filter ends with exit code 3 after its output if all reads are shorter than L") {
  const Genome index;
  const std::string reads = read_named("a") + read_named("b", false);
  for (const char* half : {"--keep", "--drop"}) {
    const Outcome all = index.filter({half, "-L", "8", "-", "--summary", "s"}, reads);
    check_error(all, 3, {"all 2 are shorter than 8 symbols", "-L"});
    CHECK(all.out == (half[2] == 'd' ? reads : ""));
    CHECK(index.folder.read("s").find("\"reads_too_short\":2,") != std::string::npos);
  }
  check_error(index.filter({"--drop", "-o", "o", "-"}, read_named("a")), 3, {"the only one is"});
  CHECK(index.folder.read("o") == read_named("a"));
  const std::string mates = read_named("a/1") + read_named("a/2");
  const Outcome pairs = index.filter({"--drop", "-L", "8", "--interleaved", "-"}, mates);
  check_error(pairs, 3, {"shorter than 8"});
  CHECK(pairs.out == mates);
  // Some, and none; and an input without reads.
  const Outcome some =
      index.gsx({"filter", "-x", "g.gsx", "--drop", "-L", "7", "--summary", "s", "-"},
                ">a\nGATTACA\n>b\nGATTAC\n>c\nNNNNNNN\n>d\n\n");
  CHECK(some.exit_code == 0);
  CHECK(some.err.find("warning: 3 of 4 reads have no 7 symbols in a row that are A, C, G, T or "
                      "U, so they match nothing; 2 are shorter") != std::string::npos);
  CHECK(index.folder.read("s").find("\"reads_that_cannot_match\":3,\"reads_too_short\":2,") !=
        std::string::npos);
  const Outcome none =
      index.gsx({"filter", "-x", "g.gsx", "--drop", "-L", "7", "-"}, ">a\nGATTACA\n>c\nNNNNNNN\n");
  CHECK(none.exit_code == 0);
  CHECK(none.err.find("shorter") == std::string::npos);
  CHECK(index.filter({"--drop", "-"}).exit_code == 0);
}
