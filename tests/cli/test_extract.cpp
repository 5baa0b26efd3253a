// gsx extract: every record back, symbol for symbol.
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

struct Indexed {
  TemporaryFolder folder;

  explicit Indexed(const std::string& content, Arguments more = {}) {
    more.insert(more.begin(), {"index", folder.write("g.fa", content)});
    const Outcome outcome = run(more);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
  }
  Outcome extract(Arguments arguments = {}) const {
    arguments.insert(arguments.begin(), {"extract", "-x", "g.gsx"});
    return run(arguments, {.folder = folder.path()});
  }
};

std::string upper(std::string text) {
  for (char& c : text)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

constexpr const char* genome = ">chr1 first one\nACGTNNRYac-gtU\n>empty\n>chr2\tx\ty\nGATTACA\n";

}  // namespace

TEST_CASE("extract gives every record back, upper case, U as T, headers whole") {
  const Indexed index(genome);
  const std::string all = ">chr1 first one\nACGTNNRYAC-GTT\n>empty\n>chr2\tx\ty\nGATTACA\n";
  check_output(index.extract(), all);
  check_output(index.extract({"-o", "out.fa"}), "");
  CHECK(index.folder.read("out.fa") == all);
}

TEST_CASE("records come in the order in which they are asked for") {
  const Indexed index(genome);
  check_output(index.extract({"chr2"}), ">chr2\tx\ty\nGATTACA\n");
  check_output(index.extract({"chr2", "empty", "chr1", "chr2"}),
               ">chr2\tx\ty\nGATTACA\n>empty\n>chr1 first one\nACGTNNRYAC-GTT\n"
               ">chr2\tx\ty\nGATTACA\n");
}

TEST_CASE("lines have the requested width") {
  const Indexed index(">r\n" + std::string(125, 'A') + "\n>s\n" + std::string(120, 'C') + "\n");
  const std::string a60(60, 'A'), c60(60, 'C');
  check_output(index.extract(),
               ">r\n" + a60 + '\n' + a60 + "\nAAAAA\n>s\n" + c60 + '\n' + c60 + '\n');
  check_output(index.extract({"--line-width", "0"}),
               ">r\n" + std::string(125, 'A') + "\n>s\n" + std::string(120, 'C') + '\n');
  check_output(index.extract({"--line-width", "120", "s"}), ">s\n" + std::string(120, 'C') + '\n');
  check_output(index.extract({"--line-width", "1", "r:1-3"}), ">r:1-3\nA\nA\nA\n");
  check_output(index.extract({"--line-width", "1000", "r:1-3"}), ">r:1-3\nAAA\n");
}

TEST_CASE("long records, written in pieces, keep their line width") {
  Random random(3);
  const std::string sequence = random_string(random, 2'500'000, "ACGT");
  const Indexed index(">r\n" + sequence + '\n');
  check_output(index.extract({"--line-width", "0"}), ">r\n" + sequence + '\n');
  std::string lines = ">r\n";
  for (std::size_t i = 0; i < sequence.size(); i += 70)
    lines += sequence.substr(i, 70) + '\n';
  check_output(index.extract({"--line-width", "70"}), lines);
}

TEST_CASE("records of one name are all written, but no region of them") {
  const std::string fasta = ">r one\nAAAA\n>s\nC\n>r two\nGGGGG\n";
  const Indexed index(fasta);
  check_output(index.extract(), fasta);
  for (const char* region : {"r", "r:2-3", "r:5"})
    check_failure(index.extract({region}), 2,
                  {"several records have the name 'r'", "record 1 (4 symbols)", "record 3 (5",
                   "--whole-header"});
}

TEST_CASE("CRLF, blank lines, and a missing last line end leave no trace in the records") {
  const std::string expected = ">a x\nACGTAC\n>b\nGG\n";
  check_output(Indexed(">a x\r\nACGT\r\nAC\r\n>b\r\nGG\r\n").extract(), expected);
  check_output(Indexed("\n\n>a x\nACG\n\nTAC\n\n>b\n\nGG").extract(), expected);
  check_output(Indexed(">a x\r\nACGTAC\r\n>b\r\nGG").extract(), expected);
  check_output(Indexed("@a x\nACGTAC\n+\nIIIIII\n@b\nGG\n+\nII").extract(), expected);
}

TEST_CASE("proteins come back in upper case, and bytes unchanged") {
  check_output(Indexed(">p\nMKVlaa*\n").extract(), ">p\nMKVLAA*\n");
  check_output(Indexed(">p\naBc#!~\n", {"--alphabet", "bytes"}).extract(), ">p\naBc#!~\n");
}

TEST_CASE("what extract writes is the upper-cased input, for any mix of symbols") {
  Random random(11);
  for (const char* soft_mask : {"fold", "split"}) {
    std::string fasta, expected;
    for (int r = 0; r < 40; ++r) {
      std::string sequence;
      for (std::uint64_t runs = below(random, 12); runs > 0; --runs) {
        const char* kinds[] = {"ACGT", "acgt", "N", "n", "RYKMSWBDHV", "-.*", "ACGTacgtNn"};
        sequence += random_string(random, 1 + below(random, 50), kinds[below(random, 7)]);
      }
      const std::string header = ">r" + std::to_string(r) + " comment " + std::to_string(r) + '\n';
      fasta += header + sequence + '\n';
      expected += header + upper(sequence) + (sequence.empty() ? "" : "\n");
    }
    const Indexed index(fasta, {"--alphabet", "dna", "--soft-mask", soft_mask});
    check_output(index.extract({"--line-width", "0"}), expected);
    CHECK(output_of(run({"verify", index.folder / "g.gsx", "--full"}))
              .starts_with(index.folder / "g.gsx" + "\tok\tfull\t"));
  }
}

TEST_CASE("an index of what extract wrote is the same index") {
  const Indexed first(genome);
  const std::string fasta = first.extract().out;
  const Indexed second(fasta), third(second.extract().out);
  CHECK(second.folder.read("g.gsx") == third.folder.read("g.gsx"));
}
