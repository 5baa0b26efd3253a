// GFF3, and JSON lines of repeats, products and sites: bytes, odd names, origins and wrong
// requests.
#include "support/indexed.hpp"

using namespace gsx::testing;

namespace {

constexpr const char* version = "##gff-version 3\n";

std::string inflated(const std::string& path) {
  return output_of(Process({"gzip", "-dc", path}).wait());
}

/// A folder with FASTA, in which commands read that instead of an index.
struct Reference {
  TemporaryFolder folder;

  explicit Reference(const std::string& fasta) { folder.write("g.fa", fasta); }
  Outcome gsx(Arguments arguments, const Arguments& more = {},
              const std::string& input = "") const {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments, {.input = input, .folder = folder.path()});
  }
};

}  // namespace

TEST_CASE("locate writes GFF3, in which names have percent signs") {
  const Reference g(">a;b\nTTACGATT\n>.\nACGA\n>t=1,\xff\nGGACGA\n>#\xc3\xa9\nACGA\n");
  const std::string queries = ">q;1=2&3,4%\nACGA\n>\xc3\xa9\xff\nGGACG\n>.\nTTTTT\n";
  const std::string attributes =
      "Name=q%3B1%3D2%263%2C4%25;mismatches=0;n_total=4;n_reported=4;truncated=no\n";
  const std::string lines = "a%3Bb\tgsx\tmatch\t3\t6\t.\t+\t.\t" + attributes +
                            "%2E\tgsx\tmatch\t1\t4\t.\t+\t.\t" + attributes +
                            "t%3D1%2C%FF\tgsx\tmatch\t3\t6\t.\t+\t.\t" + attributes +
                            "%23%C3%A9\tgsx\tmatch\t1\t4\t.\t+\t.\t" + attributes +
                            "t%3D1%2C%FF\tgsx\tmatch\t1\t5\t.\t+\t.\tName=\xc3\xa9%FF;mismatches=0;"
                            "n_total=1;n_reported=1;truncated=no\n";
  const Arguments locate = {"locate", "-q", "-r", "g.fa", "-"};
  check_output(g.gsx(locate, {"--format", "gff3"}, queries), version + lines);
  check_output(g.gsx(locate, {"--format", "gff3", "--no-header"}, queries), lines);
  check_output(g.gsx(locate, {"-o", "h.gff3"}, queries), "");
  CHECK(g.folder.read("h.gff3") == version + lines);
  check_output(g.gsx(locate, {"-o", "h.GFF.gz"}, queries), "");
  CHECK(inflated(g.folder / "h.GFF.gz") == version + lines);
  check_output(g.gsx(locate, {"-o", "h.gff", "--bed", "--no-header"}, queries), "");
  CHECK(g.folder.read("h.gff").starts_with("a;b\t2\t6\t"));
  check_output(
      g.gsx({"locate", "-q", "-r", "g.fa", "-p", "GGAC", "--strand", "fwd", "--format", "gff3",
             "--by-file", "--no-header"}),
      "t%3D1%2C%FF\tgsx\tmatch\t1\t4\t.\t+\t.\tName=GGAC;mismatches=0;n_total=1;n_reported=1;"
      "truncated=no;file_id=g\n");
  check_output(g.gsx({"locate", "-q", "-r", "g.fa", "-p", "AATC", "-k", "1", "--max-hits", "1",
                      "--format", "gff3", "--no-header", "--sort", "position"}),
               "a%3Bb\tgsx\tmatch\t5\t8\t.\t-\t.\tName=AATC;mismatches=0;n_total=1;n_reported=1;"
               "truncated=no\n");
  check_failure(g.gsx(locate, {"--bed", "--format", "gff3"}, queries), 2,
                {"--bed", "--format gff3", "disagree"});
}

TEST_CASE(
    "a place of GFF3 that spans an origin ends behind its record, which is marked as circular") {
  const Reference g(">l\nAAAA\n>p\nACGTTTGGCC\n");
  check_output(
      g.gsx({"locate", "-q", "-r", "g.fa", "-p", "CCAC", "--circular", "p", "--format", "gff3"}),
      std::string(version) +
          "p\tgsx\tregion\t1\t10\t.\t.\t.\tIs_circular=true\n"
          "p\tgsx\tmatch\t9\t12\t.\t+\t.\tName=CCAC;mismatches=0;n_total=1;n_reported=1;"
          "truncated=no\n");
}

