// The memory of guides and primers stays below its limit, however long they are.
#include <filesystem>

#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

/// The least memory that a message names, of a run that has too little.
std::uint64_t least_memory(const Outcome& outcome) {
  check_failure(outcome, 6, {"too little memory", "takes at least"});
  return std::stoull(outcome.err.substr(outcome.err.find("at least ") + 9));
}

/// Peak memory from the closing line, in MB.
double peak_megabytes(const Arguments& command, const RunOptions& options) {
  const Outcome outcome = run(command, options);
  CAPTURE(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const std::size_t begin = outcome.err.find("peak memory ");
  REQUIRE(begin != std::string::npos);
  return std::stod(outcome.err.substr(begin + 12));
}

}  // namespace

TEST_CASE("long guides and primers are searched a few at a time within a memory limit") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  const TemporaryFolder folder;
  const RunOptions here = {.folder = folder.path(), .timeout_seconds = 600};
  Random random(112);
  folder.write("g.fa", ">r\n" + random_string(random, 100'000, "ACGT") + '\n');
  REQUIRE(run({"index", "-q", "g.fa"}, here).exit_code == 0);
  std::string guides, pairs;
  for (int i = 0; i < 600; ++i) {
    const std::string guide = random_string(random, 60'000, "ACGT");
    guides += 'g' + std::to_string(i) + '\t' + guide + '\n';
    pairs += 'p' + std::to_string(i) + '\t' + guide.substr(0, 30'000) + '\t' +
             guide.substr(30'000) + '\n';
  }
  folder.write("guides.txt", guides);  // 36 MB
  folder.write("pairs.tsv", pairs);
  const Arguments common = {"--memory-limit", "50MB", "-t", "1", "-o", "out.tsv"};
  for (Arguments command : {Arguments{"offtarget", "guides.txt"}, {"amplicon", "pairs.tsv"}}) {
    CAPTURE(command[0]);
    command.insert(command.end(), common.begin(), common.end());
    CHECK(peak_megabytes(command, here) < 50);
  }
}

TEST_CASE("sorted lines are within the memory limit, however many there are") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  const TemporaryFolder folder;
  const RunOptions here = {.folder = folder.path(), .environment = {"TMPDIR=" + folder.path()}};
  Random random(114);
  const std::string name(90, 'n');  // in each line
  folder.write("g.fa", ">" + name + '\n' + random_string(random, 100'000, "ACGT") + '\n');
  folder.write("guides.txt", name + "\tNNNNNNNNNNNA\n");
  folder.write("pairs.tsv", name + "\tACG\tCCA\n");
  const auto check_within = [&](Arguments command, int megabytes) {
    CAPTURE(command[0]);
    command.insert(command.end(), {"--bed", "--sort", "position", "-t", "1", "--memory-limit",
                                   std::to_string(megabytes) + "MB"});
    CHECK(peak_megabytes(command, here) < megabytes);
    CHECK(std::filesystem::file_size(folder / "o") > 25'000'000);
  };
  check_within({"offtarget", "-r", "g.fa", "guides.txt", "-k", "1", "--pam", "N", "--score", "none",
                "-o", "t.tsv", "--sites", "o"},
               30);
  check_within({"amplicon", "-r", "g.fa", "pairs.tsv", "--min", "9", "-o", "o"}, 30);
  folder.write("guides.txt", std::string(600, 'n') + "\tNNNNNNNNNNNA\n");
  check_within({"offtarget", "-r", "g.fa", "guides.txt", "-k", "1", "--pam", "N", "--score", "none",
                "-o", "t.tsv", "--sites", "o"},
               30);
  check_within({"repeats", "g.fa", "-L", "4", "--max-hits", "0", "-o", "o", "--device", "cpu"}, 64);
}

TEST_CASE("the text of shards is within the memory limit of guides, primers and alignments") {
  const TemporaryFolder folder;
  const RunOptions here = {.folder = folder.path()};
  Random random(113);
  const std::string genome = random_string(random, 400'000, "ACGT");
  folder.write("g.fa",
               ">r\n" + genome.substr(0, 250'000) + "\n>s\n" + genome.substr(250'000) + '\n');
  REQUIRE(run({"index", "-q", "g.fa", "-o", "one.gsx"}, here).exit_code == 0);
  REQUIRE(run({"index", "-q", "--shard-size", "200k", "g.fa", "-o", "many.gsx"}, here).exit_code ==
          0);
  folder.write("pairs.tsv",
               "p\t" + genome.substr(1000, 20) + "\t" + genome.substr(2000, 20) + '\n');
  folder.write("guides.txt", genome.substr(1000, 20) + '\n');
  for (const Arguments& command : {Arguments{"offtarget", "guides.txt", "-k", "2", "--pam", "NN"},
                                   Arguments{"amplicon", "pairs.tsv", "-k", "2"},
                                   Arguments{"locate", "guides.txt", "-k", "2", "--paf"}}) {
    CAPTURE(command[0]);
    const auto with = [&](const std::string& index, const std::string& limit,
                          const std::string& left_out = "") {
      Arguments all = command;
      std::erase(all, left_out);
      for (const std::string& more : {std::string("-x"), index, std::string("-t"), std::string("1"),
                                      std::string("--memory-limit"), limit})
        all.push_back(more);
      return run(all, here);
    };
    const std::uint64_t one = least_memory(with("one.gsx", "1MB"));
    const std::uint64_t many = least_memory(with("many.gsx", "1MB"));
    CHECK(many >= one + genome.size() / 4);
    const Outcome enough = with("many.gsx", std::to_string(many));
    CHECK(enough.exit_code == 0);
    CHECK(enough.out == output_of(with("one.gsx", std::to_string(many))));
    CHECK(enough.err.find("indexed together") == std::string::npos);
    if (command[0] != "locate") continue;
    CHECK(least_memory(with("many.gsx", "1MB", "--paf")) + genome.size() / 4 <= many);
  }
}

TEST_CASE("regions are within the memory limit, and their lines have an end") {
  const TemporaryFolder folder;
  const RunOptions here = {.folder = folder.path()};
  folder.write("g.fa", ">r\nACGTACGTCCACGTTAGGACGTACGGACGTTGCATTGGCATT\n");
  REQUIRE(run({"index", "-q", "g.fa"}, here).exit_code == 0);
  std::string many;
  for (int i = 0; i < 200'000; ++i)
    many += "r\t" + std::to_string(i % 10) + "\t40\n";
  folder.write("many.bed", many);
  folder.write("long.bed", "r\t0\t40\n" + std::string(70'000, 'r'));
  const Arguments sites = {"offtarget",   "g.gsx", "-q", "-t",         "1",
                           "--all-sites", "-k",    "0",  "--guides-in"};
  const auto with = [&](const std::string& regions, const std::string& limit) {
    Arguments all = sites;
    for (const std::string& more : {regions, std::string("--memory-limit"), limit})
      all.push_back(more);
    return run(all, here);
  };
  CHECK(least_memory(with("many.bed", "24MiB")) > 24 << 20);
  CHECK(output_of(with("many.bed", "60MiB")) == output_of(with("many.bed", "4GiB")));
  // Likewise those whose hits are kept.
  for (const Arguments& search : {Arguments{"offtarget", "-k", "0", "-p", "ACGT"},
                                  {"amplicon", "-p", "ACGT,ACGT"},
                                  {"count", "-p", "ACGT"},
                                  {"locate", "-k", "1", "-p", "ACGT"}}) {
    CAPTURE(search[0]);
    const auto search_within = [&](const Arguments& regions, const std::string& limit) {
      Arguments all = search;
      all.insert(all.end(), {"-x", "g.gsx", "-q", "-t", "1", "--memory-limit", limit});
      all.insert(all.end(), regions.begin(), regions.end());
      return run(all, here);
    };
    const auto kept = [&](const std::string& limit) {
      return search_within({"-R", "many.bed"}, limit);
    };
    const std::uint64_t more = least_memory(search_within({}, "1MiB")) + 500'000;
    CHECK(least_memory(kept(std::to_string(more))) > more);
    CHECK(output_of(kept("60MiB")) == output_of(kept("4GiB")));
  }
  check_failure(with("long.bed", "60MiB"), 3, {"long.bed", "line 2: the line is too long"});
  check_failure(run({"extract", "-q", "g.gsx", "-R", "long.bed", "-o", "out"}, here), 3,
                {"long.bed", "line 2: the line is too long"});
}

TEST_CASE("the table of guides and their sites appear only if both are written") {
  const TemporaryFolder folder;
  const RunOptions here = {.folder = folder.path()};
  folder.write("g.fa", ">r\nACGTACGTCCACGTTAGGACGTACGG\n");
  const Outcome outcome =
      run({"offtarget", "-r", "g.fa", "-p", "ACGTACG", "-o", "/dev/full", "--sites", "s"}, here);
  CHECK(outcome.exit_code == 6);
  CHECK_FALSE(std::filesystem::exists(folder / "s"));
  const Outcome no_sites =
      run({"offtarget", "-r", "g.fa", "-p", "ACGTACG", "-o", "t", "--sites", "/dev/full"}, here);
  CHECK(no_sites.exit_code == 6);
  CHECK_FALSE(std::filesystem::exists(folder / "t"));
}

TEST_CASE("a first pair of primers with inosine is no header") {
  const TemporaryFolder folder;
  const RunOptions here = {.folder = folder.path()};
  folder.write("g.fa", ">r\nACGTACGTCCACGTTAGGACGTACGG\n");
  folder.write("pairs.tsv", "p\tACGTIACG\tCCGIACG\nq\tACGTACG\tCCGTACG\n");
  const Outcome outcome = run({"amplicon", "-r", "g.fa", "pairs.tsv", "--min", "10"}, here);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.find("2 pairs, 1 with products") != std::string::npos);
}

TEST_CASE("errors of guides and primers advise what these commands have") {
  const TemporaryFolder folder;
  const RunOptions here = {.folder = folder.path()};
  folder.write("protein.fa", ">p\nMKVLAAGIVGLLLAQWERTYIPASDFGHKLCVNM\n");
  folder.write("g.fa", ">r\nACGTACGTCCACGTTAGGACGTACGG\n");
  folder.write("pairs.tsv", "p\tACGTACG\tCCGTACG\n");
  folder.write("codes.txt", "ACR\n");
  check_failure(run({"offtarget", "-r", "protein.fa", "-p", "ACGTACG"}, here), 3,
                {"looks like protein", "give DNA"});
  check_failure(run({"amplicon", "-r", "protein.fa", "pairs.tsv"}, here), 3, {"give DNA"});
  check_failure(run({"count", "-r", "g.fa", "-f", "codes.txt", "-o", "out"}, here), 3,
                {"--iupac takes"});
  const Outcome full = run_shell("\"$gsx\" amplicon -r g.fa pairs.tsv --min 1 > /dev/full", here);
  check_failure(full, 6, {"No space left on device"});
  CHECK(full.err.find("--memory-limit") == std::string::npos);
}
