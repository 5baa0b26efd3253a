// gsx amplicon: the products of pairs of primers, from the command line.
#include <algorithm>
#include <optional>
#include <tuple>

#include "search/mismatches/base_set.hpp"
#include "support/indexed.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

constexpr const char* header =
    "pair_id\ttarget_id\tstart\tend\tlength\tstrand\tfwd_mismatches\trev_mismatches\tprimers\t"
    "n_total\tn_reported\ttruncated\n";

// ACGTTG ... CCATAG on r1 at 0 to its last base; on r2 turned round, with N between the primers.
constexpr const char* genome =
    ">r1 a record\nACGTTGTTTTTTCCATAG\n>r2\nAACTATGGTNNNNTCAACGTA\n>r3\nACGTTG\n>r4\nCCATAG\n";
constexpr const char* pair = "p\tACGTTG\tCTATGG\n";

struct Genome : IndexedFolder {
  explicit Genome(const std::string& content = genome) : IndexedFolder(content) {}
  /// Reads the pairs from standard input.
  Outcome amplicon(const std::string& pairs, Arguments more = {}) const {
    more.insert(more.begin(), {"amplicon", "-x", "g.gsx", "-"});
    return gsx(more, pairs);
  }
  /// From --min 1, without a header.
  Outcome lines(const std::string& pairs, Arguments more = {}) const {
    more.insert(more.end(), {"--min", "1", "--no-header"});
    return amplicon(pairs, more);
  }
};

// --- The same by brute force -----------------------------------------------------------------

struct Record {
  std::string name;
  std::string symbols;
};

struct Rules {
  std::size_t mismatches;
  std::size_t end_bases;
  std::size_t end_mismatches;
  std::size_t least;
  std::size_t most;
};

char complement(char base) {
  return "TGCA"[std::string_view("ACGT").find(base)];
}

/// The mismatches of a primer at a place of a record; none if it does not match there.
std::optional<std::size_t> mismatches_at(const std::string& record, std::size_t at,
                                         const std::string& primer, bool reverse,
                                         const Rules& rules) {
  if (at + primer.size() > record.size()) return std::nullopt;
  std::size_t all = 0, at_end = 0;
  for (std::size_t i = 0; i < primer.size(); ++i) {
    char base = record[reverse ? at + primer.size() - 1 - i : at + i];
    if (std::string_view("ACGT").find(base) == std::string_view::npos) return std::nullopt;
    if (reverse) base = complement(base);
    const auto code = static_cast<std::uint32_t>(std::string_view("ACGT").find(base));
    if (has_base(iupac_base_set(primer[i]), code)) continue;
    ++all;
    if (i + rules.end_bases >= primer.size()) ++at_end;
  }
  if (all > rules.mismatches || at_end > rules.end_mismatches) return std::nullopt;
  return all;
}

/// All products of a pair, one per line, as TSV without the last three columns.
std::vector<std::string> products_of(const std::vector<Record>& records, const std::string& name,
                                     const std::string& forward, const std::string& reverse,
                                     const Rules& rules) {
  const std::string* primers[] = {&forward, &reverse};
  const std::vector<std::tuple<int, int, std::string, char>> roles = {
      {0, 1, "FR", '+'}, {1, 0, "RF", '-'}, {0, 0, "FF", '.'}, {1, 1, "RR", '.'}};
  std::vector<std::string> lines;
  for (const Record& record : records) {
    for (std::size_t start = 0; start < record.symbols.size(); ++start) {
      for (std::size_t end = start + 1; end <= record.symbols.size(); ++end) {
        const std::size_t length = end - start;
        if (length < rules.least || length > rules.most) continue;
        for (const auto& [a, b, role, strand] : roles) {
          if (forward == reverse && role != "FF") continue;
          const std::string &first = *primers[a], &second = *primers[b];
          if (length < std::max(first.size(), second.size())) continue;
          const auto m = mismatches_at(record.symbols, start, first, false, rules);
          if (!m) continue;
          const auto n = mismatches_at(record.symbols, end - second.size(), second, true, rules);
          if (!n) continue;
          const std::size_t fwd = role == "RF" ? *n : *m, rev = role == "RF" ? *m : *n;
          lines.push_back(name + '\t' + record.name + '\t' + std::to_string(start) + '\t' +
                          std::to_string(end) + '\t' + std::to_string(length) + '\t' + strand +
                          '\t' + std::to_string(fwd) + '\t' + std::to_string(rev) + '\t' + role);
        }
      }
    }
  }
  return lines;
}

