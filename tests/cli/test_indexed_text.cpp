// gsx sa and gsx bwt of an index give the same bytes as for its sequences.
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

Outcome run_in(const TemporaryFolder& folder, Arguments arguments) {
  return run(arguments, {.folder = folder.path()});
}

struct Sequences {
  std::string what;
  std::string fasta;
  Arguments options;
};

std::vector<Sequences> kinds_of_sequences() {
  Random random(31);
  std::string dna, masked, protein, bytes;
  for (int r = 0; r < 20; ++r) {
    const std::string header = ">r" + std::to_string(r % 15) + " x\n";
    dna += header + random_string(random, below(random, 3000), "ACGT") + "NNRY" +
           random_string(random, below(random, 40), "ACGTN") + '\n';
    masked += header + random_string(random, below(random, 400), "ACGTacgt") + '\n';
    protein += header + random_string(random, below(random, 2000), "ACDEFGHIKLMNPQRSTVWY*") + '\n';
    bytes += header + random_string(random, below(random, 2000), "!\"#abcXYZ~;+@") + '\n';
  }
  return {{"dna with N", dna, {}},
          {"soft-masked, folded", masked, {}},
          {"soft-masked, split", masked, {"--soft-mask", "split"}},
          {"one record", ">r\n" + random_string(random, 70'000, "ACGT") + '\n', {}},
          {"one base", ">r\nA\n", {}},
          {"protein", protein, {"--alphabet", "protein"}},
          {"bytes", bytes, {"--alphabet", "bytes"}}};
}

}  // namespace

TEST_CASE("the suffix array and the BWT of an index are those of its sequences") {
  for (const Sequences& kind : kinds_of_sequences()) {
    CAPTURE(kind.what);
    const TemporaryFolder folder;
    folder.write("g.fa", kind.fasta);
    Arguments index = {"index", "g.fa", "-o", "g.idx"};
    index.insert(index.end(), kind.options.begin(), kind.options.end());
    REQUIRE(run_in(folder, index).exit_code == 0);
    for (const Arguments& command :
         std::vector<Arguments>{{"sa", "--text"},
                                {"sa", "--separators"},
                                {"sa", "--width", "5", "--check", "-t", "1"},
                                {"sa", "--wide", "--width", "8"},
                                {"bwt", "--separator", "\\n"},
                                {"bwt", "--separator", "\\0", "-t", "1"}}) {
      CAPTURE(command[1]);
      Arguments of_sequences = command, of_index = command, of_option = command;
      of_sequences.push_back("g.fa");
      of_sequences.insert(of_sequences.end(), kind.options.begin(), kind.options.end());
      of_index.push_back("g.idx");
      of_option.insert(of_option.end(), {"-x", "g.idx"});
      const std::string truth = output_of(run_in(folder, of_sequences));
      CHECK((output_of(run_in(folder, of_index)) == truth));
      CHECK((output_of(run_in(folder, of_option)) == truth));
    }
  }
}

TEST_CASE("the suffix array of an index keeps to the memory limit, in blocks") {
  Random random(8);
  const TemporaryFolder folder;
  folder.write("g.fa", ">r\n" + random_string(random, 3'000'000, "ACGT") + '\n');
  REQUIRE(run_in(folder, {"index", "g.fa"}).exit_code == 0);
  const std::string truth = output_of(run_in(folder, {"sa", "g.fa"}));
  CHECK((output_of(run_in(folder, {"sa", "g.gsx"})) == truth));
  check_failure(run_in(folder, {"sa", "g.gsx", "--memory-limit", "1000000"}), 6);
  check_failure(run_in(folder, {"bwt", "g.gsx", "--memory-limit", "1000000"}), 6,
                {"too little memory", "--memory-limit"});
  if (!sanitized) {  // sanitizers change the memory use
    const auto limited = run_in(folder, {"sa", "g.gsx", "-t", "1", "--memory-limit", "25MB"});
    CHECK((output_of(limited) == truth));
  }
}

TEST_CASE("an index excludes sequences, and options for reading sequences") {
  const TemporaryFolder folder;
  folder.write("g.fa", ">r\nACGTACGT\n");
  REQUIRE(run_in(folder, {"index", "g.fa"}).exit_code == 0);
  for (const char* command : {"sa", "bwt"}) {
    check_failure(run_in(folder, {command, "g.gsx", "g.fa"}), 2, {"'g.gsx'", "'g.fa'", "not both"});
    check_failure(run_in(folder, {command, "-x", "g.gsx", "g.fa"}), 2, {"not both"});
    check_failure(run_in(folder, {command, "-x", "g.gsx", "g.gsx"}), 2, {"two indexes"});
    check_failure(run_in(folder, {command, "g.gsx", "--alphabet", "dna"}), 2, {"--alphabet"});
    check_failure(run_in(folder, {command, "g.gsx", "--soft-mask", "split"}), 2, {"--soft-mask"});
    check_failure(run_in(folder, {command, "-x", "missing.gsx"}), 4, {"missing.gsx"});
    check_failure(run_in(folder, {command, "-x", "g.fa"}), 4, {"g.fa"});
    check_failure(run_in(folder, {command, "g.gsx", "-o", "g.gsx"}), 2, {"g.gsx"});
  }
  check_failure(run_in(folder, {"bwt", "g.gsx", "--separator", "A"}), 2, {"'A'"});
  check_failure(run_in(folder, {"bwt", "--inverse", "-x", "g.gsx", "g.fa"}), 2,
                {"--index", "--inverse reads a BWT"});
  const std::vector<Arguments> builds = {
      {"--wide"}, {"--gpu-memory", "1GB"}, {"--device", "cuda"}, {"--device", "cuda:0"}};
  for (const Arguments& option : builds) {
    CAPTURE(option[0]);
    Arguments of_index = {"bwt", "g.gsx"};
    of_index.insert(of_index.end(), option.begin(), option.end());
    check_failure(run_in(folder, of_index), 2, {option[0], "'g.gsx'", "has it already"});
  }
  check_failure(run_in(folder, {"bwt", "--inverse", "g.fa", "--wide"}), 2,
                {"--wide", "--inverse reads one"});
  for (const Arguments& option :
       {Arguments{"--alphabet", "protein"}, Arguments{"--ambiguous", "error"},
        Arguments{"--soft-mask", "keep"}, Arguments{"--batch", "7"}}) {
    CAPTURE(option[0]);
    check_failure(run_in(folder, {"bwt", "--inverse", "g.fa", option[0], option[1]}), 2,
                  {option[0], "--inverse reads a BWT"});
  }
  CHECK(run_in(folder, {"bwt", "g.gsx", "--device", "cpu"}).exit_code == 0);
  std::string damaged = folder.read("g.gsx");
  damaged[damaged.size() - 100] = static_cast<char>(damaged[damaged.size() - 100] ^ 4);
  folder.write("d.gsx", damaged);
  check_failure(run_in(folder, {"sa", "d.gsx"}), 5, {"d.gsx"});
}
