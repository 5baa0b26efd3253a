// Indexes of proteins and of text in shards, whose alphabets differ.
#include "support/filtered.hpp"
#include "support/program.hpp"
#include "support/shards.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("shards of proteins and of text may have different symbols") {
  Random random(7);
  for (const std::string alphabet : {"auto", "bytes"}) {
    CAPTURE(alphabet);
    const bool bytes = alphabet == "bytes";
    const TemporaryFolder folder;
    const std::string repeat = bytes ? "over&over" : "WYKLVMEWYP";
    std::string fasta;
    for (int r = 0; r < 24; ++r) {
      const char* letters = bytes        ? (r % 3 == 0   ? "abc"
                                            : r % 3 == 1 ? "xyz~!"
                                                         : "ABab#")
                            : r == 0     ? "ACDEFGHIKLMNPQRSTVWY"
                            : r % 4 == 1 ? "CDEFGHIKLM"
                            : r % 4 == 2 ? "MNPQRST*"
                                         : "ACGTdefwxyz";
      fasta += ">r" + std::to_string(r) + "\n" + random_string(random, 1 + random() % 90, letters);
      fasta += (r % 3 == 0 ? repeat : "") + "\n";
    }
    fasta += ">empty\n";
    folder.write("all.fa", fasta);
    folder.write("queries.txt", repeat + "\nA\nC\nM\nTT\nab\nz~\nKLV\nMQ\nJ\nWJ\n");
    const auto gsx = [&](const Arguments& arguments) {
      return run(arguments, {.folder = folder.path()});
    };
    const auto index = [&](const Arguments& more) {
      return gsx(Arguments{"index", "-q", "all.fa", "--alphabet", alphabet} + more);
    };
    REQUIRE(index({"-o", "one.gsx"}).exit_code == 0);
    for (const Arguments& cut : {Arguments{"--shards", "4"}, Arguments{"--shard-size", "1"},
                                 Arguments{"--shard-size", "200", "-t", "3", "--batch", "30"}}) {
      CAPTURE(cut[1]);
      const Outcome built = index(cut + Arguments{"-o", "many.gsx", "--force"});
      CAPTURE(built.err);
      REQUIRE(built.exit_code == 0);
      for (const Arguments& command :
           {Arguments{"count", "-f", "queries.txt"}, Arguments{"locate", "-f", "queries.txt"},
            Arguments{"count", "--by-record", "-f", "queries.txt"},
            Arguments{"locate", "--sort", "position", "-f", "queries.txt"}, Arguments{"extract"},
            Arguments{"info", "--records"}, Arguments{"mem", "-L", "3", "-f", "queries.txt"},
            Arguments{"ms", "-f", "queries.txt"}, Arguments{"sa", "--text"}, Arguments{"bwt"},
            Arguments{"lz77", "--tsv"}, Arguments{"repeats", "-L", "5"},
            Arguments{"mappability", "-K", "4", "--bedgraph"}}) {
        check_same_for_shards(folder, command);
      }
      CHECK(gsx({"verify", "--full", "many.gsx"}).out.starts_with("many.gsx\tok\tfull"));
      const auto symbols_of = [&](const char* name) {
        return lines_of(output_of(gsx({"info", "-q", name})))[3];
      };
      CHECK(symbols_of("many.gsx").starts_with("alphabet_symbols\t"));
      CHECK(symbols_of("many.gsx") == symbols_of("one.gsx"));
    }
    const Outcome offtarget = gsx({"offtarget", "-x", "many.gsx", "-p", "ACGTACGTACGTACGTACGT"});
    CHECK(offtarget.exit_code == 2);
    CHECK(offtarget.err.find("needs a DNA index") != std::string::npos);
    CHECK(offtarget.err.find("indexed together") == std::string::npos);
    const Outcome strand =
        gsx({"mem", "-x", "many.gsx", "--strand", "rev", "-L", "3", "-p", "ACD"});
    CHECK(strand.exit_code == 2);
    CHECK(strand.err.find("needs a text of DNA") != std::string::npos);
    CHECK(strand.err.find("indexed together") == std::string::npos);
    if (bytes) continue;
    folder.write("dna.fa", ">d\nACGTACGTACGTACGTACGT\n");
    REQUIRE(gsx({"index", "-q", "dna.fa", "-o", "many.001.gsx", "--force"}).exit_code == 0);
    check_failure(gsx({"count", "-q", "-x", "many.gsx", "-p", "A"}), 5, {"'many.001.gsx'"});
  }
}
