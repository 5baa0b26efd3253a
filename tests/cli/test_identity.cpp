// gsx index, extract, index: extract writes the input, and its index is the same file.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/program.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

struct Policy {
  const char* name;
  Arguments options;
  const char* symbols;      ///< sequences are drawn from these
  bool keeps_every_symbol;  ///< whether extract writes every symbol as read
};

const std::vector<Policy> policies = {
    {"dna fold", {"--alphabet", "dna"}, "ACGTACGTACGTacgtnNNRyUu-*@+;", false},
    {"dna split", {"--alphabet", "dna", "--soft-mask", "split"}, "ACGTACGTacgtNNRUn-@+;", false},
    {"dna keep",
     {"--alphabet", "dna", "--soft-mask", "keep"},
     "ACGTACGTacgtacgtNNnnRry-*@+;",
     true},
    {"protein", {"--alphabet", "protein"}, "ACDEFGHIKLMNPQRSTVWYXBZacdef*", false},
    {"protein keep",
     {"--alphabet", "protein", "--soft-mask", "keep"},
     "ACDEFGHIKLMNPQRSTVWYXBZacdef*",
     true},
    {"bytes", {"--alphabet", "bytes"}, "abcXYZ019@+;:,.<=?!#%&~|'\"{}\\", true}};

/// Text after a name: nothing, one blank or several, tabs, blanks at the end.
std::string random_comment(Random& random) {
  const char* comments[] = {"",       " a comment", "\ttab", "  two blanks", " \tboth", "\t both",
                            " ends ", " ",          "\t",    " a\tb",        " >x",     " \x01"};
  return comments[below(random, std::size(comments))];
}

std::string random_sequence(Random& random, const Policy& policy) {
  const std::uint64_t kind = below(random, 8);
  if (kind == 0) return "";
  const std::string_view all = policy.symbols;
  std::string sequence;
  while (sequence.size() < (kind == 1 ? 5000 : 10 * kind)) {
    const std::uint64_t run = 1 + below(random, 30);
    sequence += below(random, 4) == 0 ? std::string(run, all[below(random, all.size())])
                                      : random_string(random, run, all);
  }
  return sequence;
}

struct Fasta {
  std::string plain;  ///< the records as extract writes them, in lines of `width`
  std::string odd;    ///< the same records with CRLF, blank lines and lines of any length
};

Fasta random_fasta(Random& random, const Policy& policy, std::uint64_t width) {
  Fasta fasta;
  const std::uint64_t records = 1 + below(random, 12);
  for (std::uint64_t r = 0; r <= records; ++r) {
    const std::string header = ">r" + std::to_string(below(random, 20)) + random_comment(random);
    std::string sequence = random_sequence(random, policy);
    if (r == 0) sequence = "ACGACGT" + sequence;  // something to index, in every policy
    fasta.plain += header + '\n';
    fasta.odd += header + "\r\n";
    const std::uint64_t line = width == 0 ? sequence.size() + 1 : width;
    for (std::size_t i = 0; i < sequence.size(); i += line)
      fasta.plain += sequence.substr(i, line) + '\n';
    for (std::size_t i = 0; i < sequence.size();) {
      const std::uint64_t count = 1 + below(random, 90);
      fasta.odd += sequence.substr(i, count) + (below(random, 2) == 0 ? "\r\n" : "\n");
      if (below(random, 9) == 0) fasta.odd += "\n";
      i += count;
    }
  }
  return fasta;
}

/// Indexes `name`.fa and gives the index file.
std::string index_of(const TemporaryFolder& folder, const std::string& name, const Policy& policy) {
  Arguments arguments = {"index", "-q", name + ".fa", "-o", name + ".gsx"};
  arguments.insert(arguments.end(), policy.options.begin(), policy.options.end());
  const Outcome outcome = run(arguments, {.folder = folder.path()});
  CAPTURE(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return folder.read(name + ".gsx");
}

std::string extract_of(const TemporaryFolder& folder, const std::string& name, const Policy& policy,
                       std::uint64_t width) {
  Arguments arguments = {"extract", "-q", name + ".gsx", "--line-width", std::to_string(width)};
  if (std::string(policy.name) == "dna split")
    arguments.insert(arguments.end(), {"--case", "keep"});
  return output_of(run(arguments, {.folder = folder.path()}));
}

}  // namespace

TEST_CASE("index, extract, index is the identity for every policy") {
  const std::uint64_t seed = run_seed();
  for (const Policy& policy : policies) {
    for (std::uint64_t round = 0; round < 6; ++round) {
      Random random(seed + round);
      CAPTURE(seed + round);
      CAPTURE(policy.name);
      const std::uint64_t widths[] = {0, 1, 2, 7, 60, 61, 1 + below(random, 100)};
      const std::uint64_t width = widths[below(random, std::size(widths))];
      CAPTURE(width);
      const TemporaryFolder folder;
      const Fasta fasta = random_fasta(random, policy, width);
      folder.write("first.fa", fasta.plain);
      folder.write("odd.fa", fasta.odd);
      const std::string first = index_of(folder, "first", policy);
      CHECK((index_of(folder, "odd", policy) == first));
      const std::string extracted = extract_of(folder, "first", policy, width);
      if (policy.keeps_every_symbol) CHECK((extracted == fasta.plain));
      folder.write("second.fa", extracted);
      CHECK((index_of(folder, "second", policy) == first));
      CHECK((extract_of(folder, "second", policy, width) == extracted));
    }
  }
}
