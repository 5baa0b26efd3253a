// gsx merge: the results of shards, joined, are those of the whole index.
#include <algorithm>
#include <filesystem>

#include "index/store/shard_manifest.hpp"
#include "support/program_folder.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"
#include "text/complement.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

Arguments joined(Arguments all, const Arguments& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// An index in shards, and queries: palindromes, both strands, ends of records, N, empty ones, some
/// that occur nowhere, in one shard, and in all.
struct Parts : ProgramFolder {
  std::vector<std::string> shards;

  explicit Parts(std::uint64_t seed, const Arguments& made = {}) {
    Random random(seed);
    const std::string repeat = random_string(random, 25, "ACGT");
    std::string queries, list;
    int number = 0;
    const auto query = [&](const std::string& sequence) {
      queries += ">q" + std::to_string(number++) + " comment\n" + sequence + '\n';
    };
    query("");
    query("ACGT");
    query(repeat);
    query("ACGNT");
    query("GATTACAGATTACAGATTACA");
    for (int f = 0; f < 3; ++f) {
      std::string fasta;
      for (int r = 0; r < 4; ++r) {
        // A name that TSV has to escape, and one that occurs in every file.
        const std::string name = r == 0 ? "same" : r == 1 ? "t\\1\"}" : "r" + std::to_string(r);
        const std::string own = random_string(random, 20 + 30 * static_cast<unsigned>(r), "ACGT");
        fasta += '>' + name + '\n' + repeat + own + "NN" + repeat.substr(0, 12) + '\n';
        if (r == 2) fasta += ">empty\n\n";
        query(own.substr(0, 9));
        std::string end = own.substr(own.size() - 8);
        reverse_complement(end);
        query(end);
        query(own.substr(own.size() - 4) + "NN");
        query(repeat.substr(0, 6));
      }
      folder.write("f" + std::to_string(f) + ".fa", fasta);
    }
    for (const char* name : {"1", "2", "3"})
      list += "p" + std::string(name) + '\t' + random_string(random, 3, "ACGT") + '\n';
    folder.write("q.fa", queries);
    folder.write("l.txt", list);
    run_ok(joined({"index", "-q", "f0.fa", "f1.fa", "f2.fa", "-o", "many.gsx"}, made));
    for (const ShardEntry& shard : read_manifest(folder / "many.gsx").shards)
      shards.push_back(shard.file);
  }

  Arguments part_names(const std::string& suffix) const {
    Arguments names;
    for (std::size_t i = 0; i < shards.size(); ++i)
      names.push_back("part" + std::to_string(i) + suffix);
    return names;
  }
  /// Runs a command for each shard, with its results in part0.SUFFIX and so on.
  void make(const Arguments& command, const std::string& suffix, bool summaries = false) const {
    for (std::size_t i = 0; i < shards.size(); ++i) {
      const std::string part = "part" + std::to_string(i);
      Arguments arguments =
          joined(command, {"-q", "-x", shards[i], "-o", part + suffix, "-f", "l.txt", "q.fa"});
      if (summaries) arguments = joined(arguments, {"--summary", part + ".json"});
      run_ok(arguments);
    }
  }
  /// Checks that the merged results of shards are those of the manifest, with their summaries.
  void check_same(const Arguments& command, const std::string& suffix, const Arguments& merging,
                  bool summaries = true) const {
    std::string shown;
    for (const std::string& word : command)
      shown += word + ' ';
    CAPTURE(shown);
    make(command, suffix, summaries);
    run_ok(joined(command, {"-q", "-x", "many.gsx", "-o", "whole" + suffix, "-f", "l.txt", "q.fa",
                            "--summary", "whole.json"}));
    Arguments merge = joined({"merge", "-q", "-x", "many.gsx", "-o", "merged" + suffix}, merging);
    merge = joined(merge, part_names(suffix));
    if (summaries) {
      merge = joined(merge, {"--summary", "merged.json"});
      merge = joined(merge, part_names(".json"));
    }
    run_ok(merge);
    CHECK(folder.read("merged" + suffix) == folder.read("whole" + suffix));
    if (summaries) CHECK(folder.read("merged.json") == folder.read("whole.json"));
  }
};

const Arguments with_queries = {"-f", "l.txt", "--queries", "q.fa"};

}  // namespace

