// What goes wrong in practice, for every command that it can happen to: the exit code, one error
// line, nothing on standard output that is not true, and a folder that is as it was. The rows are
// what other index builders were seen to get wrong: most of them end some of these with exit code
// 0.
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

/// Two records with what trips parsers: blanks, lower case, N at the ends, a record of N alone.
std::string genome() {
  Random random(41);
  return ">chr1 the first\n" + random_string(random, 3000, "ACGT") + "NN\n" +
         random_string(random, 700, "ACGTacgt") + "\n>gap\nNNNNN\n>chr2\nN" +
         random_string(random, 2000, "ACGT") + "\n";
}

/// A folder in which everything is right, and shell lines run in it.
struct Place {
  TemporaryFolder folder;
  Place() {
    const std::string fasta = genome();
    folder.write("g.fa", fasta);
    folder.write("h.fa", ">h\nACGTACCA\n");
    folder.write("q.fa", ">q1\nACG\n>q2\nTTAGC\n>none\n" + std::string(60, 'A') + "\n");
    folder.write("two words.fa", fasta);
    write_bgzf(folder / "g.bgz", fasta);
    write_gzip(folder / "g.gz", fasta);
    write_gzip(folder / "q.gz", folder.read("q.fa"));
    CHECK(run({"index", "-q", folder / "g.fa"}).exit_code == 0);
    CHECK(run({"index", "-q", folder / "h.fa"}).exit_code == 0);
    CHECK(run({"bwt", "-q", folder / "g.fa", "-o", folder / "g.bwt"}).exit_code == 0);
  }
  Outcome operator()(const std::string& script) const {
    return run_shell(script, {.folder = folder.path()});
  }
};

struct Row {
  std::string what;
  std::vector<std::string> lines;  ///< shell; "gsx" at the start is the program
  int exit_code;
  std::vector<std::string> says;
};

std::string as_shell(const std::string& line) {
  std::string script = line;
  for (std::size_t at = 0; (at = script.find("gsx ", at)) != std::string::npos; at += 3) {
    if (at == 0 || script[at - 1] == ' ' || script[at - 1] == '(')
      script.replace(at, 3, "\"$gsx\"");
  }
  return script;
}

/// Standard output before a failure: nothing, or the header line of a table of results and answers
/// that the whole run would have begun with.
void check_only_truth(const std::string& out, const std::string& truth) {
  CHECK((out.empty() || truth.starts_with(out)));
}

int check_rows(const Place& place, const std::vector<Row>& rows) {
  int lines = 0;
  for (const Row& row : rows) {
    CAPTURE(row.what);
    for (const std::string& line : row.lines) {
      CAPTURE(line);
      const auto before = place.folder.names();
      const Outcome outcome = place(as_shell(line));
      check_error(outcome, row.exit_code, row.says);
      const bool query = line.starts_with("gsx count") || line.starts_with("gsx locate");
      if (!query) CHECK(outcome.out == "");
      if (query) CHECK(lines_of(outcome.out).size() <= 1);
      CHECK(place.folder.names() == before);
      ++lines;
    }
  }
  return lines;
}

std::vector<std::string> each(const std::vector<std::string>& commands, const std::string& rest) {
  std::vector<std::string> lines;
  for (const std::string& command : commands)
    lines.push_back("gsx " + command + rest);
  return lines;
}

const std::vector<std::string> on_index = {"count -q -p ACG -x ", "locate -q -p ACG -x ",
                                           "extract -q -x ",      "info -q ",
                                           "verify -q ",          "verify -q --full "};
const std::vector<std::string> on_sequences = {"index -q -o out ", "sa -q ", "bwt -q ",
                                               "sa -q -o out ", "bwt -q -o out "};
const std::vector<std::string> on_queries = {
    "count -q -x g.gsx ", "locate -q -x g.gsx ", "locate -q -x g.gsx --bed ",
    "locate -q -x g.gsx --paf ", "locate -q -x g.gsx --jsonl "};
/// All that write, without where.
const std::vector<std::string> writers = {
    "index -q g.fa",           "index -q g.bgz",
    "index -q - < g.fa",       "sa -q g.fa",
    "sa -q --text g.gz",       "bwt -q g.fa",
    "bwt -q --inverse g.bwt",  "count -q q.fa",
    "locate -q q.fa",          "locate -q --paf q.gz",
    "locate --jsonl q.fa",     "extract -q g.gsx",
    "info -q g.gsx",           "info -q --json g.gsx",
    "info -q --records g.gsx", "bench -q --length 1000 --reads 0 --work build"};

