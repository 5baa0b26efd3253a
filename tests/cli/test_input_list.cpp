// gsx index --input-list: files, and the names that are kept of them.
#include "support/columns.hpp"
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

/// Samples whose files all have one name.
struct Samples {
  TemporaryFolder folder;

  Samples() {
    for (const std::string name : {"a", "b", "c"}) {
      std::filesystem::create_directory(folder / name);
      folder.write(name + "/contigs.fa", ">r of " + name + "\nGATTACA" + name + "\n");
    }
    folder.write("list.tsv",
                 "# samples\na/contigs.fa\tfirst\n\nb/contigs.fa\tse cond\r\nc/contigs.fa");
  }
  Outcome gsx(const Arguments& arguments, const std::string& input = "") const {
    return run(arguments, {.input = input, .folder = folder.path()});
  }
  /// The names of files that the index keeps.
  std::string kept(const char* index) const {
    std::string names;
    const Outcome outcome = gsx({"info", "-q", "-x", index, "--files"});
    for (const std::string& line : lines_of(output_of(outcome)))
      names += columns_of(line)[0] + ' ';
    return names;
  }
};

}  // namespace

TEST_CASE("a list names the input files, and what is kept of them") {
  const Samples all;
  REQUIRE(all.gsx({"index", "-q", "--input-list", "list.tsv", "-o", "g.gsx"}).exit_code == 0);
  CHECK(all.kept("g.gsx") == "file_id first se cond contigs ");
  // The bytes are those of the same files with these names.
  std::filesystem::create_directory(all.folder / "n");
  const std::pair<const char*, const char*> files[] = {
      {"a", "first"}, {"b", "se cond"}, {"c", "contigs"}};
  Arguments build = {"index", "-q", "--files", "-o", "n.gsx"};
  for (const auto& [from, to] : files) {
    const std::string name = std::string("n/") + to + ".fa";
    all.folder.write(name, all.folder.read(std::string(from) + "/contigs.fa"));
    build.push_back(name);
  }
  REQUIRE(all.gsx(build).exit_code == 0);
  CHECK((all.folder.read("g.gsx") == all.folder.read("n.gsx")));
  // Behind files that are arguments, from standard input, and of a plain list without names.
  REQUIRE(all.gsx({"index", "-q", "a/contigs.fa", "--input-list", "-", "-o", "i.gsx"},
                  "b/contigs.fa\tx\n")
              .exit_code == 0);
  CHECK(all.kept("i.gsx") == "file_id contigs x ");
  REQUIRE(
      all.gsx({"index", "-q", "--input-list", "-", "-o", "p.gsx"}, "a/contigs.fa\nb/contigs.fa\n")
          .exit_code == 0);
  check_failure(all.gsx({"info", "-q", "p.gsx", "--files"}), 2, {"--files"});
  REQUIRE(all.gsx({"index", "-q", "--input-list", "-", "-o", "p.gsx"},
                  std::string("\xEF\xBB\xBF") + "a/contigs.fa\n \t\n")
              .exit_code == 0);
  // Shards, an index that grows, and a comparison with the input.
  REQUIRE(all.gsx({"index", "-q", "--input-list", "list.tsv", "-o", "m.gsx", "--shards", "2"})
              .exit_code == 0);
  CHECK(all.kept("m.gsx") == all.kept("g.gsx"));
  REQUIRE(all.gsx({"index", "-q", "--append", "i.gsx", "--input-list", "-", "-o", "i.gsx"},
                  "c/contigs.fa\ty\n")
              .exit_code == 0);
  CHECK(all.kept("i.gsx") == "file_id contigs x y ");
  CHECK(all.gsx({"verify", "-q", "g.gsx", "--against-list", "list.tsv"}).exit_code == 0);
  REQUIRE(all.gsx({"index", "-q", "a/contigs.fa", "b/contigs.fa", "c/contigs.fa", "-o", "p.gsx"})
              .exit_code == 0);
  check_failure(all.gsx({"verify", "-q", "p.gsx", "--against-list", "list.tsv"}), 5,
                {"p.gsx", "keeps no names of files"});
  check_failure(all.gsx({"verify", "-q", "i.gsx", "--against-list", "list.tsv"}), 5,
                {"i.gsx", "other names of files"});
}