TEST_CASE("merged results of shards are those of the whole index, for every format") {
  for (int round = 0; round < 3; ++round) {
    const std::uint64_t seed = run_seed() + static_cast<std::uint64_t>(round);
    CAPTURE(seed);
    const std::vector<Arguments> cuts = {
        {"--shards", "3"}, {"--shard-size", "1"}, {"--shards", "1"}};
    const Parts all(seed, joined(cuts[static_cast<std::size_t>(round)], {"--files"}));
    all.check_same({"count"}, ".tsv", {});
    all.check_same({"count"}, ".tsv.gz", with_queries);
    all.check_same({"count", "-k", "1", "--by-mismatches"}, ".tsv", {});
    all.check_same({"count", "-k", "1"}, ".tsv", {"-k", "1"});  // it says how, whatever is merged
    all.check_same({"count", "--palindromes", "once"}, ".tsv", {});
    all.check_same({"count", "--palindromes", "once", "-k", "2", "--by-mismatches"}, ".tsv", {});
    all.check_same({"locate", "--palindromes", "once", "-k", "2"}, ".bed", with_queries);
    all.check_same({"count", "--strand", "rev", "--by-record"}, ".tsv", with_queries);
    all.check_same({"count", "--by-file"}, ".tsv", with_queries);
    all.check_same({"count", "--by-file", "--matrix"}, ".tsv", {"--matrix"});
    all.check_same({"count", "--by-file", "--presence"}, ".tsv", {"--presence"});
    all.check_same({"locate"}, ".tsv", with_queries);
    all.check_same({"locate", "--by-file", "-k", "1"}, ".tsv.gz", with_queries);
    all.check_same({"locate", "--circular", "all"}, ".tsv", with_queries);
    all.check_same({"locate"}, ".bed", with_queries);
    all.check_same({"locate", "--circular", "all"}, ".bed.gz", with_queries);
    all.check_same({"locate", "--sort", "position"}, ".bed", {"--sort", "position"}, false);
    all.check_same({"locate"}, ".paf", with_queries);
    all.check_same({"locate", "-k", "1", "--by-file", "--circular", "all"}, ".paf", with_queries);
    all.check_same({"locate"}, ".jsonl", {});
    all.check_same({"locate", "--by-file", "-k", "2"}, ".jsonl.gz", with_queries);
    all.check_same({"locate", "--bedgraph"}, ".bedgraph", {}, false);
  }
}

TEST_CASE("merge keeps of --max-hits what a search of all shards keeps") {
  for (int round = 0; round < 2; ++round) {
    const std::uint64_t seed = run_seed() + static_cast<std::uint64_t>(round);
    CAPTURE(seed);
    const Parts all(seed, {"--shard-size", round == 0 ? "150" : "1"});
    for (const char* hits : {"1", "2", "3", "7", "1000"}) {
      for (const char* suffix : {".tsv", ".jsonl"}) {
        const Arguments merging = joined({"--max-hits", hits}, with_queries);
        all.check_same({"locate", "--max-hits", hits}, suffix, joined({"-k", "0"}, merging), false);
        all.check_same({"locate", "--max-hits", hits, "--palindromes", "once"}, suffix, merging);
        all.check_same({"locate", "--max-hits", hits, "-k", "1"}, suffix,
                       joined({"-k", "1"}, merging), false);
        all.check_same(
            {"locate", "--max-hits", hits, "--iupac", "-k", "1", "--palindromes", "once"}, suffix,
            with_queries);
      }
    }
  }
}

TEST_CASE("parts that are cut between two lines do not fit their summaries") {
  const Parts all(11, {"--shards", "2"});
  const auto check_cut = [&](const Arguments& command, const std::string& suffix) {
    CAPTURE(suffix);
    all.make(command, suffix, true);
    const std::string name = "part1" + suffix, right = all.folder.read(name);
    const auto merged = [&](const Arguments& more) {
      Arguments merge = joined({"merge", "-q", "-o", "merged"}, with_queries);
      merge = joined(joined(merge, all.part_names(suffix)), all.part_names(".json"));
      const Outcome outcome = all.gsx(joined(merge, more));
      CHECK(std::filesystem::exists(all.folder / "merged") == (outcome.exit_code == 0));
      std::filesystem::remove(all.folder / "merged");
      return outcome;
    };
    CHECK(merged({}).exit_code == 0);
    const std::vector<std::string> lines = lines_of(right);
    std::string cut;
    if (suffix == ".bed") {  // the last of the hits of a query that has several in this part
      cut = right.substr(0, right.size() - lines.back().size() - 1);
    } else if (suffix == ".jsonl" || command[0] == "count") {
      all.make(joined(command, {"--strand", "fwd"}), suffix);
      cut = all.folder.read(name);
      all.make(command, suffix, true);
    } else {  // all hits of the last query
      for (const std::string& line : lines)
        if (!line.starts_with(lines.back().substr(0, lines.back().find('\t') + 1)))
          cut += line + '\n';
    }
    REQUIRE(cut != right);
    all.folder.write(name, cut);
    check_failure(merged({}), 3, {"part0.json", "summaries"});
    check_failure(merged({"--summary", "all.json"}), 3, {"part0.json", "summaries"});
    CHECK_FALSE(std::filesystem::exists(all.folder / "all.json"));
  };
  check_cut({"count"}, ".tsv");
  check_cut({"locate"}, ".tsv");
  check_cut({"locate", "-k", "1", "--max-hits", "3"}, ".tsv");
  check_cut({"locate"}, ".bed");
  check_cut({"locate"}, ".paf");
  check_cut({"locate"}, ".jsonl");
}

