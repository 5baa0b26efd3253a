// gsx bwt: the transform by hand, and there and back for every alphabet.
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

Outcome bwt(const Arguments& more, const std::string& input) {
  Arguments arguments{"bwt", "-"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run(arguments, {.input = input});
}

std::string fasta_of(const std::vector<std::string>& sequences) {
  std::string fasta;
  for (const std::string& sequence : sequences)
    fasta += ">r\n" + sequence + '\n';
  return fasta;
}

/// The text that the inverse must give: the plain stretches of all records, each with its
/// separator.
std::string text_of(const std::vector<std::string>& sequences, char separator, char ambiguous) {
  std::string text;
  for (const std::string& sequence : sequences) {
    for (const char c : sequence) {
      const bool open = !text.empty() && text.back() != separator;
      if (c != ambiguous) {
        text += c;
      } else if (open) {
        text += separator;
      }
    }
    if (!text.empty() && text.back() != separator) text += separator;
  }
  return text;
}

}  // namespace

TEST_CASE("bwt is one byte per symbol, separators included, in suffix order") {
  check_output(bwt({}, ">r\nACGT\n"), "T$ACG");
  check_output(bwt({}, ">r\nGATTACA\n"), "ACTGA$TA");
  // A C $ A $ C A $: rows $2 $4 $7 A$3 A$6 AC0 C$1 CA5.
  check_output(bwt({}, ">a\nACNNA\n>b\nCA\n"), "CAA$C$A$");
  check_output(bwt({"--separator", "|"}, ">r\nACGT\n"), "T|ACG");
  check_output(bwt({"--separator", "\\n"}, ">r\nACGT\n"), "T\nACG");
  check_output(bwt({"--separator", "\\0"}, ">r\nACGT\n"), std::string("T\0ACG", 5));
}

TEST_CASE("the inverse of the transform of DNA is the text") {
  for (const auto& sequences : adversarial_collections(6)) {
    CAPTURE(fasta_of(sequences).substr(0, 200));
    const std::string made = output_of(bwt({"--alphabet", "dna"}, fasta_of(sequences)));
    check_output(bwt({"--inverse"}, made), text_of(sequences, '$', 'N'));
  }
}

TEST_CASE("the inverse of the transform of proteins and bytes is the text") {
  Random random(9);
  const std::vector<std::string> proteins = {random_string(random, 3000, "ACDEFGHIKLMNPQRSTVWY*X"),
                                             "M", "MKVLA", "MKVLA"};
  const std::string protein = output_of(bwt({"--alphabet", "protein"}, fasta_of(proteins)));
  check_output(bwt({"--inverse"}, protein), text_of(proteins, '$', '\0'));

  std::string all;
  for (int byte = 0x21; byte < 0x100; ++byte) {
    if (byte != '>' && byte != 0x7f) all += static_cast<char>(byte);
  }
  const std::vector<std::string> bytes = {"a" + random_string(random, 3000, all) + "$", "$$$$"};
  const std::string made =
      output_of(bwt({"--alphabet", "bytes", "--separator", "\\n"}, fasta_of(bytes)));
  check_output(bwt({"--inverse", "--separator", "\\n"}, made), text_of(bytes, '\n', '\0'));
  const std::string zero =
      output_of(bwt({"--alphabet", "bytes", "--separator", "\\0"}, fasta_of(bytes)));
  check_output(bwt({"--inverse", "--separator", "\\0"}, zero), text_of(bytes, '\0', '\n'));
}

TEST_CASE("a separator that occurs in the input is refused, and nothing is written") {
  const TemporaryFolder folder;
  for (const auto& [separator, input] :
       std::vector<std::pair<std::string, std::string>>{{"$", ">r\nab$c\n"}, {"b", ">r\nab$c\n"}}) {
    const Arguments more{"--alphabet", "bytes", "--separator", separator, "-o", folder / "out"};
    check_failure(bwt(more, input), 2, {"separator '" + separator + "'", "--separator"});
    CHECK(folder.names().empty());
  }
  check_failure(bwt({"--separator", "A"}, ">r\nACGT\n"), 2, {"separator 'A'"});
  check_output(bwt({"--separator", "N"}, ">r\nACGTN\n"), "TNACG");  // N is never in the text
}

TEST_CASE("a file that is not a BWT cannot be inverted: bad input") {
  const TemporaryFolder folder;
  check_failure(bwt({"--inverse"}, ""), 3, {"error: standard input is empty"});
  check_failure(run({"bwt", "--inverse", folder.write("empty", "")}), 3, {"empty"});
  check_failure(run({"bwt", "--inverse", folder / "missing"}), 3, {"missing", "No such file"});
  check_failure(run({"bwt", "--inverse", folder.path()}), 3, {folder.path(), "directory"});
  check_failure(bwt({"--inverse"}, "ACGT"), 3, {"no separator"});
  check_failure(bwt({"--inverse"}, "$ACGT"), 3, {"not a BWT"});
  check_failure(bwt({"--inverse"}, "T$ACG\n"), 3, {"not a BWT"});
  check_failure(bwt({"--inverse", "-o", folder / "out"}, "AAAA$AAAA"), 3, {"not a BWT"});
  CHECK(folder.names() == std::vector<std::string>{"empty"});
}

TEST_CASE("what is easily taken for a BWT is named: another file, another separator, an index") {
  const TemporaryFolder folder;
  const std::string wrong = folder.write("wrong.bwt", "$ACGT");
  check_failure(run({"bwt", "--inverse", wrong}), 3, {wrong, "not a BWT"});
  check_failure(bwt({"--inverse"}, "T\nACG"), 3,
                {"standard input", "separator '$'", "--separator"});
  check_failure(run({"bwt", "--inverse", folder.write("c", "\x1F\x8B$more")}), 3, {"compressed"});
  check_failure(run({"bwt", "--inverse", folder.write("i", "GSXINDEX$more")}), 3, {"is an index"});
  check_failure(run({"bwt", "--inverse", "-x", wrong}), 2, {"--index", "--inverse"});
  check_failure(run({"bwt", "--inverse"}), 2, {"FILE is required", "standard input"});
}

TEST_CASE("random bytes are refused, or their inverse has the same symbols") {
  Random random(4);
  int refused = 0;
  for (int i = 0; i < 60; ++i) {
    const std::string garbage = random_string(random, 1 + below(random, 30), "AC$");
    const Outcome outcome = bwt({"--inverse", "-q"}, garbage);
    if (outcome.exit_code == 3) {
      ++refused;
      check_failure(outcome, 3, {"not a BWT"});
      continue;
    }
    REQUIRE(outcome.exit_code == 0);
    CHECK(std::is_permutation(outcome.out.begin(), outcome.out.end(), garbage.begin(),
                              garbage.end()));
    CHECK(outcome.out.back() == '$');
  }
  CHECK(refused > 20);
}
