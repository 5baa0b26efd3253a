// Indexes that know the input files of their records: index --files, --by-file of all commands with
// hits, and index --append.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/json.hpp"
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

/// Three files: two records, then an empty one and one of two segments, then one.
struct Collection {
  TemporaryFolder folder;

  Collection() {
    folder.write("a.fa", ">x first\nACGACG\n>y\nCCCCC\n");
    std::filesystem::create_directory(folder / "sub");
    folder.write("sub/b.v2.fna", ">empty\n\n>w\nACGNNacgT\n");
    folder.write("c.fq", "@z\nCGTT\n+\nIIII\n");
    REQUIRE(index({"--files", "a.fa", "sub/b.v2.fna", "c.fq", "-o", "all.gsx"}).exit_code == 0);
  }
  Outcome gsx(const Arguments& arguments, const std::string& input = "") const {
    return run(arguments, {.input = input, .folder = folder.path()});
  }
  Outcome index(Arguments more) const {
    more.insert(more.begin(), {"index", "-q"});
    return gsx(more);
  }
  Outcome count(Arguments more) const {
    more.insert(more.begin(), {"count", "-q", "-x", "all.gsx", "--by-file"});
    return gsx(more);
  }
};

const Arguments patterns = {"-p", "ACG", "-p", "GGGTGGG", "-p", "CCC", "-p", "AACG", "-p", "ANG"};

Arguments with_patterns(Arguments arguments) {
  arguments.insert(arguments.end(), patterns.begin(), patterns.end());
  return arguments;
}

constexpr const char* lines_of_patterns =
    "query_id\tfile_id\tcount\tcount_fwd\tcount_rev\n"
    "ACG\ta\t2\t2\t0\n"
    "ACG\tb.v2\t3\t2\t1\n"
    "ACG\tc\t1\t0\t1\n"
    "CCC\ta\t3\t3\t0\n"
    "AACG\tc\t1\t0\t1\n";

}  // namespace

TEST_CASE("count --by-file has a line per query and file with hits, in input order") {
  const Collection all;
  for (const char* threads : {"1", "3"}) {
    for (const char* batch : {"1", "1000"}) {
      check_output(all.count(with_patterns({"-t", threads, "--batch", batch})), lines_of_patterns);
    }
  }
  check_output(all.count({"--no-header", "--strand", "rev", "-p", "ACG"}),
               "ACG\tb.v2\t1\t0\t1\nACG\tc\t1\t0\t1\n");
  check_output(all.count({"--no-header", "-k", "1", "-p", "CCCCG"}), "CCCCG\ta\t1\t1\t0\n");
  check_output(all.count({"--no-header", "--min-files", "3", "-p", "ACG", "-p", "AACG"}),
               "ACG\ta\t2\t2\t0\nACG\tb.v2\t3\t2\t1\nACG\tc\t1\t0\t1\n");
  check_output(all.count({"--no-header", "--max-files", "1", "-p", "ACG", "-p", "AACG"}),
               "AACG\tc\t1\t0\t1\n");
  check_failure(all.count({"--max-files", "2", "--min-files", "3", "-p", "ACG"}), 2,
                {"--min-files", "--max-files"});
  const Outcome none =
      all.gsx({"count", "-x", "all.gsx", "--by-file", "--min-files", "4", "-p", "ACG"});
  CHECK(none.exit_code == 0);
  CHECK(none.err.find("warning: --min-files 4: the index has 3 files, so no query is written") !=
        std::string::npos);
  const Arguments in_memory =
      with_patterns({"count", "-q", "--by-file", "-r", "a.fa", "-r", "sub/b.v2.fna", "-r", "c.fq"});
  check_output(all.gsx(in_memory), lines_of_patterns);
  CHECK(all.count({"--summary", "s", "-p", "ACG"}).exit_code == 0);
  CHECK(all.folder.read("s").find("\"by_file\":true") != std::string::npos);
}

