// Shards that jobs build one by one: index --shard, --manifest-only, and their plan.
#include <algorithm>
#include <filesystem>

#include "index/store/shard_manifest.hpp"
#include "support/columns.hpp"
#include "support/json.hpp"
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Records in two files, some without a base, and the shards that one process makes of them.
struct Jobs {
  TemporaryFolder folder;

  Jobs() {
    Random random(5);
    for (const char* file : {"f0.fa", "f1.fa"}) {
      std::string fasta;
      for (unsigned r = 0; r < 9; ++r) {
        fasta += ">r" + std::to_string(r) + (r % 3 == 0 ? " comment\n" : "\n");
        if (r % 4 == 2) {
          fasta += r == 2 ? "NNN\n" : "\n";
          continue;
        }
        fasta += random_string(random, 20 + 37 * r, "ACGTacgt") + "N\n";
      }
      folder.write(file, fasta);
    }
  }
  Outcome gsx(const Arguments& arguments) const {
    return run(arguments, {.folder = folder.path()});
  }
  Outcome index(const Arguments& more, const std::string& path = "jobs.gsx") const {
    Arguments arguments = {"index", "f0.fa", "f1.fa", "-o", path};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return gsx(arguments);
  }
  std::vector<std::string> files_of(const std::string& stem) const {
    std::vector<std::string> files;
    for (const std::string& name : folder.names())
      if (name.starts_with(stem + '.')) files.push_back(name);
    return files;
  }
  void remove_all(const std::string& stem) const {
    for (const std::string& name : files_of(stem))
      std::filesystem::remove(folder / name);
  }
};

