// gsx locate --bedgraph and --bigwig: the depth of hits, against a naive count of the lines of
// --bed.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "support/bigwig_reader.hpp"
#include "support/indexed.hpp"
#include "support/skip.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

/// What bedtools genomecov -bg writes of lines of BED, for records in this order.
std::string depths_of(const std::string& bed, const std::vector<std::string>& records) {
  std::map<std::string, std::map<std::uint64_t, std::int64_t>> changes;
  for (const std::string& line : lines_of(bed)) {
    std::istringstream columns(line);
    std::string target;
    std::uint64_t begin = 0, end = 0;
    columns >> target >> begin >> end;
    ++changes[target][begin];
    --changes[target][end];
  }
  std::string out;
  for (const std::string& record : records) {
    std::int64_t depth = 0;
    std::uint64_t from = 0;
    for (const auto& [position, by] : changes[record]) {
      if (by == 0) continue;
      if (depth > 0) {
        out += record + '\t' + std::to_string(from) + '\t' + std::to_string(position) + '\t' +
               std::to_string(depth) + '\n';
      }
      depth += by;
      from = position;
    }
  }
  return out;
}

/// The intervals of a bigWig file as bedGraph.
std::string bedgraph_of(const std::string& bytes) {
  const BigWig file = read_bigwig(bytes);
  std::map<std::uint32_t, std::string> names;
  for (const auto& [name, chromosome] : file.chromosomes)
    names[chromosome.id] = name;
  std::ostringstream out;
  for (const BigWig::Interval& run : file.intervals)
    out << names[run.id] << '\t' << run.begin << '\t' << run.end << '\t' << run.value << '\n';
  return out.str();
}

const std::vector<std::string> records = {"b", "empty", "a", "n"};

std::string genome() {
  Random random(17);
  return ">b\n" + random_string(random, 3000, "ACGT") + "NN\n" +
         random_string(random, 900, "ACGT") + "\n>empty\n>a\n" +
         random_string(random, 1500, "ACGTacgt") + "\n>n\nNNNN" +
         random_string(random, 40, "ACGT") + "N\n";
}

/// Queries of many lengths, so that hits overlap.
std::string queries() {
  Random random(18);
  std::string fasta;
  for (int i = 0; i < 300; ++i) {
    fasta += ">q" + std::to_string(i) + '\n' + random_string(random, 1 + below(random, 7), "ACGT") +
             '\n';
  }
  return fasta;
}

}  // namespace

TEST_CASE("locate --bedgraph is the depth of the lines of --bed") {
  const IndexedFolder index(genome());
  index.folder.write("q.fa", queries());
  for (const Arguments& more : {Arguments{},
                                {"--strand", "fwd"},
                                {"--strand", "rev"},
                                {"--max-hits", "3"},
                                {"-k", "1"},
                                {"--palindromes", "once"},
                                {"--circular", "a"},
                                {"--circular", "all"}}) {
    Arguments search = {"locate", "-q", "g.gsx", "q.fa"};
    search.insert(search.end(), more.begin(), more.end());
    const auto with = [&](Arguments arguments) {
      arguments.insert(arguments.begin(), search.begin(), search.end());
      return output_of(index.gsx(arguments));
    };
    CAPTURE(more.size() > 1 ? more[0] + " " + more[1] : "");
    const std::string bed = with({"--bed"}), expected = depths_of(bed, records);
    REQUIRE(!expected.empty());
    // Origins take memory, too.
    const std::string limit = more.size() > 1 && more[0] == "--circular" ? "128MB" : "40MB";
    for (const Arguments& way : {Arguments{"-t", "1"}, Arguments{"-t", "3", "--batch", "16"},
                                 Arguments{"-t", "2", "--memory-limit", limit}}) {
      Arguments all = way;
      all.emplace_back("--bedgraph");
      CHECK((with(all) == expected));
      all.back() = "--bigwig";
      all.emplace_back("out.bw");
      CHECK(with(all) == "");
      CHECK((bedgraph_of(index.folder.read("out.bw")) == expected));
    }
    // Together with hits, which are the same.
    CHECK(with({"--bigwig", "out.bw", "-o", "hits.bed"}) == "");
    CHECK((index.folder.read("hits.bed") == bed));
    CHECK((bedgraph_of(index.folder.read("out.bw")) == expected));
    CHECK(with({"--bigwig", "out.bw", "-o", "depths.bg", "-t", "2"}) == "");
    CHECK((index.folder.read("depths.bg") == expected));
    CHECK(with({"-o", "depths.bdg"}) == "");
    CHECK((index.folder.read("depths.bdg") == expected));
    CHECK(with({"-o", "depths.BedGraph"}) == "");
    CHECK((index.folder.read("depths.BedGraph") == expected));
  }
}

