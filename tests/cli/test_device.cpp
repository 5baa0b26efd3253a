// --device: auto falls back and says why, cuda never does.
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "support/command_options.hpp"
#include "support/program.hpp"
#include "support/seeds.hpp"
#include "support/skip.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

struct Indexed {
  TemporaryFolder folder;
  Indexed() {
    folder.write("g.fa", ">r\nACGTACGTAAC\n");
    CHECK(run({"index", "--device", "cpu", folder / "g.fa"}).exit_code == 0);
  }
  std::vector<Arguments> commands() const {
    return {{"index", folder / "g.fa", "-o", folder / "again.gsx"},
            {"sa", folder / "g.fa"},
            {"sa", folder / "g.fa", "--check"},
            {"bwt", folder / "g.fa"},
            {"count", "-p", "ACGT", "-x", folder / "g.gsx"},
            {"locate", "-p", "ACGT", "-x", folder / "g.gsx"},
            {"filter", "--keep", "-L", "4", "-x", folder / "g.gsx", folder / "g.fa"},
            {"mem", "--pairs", "-L", "4", folder / "g.fa", folder / "g.fa"},
            {"neighbors", folder / "g.fa"},
            {"prefix", "--entry", "ACGT", folder / "g.fa"},
            {"verify", "--full", folder / "g.gsx"}};
  }
};

Outcome run_on(const std::string& device, Arguments arguments) {
  arguments.insert(arguments.end(), {"--device", device});
  return run(arguments);
}

}  // namespace

TEST_CASE("--device auto works with and without a GPU, with the CPU's output") {
  const Indexed index;
  for (const Arguments& command : index.commands()) {
    CAPTURE(command[0]);
    const std::string expected = output_of(run_on("cpu", command));
    check_output(run_on("auto", command), expected);
    check_output(run(command), expected);
  }
  CHECK(index.folder.read("again.gsx") == index.folder.read("g.gsx"));
}

TEST_CASE("--device cuda without a usable GPU is exit code 7 and leaves nothing") {
  const Indexed index;
  for (const Arguments& command : index.commands()) {
    for (const char* device : {"cuda", "cuda:0", "cuda:999"}) {
      CAPTURE(command[0]);
      CAPTURE(device);
      const Outcome outcome = run_on(device, command);
      if (outcome.exit_code == 0) {
        CHECK(outcome.err.find("| device cuda") != std::string::npos);
        CHECK(std::string(device) != "cuda:999");
        std::filesystem::remove(index.folder / "again.gsx");
        continue;
      }
      check_failure(outcome, 7, {"--device"});
      CHECK(index.folder.names() == std::vector<std::string>{"g.fa", "g.gsx"});
    }
  }
}

TEST_CASE(
    "a device that cannot be used is named before anything is read, and before other errors") {
  const Indexed index;
  const RunOptions here{.folder = index.folder.path(), .timeout_seconds = 30};
  REQUIRE(run_shell("mkfifo silent", here).exit_code == 0);
  for (const char* command :
       {"index silent -o x.gsx", "sa silent -o x.sa", "bwt silent -o x.bwt"}) {
    for (const auto& [device, code] : {std::pair{"cuda:999", 7}, {"cuda:x", 2}, {"gpu", 2}}) {
      CAPTURE(command);
      CAPTURE(device);
      // Nobody writes to the pipe.
      const Outcome outcome = run_shell(
          std::string("exec 9<> silent; \"$gsx\" ") + command + " --device " + device, here);
      check_failure(outcome, code, {"device"});
    }
  }
  index.folder.write("bad.fq", "@a\nACGT\n+\nII\n");
  for (const char* command : {"index bad.fq -o x.gsx", "sa bad.fq -o x.sa", "bwt bad.fq -o x.bwt",
                              "count -x none.gsx -p ACGT"}) {
    CAPTURE(command);
    check_failure(run_shell(std::string("\"$gsx\" ") + command + " --device cuda:999", here), 7,
                  {"device"});
  }
}