std::string turned_round(std::string symbols) {
  std::reverse(symbols.begin(), symbols.end());
  for (char& base : symbols)
    base = complement(base);
  return symbols;
}

std::string random_primer(Random& random, const std::vector<Record>& records) {
  const std::string& record = records[below(random, records.size())].symbols;
  std::string primer = random_string(random, 5 + below(random, 6), "ACGT");
  if (record.size() > primer.size() && below(random, 4) != 0) {
    std::string piece = record.substr(below(random, record.size() - primer.size()), primer.size());
    std::replace(piece.begin(), piece.end(), 'N', 'A');
    primer = below(random, 2) == 0 ? turned_round(piece) : piece;
  }
  if (below(random, 3) == 0)
    primer[below(random, primer.size())] = "RYSWKMBDHVN"[below(random, 11)];
  if (below(random, 6) == 0) {  // a palindrome
    for (std::size_t i = 0; i < primer.size() / 2; ++i) {
      if (std::string_view("ACGT").find(primer[i]) == std::string_view::npos) primer[i] = 'A';
      primer[primer.size() - 1 - i] = complement(primer[i]);
    }
  }
  return primer;
}

}  // namespace

TEST_CASE("amplicon finds products in both orientations, at both ends of records, and over N") {
  const Genome g;
  check_output(g.amplicon(pair, {"--min", "10"}), std::string(header) +
                                                      "p\tr1\t0\t18\t18\t+\t0\t0\tFR\t2\t2\tno\n" +
                                                      "p\tr2\t2\t20\t18\t-\t0\t0\tRF\t2\t2\tno\n");
  check_output(g.amplicon(pair, {"--min", "18", "--max", "18", "--no-header", "--bed"}),
               "r1\t0\t18\tp\t0\t+\nr2\t2\t20\tp\t0\t-\n");
  check_output(g.amplicon(pair, {"--min", "10", "--fasta"}),
               ">p r1:0-18(+) length=18 primers=FR mismatches=0,0\nACGTTGTTTTTTCCATAG\n"
               ">p r2:2-20(-) length=18 primers=RF mismatches=0,0\nACGTTGANNNNACCATAG\n");
  check_output(g.amplicon(pair), header);  // --min is 50
  check_output(g.amplicon(pair, {"--min", "19"}), header);
  check_output(g.amplicon(pair, {"--min", "1", "--max", "17"}), header);
  const Outcome direct =
      run({"amplicon", "-r", g.folder.path() + "/g.fa", "-", "--min", "10"}, {.input = pair});
  check_output(direct, output_of(g.amplicon(pair, {"--min", "10"})));
}

TEST_CASE("the suffix of the output names the format of amplicon") {
  const Genome g;
  const auto written = [&](const std::string& name) {
    CHECK(g.lines(pair, {"-o", name}).exit_code == 0);
    return g.folder.read(name);
  };
  CHECK(written("a.bed").starts_with("r1\t0\t18\tp\t0\t+\n"));
  CHECK(written("a.fa").starts_with(">p r1:0-18(+)"));
  CHECK(written("a.fasta").starts_with(">p r1:0-18(+)"));
  CHECK(written("a.txt").starts_with("p\tr1\t0\t18\t"));
  CHECK(written("a.bed.gz").starts_with("\x1f\x8b"));
  CHECK(g.lines(pair, {"-o", "b.bed", "--format", "tsv"}).exit_code == 0);
  CHECK(g.folder.read("b.bed").starts_with("p\tr1"));
  check_failure(g.lines(pair, {"--bed", "--format", "fasta"}), 2, {"disagree"});
  check_failure(g.lines(pair, {"--bed", "--fasta"}), 2);
}

