// --soft-mask keep: lower case is searched as upper case, and extract restores it.
#include "index/store/index.hpp"
#include "support/index_file.hpp"
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

Outcome run_in(const TemporaryFolder& folder, Arguments arguments) {
  return run(arguments, {.folder = folder.path()});
}

constexpr const char* genome =
    ">r one\nacgtACGTnnNNryACac-gtTT\n>empty\n>s\nGGGG\n>t\nacgtacgtac\n>u\nACGTa\n";

/// Has records longer than the pieces in which input is read and records are written.
std::string long_genome() {
  Random random(3);
  std::string fasta;
  for (int r = 0; r < 12; ++r) {
    fasta += ">r" + std::to_string(r) + '\n';
    std::string sequence;
    while (sequence.size() < (r % 3 == 0 ? 1'500'000u : 3'000u)) {
      const char* kinds[] = {"ACGT", "acgt", "N", "n", "ACGTacgtnRy-"};
      sequence += random_string(random, below(random, 900), kinds[below(random, 5)]);
    }
    fasta += sequence + '\n';
  }
  return fasta;
}

std::string index_of(const TemporaryFolder& folder, const std::string& fasta,
                     const Arguments& more) {
  folder.write("g.fa", fasta);
  Arguments arguments = {"index", "-q", "g.fa", "-o", "g.gsx"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome outcome = run_in(folder, arguments);
  CAPTURE(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return folder.read("g.gsx");
}

}  // namespace

TEST_CASE("soft masks of protein and bytes do not affect searching") {
  const TemporaryFolder folder;
  folder.write("p.fa", ">a\nMKVLeepq\n");
  for (const char* alphabet : {"auto", "protein", "bytes"}) {
    for (const char* soft_mask : {"fold", "split", "keep"}) {
      CAPTURE(alphabet);
      CAPTURE(soft_mask);
      REQUIRE(run_in(folder, {"index", "p.fa", "--alphabet", alphabet, "--soft-mask", soft_mask,
                              "-o", "p.gsx"})
                  .exit_code == 0);
      CHECK(
          output_of(run_in(folder, {"verify", "--full", "p.gsx"})).starts_with("p.gsx\tok\tfull"));
      CHECK(output_of(run_in(folder, {"count", "-x", "p.gsx", "-p", "MKV", "--no-header"})) ==
            "MKV\t3\t1\t1\t0\n");
    }
  }
}

TEST_CASE("extract restores lower case, in records, regions and reverse complements") {
  const TemporaryFolder folder;
  index_of(folder, genome, {"--soft-mask", "keep"});
  const auto extract = [&](Arguments arguments) {
    arguments.insert(arguments.begin(), {"extract", "-q", "g.gsx"});
    return run_in(folder, arguments);
  };
  check_output(extract({}), genome);
  check_output(extract({"--case", "keep", "t"}), ">t\nacgtacgtac\n");
  check_output(extract({"--case", "upper", "t", "u"}), ">t\nACGTACGTAC\n>u\nACGTA\n");
  check_output(extract({"r:3-10", "r:14-17", "u:5"}),
               ">r:3-10\ngtACGTnn\n>r:14-17\nyACa\n>u:5-5\na\n");
  check_output(extract({"--reverse-complement", "r:1-15"}), ">r:1-15/rc\nTryNNnnACGTacgt\n");
  CHECK(output_of(run_in(folder, {"info", "g.gsx"})).find("soft_mask\tkeep\n") !=
        std::string::npos);
  CHECK(output_of(run_in(folder, {"verify", "-q", "--full", "g.gsx", "--against", "g.fa"}))
            .starts_with("g.gsx\tok\tfull,input"));
}

TEST_CASE("--soft-mask keep changes only what extract can restore") {
  const TemporaryFolder fold, keep;
  index_of(fold, genome, {});
  index_of(keep, genome, {"--soft-mask", "keep"});
  for (const Arguments& arguments :
       std::vector<Arguments>{{"locate", "-x", "g.gsx", "-p", "ACGT", "-p", "gtac"},
                              {"info", "--md5", "g.gsx"},
                              {"sa", "--text", "g.gsx"},
                              {"extract", "--case", "upper", "g.gsx"}}) {
    CAPTURE(arguments[0]);
    check_output(run_in(keep, arguments), output_of(run_in(fold, arguments)));
  }
  check_output(run_in(fold, {"extract", "-q", "g.gsx", "u"}), ">u\nACGTA\n");
  const TemporaryFolder split;
  index_of(split, genome, {"--soft-mask", "split"});
  check_output(run_in(split, {"extract", "-q", "g.gsx", "u", "r:9-14"}),
               ">u\nACGTA\n>r:9-14\nNNNNRY\n");
  check_output(run_in(split, {"extract", "-q", "g.gsx", "--case", "keep", "u", "r:3-6", "t:9"}),
               ">u\nACGTa\n>r:3-6\ngtAC\n>t:9-10\nac\n");
  check_failure(run_in(fold, {"extract", "-q", "g.gsx", "--case", "keep"}), 2,
                {"--case keep", "--soft-mask keep"});
  check_failure(run_in(fold, {"extract", "-q", "g.gsx", "--case", "lower"}), 2, {"--case"});
}

TEST_CASE("verify --against notices a difference in case") {
  const TemporaryFolder folder;
  index_of(folder, genome, {"--soft-mask", "keep"});
  std::string other = genome;
  other[other.find("GGGG")] = 'g';
  folder.write("other.fa", other);
  const Outcome outcome = run_in(folder, {"verify", "-q", "g.gsx", "--against", "other.fa"});
  check_failure(outcome, outcome.exit_code, {"record 3", "lower case"});
  CHECK(outcome.exit_code != 0);
}

TEST_CASE("protein can keep its case; bytes always do") {
  const TemporaryFolder protein, bytes;
  index_of(protein, ">p\nMKvlAA*\n", {"--alphabet", "protein", "--soft-mask", "keep"});
  check_output(run_in(protein, {"extract", "-q", "g.gsx"}), ">p\nMKvlAA*\n");
  const std::string kept =
      index_of(bytes, ">p\nMKvlAA*\n", {"--alphabet", "bytes", "--soft-mask", "keep"});
  CHECK((index_of(bytes, ">p\nMKvlAA*\n", {"--alphabet", "bytes"}) == kept));
  check_output(run_in(bytes, {"extract", "-q", "g.gsx", "--case", "keep"}), ">p\nMKvlAA*\n");
  check_failure(run_in(bytes, {"extract", "-q", "g.gsx", "--case", "upper"}), 2, {"--case upper"});
}

TEST_CASE("a soft-masked genome comes back byte for byte, on any threads and in any batches") {
  const TemporaryFolder folder;
  const std::string fasta = long_genome();
  const std::string whole = index_of(folder, fasta, {"--soft-mask", "keep"});
  CHECK((output_of(run_in(folder, {"extract", "-q", "g.gsx", "--line-width", "0"})) == fasta));
  for (const Arguments& more : std::vector<Arguments>{{"-t", "1"},
                                                      {"-t", "3", "--batch", "5000"},
                                                      {"-t", "2", "--batch", "977"},
                                                      {"-t", "4", "--batch", "100000"}}) {
    Arguments arguments = {"--soft-mask", "keep"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    CHECK((index_of(folder, fasta, arguments) == whole));
  }
}

TEST_CASE("forged lower-case runs are refused, or noticed by verify") {
  const TemporaryFolder folder;
  const std::string whole = index_of(folder, genome, {"--soft-mask", "keep"});
  const auto judge = [&](const std::string& what, int extract_code,
                         const std::function<void(IndexFile&)>& edit) {
    CAPTURE(what);
    IndexFile file(whole);
    edit(file);
    file.seal();
    folder.write("f.gsx", file.bytes);
    const Outcome extracted = run_in(folder, {"extract", "-q", "f.gsx"});
    CHECK(extracted.exit_code == extract_code);
    check_failure(run_in(folder, {"verify", "-q", "--full", "f.gsx"}), 5, {"f.gsx", "corrupt"});
  };
  const IndexFile original(whole);
  const std::size_t runs = original.entry(original.find("case_runs")).bytes / sizeof(CaseRun);
  REQUIRE(runs == 7);
  for (std::size_t run = 0; run < runs; ++run) {
    const std::size_t at = original.at("case_runs") + run * sizeof(CaseRun);
    const CaseRun right = original.get<CaseRun>(at);
    for (const CaseRun wrong :
         {CaseRun{right.begin, right.end + 1}, CaseRun{right.begin + 1, right.end},
          CaseRun{right.end, right.begin}, CaseRun{right.begin, right.begin},
          CaseRun{right.begin, ~std::uint64_t{0}}, CaseRun{~std::uint64_t{0}, right.end},
          CaseRun{std::uint64_t{1} << 62, (std::uint64_t{1} << 62) + 4}}) {
      judge("run " + std::to_string(run), 5, [&](IndexFile& file) { file.set(at, wrong); });
    }
  }
  for (std::size_t record = 0; record < 5; ++record) {
    for (const std::uint64_t end : {std::uint64_t{2}, std::uint64_t{8}, ~std::uint64_t{0}}) {
      judge("end " + std::to_string(record), 5,
            [&](IndexFile& file) { file.set(file.at("case_ends") + record * 8, end); });
    }
  }
  // The right number of symbols, one of which is not a letter: "c-" for "ac".
  judge("no letter", 0, [&](IndexFile& file) {
    const std::size_t at = file.at("case_runs") + 3 * sizeof(CaseRun);
    REQUIRE(file.get<CaseRun>(at) == CaseRun{16, 18});
    file.set(at, CaseRun{17, 19});
    REQUIRE(file.get<CaseRun>(at + sizeof(CaseRun)) == CaseRun{19, 21});
    file.set(at + sizeof(CaseRun), CaseRun{20, 22});
  });
  for (const char* name : {"case_runs", "case_ends"}) {
    judge(name, 5, [&](IndexFile& file) {
      file.change_entry(file.find(name), [](SectionEntry& entry) { entry.name[5] = 'X'; });
    });
  }
}
