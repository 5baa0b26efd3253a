// Numbers and sizes in every command: decimal, checked, and refused by name.
#include "support/program.hpp"
#include "support/sweep.hpp"

using namespace gsx::testing;

namespace {

const std::vector<std::string> commands = {"index",   "sa",   "bwt",    "count", "locate", "merge",
                                           "extract", "info", "verify", "bench", "doctor"};

/// The options of a command whose value help calls a number or a size.
std::vector<std::string> numeric_options(const std::string& command) {
  std::vector<std::string> found;
  for (const std::string& line : lines_of(whole_help(command))) {
    if (!line.starts_with("  ")) continue;
    std::istringstream words(line);
    std::string word, name;
    while (words >> word && word.starts_with("-"))
      name = word.substr(word.rfind(',') + 1);
    const std::string type = word.substr(0, word.find('='));
    if (!name.empty() && (type == "N" || type == "SIZE" || type == "N,...")) found.push_back(name);
  }
  return found;
}

const std::vector<std::string> wrong_numbers = {"-1",  "010", "0x10",     "18446744073709551616",
                                                "1.5", "",    " 5",       "5 ",
                                                "5G",  "+5",  "1e3",      "5EB",
                                                "GB",  "-",   "${N}GB",   "1,000",
                                                "٣",   "5\n", "1/2",      "0,5",
                                                "--",  ".",   "99999999T"};

Arguments operator+(Arguments all, const Arguments& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace

TEST_CASE("every numeric option of every command refuses all but decimal numbers in range") {
  const TemporaryFolder folder;
  const std::string fa = folder.write("a.fa", ">r\nACGT\n");
  std::size_t tried = 0;
  Sweep sweep;
  for (const std::string& command : commands) {
    for (const std::string& option : numeric_options(command)) {
      const bool size = option.find("memory") != std::string::npos || option == "--length" ||
                        option == "--shard-size";
      for (const std::string& number : wrong_numbers) {
        if (size && number == "5G") continue;  // is a size, or a length
        ++tried;
        if (!sweep.visits()) continue;
        CAPTURE(command);
        CAPTURE(option);
        CAPTURE(number);
        check_failure(run({command, option, number, fa}, {.folder = folder.path()}), 2, {option});
        CHECK(folder.names() == std::vector<std::string>{"a.fa"});
      }
    }
  }
  CHECK(tried > 25 * wrong_numbers.size());  // the help was parsed
}

TEST_CASE("all numeric options of every command were found") {
  const std::vector<std::pair<std::string, std::vector<std::string>>> known = {
      {"index",
       {"--threads", "--batch", "--memory-limit", "--gpu-memory", "--sa-rate", "--shards",
        "--shard-size", "--shard"}},
      {"sa", {"--threads", "--batch", "--memory-limit", "--gpu-memory", "--width"}},
      {"bwt", {"--threads", "--batch", "--memory-limit", "--gpu-memory"}},
      {"count", {"--threads", "--batch", "--gpu-memory"}},
      {"locate", {"--threads", "--batch", "--gpu-memory", "--max-hits"}},
      {"merge", {"--threads", "--max-hits", "--mismatches", "--min-files", "--max-files"}},
      {"extract", {"--threads", "--line-width"}},
      {"info", {"--threads"}},
      {"verify", {"--threads", "--gpu-memory"}},
      {"neighbors", {"--threads", "--memory-limit", "--gpu-memory", "--mismatches"}},
      {"prefix", {"--threads", "--memory-limit", "--gpu-memory"}},
      {"bench",
       {"--threads", "--length", "--seed", "--haplotypes", "--repeat", "--reads", "--sa-rates"}},
      {"doctor", {"--threads", "--gpu-memory"}},
  };
  for (const auto& [command, options] : known) {
    const auto found = numeric_options(command);
    for (const std::string& option : options) {
      CAPTURE(command);
      CAPTURE(option);
      CHECK(std::count(found.begin(), found.end(), option) == 1);
    }
  }
}

TEST_CASE("a message about a number gives the value and what is allowed") {
  const TemporaryFolder folder;
  const std::string fa = folder.write("a.fa", ">r\nACGT\n");
  const auto fails = [&](const Arguments& arguments, const std::vector<std::string>& words) {
    check_failure(run(arguments, {.folder = folder.path()}), 2, words);
  };
  fails({"index", "--sa-rate", "0", fa}, {"--sa-rate", "'0'", "from 1 to 1048576"});
  fails({"index", "--sa-rate", "016", fa}, {"--sa-rate", "'016'", "leading zeros"});
  fails({"locate", "--max-hits", "-1", "-p", "A"}, {"--max-hits", "'-1'", "at least 0", "2^64"});
  fails({"sa", "--width", "3", fa}, {"--width", "'3'", "4, 5 or 8"});
  fails({"sa", "--memory-limit", "5EB", fa}, {"--memory-limit", "'5EB'", "kB", "KiB", "1024"});
  fails({"bench", "--sa-rates", "4,,8"}, {"--sa-rates", "''"});
  fails({"bench", "--sa-rates", "4,08"}, {"--sa-rates", "'08'"});
  for (const char* device : {"cuda:01", "cuda:0x0", "cuda:0,01", "cuda:+1", "cuda: 1", "cuda:00"})
    fails({"sa", "--device", device, fa}, {device});
}

TEST_CASE("a length takes K, M and G as powers of 1000") {
  const TemporaryFolder folder;
  for (const char* length : {"3000", "3k", "3K"}) {
    CAPTURE(length);
    const std::string path = folder / (std::string(length) + ".fa");
    REQUIRE(run({"bench", "-q", "--text", "run", "--length", length, "--reads", "0", "--work",
                 "device", "--write-text", path})
                .exit_code == 0);
    const std::string text = read_file(path);
    CHECK(std::count(text.begin(), text.end(), 'A') == 3000);
  }
  for (const char* length :
       {"0M", "01M", "K", "3 K", "3KB", "3KK", "1.5M", "3T", "3\x0B", "1100G", "99999999999999G"}) {
    CAPTURE(length);
    check_failure(run({"bench", "--length", length}), 2,
                  {"--length", "from 1000 to 1099511627776", "powers of 1000"});
  }
}

TEST_CASE("a size is a number of bytes, or has a unit of powers of 1000 or 1024") {
  const TemporaryFolder folder;
  const std::string fa = folder.write("a.fa", ">r\nACGT\n");
  const std::vector<std::pair<std::string, std::string>> sizes = {
      {"8000000000", "8000000000"},  {"8GB", "8000000000"},     {"8gb", "8000000000"},
      {"8GiB", "8589934592"},        {"8G", "8589934592"},      {"8000MB", "8000000000"},
      {"8192M", "8589934592"},       {"8192MiB", "8589934592"}, {"9000000kB", "9000000000"},
      {"8388608K", "8589934592"},    {"1.5GB", "1500000000"},   {"1.5GiB", "1610612736"},
      {"0.5TB", "500000000000"},     {"2T", "2199023255552"},   {"1TiB", "1099511627776"},
      {"8000000000B", "8000000000"},
  };
  for (const auto& [text, bytes] : sizes) {
    CAPTURE(text);
    const Arguments command = {"index", "--plan", "--device", "cpu", fa};
    const Outcome by_option = run(command + Arguments{"--memory-limit", text});
    const Outcome by_variable = run(command, {.environment = {"GSX_MEMORY_LIMIT=" + text}});
    for (const Outcome& outcome : {by_option, by_variable}) {
      const std::string plan = output_of(outcome);
      if (plan.find("--memory-limit") == std::string::npos) continue;  // this machine has less
      CHECK(plan.find("host_limit_bytes\t" + bytes + '\n') != std::string::npos);
    }
  }
  for (const char* text : {"1.5", "1.0000001kB", "1.GB", ".5GB", "01GB", "1 GB", "1GBB", "1Gb/s",
                           "20000000TB", "18446744073709551616", "16777216TiB", "0.3B"}) {
    CAPTURE(text);
    check_failure(run({"index", "--memory-limit", text, fa}), 2, {"--memory-limit", text});
  }
}
