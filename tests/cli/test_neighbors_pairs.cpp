// gsx neighbors: files in which mates follow one another.
#include <string>
#include <vector>

#include "support/packed_files.hpp"
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

std::string read_of(const std::string& name, const std::string& symbols) {
  return "@" + name + "\n" + symbols + "\n+\n" + std::string(symbols.size(), 'I') + "\n";
}

/// Pairs whose first mates begin with a tag, and whose second ones are of another length.
std::string pairs_of(const std::vector<std::string>& tags) {
  std::string all;
  for (std::size_t i = 0; i < tags.size(); ++i) {
    const std::string name = "p" + std::to_string(i);
    all += read_of(name + "/1", tags[i] + "CC") + read_of(name + "/2", i == 0 ? "AC" : "ACGAGGG");
  }
  return all;
}

const std::vector<std::string> tags{"ACGT", "ACGT", "ACGA", "TTTT"};
const std::string corrections =
    "sequence\tcorrected\tdistance\tcount\n"
    "ACGA\tACGT\t1\t1\nACGT\tACGT\t0\t2\nTTTT\t.\t.\t1\n";

}  // namespace

TEST_CASE("neighbors --interleaved takes the sequences of first mates, and passes second ones on") {
  const TemporaryFolder folder;
  folder.write("i.fq", pairs_of(tags));
  folder.write("w.txt", "ACGT\n");
  const std::string fixed = pairs_of({"ACGT", "ACGT", "ACGT", "TTTT"});
  const auto neighbors = [&](Arguments more, const std::string& input = "") {
    more.insert(more.begin(), {"neighbors", "-q", "--at", "1-4"});
    return run(more, {.input = input, .folder = folder.path()});
  };
  const Arguments correct{"i.fq", "--interleaved", "--whitelist", "w.txt", "--correct"};
  check_output(neighbors(correct), corrections);
  Arguments fastq = correct;
  fastq.insert(fastq.end(), {"--format", "fastq"});
  check_output(neighbors(fastq), fixed);
  check_output(neighbors({"-", "--interleaved", "--clusters", "--no-header"}, pairs_of(tags)),
               "ACGT\t3\tACGA\nTTTT\t1\t.\n");
  check_output(neighbors({"-", "--interleaved", "--no-header"}, pairs_of(tags)),
               "ACGA\tACGT\t1\t1\t2\n");
  // Many pairs, over batches and threads.
  std::vector<std::string> many;
  for (int i = 0; i < 9000; ++i)
    many.push_back(tags[static_cast<std::size_t>(i) % 4]);
  folder.write("i.fq", pairs_of(many));
  for (std::string& tag : many)
    if (tag == "ACGA") tag = "ACGT";
  Arguments limited = correct;
  limited.insert(limited.end(), {"--format", "fastq", "-t", "3", "-o", "out"});
  if (!sanitized)  // whose memory is not the program's
    limited.insert(limited.end(), {"--memory-limit", "100MB"});
  check_output(neighbors(limited), "");
  CHECK(folder.read("out") == pairs_of(many));
  // Mates that are out of step, or no reads.
  const auto refused = [&](const std::string& input, int code, const std::string& words) {
    check_failure(neighbors({"-", "--interleaved"}, input), code, {words});
  };
  refused(read_of("a", "ACGT") + read_of("b", "ACGT"), 3, "record 2 ('b')");
  refused(pairs_of(tags) + read_of("a", "ACGT"), 3, "record 9 ('a') of standard input, its last");
  refused("ACGT\nACGA\n", 2, "a list has no mates");
}