TEST_CASE("count --by-file --matrix and --presence have a line per query, hits or not") {
  const Collection all;
  const std::string header = "query_id\ta\tb.v2\tc\n";
  check_output(all.count(with_patterns({"--matrix"})), header +
                                                           "ACG\t2\t3\t1\n"
                                                           "GGGTGGG\t0\t0\t0\n"
                                                           "CCC\t3\t0\t0\n"
                                                           "AACG\t0\t0\t1\n"
                                                           "ANG\t0\t0\t0\n");
  check_output(all.count(with_patterns({"--presence", "--min-files", "1"})), header +
                                                                                 "ACG\t1\t1\t1\n"
                                                                                 "CCC\t1\t0\t0\n"
                                                                                 "AACG\t0\t0\t1\n");
  check_output(all.count({"--matrix", "--no-header", "--min-files", "4", "-p", "ACG"}), "");
  check_output(
      all.count({"--matrix", "--no-header", "--max-files", "1", "-p", "ACG", "-p", "GGGTGGG"}),
      "GGGTGGG\t0\t0\t0\n");
  for (const char* option : {"--matrix", "--presence", "--min-files=1", "--max-files=1"})
    check_failure(all.gsx({"count", "-x", "all.gsx", option, "-p", "A"}), 2, {"--by-file"});
  for (const Arguments& pair : {Arguments{"--matrix", "--presence"}, Arguments{"--by-record"},
                                Arguments{"--by-mismatches", "-k", "1"}}) {
    Arguments both = pair;
    both.insert(both.end(), {"-p", "A"});
    check_failure(all.count(both), 2, {"excludes"});
  }
}

TEST_CASE("locate --by-file names the file of each hit where the format has a place for it") {
  const Collection all;
  const auto locate = [&](Arguments more) {
    more.insert(more.begin(), {"locate", "-q", "-x", "all.gsx", "--by-file", "-p", "CGT"});
    return all.gsx(more);
  };
  check_output(locate({}),
               "query_id\ttarget_id\tstart\tend\tstrand\tmismatches\tn_total\tn_reported\t"
               "truncated\tfile_id\n"
               "CGT\tx\t0\t3\t-\t0\t6\t6\tno\ta\n"
               "CGT\tx\t3\t6\t-\t0\t6\t6\tno\ta\n"
               "CGT\tw\t0\t3\t-\t0\t6\t6\tno\tb.v2\n"
               "CGT\tw\t5\t8\t-\t0\t6\t6\tno\tb.v2\n"
               "CGT\tw\t6\t9\t+\t0\t6\t6\tno\tb.v2\n"
               "CGT\tz\t0\t3\t+\t0\t6\t6\tno\tc\n");
  const std::string paf = output_of(locate({"--paf", "--max-hits", "1"}));
  CHECK(paf.find("\tcg:Z:3=\tfi:Z:") != std::string::npos);
  const std::string json = output_of(locate({"--jsonl"}));
  CHECK(is_json(json));
  CHECK(json.find("{\"target_id\":\"z\",\"file_id\":\"c\",\"start\":0,") != std::string::npos);
  const std::string sorted = output_of(locate({"--sort", "position", "--no-header"}));
  CHECK(sorted.ends_with("\tc\n"));
  for (const char* format : {"--bed", "--sam", "--bam", "--bedgraph"})
    check_failure(locate({format}), 2, {"--by-file", format + 2});
  check_failure(locate({"--bigwig", "x.bw"}), 2, {"--by-file", "bigwig"});
}