TEST_CASE("each circular record has one region in GFF3, which is sorted with the places") {
  const Reference g(">chr1\nACGTACGG\n>p\nACGTTTGGCC\n>chr2\nTTTTACGT\n");
  const Arguments locate = {"locate", "-q",   "-r",       "g.fa", "-p",       "CCAC",
                            "-p",     "ACGT", "--strand", "fwd",  "--format", "gff3"};
  const std::string region = "p\tgsx\tregion\t1\t10\t.\t.\t.\tIs_circular=true\n";
  const auto match = [](const std::string& place, const std::string& name, int total) {
    const std::string number = std::to_string(total);
    return place + "\t.\t+\t.\tName=" + name + ";mismatches=0;n_total=" + number +
           ";n_reported=" + number + ";truncated=no\n";
  };
  const std::string in_chr1 = match("chr1\tgsx\tmatch\t1\t4", "ACGT", 3),
                    in_p = match("p\tgsx\tmatch\t1\t4", "ACGT", 3),
                    in_chr2 = match("chr2\tgsx\tmatch\t5\t8", "ACGT", 3),
                    origin = match("p\tgsx\tmatch\t9\t12", "CCAC", 1);
  const std::string sorted = in_chr1 + in_p + origin + in_chr2;
  check_output(g.gsx(locate, {"--circular", "p"}),
               version + region + origin + in_chr1 + in_p + in_chr2);
  check_output(g.gsx(locate, {"--circular", "p", "--sort", "position"}),
               version + in_chr1 + region + in_p + origin + in_chr2);
  check_output(g.gsx(locate, {"--circular", "p", "--sort", "position", "--no-header"}), sorted);
  // The first query of all may lie where the record begins, too.
  const Outcome first = g.gsx({"locate", "-q", "-r", "g.fa", "-p", "ACGT", "--strand", "fwd",
                               "--format", "gff3", "--circular", "chr1", "--sort", "position"});
  check_output(first, version + ("chr1\tgsx\tregion\t1\t8\t.\t.\t.\tIs_circular=true\n" + in_chr1) +
                          in_p + in_chr2);
  // None of an empty record, and one of records of one name.
  const Reference odd(">p\nACGTTTGGCC\n>e\n>p\nTTTT\n");
  check_output(odd.gsx(locate, {"--circular", "all", "--max-hits", "0"}),
               version + region + match("p\tgsx\tmatch\t9\t12", "CCAC", 1) +
                   match("p\tgsx\tmatch\t1\t4", "ACGT", 1));
}

TEST_CASE("repeats writes GFF3, and JSON lines of repeats and of pairs") {
  const Reference g(">a,b\nACGTACCATTTACGTACC\n");
  const Arguments repeats = {"repeats", "-q", "-L", "7", "g.fa"};
  const std::string attributes = "Name=1;length=7;n_total=2;n_reported=2;truncated=no\n";
  const std::string lines = version + ("a%2Cb\tgsx\trepeat_region\t1\t7\t.\t+\t.\t" + attributes) +
                            "a%2Cb\tgsx\trepeat_region\t12\t18\t.\t+\t.\t" + attributes;
  check_output(g.gsx(repeats, {"--format", "gff3"}), lines);
  check_output(g.gsx(repeats, {"-o", "r.gff"}), "");
  CHECK(g.folder.read("r.gff") == lines);
  check_output(g.gsx(repeats, {"--jsonl"}),
               "{\"repeat_id\":1,\"length\":7,\"n_total\":2,\"n_reported\":2,\"truncated\":false,"
               "\"places\":[{\"target_id\":\"a,b\",\"start\":0,\"end\":7,\"strand\":\"+\"},"
               "{\"target_id\":\"a,b\",\"start\":11,\"end\":18,\"strand\":\"+\"}]}\n");
  check_output(g.gsx(repeats, {"--jsonl", "--pairs"}),
               "{\"target_id\":\"a,b\",\"start\":0,\"end\":7,\"target_id2\":\"a,b\",\"start2\":11,"
               "\"end2\":18,\"length\":7,\"strand\":\"+\"}\n");
}

