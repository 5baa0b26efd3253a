// Lists as people have them, given to each command that takes one. tests/unit/test_list_columns.cpp
// and test_list_evidence.cpp have more forms.
#include "support/columns.hpp"
#include "support/indexed.hpp"

using namespace gsx::testing;

namespace {

constexpr const char* genome = ">c1\nGGCATTACGTACGTTTGACCAGTCAGGTTTAACCGATAGGCTAAC\n";

struct Form {
  const char* text;
  const char* names[2];
};

/// Two sequences, each once in the genome.
const Form forms[] = {
    {"CATTACGT\nGACCAGTC\n", {"CATTACGT", "GACCAGTC"}},
    {"p1\tCATTACGT\np2\tGACCAGTC\n", {"p1", "p2"}},
    {"p1,CATTACGT\np2,GACCAGTC\n", {"p1", "p2"}},
    {"p1;CATTACGT\np2;GACCAGTC\n", {"p1", "p2"}},
    {"name\tsequence\np1\tCATTACGT\np2\tGACCAGTC\n", {"p1", "p2"}},
    {"\xEF\xBB\xBFName,Sequence\r\n\"p 1\",\"CATTACGT\"\r\n\"p, 2\",\"GACCAGTC\"\r\n",
     {"p 1", "p, 2"}},
    {"CATTACGT\talpha\nGACCAGTC\tbeta\n", {"alpha", "beta"}},
    {"CATTACGT 5\nGACCAGTC 12\n", {"CATTACGT", "GACCAGTC"}},
    {"CATTACGT\t5\nGACCAGTC\t12\n", {"CATTACGT", "GACCAGTC"}},
    {"      5 CATTACGT\n     12 GACCAGTC\n", {"CATTACGT", "GACCAGTC"}},
    {"CATTACGT-1\nGACCAGTC-1\n", {"CATTACGT-1", "GACCAGTC-1"}},
    {"id,sequence,pam,chromosome,position,sense\np1,CATTACGT,NGG,c1,0,+\np2,GACCAGTC,NGG,c1,9,-\n",
     {"p1", "p2"}},
    {"p1\tCATTACGT\tNGG\tx\np2\tGACCAGTC\tNGG\ty\n", {"p1", "p2"}},
    {"# one\n>p1\nCATT\nACGT\n>p2\nGACCAGTC\n", {"p1", "p2"}},
    {"# one\rp1;CATTACGT;1,5\rp2;GACCAGTC;2\r", {"p1", "p2"}},
    {"Oligo;Sequence 5'-3'\np1;CATTACGT\np2;GACCAGTC\n", {"p1", "p2"}},
    {"# one\n\np1\tCAUUACGU\n# two\np2\tgaccaguc\n", {"p1", "p2"}},
};

/// The first columns of all lines.
std::string first_columns(const std::string& text, std::size_t count) {
  std::string all;
  for (const std::string& line : lines_of(text)) {
    const auto columns = columns_of(line);
    for (std::size_t i = 0; i < count; ++i)
      all += columns.at(i) + (i + 1 == count ? ";" : " ");
  }
  return all;
}

std::string both(const Form& form, const std::string& rest) {
  return std::string(form.names[0]) + rest + ";" + form.names[1] + rest + ";";
}

}  // namespace

TEST_CASE("count takes lists of all forms by -f and as a file of queries") {
  const IndexedFolder index(genome);
  for (const Form& form : forms) {
    CAPTURE(form.text);
    for (const Arguments& how : {Arguments{"-f", "-"}, Arguments{"-"}}) {
      Arguments arguments = {"count", "-q", "--no-header", "-t", "2"};
      arguments.insert(arguments.end(), how.begin(), how.end());
      CHECK(first_columns(output_of(index.gsx(arguments, form.text)), 3) == both(form, " 8 1"));
    }
  }
}