TEST_CASE("--by-file names the file of each place, also of matches, sites, products and repeats") {
  const Collection all;
  const Arguments files = {"-r", "a.fa", "-r", "sub/b.v2.fna", "-r", "c.fq"};
  /// Checks lines of an index, and that those of the same files are equal.
  const auto check_lines = [&](const std::string& command, const Arguments& more,
                               const std::string& lines) {
    CAPTURE(command);
    for (const Arguments& target : {Arguments{"-x", "all.gsx"}, files}) {
      Arguments arguments = {command, "-q", "--by-file"};
      arguments.insert(arguments.end(), target.begin(), target.end());
      arguments.insert(arguments.end(), more.begin(), more.end());
      check_output(all.gsx(arguments), lines);
    }
  };
  const Arguments match = {"-L", "3", "-p", "CGTT"}, pairs = {"--pairs", "-L", "4", "c.fq"};
  const auto with = [](Arguments arguments, const Arguments& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  };
  check_lines("mem", match,
              "query_id\tqstart\tqend\tlength\tn_fwd\tn_rev\ttarget_id\ttstart\ttend\tstrand\t"
              "n_total\tn_reported\ttruncated\tfile_id\n"
              "CGTT\t0\t4\t4\t1\t0\tz\t0\t4\t+\t1\t1\tno\tc\n");
  check_lines("mem", with(match, {"--paf"}),
              "CGTT\t4\t0\t4\t+\tz\t4\t0\t4\t4\t4\t255\tNM:i:0\tnh:i:1\tfi:Z:c\tcg:Z:4=\n");
  CHECK(output_of(all.gsx(with({"mem", "-q", "-x", "all.gsx", "--by-file", "--jsonl"}, match)))
            .find("\"strand\":\"+\",\"file_id\":\"c\"}") != std::string::npos);
  check_lines("mem", with(pairs, {"--no-header"}), "z\t0\t4\t4\tz\t0\t4\t+\tc\n");
  check_lines("mem", with(pairs, {"--paf"}),
              "z\t4\t0\t4\t+\tz\t4\t0\t4\t4\t4\t255\tNM:i:0\tfi:Z:c\tcg:Z:4=\n");
  check_lines("offtarget",
              {"-p", "AC", "--pam", "G", "-k", "0", "-o", "/dev/null", "--sites", "-",
               "--no-header", "--max-hits", "1"},
              "AC\tx\t0\t3\t+\t0\t6\t1\tyes\tACG\t.\ta\n");
  check_lines(
      "offtarget",
      {"-p", "AC", "--pam", "G", "-k", "0", "-o", "/dev/null", "--sites", "-", "--no-header",
       "--dna-bulge", "1", "--strand", "rev", "--format", "gff3", "--max-hits", "1"},
      "w\tgsx\tnuclease_binding_site\t7\t9\t.\t-\t.\tName=AC;mismatches=0;n_total=3;"
      "n_reported=1;truncated=yes;site=ACG;bulge_type=X;bulge_size=0;aligned_guide=ACG;"
      "aligned_site=ACG;file_id=b.v2\n");
  check_lines("amplicon", {"-p", "AACG,CGTT", "--min", "3"},
              "pair_id\ttarget_id\tstart\tend\tlength\tstrand\tfwd_mismatches\trev_mismatches\t"
              "primers\tn_total\tn_reported\ttruncated\tfile_id\n"
              "AACG,CGTT\tz\t0\t4\t4\t-\t0\t0\tRF\t1\t1\tno\tc\n");
  check_lines("amplicon",
              {"-p", "ACG,CGT", "--min", "3", "--max-hits", "1", "--sort", "position", "--jsonl"},
              "{\"pair_id\":\"ACG,CGT\",\"target_id\":\"x\",\"start\":0,\"end\":3,\"length\":3,"
              "\"strand\":\"+\",\"fwd_mismatches\":0,\"rev_mismatches\":0,\"primers\":\"FR\","
              "\"n_total\":10,\"n_reported\":1,\"truncated\":true,\"file_id\":\"a\"}\n");
  const Arguments found = {"-L", "3", "--min-count", "6"};
  check_lines("repeats", found,
              "repeat_id\tlength\tn_total\tn_reported\ttruncated\tplaces\tfiles\n"
              "1\t3\t6\t6\tno\tx:0:+,x:3:+,w:0:+,w:5:+,w:6:-,z:0:-\ta,a,b.v2,b.v2,b.v2,c\n");
  check_lines("repeats", with(found, {"--format", "gff3", "--max-hits", "1", "--no-header"}),
              "x\tgsx\trepeat_region\t4\t6\t.\t+\t.\tName=1;length=3;n_total=6;n_reported=1;"
              "truncated=yes;file_id=a\n");
  check_lines("repeats", {"--pairs", "-L", "4"},
              "target_id\tstart\tend\ttarget_id2\tstart2\tend2\tlength\tstrand\tfile_id\tfile_id2\n"
              "w\t5\t9\tw\t5\t9\t4\t-\tb.v2\tb.v2\ny\t0\t4\ty\t1\t5\t4\t+\ta\ta\n");
  for (const Arguments& wrong :
       {Arguments{"mem", "-p", "ACG", "--bed"},
        {"mem", "-p", "ACG", "--fastmap"},
        {"mem", "--pairs", "c.fq", "--mummer"},
        {"repeats", "--bed"},
        {"amplicon", "-p", "ACG,CGT", "--fasta"},
        {"offtarget", "-p", "ACGTA", "--sites", "-", "--format", "cas-offinder"}})
    check_failure(all.gsx(with(wrong, {"-x", "all.gsx", "--by-file"})), 2,
                  {"--by-file", "no names of files"});
  check_failure(all.gsx({"offtarget", "-x", "all.gsx", "-p", "ACGTA", "--by-file"}), 2,
                {"--by-file", "--sites"});
  check_failure(all.gsx({"mem", "-x", "all.gsx", "-p", "ACG", "--by-file", "--coverage"}), 2,
                {"--coverage", "--by-file"});
}

