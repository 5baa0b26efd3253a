// Which files a new index may replace.
#include "support/program.hpp"

using namespace gsx::testing;

TEST_CASE("an index of other sequences is replaced only on request") {
  const TemporaryFolder folder;
  const RunOptions here{.folder = folder.path()};
  const auto index = [&](const Arguments& more) {
    Arguments command = {"index", "--device", "cpu"};
    command.insert(command.end(), more.begin(), more.end());
    return run(command, here);
  };
  folder.write("s.fna", ">a\nACGTACGT\n>b\nGATTACA\n");
  CHECK(index({"s.fna"}).exit_code == 0);
  const std::string first = folder.read("s.gsx");
  // The same sequences again: no message.
  const Outcome again = index({"s.fna", "--sa-rate", "8"});
  CHECK(again.exit_code == 0);
  CHECK(again.err.find("replac") == std::string::npos);
  CHECK(index({"s.fna"}).exit_code == 0);
  const std::pair<const char*, const char*> others[] = {
      {">a\nMKVLEFPQIL\n", "record 1 is 'a' of 8 symbols in it and 'a' of 10 symbols in the input"},
      {">a\nACGTACGT\n>c\nGATTACA\n", "record 2 is 'b' of 7"},
      {">a\nACGTACGT\n>b\nGATTACC\n", "record 2 is 'b' of 7 symbols in both, with other symbols"},
      {">a\nACGTACGT\n", "record 2 is 'b' of 7 symbols in it and not in the input"},
      {">a\nACGTACGT\n>b\nGATTACA\n>c\nA\n", "record 3 is 'c' of 1 symbols in the input and not"}};
  for (const auto& [content, why] : others) {
    CAPTURE(why);
    folder.write("s.faa", content);
    check_failure(index({"s.faa"}), 2, {"'s.gsx' is the index of other sequences", why, "--force"});
    CHECK((folder.read("s.gsx") == first));
    CHECK(folder.names() == std::vector<std::string>{"s.faa", "s.fna", "s.gsx"});
    const Outcome named = index({"s.faa", "-o", "s.gsx"});
    CHECK(named.exit_code == 0);
    CHECK(named.err.find(why) != std::string::npos);
    CHECK(named.err.find("warning: replacing 's.gsx', the index of other sequences") !=
          std::string::npos);
    CHECK((folder.read("s.gsx") != first));
    const Outcome forced = index({"s.fna", "--force"});
    CHECK(forced.exit_code == 0);
    CHECK(forced.err.find("replac") == std::string::npos);
    CHECK((folder.read("s.gsx") == first));
  }
  // An index that this gsx cannot read is rebuilt: damaged, truncated, or of another format.
  const std::vector<std::string> unreadable = {
      first.substr(0, 20), first.substr(0, first.size() / 2),
      first.substr(0, 8) + "\x63" + first.substr(9), first.substr(0, 70) + "?" + first.substr(71)};
  for (const std::string& content : unreadable) {
    folder.write("s.gsx", content);
    CHECK(index({"s.fna"}).exit_code == 0);
    CHECK((folder.read("s.gsx") == first));
  }
}

TEST_CASE("a file that is not an index is replaced only with --force") {
  const TemporaryFolder folder;
  const RunOptions here{.folder = folder.path()};
  folder.write("s.fa", ">a\nACGTACGT\n");
  for (const Arguments& output : {Arguments{}, Arguments{"-o", "s.gsx"}}) {
    folder.write("s.gsx", "precious");
    Arguments command = {"index", "-q", "s.fa"};
    command.insert(command.end(), output.begin(), output.end());
    check_failure(run(command, here), 2, {"'s.gsx' exists and is not a gsx index", "--force"});
    CHECK(folder.read("s.gsx") == "precious");
    command.push_back("--force");
    CHECK(run(command, here).exit_code == 0);
    CHECK(folder.read("s.gsx").starts_with("GSXINDEX"));
  }
  folder.write("s.gsx", "");  // as mktemp creates it
  CHECK(run({"index", "-q", "s.fa", "-o", "s.gsx"}, here).exit_code == 0);
}

TEST_CASE("shards whose name was derived from the input's replace no index in one file") {
  const TemporaryFolder folder;
  const RunOptions here{.folder = folder.path()};
  folder.write("s.fa", ">a\nACGTACGT\n>b\nGATTACA\n");
  check_output(run({"index", "-q", "s.fa"}, here), "");
  const std::string first = folder.read("s.gsx");
  folder.write("s.fa", ">c\nACGTACGT\n>d\nGATTACA\n");
  check_failure(run({"index", "-q", "--shards", "2", "s.fa"}, here), 2,
                {"'s.gsx' is an index in one file", "-o", "--force"});
  CHECK((folder.read("s.gsx") == first));
  CHECK(run({"index", "-q", "--shards", "2", "s.fa", "--force"}, here).exit_code == 0);
  check_failure(run({"index", "-q", "s.fa"}, here), 2, {"'s.gsx' is the manifest"});
}

TEST_CASE("shards that replace an index in one file tell of it") {
  const TemporaryFolder folder;
  const RunOptions here{.folder = folder.path()};
  folder.write("s.fa", ">a\nACGTACGT\n>b\nGATTACA\n");
  const Arguments shards = {"index", "--shards", "2", "s.fa", "-o", "i.gsx"};
  CHECK(run({"index", "-q", "s.fa", "-o", "i.gsx"}, here).exit_code == 0);
  for (const bool replaces_index : {true, false}) {
    CAPTURE(replaces_index);
    const Outcome outcome = run(shards, here);
    CHECK(outcome.exit_code == 0);
    const bool told = outcome.err.find("replacing 'i.gsx', an index in one") != std::string::npos;
    CHECK(told == replaces_index);
  }
}