Arguments operator+(Arguments all, const Arguments& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace

TEST_CASE("jobs that build a shard each make the bytes of one process, in any order") {
  const Jobs all;
  const std::vector<Arguments> options = {
      {"--shards", "4"},
      {"--shards", "3", "--soft-mask", "keep", "--md5", "--files"},
      {"--shard-size", "1", "--soft-mask", "split", "--sa-rate", "3"},
      {"--shard-size", "300", "--batch", "64", "-t", "3"},
      {"--shards", "1"}};
  for (const Arguments& made : options) {
    CAPTURE(made[1]);
    REQUIRE(all.index(made, "many.gsx").exit_code == 0);
    const std::size_t shards = all.files_of("many").size() - 1;
    for (std::size_t k = shards; k-- > 0;) {
      const Outcome job = all.index(made + Arguments{"--shard", std::to_string(k)});
      CAPTURE(job.err);
      REQUIRE(job.exit_code == 0);
      CHECK_FALSE(std::filesystem::exists(all.folder / "jobs.gsx"));
    }
    REQUIRE(all.files_of("jobs").size() == shards);
    // A job that runs again changes nothing.
    REQUIRE(all.index(made + Arguments{"--shard", "0"}).exit_code == 0);
    REQUIRE(all.index(made + Arguments{"--manifest-only"}).exit_code == 0);
    const ShardManifest manifest = read_manifest(all.folder / "many.gsx");
    const ShardManifest joined = read_manifest(all.folder / "jobs.gsx");
    REQUIRE(joined.shards.size() == manifest.shards.size());
    for (std::size_t k = 0; k < shards; ++k) {
      CHECK(joined.shards[k].checksum == manifest.shards[k].checksum);
      CHECK((all.folder.read(joined.shards[k].file) == all.folder.read(manifest.shards[k].file)));
    }
    CHECK(output_of(all.gsx({"extract", "-q", "jobs.gsx"})) ==
          output_of(all.gsx({"extract", "-q", "many.gsx"})));
    // Again under the same name: the manifest is the same file.
    const std::string before = all.folder.read("many.gsx");
    REQUIRE(all.index(made + Arguments{"--manifest-only"}, "many.gsx").exit_code == 0);
    CHECK(all.folder.read("many.gsx") == before);
    all.remove_all("jobs");
    all.remove_all("many");
  }
}

TEST_CASE("a manifest is not written of shards that are missing, damaged, mixed or stale") {
  const Jobs all;
  const Arguments made = {"-q", "--shards", "3"};
  for (const char* shard : {"0", "1", "2"})
    REQUIRE(all.index(made + Arguments{"--shard", shard}).exit_code == 0);
  const auto join = [&](const Arguments& more = {}) {
    const Outcome outcome = all.index(made + Arguments{"--manifest-only"} + more);
    CHECK(std::filesystem::exists(all.folder / "jobs.gsx") == (outcome.exit_code == 0));
    std::filesystem::remove(all.folder / "jobs.gsx");
    return outcome;
  };
  REQUIRE(join().exit_code == 0);
  const std::string shard = all.folder.read("jobs.001.gsx");
  const auto changed = [&](const std::string& content) {
    all.folder.write("jobs.001.gsx", content);
  };
  std::filesystem::remove(all.folder / "jobs.001.gsx");
  check_failure(join(), 4, {"'jobs.001.gsx'", "missing", "--shards 3 --shard 1"});
  changed(all.folder.read("jobs.002.gsx"));
  check_failure(join(), 5, {"'jobs.001.gsx'", "not shard 1", "--shards 3 --shard 1"});
  changed("");
  check_failure(join(), 5, {"'jobs.001.gsx'", "empty"});
  changed(shard.substr(0, shard.size() - 100));
  check_failure(join(), 5, {"jobs.001.gsx", "--shards 3 --shard 1"});
  std::string damaged = shard;
  damaged[shard.size() / 2] ^= 1;
  changed(damaged);
  check_failure(join(), 5, {"jobs.001.gsx", "--shards 3 --shard 1"});
  changed("no index at all");
  check_failure(join(), 4, {"jobs.001.gsx", "--shards 3 --shard 1"});
  std::filesystem::remove(all.folder / "jobs.001.gsx");
  std::filesystem::create_directory(all.folder / "jobs.001.gsx");
  check_failure(join(), 5, {"'jobs.001.gsx'", "not a file"});
  std::filesystem::remove(all.folder / "jobs.001.gsx");
  const std::vector<Arguments> other_options = {
      {"--sa-rate", "3"}, {"--md5"}, {"--files"}, {"--soft-mask", "keep"}};
  for (const Arguments& other : other_options) {
    REQUIRE(all.index(made + other + Arguments{"--shard", "1"}).exit_code == 0);
    check_failure(join(), 5, {"'jobs.001.gsx'", "another " + other[0]});
  }
  REQUIRE(all.index({"-q", "--shards", "4", "--shard", "1"}).exit_code == 0);
  check_failure(join(), 5, {"'jobs.001.gsx'", "not shard 1"});
  changed(shard);
  REQUIRE(join().exit_code == 0);
  // The input changes: one symbol, a comment, one record more.
  const std::string fasta = all.folder.read("f0.fa");
  std::string edited = fasta;
  char& symbol = edited[edited.find("comment\n") + 10];
  symbol = symbol == 'A' || symbol == 'a' ? 'C' : 'A';
  const std::vector<std::string> inputs = {edited, ">r0 other" + fasta.substr(11),
                                           fasta + ">more\nACGTACGT\n"};
  for (const std::string& input : inputs) {
    CAPTURE(input);
    all.folder.write("f0.fa", input);
    check_failure(join(), 5, {"of this input and these options", "--shards 3 --shard "});
  }
  all.folder.write("f0.fa", fasta);
  REQUIRE(join().exit_code == 0);
}

TEST_CASE("a job for a shard that there is not ends well, and wrong options are refused") {
  const Jobs all;
  // Two records with bases of six: the others are with them.
  all.folder.write("two.fa", ">a\nACGTACGTAC\n>b\nACGT\n");
  const auto two = [&](const Arguments& more) {
    return all.gsx(Arguments{"index", "two.fa", "-o", "two.gsx", "--shards", "5"} + more);
  };
  for (const char* shard : {"0", "1", "2", "4"}) {
    const Outcome job = two({"--shard", shard});
    CHECK(job.exit_code == 0);
    CHECK((job.err.find("nothing to build for shard " + std::string(shard)) != std::string::npos) ==
          (shard[0] > '1'));
  }
  CHECK(all.files_of("two") == std::vector<std::string>{"two.000.gsx", "two.001.gsx", "two.fa"});
  all.folder.write("two.003.gsx", "of another build");
  const Outcome joined = two({"--manifest-only"});
  CHECK(joined.exit_code == 0);
  CHECK(joined.err.find("warning: 'two.003.gsx' is no shard") != std::string::npos);
  check_failure(two({"-q", "--shard", "5"}), 2, {"--shard 5", "0 to 4"});
  check_failure(two({"-q", "--shard", "5", "--plan"}), 2, {"--shard 5", "0 to 4"});
  check_failure(two({"-q", "--shard", "3"}), 2, {"two.003.gsx", "--force"});
  check_failure(two({"-q", "--shard", "1", "--manifest-only"}), 2, {"--manifest-only"});
  check_failure(two({"-q", "--manifest-only", "--plan"}), 2, {"--manifest-only"});
  check_failure(all.index({"-q", "--shard", "1"}), 2, {"--shard", "--shards"});
  check_failure(all.index({"-q", "--manifest-only"}), 2, {"--manifest-only", "--shards"});
  for (const char* option : {"--shard=0", "--manifest-only"}) {
    check_failure(run({"index", "-q", "--shard-size", "4", option, "-", "-o", "x.gsx"},
                      {.input = ">a\nACGT\n", .folder = all.folder.path()}),
                  2, {std::string(option).substr(0, std::string(option).find('=')), "'-'"});
  }
  // A shard of other records is replaced, with a warning; so is the trust in an old manifest.
  all.folder.write("two.fa", ">a\nACGTACGTAA\n>b\nACGT\n");
  const Outcome replaced = two({"--shard", "0"});
  CHECK(replaced.exit_code == 0);
  CHECK(replaced.err.find("warning: replacing 'two.000.gsx', the index of other sequences") !=
        std::string::npos);
  CHECK(replaced.err.find("--manifest-only") != std::string::npos);
  check_failure(all.gsx({"count", "-q", "-x", "two.gsx", "-p", "ACG"}), 5, {"'two.000.gsx'"});
}

TEST_CASE("names of shards sort as the shards do") {
  const TemporaryFolder folder;
  std::string fasta;
  for (int r = 0; r < 1003; ++r)
    fasta += ">r" + std::to_string(r) + "\nACGTACGT\n";
  folder.write("g.fa", fasta);
  const auto gsx = [&](const Arguments& arguments) {
    return run(arguments, {.folder = folder.path()});
  };
  const auto index = [&](const Arguments& cut) {
    const Outcome outcome = gsx(Arguments{"index", "-q", "g.fa", "-o", "many.gsx"} + cut);
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
  };
  index({"--shard-size", "8"});
  std::vector<std::string> names;
  for (const ShardEntry& shard : read_manifest(folder / "many.gsx").shards)
    names.push_back(shard.file);
  REQUIRE(names.size() == 1003);
  CHECK(names.front() == "many.0000.gsx");
  CHECK(names.back() == "many.1002.gsx");
  CHECK(std::ranges::is_sorted(names));
  for (const std::string& name : names)
    CHECK(std::filesystem::exists(folder / name));
  const std::string manifest = folder.read("many.gsx");
  index({"--shards", "1003", "--shard", "7"});
  CHECK_FALSE(std::filesystem::exists(folder / "many.007.gsx"));
  index({"--shards", "1003", "--manifest-only"});
  CHECK(folder.read("many.gsx") == manifest);
  // Each shard is an open file.
  check_failure(
      run_shell("ulimit -n 200 && \"$gsx\" count -q -x many.gsx -p ACG", {.folder = folder.path()}),
      6, {"many.", "ulimit -n", "larger shards"});
}

TEST_CASE("index --plan tells memory, disk and time of each shard") {
  const Jobs all;
  const Arguments cut = {"-q", "--shards", "3", "--plan"};
  const std::vector<std::string> lines = lines_of(output_of(all.index(cut)));
  REQUIRE(lines.size() == 4);
  CHECK(lines[0] ==
        "shard\tfile\trecords\tindexed_symbols\thost_bytes\tdevice_bytes\tdisk_"
        "bytes\tseconds\tconclusion");
  CHECK(all.files_of("jobs").empty());
  const std::string json = output_of(all.index(cut + Arguments{"--json"}));
  CHECK(is_json(json));
  REQUIRE(all.index({"-q", "--shards", "3"}).exit_code == 0);
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string name = "jobs.00" + std::to_string(k) + ".gsx";
    const std::vector<std::string> cells = columns_of(lines[k + 1]);
    REQUIRE(cells.size() == 9);
    CHECK(cells[0] == std::to_string(k));
    CHECK(cells[1] == name);
    CHECK(std::stoull(cells[4]) > 0);
    CHECK(std::stoull(cells[6]) == std::filesystem::file_size(all.folder / name));
    CHECK(std::stoull(cells[7]) > 0);
    CHECK(cells[8] == "memory suffices");
    const std::vector<std::string> one =
        lines_of(output_of(all.index(cut + Arguments{"--shard", std::to_string(k)})));
    REQUIRE(one.size() == 2);
    CHECK(columns_of(one[1])[6] == cells[6]);
    CHECK(columns_of(one[1])[1] == name);
    CHECK(json.find("\"file\":\"" + name + "\"") != std::string::npos);
    CHECK(json.find("\"disk_bytes\":" + cells[6]) != std::string::npos);
  }
  check_failure(all.index({"-q", "--shard-size", "100000", "--plan", "--shard", "1"}), 2,
                {"--shard 1", "fewer shards"});
  const std::vector<std::string> sized =
      lines_of(output_of(all.index({"-q", "--shard-size", "500", "--plan"})));
  CHECK(sized.size() > 3);
  const std::vector<std::string> small =
      lines_of(output_of(all.index({"-q", "--shards", "3", "--plan", "--memory-limit", "9GB"})));
  CHECK(small.size() == 4);
  check_failure(all.index({"-q", "--shards", "3", "--plan", "--memory-limit", "1MB"}), 6,
                {"--memory-limit", "reading the input"});
  for (const Arguments& cut_by : {Arguments{"--shards", "2"}, Arguments{"--shard-size", "1000"}}) {
    check_failure(run(Arguments{"index", "-q", "--plan", "-", "-o", "x.gsx"} + cut_by,
                      {.input = ">a\nACGT\n", .folder = all.folder.path()}),
                  2, {"--plan", "'-'", "write it to a file"});
  }
}

