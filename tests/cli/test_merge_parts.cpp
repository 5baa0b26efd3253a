// gsx merge of files of --format part: the bytes of the search of the manifest, in any format.
#include <filesystem>

#include "index/store/shard_manifest.hpp"
#include "support/program_folder.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

Arguments operator+(Arguments all, const Arguments& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// An index in shards, and queries: palindromes, both strands, N, an empty one, twins, odd names,
/// some that occur nowhere, in one shard, and in all.
struct Shards : ProgramFolder {
  std::vector<std::string> shards;

  explicit Shards(std::uint64_t seed, const Arguments& cut) {
    Random random(seed);
    const std::string repeat = random_string(random, 25, "ACGT");
    std::string queries = ">empty\n\n>twin\nACGT\n>twin\nACGT\n>.\nACGNT\n>no hit\n" +
                          std::string(20, 'C') + "A\n>q\\x41;=\"\n" + repeat + '\n';
    for (int f = 0; f < 3; ++f) {
      std::string fasta;
      for (int r = 0; r < 3; ++r) {
        const std::string name = r == 0 ? "same" : r == 1 ? "t\\1\"}%;" : "#" + std::to_string(f);
        const std::string own = random_string(random, 20 + 30 * static_cast<unsigned>(r), "ACGT");
        fasta += '>' + name + '\n' + repeat + own + "NN" + repeat.substr(0, 12) + '\n';
        if (r == 2) fasta += ">nothing\n\n";
        queries += ">own\n" + own.substr(0, 9) + "\n>short\n" + own.substr(3, 5) + '\n';
        queries += ">end\n" + own.substr(own.size() - 4) + "NN\n";
      }
      folder.write("f" + std::to_string(f) + ".fa", fasta);
    }
    folder.write("q.fa", queries);
    folder.write("l.txt", "p1\tACG\np2\tTTT\n");
    run_ok(Arguments{"index", "-q", "--files", "f0.fa", "f1.fa", "f2.fa", "-o", "many.gsx"} + cut);
    for (const ShardEntry& shard : read_manifest(folder / "many.gsx").shards)
      shards.push_back(shard.file);
  }

  /// Searches each shard, and returns the names of the parts.
  Arguments make(const Arguments& command, const std::string& suffix = ".part") const {
    Arguments names;
    for (std::size_t i = 0; i < shards.size(); ++i) {
      names.push_back("p" + std::to_string(i) + suffix);
      run_ok(command + Arguments{"-q", "-x", shards[i], "-o", names.back(), "-f", "l.txt", "q.fa"});
    }
    return names;
  }
  /// Checks that the parts give what a search of the manifest gives, in the formats of the names;
  /// `writing` are further options of that search, and of the merge.
  void check_same(const Arguments& command, const Arguments& parts, const std::string& suffix,
                  const Arguments& writing = {}) const {
    std::string shown;
    for (const std::string& word : command + writing + Arguments{suffix})
      shown += word + ' ';
    CAPTURE(shown);
    run_ok(command + writing +
           Arguments{"-q", "-x", "many.gsx", "-o", "whole" + suffix, "--summary", "whole.json",
                     "-f", "l.txt", "q.fa"});
    run_ok(Arguments{"merge", "-q", "-x", "many.gsx", "-o", "merged" + suffix, "--summary",
                     "merged.json"} +
           writing + parts);
    CHECK(folder.read("merged" + suffix) == folder.read("whole" + suffix));
    CHECK(folder.read("merged.json") == folder.read("whole.json"));
  }
};

const Arguments by_place = {"--sort", "position"};

}  // namespace

TEST_CASE("merged parts are the bytes of a search of all shards") {
  const std::uint64_t seed = run_seed();
  CAPTURE(seed);
  const Shards all(seed, {"--shard-size", "150"});
  REQUIRE(all.shards.size() > 2);
  const auto check = [&](const Arguments& command, const std::vector<std::string>& suffixes,
                         const Arguments& writing = {}) {
    const Arguments parts = all.make(command);
    for (const std::string& suffix : suffixes)
      all.check_same(command, parts, suffix, writing);
  };
  check({"locate"}, {".tsv", ".bed.gz", ".paf", ".jsonl", ".gff3", ".bedgraph", ".mummer"});
  check({"locate", "--circular", "all"}, {".bed", ".gff3"}, by_place);
  check({"locate", "-k", "2", "--by-file"}, {".paf", ".jsonl", ".gff3"});
  check({"locate", "-k", "1", "--iupac", "--circular", "all"}, {".paf", ".bedgraph"});
}