TEST_CASE("a list of files may be a table of another form") {
  const Samples all;
  const std::string forms[] = {
      "a/contigs.fa\tfirst\tx\nb/contigs.fa\tsecond\ty\n",
      "path\tsample\na/contigs.fa\tfirst\nb/contigs.fa\tsecond\n",
      "sample,group,path\r\nfirst,g,a/contigs.fa\r\nsecond,g,b/contigs.fa\r\n",
      "\"first\",\"a/contigs.fa\"\n\"second\",\"b/contigs.fa\"\n",
      "first a/contigs.fa\nsecond b/contigs.fa\n",
      "\xEF\xBB\xBF"
      "a/contigs.fa;first\nb/contigs.fa;second\n",
      "# x\rfirst;a/contigs.fa\rsecond;b/contigs.fa\r",
  };
  for (const std::string& form : forms) {
    CAPTURE(form);
    const Outcome outcome = all.gsx({"index", "--force", "--input-list", "-", "-o", "g.gsx"}, form);
    REQUIRE(outcome.exit_code == 0);
    CHECK(all.kept("g.gsx") == "file_id first second ");
    CHECK(outcome.err.find("standard input: column") != std::string::npos);
  }
  write_gzip(all.folder / "list.gz", "a/contigs.fa\tzipped\n");
  REQUIRE(all.gsx({"index", "--force", "-q", "--input-list", "list.gz", "-o", "g.gsx"}).exit_code ==
          0);
  CHECK(all.kept("g.gsx") == "file_id zipped ");
  // A path may hold what separates columns elsewhere.
  std::filesystem::create_directory(all.folder / "d, e");
  all.folder.write("d, e/x y.fa", ">r\nGATTACA\n");
  REQUIRE(
      all.gsx({"index", "--force", "-q", "--input-list", "-", "-o", "g.gsx"}, "d, e/x y.fa\tz\n")
          .exit_code == 0);
  CHECK(all.kept("g.gsx") == "file_id z ");
}

TEST_CASE("a path that does not exist is an error with its line, and no header") {
  const Samples all;
  const std::pair<const char*, const char*> lists[] = {
      {"mising.fa\nb/contigs.fa\nc/contigs.fa\n", "line 1: cannot read 'mising.fa'"},
      {"genome.fa\tx\nb/contigs.fa\ty\n", "line 1: cannot read 'genome.fa'"},
      {"sample/fasta\nb/contigs.fa\n", "line 1: cannot read 'sample/fasta'"},
      {"contigs1\nb/contigs.fa\n", "line 1: cannot read 'contigs1'"},
      {"foo\nb/contigs.fa\n", "line 1: cannot read 'foo'"},
      {"#x\na/contigs.fa\nnone.fa\n", "line 3: cannot read 'none.fa'"},
      {"path\tsample\na/contigs.fa\tx\nnone.fa\ty\n", "line 3: cannot read 'none.fa'"},
      {"sample,fasta\nx,a/contigs.fa\ny,none.fa\n", "line 3: cannot read 'none.fa'"},
      {"sample path\nx a/contigs.fa\ny none.fa\n", "line 3: cannot read 'none.fa'"},
      {"x,a/contigs.fa\ny,none.fa\n", "line 1: cannot read 'x,a/contigs.fa'"},
      {"path\n", "line 1: cannot read 'path'"},
      {"a\nb/contigs.fa\n", "line 1: cannot read 'a': it is a folder"},
      {"a/contigs.fa\nhttps://x.org/b.fa\n", "line 2: cannot read 'https://x.org/b.fa': gsx does"},
  };
  REQUIRE(all.gsx({"index", "-q", "a/contigs.fa", "-o", "v.gsx"}).exit_code == 0);
  for (const auto& [list, error] : lists) {
    CAPTURE(list);
    check_failure(all.gsx({"index", "-q", "--input-list", "-", "-o", "g.gsx"}, list), 3, {error});
    CHECK_FALSE(all.folder.has("g.gsx"));
  }
  check_failure(all.gsx({"verify", "-q", "v.gsx", "--against-list", "-"}, lists[0].first), 3,
                {lists[0].second});
  // A folder of the name that a sample has is no second file.
  for (const char* const list :
       {"a/contigs.fa a\nb/contigs.fa b\n", "a,a/contigs.fa\nb,b/contigs.fa\n",
        "assembly file,sample\na/contigs.fa,a\nb/contigs.fa,b\n"}) {
    CAPTURE(list);
    REQUIRE(
        all.gsx({"index", "--force", "-q", "--input-list", "-", "-o", "g.gsx"}, list).exit_code ==
        0);
    CHECK(all.kept("g.gsx") == "file_id a b ");
  }
}