TEST_CASE("index --plan of shards needs no more memory than the largest of them") {
  GSX_SKIP_IF(sanitized, "a sanitizer takes memory of its own");
  const TemporaryFolder folder;
  Random random(6);
  std::string fasta;
  for (const char* name : {"a", "b"})
    fasta += '>' + std::string(name) + '\n' + random_string(random, 3'000'000, "ACGT") + '\n';
  folder.write("g.fa", fasta);
  const auto plan = [&](const char* limit) {
    return run({"index", "-q", "-t", "1", "g.fa", "-o", "many.gsx", "--shard-size", "1000000",
                "--plan", "--memory-limit", limit},
               {.folder = folder.path()});
  };
  const std::vector<std::string> lines = lines_of(output_of(plan("25MB")));
  REQUIRE(lines.size() == 3);
  for (std::size_t k = 1; k < 3; ++k) {
    const std::vector<std::string> cells = columns_of(lines[k]);
    CHECK(std::stoull(cells[4]) <= 25'000'000);
    CHECK(cells[8] == "memory suffices");
  }
  check_failure(plan("16MB"), 6, {"this build takes at least", "--memory-limit allows 16000000"});
}

TEST_CASE("a shard that was replaced by an empty file or a folder is not the one asked for") {
  const Jobs all;
  REQUIRE(all.index({"-q", "--shards", "3"}).exit_code == 0);
  const auto count = [&] { return all.gsx({"count", "-q", "-x", "jobs.gsx", "-p", "ACG"}); };
  all.folder.write("jobs.001.gsx", "");
  check_failure(count(), 5, {"'jobs.001.gsx'", "empty"});
  std::filesystem::remove(all.folder / "jobs.001.gsx");
  std::filesystem::create_directory(all.folder / "jobs.001.gsx");
  check_failure(count(), 5, {"'jobs.001.gsx'", "not a file"});
}

TEST_CASE("the report of shards shows their sections") {
  const Jobs all;
  REQUIRE(all.index({"-q", "--shards", "3"}).exit_code == 0);
  const std::string page = output_of(all.gsx({"report", "-q", "jobs.gsx"}));
  CHECK(page.find("sections of all shards, the largest first") != std::string::npos);
  CHECK(page.find(">samples<") != std::string::npos);
}