TEST_CASE("where the system gives no thread, one does everything") {
  GSX_SKIP_IF(sanitized, "sanitizers need threads of their own");
  GSX_SKIP_IF(geteuid() != 0, "only root may become a user without threads");
  const Indexed index;
  std::filesystem::permissions(index.folder.path(), std::filesystem::perms::all);
  std::filesystem::permissions(index.folder / "g.fa", std::filesystem::perms::all);
  std::filesystem::permissions(index.folder / "g.gsx", std::filesystem::perms::all);
  const std::string other = "setpriv --reuid 65534 --clear-groups bash -c '";
  const auto run_as_other = [&](const std::string& script) {
    return run_shell(other + script + "' \"$gsx\"", {.folder = index.folder.path()});
  };
  GSX_SKIP_IF(run_as_other("ls g.fa && exec \"$0\" --version").exit_code != 0,
              "another user may not run gsx here");
  for (const char* command : {"index g.fa -o x.gsx", "sa g.fa -o x.sa", "bwt g.fa -o x.bwt",
                              "count --index g.gsx -p ACGT -o x.tsv"}) {
    for (const char* device : {"cpu", "auto"}) {
      CAPTURE(command);
      const Outcome outcome = run_as_other(std::string("ulimit -u 1; exec \"$0\" ") + command +
                                           " -q -t 1 --device " + device);
      CAPTURE(outcome.err);
      CHECK(outcome.exit_code == 0);
    }
  }
}

TEST_CASE("commands that use one GPU refuse several, before they look for one") {
  const std::vector<std::string> several = {"index", "sa", "bwt",    "count", "locate",
                                            "mem",   "ms", "filter", "bench", "doctor"};
  for (const Command& command : commands()) {
    if (!command.has("--device")) continue;
    CAPTURE(command.name);
    const bool one = std::ranges::count(several, command.name) == 0;
    const std::string help = run({"help", "--man", command.name}).out;
    CHECK((help.find("cuda:all") == std::string::npos) == one);
    if (!one) continue;
    for (const char* device : {"cuda:0,1", "cuda:all", "cuda:0,0"}) {
      CAPTURE(device);
      check_failure(run({command.name, "--device", device}), 2, {"--device: '", "several GPUs"});
    }
  }
  const Indexed index;
  check_failure(run({"index", index.folder / "g.fa", "-o", index.folder / "x.gsx", "--device",
                     "cuda:901,902"}),
                7);
}

TEST_CASE("auto does little work on the CPU: it says why with -v, and on which device always") {
  const Indexed index;
  for (const Arguments& command : index.commands()) {
    CAPTURE(command[0]);
    CHECK(run_on("auto", command).err.find("using the CPU") == std::string::npos);
    Arguments verbose = command;
    verbose.push_back("-v");
    const Outcome outcome = run_on("auto", verbose);
    CHECK(outcome.err.find("debug: using the CPU: it takes about") != std::string::npos);
    CHECK(outcome.err.find("| device cpu |") != std::string::npos);  // little work needs no GPU
    CHECK(run_on("cpu", command).err.find("using the CPU") == std::string::npos);
  }
}