TEST_CASE("a long line of guides or primers is refused wherever it stands, with file and line") {
  const IndexedFolder index(genome);
  const std::string tail = "\tCATTACGTACGTTTGACCAG\tGACCAGTCAGGTTTAACCGA\n";
  const std::string text = "a" + tail + "b" + std::string(70000, 'x') + tail + "c" + tail;
  index.folder.write("list.tsv", text);
  for (const char* const command : {"offtarget", "amplicon"}) {
    for (const char* const from : {"list.tsv", "-"}) {
      const Outcome outcome = index.gsx({command, from}, text);
      CHECK(outcome.exit_code == 3);
      CAPTURE(outcome.err);
      CHECK(outcome.err.find(": line 2: the line has more than 65536 bytes") != std::string::npos);
    }
  }
}

TEST_CASE("all commands of queries take a list as a file, and say so") {
  const IndexedFolder index(genome);
  index.folder.write("list.tsv", "p1\tCATTACGT\np2\tGACCAGTC\tx\n");
  for (const Arguments& command :
       {Arguments{"count"}, Arguments{"locate"}, Arguments{"locate", "-k", "1"},
        Arguments{"mem", "-L", "8"}, Arguments{"ms"}}) {
    Arguments by_option = command, by_name = command;
    by_option.insert(by_option.end(), {"-f", "list.tsv"});
    by_name.emplace_back("list.tsv");
    const Outcome named = index.gsx(by_name);
    CHECK(named.out == output_of(index.gsx(by_option)));
    CHECK(named.err.find("list.tsv: the file is read as a list") != std::string::npos);
    CHECK(named.err.find("list.tsv: 1 further column is passed over") != std::string::npos);
  }
}

TEST_CASE("prefix takes sets and queries of all forms") {
  const TemporaryFolder folder;
  folder.write("q.fa", ">a\nCATTACGTA\n>b\nGACCAGTCC\n");
  for (const Form& form : forms) {
    CAPTURE(form.text);
    const Outcome outcome = run({"prefix", "-q", "--counts", "--no-header", "--set", "-", "q.fa"},
                                {.input = form.text, .folder = folder.path()});
    CHECK(first_columns(output_of(outcome), 3) == both(form, " 8 1") + ". 0 0;");
    const Outcome queries =
        run({"prefix", "-q", "--no-header", "--entry", "CATT", "--entry", "GACC", "-"},
            {.input = form.text, .folder = folder.path()});
    CHECK(first_columns(output_of(queries), 1) == both(form, ""));
  }
}

TEST_CASE("offtarget takes guides of all forms") {
  const TemporaryFolder folder;
  folder.write("g.fa", ">c1\nGGCATTACGTAGGTTTGACCAGTCAGG\n");
  for (const Form& form : forms) {
    CAPTURE(form.text);
    const Outcome outcome = run({"offtarget", "-q", "--no-header", "-r", "g.fa", "-k", "0", "-"},
                                {.input = form.text, .folder = folder.path()});
    const auto lines = lines_of(output_of(outcome));
    REQUIRE(lines.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(columns_of(lines[i])[0] == form.names[i]);
      CHECK(columns_of(lines[i])[3] == "1");
    }
  }
}