TEST_CASE("amplicon writes GFF3 and JSON lines") {
  const Reference g(">r\nACGTTGCATTTTTCCGAA\n");
  const Arguments amplicon = {"amplicon", "-q", "-r", "g.fa", "-", "--min", "1"};
  const std::string pair = "p;1\tACGTTG\tTTCGGA\n";
  const std::string line =
      "r\tgsx\tPCR_product\t1\t18\t.\t+\t.\tName=p%3B1;length=18;fwd_mismatches=0;rev_mismatches=0;"
      "primers=FR;n_total=1;n_reported=1;truncated=no\n";
  check_output(g.gsx(amplicon, {"--format", "gff3"}, pair), version + line);
  check_output(g.gsx(amplicon, {"-o", "p.gff3", "--no-header"}, pair), "");
  CHECK(g.folder.read("p.gff3") == line);
  check_output(g.gsx(amplicon, {"--jsonl"}, pair),
               "{\"pair_id\":\"p;1\",\"target_id\":\"r\",\"start\":0,\"end\":18,\"length\":18,"
               "\"strand\":\"+\",\"fwd_mismatches\":0,\"rev_mismatches\":0,\"primers\":\"FR\","
               "\"n_total\":1,\"n_reported\":1,\"truncated\":false}\n");
  // Nothing lies between primers that touch: the place is behind a base, which both fields name.
  check_output(
      g.gsx(amplicon, {"--format", "gff3", "--inner", "--no-header"}, "t\tACGTTG\tAAAATG\n"),
      "r\tgsx\tPCR_product\t6\t6\t.\t+\t.\tName=t;length=0;fwd_mismatches=0;rev_mismatches=0;"
      "primers=FR;n_total=1;n_reported=1;truncated=no\n");
  check_output(g.gsx(amplicon, {"--format", "gff3", "--circular", "all"}, "c\tTCCGAA\tCAACGT\n"),
               std::string(version) +
                   "r\tgsx\tregion\t1\t18\t.\t.\t.\tIs_circular=true\n"
                   "r\tgsx\tPCR_product\t13\t24\t.\t+\t.\tName=c;length=12;fwd_mismatches=0;"
                   "rev_mismatches=0;primers=FR;n_total=1;n_reported=1;truncated=no\n");
  check_failure(g.gsx(amplicon, {"--jsonl", "--bed"}, pair), 2, {"--jsonl", "--bed"});
}

TEST_CASE("offtarget writes sites as GFF3 and JSON lines") {
  const Reference g(">r\nTTGATGATGATATTGAACAGGAAGGTT\n");
  const Arguments offtarget = {"offtarget", "-q", "-r", "g.fa", "-k", "0", "-o", "/dev/null"};
  const Arguments scored = {"-p", "GATGATGATATTGAACAGGA", "--sites", "-"};
  const auto with = [](Arguments all, const Arguments& more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  const std::string line =
      "r\tgsx\tnuclease_binding_site\t3\t25\t100.0000\t+\t.\tName=GATGATGATATTGAACAGGA;mismatches="
      "0;"
      "n_total=1;n_reported=1;truncated=no;site=GATGATGATATTGAACAGGAAGG\n";
  check_output(g.gsx(with(offtarget, scored), {"--format", "gff3"}), version + line);
  check_output(
      g.gsx(with(offtarget, scored), {"--jsonl"}),
      "{\"guide_id\":\"GATGATGATATTGAACAGGA\",\"target_id\":\"r\",\"start\":2,\"end\":25,"
      "\"strand\":\"+\",\"mismatches\":0,\"n_total\":1,\"n_reported\":1,\"truncated\":false,"
      "\"site\":\"GATGATGATATTGAACAGGAAGG\",\"score\":100.0000}\n");
  // Without a score, and with the columns of bulges.
  const Arguments bulged = {"-p", "TGATGATATTGAACAGG", "--dna-bulge", "1", "--sites"};
  check_output(g.gsx(with(offtarget, bulged), {"s.gff", "--pam", "AAG"}), "");
  CHECK(g.folder.read("s.gff") ==
        version +
            std::string("r\tgsx\tnuclease_binding_site\t5\t24\t.\t+\t.\tName=TGATGATATTGAACAGG;"
                        "mismatches=0;n_total=1;n_reported=1;truncated=no;"
                        "site=TGATGATATTGAACAGGAAG;bulge_type=X;bulge_size=0;"
                        "aligned_guide=TGATGATATTGAACAGGAAG;"
                        "aligned_site=TGATGATATTGAACAGGAAG\n"));
  check_failure(g.gsx(offtarget, {"-p", "GATGATGATATTGAACAGGA", "--jsonl"}), 2, {"--sites"});
  check_failure(g.gsx(with(offtarget, scored), {"--jsonl", "--format", "gff3"}), 2, {"disagree"});
  // The table of guides has one format.
  check_failure(g.gsx({"offtarget", "-r", "g.fa", "-p", "GATGATGATATTGAACAGGA", "-o", "x.jsonl"}),
                2, {"tsv", "--sites"});
}