TEST_CASE("shards of one file that are in the wrong order are refused") {
  const Parts all(run_seed(), {"--shard-size", "60", "--files"});
  REQUIRE(all.shards.size() > 3);
  all.make({"count", "--by-file"}, ".tsv");
  Arguments forward = all.part_names(".tsv");
  // A file of two shards has another one between them.
  std::swap(forward[1], forward.back());
  check_failure(all.gsx(joined(joined({"merge", "-q", "-o", "merged"}, with_queries), forward)), 3,
                {"comes again", "order of the shards"});
  CHECK_FALSE(std::filesystem::exists(all.folder / "merged"));
}

TEST_CASE(
    "files that several shards hold are one column; numbers of files are those of the whole") {
  const Parts all(run_seed(), {"--shard-size", "60", "--files"});
  REQUIRE(all.shards.size() > 3);
  for (const Arguments& files :
       {Arguments{"--min-files", "1"}, Arguments{"--min-files", "2"}, Arguments{"--min-files", "3"},
        Arguments{"--min-files", "4"}, Arguments{"--max-files", "1"},
        Arguments{"--min-files", "2", "--max-files", "3"}}) {
    const auto same = [&](const Arguments& form, const Arguments& merging) {
      const Arguments command = joined({"count", "--by-file"}, form);
      all.make(command, ".tsv", true);
      all.run_ok(
          joined(joined(command, files), {"-q", "-x", "many.gsx", "-o", "whole.tsv", "--summary",
                                          "whole.json", "-f", "l.txt", "q.fa"}));
      Arguments merge =
          joined(joined({"merge", "-q", "-x", "many.gsx", "-o", "merged.tsv"}, files), merging);
      merge = joined(merge, all.part_names(".tsv"));
      merge = joined(merge, {"--summary", "merged.json"});
      all.run_ok(joined(merge, all.part_names(".json")));
      CHECK(all.folder.read("merged.tsv") == all.folder.read("whole.tsv"));
      CHECK(all.folder.read("merged.json") == all.folder.read("whole.json"));
    };
    same({}, with_queries);
    same({"--matrix"}, {"--matrix"});
    same({"--presence"}, {"--presence"});
  }
  for (const char* option : {"--min-files", "--max-files"}) {
    all.make({"count", "--by-file", option, "2"}, ".tsv", true);
    Arguments merge = joined(joined({"merge", "-q"}, with_queries), all.part_names(".tsv"));
    merge = joined(merge, {"--summary", "merged.json"});
    check_failure(all.gsx(joined(merge, all.part_names(".json"))), 2, {option});
  }
}