TEST_CASE("the options of a search hold for the merge of its parts") {
  const Shards all(run_seed(), {"--shards", "2"});
  const auto check = [&](const Arguments& command, const std::string& suffix) {
    all.check_same(command, all.make(command), suffix);
  };
  check(Arguments{"locate"} + by_place, ".tsv");
  check({"locate", "--palindromes", "once", "--tag-files", "--whole-header"}, ".tsv");
  for (const char* hits : {"1", "3"}) {
    check({"locate", "--max-hits", hits}, ".jsonl");
    check({"locate", "--max-hits", hits, "--circular", "all"}, ".bed");
    check({"locate", "--max-hits", hits, "--circular", "all", "--palindromes", "once"}, ".jsonl");
    check({"locate", "--max-hits", hits, "--circular", "all", "-k", "1"}, ".paf");
  }
}

TEST_CASE("merged parts of counts are those of all shards, also one of one shard") {
  const auto check = [](const Shards& all, const Arguments& command,
                        const std::vector<Arguments>& forms) {
    const Arguments parts = all.make(command, ".part.gz");
    for (const Arguments& form : forms)
      all.check_same(command, parts, ".tsv", form);
  };
  const Shards three(run_seed(), {"--shards", "3"});
  check(three, {"count"}, {{}, {"--no-header"}});
  check(three, {"count", "-k", "1", "--by-mismatches"}, {{}});
  check(three, {"count", "--by-record", "--strand", "fwd"}, {{}});
  check(three, {"count", "--by-file"},
        {{}, {"--matrix"}, {"--presence", "--min-files", "2"}, {"--max-files", "1"}});
  check(three, {"count", "--by-file", "--presence", "--max-files", "2"}, {{}});
  // What merge is told holds in place of what the parts were told, 0 included.
  const Arguments few = three.make({"count", "--by-file", "--min-files", "2", "--max-files", "2"});
  three.check_same({"count", "--by-file"}, few, ".tsv", {"--min-files", "0", "--max-files", "0"});
  // A shard for each record, also for those that are empty: files are spread over several.
  check(Shards(run_seed(), {"--shard-size", "1"}), {"count", "--by-file"}, {{}});
  check(Shards(run_seed(), {"--shards", "1"}), {"count"}, {{}});
}

TEST_CASE("--circular may name a record that another shard has") {
  const ProgramFolder here;
  here.folder.write("g.fa", ">line\nTTTACGTACG\n>circle\nGAATTCCCTG\n");
  here.run_ok({"index", "-q", "g.fa", "-o", "many.gsx", "--shards", "2"});
  const auto merged = [&](const std::string& command, const std::string& name) {
    for (const std::string shard : {"0", "1"})
      here.run_ok({command, "-q", "-x", "many.00" + shard + ".gsx", "--circular", name, "-p",
                   "TGGA", "-p", "CGTT", "-o", shard + ".part"});
    return here.gsx({"merge", "-q", "-x", "many.gsx", "0.part", "1.part"});
  };
  for (const std::string command : {"locate", "count"}) {
    const Outcome whole = here.gsx(
        {command, "-q", "-x", "many.gsx", "--circular", "circle", "-p", "TGGA", "-p", "CGTT"});
    CHECK(whole.out.find("TGGA") != std::string::npos);
    check_output(merged(command, "circle"), whole.out);
    check_failure(merged(command, "cirlce"), 3, {"--circular names 'cirlce'", "0 records"});
  }
}