TEST_CASE("--by-file of an index without files says how to make one with them") {
  const Collection all;
  REQUIRE(all.index({"a.fa"}).exit_code == 0);
  const auto check_refused = [&](const Arguments& arguments) {
    CAPTURE(arguments[0]);
    check_failure(all.gsx(arguments), 2, {"'a.gsx'", "gsx index --files FILE... -o a.gsx"});
  };
  for (const char* command : {"count", "locate", "mem"})
    check_refused({command, "-x", "a.gsx", "--by-file", "-p", "A"});
  check_refused({"mem", "--pairs", "a.gsx", "c.fq", "--by-file"});
  check_refused({"repeats", "a.gsx", "--by-file"});
  check_refused({"amplicon", "a.gsx", "--by-file", "-p", "ACG,CGT"});
  check_refused({"offtarget", "a.gsx", "--by-file", "--sites", "s", "-k", "0", "-p", "ACG"});
  check_failure(all.gsx({"info", "a.gsx", "--files"}), 2, {"'a.gsx'", "gsx index --files"});
}

TEST_CASE("info tells the files of an index") {
  const Collection all;
  check_output(all.gsx({"info", "-q", "all.gsx", "--files"}),
               "file_id\trecords\tlength\na\t2\t11\nb.v2\t2\t9\nc\t1\t4\n");
  const std::string json = output_of(all.gsx({"info", "-q", "all.gsx", "--json"}));
  CHECK(is_json(json));
  CHECK(json.find("\"files\":[{\"name\":\"a\",\"records\":2,\"length\":11},"
                  "{\"name\":\"b.v2\",\"records\":2,\"length\":9},"
                  "{\"name\":\"c\",\"records\":1,\"length\":4}]}") != std::string::npos);
  const std::string facts = output_of(all.gsx({"info", "-q", "all.gsx"}));
  CHECK(facts.find("\nfiles_kept\tyes\n") != std::string::npos);
}

TEST_CASE("only named files that differ in name are kept") {
  const Collection all;
  const auto refused = [&](const Arguments& files, const std::vector<std::string>& fragments) {
    Arguments more = {"--files", "-o", "x.gsx"};
    more.insert(more.end(), files.begin(), files.end());
    check_failure(all.index(more), 2, fragments);
    CHECK_FALSE(std::filesystem::exists(all.folder / "x.gsx"));
  };
  all.folder.write("sub/a.fasta", ">x\nACGT\n");
  refused({"a.fa", "sub/a.fasta"}, {"'a.fa'", "'sub/a.fasta'", "'a'"});
  refused({"a.fa", "./a.fa"}, {"'./a.fa'", "twice"});
  refused({"-"}, {"'-'", "no name"});
  refused({"/dev/stdin"}, {"'/dev/stdin'", "no name"});
  all.folder.write("odd\tname.fa", ">x\nACGT\n");
  REQUIRE(all.index({"--files", "odd\tname.fa", "-o", "odd.gsx"}).exit_code == 0);
  check_output(all.gsx({"count", "-q", "-x", "odd.gsx", "--by-file", "--no-header", "-p", "AC"}),
               "AC\todd\\x09name\t2\t1\t1\n");
}

TEST_CASE("--files changes nothing else of an index, which stays that of its sequences") {
  const Collection all;
  const Arguments files = {"a.fa", "sub/b.v2.fna", "c.fq", "-o", "plain.gsx"};
  REQUIRE(all.index(files).exit_code == 0);
  const Arguments query = {"locate", "-q", "-p", "ACG", "-x"};
  const auto found = [&](const char* index) {
    Arguments arguments = query;
    arguments.emplace_back(index);
    return output_of(all.gsx(arguments));
  };
  CHECK(found("plain.gsx") == found("all.gsx"));
  const Outcome same =
      all.gsx({"index", "--files", "a.fa", "sub/b.v2.fna", "c.fq", "-o", "plain.gsx"});
  CHECK(same.exit_code == 0);
  CHECK(same.err.find("other sequences") == std::string::npos);
  CHECK(all.folder.read("plain.gsx") == all.folder.read("all.gsx"));
}

TEST_CASE("an index that loses its files says so, and verify --against compares them") {
  const Collection all;
  const Arguments files = {"a.fa", "sub/b.v2.fna", "c.fq"};
  const auto verified = [&](const Arguments& against) {
    Arguments arguments = {"verify", "-q", "all.gsx"};
    for (const std::string& file : against)
      arguments.insert(arguments.end(), {"--against", file});
    return all.gsx(arguments);
  };
  CHECK(verified(files).exit_code == 0);
  all.folder.write("both.fa", all.folder.read("a.fa") + all.folder.read("sub/b.v2.fna"));
  check_failure(verified({"both.fa", "c.fq"}), 5, {"'all.gsx'", "files"});
  const Outcome lost = all.gsx({"index", "a.fa", "sub/b.v2.fna", "c.fq", "-o", "all.gsx"});
  CHECK(lost.exit_code == 0);
  CHECK(lost.err.find("warning: 'all.gsx' kept the names of its input files") != std::string::npos);
}

