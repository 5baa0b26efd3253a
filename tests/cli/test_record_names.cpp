// Records of one name: those of several files, which index --files names FILE#NAME, and regions
// that fit several records.
#include <doctest/doctest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "support/index_file.hpp"
#include "support/peak_memory.hpp"
#include "support/program.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Two assemblies with a contig of one name.
struct Samples {
  TemporaryFolder folder;

  Samples() {
    folder.write("s1.fa", ">contig_1 of 1\nAAACGTGGTTCC\n");
    folder.write("s2.fa", ">contig_1 of 2\nTTTTGGGGCCCCAA\n>contig_2\nGATTACA\n");
    folder.write("s3.fa", ">x\nCATCATCATT\n");
  }
  Outcome gsx(const Arguments& arguments, const std::string& input = "") const {
    return run(arguments, {.input = input, .folder = folder.path()});
  }
  Outcome index(Arguments more) const {
    more.insert(more.begin(), "index");
    const Outcome outcome = gsx(more);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
    return outcome;
  }
  /// The names of the records, in a line.
  std::string names(const std::string& index) const {
    std::string names;
    const std::string table = output_of(gsx({"info", "-q", index, "--records", "--no-header"}));
    for (const std::string& line : lines_of(table))
      names += (names.empty() ? "" : " ") + line.substr(0, line.find('\t'));
    return names;
  }
};

std::size_t warnings_in(const Outcome& outcome) {
  std::size_t count = 0;
  for (std::size_t at = outcome.err.find("warning:"); at != std::string::npos;
       at = outcome.err.find("warning:", at + 1))
    ++count;
  return count;
}

}  // namespace

TEST_CASE("with --files, records of several files are named FILE#NAME where they share a name") {
  const Samples all;
  struct Case {
    std::vector<std::string> files;  ///< what f0.fa, f1.fa, ... hold
    std::string names;
    std::size_t warnings = 0;
  };
  const Case cases[] = {
      {{">c\nAC\n", ">c\nACG\n>d\nA\n"}, "f0#c f1#c f1#d"},
      {{">c\nAC\n", ">d\nACG\n", ">e\nA\n"}, "c d e"},
      // A name is all of it, also with '#'.
      {{">f0#c\nAC\n", ">f1#c\nACG\n", ">x\nA\n"}, "f0#c f1#c x"},
      {{">f0#c\nAC\n>c\nA\n", ">c\nACG\n"}, "f0#f0#c f0#c f1#c"},
      // Names of one file stay equal, and are warned of.
      {{">c\nAC\n>c\nA\n", ">d\nACG\n"}, "c c d", 1},
      {{">c\nAC\n>c\nA\n", ">c\nACG\n"}, "f0#c f0#c f1#c", 1},
      {{">\nAC\n", ">\nACG\n"}, "f0# f1#"},
      {{">c\nAC\n", ">C\nACG\n"}, "c C"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.names);
    Arguments arguments = {"--files", "--force", "-o", "all.gsx"};
    for (std::size_t f = 0; f < one.files.size(); ++f) {
      arguments.push_back("f" + std::to_string(f) + ".fa");
      all.folder.write(arguments.back(), one.files[f]);
    }
    std::filesystem::remove(all.folder / "all.gsx");
    const Outcome made = all.index(arguments);
    CHECK(warnings_in(made) == one.warnings);
    CHECK(all.names("all.gsx") == one.names);
    arguments[3] = "many.gsx";
    arguments.insert(arguments.end(), {"--shard-size", "1"});
    all.index(arguments);
    CHECK(all.names("many.gsx") == one.names);
  }
}

