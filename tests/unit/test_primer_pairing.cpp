// The pairs that lists and FASTA of single primers give.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "analysis/primers/primers.hpp"
#include "base/error.hpp"
#include "support/files.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// "name:FORWARD REVERSE;" for each pair, and the error behind them. Takes `most` at a time.
std::string pairs_of(std::vector<std::string> paths, std::size_t most = 1 << 10,
                     std::uint64_t most_symbols = 1 << 20) {
  std::string all;
  PrimerReader reader(std::move(paths));
  try {
    std::vector<PrimerPair> pairs;
    while (reader.next(pairs, most, most_symbols))
      for (const PrimerPair& pair : pairs)
        all += pair.name + ':' + pair.forward + ' ' + pair.reverse + ';';
  } catch (const Error& error) {
    const std::string what = error.what();
    all += "ERROR" + what.substr(what.rfind('/') + 1);
  }
  return all;
}

/// FASTA, and a list, of names in order, whose sequences are AAAA, AAAC, and so on.
std::string sequence_of(std::size_t i) {
  return std::string("AAA") + "ACGT"[i / 4 % 4] + "ACGT"[i % 4];
}
std::string fasta_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += '>' + names[i] + '\n' + sequence_of(i) + '\n';
  return text;
}
std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += names[i] + '\t' + sequence_of(i) + '\n';
  return text;
}

/// Names, and "pair:forward reverse;" with the numbers of the names, from 0.
using Case = std::pair<std::vector<std::string>, std::string>;

std::string with_sequences(const std::string& wanted) {
  std::string all;
  for (const char c : wanted)
    all += c >= '0' && c <= '9' && all.find(':', all.rfind(';') + 1) != all.npos
               ? sequence_of(static_cast<std::size_t>(c - '0'))
               : std::string(1, c);
  return all;
}

}  // namespace

TEST_CASE("single primers are paired by their names, in any order") {
  const Case cases[] = {
      {{"a_F", "a_R", "b_F", "b_R"}, "a:0 1;b:2 3;"},
      {{"a_F", "b_F", "a_R", "b_R"}, "a:0 2;b:1 3;"},
      {{"a_F", "b_F", "b_R", "a_R"}, "a:0 3;b:1 2;"},
      {{"a_R", "b_F", "b_R", "a_F"}, "a:3 0;b:1 2;"},
      {{"a_F", "a_R", "a_R", "a_F"}, "a:0 1;a:3 2;"},
      {{"F_a", "F_b", "R_a", "R_b"}, "a:0 2;b:1 3;"},
      {{"aF", "bF", "bR", "aR"}, "a:0 3;b:1 2;"},
      {{"a/1", "b/1", "a/2", "b/2"}, "a:0 2;b:1 3;"},
      {{"a_F1", "a_F2", "a_R1", "a_R2"}, "a_1:0 2;a_2:1 3;"},
      {{"a_F_1", "a_F_2", "a_R_1", "a_R_2"}, "a_1:0 2;a_2:1 3;"},
      {{"aF_1", "aF_2", "aR_1", "aR_2"}, "a_1:0 2;a_2:1 3;"},
      // A word counts before a number that it stands with, if it makes pairs.
      {{"F_amp_1", "R_amp_1"}, "amp_1:0 1;"},
      {{"F_amp_1", "F_amp_2", "R_amp_1", "R_amp_2"}, "amp_1:0 2;amp_2:1 3;"},
      {{"R_equi_1", "R_equi_2", "R_oris_1", "R_oris_2"}, "R_equi:0 1;R_oris:2 3;"},
      {{"IL2R_1", "IL2R_2"}, "IL2R:0 1;"},
      {{"R_beta_L", "F_beta_L"}, "beta_L:1 0;"},
      {{"R_equi_F", "R_equi_R"}, "R_equi:0 1;"},
      {{"R_equi_1", "a_F", "R_equi_2", "a_R"}, "R_equi:0 2;a:1 3;"},
      // Marks of two kinds.
      {{"a_F", "aR"}, "a:0 1;"},
      {{"R_a", "a_F"}, "a:1 0;"},
      {{"a-1", "a.RIGHT"}, "a:0 1;"},
  };
  const TemporaryFolder folder;
  for (const auto& [names, wanted] : cases) {
    CAPTURE(names[0]);
    CAPTURE(wanted);
    for (const std::string& text : {fasta_of(names), list_of(names)})
      for (const std::size_t most : {1, 1000})
        CHECK(pairs_of({folder.write("list", text)}, most) == with_sequences(wanted));
  }
}

