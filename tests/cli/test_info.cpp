// gsx info and verify: what they say of an index.
#include "support/json.hpp"
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

// The MD5 sums below are those that md5sum gives for the upper-case sequences.
constexpr const char* genome = ">chr1 first\nACGTNNRacgt-\n>empty\n>chr2\nGATTACA\n";

struct Indexed {
  TemporaryFolder folder;

  explicit Indexed(const std::string& content, Arguments more = {}) {
    more.insert(more.begin(), {"index", folder.write("g.fa", content)});
    CHECK(run(more).exit_code == 0);
  }
  Outcome operator()(const Arguments& arguments) const {
    return run(arguments, {.folder = folder.path()});
  }
  std::string bytes() const { return std::to_string(folder.read("g.gsx").size()); }
};

}  // namespace

TEST_CASE("info is a table of facts") {
  const Indexed index(genome, {"--sa-rate", "4"});
  check_output(index({"info"}),
               "path\tg.gsx\nformat_version\t4\n"
               "alphabet\tdna\nalphabet_symbols\tACGT\nsoft_mask\tfold\n"
               "md5_stored\tno\nfiles_kept\tno\n"
               "file_bytes\t" +
                   index.bytes() +
                   "\nrecords\t3\nsymbols\t19\nindexed_symbols\t15\n"
                   "segments\t3\nalphabet_size\t4\nn\t2\niupac\t1\ngaps\t1\n"
                   "other\t0\nsoft_masked\t0\nsa_rate\t4\nkmer_length\t0\n");
}

TEST_CASE("info --json is one line of strict JSON with every fact") {
  const Indexed index(genome, {"--soft-mask", "split"});
  const std::string out = output_of(index({"info", "--json", "--md5"}));
  CHECK(is_json(out));
  CHECK(lines_of(out).size() == 1);
  CHECK(out ==
        "{\"path\":\"g.gsx\",\"format_version\":\"4\","
        "\"alphabet\":\"dna\",\"alphabet_symbols\":\"ACGT\",\"soft_mask\":\"split\",\"md5_stored\":"
        "\"no\",\"files_kept\":\"no\","
        "\"file_bytes\":" +
            index.bytes() +
            ",\"records\":3,\"symbols\":19,\"indexed_symbols\":11,\"segments\":2,"
            "\"alphabet_size\":4,\"n\":2,\"iupac\":1,\"gaps\":1,\"other\":0,\"soft_masked\":4,"
            "\"sa_rate\":8,\"kmer_length\":0,\"targets\":["
            "{\"name\":\"chr1\",\"length\":12,\"md5\":\"b468eeaba6f0f638f10a4ee9885ca2c9\"},"
            "{\"name\":\"empty\",\"length\":0,\"md5\":\"d41d8cd98f00b204e9800998ecf8427e\"},"
            "{\"name\":\"chr2\",\"length\":7,\"md5\":\"61966c86d7c3bb28fff946c52eefff0b\"}]}\n");
}

TEST_CASE("info --json is valid JSON, whatever the names and symbols") {
  std::string symbols;
  for (int byte = 0x21; byte < 0x100; ++byte) {
    if (byte != '>' && byte != 0x7f) symbols += static_cast<char>(byte);
  }
  const Indexed index(">\"q\\\x01\x1f\x7f\xc3\xa9\xff\xed\xa0\x80\n" + symbols + "\n>\nA\n",
                      {"--alphabet", "bytes"});
  const std::string out = output_of(index({"info", "--json"}));
  CHECK(is_json(out));
  CHECK(out.find(R"({"name":"\"q\\\u0001\u001f\u007f)"
                 "\xc3\xa9\xc3\xbf") != std::string::npos);
}

TEST_CASE("info --records is a table of names and lengths") {
  const Indexed index(genome);
  check_output(index({"info", "--records"}), "target_id\tlength\nchr1\t12\nempty\t0\nchr2\t7\n");
  check_output(index({"info", "--records", "-o", "records.tsv"}), "");
  CHECK(index.folder.read("records.tsv") == index({"info", "--records"}).out);
  const std::string json = output_of(index({"info", "--json"}));
  CHECK(json.find("{\"name\":\"empty\",\"length\":0},") != std::string::npos);
}