TEST_CASE("hits of samples that share names go back to their own sequence") {
  const Samples all;
  all.index({"-q", "--files", "s1.fa", "s2.fa", "-o", "two.gsx"});
  const Outcome hits = all.gsx({"locate", "-q", "two.gsx", "-p", "ACGTGG", "--bed"});
  check_output(hits, "s1#contig_1\t2\t8\tACGTGG\t0\t+\n");
  check_output(all.gsx({"extract", "-q", "two.gsx", "-R", "-"}, hits.out),
               ">ACGTGG::s1#contig_1:2-8(+)\nACGTGG\n");
  check_output(all.gsx({"extract", "-q", "two.gsx", "s2#contig_1"}),
               ">s2#contig_1 of 2\nTTTTGGGGCCCCAA\n");
  check_output(
      all.gsx({"count", "-q", "two.gsx", "--by-record", "--no-header", "-p", "GG", "-p", "TTAC"}),
      "GG\ts1#contig_1\t2\t1\t1\nGG\ts2#contig_1\t6\t3\t3\nTTAC\ts2#contig_2\t1\t1\t0\n");
  check_output(
      all.gsx({"amplicon", "-q", "two.gsx", "-", "--min", "1", "--no-header"}, "p\tTTTTG\tTTGGG\n"),
      "p\ts2#contig_1\t0\t14\t14\t+\t0\t0\tFR\t2\t2\tno\n"
      "p\ts2#contig_1\t2\t14\t12\t.\t0\t0\tRR\t2\t2\tno\n");
  const Outcome sam = all.gsx({"locate", "-q", "two.gsx", "-p", "ACGTGG", "--sam"});
  CHECK(sam.out.find("@SQ\tSN:s1#contig_1\tLN:12\n@SQ\tSN:s2#contig_1\tLN:14") !=
        std::string::npos);
  // The whole name is the name; the message tells those that end in it.
  check_failure(all.gsx({"extract", "two.gsx", "contig_1"}), 3,
                {"no record 'contig_1'", "there are 's1#contig_1' and 's2#contig_1'"});
  check_failure(all.gsx({"count", "two.gsx", "-p", "ACGT", "--circular", "contig_2"}), 3,
                {"there is 's2#contig_2'"});
  // What extract gives has these names without --files.
  REQUIRE(all.gsx({"extract", "-q", "two.gsx", "-o", "all.fa"}).exit_code == 0);
  all.index({"-q", "all.fa", "-o", "again.gsx"});
  CHECK(all.names("again.gsx") == "s1#contig_1 s2#contig_1 s2#contig_2");
}

TEST_CASE("what cannot be in the name of a record becomes _ in that of its file") {
  const Samples all;
  all.folder.write("list", "s1.fa\tpatient 1\ns2.fa\tpatient 2\n");
  all.index({"-q", "--input-list", "list", "-o", "named.gsx"});
  CHECK(all.names("named.gsx") == "patient_1#contig_1 patient_2#contig_1 patient_2#contig_2");
  check_output(all.gsx({"info", "-q", "named.gsx", "--files", "--no-header"}),
               "patient 1\t1\t12\npatient 2\t2\t21\n");
}

TEST_CASE("index --append names records as one build of all files does, and says so") {
  const Samples all;
  all.folder.write("p1.fa", ">p1#contig_1\nACGT\n");
  all.folder.write("p2.fa", ">p2#contig_1\nACCT\n");
  struct Case {
    std::vector<std::string> files;
    std::string names;
    std::size_t renamed_at;  ///< the number of the file that is appended with a message; 0: none
  };
  const Case cases[] = {
      {{"s3.fa", "s1.fa", "s2.fa"}, "s3#x s1#contig_1 s2#contig_1 s2#contig_2", 2},
      {{"s1.fa", "s2.fa", "s3.fa"}, "s1#contig_1 s2#contig_1 s2#contig_2 s3#x", 1},
      {{"s1.fa", "s3.fa"}, "contig_1 x", 0},
      {{"p1.fa", "p2.fa", "s3.fa"}, "p1#contig_1 p2#contig_1 x", 0},
      {{"s1.fa", "s2.fa", "p1.fa"}, "s1#contig_1 s2#contig_1 s2#contig_2 p1#p1#contig_1", 1},
  };
  for (const Case& one : cases) {
    CAPTURE(one.names);
    Arguments whole = {"-q", "--force", "--files", "-o", "whole.gsx"};
    whole.insert(whole.end(), one.files.begin(), one.files.end());
    all.index(whole);
    all.index({"-q", "--force", "--files", one.files[0], "-o", "grown.gsx"});
    for (std::size_t f = 1; f < one.files.size(); ++f) {
      const Outcome grown = all.index({"--append", "grown.gsx", one.files[f], "-o", "grown.gsx"});
      const bool says = grown.err.find("warning: --append") != std::string::npos &&
                        grown.err.find("FILE#NAME") != std::string::npos;
      CHECK(says == (f == one.renamed_at));
    }
    CHECK(all.names("grown.gsx") == one.names);
    CHECK(all.folder.read("grown.gsx") == all.folder.read("whole.gsx"));
    Arguments against = {"verify", "-q", "grown.gsx"};
    for (const std::string& file : one.files)
      against.insert(against.end(), {"--against", file});
    CHECK(all.gsx(against).exit_code == 0);
  }
}

TEST_CASE("without --files, one warning tells of names that files share, in shards too") {
  const Samples all;
  std::string name = "plain.gsx";
  for (const Arguments& more :
       {Arguments{}, Arguments{"--shards", "3"}, Arguments{"--shard-size", "1"},
        Arguments{"--shard-size", "1000"}}) {
    name.insert(0, 1, 'x');
    Arguments arguments = {"s1.fa", "s2.fa", "s3.fa", "-o", name};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome made = all.index(arguments);
    CAPTURE(made.err);
    CHECK(warnings_in(made) == 1);
    CHECK(made.err.find("--files") != std::string::npos);
    CHECK(all.names(name) == "contig_1 contig_1 contig_2 x");
  }
  // A file that is spread over shards shares no name with itself.
  all.folder.write("long.fa", ">a\nACGT\n>b\nACGT\n>c\nACGT\n");
  CHECK(warnings_in(all.index({"long.fa", "s3.fa", "-o", "l.gsx", "--shard-size", "1"})) == 0);
}