TEST_CASE("the direction of a record may stand behind a blank in its header") {
  const Case cases[] = {
      {{"a (F)", "a (R)"}, "a:0 1;"},
      {{"a (F)", "b (F)", "a (R)", "b (R)"}, "a:0 2;b:1 3;"},
      {{"a  forward", "a reverse"}, "a:0 1;"},
      {{"my a Forward Primer", "my a Reverse Primer"}, "my a:0 1;"},
      {{"F a", "R a"}, "a:0 1;"},
      {{"IL2R forward primer", "IL2R reverse primer"}, "IL2R:0 1;"},
      {{"a_1 F", "a_2 F", "a_1 R", "a_2 R"}, "a_1:0 2;a_2:1 3;"},
      {{"a_L (F)", "a_L (R)", "a_R (F)", "a_R (R)"}, "a_L:0 1;a_R:2 3;"},
      // What is said of a primer is no direction.
      {{"a_F of the arm L", "a_R of the arm L"}, "a:0 1;"},
      {{"a_F primer", "a_R primer"}, "a:0 1;"},
      {{"a/1 20 nt", "a/2 21 nt"}, "a:0 1;"},
  };
  const TemporaryFolder folder;
  for (const auto& [names, wanted] : cases) {
    CAPTURE(names[0]);
    CHECK(pairs_of({folder.write("list", fasta_of(names))}) == with_sequences(wanted));
  }
}

TEST_CASE("single primers that are no pair are errors with their place, behind all pairs") {
  const std::string as = "as NAME_F and NAME_R do";
  const std::string alone = "' has no partner, whose name differs in the direction alone, " + as;
  const std::string list = "; or give lines of NAME<tab>FORWARD<tab>REVERSE";
  const std::string fasta = "; FASTA of primers has two records per pair";
  const std::string pair = "b:AAAAC AAAAG;";
  const std::pair<std::string, std::string> cases[] = {
      {list_of({"a_F", "b_F", "b_R"}), pair + "ERRORlist: line 1: the primer 'a_F" + alone + list},
      {fasta_of({"a (F)", "b_F", "b_R"}),
       pair + "ERRORlist: record 1 ('a (F)'): the primer 'a (F)" + alone + fasta},
      {list_of({"x_F", "b_F", "b_R", "x_F", "x_R"}),
       pair + "ERRORlist: line 5: the primer 'x_R' may go with 'x_F' in line 1 or with 'x_F' in "
              "line 4; give each pair a name of its own"},
      {fasta_of({"a", "b_F", "b_R"}),
       "ERRORlist: record 1 ('a'): the name 'a' does not tell which primer of a pair this is, " +
           as + fasta},
      {list_of({"a_F", "b_F", "b_R"}) + "a_R\t\n",
       pair + "ERRORlist: line 4: column 2 is empty, where the sequence should be; a line is "
              "SEQUENCE or NAME<tab>SEQUENCE"},
  };
  const TemporaryFolder folder;
  for (const auto& [text, wanted] : cases) {
    CAPTURE(text);
    CHECK(pairs_of({folder.write("list", text)}) == wanted);
    CHECK(pairs_of({folder.write("list", text)}, 1) == wanted);
  }
}

TEST_CASE("single primers have their partners in their own file") {
  const TemporaryFolder folder;
  const std::string one = folder.write("one", list_of({"a_F", "b_F", "a_R", "b_R"}));
  const std::string two = folder.write("two", "c\tACGTACGTAC\tGACTGACTGA\n");
  const std::string three = folder.write("three", fasta_of({"a_F", "d_1", "a_R", "d_2"}));
  const std::string first = with_sequences("a:0 2;b:1 3;"), table = "c:ACGTACGTAC GACTGACTGA;";
  CHECK(pairs_of({one, two, three}) == first + table + with_sequences("a:0 2;d:1 3;"));
  const std::string half = folder.write("half", list_of({"a_F", "b_F", "b_R"}));
  const std::string other = folder.write("other", list_of({"a_R", "c_F", "c_R"}));
  CHECK(pairs_of({half, other}).starts_with("b:AAAAC AAAAG;ERRORhalf: line 1: "));
}

TEST_CASE("primers that wait for their partners take a bounded memory") {
  std::string text;
  for (int i = 0; i < 4000; ++i)
    text += "a" + std::to_string(i) + "_F\tACGTACGT\n";
  for (int i = 0; i < 4000; ++i)
    text += "a" + std::to_string(i) + "_R\tACGTACGT\n";
  const TemporaryFolder folder;
  const std::string path = folder.write("list", text);
  CHECK(pairs_of({path}, 1 << 10, 1)
            .starts_with("ERRORtoo little memory for the primers that wait for their partners"));
  CHECK(pairs_of({path}).ends_with("a3999:ACGTACGT ACGTACGT;"));
}