/// The same with GSX_INDEX set, so that a row need not say which index.
std::vector<std::string> write_to(const std::string& where) {
  std::vector<std::string> lines;
  for (const std::string& writer : writers) {
    const bool to_index = writer.starts_with("index");
    if (to_index && where.starts_with(">")) continue;  // an index goes to a named file
    lines.push_back("GSX_INDEX=g.gsx gsx " + writer + " " + where);
  }
  return lines;
}

std::vector<std::string> join(std::vector<std::string> one, const std::vector<std::string>& two) {
  one.insert(one.end(), two.begin(), two.end());
  return one;
}

}  // namespace

TEST_CASE("failure matrix: input that is not there") {
  const Place place;
  int lines = check_rows(
      place,
      {{"a sequence file is missing",
        each(on_sequences, "missing.fa"),
        3,
        {"missing.fa", "No such file"}},
       {"a default output is not made up for it", {"gsx index missing.fa"}, 3, {"missing.fa"}},
       {"a query file is missing",
        each(on_queries, "missing.fa"),
        3,
        {"missing.fa", "No such file"}},
       {"a BWT is missing",
        {"gsx bwt --inverse missing.bwt", "gsx bwt --inverse no/such.bwt -o o"},
        3,
        {"No such file"}},
       {"the text of a bench is missing",
        {"gsx bench --input missing.fa --work build"},
        3,
        {"missing.fa"}},
       {"an index is missing", each(on_index, "missing.gsx"), 4, {"missing.gsx", "No such file"}},
       {"a folder instead of a file", each(on_sequences, "."), 3, {"directory"}},
       {"a folder instead of queries", each(on_queries, "."), 3, {"directory"}},
       {"a folder instead of an index", each(on_index, "."), 4, {"not a regular file"}},
       {"a folder instead of a BWT", {"gsx bwt --inverse ."}, 3, {"directory"}},
       {"one of two sequence files is missing",
        join(each(on_sequences, "g.fa missing.fa"), each(on_sequences, "missing.fa g.fa")),
        3,
        {"missing.fa", "No such file"}},
       {"one of two records is missing",
        {"gsx extract g.gsx chr1 nobody", "gsx extract g.gsx chr1:0-4 nobody:0-4 -o out",
         "gsx extract g.gsx chr1:0-999999999", "gsx extract g.gsx chr1:4-2"},
        2,
        {}},
       {"a pipe whose writer fails gives nothing", each(on_sequences, "<(false)"), 3, {"empty"}},
       {"standard input is closed",
        {"gsx sa - <&-", "gsx index - -o out <&-"},
        3,
        {"standard input"}}});
  // Of two query files the first is answered, and nothing but that.
  for (const std::string& command : on_queries) {
    CAPTURE(command);
    const std::string truth = output_of(place(as_shell("gsx " + command + "q.fa")));
    const Outcome outcome = place(as_shell("gsx " + command + "q.fa missing.fa"));
    check_error(outcome, 3, {"missing.fa"});
    check_only_truth(outcome.out, truth);
    const auto before = place.folder.names();
    check_failure(place(as_shell("gsx " + command + "q.fa missing.fa -o out")), 3, {"missing.fa"});
    CHECK(place.folder.names() == before);
    lines += 2;
  }
  MESSAGE(lines << " failing command lines");
}

TEST_CASE("failure matrix: output that cannot be written") {
  const Place place;
  const int lines = check_rows(
      place,
      {{"the folder of the output is missing",
        write_to("-o no/such/folder/out"),
        1,
        {"no/such/folder/out", "No such file or directory"}},
       {"the output is a folder", write_to("-o ."), 1, {"Is a directory"}},
       {"a file is where a folder should be", write_to("-o g.fa/out"), 1, {"Not a directory"}},
       {"the name is too long", write_to("-o " + std::string(300, 'x')), 1, {"File name too long"}},
       {"the disk is full", write_to("-o /dev/full"), 6, {"/dev/full", "No space left"}},
       {"the disk behind standard output is full",
        write_to("> /dev/full"),
        6,
        {"standard output", "No space left"}},
       {"so it is for the rest",
        {"gsx verify -q g.gsx > /dev/full", "gsx --help > /dev/full", "gsx --version > /dev/full",
         "gsx count --help > /dev/full"},
        6,
        {"standard output", "No space left"}},
       {"standard output is closed", write_to(">&-"), 1, {"standard output"}},
       {"the generated text cannot be written",
        {"gsx bench -q --length 1000 --work build --write-text no/such/text.fa"},
        1,
        {"no/such/text.fa"}}});
  MESSAGE(lines << " failing command lines");
}