TEST_CASE("a long product is wrapped, and turned round as a whole") {
  Random random(8);
  const std::string middle = random_string(random, 2'500'000, "ACGT");
  const std::string turned =
      "CCTATTGCATAACGC" + middle + "GTTGACCATTGCCAA";  // R, then F turned round
  const Genome g(">r\n" + turned + "\n");
  const std::string out = output_of(
      g.amplicon("p\tTTGGCAATGGTCAAC\tCCTATTGCATAACGC\n", {"--max", "3000000", "--fasta"}));
  const std::vector<std::string> lines = lines_of(out);
  std::string sequence;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    CHECK_MESSAGE((lines[i].size() == 60 || i + 1 == lines.size()), i);
    sequence += lines[i];
  }
  CHECK(sequence == turned_round(turned));
}

TEST_CASE("mismatches count per primer, and --3prime limits those at the 3' end") {
  //                           F + 2 at its 5' end       F + 1 at its 3' end
  const Genome g(">a\nTGGTTGTTTTTTCCATAG\n>b\nACGTTCTTTTTTCCATAG\n>c\nACGTCCTTTTTTCCATAG\n");
  const std::string a = "p\ta\t0\t18\t18\t+\t2\t0\tFR\t", b = "p\tb\t0\t18\t18\t+\t1\t0\tFR\t",
                    c = "p\tc\t0\t18\t18\t+\t2\t0\tFR\t";
  const auto whole = [&](const std::string& pairs, Arguments more = {}) {
    more.insert(more.end(), {"--min", "18", "--no-header"});
    return g.amplicon(pairs, more);
  };
  check_output(whole(pair), "");
  check_output(whole(pair, {"-k", "1"}), b + "1\t1\tno\n");
  check_output(whole(pair, {"-k", "2"}), a + "3\t3\tno\n" + b + "3\t3\tno\n" + c + "3\t3\tno\n");
  check_output(whole(pair, {"-k", "2", "--3prime", "3:0"}), a + "1\t1\tno\n");
  check_output(whole(pair, {"-k", "2", "--3prime", "3:1"}), a + "2\t2\tno\n" + b + "2\t2\tno\n");
  check_output(whole(pair, {"-k", "2", "--3prime", "99:0"}), "");
  check_output(whole(pair, {"-k", "2", "--max-hits", "1"}), b + "3\t1\tyes\n");
  check_output(whole(pair, {"-k", "2", "--max-hits", "2"}), a + "3\t2\tyes\n" + b + "3\t2\tyes\n");
  const Outcome cut = whole(pair, {"-k", "2", "--max-hits", "1"});
  CHECK(cut.err.find("1 pair has more than 1 products; only those with the fewest mismatches") !=
        std::string::npos);
  check_failure(g.lines(pair, {"--3prime", "5"}), 2, {"is not W:M"});
  check_failure(g.lines(pair, {"--3prime", "0:0"}), 2);
}

TEST_CASE("one primer makes products with itself, and equal primers make each once") {
  const Genome g(">r\nACGTTGAAAACAACGT\n");
  check_output(g.lines("p\tACGTTG\tCTATGG\n"), "p\tr\t0\t16\t16\t.\t0\t0\tFF\t1\t1\tno\n");
  check_output(g.lines("p\tCTATGG\tACGTTG\n"), "p\tr\t0\t16\t16\t.\t0\t0\tRR\t1\t1\tno\n");
  check_output(g.lines("p\tACGTTG\tacguug\n"), "p\tr\t0\t16\t16\t.\t0\t0\tFF\t1\t1\tno\n");
  // A palindrome lies on both strands at once.
  check_output(Genome(">r\nAACGTT\n").lines("p\tAACGTT\tGGGGGG\n"),
               "p\tr\t0\t6\t6\t.\t0\t0\tFF\t1\t1\tno\n");
}

