// -R: only the hits that lie within regions.
#include "support/indexed.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

// The places of AACACG that span the origin of c start at 7.
constexpr const char* genome = ">c\nACGTTGCAAC\n>lin\nGGGTTTAAACNNGGGTTTAAAC\n";

struct Regions : IndexedFolder {
  Regions() : IndexedFolder(genome) {}
  Outcome within(const std::string& regions, Arguments arguments) const {
    folder.write("r.bed", regions);
    arguments.insert(arguments.end(), {"--no-header", "-R", "r.bed"});
    return gsx(arguments);
  }
};

}  // namespace

TEST_CASE("count and locate -R keep and count the hits that lie wholly within one region") {
  const Regions index;
  const Arguments locate = {"locate", "-p", "GGGTTT"};
  check_output(index.within("lin\t0\t6\n", locate), "GGGTTT\tlin\t0\t6\t+\t0\t1\t1\tno\n");
  // Regions that touch or overlap count as one, in any order, whatever their strand and name.
  check_output(index.within("lin\t3\t6\tx\t0\t-\nlin\t0\t4\n", locate),
               "GGGTTT\tlin\t0\t6\t+\t0\t1\t1\tno\n");
  check_output(index.within("lin\t0\t3\nlin\t4\t6\n", locate), "");
  check_output(index.within("lin:13-18\n", locate), "GGGTTT\tlin\t12\t18\t+\t0\t1\t1\tno\n");
  check_output(index.within("lin\n", {"count", "-p", "GGG", "-p", "ACG"}),
               "GGG\t3\t2\t2\t0\nACG\t3\t0\t0\t0\n");
  check_output(index.within("lin\t0\t12\n", {"count", "-p", "GGG", "-p", "AAAC", "--by-record"}),
               "GGG\tlin\t1\t1\t0\nAAAC\tlin\t2\t1\t1\n");
  check_output(index.within("lin\t0\t12\n", {"count", "-k", "1", "-p", "GGGTTA", "-p", "AAAC"}),
               "GGGTTA\t6\t2\t2\t0\nAAAC\t4\t3\t1\t2\n");
  // Of the hits that are kept, --max-hits writes the first.
  check_output(index.within("lin\t2\t22\n", {"locate", "-p", "TTT", "--max-hits", "1"}),
               "TTT\tlin\t3\t6\t+\t0\t4\t1\tyes\n");
  // A region that ends where a circular record does goes on at its begin.
  const Arguments round = {"locate", "--circular", "c", "-p", "AACACG"};
  check_output(index.within("c\t7\t10\nc\t0\t3\n", round), "AACACG\tc\t7\t13\t+\t0\t1\t1\tno\n");
  check_output(index.within("c\t7\t10\nc\t1\t3\n", round), "");
}

TEST_CASE("amplicon -R keeps the products that lie wholly within one region") {
  const IndexedFolder index(">r1\nACGTTGTTTTTTCCATAG\n>r2\nAACTATGGTNNNNTCAACGTA\n");
  index.folder.write("pairs.tsv", "p\tACGTTG\tCTATGG\n");
  const auto within = [&](const std::string& regions) {
    return index.gsx({"amplicon", "g.gsx", "pairs.tsv", "--min", "1", "--bed", "-R", "-"}, regions);
  };
  check_output(within("r1\nr2\n"), "r1\t0\t18\tp\t0\t+\nr2\t2\t20\tp\t0\t-\n");
  check_output(within("r2\t0\t10\nr2\t10\t20\nr1\t0\t17\n"), "r2\t2\t20\tp\t0\t-\n");
  check_output(within("r2\t0\t10\nr2\t11\t20\nr1\t1\t18\n"), "");
  // Round the origin of a circular record, where regions on both sides count as one.
  index.folder.write("c.fa", ">c\nTTCCATAGACGTTGTT\n");
  const auto round = [&](const std::string& regions) {
    return index.gsx({"amplicon", "-q", "-r", "c.fa", "pairs.tsv", "--min", "1", "--circular", "c",
                      "--no-header", "-R", "-"},
                     regions);
  };
  check_output(round("c\t8\t16\nc\t0\t8\n"), "p\tc\t8\t24\t16\t+\t0\t0\tFR\t1\t1\tno\n");
  check_output(round("c\t8\t16\nc\t0\t7\n"), "");
}

TEST_CASE(
    "offtarget -R keeps and counts the sites that lie wholly within one region, with the PAM") {
  // The guide ACGTAC at 0, before TGG; its reverse complement at 14, behind CCA.
  const IndexedFolder index(">r1\nACGTACTGGTTCCAGTACGTAA\n>r2\nACGTACAGG\n");
  index.folder.write("guides.txt", "ACGTAC\n");
  const auto within = [&](const std::string& regions, Arguments more = {}) {
    more.insert(more.begin(), {"offtarget", "g.gsx", "guides.txt", "-k", "0", "--no-header", "-o",
                               "table.tsv", "--sites", "-", "--bed", "-R", "-"});
    const std::string sites = output_of(index.gsx(more, regions));
    return sites + index.folder.read("table.tsv");
  };
  const std::string all =
      "r1\t0\t9\tACGTAC\t0\t+\nr1\t11\t20\tACGTAC\t0\t-\nr2\t0\t9\tACGTAC\t0\t+\n";
  CHECK(within("r1\nr2\n") == all + "ACGTAC\tACGTAC\tNGG\t3\t3\t.\n");
  CHECK(within("r1\t0\t9\nr1\t11\t19\n") ==
        "r1\t0\t9\tACGTAC\t0\t+\nACGTAC\tACGTAC\tNGG\t1\t1\t.\n");
  index.folder.write("in.bed", "r2\t0\t9\n");
  check_output(index.gsx({"offtarget", "g.gsx", "--all-sites", "--guide-length", "6", "-k", "0",
                          "--no-header", "--guides-in", "in.bed", "-R", "-"},
                         "r1\t0\t22\n"),
               "r2:0-9(+)\tACGTAC\tNGG\t2\t2\t.\n");
  check_failure(index.gsx({"offtarget", "g.gsx", "--all-sites", "-R", "in.bed"}), 2,
                {"--guides-in FILE"});
}