TEST_CASE("failure matrix: input with nothing in it, or of the wrong kind") {
  const Place place;
  place.folder.write("empty.fa", "");
  place.folder.write("blank.fa", "\n \n\n");
  place.folder.write("headers.fa", ">a\n>b\n");
  place.folder.write("all_n.fa", ">a\nNNNN\n>b\nnnnn\n");
  place.folder.write("protein.fa", ">p\nMKVLAAGIVGLQEFPEILSTVWYHHQNDE\n>q\nMKWVTFISLL\n");
  place.folder.write("digits.fa", ">p\n0123456789\n");
  place.folder.write("mixed.fa", ">a\nACGT\n@b\nACGT\n+\nIIII\n");
  write_gzip(place.folder / "empty.gz", "");
  write_bgzf(place.folder / "empty.bgz", "");
  const int lines = check_rows(
      place,
      {{"an empty file",
        join(each(on_sequences, "empty.fa"), each(on_queries, "empty.fa")),
        3,
        {"empty"}},
       {"an empty compressed file",
        join(each(on_sequences, "empty.gz"), each(on_sequences, "empty.bgz")),
        3,
        {"empty"}},
       {"/dev/null",
        {"gsx sa /dev/null", "gsx index -o out /dev/null", "gsx bwt - < /dev/null"},
        3,
        {"empty"}},
       {"an empty BWT", {"gsx bwt --inverse empty.fa", "gsx bwt --inverse - < /dev/null"}, 3, {}},
       {"no BWT", {"gsx bwt --inverse g.fa", "gsx bwt --inverse g.gz -o out"}, 3, {}},
       {"blank lines alone", each(on_sequences, "blank.fa"), 3, {"empty"}},
       {"records without sequences", each(on_sequences, "headers.fa"), 3, {"empty"}},
       {"N alone", each(on_sequences, "--alphabet dna all_n.fa"), 3, {"no A, C, G or T"}},
       {"protein given to DNA",
        each(on_sequences, "--alphabet dna protein.fa"),
        3,
        {"looks like protein", "--alphabet protein"}},
       {"no letters", each(on_sequences, "digits.fa"), 3, {"--alphabet"}},
       {"FASTA and FASTQ in one file",
        join(each(on_sequences, "mixed.fa"), {}),
        3,
        {"mixed.fa", "line 3"}},
       {"an index given as sequences", each(on_sequences, "g.gsx"), 3, {"not FASTA or FASTQ"}},
       {"an index given as queries", each(on_queries, "g.gsx"), 3, {"not FASTA or FASTQ"}},
       {"sequences given as an index", each(on_index, "g.fa"), 4, {"not a gsx index"}},
       {"a compressed file given as an index", each(on_index, "g.bgz"), 4, {"not a gsx index"}},
       {"an empty file given as an index", each(on_index, "empty.fa"), 4, {"empty"}},
       {"/dev/null given as an index", each(on_index, "/dev/null"), 4, {"not a regular file"}},
       {"a pipe given as an index", each(on_index, "<(cat g.gsx)"), 4, {"not a regular file"}}});
  MESSAGE(lines << " failing command lines");
}

TEST_CASE("failure matrix: an index cut short, damaged, or put together from two") {
  const Place place;
  const std::string one = place.folder.read("g.gsx"), two = place.folder.read("h.gsx");
  std::vector<Row> rows;
  const auto add = [&](const std::string& name, const std::string& bytes) {
    place.folder.write(name, bytes);
    rows.push_back({name, each(on_index, name), 5, {name, "corrupt"}});
  };
  add("cut_by_one.gsx", one.substr(0, one.size() - 1));
  add("half.gsx", one.substr(0, one.size() / 2));
  add("header_only.gsx", one.substr(0, 64));
  add("longer.gsx", one + '\n');
  add("joined.gsx", one + two);
  add("other_half.gsx", one.substr(0, one.size() / 2) + one.substr(one.size() / 4));
  add("head_of_other.gsx", two.substr(0, 2048) + one.substr(2048));
  add("zeros.gsx", one.substr(0, one.size() / 2) + std::string(one.size() - one.size() / 2, '\0'));
  for (const std::size_t at : {one.size() / 5, one.size() / 2, one.size() - 70}) {
    std::string flipped = one;
    flipped[at] = static_cast<char>(flipped[at] ^ 4);
    add("flipped_at_" + std::to_string(at) + ".gsx", flipped);
  }
  MESSAGE(check_rows(place, rows) << " failing command lines");
}