TEST_CASE("a list of files that is wrong is refused, and so are names that collide") {
  const Samples all;
  const auto with = [&](const std::string& list) {
    const Outcome outcome = all.gsx({"index", "-q", "--input-list", "-", "-o", "g.gsx"}, list);
    CHECK_FALSE(all.folder.has("g.gsx"));
    return outcome;
  };
  check_failure(with("a/contigs.fa\tx\nb/contigs.fa\tx\n"), 2, {"'x'", "a name for each"});
  check_failure(with("a/contigs.fa\tx\nb/contigs.fa\nc/contigs.fa\n"), 2, {"'contigs'"});
  check_failure(with("s,a/contigs.fa,b/contigs.fa\n"), 3,
                {"standard input", "line 1", "columns 2 and 3 name files"});
  check_failure(with("a/contigs.fa\tb/contigs.fa\n"), 3, {"line 1", "columns 1 and 2 name files"});
  check_failure(with("a/contigs.fa\tx\tb/contigs.fa\n"), 3, {"columns 1 and 3 name files"});
  // A sheet of pairs of reads; a sample may have one file.
  for (const char* sheet :
       {"sample,fastq_1,fastq_2\ns,a/contigs.fa,b/contigs.fa\n",
        "sep=,\n,,\nsample,fastq_1,fastq_2\ns,a/contigs.fa,\nt,b/contigs.fa,c/contigs.fa\n"})
    check_failure(with(sheet), 3, {"columns 2 and 3 name files", "a line of its own"});
  check_failure(with("\n#\na/contigs.fa\t\n"), 3, {"line 3", "a tab and a name"});
  check_failure(with("\tname\n"), 3, {"line 1"});
  check_failure(with(std::string("a/contigs\0.fa\n", 14)), 3, {"line 1", "NUL"});
  check_failure(with("a/contigs.fa,\"x\nb/contigs.fa\"\n"), 3, {"line 1", "a quote"});
  check_failure(with("#\n\n"), 3, {"names no file"});
  check_failure(with(""), 3, {"a list of files"});
  check_failure(with("none.fa\n"), 3, {"standard input: line 1: cannot read 'none.fa'"});
  check_failure(with("-\n"), 2, {"standard input cannot be the list of files and a file"});
  REQUIRE(all.gsx({"index", "-q", "a/contigs.fa", "-o", "v.gsx"}).exit_code == 0);
  check_failure(all.gsx({"verify", "-q", "v.gsx", "--against", "-", "--against-list", "-"}), 2,
                {"standard input cannot be the list"});
  check_failure(all.gsx({"index", "--input-list", "none.tsv", "-o", "g.gsx"}), 3, {"none.tsv"});
  check_failure(all.gsx({"index", "-o", "g.gsx"}), 2, {"FILE is required", "--input-list"});
  check_failure(all.gsx({"index", "--input-list", "list.tsv"}), 2, {"-o FILE.gsx"});
  all.folder.write("list.gsx", "a/contigs.fa\n");
  check_failure(all.gsx({"index", "--input-list", "list.gsx", "-o", "list.gsx"}), 2,
                {"would replace the input"});
}
