// gsx neighbors keeps to --memory-limit, with the same results.
#include <doctest/doctest.h>

#include <algorithm>

#include "support/packed_files.hpp"
#include "support/peak_memory.hpp"
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("--memory-limit holds for pairs, and they stay the same") {
  GSX_SKIP_IF(sanitized, "sanitizers take memory of their own");
  Random random(11);
  const TemporaryFolder folder;
  std::string list;
  for (int i = 0; i < 60'000; ++i)
    list += random_string(random, 9, "ACGT") + '\n';
  folder.write("l.txt", list);
  const auto with = [&](const Arguments& more) {
    Arguments arguments = {"neighbors", "-q", "l.txt", "-d", "2", "-t", "2"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments, {.folder = folder.path()});
  };
  const std::string expected = output_of(with({}));
  CHECK((output_of(with({"--memory-limit", "40MB"})) == expected));
  CHECK((output_of(with({"--memory-limit", "20MB"})) == expected));
  check_error(with({"--memory-limit", "5MB"}), 6, {"too little memory", "allow more"});
  check_error(with({"--memory-limit", "16MB", "--clusters"}), 6, {"too little memory"});
}

TEST_CASE("--memory-limit holds for long lines, for many equal reads, and with one N") {
  GSX_SKIP_IF(sanitized, "sanitizers take memory of their own");
  Random random(12);
  const TemporaryFolder folder;
  std::string named, words, equal, list;
  for (int i = 0; i < 4096; ++i) {
    std::string word;
    for (int symbol = 0; symbol < 6; ++symbol)
      word += "ACGT"[i >> 2 * symbol & 3];
    named += '>' + std::string(1000, 'n') + std::to_string(i) + '\n' + word + '\n';
    for (const char* end : {"AA", "CC", "GG", "TT", "AC", "CG"})
      words += word + end + '\n';
  }
  for (int i = 0; i < 3'000'000; ++i)
    equal += std::string(1, "ACGT"[random() % 4]) + '\n';
  for (int i = 0; i < 500'000; ++i)
    list += random_string(random, 20, "ACGT") + '\n';
  folder.write("named.fa", named);
  folder.write("words.txt", words);
  folder.write("equal.txt", equal);
  folder.write("list.txt", list);
  folder.write("list_n.txt", list + std::string(20, 'N') + '\n');
  struct Case {
    const char* arguments;
    double megabytes;
  };
  for (const Case& one : {Case{"named.fa -d 2", 40},
                          {"words.txt -d 2", 20},
                          {"words.txt -d 2", 30},
                          {"words.txt -d 2 --clusters", 60},
                          {"equal.txt", 32},
                          {"list.txt --correct", 45},
                          {"list_n.txt --correct", 45}}) {
    CAPTURE(std::string(one.arguments));
    Outcome outcome;
    const double peak =
        peak_of(std::string("neighbors -t 2 -o out ") + one.arguments + " --memory-limit " +
                    std::to_string(static_cast<int>(one.megabytes)) + "MB",
                folder, outcome);
    CHECK(outcome.exit_code == 0);
    CHECK(peak <= one.megabytes * megabyte);
  }
}

TEST_CASE("--memory-limit holds for groups that do not spread, and for corrected reads") {
  GSX_SKIP_IF(sanitized, "sanitizers take memory of their own");
  Random random(13);
  const TemporaryFolder folder;
  std::string list, fastq;
  const std::vector<std::string> beginnings = {"ACGTACGTACGTACGTACGT", "TTTTTTTTTTTTTTTTTTTT"};
  for (int i = 0; i < 300'000; ++i)
    list += beginnings[random() % 2] + random_string(random, 13, "ACGT") + '\n';
  for (int i = 0; i < 40'000; ++i) {
    fastq += "@r\n" + random_string(random, 7, "ACGT") + std::string(250, 'A') + "\n+\n" +
             std::string(257, 'I') + '\n';
  }
  folder.write("l.txt", list);
  folder.write("r.fq", fastq);
  const auto peak_of = [&](Arguments arguments, const std::string& limit) {
    arguments.insert(arguments.begin(), "neighbors");
    arguments.insert(arguments.end(), {"-t", "2", "--memory-limit", limit, "-o", "out.fq.tsv"});
    const Outcome outcome = run(arguments, {.folder = folder.path()});
    CAPTURE(outcome.err);
    const std::size_t at = outcome.err.find("peak memory ");
    if (outcome.exit_code == 6) {
      CHECK(holds(outcome.err, "too little memory"));
      return 0.0;
    }
    REQUIRE(outcome.exit_code == 0);
    REQUIRE(at != std::string::npos);
    return std::stod(outcome.err.substr(at + 12));
  };
  // Half of all sequences agree in the first part.
  for (const char* distance : {"1", "2"}) {
    for (const int megabytes : {25, 28, 32, 40, 60}) {
      CAPTURE(megabytes);
      const double peak = peak_of({"l.txt", "-d", distance}, std::to_string(megabytes) + "MB");
      CHECK(peak <= megabytes);
      if (megabytes == 60) CHECK(peak > 0);
    }
  }
  for (const int megabytes : {14, 16, 20, 30}) {
    CAPTURE(megabytes);
    const double peak = peak_of({"r.fq", "--at", "1-7", "--correct", "--format", "fastq"},
                                std::to_string(megabytes) + "MB");
    CHECK(peak <= megabytes);
    if (megabytes == 30) CHECK(peak > 0);
  }
}

TEST_CASE("--memory-limit holds for long records, and for what unpacks them") {
  GSX_SKIP_IF(sanitized, "sanitizers take memory of their own");
  GSX_NEED("XZ", has_command("xz"), "there is no xz");
  const TemporaryFolder folder;
  const std::string many(40'000'000, 'A');
  folder.write("long.fq", "@r\n" + many + "\n+\n" + many + '\n');
  folder.write("line.sam", "r\t4\t*\t0\t0\t*\t*\t0\t0\t" + many + "\t*\n");
  folder.write("l.txt", "ACGT\nACGA\n");
  REQUIRE(run_shell("xz -k --lzma2=dict=64MiB l.txt", {.folder = folder.path()}).exit_code == 0);
  for (const char* file : {"long.fq", "line.sam"}) {
    CAPTURE(file);
    const Arguments command = {"neighbors", "-q", file, "--at", "1-8", "--memory-limit", "30MB"};
    check_failure(run(command, {.folder = folder.path()}), 6, {"memory"});
  }
  check_failure(
      run({"neighbors", "-q", "l.txt.xz", "--memory-limit", "30MB"}, {.folder = folder.path()}), 6,
      {"l.txt.xz"});
  check_output(run({"neighbors", "-q", "l.txt.xz", "--no-header"}, {.folder = folder.path()}),
               "ACGA\tACGT\t1\t1\t1\n");
}
