// What goes wrong in practice, for every command that it can happen to: the exit code, one error
// line, nothing false on standard output, and an unchanged folder. The rows are what other index
// builders were seen to get wrong: most of them end some of these with exit code 0.
#include "robustness/failure_matrix.hpp"

using namespace gsx::testing;

namespace {

struct Row {
  std::string what;
  std::vector<std::string> lines;  ///< shell lines; "gsx" at the start of a command is the program
  int exit_code;
  std::vector<std::string> says;
};

/// Checks standard output before a failure: nothing, or the header line and the first answers of
/// the whole run.
void check_only_truth(const std::string& out, const std::string& truth) {
  CHECK((out.empty() || truth.starts_with(out)));
}

int check_rows(const MatrixPlace& place, const std::vector<Row>& rows) {
  int lines = 0;
  for (const Row& row : rows) {
    CAPTURE(row.what);
    for (const std::string& line : row.lines) {
      CAPTURE(line);
      const auto before = place.folder.names();
      const Outcome outcome = place(as_shell(line));
      check_error(outcome, row.exit_code, row.says);
      const bool query = line.starts_with("gsx count") || line.starts_with("gsx locate") ||
                         line.starts_with("gsx mem");
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

const std::vector<std::string> on_index = {"count -q -p ACG -x ",
                                           "locate -q -p ACG -x ",
                                           "mem -q -p ACG -x ",
                                           "ms -q -p ACG -x ",
                                           "extract -q -x ",
                                           "info -q ",
                                           "verify -q ",
                                           "verify -q --full ",
                                           "filter -q --keep q.fa -o out -x ",
                                           "locate -q -p ACG --bigwig out -x ",
                                           "report -q -x "};
const std::vector<std::string> on_sequences = {"index -q -o out ",
                                               "sa -q ",
                                               "bwt -q ",
                                               "lz77 -q ",
                                               "mappability -q -K 3 ",
                                               "mappability -q --spectrum ",
                                               "repeats -q -L 3 ",
                                               "sa -q -o out ",
                                               "bwt -q -o out ",
                                               "lz77 -q -o out ",
                                               "mappability -q --shortest-unique --bigwig out ",
                                               "repeats -q --pairs -o out --dotplot out.svg "};
/// Commands that take reads, and pass on those before a wrong one.
const std::vector<std::string> on_reads = {"filter -q --keep -x g.gsx ",
                                           "filter -q --drop -x g.gsx -o out --unpaired ",
                                           "mem -q --pairs g.fa "};
/// All commands that write, without the destination.
const std::vector<std::string> writers = {"index -q g.fa",
                                          "index -q g.bgz",
                                          "index -q - < g.fa",
                                          "sa -q g.fa",
                                          "sa -q --text g.gz",
                                          "bwt -q g.fa",
                                          "bwt -q --inverse g.bwt",
                                          "lz77 -q g.fa",
                                          "mappability -q -K 3 g.fa",
                                          "mappability -q --spectrum g.gsx",
                                          "repeats -q -L 3 g.fa",
                                          "neighbors -q q.fa --at 1-3",
                                          "neighbors -q q.fa --at 1-3 --clusters",
                                          "neighbors -q q.fa --at 1-3 --correct",
                                          "prefix -q --entry AC q.fa",
                                          "prefix -q --entry AC q.fa --counts",
                                          "merge -q p.tsv",
                                          "count -q q.fa",
                                          "locate -q q.fa",
                                          "locate -q --paf q.gz",
                                          "locate --jsonl q.fa",
                                          "locate -q --bedgraph q.fa",
                                          "mem -q -L 3 q.fa",
                                          "mem -q --pairs g.fa g.fa",
                                          "ms -q q.fa",
                                          "filter -q --keep -L 3 q.fa",
                                          "extract -q g.gsx",
                                          "info -q g.gsx",
                                          "info -q --json g.gsx",
                                          "info -q --records g.gsx",
                                          "report -q g.gsx",
                                          "bench -q --length 1000 --reads 0 --work build"};

/// The same with GSX_INDEX set, so that rows need not name the index.
std::vector<std::string> write_to(const std::string& where) {
  std::vector<std::string> lines;
  for (const std::string& writer : writers) {
    const bool to_index = writer.starts_with("index");
    if (to_index && where.starts_with(">")) continue;  // an index needs a named file
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
  const MatrixPlace place;
  std::filesystem::create_directory(place.folder / "folder");
  int lines = check_rows(
      place,
      {{"a sequence file is missing",
        each(on_sequences, "missing.fa"),
        3,
        {"missing.fa", "No such file"}},
       {"a default output is not made up for it", {"gsx index missing.fa"}, 3, {"missing.fa"}},
       {"a query file is missing",
        join(each(on_queries, "missing.fa"), each(on_reads, "missing.fa")),
        3,
        {"missing.fa", "No such file"}},
       {"a BWT is missing",
        {"gsx bwt --inverse missing.bwt", "gsx bwt --inverse no/such.bwt -o o"},
        3,
        {"No such file"}},
       {"the text of a bench is missing",
        {"gsx bench --input missing.fa --work build",
         "gsx bench --input missing.fa --haplotypes 2 --work build"},
        3,
        {"missing.fa"}},
       {"an index is missing", each(on_index, "missing.gsx"), 4, {"missing.gsx", "No such file"}},
       {"a folder instead of a file",
        {"gsx index -q -o out folder", "gsx sa g.fa folder", "gsx repeats -r folder -o out"},
        3,
        {"directory"}},
       {"a folder instead of queries",
        join(each(on_queries, "."), each(on_reads, ".")),
        3,
        {"directory"}},
       {"a folder with two indexes", each(on_index, "."), 2, {"has 2 *.gsx", "-x"}},
       {"a folder without an index",
        join(join(each(on_index, "folder"),
                  each({on_sequences.begin() + 1, on_sequences.end()}, "folder")),
             {"gsx count -p ACG folder", "gsx filter --keep folder q.fa -o out",
              "gsx offtarget folder -k 0 -p ACG", "gsx amplicon folder -p ACG,ACG",
              "gsx mem --pairs folder g.fa", "gsx report folder"}),
        4,
        {"the folder 'folder' has no *.gsx"}},
       {"the same of this folder, of which regions may have the name",
        {"cd folder && gsx count . -p ACG", "cd folder && gsx sa .", "cd folder && gsx extract .",
         "cd folder && gsx info .", "cd folder && gsx report .", "gsx extract folder/"},
        4,
        {"has no *.gsx"}},
       {"a list of patterns is missing, or a folder",
        join(each(on_queries, "-f missing.txt"), each(on_queries, "q.fa -f folder -o out")),
        3,
        {"cannot read it"}},
       {"a folder instead of a BWT", {"gsx bwt --inverse ."}, 3, {"directory"}},
       {"one of two sequence files is missing",
        join(each(on_sequences, "g.fa missing.fa"), each(on_sequences, "missing.fa g.fa")),
        3,
        {"missing.fa", "No such file"}},
       {"one of two records is missing",
        {"gsx extract g.gsx chr1 nobody", "gsx extract g.gsx chr1:1-4 nobody:1-4 -o out"},
        3,
        {"nobody"}},
       {"a region is not in its record",
        {"gsx extract g.gsx chr1:0-4", "gsx extract g.gsx chr1:4-2", "gsx extract g.gsx chr1:9999",
         "gsx extract g.gsx gap:6 -o out"},
        3,
        {"region"}},
       {"an index and sequences at once, or an index read as sequences are",
        {"gsx sa g.gsx g.fa -o out", "gsx bwt -x g.gsx g.fa -o out",
         "gsx mappability -K 3 g.gsx g.fa -o out", "gsx repeats -x g.gsx g.fa -o out",
         "gsx sa g.gsx --alphabet dna -o out", "gsx extract g.gsx --case keep -o out"},
        2,
        {"g.gsx"}},
       {"a file of regions is missing, or a folder",
        {"gsx extract g.gsx -R missing.bed -o out", "gsx extract g.gsx -R ."},
        3,
        {"cannot read it"}},
       {"a line of a file of regions is wrong",
        {"printf 'chr1\\tx\\t2\\n' | gsx extract g.gsx -R -",
         "printf 'nobody\\t1\\t2\\n' | gsx extract g.gsx -R - -o out",
         "printf 'chr1\\t3\\t2\\n' | gsx extract g.gsx -R -"},
        3,
        {"standard input: line 1"}},
       {"a pipe whose writer fails gives nothing", each(on_sequences, "<(false)"), 3, {"empty"}},
       {"standard input is closed",
        {"gsx sa - <&-", "gsx index - -o out <&-"},
        3,
        {"standard input"}}});
  // Of two query files, only the first is answered.
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
  const MatrixPlace place;
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
       {"a second output cannot be written",
        {"gsx mappability -q g.fa -K 3 --bigwig no/such/k.bw",
         "gsx locate -q g.gsx q.fa --bigwig no/such/k.bw",
         "gsx locate -q g.gsx q.fa -o out --bigwig no/such/k.bw",
         "gsx mappability -q g.fa --spectrum -o out --plot no/such/k.svg",
         "gsx repeats -q g.fa -o out --dotplot no/such/r.svg"},
        1,
        {"no/such/", "No such file or directory"}},
       {"the disk of a second output is full",
        {"gsx mappability -q g.fa --spectrum -o out --plot /dev/full",
         "gsx repeats -q g.fa -o out --dotplot /dev/full"},
        6,
        {"/dev/full", "No space left"}},
       {"the generated text cannot be written",
        {"gsx bench -q --length 1000 --work build --write-text no/such/text.fa",
         "gsx bench -q --input g.fa --haplotypes 2 --write-text no/such/text.fa"},
        1,
        {"no/such/text.fa"}}});
  MESSAGE(lines << " failing command lines");
}

TEST_CASE("failure matrix: empty input, or input of the wrong kind") {
  const MatrixPlace place;
  place.folder.write("empty.fa", "");
  place.folder.write("blank.fa", "\n \n\n");
  place.folder.write("headers.fa", ">a\n>b\n");
  place.folder.write("all_n.fa", ">a\nNNNN\n>b\nnnnn\n");
  place.folder.write("protein.fa", ">p\nMKVLAAGIVGLQEFPEILSTVWYHHQNDE\n>q\nMKWVTFISLL\n");
  place.folder.write("digits.fa", ">p\n0123456789\n");
  place.folder.write("mixed.fa", ">a\nACGT\n@b\nACGT\n+\nIIII\n");
  place.folder.write("two_words.txt", "# patterns\nACG TTT\n");
  write_gzip(place.folder / "empty.gz", "");
  write_bgzf(place.folder / "empty.bgz", "");
  const int lines = check_rows(
      place,
      {{"an empty file", each(on_sequences, "empty.fa"), 3, {"empty"}},
       {"an empty compressed file",
        join(each(on_sequences, "empty.gz"), each(on_sequences, "empty.bgz")),
        3,
        {"empty"}},
       {"/dev/null",
        {"gsx sa /dev/null", "gsx index -o out /dev/null", "gsx bwt - < /dev/null"},
        3,
        {"empty"}},
       {"no summary of a run, or no spectrum",
        {"gsx report q.fa", "gsx report --summary g.fa -o out", "gsx report g.gsx empty.fa",
         "gsx report g.gsx --spectrum g.fa -o out", "gsx report - < empty.fa"},
        3,
        {"gsx"}},
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
       {"an index given as sequences",
        {"gsx index -q -o out g.gsx"},
        3,
        {"g.gsx: line 1: not FASTA or FASTQ"}},
       {"an index behind sequences",
        {"gsx sa -q h.fa g.gsx", "gsx bwt -q -o out h.fa g.gsx"},
        2,
        {"the index 'g.gsx' and 'h.fa'", "not both"}},
       {"an index given as queries",
        join(each(on_queries, "q.fa g.gsx"),
             join(each(on_queries, "-f g.gsx"), each(on_reads, "q.fa g.gsx"))),
        2,
        {"'g.gsx' is an index, not queries"}},
       {"two indexes", each(on_queries, "g.gsx"), 2, {"two indexes"}},
       {"a wrong line in a list of patterns", each(on_queries, "-f two_words.txt"), 3, {"line 2"}},
       {"a file given as a pattern", each(on_queries, "-p g.fa"), 2, {"-f 'g.fa'"}},
       {"outputs that would replace input, or each other",
        join(join(each(on_queries, "q.fa --unmatched q.fa"),
                  each(on_queries, "q.fa --summary g.gsx")),
             join(each(on_queries, "q.fa -o out --unmatched ./out"),
                  each(on_queries, "q.fa --summary -"))),
        2,
        {}},
       {"sequences given as an index", each(on_index, "g.fa"), 4, {"not a gsx index"}},
       {"a compressed file given as an index", each(on_index, "g.bgz"), 4, {"not a gsx index"}},
       {"an empty file given as an index", each(on_index, "empty.fa"), 4, {"empty"}},
       {"/dev/null given as an index", each(on_index, "/dev/null"), 4, {"not a regular file"}},
       {"a pipe given as an index", each(on_index, "<(cat g.gsx)"), 4, {"not a regular file"}}});
  MESSAGE(lines << " failing command lines");
}

TEST_CASE("failure matrix: an index cut short, damaged, or put together from two") {
  const MatrixPlace place;
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
  // What lies near the end is for look-ups, which test_index_lookup damages.
  for (const std::size_t at : {one.size() / 5, one.size() / 2}) {
    std::string flipped = one;
    flipped[at] = static_cast<char>(flipped[at] ^ 4);
    add("flipped_at_" + std::to_string(at) + ".gsx", flipped);
  }
  MESSAGE(check_rows(place, rows) << " failing command lines");
}

TEST_CASE("failure matrix: invalid requests") {
  const MatrixPlace place;
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
         "gsx extract g.gsx --line-width x", "gsx mappability -K x g.fa", "gsx repeats -L 0 g.fa",
         "gsx index --sa-rate 99999999999999999999 g.fa"},
        2,
        {}},
       {"a value that is none of the known",
        {"gsx index --alphabet rna g.fa", "gsx count -x g.gsx --strand up q.fa",
         "gsx index --device gpu g.fa", "gsx sa --progress loud g.fa", "gsx completion tcsh",
         "gsx completion", "gsx help cuont", "gsx help --man cuont", "gsx help index count"},
        2,
        {}},
       {"one argument too many", {"gsx info g.gsx h.gsx", "gsx verify g.gsx h.gsx"}, 2, {}},
       {"outputs that exclude each other",
        {"gsx locate -x g.gsx --bed --paf q.fa", "gsx locate -x g.gsx --bedgraph --bed q.fa",
         "gsx locate -x g.gsx --bigwig out --sort position q.fa",
         "gsx info --json --records g.gsx"},
        2,
        {}},
       {"no input",
        {"gsx index", "gsx sa", "gsx bwt", "gsx mappability -K 3", "gsx repeats", "gsx neighbors",
         "gsx prefix --entry AC", "gsx merge", "gsx count -x g.gsx", "gsx locate -x g.gsx"},
        2,
        {}},
       {"which index?",
        {"gsx count q.fa", "gsx info", "gsx verify", "gsx extract", "gsx report"},
        2,
        {"2 *.gsx"}},
       {"the index would be the input",
        {"gsx index g.fa -o g.fa", "gsx extract g.gsx -o g.gsx",
         "gsx mappability -K 3 g.gsx -o g.gsx", "gsx mappability -K 3 g.fa --bigwig g.fa",
         "gsx repeats g.gsx -o g.gsx", "gsx repeats g.fa --dotplot g.fa",
         "gsx neighbors q.fa --at 1-3 -o q.fa", "gsx neighbors q.fa --whitelist h.fa -o h.fa",
         "gsx prefix --entry AC q.fa -o q.fa", "gsx prefix --set h.fa q.fa -o h.fa",
         "gsx merge p.tsv -o p.tsv", "gsx report g.gsx -o g.gsx",
         "gsx locate g.gsx q.fa --bigwig q.fa"},
        2,
        {"replace the input"}},
       {"standard input twice", {"gsx sa - - < g.fa", "gsx count -x g.gsx - - < q.fa"}, 2, {}}});
  MESSAGE(lines << " failing command lines");
}