TEST_CASE("failure matrix: requests that make no sense") {
  const Place place;
  const int lines = check_rows(
      place,
      {{"a misspelt command", {"gsx idnex g.fa", "gsx Index g.fa", "gsx g.fa"}, 2, {}},
       {"no command", {"gsx ", "gsx -q"}, 2, {}},
       {"a misspelt option",
        {"gsx index --thread 4 g.fa", "gsx sa --widht 8 g.fa",
         "gsx count -x g.gsx --strands fwd q.fa", "gsx locate -x g.gsx --bde q.fa",
         "gsx info --jsn g.gsx", "gsx verify -full g.gsx"},
        2,
        {}},
       {"a number that is none",
        {"gsx index -t four g.fa", "gsx index -t -1 g.fa", "gsx index --sa-rate 0 g.fa",
         "gsx locate -x g.gsx --max-hits many q.fa", "gsx sa --width 3 g.fa",
         "gsx extract g.gsx --line-width x", "gsx index --sa-rate 99999999999999999999 g.fa"},
        2,
        {}},
       {"a value that is none of the known",
        {"gsx index --alphabet rna g.fa", "gsx count -x g.gsx --strand up q.fa",
         "gsx index --device gpu g.fa", "gsx sa --progress loud g.fa"},
        2,
        {}},
       {"one argument too many", {"gsx info g.gsx h.gsx", "gsx verify g.gsx h.gsx"}, 2, {}},
       {"outputs that exclude each other",
        {"gsx locate -x g.gsx --bed --paf q.fa", "gsx info --json --records g.gsx"},
        2,
        {}},
       {"no input",
        {"gsx index", "gsx sa", "gsx bwt", "gsx count -x g.gsx", "gsx locate -x g.gsx"},
        2,
        {}},
       {"which index?",
        {"gsx count q.fa", "gsx info", "gsx verify", "gsx extract"},
        2,
        {"2 *.gsx"}},
       {"the index would be the input",
        {"gsx index g.fa -o g.fa", "gsx extract g.gsx -o g.gsx"},
        2,
        {"replace the input"}},
       {"standard input twice", {"gsx sa - - < g.fa", "gsx count -x g.gsx - - < q.fa"}, 2, {}}});
  MESSAGE(lines << " failing command lines");
}

TEST_CASE("failure matrix: whatever way the same input comes, the same bytes go out") {
  const Place place;
  std::string crlf;
  for (const char c : place.folder.read("g.fa")) {
    if (c == '\n') crlf += '\r';
    crlf += c;
  }
  place.folder.write("crlf.fa", crlf);
  place.folder.write("unended.fa", place.folder.read("g.fa").substr(0, genome().size() - 1));
  std::string one_line;  // and one line a record
  for (const std::string& line : lines_of(genome()))
    one_line += line.starts_with('>') ? (one_line.empty() ? "" : "\n") + line + '\n' : line;
  place.folder.write("one_line.fa", one_line + '\n');
  place.folder.write("misnamed.txt", place.folder.read("g.bgz"));
  const std::vector<std::string> ways = {"g.fa",
                                         "g.gz",
                                         "g.bgz",
                                         "crlf.fa",
                                         "unended.fa",
                                         "one_line.fa",
                                         "misnamed.txt",
                                         "'two words.fa'",
                                         "./g.fa",
                                         "- < g.fa",
                                         "- < g.bgz",
                                         "<(cat g.fa)",
                                         "<(cat g.bgz)",
                                         "-t 1 g.fa",
                                         "-t 3 g.bgz",
                                         "-t 3 --batch 64 g.fa",
                                         "-t 2 --batch 1000 - < g.gz"};
  for (const std::string& command :
       {std::string("index -q -o got.gsx "), std::string("sa -q -o got.gsx "),
        std::string("bwt -q -o got.gsx ")}) {
    CAPTURE(command);
    REQUIRE(place(as_shell("gsx " + command + "g.fa")).exit_code == 0);
    const std::string expected = place.folder.read("got.gsx");
    for (const std::string& way : ways) {
      CAPTURE(way);
      std::filesystem::remove(place.folder / "got.gsx");
      REQUIRE(place(as_shell("gsx " + command + way)).exit_code == 0);
      CHECK((place.folder.read("got.gsx") == expected));
    }
  }
  for (const std::string& command : on_queries) {
    CAPTURE(command);
    const std::string expected = output_of(place(as_shell("gsx " + command + "q.fa")));
    for (const char* way : {"q.gz", "- < q.fa", "- < q.gz", "<(cat q.gz)", "-t 3 q.fa"}) {
      CAPTURE(way);
      check_output(place(as_shell("gsx " + command + way)), expected);
    }
  }
}