TEST_CASE("the depth of many equal queries is exact") {
  const IndexedFolder index(">r\nACGTTTGA\n");
  std::string list;
  for (int i = 0; i < 70000; ++i)
    list += "GTTT\n";
  list += "TTG\n";
  CHECK(output_of(index.gsx({"locate", "-q", "g.gsx", "-f", "-", "--bedgraph"}, list)) ==
        "r\t2\t4\t70000\nr\t4\t6\t70001\nr\t6\t7\t1\n");
}

TEST_CASE("tabix takes BED that --sort position orders, and what sort and bgzip make of it") {
  GSX_NEED("TABIX", has_command("tabix"), "there is no tabix");
  const IndexedFolder index(genome());
  index.folder.write("q.fa", queries());
  const auto run = [&](const std::string& script) {
    return output_of(run_shell(script, {.folder = index.folder.path()}));
  };
  const std::string expected =
      run("\"$gsx\" locate -q g.gsx q.fa --bed | awk '$1 == \"a\" && $3 > 100 && $2 < 200' | sort");
  REQUIRE(!expected.empty());
  CHECK(run("\"$gsx\" locate -q -x g.gsx q.fa --sort position -o hits.bed.gz && tabix -p bed "
            "hits.bed.gz && tabix hits.bed.gz a:101-200 | sort") == expected);
  CHECK(
      run("\"$gsx\" locate -q g.gsx q.fa -o h.bed && sort -k1,1 -k2,2n h.bed | bgzip > h.bed.gz && "
          "tabix -p bed h.bed.gz && tabix h.bed.gz a:101-200 | sort") == expected);
  // The log says so where a file looks as if it were for tabix.
  const std::string hint = "--sort position orders them for tabix";
  const auto log_of = [&](const Arguments& more) {
    Arguments search = {"locate", "g.gsx", "q.fa"};
    search.insert(search.end(), more.begin(), more.end());
    return index.gsx(search).err;
  };
  CHECK(log_of({"-o", "o.bed.gz"}).find(hint) != std::string::npos);
  CHECK(log_of({"-o", "o.bed.gz", "--sort", "position"}).find(hint) == std::string::npos);
  CHECK(log_of({"-o", "o.bed"}).find(hint) == std::string::npos);
  CHECK(log_of({"-o", "o.tsv.gz"}).find(hint) == std::string::npos);
}

TEST_CASE("where lines are in the order of places, records of one name get a warning") {
  const IndexedFolder index(">a\nACGTACGTAC\n>b\nGGG\n>a\nTTACGTACTT\n>b\nCC\n");
  const auto log_of = [&](const std::string& command) {
    return run_shell("\"$gsx\" " + command, {.folder = index.folder.path()}).err;
  };
  const std::string says = "records 1 and 3 have the name 'a'";
  for (const std::string command :
       {"locate --bedgraph", "locate --bed --sort position", "mappability -K 3"}) {
    CAPTURE(command);
    const std::string what = command.starts_with("locate") ? " -p ACGTAC" : "";
    CHECK(log_of(command + what + " -x g.gsx").find(says) != std::string::npos);
  }
  CHECK(log_of("locate --bed -p ACGTAC -x g.gsx").find(says) == std::string::npos);
}

TEST_CASE("coverage without hits is an empty output, and a bigWig file without values") {
  const IndexedFolder index(genome());
  const std::string absent(60, 'A');
  CHECK(output_of(index.gsx({"locate", "-q", "g.gsx", "-p", absent, "--bedgraph"})) == "");
  CHECK(output_of(index.gsx({"locate", "-q", "g.gsx", "-p", absent, "--bigwig", "o.bw"})) == "");
  const BigWig file = read_bigwig(index.folder.read("o.bw"));
  CHECK(file.intervals.empty());
  CHECK(file.chromosomes.size() == 3);
}

TEST_CASE("coverage of proteins is that of one strand") {
  const IndexedFolder index(">p\nMKVLAAGIVGLQ\n>q\nMKVW\n", {"--alphabet", "protein"});
  CHECK(output_of(index.gsx({"locate", "-q", "g.gsx", "-p", "KV", "-p", "MKV", "--bedgraph"})) ==
        "p\t0\t1\t1\np\t1\t3\t2\nq\t0\t1\t1\nq\t1\t3\t2\n");
}