TEST_CASE("index --append makes the index of all files at once") {
  const Collection all;
  std::string long_record(3'000'000, 'A');
  for (std::size_t i = 0; i < long_record.size(); ++i)
    long_record[i] = "ACGTacgtNA"[(i * i + i / 7) % 10];
  all.folder.write("long.fa", ">long\n" + long_record + "\n>last\tcomment\nGATTACA\n");
  const std::vector<Arguments> all_options = {
      {},
      {"--files"},
      {"--soft-mask", "keep", "--md5"},
      {"--soft-mask", "split", "--sa-rate", "4"},
      {"--alphabet", "bytes"},
      {"--alphabet", "protein", "--files"},
  };
  for (const Arguments& made : all_options) {
    CAPTURE(made.size() > 1 ? made[1] : "");
    const auto with = [&](Arguments rest) {
      rest.insert(rest.begin(), made.begin(), made.end());
      return rest;
    };
    REQUIRE(all.index(with({"long.fa", "a.fa", "sub/b.v2.fna", "-o", "whole.gsx"})).exit_code == 0);
    REQUIRE(all.index(with({"long.fa", "-o", "grown.gsx", "--force"})).exit_code == 0);
    for (const char* threads : {"1", "3"}) {
      // Protein that was told, not guessed, may look like DNA; that must be told again.
      Arguments append = {"--append", "grown.gsx", "a.fa", "sub/b.v2.fna"};
      append.insert(append.end(), {"-o", "other.gsx", "-t", threads, "--force"});
      if (!made.empty() && made[0] == "--alphabet") append = with(append);
      REQUIRE(all.index(append).exit_code == 0);
      CHECK((all.folder.read("other.gsx") == all.folder.read("whole.gsx")));
    }
    for (const char* file : {"a.fa", "sub/b.v2.fna"}) {
      Arguments append = with({"--append", "grown.gsx", file, "-o", "grown.gsx"});
      append.insert(append.begin(), "index");
      const Outcome outcome = all.gsx(append);
      CHECK(outcome.exit_code == 0);
      CHECK(outcome.err.find("warning: replacing") == std::string::npos);
    }
    CHECK((all.folder.read("grown.gsx") == all.folder.read("whole.gsx")));
  }
}

TEST_CASE("index --append refuses what does not fit the index, which stays") {
  const Collection all;
  REQUIRE(all.index({"a.fa", "-o", "plain.gsx"}).exit_code == 0);
  const std::string before = all.folder.read("all.gsx");
  const auto refused = [&](const Arguments& more, int code,
                           const std::vector<std::string>& fragments) {
    Arguments arguments = {"-o", "all.gsx"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    check_failure(all.index(arguments), code, fragments);
    CHECK((all.folder.read("all.gsx") == before));
  };
  all.folder.write("d.fa", ">d\nACGT\n");
  all.folder.write("protein.faa", ">p\nMKVLAAGIVGLEEFPQ\n");
  all.folder.write("a.fasta", ">d\nACGT\n");
  refused({"--append", "all.gsx", "a.fasta"}, 2, {"'a.fasta'", "'a'"});
  refused({"--append", "plain.gsx", "d.fa", "--files"}, 2, {"--files", "'plain.gsx'"});
  refused({"--append", "all.gsx", "d.fa", "--alphabet", "protein"}, 2,
          {"--alphabet protein", "dna"});
  refused({"--append", "all.gsx", "d.fa", "--soft-mask", "keep"}, 2, {"--soft-mask keep", "fold"});
  refused({"--append", "none.gsx", "d.fa"}, 4, {"none.gsx"});
  refused({"--append", ".", "d.fa"}, 2, {"the folder '.' has 2 *.gsx", "with --append"});
  refused({"--append", "a.fa", "d.fa"}, 4, {"a.fa", "not a gsx index"});
  refused({"--append", "all.gsx", "none.fa"}, 3, {"none.fa"});
  refused({"--append", "all.gsx", "protein.faa"}, 3, {"protein.faa"});
  check_failure(all.index({"--append", "all.gsx", "d.fa"}), 2, {"-o"});
  all.folder.write("damaged.gsx", before.substr(0, before.size() - 8));
  refused({"--append", "damaged.gsx", "d.fa"}, 5, {"damaged.gsx"});
  const Outcome plan = all.gsx({"index", "--append", "all.gsx", "d.fa", "--plan"});
  CHECK(plan.exit_code == 0);
  CHECK(plan.out.find("\nrecords\t6\n") != std::string::npos);
}