TEST_CASE(
    "parts that are cut, short, mixed or of other queries are refused, and nothing is written") {
  const Parts all(7, {"--shards", "3"});
  const auto merge = [&](const Arguments& more) {
    const Outcome outcome = all.gsx(joined({"merge", "-q", "-o", "merged"}, more));
    CHECK_FALSE(std::filesystem::exists(all.folder / "merged"));
    return outcome;
  };
  const auto parts = [&](const std::string& suffix, const Arguments& more = {}) {
    return merge(joined(more, all.part_names(suffix)));
  };
  const auto changed = [&](const std::string& name, const std::string& content) {
    const std::string before = all.folder.read(name);
    all.folder.write(name, content);
    return before;
  };
  all.make({"count"}, ".tsv");
  const std::string right = all.folder.read("part1.tsv");
  const std::vector<std::string> lines = lines_of(right);
  for (const std::size_t cut : {right.size() - 1, right.size() - 3, std::size_t{10}}) {
    changed("part1.tsv", right.substr(0, cut));
    check_failure(parts(".tsv"), 3, {"part1.tsv", "within a line"});
  }
  changed("part1.tsv", right.substr(0, right.size() - lines.back().size() - 1));
  check_failure(parts(".tsv"), 3, {"part1.tsv", "fewer queries than 'part0.tsv'"});
  changed("part1.tsv", right + "q9999\t3\t0\t0\t0\n");
  check_failure(parts(".tsv"), 3, {"part0.tsv", "fewer queries"});
  changed("part1.tsv", "");
  check_failure(parts(".tsv"), 3, {"part1.tsv", "header"});
  changed("part1.tsv", lines[0] + '\n' + lines[2] + '\n' + lines[1] + '\n');
  check_failure(parts(".tsv"), 3, {"part1.tsv", "line 2", "not of the same queries"});
  changed("part1.tsv", lines[0] + '\n' + lines[1] + "0x\n");
  check_failure(parts(".tsv"), 3, {"part1.tsv", "is not a number"});
  all.run_ok({"count", "-q", "-k", "1", "--by-mismatches", "-x", all.shards[1], "-f", "l.txt",
              "q.fa", "-o", "part1.tsv"});
  check_failure(parts(".tsv"), 3, {"part1.tsv", "columns"});
  changed("part1.tsv", right);
  check_failure(parts(".tsv", {"-f", "l.txt"}), 3, {"more queries"});
  check_failure(parts(".tsv", {"-f", "l.txt", "--queries", "q.fa", "-p", "ACG"}), 3, {"not 'ACG'"});
  check_failure(parts(".tsv", {"-f", "l.txt", "--queries", "q.fa", "--queries", "f0.fa"}), 3,
                {"are missing"});
  check_failure(merge({"part0.tsv", "part1.tsv", "part1.tsv"}), 2, {"'part1.tsv' is named twice"});
  check_failure(merge({"part0.tsv", "none.tsv"}), 3, {"none.tsv"});
  check_failure(merge({}), 2, {"no parts"});
  check_failure(merge({"many.gsx", "many.000.gsx"}), 2, {"many.gsx"});

  all.make({"locate"}, ".tsv");
  check_failure(parts(".tsv"), 2, {"--queries"});
  const std::string hits = all.folder.read("part1.tsv");
  const std::vector<std::string> hit_lines = lines_of(hits);
  std::string fewer = hit_lines[0] + '\n';
  for (std::size_t i = 2; i < hit_lines.size(); ++i)
    fewer += hit_lines[i] + '\n';
  changed("part1.tsv", fewer);
  check_failure(parts(".tsv", with_queries), 3, {"part1.tsv", "are missing before"});
  changed("part1.tsv", hits + "zz\ta\t0\t3\t+\t0\t1\t1\tno\n");
  check_failure(parts(".tsv", with_queries), 3, {"part1.tsv", "'zz' is not among the queries"});
  changed("part1.tsv", hits);
  check_failure(parts(".tsv", {"--queries", "q.fa", "-f", "q.fa"}), 3,
                {"is not among the queries"});
  check_failure(parts(".tsv", {"-f", "l.txt"}), 3, {"is not among the queries"});
  all.make({"locate", "--max-hits", "1"}, ".tsv");
  check_failure(parts(".tsv", with_queries), 2, {"--max-hits 1"});
  check_failure(parts(".tsv", joined({"--max-hits", "2"}, with_queries)), 2,
                {"-k 0", "--iupac", "summaries"});
  check_failure(parts(".tsv", joined({"--max-hits", "2", "-k", "0"}, with_queries)), 2,
                {"another --max-hits"});
  all.make({"locate", "-k", "1", "--max-hits", "3"}, ".jsonl");
  check_failure(parts(".jsonl", {"--max-hits", "3"}), 2, {"-k"});
  check_failure(parts(".jsonl", {"--max-hits", "3", "-k", "0"}), 2, {"mismatches: give -k"});
  check_failure(parts(".jsonl", {"--max-hits", "3", "--iupac"}), 2, {"mismatches: give -k"});
  check_failure(parts(".jsonl", {"-k", "1"}), 2, {"--max-hits"});
  all.make({"locate", "--max-hits", "1"}, ".paf");
  check_failure(parts(".paf", with_queries), 2, {"TSV or JSON lines"});
  check_failure(parts(".paf", joined({"--max-hits", "1"}, with_queries)), 2, {"--max-hits"});

  all.make({"locate"}, ".jsonl");
  const std::string json = all.folder.read("part2.jsonl");
  changed("part2.jsonl", json.substr(0, json.size() - 2));
  check_failure(parts(".jsonl"), 3, {"part2.jsonl", "within a line"});
  changed("part2.jsonl", json.substr(0, json.rfind('\n', json.size() - 2) + 1));
  check_failure(parts(".jsonl"), 3, {"part2.jsonl", "fewer queries"});
  changed("part2.jsonl", "{}\n" + json);
  check_failure(parts(".jsonl"), 3, {"part2.jsonl", "line 1"});
  changed("part2.jsonl", json);
  all.make({"locate"}, ".tsv.gz");
  const std::string packed = all.folder.read("part0.tsv.gz");
  changed("part0.tsv.gz", packed.substr(0, packed.size() / 2));
  check_failure(parts(".tsv.gz", with_queries), 3, {"part0.tsv.gz"});
}