TEST_CASE("--summary says what was written, and counts hits by strand") {
  const IndexedFolder index(genome());
  const Arguments search = {"locate", "-q", "g.gsx", "-p", "ACG", "--summary", "s.json"};
  const auto summary_with = [&](Arguments more) {
    more.insert(more.begin(), search.begin(), search.end());
    output_of(index.gsx(more));
    return index.folder.read("s.json");
  };
  const std::string of_hits = summary_with({});
  CHECK(of_hits.find("\"format\":\"tsv\"") != std::string::npos);
  CHECK(of_hits.find("\"hits_fwd\":") != std::string::npos);
  CHECK(summary_with({"--bedgraph"}).find("\"format\":\"bedgraph\"") != std::string::npos);
  CHECK(summary_with({"--bigwig", "o.bw"}).find("\"format\":\"bigwig\"") != std::string::npos);
  // Only count and locate know strands.
  output_of(index.gsx({"mem", "-q", "g.gsx", "-p", "ACG", "-L", "2", "--summary", "s.json"}));
  CHECK(index.folder.read("s.json").find("hits_fwd") == std::string::npos);
}

TEST_CASE("coverage refuses what it cannot write, before the search, and leaves nothing") {
  const IndexedFolder index(genome());
  const IndexedFolder twins(">r\nACGTT\n>r\nACGTA\n");
  const auto names = index.folder.names();
  const auto refuses = [&](Arguments more, int code, const std::vector<std::string>& says) {
    Arguments search = {"locate", "g.gsx", "-p", "ACG"};
    search.insert(search.end(), more.begin(), more.end());
    check_failure(index.gsx(search), code, says);
    CHECK(index.folder.names() == names);
  };
  refuses({"--bigwig", "-"}, 2, {"--bigwig needs the name of a file"});
  refuses({"--bigwig", "o.bw.gz"}, 2, {"not compressed"});
  refuses({"--bigwig", "/dev/null"}, 2, {"not a plain file"});
  refuses({"--bigwig", "."}, 2, {"not a plain file"});
  refuses({"--bigwig", "g.gsx"}, 2, {"g.gsx"});
  refuses({"--bigwig", "no/such/o.bw"}, 1, {"no/such"});
  refuses({"--bigwig", "o", "-o", "./o"}, 2, {"two outputs"});
  refuses({"--bigwig", "o", "--summary", "o"}, 2, {"two outputs"});
  for (const char* name : {"o.bw", "o.bigWig", "o.BW"})
    refuses({"-o", name}, 2, {"--bigwig FILE"});
  refuses({"--bedgraph", "--bed"}, 2, {"--bed"});
  refuses({"--bedgraph", "--format", "tsv"}, 2, {"disagree"});
  refuses({"--bedgraph", "--sort", "position"}, 2, {"--sort position"});
  refuses({"--bigwig", "o.bw", "--sort", "position"}, 2, {"--sort position"});
  refuses({"--bedgraph", "--memory-limit", "5MB"}, 6, {"--memory-limit"});
  check_failure(twins.gsx({"locate", "g.gsx", "-p", "ACG", "--bigwig", "o.bw"}), 3, {"'r'"});
  CHECK(twins.folder.names() == std::vector<std::string>{"g.fa", "g.gsx"});
  CHECK(output_of(twins.gsx({"locate", "-q", "g.gsx", "-p", "ACG", "--bedgraph"})) ==
        "r\t0\t1\t1\nr\t1\t3\t2\nr\t3\t4\t1\nr\t0\t1\t1\nr\t1\t3\t2\nr\t3\t4\t1\n");
}

TEST_CASE("after wrong input there is no coverage, neither in a stream nor in a file") {
  const IndexedFolder index(genome());
  const std::string wrong = queries() + ">x\nAC@GT\n@q\nACG\n+\nIII\n";
  const Outcome outcome = index.gsx({"locate", "-q", "g.gsx", "-", "--bedgraph"}, wrong);
  check_error(outcome, 3, {"standard input"});
  CHECK(outcome.out.empty());
  const auto names = index.folder.names();
  check_failure(index.gsx({"locate", "-q", "g.gsx", "-", "--bigwig", "o.bw"}, wrong), 3,
                {"standard input"});
  CHECK(index.folder.names() == names);
}