TEST_CASE("amplicon finds what a comparison of all starts with all ends finds") {
  Random random(21);
  for (int round = 0; round < 40; ++round) {
    std::vector<Record> records;
    std::string fasta, pairs, expected;
    for (std::uint64_t r = 1 + below(random, 4); r > 0; --r) {
      const std::string_view symbols = std::string_view("ACGT").substr(0, 1 + below(random, 4));
      std::string record = random_string(random, below(random, 150), symbols);
      for (std::uint64_t runs = below(random, 3); runs > 0 && !record.empty(); --runs)
        record.replace(below(random, record.size()), below(random, 20), below(random, 9), 'N');
      records.push_back({"r" + std::to_string(r), record});
      fasta += ">" + records.back().name + "\n" + record + "\n";
    }
    const Rules rules{below(random, 3), below(random, 2) * (1 + below(random, 6)), below(random, 2),
                      1 + below(random, 30), 20 + below(random, 100)};
    if (rules.least > rules.most) continue;
    for (int i = 0; i < 12; ++i) {
      const std::string forward = random_primer(random, records);
      const std::string reverse = below(random, 5) == 0 ? forward : random_primer(random, records);
      if (forward.find_first_not_of('N') == std::string::npos ||
          reverse.find_first_not_of('N') == std::string::npos) {
        continue;
      }
      const std::string name = "p" + std::to_string(i % 7);
      pairs += name + '\t' + forward + '\t' + reverse + '\n';
      const auto products = products_of(records, name, forward, reverse, rules);
      const std::string total = std::to_string(products.size());
      for (const std::string& product : products)
        expected += product + '\t' + total + '\t' + total + "\tno\n";
    }
    if (fasta.find_first_of("ACGT") == std::string::npos) continue;
    Arguments more = {
        "-k",    std::to_string(rules.mismatches), "--min",      std::to_string(rules.least),
        "--max", std::to_string(rules.most),       "--no-header"};
    if (rules.end_bases != 0) {
      more.insert(more.end(), {"--3prime", std::to_string(rules.end_bases) + ":" +
                                               std::to_string(rules.end_mismatches)});
    }
    CAPTURE(fasta);
    CAPTURE(pairs);
    const Genome g(fasta);
    check_output(g.amplicon(pairs, more), expected);
  }
}

TEST_CASE("threads and memory do not change what amplicon writes") {
  Random random(4);
  const std::string record = mutated_copies(random, 900, 60, 20, "ACGT");
  std::string pairs;
  for (int i = 0; i < 60; ++i) {
    pairs += "p" + std::to_string(i) + '\t' + record.substr(below(random, record.size() - 20), 18) +
             '\t' + turned_round(record.substr(below(random, record.size() - 20), 18)) + '\n';
  }
  pairs += "any\tNNNNNA\tNNNNNC\n";  // matches nearly everywhere
  const Genome g(">r\n" + record + "\n");
  const Arguments asked = {"-k", "2", "--3prime", "5:0", "--max", "400"};
  const auto with = [&](Arguments more) {
    more.insert(more.end(), asked.begin(), asked.end());
    return output_of(g.amplicon(pairs, more));
  };
  const std::string one = with({"-t", "1"});
  CHECK(lines_of(one).size() > 1000);
  CHECK(one == with({"-t", "2"}));
  CHECK(one == with({"-t", "7"}));
  CHECK(one == with({"-t", "2", "--memory-limit", "40M"}));
  check_failure(g.amplicon(pairs, {"--memory-limit", "1M"}), 6, {"too little memory"});
}

TEST_CASE("pairs that cannot be searched are counted; if all are such, it is an error") {
  const Genome g;
  const std::string bad = "x\tACXT\tCTATGG\nn\tACGTTG\tNNNN\ns\tAC\tCTATGG\n";
  const Outcome some = g.lines(bad + pair, {"-k", "2", "--3prime", "6:0"});
  check_output(
      some, "p\tr1\t0\t18\t18\t+\t0\t0\tFR\t2\t2\tno\np\tr2\t2\t20\t18\t-\t0\t0\tRF\t2\t2\tno\n");
  CHECK(some.err.find("3 of 4 pairs cannot be searched (first: 'x' has a forward primer that "
                      "holds 'X'") != std::string::npos);
  const Outcome none = g.lines(bad, {"-k", "2"});
  CHECK(none.exit_code == 3);
  CHECK(none.err.find("no pair can have products: 3 of 3 pairs") != std::string::npos);
}

TEST_CASE("an empty file of primers is an empty result") {
  const Outcome empty = Genome().amplicon("# none\n\n");
  check_output(empty, header);
  CHECK(empty.err.find("standard input: the file has no pairs of primers") != std::string::npos);
}