TEST_CASE("neighbors --correct refuses files of pairs") {
  const TemporaryFolder folder;
  folder.write("w.txt", "ACGT\n");
  std::string pairs;
  for (int i = 0; i < 300; ++i)
    pairs += read_of("p" + std::to_string(i) + " 1:N:0", "ACGT") +
             read_of("p" + std::to_string(i) + " 2:N:0", "ACGA");
  folder.write("i.fq", pairs);
  folder.write("few.fq", pairs_of({"ACGT"}));
  folder.write("single.fq", read_of("a_1", "ACGT") + read_of("a_2", "ACGA"));
  folder.write("single.sam", "r\t4\t*\t0\t0\t*\t*\t0\t0\tACGT\tIIII\n");
  write_alignments(
      folder / "p.bam",
      "r\t77\t*\t0\t0\t*\t*\t0\t0\tACGT\tIIII\nq\t77\t*\t0\t0\t*\t*\t0\t0\tACGA\tIIII\n", "wb");
  const auto correct = [&](Arguments more) {
    more.insert(more.begin(), {"neighbors", "-q", "--correct", "--whitelist", "w.txt"});
    return run(more, {.folder = folder.path()});
  };
  for (const char* format : {"tsv", "fastq"}) {
    for (const char* file : {"i.fq", "few.fq", "p.bam"}) {
      CAPTURE(file);
      for (const char* before : {"", "single.fq", "single.sam"}) {
        Arguments asked{"--format", format, "-o", "out"};
        if (*before != 0) asked.emplace_back(before);
        asked.emplace_back(file);
        check_failure(correct(asked), 2, {file, "--interleaved", "--unpaired"});
      }
    }
    CHECK(correct({"--format", format, "--unpaired", "i.fq"}).exit_code == 0);
    CHECK(correct({"--format", format, "single.fq", "single.sam"}).exit_code == 0);
  }
  for (const char* written : {"--clusters", "--no-header"})
    CHECK(run({"neighbors", "-q", written, "i.fq"}, {.folder = folder.path()}).exit_code == 0);
  check_failure(correct({"--unpaired", "--interleaved", "i.fq"}), 2, {"contradict"});
  check_failure(run({"neighbors", "--unpaired", "i.fq"}, {.folder = folder.path()}), 2,
                {"--correct"});
}

TEST_CASE("neighbors --correct refuses two files of mates, but no lanes") {
  const TemporaryFolder folder;
  folder.write("w.txt", "ACGT\n");
  /// Reads of a lane of Illumina, of so many symbols.
  const auto lane = [](int number, char mate, int reads, std::size_t length) {
    std::string all;
    for (int i = 0; i < reads; ++i)
      all += read_of("M:7:FC:" + std::to_string(number) + ":11:" + std::to_string(i * number) +
                         " " + mate + ":N:0:ACGT",
                     std::string("ACGA") + std::string(length - 4, 'C'));
    return all;
  };
  folder.write("L1_R1.fq", lane(1, '1', 150, 4));
  folder.write("L2_R1.fq", lane(2, '1', 150, 4));
  folder.write("L1_R2.fq", lane(1, '2', 150, 4));
  folder.write("long_R2.fq", lane(1, '2', 150, 6));
  folder.write("few_R1.fq", read_of("a/1", "ACGA"));
  folder.write("few_R2.fq", read_of("a/2", "ACGA"));
  const auto correct = [&](Arguments more) {
    more.insert(more.begin(), {"neighbors", "-q", "--correct", "--whitelist", "w.txt"});
    return run(more, {.folder = folder.path()});
  };
  const auto refused = [&](const Arguments& files, const std::string& first,
                           const std::string& second) {
    for (const char* format : {"tsv", "fastq"}) {
      Arguments asked{"--format", format, "-o", "out"};
      asked.insert(asked.end(), files.begin(), files.end());
      check_failure(correct(asked), 2,
                    {first, second, "are mates", "name only the file whose sequences",
                     "--interleaved", "--unpaired"});
    }
  };
  refused({"L1_R1.fq", "L1_R2.fq"}, "record 1 ('M:7:FC:1:11:0') of L1_R1.fq", "of L1_R2.fq");
  refused({"L1_R2.fq", "L1_R1.fq"}, "of L1_R2.fq", "of L1_R1.fq");
  refused({"L1_R1.fq", "L2_R1.fq", "L1_R2.fq"}, "of L1_R1.fq", "of L1_R2.fq");
  refused({"L1_R1.fq", "long_R2.fq"}, "of L1_R1.fq", "of long_R2.fq");
  refused({"few_R1.fq", "L1_R1.fq", "few_R2.fq"}, "of few_R1.fq", "of few_R2.fq");
  CHECK(correct({"L1_R1.fq", "L2_R1.fq"}).exit_code == 0);
  CHECK(correct({"few_R1.fq", "L2_R1.fq", "L1_R2.fq"}).exit_code == 0);
  CHECK(correct({"--unpaired", "L1_R1.fq", "L1_R2.fq"}).exit_code == 0);
  CHECK(run({"neighbors", "-q", "L1_R1.fq", "L1_R2.fq"}, {.folder = folder.path()}).exit_code == 0);
}