TEST_CASE("auto takes no GPU for short sequences, or where its driver lacks host memory") {
  const Indexed index;
  const TemporaryFolder& folder = index.folder;
  Random random(12);
  folder.write("long.fa", ">r\n" + random_string(random, 30'000'000, "ACGT") + "\n");
  folder.write("g2.fa", ">r2\nACGTACGTACGGTC\n");
  const std::string short_input = "using the CPU: it takes about";
  const std::string little = "leave a GPU's driver too little memory";
  for (const std::string command : {"index -o x.gsx --force", "sa -o x", "bwt -o x"}) {
    CAPTURE(command);
    const auto said = [&](const std::string& input) {
      const Outcome outcome =
          run_shell("\"$gsx\" " + command + " -v -t 1 " + input, {.folder = folder.path()});
      CHECK(outcome.exit_code == 0);
      return outcome.err;
    };
    CHECK(said("g.fa").find(short_input) != std::string::npos);
    CHECK(said("g.fa g2.fa").find(short_input) != std::string::npos);
    for (const std::string input : {"long.fa", "g.fa long.fa", "- < g.fa"})
      CHECK(said(input).find(short_input) == std::string::npos);
    CHECK(said("long.fa --memory-limit 511MB").find(little) != std::string::npos);
    CHECK(said("long.fa --memory-limit 512MB").find(little) == std::string::npos);
  }
  // What may be long: an index that is built anew, and what does not tell its length.
  CHECK(run_shell("\"$gsx\" index -q --device cpu --shards 1 -o many.gsx g.fa; xz -k g.fa",
                  {.folder = folder.path()})
            .exit_code == 0);
  for (const std::string input : {"index -o y.gsx --append g.gsx g.fa", "bwt -o x g.fa.xz",
                                  "mappability -K 3 --bedgraph - < g.fa"}) {
    CAPTURE(input);
    const Outcome outcome = run_shell("\"$gsx\" " + input + " -v", {.folder = folder.path()});
    CHECK(outcome.err.find(short_input) == std::string::npos);
  }
  // The text of an index is known to be short.
  for (const std::string command :
       {"sa -x g.gsx -o x", "bwt -x many.gsx -o x", "repeats -x g.gsx"}) {
    CAPTURE(command);
    const Outcome outcome = run_shell("\"$gsx\" " + command + " -v", {.folder = folder.path()});
    CHECK(outcome.err.find(short_input) != std::string::npos);
  }
  // A GPU that is asked for is taken, or missed.
  for (const std::string option : {"", " --memory-limit 400MB"}) {
    const Outcome outcome =
        run_shell("\"$gsx\" bwt -v -o x --device cuda g.fa" + option, {.folder = folder.path()});
    CHECK((outcome.exit_code == 7 || outcome.err.find("| device cuda") != std::string::npos));
  }
}

TEST_CASE("auto takes a GPU for many queries, or if there may be many") {
  const Indexed index;
  index.folder.write("few.fa", ">r\nACGT\n");
  const std::string many(std::size_t{6} << 20, 'A');
  index.folder.write("many.fa", ">r\n" + many + '\n');
  struct Case {
    std::string command, queries;
    bool few;
  };
  // What is searched for counts, too: all lengths of matches are more than one count.
  for (const Case& c : {Case{"count", "few.fa", true},
                        {"count", "many.fa", true},
                        {"ms --format u16", "few.fa", true},
                        {"ms --format u16", "many.fa", false},
                        {"ms --format u16", "few.fa many.fa", false},
                        {"count", "-p ACGT", true},
                        {"count -k 1", "-p ACGT few.fa", true},
                        {"count --iupac", "-p ACGR", true},
                        {"count -k 1", "<(cat few.fa)", false},
                        {"count", "- < few.fa", false},
                        {"mem -L 4", "<(cat few.fa)", false},
                        {"count", "<(cat few.fa)", false}}) {
    CAPTURE(c.command);
    CAPTURE(c.queries);
    const Outcome outcome =
        run_shell("\"$gsx\" " + c.command + " -v -t 1 -x g.gsx " + c.queries + " > out",
                  {.folder = index.folder.path()});
    CHECK(outcome.exit_code == 0);
    CHECK((outcome.err.find("using the CPU: it takes about") != std::string::npos) == c.few);
    if (c.few) CHECK(outcome.err.find("| device cpu |") != std::string::npos);
  }
  // One device builds the index of -r and searches it: it is chosen once.
  const Outcome built = run_on("auto", {"count", "-v", "-r", index.folder / "g.fa", "-p", "A"});
  const std::size_t first = built.err.find("using the CPU: it takes about");
  CHECK(first != std::string::npos);
  CHECK(built.err.find("using the CPU", first + 1) == std::string::npos);
  // Unless it is told to use it.
  const Outcome outcome = run_on("cuda", {"count", "-v", "-x", index.folder / "g.gsx", "-p", "A"});
  CHECK((outcome.exit_code == 7 || outcome.err.find("| device cuda") != std::string::npos));
}