TEST_CASE("the warning of names that files share says what helps") {
  const Samples all;
  const std::string files = "gsx index --files names each record FILE#NAME";
  // Records of an index that does not know its files are those of other files than the new ones.
  all.index({"-q", "s1.fa", "s3.fa", "-o", "plain.gsx"});
  const Outcome grown = all.index({"--append", "plain.gsx", "s2.fa", "-o", "grown.gsx"});
  CHECK(warnings_in(grown) == 1);
  CHECK(grown.err.find("several files have a record 'contig_1'") != std::string::npos);
  CHECK(grown.err.find(files) != std::string::npos);
  // Names that are equal although they begin with those of their files.
  all.folder.write("a.fa", ">b#x\nACGT\n>t\nGATTA\n");
  all.folder.write("a#b.fa", ">x\nACCT\n>t\nCATCA\n");
  const Outcome made = all.index({"--files", "a.fa", "a#b.fa", "-o", "hash.gsx"});
  CHECK(warnings_in(made) == 1);
  CHECK(made.err.find("several files have a record 'a#b#x'") != std::string::npos);
  CHECK(made.err.find(files) == std::string::npos);
  CHECK(made.err.find("--input-list") != std::string::npos);
}

TEST_CASE("shards of one file take no memory to compare names of files") {
  const TemporaryFolder folder;
  std::string fasta;
  for (int r = 0; r < 400'000; ++r)
    fasta += '>' + std::to_string(r) + "\nA\n";
  folder.write("t.fa", fasta);
  const std::string plan = "index -q -t 1 --device cpu --plan -o t.gsx t.fa --shard-size 50k";
  CHECK(peak_of(plan, folder) < peak_of(plan + " --files", folder) + 3 * megabyte);
}

TEST_CASE("shards of jobs name records alike, and merge gives the names of the manifest") {
  const Samples all;
  const Arguments files = {"--files", "s3.fa", "s1.fa", "s2.fa"};
  const auto with = [&](Arguments more) {
    more.insert(more.end(), files.begin(), files.end());
    return more;
  };
  all.index(with({"-q", "-o", "whole.gsx"}));
  all.index(with({"-q", "-o", "many.gsx", "--shards", "3"}));
  for (const char* shard : {"2", "0", "1"})
    all.index(with({"-q", "-o", "jobs.gsx", "--shards", "3", "--shard", shard}));
  all.index(with({"-q", "-o", "jobs.gsx", "--shards", "3", "--manifest-only"}));
  for (const char* shard : {"000", "001", "002"})
    CHECK(all.folder.read("jobs." + std::string(shard) + ".gsx") ==
          all.folder.read("many." + std::string(shard) + ".gsx"));
  CHECK(all.names("many.gsx") == all.names("whole.gsx"));
  CHECK(all.names("many.000.gsx").starts_with("s3#x"));
  all.folder.write("q.fa", ">q\nCC\n>r\nATT\n");
  for (const std::string suffix : {".tsv", ".bed", ".paf"}) {
    Arguments merge = {"merge", "-q", "-x", "many.gsx", "--queries", "q.fa", "-o", "m" + suffix};
    for (const std::string shard : {"0", "1", "2"}) {
      merge.push_back("part" + shard + suffix);
      REQUIRE(
          all.gsx({"locate", "-q", "-x", "many.00" + shard + ".gsx", "q.fa", "-o", merge.back()})
              .exit_code == 0);
    }
    const Outcome merged = all.gsx(merge);
    CAPTURE(merged.err);
    CHECK(merged.exit_code == 0);
    for (const char* index : {"whole.gsx", "many.gsx"}) {
      const std::string name = "w" + suffix;
      REQUIRE(all.gsx({"locate", "-q", "-x", index, "q.fa", "-o", name}).exit_code == 0);
      CHECK(all.folder.read("m" + suffix) == all.folder.read(name));
    }
  }
  // Commands that join the shards in memory.
  const Arguments mem = {"mem", "-q", "q.fa", "-L", "3", "-x"};
  const auto found = [&](const char* index) {
    Arguments arguments = mem;
    arguments.emplace_back(index);
    return output_of(all.gsx(arguments));
  };
  CHECK(found("many.gsx") == found("whole.gsx"));
  // A shard of another naming is not one of this input.
  all.index({"-q", "-o", "jobs.gsx", "--files", "s3.fa", "s1.fa", "--shards", "2", "--shard", "0",
             "--force"});
  check_failure(
      all.gsx(with({"index", "-q", "-o", "jobs.gsx", "--shards", "3", "--manifest-only"})), 5,
      {"jobs.000.gsx", "--shards 3 --shard 0"});
}

TEST_CASE("--shard-size with --files reads input twice, so a pipe is refused") {
  const Samples all;
  all.folder.write("list", "s1.fa\n/dev/stdin\tpiped\n");
  check_failure(
      all.gsx({"index", "--input-list", "list", "--files", "-o", "p.gsx", "--shard-size", "5"},
              ">a\nACGT\n"),
      2, {"--files with --shard-size", "/dev/stdin"});
}

TEST_CASE("verify --against reads names as the index has them, from pipes too") {
  const Samples all;
  all.index({"-q", "--files", "s1.fa", "s2.fa", "-o", "two.gsx"});
  const auto verify = [&](const std::string& against) {
    return run_shell("\"$gsx\" verify -q two.gsx " + against, {.folder = all.folder.path()});
  };
  CHECK(verify("--against s1.fa --against s2.fa").exit_code == 0);
  CHECK(verify("--against <(cat s1.fa) --against <(cat s2.fa)").exit_code == 0);
  check_failure(verify("--against <(cat s1.fa s2.fa)"), 2, {"FILE#NAME", "2 files"});
  CHECK(verify("--against s2.fa --against s1.fa").exit_code == 5);
}

TEST_CASE("a file that says falsely that it names records by their files is corrupt") {
  const Samples all;
  all.index({"-q", "--files", "s1.fa", "s2.fa", "-o", "two.gsx"});
  const std::string whole = all.folder.read("two.gsx");
  const auto judge = [&](const std::function<void(IndexFile&)>& edit) {
    IndexFile file(whole);
    edit(file);
    file.seal();
    all.folder.write("f.gsx", file.bytes);
    check_failure(all.gsx({"extract", "-q", "f.gsx"}), 5, {"f.gsx", "corrupt"});
  };
  judge([](IndexFile& file) { file.set(file.at("names_by_file"), std::uint8_t{2}); });
  judge([](IndexFile& file) { file.set(file.at("names"), std::uint8_t{'t'}); });
  judge([](IndexFile& file) { file.set(file.at("names") + 2, std::uint8_t{'_'}); });
}

TEST_CASE("a region that fits several records is refused with the candidates") {
  const Samples all;
  all.index({"-q", "s1.fa", "s2.fa", "-o", "plain.gsx"});
  all.folder.write("twice.fa", ">t\nAACGTACGTTGGCC\n>t\nAA\n");
  all.index({"-q", "--files", "twice.fa", "s3.fa", "-o", "kept.gsx"});
  all.folder.write("r.bed", "contig_2\t0\t3\ncontig_1\t2\t5\n");
  all.folder.write("r.txt", "contig_2\ncontig_1:2-3\n");
  all.folder.write("g.fa", ">g\nACGTACGTACGTACGTACGT\n");
  struct Case {
    Arguments arguments;
    std::vector<std::string> fragments;
  };
  const std::string candidates = "record 1 (12 symbols) and record 2 (14 symbols)";
  const Case cases[] = {
      {{"extract", "plain.gsx", "contig_1"}, {candidates, "--files"}},
      {{"extract", "plain.gsx", "contig_1:2-5"}, {candidates}},
      {{"extract", "plain.gsx", "{contig_1}:2"}, {candidates}},
      {{"extract", "plain.gsx", "-R", "r.bed"}, {candidates, "r.bed: line 2"}},
      {{"extract", "plain.gsx", "-R", "r.txt"}, {candidates, "r.txt: line 2"}},
      {{"extract", "kept.gsx", "t:1-2"},
       {"record 1 of file 'twice' (14 symbols) and record 2 of file 'twice' (2 symbols)"}},
      {{"offtarget", "plain.gsx", "--all-sites", "--guides-in", "r.bed"},
       {candidates, "r.bed: line 2"}},
      {{"count", "plain.gsx", "-p", "ACGT", "--circular", "contig_1"}, {candidates, "'all'"}},
      {{"amplicon", "plain.gsx", "g.fa", "--circular", "contig_1"}, {candidates, "'all'"}},
  };
  for (const Case& one : cases) {
    CAPTURE(one.arguments);
    check_failure(all.gsx(one.arguments), 2, one.fragments);
  }
  check_output(all.gsx({"extract", "-q", "plain.gsx", "contig_2:1-3"}), ">contig_2:1-3\nGAT\n");
}