TEST_CASE("wrong input to amplicon is refused") {
  const Genome g;
  check_failure(g.lines("p\tACGT\n"), 3, {"standard input", "line 1", "there are 2 columns"});
  check_error(g.lines(std::string(pair) + "ACGT CATG\n"), 3, {"line 2", "there is 1 column"});
  check_failure(g.lines("p,ACGTACGT\nq,CATGCATG\n"), 3,
                {"line 1", "the name 'p' does not tell which primer"});
  check_failure(g.lines("p\t\tCATG\n"), 3,
                {"column 2 is empty, where the forward primer should be"});
  check_failure(g.lines("p\tCATG\t\n"), 3,
                {"column 3 is empty, where the reverse primer should be"});
  check_failure(g.lines("p\tCA TG\tCCCC\n"), 3, {"blank inside the forward primer"});
  check_failure(g.lines(">p\nCATG\n"), 3, {"FASTA"});
  check_failure(g.lines(">p\nCATG\n>q\nCATG\n"), 3, {"record 1 ('p')", "NAME_F"});
  check_failure(g.lines(pair, {"missing.tsv"}), 3, {"missing.tsv", "cannot read it"});
  check_failure(g.lines(pair, {"-"}), 2, {"given twice"});
  check_failure(g.amplicon(pair, {"--min", "9", "--max", "8"}), 2, {"no product can be so long"});
  check_failure(g.lines(pair, {"-r", "g.fa"}), 2, {"give one of them"});
  check_failure(g.lines(pair, {"-o", "g.gsx"}), 2, {"g.gsx"});
  check_failure(run({"amplicon", "-x", g.folder.path() + "/g.gsx"}), 2, {"no primers"});
  CHECK(run({"index", g.folder.write("p.fa", ">p\nMKVLLAEEFQ\n")}).exit_code == 0);
  check_failure(run({"amplicon", "-x", g.folder.path() + "/p.gsx", "-"}, {.input = pair}), 2,
                {"amplicon needs a DNA index"});
  // Names may repeat, also in lines that end in CR.
  check_output(g.lines("p\tACGTTG\tCTATGG\r\np\tACGTTG\tCTATGG\r\n", {"--max-hits", "1", "--bed"}),
               "r1\t0\t18\tp\t0\t+\nr1\t0\t18\tp\t0\t+\n");
}

TEST_CASE("the first line of primers is a header if it holds no sequences") {
  const Genome g;
  const std::string expected =
      "p\tr1\t0\t18\t18\t+\t0\t0\tFR\t2\t2\tno\np\tr2\t2\t20\t18\t-\t0\t0\tRF\t2\t2\tno\n";
  for (const char* first : {"name\tforward\treverse\n", "#a\r\n\r\nid\tFwd_primer\tR_primer\r\n"}) {
    const Outcome outcome = g.lines(first + std::string(pair));
    check_output(outcome, expected);
    CHECK(outcome.err.find("standard input: the first line is taken for a header") !=
          std::string::npos);
    CHECK(outcome.err.find("cannot be searched") == std::string::npos);
  }
  // Not if one of them could be a primer with a wrong letter, and only the first line.
  const Outcome wrong = g.lines("x\tACXT\tCTATGG\n" + std::string(pair));
  CHECK(wrong.err.find("1 of 2 pairs cannot be searched") != std::string::npos);
  const Outcome later = g.lines(pair + std::string("name\tforward\treverse\n"));
  check_output(later, expected);
  CHECK(later.err.find("1 of 2 pairs cannot be searched (first: 'name'") != std::string::npos);
  const Outcome alone = g.amplicon("name\tforward\treverse\n");
  check_output(alone, header);
  CHECK(alone.err.find("the file has no pairs of primers") != std::string::npos);
}

TEST_CASE("names of pairs may hold blanks") {
  const Genome g;
  const std::string named = "  my pair \t acgttg \tCTATGG\n";
  check_output(g.lines(named, {"--bed"}), "r1\t0\t18\tmy pair\t0\t+\nr2\t2\t20\tmy pair\t0\t-\n");
  CHECK(output_of(g.lines(named, {"--fasta"})).starts_with(">my_pair r1:0-18(+) length=18"));
}

TEST_CASE("places of primers that N leaves out are counted in the log") {
  const Genome g;  // r2 has 21 symbols, of which 4 are N
  CHECK(g.lines(pair).err.find("9 places of 6 bases, as many as the longest primer has, left out: "
                               "N or another symbol that is not A C G T lies in them") !=
        std::string::npos);
  CHECK(Genome(">r\nACGTTGTTTTTTCCATAG\n").lines(pair).err.find("left out") == std::string::npos);
}