TEST_CASE("merge refuses formats that it cannot join, and summaries of other runs") {
  const Parts all(9, {"--shards", "2"});
  const auto merge = [&](const Arguments& more) {
    return all.gsx(joined({"merge", "-q", "-o", "merged"}, more));
  };
  for (const char* suffix : {".sam", ".bam", ".bw"}) {
    all.folder.write("part0" + std::string(suffix), "");
    check_failure(merge({"part0" + std::string(suffix)}), 2, {"merge does not join", "manifest"});
  }
  all.make({"mem", "-L", "9"}, ".tsv");
  check_failure(merge(all.part_names(".tsv")), 2, {"part0.tsv", "no header"});
  all.make({"count", "--no-header"}, ".tsv");
  check_failure(merge(all.part_names(".tsv")), 2, {"no header"});
  check_failure(merge(joined({"--matrix"}, all.part_names(".tsv"))), 3, {"header"});
  check_failure(merge({"--format", "sam", "a"}), 2, {"--format"});
  check_failure(merge({"--matrix", "--presence", "a"}), 2, {"--presence"});
  all.make({"count"}, ".tsv", true);
  const Arguments parts = all.part_names(".tsv");
  check_failure(merge(joined({"--sort", "position"}, parts)), 2, {"--sort position"});
  check_failure(merge(joined({"--min-files", "2"}, parts)), 2, {"--by-file"});
  check_failure(merge(joined({"--max-files", "2"}, parts)), 2, {"--by-file"});
  check_failure(merge(joined({"--max-hits", "2"}, parts)), 2, {"--max-hits"});
  check_failure(merge(joined(parts, {"--summary", "s.json"})), 2, {"summaries of the parts"});
  check_failure(merge(joined(parts, {"--summary", "s.json", "part0.json"})), 2,
                {"1 summary (", "2 parts"});
  const auto summaries = [&](const Arguments& second) {
    all.run_ok(
        joined({"count", "-q", "-x", all.shards[1], "-o", "x.tsv", "--summary", "x.json"}, second));
    return merge(joined(parts, {"--summary", "s.json", "part0.json", "x.json"}));
  };
  check_failure(summaries({"--strand", "fwd", "-f", "l.txt", "q.fa"}), 3, {"x.json", "options"});
  check_failure(summaries({"-f", "l.txt"}), 3, {"x.json", "number of queries"});
  all.folder.write("x.json", "{}\n");
  check_failure(merge(joined(parts, {"--summary", "s.json", "part0.json", "x.json"})), 3,
                {"x.json", "not what --summary of gsx writes"});
  all.make({"locate"}, ".jsonl", true);
  check_failure(merge(joined(parts, joined({"--summary", "s.json"}, all.part_names(".json")))), 2,
                {"gsx locate"});
  all.make({"locate", "--circular", "all", "--max-hits", "1"}, ".jsonl", true);
  check_failure(merge(joined(all.part_names(".jsonl"),
                             joined({"--summary", "s.json"}, all.part_names(".json")))),
                2, {"circular"});
  CHECK_FALSE(std::filesystem::exists(all.folder / "s.json"));
  CHECK_FALSE(std::filesystem::exists(all.folder / "merged"));
  all.make({"count"}, ".tsv");
  const std::string part = all.folder.read("part0.tsv");
  check_failure(all.gsx({"merge", "-q", "part0.tsv", "part1.tsv", "-o", "part0.tsv"}), 2,
                {"part0.tsv"});
  CHECK(all.folder.read("part0.tsv") == part);
  const Outcome piped =
      run({"merge", "-q", "-", "part1.tsv"}, {.input = part, .folder = all.folder.path()});
  CHECK(piped.exit_code == 0);
  CHECK(piped.out == output_of(all.gsx({"count", "-q", "-x", "many.gsx", "-f", "l.txt", "q.fa"})));
  CHECK(lines_of(output_of(all.gsx({"merge", "-q", "--no-header", "part0.tsv", "part1.tsv"})))
            .size() == lines_of(part).size() - 1);
}