TEST_CASE("neighbors takes counts from wherever they are") {
  const std::pair<const char*, const char*> lists[] = {
      {"CATTACGT\t5\nCATTACGA\t12\n", "12 5"},
      {"CATTACGT 5\nCATTACGA 12\n", "12 5"},
      {"      5 CATTACGT\n     12 CATTACGA\n", "12 5"},
      {"barcode,count\nCATTACGT,5\nCATTACGA,12\n", "12 5"},
      {"count\tbarcode\n5\tCATTACGT\n12\tCATTACGA\n", "12 5"},
      {"CATTACGT\tCATTACGG,CATTACGC\t5\t3,4\nCATTACGA\t\t12\t\n", "12 5"},
      {"CATTACGT-1\nCATTACGA-1\n", "1 1"},
      {"CATTACGT\tsample one\nCATTACGA\tsample two\n", "1 1"},
  };
  for (const auto& [list, counts] : lists) {
    CAPTURE(list);
    const Outcome outcome = run({"neighbors", "-q", "--no-header", "-"}, {.input = list});
    const auto columns = columns_of(output_of(outcome).substr(0, outcome.out.find('\n')));
    REQUIRE(columns.size() == 5);
    CHECK(columns[0] + ' ' + columns[1] == "CATTACGA CATTACGT");
    CHECK(columns[3] + ' ' + columns[4] == counts);
  }
  // A whitelist as Cell Ranger has it.
  const TemporaryFolder folder;
  write_gzip(folder / "barcodes.tsv.gz", "CCCAAACCTCCCACAG-1\nCCCAAACCTCCCAACC-1\n");
  check_output(
      run({"neighbors", "-q", "--no-header", "-", "--whitelist", "barcodes.tsv.gz", "--correct"},
          {.input = "CCCAAACCTCCCACAG\nCCCAAACCTCCCAACG\n", .folder = folder.path()}),
      "CCCAAACCTCCCAACG\tCCCAAACCTCCCAACC\t1\t1\n"
      "CCCAAACCTCCCACAG\tCCCAAACCTCCCACAG\t0\t1\n");
}

TEST_CASE("amplicon takes primers of all forms, and inosine as N") {
  const TemporaryFolder folder;
  folder.write("t.fa", ">t\nAATTACGTACGTCCTTGGAACCTTGGTTTTGGGGCCCCAGTCAGTCAATT\n");
  for (const char* list :
       {"p\tACGTACGT\tGACTGACT\t58.1\t57.9\n",
        "Name\tForward primer\tReverse primer\r\np\tACGTACGT\tGACTGACT\r\n",
        "pair,fwd,fwd Tm,rev,rev Tm\np,ACGTACGT,58.1,GACTGACT,57.9\n", "p\tACITACGT\tGACTGACT\n",
        "p ACGTACGT GACTGACT\n", "antisense;sense;oligo name\nGACTGACT;ACGTACGT;p\n",
        "p_F\tACGTACGT\np_R\tGACTGACT\n",
        "Well;Name;Sequence\rA1;p Reverse;GACTGACT\rA2;p Forward;ACGTACGT\r",
        ">p_F\nACGTACGT\n>p_R\nGACTGACT\n", ">p (F)\nACGTACGT\n>p (R)\nGACTGACT\n",
        ">p_RIGHT\nGACTGACT\n>p_LEFT\nACGTACGT\n"}) {
    CAPTURE(list);
    const Outcome outcome = run({"amplicon", "-q", "-r", "t.fa", "-", "--min", "10", "--no-header"},
                                {.input = list, .folder = folder.path()});
    CHECK(outcome.out == "p\tt\t4\t46\t42\t+\t0\t0\tFR\t1\t1\tno\n");
  }
}

TEST_CASE("single primers are paired in any order, and written in that of the first ones") {
  const TemporaryFolder folder;
  folder.write("t.fa", ">t\nAATTACGTACGTCCTTGGAACCTTGGTTTTGGGGCCCCAGTCAGTCAATT\n");
  for (const char* list :
       {"p_F\tACGTACGT\nq_F\tCGTACGTC\np_R\tGACTGACT\nq_R\tTGACTGAC\n",
        "Well,Name,Sequence\nA1,F_p,ACGTACGT\nA2,R_q,TGACTGAC\nB1,F_q,CGTACGTC\nB2,R_p,GACTGACT\n",
        ">p (F)\nACGTACGT\n>q (F)\nCGTACGTC\n>q (R)\nTGACTGAC\n>p (R)\nGACTGACT\n"}) {
    CAPTURE(list);
    const Outcome outcome = run({"amplicon", "-q", "-r", "t.fa", "-", "--min", "10", "--no-header"},
                                {.input = list, .folder = folder.path()});
    CHECK(first_columns(outcome.out, 4) == "p t 4 46;q t 5 47;");
  }
}

