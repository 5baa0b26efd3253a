// What a first user tries: a folder as the index, a name as shown, outputs on a terminal.
#include "support/indexed.hpp"
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

/// What the run shows on a terminal: its standard output and error, as one text.
std::string on_terminal(const IndexedFolder& index, const std::string& arguments) {
  const Outcome outcome =
      run_shell("script -qec '\"$gsx\" " + arguments + "' /dev/null; echo \"exit code $?\"",
                {.folder = index.folder.path()});
  return outcome.out;
}

bool has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("a list of patterns may begin with a byte-order mark, but not in UTF-16") {
  const IndexedFolder index(">r\nGGATCC\n");
  for (const char* list :
       {"\xEF\xBB\xBFGGATCC\n", "\xEF\xBB\xBF# sites\nGGATCC\n", "\xEF\xBB\xBFGGATCC\tGGATCC"}) {
    CAPTURE(list);
    check_output(index.gsx({"count", "--no-header", "-f", "-"}, list), "GGATCC\t6\t2\t1\t1\n");
  }
  for (const char* list : {"\xFF\xFEG", "\xFE\xFFG"}) {
    check_error(index.gsx({"count", "--no-header", "-f", "-"}, list), 3,
                {"standard input: line 1", "UTF-16"});
  }
}

TEST_CASE("binary data is not written to a terminal") {
  GSX_NEED("SCRIPT", has_command("script"), "there is no program script");
  const IndexedFolder index(">r\nGGATCC\n");
  for (const char* arguments : {"sa g.fa", "sa g.fa -o -", "sa g.fa -o /dev/stdout",
                                "sa g.gsx -o /dev/tty", "sa -x g.gsx"}) {
    CAPTURE(arguments);
    const std::string shown = on_terminal(index, arguments);
    CHECK(has(shown, "error: not writing raw integers to a terminal: use --text or -o FILE"));
    CHECK(has(shown, "exit code 2"));
  }
  CHECK(has(on_terminal(index, "sa -q g.fa --text -o -"), "0\tr\t0"));
  for (const char* arguments : {"index g.fa -o /dev/stdout", "index --force g.fa -o /dev/tty"}) {
    CAPTURE(arguments);
    const std::string shown = on_terminal(index, arguments);
    CHECK(has(shown, "error: not writing an index to a terminal: use -o FILE.gsx"));
    CHECK(has(shown, "exit code 2"));
  }
  std::filesystem::create_symlink("/dev/tty", index.folder / "shown.gz");
  for (const char* output : {"-o", "--unmatched"}) {
    CAPTURE(output);
    const std::string shown =
        on_terminal(index, std::string("count -p GGATCC ") + output + " shown.gz");
    CHECK(has(shown, "error: not writing BGZF to a terminal"));
    CHECK(has(shown, "exit code 2"));
  }
}

TEST_CASE("a folder as the first argument stands for the only index in it") {
  const IndexedFolder index(">r\nACGT\n");
  const TemporaryFolder& folder = index.folder;
  std::filesystem::create_directory(folder / "one");
  std::filesystem::create_directory(folder / "none");
  std::filesystem::rename(folder / "g.gsx", folder / "one/g.gsx");
  for (const char* name : {"one", "one/", "./one"}) {
    CAPTURE(name);
    check_output(index.gsx({"count", "--no-header", name, "-p", "ACG"}), "ACG\t3\t2\t1\t1\n");
    check_output(index.gsx({"locate", "--bed", name, "-p", "ACG", "--strand", "fwd"}),
                 "r\t0\t3\tACG\t0\t+\n");
    check_output(index.gsx({"extract", name, "r:2-3"}), ">r:2-3\nCG\n");
    check_output(index.gsx({"bwt", name}), output_of(index.gsx({"bwt", "g.fa"})));
    check_output(index.gsx({"sa", name}), output_of(index.gsx({"sa", "g.fa"})));
    CHECK(has(output_of(index.gsx({"info", name})), "one/g.gsx\n"));
    CHECK(has(output_of(index.gsx({"verify", name})), "one/g.gsx\tok\t"));
  }
  for (const Arguments& command :
       {Arguments{"count", "none/", "-p", "ACG"}, Arguments{"extract", "none/"},
        Arguments{"bwt", "none/"}, Arguments{"sa", "none/"}})
    check_failure(index.gsx(command), 4, {"the folder 'none/' has no *.gsx"});
  std::filesystem::copy(folder / "one/g.gsx", folder / "one/h.gsx");
  for (const char* command : {"count", "extract", "bwt"})
    check_failure(index.gsx({command, "one"}), 2, {"the folder 'one' has 2 *.gsx"});
}

TEST_CASE("a folder without an index may have the name of a record") {
  const IndexedFolder index(">chr1\nACGT\n");
  std::filesystem::create_directory(index.folder / "chr1");
  check_output(index.gsx({"extract", "chr1"}), ">chr1\nACGT\n");
}

TEST_CASE("a record with an empty name is extracted by the name that tables show") {
  const IndexedFolder index(">\nACGT\n>a\nTT\n");
  check_output(index.gsx({"extract", ".", "."}), ">\nACGT\n");
  check_output(index.gsx({"extract", "."}), ">\nACGT\n>a\nTT\n");
  check_output(index.gsx({"extract", "./", "a"}), ">a\nTT\n");
  check_output(index.gsx({"extract", ".:2-3"}), ">:2-3\nCG\n");
  check_output(index.gsx({"extract", "{.}:2-3"}), ">:2-3\nCG\n");
  const IndexedFolder literal(">\nACGT\n>.\nTT\n");
  check_output(literal.gsx({"extract", ".", "."}), ">.\nTT\n");
  check_output(literal.gsx({"extract", ".:2-2"}), ">.:2-2\nT\n");
  const IndexedFolder neither(">a\nACGT\n");
  check_failure(neither.gsx({"extract", ".", "."}), 3, {"no record '.'", "there is 'a'"});
}