TEST_CASE("tables of info can be without their header") {
  const Indexed index(genome);
  REQUIRE(
      index({"index", "-q", "--files", "g.fa", "-o", "m.gsx", "--shard-size", "10"}).exit_code ==
      0);
  for (const char* table : {"--records", "--md5", "--files", "--shards"}) {
    const std::string whole = output_of(index({"info", "m.gsx", table}));
    check_output(index({"info", "m.gsx", table, "--no-header"}),
                 whole.substr(whole.find('\n') + 1));
  }
  check_output(index({"info", "g.gsx", "--records", "--no-header"}),
               "chr1\t12\nempty\t0\nchr2\t7\n");
  check_failure(index({"info", "g.gsx", "--no-header"}), 2, {"--no-header", "--records"});
  check_failure(index({"info", "g.gsx", "--json", "--no-header"}), 2, {"--no-header"});
}

TEST_CASE("verify prints ok and what it has checked") {
  for (const Arguments& how : {Arguments{}, Arguments{"--alphabet", "bytes"},
                               Arguments{"--soft-mask", "split", "--sa-rate", "1"}}) {
    const Indexed index(genome, how);
    check_output(index({"verify", "g.gsx"}), "g.gsx\tok\tchecksums,records\n");
    CHECK(output_of(index({"verify", "--full", "g.gsx"}))
              .starts_with("g.gsx\tok\tfull\tlongest_walk="));
  }
}

TEST_CASE("verify --against tells whether the index is that of these sequences") {
  const Indexed index(genome);
  const auto against = [&](const std::string& content) {
    index.folder.write("other.fa", content);
    return index({"verify", "--against", "other.fa", "g.gsx"});
  };
  check_output(against(genome), "g.gsx\tok\tchecksums,records,input\n");
  check_output(against(">chr1 first\r\nacgt\r\nNNRACGT-\r\n>empty\r\n>chr2\r\nGATUACA"),
               "g.gsx\tok\tchecksums,records,input\n");
  const std::pair<std::string, std::string> wrong[] = {
      {">chr1 first\nACGTNNRacgt-\n>empty\n>chr2\nGATTACC\n", "record 3 is 'chr2' of 7 symbols"},
      {">chr1 first\nACGTNNRacgt-\n>empty\n>chr2\nGATTACAA\n", "'chr2' of 8 symbols in the input"},
      {">chr1 first\nACGTNNRacgtN\n>empty\n>chr2\nGATTACA\n", "with other symbols"},
      {">chr1 second\nACGTNNRacgt-\n>empty\n>chr2\nGATTACA\n", "after its name"},
      {">chr1 first\nACGTNNRacgt-\n>empty\n", "the index has 3 records and the input 2"},
      {">chr1 first\nACGTNNRacgt-\n>empty\n>chr2\nGATTACA\n>x\n", "and the input 4"},
      {">chr2\nGATTACA\n>empty\n>chr1 first\nACGTNNRacgt-\n", "record 1 is 'chr1'"}};
  for (const auto& [content, why] : wrong)
    check_failure(against(content), 5, {"is sound, but it indexes other sequences", why});
  check_failure(index({"verify", "--against", "none.fa", "g.gsx"}), 3, {"none.fa"});
  check_failure(against("ACGT\n"), 3, {"other.fa"});
  // Several files, in order; an index of another alphabet.
  index.folder.write("a.fa", ">p\nMKVLAW*\n");
  index.folder.write("b.fa", ">q\nwwx\n");
  CHECK(index({"index", "--alphabet", "protein", "a.fa", "b.fa", "-o", "p.gsx"}).exit_code == 0);
  CHECK(output_of(index({"verify", "--full", "--device", "cpu", "--against", "a.fa", "--against",
                         "b.fa", "p.gsx"}))
            .starts_with("p.gsx\tok\tfull,input\tlongest_walk="));
  check_failure(index({"verify", "--against", "b.fa", "--against", "a.fa", "p.gsx"}), 5,
                {"record 1"});
  // Sequences that do not fit the alphabet of the index: verify has no option for another one.
  for (const auto& [which, content] :
       {std::pair{"g.gsx", ">p\nMKVLAW*\n"}, {"p.gsx", ">d\nAC-GT\n"}}) {
    index.folder.write("other.fa", content);
    const Outcome outcome = index({"verify", "--against", "other.fa", which});
    check_failure(outcome, 5, {"it indexes other sequences: other.fa: record 1"});
    CHECK(outcome.err.find("--alphabet") == std::string::npos);
  }
}