TEST_CASE("-R gives the same hits from shards, and from parts that are merged") {
  const TemporaryFolder folder;
  Random random(7);
  std::string fasta, regions;
  for (int i = 0; i < 6; ++i) {
    const std::string name = "s" + std::to_string(i);
    fasta += ">" + name + "\n" + random_string(random, 400, "ACGT") + "\n";
    regions += name + "\t" + std::to_string(40 * i) + "\t300\n";
  }
  folder.write("g.fa", fasta);
  folder.write("r.bed", regions);
  const auto gsx = [&](Arguments arguments) { return run(arguments, {.folder = folder.path()}); };
  REQUIRE(gsx({"index", "-q", "g.fa"}).exit_code == 0);
  REQUIRE(gsx({"index", "-q", "--shards", "2", "g.fa", "-o", "two.gsx"}).exit_code == 0);
  const auto found = [&](const std::string& index, Arguments more) {
    more.insert(more.begin(),
                {"locate", "-q", "-x", index, "-R", "r.bed", "-p", "ACGT", "-p", "GGC", "-k", "1"});
    return output_of(gsx(more));
  };
  const std::string expected = found("g.gsx", {});
  CHECK(expected.size() > 1000);
  CHECK(found("two.gsx", {}) == expected);
  CHECK(found("two.gsx", {"--max-hits", "2"}) == found("g.gsx", {"--max-hits", "2"}));
  found("two.000.gsx", {"-o", "0.part"});
  found("two.001.gsx", {"-o", "1.part"});
  check_output(gsx({"merge", "-q", "0.part", "1.part"}), expected);
  // Regions of other content, and of a record that no shard has.
  folder.write("r.bed", regions + "s0\t1\t2\n");
  found("two.001.gsx", {"-o", "2.part"});
  check_failure(gsx({"merge", "-q", "0.part", "2.part"}), 3, {"-R was given other regions"});
  folder.write("r.bed", regions + "nobody\t1\t2\n");
  found("two.000.gsx", {"-o", "3.part"});
  found("two.001.gsx", {"-o", "4.part"});
  check_failure(gsx({"merge", "-q", "3.part", "4.part"}), 3, {"1 region of -R, of 7 in all"});
  // A name that two shards have.
  folder.write("twins.fa", ">d\nACGTACGTTT\n>d\nGGACGTAACC\n");
  folder.write("r.bed", "d\t0\t9\n");
  REQUIRE(gsx({"index", "-q", "--shards", "2", "twins.fa", "-o", "twins.gsx"}).exit_code == 0);
  found("twins.000.gsx", {"-o", "5.part"});
  found("twins.001.gsx", {"-o", "6.part"});
  check_failure(gsx({"merge", "-q", "5.part", "6.part"}), 3, {"several parts have"});
}

TEST_CASE("-R refuses what cannot be regions, and hits that merge could not choose") {
  const Regions index;
  const auto refused = [&](Arguments arguments, int code, const std::string& words,
                           const std::string& input = "") {
    arguments.insert(arguments.begin() + 1, {"-q", "-x", "g.gsx"});
    check_failure(index.gsx(arguments, input), code, {words});
  };
  refused({"count", "-p", "ACG", "-R", "-"}, 3, "nowhere", "nowhere\t0\t5\n");
  refused({"locate", "-p", "ACG", "-R", "none.bed"}, 3, "none.bed");
  refused({"locate", "-p", "ACG", "-R", "lin:1-1,000"}, 2, "'lin:1-1,000' is a region");
  refused({"count", "-p", "ACG", "-R", "-"}, 3, "no record 'track'", "track\n");
  refused({"locate", "-p", "ACG", "-R", "-"}, 3, "begin a header line with #",
          "chrom\tstart\tend\nlin\t0\t9\n");
  check_output(
      index.gsx({"count", "-q", "-x", "g.gsx", "-p", "A", "-R", "-"},
                "browser position lin:1-9\ntrack name=a\n#chrom\tstart\tend\nlin\t0\t9\n"),
      output_of(index.gsx({"count", "-q", "-x", "g.gsx", "-p", "A", "-R", "-"}, "lin\t0\t9\n")));
  refused({"locate", "-", "-R", "-"}, 2, "standard input");
  refused({"locate", "-p", "ACG", "-R", "g.fa", "-o", "g.fa"}, 2, "g.fa");
  index.folder.write("r.bed", "lin\t0\t9\n");
  refused({"locate", "-p", "ACG", "-R", "r.bed", "-o", "x.part", "--max-hits", "3"}, 2,
          "--max-hits with -R");
}