TEST_CASE("help version shows the main page") {
  check_output(run({"help", "version"}), output_of(run({"help"})));
}

TEST_CASE("messages name the environment variable that set a limit") {
  const IndexedFolder index(">r\nACGT\n");
  index.folder.write("g.bwt", "ACGT$");
  for (const Arguments& command :
       {Arguments{"count", "-x", "g.gsx", "-p", "A"}, Arguments{"locate", "-x", "g.gsx", "-p", "A"},
        Arguments{"index", "g.fa", "-o", "new.gsx"}, Arguments{"sa", "g.fa"},
        Arguments{"bwt", "g.fa"}, Arguments{"bwt", "--inverse", "g.bwt"}}) {
    CAPTURE(command[0]);
    const Outcome by_variable =
        run(command, {.folder = index.folder.path(), .environment = {"GSX_MEMORY_LIMIT=1kB"}});
    check_failure(by_variable, 6, {" GSX_MEMORY_LIMIT "});
    CHECK_FALSE(has(by_variable.err, "and --memory-limit "));
    Arguments with_option = command;
    with_option.insert(with_option.end(), {"--memory-limit", "1kB"});
    const Outcome by_option =
        run(with_option, {.folder = index.folder.path(), .environment = {"GSX_MEMORY_LIMIT=1GB"}});
    check_failure(by_option, 6, {" --memory-limit "});
    CHECK_FALSE(has(by_option.err, "GSX_MEMORY_LIMIT"));
  }
}

TEST_CASE("the suffix of an output names the format in either case, and no other format") {
  const IndexedFolder index(">r\nACGT\n");
  const auto locate = [&](const Arguments& more) {
    Arguments arguments{"locate", "-p", "ACG", "--strand", "fwd"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return index.gsx(arguments);
  };
  check_output(locate({"-o", "hits.BED"}), "");
  CHECK(index.folder.read("hits.BED") == "r\t0\t3\tACG\t0\t+\n");
  check_output(locate({"-o", "hits.BED.GZ"}), "");
  check_output(run_shell("zcat < hits.BED.GZ", {.folder = index.folder.path()}),
               "r\t0\t3\tACG\t0\t+\n");
  for (const char* name : {"h.json", "h.csv", "h.cram", "h.GTF", "h.json.gz"}) {
    CAPTURE(name);
    check_failure(locate({"-o", name}), 2,
                  {"tsv, bed, paf, jsonl, gff3, sam, bam, bedgraph or part", "--format"});
    CHECK_FALSE(index.folder.has(name));
    check_output(locate({"-o", name, "--bed"}), "");
  }
}

TEST_CASE("binary outputs are not compressed, and their names must not say so") {
  const TemporaryFolder folder;
  folder.write("a.fa", ">r\nACGT\n");
  folder.write("a.bwt", "T$ACG");
  for (const Arguments& command : {Arguments{"index", "a.fa"},
                                   {"sa", "a.fa"},
                                   {"bwt", "a.fa"},
                                   {"bwt", "--format", "fmd", "a.fa"},
                                   {"bwt", "--inverse", "a.bwt"},
                                   {"lz77", "a.fa"}}) {
    CAPTURE(command[0]);
    Arguments arguments = command;
    arguments.insert(arguments.end(), {"-o", "out.BGZ"});
    check_failure(run(arguments, {.folder = folder.path()}), 2, {"out.BGZ", "not compressed"});
    CHECK_FALSE(folder.has("out.BGZ"));
  }
  check_failure(run({"sa", "a.fa", "-o", "out", "--lcp", "lcp.gz"}, {.folder = folder.path()}), 2,
                {"lcp.gz", "--text"});
  check_output(run({"sa", "--text", "a.fa", "-o", "sa.gz"}, {.folder = folder.path()}), "");
}

TEST_CASE("a sequence in place of a file is answered with the option for patterns") {
  const IndexedFolder index(">r\nACGT\n");
  check_failure(index.gsx({"count", "GATTACA"}), 3, {"GATTACA", "a pattern is given by -p"});
  const Outcome other = index.gsx({"count", "reads.fq"});
  check_error(other, 3, {"reads.fq"});
  CHECK_FALSE(has(other.err, "-p"));
  index.folder.write("ACGT", ">q\nACG\n");
  check_output(index.gsx({"count", "--no-header", "ACGT"}), "q\t3\t2\t1\t1\n");
}

TEST_CASE("the beginning of a single choice is answered with that choice") {
  check_failure(run({"locate", "--sort", "pos"}), 2, {"did you mean position?"});
}

TEST_CASE("a list with only comments has no queries") {
  const IndexedFolder index(">r\nACGT\n");
  const Outcome outcome = index.gsx({"count", "--no-header", "-f", "-"}, "# nothing\n");
  check_output(outcome, "");
  CHECK(has(outcome.err, "standard input: the file has no queries"));
}

TEST_CASE("progress gives a rate only once time has passed") {
  const IndexedFolder index(">r\nACGT\n");
  const Outcome outcome = index.gsx({"index", "--force", "-q", "--progress", "json", "g.fa"});
  CHECK(outcome.exit_code == 0);
  const auto lines = lines_of(outcome.err);
  REQUIRE_FALSE(lines.empty());
  CHECK(has(lines.front(), "\"rate\":null,\"unit\":null"));
}