TEST_CASE("with too little GPU memory cuda is exit code 6 and leaves nothing, auto takes the CPU") {
  const Indexed index;
  for (const Arguments& build : {Arguments{"index", index.folder / "g.fa", "-o"},
                                 Arguments{"sa", index.folder / "g.fa", "-o"},
                                 Arguments{"bwt", index.folder / "g.fa", "-o"}}) {
    CAPTURE(build[0]);
    Arguments command = build;
    command.push_back(index.folder / "out");
    const RunOptions little = {.environment = {"GSX_GPU_MEMORY=64k"}};
    for (const bool by_option : {false, true}) {
      Arguments on_gpu = command;
      on_gpu.insert(on_gpu.end(), {"--device", "cuda"});
      if (by_option) on_gpu.insert(on_gpu.end(), {"--gpu-memory", "64k"});
      const Outcome outcome = run(on_gpu, by_option ? RunOptions{} : little);
      // 7 if there is no GPU.
      CHECK((outcome.exit_code == 6 || outcome.exit_code == 7));
      CHECK((outcome.exit_code == 7 || outcome.err.find("out of GPU memory") != std::string::npos));
      CHECK(index.folder.names() == std::vector<std::string>{"g.fa", "g.gsx"});
    }
    const Outcome outcome = run(command, little);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.find("| device cpu |") != std::string::npos);
    std::filesystem::remove(index.folder / "out");
  }
}

TEST_CASE("a search ends at once by a signal, on any device") {
  const Indexed index;
  for (const char* device : {"cpu", "auto"}) {
    for (const char* command : {"count", "locate"}) {
      CAPTURE(device);
      CAPTURE(command);
      // The reads never end.
      const RunOptions here = {.folder = index.folder.path()};
      REQUIRE(run_shell("mkfifo reads", here).exit_code == 0);
      Process writer({"bash", "-c", "exec 3<>reads; exec yes '>r\nACGTACG' >&3"}, here);
      Process search(
          gsx_command({command, "-x", "g.gsx", "reads", "-o", "out.tsv", "--device", device}),
          here);
      std::this_thread::sleep_for(std::chrono::milliseconds(1500));
      search.send(SIGINT);
      const Outcome outcome = search.wait();
      CHECK(outcome.signal == SIGINT);
      CHECK_FALSE(outcome.timed_out);
      writer.send(SIGKILL);
      writer.wait();
      std::filesystem::remove(index.folder / "reads");
      CHECK(index.folder.names() == std::vector<std::string>{"g.fa", "g.gsx"});
    }
  }
}

TEST_CASE("neighbors and prefix write the same bytes on a GPU") {
  GSX_NEED("GPU", gpu_works(), "there is no GPU");
  const TemporaryFolder folder;
  Random random(run_seed());
  std::string list, entries, reads;
  std::vector<std::string> all;
  for (int i = 0; i < 400; ++i) {
    std::string next = random_string(random, 12, "ACGT");
    if (i % 3 != 0 && !all.empty()) {
      next = all[below(random, all.size())];
      next[below(random, 12)] = "ACGTN"[below(random, 5)];
    }
    all.push_back(next);
    list += next + '\t' + std::to_string(1 + below(random, 30)) + '\n';
    if (i % 2 == 0) entries += next + '\n';
    reads += '@' + std::to_string(i) + '\n' + next + "ACGTNACGT\n+\n" + std::string(21, 'I') + '\n';
  }
  folder.write("list.txt", list);
  folder.write("entries.txt", entries);
  folder.write("reads.fq", reads);
  std::string barcodes;
  for (int i = 0; i < 60; ++i)
    barcodes += random_string(random, 1 + below(random, 6), "ACGT") + '\n';
  // Without those that come twice.
  REQUIRE(run_shell("sort -u", {.input = barcodes}).exit_code == 0);
  folder.write("barcodes.txt", run_shell("sort -u", {.input = barcodes}).out);
  for (const Arguments& command :
       {Arguments{"neighbors", "list.txt"}, Arguments{"neighbors", "-d", "2", "list.txt"},
        Arguments{"neighbors", "list.txt", "--whitelist", "entries.txt"},
        Arguments{"neighbors", "-d", "2", "list.txt", "--clusters"},
        Arguments{"neighbors", "list.txt", "--correct"},
        Arguments{"neighbors", "list.txt", "--correct", "--whitelist", "entries.txt"},
        Arguments{"neighbors", "reads.fq", "--at", "1-12", "--correct", "--whitelist",
                  "entries.txt", "--format", "fastq"},
        Arguments{"prefix", "--set", "barcodes.txt", "reads.fq"},
        Arguments{"prefix", "--set", "barcodes.txt", "reads.fq", "--counts"}}) {
    CAPTURE(command[1]);
    const auto on = [&](const std::string& device) {
      Arguments with = command;
      with.insert(with.end(), {"--device", device});
      return run(with, {.folder = folder.path()});
    };
    const Outcome on_gpu = on("cuda");
    check_output(on_gpu, output_of(on("cpu")));
    CHECK(on_gpu.err.find("| device cuda") != std::string::npos);
  }
}