TEST_CASE("failure matrix: what looks wrong and is right") {
  const Place place;
  // Names that occur twice are kept, searched, told of, and given back.
  place.folder.write("twins.fa", ">r\nACGTT\n>r\nACGTA\n");
  const Outcome twins = place(as_shell("gsx index twins.fa"));
  CHECK(twins.exit_code == 0);
  CHECK(twins.err.find("warning: several records have the name 'r'") != std::string::npos);
  check_output(place(as_shell("gsx extract -q twins.gsx r")), ">r\nACGTT\n>r\nACGTA\n");
  check_output(place(as_shell("gsx locate -q -x twins.gsx -p ACGT --strand fwd --bed")),
               "r\t0\t4\tACGT\t0\t+\nr\t0\t4\tACGT\t0\t+\n");
  // A record of N alone neither vanishes nor moves the next.
  check_output(place(as_shell("gsx extract -q g.gsx gap")), ">gap\nNNNNN\n");
  place.folder.write("n.fa", ">n\nNNNN\n>m\nNNACGNN\n");
  REQUIRE(place(as_shell("gsx index -q n.fa")).exit_code == 0);
  check_output(place(as_shell("gsx locate -q -x n.gsx -p ACG --strand fwd --bed")),
               "m\t2\t5\tACG\t0\t+\n");
  // N matches nothing, hits may overlap, one base is a genome, and no hits is a result.
  check_output(place(as_shell("gsx count -q -x n.gsx -p N -p ANA --no-header")),
               "N\t1\t0\t0\t0\nANA\t3\t0\t0\t0\n");
  check_output(
      place("printf '>a\\nA\\n' | \"$gsx\" index -q - -o a.gsx && \"$gsx\" count -q -x a.gsx "
            "-p A -p AA -p T --no-header"),
      "A\t1\t1\t1\t0\nAA\t2\t0\t0\t0\nT\t1\t1\t0\t1\n");
  check_output(
      place("printf '>a\\nAAAA\\n' | \"$gsx\" index -q - -o a.gsx && \"$gsx\" locate -q -x "
            "a.gsx -p AA --bed"),
      "a\t0\t2\tAA\t0\t+\na\t1\t3\tAA\t0\t+\na\t2\t4\tAA\t0\t+\n");
  // A blank behind '>' makes a name of no bytes, which a table shows as a dot.
  check_output(
      place("printf '> chr1\\nACG\\n' | \"$gsx\" index -q - -o a.gsx && \"$gsx\" locate -q -x "
            "a.gsx -p ACG --strand fwd --bed"),
      ".\t0\t3\tACG\t0\t+\n");
  // Protein is taken for protein, and a DNA query finds nothing in it by accident.
  place.folder.write("protein.fa", ">p\nMKVLAAGIVGLQEFPEILSTVWY\n");
  REQUIRE(place(as_shell("gsx index -q protein.fa")).exit_code == 0);
  CHECK(place(as_shell("gsx info -q protein.gsx")).out.find("alphabet\tprotein\n") !=
        std::string::npos);
  // An option and its value may be one word; help and version are no failures.
  check_output(place(as_shell("gsx count -q -t2 -xn.gsx -pACG --no-header")), "ACG\t3\t1\t1\t0\n");
  for (const char* request : {"gsx --help", "gsx --version", "gsx index --help"}) {
    CAPTURE(request);
    const Outcome outcome = place(as_shell(request));
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out != "");
    CHECK(outcome.err == "");
  }
  // An index may be named from anywhere, and replaced while it is in use.
  check_output(
      run_shell("\"$gsx\" count -q -x " + place.folder.path() + "/n.gsx -p ACG --no-header",
                {.folder = "/"}),
      "ACG\t3\t1\t1\t0\n");
}