TEST_CASE("parts with more results than are held at a time are merged") {
  const ProgramFolder here;
  std::string genome;
  for (int r = 0; r < 35'000; ++r)
    genome += ">r" + std::to_string(r) + "\nACA\n";
  here.folder.write("g.fa", genome);
  here.run_ok({"index", "-q", "--shards", "2", "g.fa", "-o", "many.gsx"});
  const auto check = [&](const Arguments& search, const Arguments& form) {
    for (const std::string shard : {"0", "1"})
      here.run_ok(search + Arguments{"-q", "-x", "many.00" + shard + ".gsx", "-o", shard + ".part",
                                     "-p", "A", "-p", "C"});
    const Outcome whole =
        here.gsx(search + Arguments{"-q", "-x", "many.gsx", "-p", "A", "-p", "C"} + form);
    REQUIRE(whole.exit_code == 0);
    CHECK(here.gsx(Arguments{"merge", "-q", "-x", "many.gsx", "0.part", "1.part"} + form).out ==
          whole.out);
  };
  check({"locate", "--max-hits", "66000"}, {"--format", "jsonl"});
  check({"count", "--by-record"}, {});
}

TEST_CASE("parts of proteins are merged, too, whose shards have other letters") {
  const ProgramFolder here;
  here.folder.write("p.fa", ">a\nMEEPQ\n>b\nWWKLL\n");
  here.folder.write("q.fa", ">x\nEE\n>y\nKL\n>z\nZZ\n");
  here.run_ok({"index", "-q", "--shards", "2", "p.fa", "-o", "many.gsx"});
  for (const char* command : {"count", "locate"}) {
    for (const std::string shard : {"0", "1"})
      here.run_ok({command, "-q", "-x", "many.00" + shard + ".gsx", "q.fa", "-o", shard + ".part",
                   "--equal", "IL"});
    const Outcome whole = here.gsx({command, "-q", "-x", "many.gsx", "q.fa", "--equal", "IL"});
    check_output(here.gsx({"merge", "-q", "0.part", "1.part"}), whole.out);
  }
}

TEST_CASE("merge says which parts do not fit, and how") {
  const ProgramFolder here;
  here.folder.write("g.fa", ">a\nTTTACGTACG\n>b\nGGGGACGAAT\n>c\nCCACGAA\n");
  here.folder.write("q.fa", ">x\nACG\n>y\nGGGG\n");
  here.run_ok({"index", "-q", "g.fa", "-o", "many.gsx", "--shards", "3"});
  const auto search = [&](const std::string& shard, const std::string& part,
                          const Arguments& more = {"q.fa"}) {
    here.run_ok(Arguments{"locate", "-q", "-x", "many.00" + shard + ".gsx", "-o", part} + more);
  };
  for (const std::string shard : {"0", "1", "2"})
    search(shard, shard + ".part");
  const auto merge = [&](const Arguments& more) {
    return here.gsx(Arguments{"merge", "-q", "-x", "many.gsx"} + more);
  };
  CHECK(merge({"0.part", "1.part", "2.part"}).exit_code == 0);
  check_failure(merge({"0.part", "2.part", "1.part"}), 3,
                {"2.part", "shard 'many.002.gsx'", "'many.001.gsx' should be in its place"});
  check_failure(merge({"0.part", "2.part"}), 2, {"3 shards", "2 parts", "none of many.001.gsx"});
  std::filesystem::copy_file(here.folder / "0.part", here.folder / "copy");
  for (const Arguments& manifest : {Arguments{}, Arguments{"-x", "many.gsx"}})
    check_failure(here.gsx(Arguments{"merge", "-q"} + manifest + Arguments{"0.part", "copy"}), 3,
                  {"copy", "the same index as '0.part'", "count twice"});
  here.run_ok({"locate", "-q", "-x", "many.gsx", "-o", "all.part", "q.fa"});
  check_failure(merge({"0.part", "1.part", "all.part"}), 3,
                {"all.part", "index 'many.gsx'", "no shard"});
  // The part of one index may be written in any format, and so may one of references in memory.
  CHECK(here.gsx({"merge", "-q", "all.part", "--format", "bed"}).out ==
        here.gsx({"locate", "-q", "-x", "many.gsx", "q.fa", "--bed"}).out);
  here.run_ok({"locate", "-q", "-r", "g.fa", "-o", "memory.part", "q.fa"});
  CHECK(here.gsx({"merge", "-q", "memory.part"}).out ==
        here.gsx({"locate", "-q", "-r", "g.fa", "q.fa"}).out);

  const auto check_other = [&](const Arguments& more, const Arguments& words) {
    search("1", "other.part", more);
    Arguments all = words;
    all.insert(all.begin(), "other.part");
    check_failure(merge({"0.part", "other.part", "2.part"}), 3, all);
  };
  here.folder.write("fewer.fa", ">x\nACG\n");
  here.folder.write("name.fa", ">x\nACG\n>z\nGGGG\n");
  here.folder.write("symbols.fa", ">x\nACC\n>y\nGGGG\n");
  check_other({"fewer.fa"}, {"it has 1 query", "'0.part' has more"});
  check_other({"name.fa"}, {"query 2, 'z'", "'0.part', 'y'", "another name"});
  check_other({"symbols.fa"}, {"query 1, 'x'", "other symbols"});
  check_other({"q.fa", "-k", "1"}, {"option mismatches was 1", "'0.part' was 0"});
  check_other({"q.fa", "--strand", "fwd"}, {"option strand", "fwd", "both"});
  here.run_ok({"count", "-q", "-x", "many.001.gsx", "-o", "other.part", "q.fa"});
  check_failure(merge({"0.part", "other.part", "2.part"}), 3, {"other.part", "gsx count"});
}

TEST_CASE("what parts cannot answer is refused") {
  const ProgramFolder here;
  here.folder.write("g.fa", ">a\nTTTACGTACG\n");
  here.run_ok({"index", "-q", "g.fa", "-o", "g.gsx"});
  const Arguments locate = {"locate", "-q", "-x", "g.gsx", "-p", "ACG"};
  const Arguments count = {"count", "-q", "-x", "g.gsx", "-p", "ACG"};
  here.run_ok(locate + Arguments{"-o", "l.part"});
  here.run_ok(count + Arguments{"-o", "c.part"});
  here.run_ok(count + Arguments{"-o", "c.tsv"});
  here.run_ok(locate + Arguments{"--format", "part", "-o", "not-named-so"});
  CHECK(here.folder.read("not-named-so") == here.folder.read("l.part"));
  CHECK(here.gsx(locate + Arguments{"--format", "part"}).out == here.folder.read("l.part"));
  const auto check_refused = [&](const Arguments& more, const Arguments& words) {
    check_failure(here.gsx(Arguments{"merge", "-q"} + more), 2, words);
  };
  check_refused({"c.part", "c.tsv"}, {"'c.part' is a file of --format part", "'c.tsv' is not"});
  check_refused({"l.part", "-p", "ACG"}, {"-p", "leave it out"});
  check_refused({"l.part", "--max-hits", "2"}, {"--max-hits", "leave it out"});
  check_refused({"l.part", "-k", "0"}, {"-k", "leave it out"});
  check_refused({"l.part", "-o", "x.sam"}, {"does not write the format sam", "gff3"});
  check_refused({"l.part", "-o", "x.part"}, {"does not write the format part"});
  check_refused({"l.part", "--matrix"}, {"--matrix", "count --by-file"});
  check_refused({"l.part", "--sort", "position", "--format", "jsonl"}, {"--sort position"});
  check_refused({"c.part", "--min-files", "1"}, {"--min-files", "count --by-file"});
  check_refused({"c.part", "--format", "bed"}, {"--format bed", "gsx count"});
  check_refused({"l.part", "--parts-format", "bed"}, {"--parts-format", "leave it out"});
  check_refused({"c.tsv", "--format", "tsv"}, {"parts of text", "--parts-format"});
  check_refused({"c.part", "-o", "x.bed"}, {"does not write the format bed"});
  check_refused({"c.part", "-x", "g.gsx"}, {"no manifest"});
  check_failure(here.gsx(locate + Arguments{"--format", "part", "--no-header"}), 2,
                {"--no-header", "gsx merge"});
  const std::string whole = here.folder.read("l.part");
  here.folder.write("cut.part", whole.substr(0, whole.size() / 2));
  check_failure(here.gsx({"merge", "-q", "cut.part", "-o", "out.tsv"}), 3, {"cut.part", "whole"});
  std::string changed = whole;
  changed[2] ^= 1;
  for (const std::string& start : {std::string(), whole.substr(0, 5), changed}) {
    here.folder.write("start.part", start);
    here.folder.write("start", start);
    check_failure(here.gsx({"merge", "-q", "start.part"}), 3, {"start.part", "cut or damaged"});
    if (start != changed)
      check_failure(here.gsx({"merge", "-q", "l.part", "start"}), 3, {"start: ", "cut or damaged"});
  }
  CHECK_FALSE(std::filesystem::exists(here.folder / "out.tsv"));
}