TEST_CASE(
    "count and locate write the same bytes on a GPU, whatever their output reads of queries") {
  GSX_NEED("GPU", gpu_works(), "there is no GPU");
  const TemporaryFolder folder;
  Random random(run_seed());
  std::string text = random_string(random, 3000, "ACGT");
  text += text.substr(400, 900);
  folder.write("a.fa", ">a\n" + text.substr(0, 2000) + "\n");
  folder.write("b.fa", ">b\n" + text.substr(2000) + "\n");
  std::string fastq, fasta;
  for (int i = 0; i < 300; ++i) {
    std::string read = text.substr(below(random, text.size() - 120), 1 + below(random, 119));
    if (i % 9 == 4) read[below(random, read.size())] = "NRX"[below(random, 3)];
    if (i % 7 == 2) std::ranges::reverse(read);
    const std::string name = "q" + std::to_string(i) + " c";
    fastq += "@" + name + "\n" + read + "\n+\n" + std::string(read.size(), 'I') + "\n";
    fasta += ">" + name + "\n" + read.substr(0, 50) + "\n";
    if (read.size() > 50) fasta += read.substr(50) + "\n";
  }
  folder.write("reads.fq", fastq);
  folder.write("reads.fa", fasta);
  folder.write("list.txt", "ACGT\n" + text.substr(70, 30) + "\nNNN\n");
  const Outcome made =
      run({"index", "-q", "--device", "cpu", "--files", "a.fa", "b.fa", "-o", "g.gsx"},
          {.folder = folder.path()});
  REQUIRE(made.exit_code == 0);
  for (const std::string command : {"count",
                                    "count --by-record",
                                    "count --by-file",
                                    "count --by-file --matrix",
                                    "count --palindromes once",
                                    "count -k 1",
                                    "count --unmatched left.fa",
                                    "count --strand rev",
                                    "count --batch 700",
                                    "count -p ACGT -f list.txt --tag-files",
                                    "count --circular all",
                                    "locate",
                                    "locate --by-file",
                                    "locate --max-hits 2",
                                    "locate --palindromes once",
                                    "locate -k 2 --palindromes once",
                                    "locate --sort position --format bed",
                                    "locate --format jsonl",
                                    "locate --format paf",
                                    "locate --format sam",
                                    "locate --format bedgraph",
                                    "locate --format bed --batch 700"}) {
    CAPTURE(command);
    const auto on = [&](const std::string& device) {
      const Outcome outcome =
          run_shell("\"$gsx\" " + command + " -x g.gsx reads.fq reads.fa --device " + device +
                        " | grep -v '^@PG' && touch left.fa && cat left.fa && rm left.fa",
                    {.folder = folder.path()});
      CHECK(outcome.exit_code == 0);
      return outcome;
    };
    const Outcome on_cpu = on("cpu"), on_gpu = on("cuda");
    CHECK(!on_cpu.out.empty());
    CHECK(on_gpu.out == on_cpu.out);
    CHECK(on_gpu.err.find("| device cuda") != std::string::npos);
    const auto warnings = [](const std::string& log) {
      std::string all;
      for (std::size_t at = log.find("warning:"); at != std::string::npos;
           at = log.find("warning:", at + 1))
        all += log.substr(at, log.find('\n', at) - at);
      return all;
    };
    CHECK(warnings(on_gpu.err) == warnings(on_cpu.err));
  }
}
