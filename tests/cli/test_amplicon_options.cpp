// gsx amplicon: options that do not go together, and the name of the output.
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

constexpr const char* pair = "p\tACGTTG\tCTATGG\n";

struct Genome {
  TemporaryFolder folder;

  Genome() { folder.write("g.fa", ">r\nACGTTGTTTTTTCCATAG\n"); }
  Outcome amplicon(Arguments more) const {
    more.insert(more.begin(), {"amplicon", "-r", "g.fa", "-", "--min", "1", "--no-header"});
    return run(more, {.input = pair, .folder = folder.path()});
  }
};

}  // namespace

TEST_CASE("the suffix of an output of amplicon counts in either case, and names no other format") {
  const Genome g;
  check_output(g.amplicon({"-o", "A.BED"}), "");
  CHECK(g.folder.read("A.BED") == "r\t0\t18\tp\t0\t+\n");
  check_output(g.amplicon({"-o", "a.Fa.GZ"}), "");
  check_output(run_shell("zcat < a.Fa.GZ | head -c 2", {.folder = g.folder.path()}), ">p");
  for (const char* name : {"h.json", "h.csv", "h.vcf", "h.CSV.gz"}) {
    CAPTURE(name);
    check_failure(g.amplicon({"-o", name}), 2,
                  {"-o", "amplicon", "tsv, bed, jsonl, gff3 or fasta", "--format"});
    CHECK_FALSE(g.folder.has(name));
    check_output(g.amplicon({"-o", name, "--bed"}), "");
  }
}

TEST_CASE("the suffix of --sites counts in either case, and names no other format") {
  const Genome g;
  const auto offtarget = [&](const char* sites, Arguments more = {}) {
    more.insert(more.begin(), {"offtarget", "-q", "-r", "g.fa", "-k", "0", "--pam", "TTT", "-p",
                               "ACGTTG", "-o", "/dev/null", "--no-header", "--sites", sites});
    return run(more, {.folder = g.folder.path()});
  };
  check_output(offtarget("s.BED"), "");
  CHECK(g.folder.read("s.BED") == "r\t0\t9\tACGTTG\t0\t+\n");
  for (const char* name : {"s.json", "s.csv.gz"}) {
    check_failure(offtarget(name), 2,
                  {"--sites 's.", "offtarget", "tsv, bed, jsonl, gff3 or cas-offinder"});
    CHECK_FALSE(g.folder.has(name));
    check_output(offtarget(name, {"--format", "tsv"}), "");
  }
}

TEST_CASE("--3prime needs -k, since it limits the mismatches that -k allows") {
  const Genome g;
  check_failure(g.amplicon({"--3prime", "5:0"}), 2, {"--3prime requires --mismatches"});
  check_output(g.amplicon({"-k", "0", "--3prime", "5:0", "--bed"}), "r\t0\t18\tp\t0\t+\n");
}

TEST_CASE("amplicon opens its output before a device") {
  const Genome g;
  check_failure(g.amplicon({"--device", "cuda:77", "-o", "missing/a.tsv"}), 1, {"missing"});
}