TEST_CASE("single primers that are no pair are refused with their line, behind those that are") {
  const TemporaryFolder folder;
  folder.write("t.fa", ">t\nAATTACGTACGTCCTTGGAACCTTGGTTTTGGGGCCCCAGTCAGTCAATT\n");
  const std::string pair = "p_F\tACGTACGT\np_R\tGACTGACT\n";
  const auto with = [&](const std::string& list) {
    return run({"amplicon", "-q", "-r", "t.fa", "-", "--min", "10", "--no-header"},
               {.input = pair + list, .folder = folder.path()});
  };
  for (const auto& [list, what] :
       {std::pair("q_F\tACGTACGT\n", "line 3: the primer 'q_F' has no partner"),
        std::pair("q_F\tACGTACGT\nq_F\tACGTACGT\n", "line 3: the primer 'q_F' has no partner")}) {
    const Outcome outcome = with(list);
    CHECK(outcome.exit_code == 3);
    CHECK(outcome.out == "p\tt\t4\t46\t42\t+\t0\t0\tFR\t1\t1\tno\n");
    CHECK(outcome.err.find(what) != std::string::npos);
  }
}

TEST_CASE("a cell that is no sequence is named, behind the results of the lines before") {
  const IndexedFolder index(genome);
  for (const char* list : {"A1\tp1\tCATTACGT\nA2\tp2\tn/a\nA3\tp3\tGACCAGTC\n",
                           "A1,p1,CATTACGT\nA2,p2,n/a\nA3,p3,GACCAGTC\n"}) {
    CAPTURE(list);
    const Outcome outcome = index.gsx({"count", "-q", "--no-header", "-f", "-"}, list);
    CHECK(outcome.exit_code == 3);
    CHECK(first_columns(outcome.out, 3) == "p1 8 1;");
    CHECK(outcome.err.find("line 2: 'n/a' in column 3 is no sequence") != std::string::npos);
  }
}

TEST_CASE("a field in quotes that goes on in the next line is refused with its line") {
  const IndexedFolder index(genome);
  check_failure(index.gsx({"count", "-q", "--no-header", "-f", "-"},
                          "name,seq,note\nx,CATTACGT,\"a\nGACCAGTC\n\"\n"),
                3, {"line 2: a quote that the line does not end"});
}

TEST_CASE("I is N where IUPAC codes are taken") {
  const IndexedFolder index(genome);
  check_output(index.gsx({"count", "-q", "--no-header", "--iupac", "-p", "CATIACGT"}),
               "CATIACGT\t8\t1\t1\t0\n");
  check_output(index.gsx({"count", "-q", "--no-header", "--iupac", "-f", "-"}, "x\tCATNACGT\n"),
               "x\t8\t1\t1\t0\n");
}

TEST_CASE("tables of scores may have commas, blanks, headings and a byte-order mark") {
  const TemporaryFolder folder;
  folder.write("g.fa", ">c1\nGGCATTACGTAGGTTTCATTACGAAGG\n");
  std::string first;
  for (const char* table :
       {"length\t8\n*\tN\tN\t0.5\npam\tNGG\t1\n", "length,8\n*,N,N,0.5\npam,NGG,1\n",
        "# x\rlength;8\r*;N;N;0.5\r", "length 8\n* N N 0.5\npam NGG 1\n",
        "length;8;;\n*;N;N;0.5\npam;NGG;1;\n",
        "\xEF\xBB\xBFlength,8,,\r\nposition,guide,site,weight\r\n*,N,N,0.5\r\n"}) {
    CAPTURE(table);
    folder.write("table", table);
    const std::string out = output_of(run({"offtarget", "-q", "--no-header", "-r", "g.fa", "-k",
                                           "1", "-p", "CATTACGT", "--score", "table"},
                                          {.folder = folder.path()}));
    if (first.empty()) first = out;
    CHECK(out == first);
  }
}

TEST_CASE("a folder in place of queries is that of the index") {
  const IndexedFolder index(genome);
  for (const char* command : {"count", "locate", "mem", "ms"})
    check_failure(index.gsx({command, "."}), 2, {"no queries"});
}
