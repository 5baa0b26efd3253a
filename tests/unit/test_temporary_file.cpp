// Temporary files: which process they belong to, and what happens to those of others.
#include <doctest/doctest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>

#include <fcntl.h>
#include "base/error.hpp"
#include "bytes/output.hpp"
#include "bytes/temporary_file.hpp"
#include "bytes/temporary_name.hpp"

#include "support/files.hpp"

using namespace gsx;
using gsx::testing::TemporaryFolder;

namespace {

/// One of our processes that has ended.
Maker dead_maker() {
  Maker maker = Maker::self();
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  maker.pid = static_cast<std::uint64_t>(child);
  return maker;
}

void write_output(const std::string& path) {
  Output out(path);
  out.write("new");
  out.commit();
}

}  // namespace

TEST_CASE("a temporary name tells its maker, and a changed name is refused") {
  const Maker self = Maker::self();
  REQUIRE(self.boot.size() > 8);
  CHECK(self.pid == static_cast<std::uint64_t>(getpid()));
  const std::string bases[] = {
      "out", ".hidden", "a.gsx-b.tmp", "with space", std::string(255, 'x'), "\xc3\xa9"};
  for (const std::string& base : bases) {
    CAPTURE(base);
    const std::string name = temporary_name(base, self, 7);
    CHECK(name.size() <= 255);
    CHECK(has_temporary_form(name));
    CHECK(maker_of(name, base, self.boot) == self);
    CHECK_FALSE(maker_of(name, base + "x", self.boot));
    CHECK_FALSE(maker_of(name, base.substr(1), self.boot));
    CHECK_FALSE(maker_of(name, base, "another machine, or another start of this one"));
    CHECK_FALSE(maker_of(name, base, ""));
    for (std::size_t i = 0; i < name.size(); ++i) {
      std::string changed = name;
      changed[i] = changed[i] == '1' ? '2' : '1';
      CHECK_FALSE(maker_of(changed, base, self.boot));
    }
  }
  CHECK(temporary_name(std::string(250, 'x'), self, 1) !=
        temporary_name(std::string(251, 'x'), self, 1));
}

TEST_CASE("a long name is not cut within a character") {
  std::string base = "x";
  while (base.size() < 254)
    base += "\xc3\xa9";
  const Maker self = Maker::self();
  const std::string name = temporary_name(base, self, 1);
  const std::string kept = name.substr(1, name.find(".gsx-") - 1);
  CHECK(kept.size() % 2 == 1);
  CHECK(base.starts_with(kept));
  CHECK(maker_of(name, base, self.boot) == self);
}

TEST_CASE("names by users and other programs do not have the form") {
  for (const char* name :
       {"", ".", "out.tmp", "out.tmp.1", ".out.tmp", ".out.gsx-.tmp", ".out.gsx-1-2-3-4.tmp",
        ".out.gsx-1-2-3-4-5-6.tmp", "out.gsx-1-2-3-4-5.tmp", ".out.gsx-1-2-3-4-x.tmp",
        ".out.gsx-01-2-3-4-5.tmp", ".out.gsx-1-2-3-4-5.tmp.bak", ".out.gsx-A-2-3-4-5.tmp",
        ".gsx-1-2-3-4-5.tmp", ".out.gsx-1-2-3-4-11111111111111111.tmp"}) {
    CAPTURE(name);
    CHECK_FALSE(has_temporary_form(name));
  }
  CHECK(has_temporary_form(".out.gsx-1-2-3-4-5.tmp"));
}

TEST_CASE("only leftovers of dead runs of this machine, for the same output, are removed") {
  const Maker self = Maker::self(), dead = dead_maker();
  Maker elsewhere = dead, reused = self, other_container = dead;
  elsewhere.boot = "00000000-0000-0000-0000-000000000000";
  reused.start += 1;  // the pid is ours now, and belonged to another process
  other_container.pid_namespace += 1;
  const TemporaryFolder folder;
  const auto left = [&](const std::string& base, const Maker& maker, std::uint64_t random) {
    const std::string name = temporary_name(base, maker, random);
    folder.write(name, "left");
    return name;
  };
  const std::string gone[] = {left("out", dead, 1), left("out", reused, 2),
                              left("out", other_container, 3)};
  const std::string kept[] = {left("out", self, 4), left("out", elsewhere, 5),
                              left("out2", dead, 6), left("ou", dead, 7)};
  const std::string users[] = {"out.tmp.1",        "out.tmp.20240101",       "out.tmp.7-2",
                               "out.tmp.99999999", ".out.gsx-1-2-3-4-5.tmp", gone[0] + ".bak",
                               "x" + gone[0]};
  for (const std::string& name : users)
    folder.write(name, "somebody's");
  const std::string link = temporary_name("out", dead, 8), deep = temporary_name("out", dead, 9),
                    pipe = temporary_name("out", dead, 10);
  std::filesystem::create_symlink("out2", folder / link);
  std::filesystem::create_directory(folder / deep);
  REQUIRE(mkfifo((folder / pipe).c_str(), 0600) == 0);
  write_output(folder / "out");
  CHECK(folder.read("out") == "new");
  for (const std::string& name : gone)
    CHECK_FALSE(folder.has(name));
  for (const std::string& name : kept)
    CHECK(folder.has(name));
  for (const std::string& name : users)
    CHECK(folder.read(name) == "somebody's");
  CHECK(std::filesystem::is_symlink(folder / link));
  CHECK(std::filesystem::is_directory(folder / deep));
  CHECK(std::filesystem::is_fifo(folder / pipe));
}

TEST_CASE("a locked file of another container is in use") {
  Maker other = dead_maker();
  other.pid_namespace += 1;
  const TemporaryFolder folder;
  const std::string name = folder.write(temporary_name("out", other, 1), "in work");
  const int fd = open(name.c_str(), O_WRONLY | O_CLOEXEC);
  REQUIRE(flock(fd, LOCK_EX) == 0);
  write_output(folder / "out");
  CHECK(std::filesystem::exists(name));
  close(fd);
  write_output(folder / "out");
  CHECK_FALSE(std::filesystem::exists(name));
}

TEST_CASE("an output must not have the form of a temporary name") {
  const TemporaryFolder folder;
  const std::string name = ".out.gsx-1-2-3-4-5.tmp";
  CHECK_THROWS_AS(Output(folder / name), UsageError);
  folder.write(name, "somebody's");
  CHECK_THROWS_AS(Output(folder / name), UsageError);
  std::filesystem::create_symlink(name, folder / "link");
  CHECK_THROWS_AS(Output(folder / "link"), UsageError);
  CHECK(folder.read(name) == "somebody's");
  CHECK(folder.names().size() == 2);
}

TEST_CASE("any number of outputs, with the longest names, are separate files") {
  const TemporaryFolder folder;
  {
    std::vector<std::unique_ptr<Output>> outputs;
    for (int i = 0; i < 30; ++i) {
      outputs.push_back(
          std::make_unique<Output>(folder / (std::string(250, 'x') + std::to_string(100 + i))));
      outputs.back()->write("new");
      outputs.back()->flush();
    }
    CHECK(folder.names().size() == 30);
    for (std::size_t i = 0; i < 15; ++i)
      outputs[i]->commit();
  }
  CHECK(folder.names().size() == 15);  // the others were never committed
  for (const std::string& name : folder.names())
    CHECK(folder.read(name) == "new");
}

TEST_CASE("a signal removes all armed paths, however many, and nothing else") {
  const TemporaryFolder folder;
  folder.write("kept", "");
  std::filesystem::create_directory(folder / "full");
  folder.write("full/kept", "");
  const pid_t child = fork();
  if (child == 0) {  // remove_at_signal() is for a process that ends
    std::vector<std::unique_ptr<TemporaryFile>> files;
    for (int i = 0; i < 40; ++i)
      files.push_back(std::make_unique<TemporaryFile>(folder / "out", 0600));
    files.resize(20);
    for (int i = 0; i < 5; ++i)
      files.push_back(std::make_unique<TemporaryFile>(folder / "other", 0600));
    files[0]->rename();
    const ScratchFolder scratch(folder.path(), "bench");
    const RemovedFile inner(scratch.path() + "/reads.fq");
    gsx::testing::write_file(inner.path(), "");
    SignalRemoval unarmed(folder / "kept"), not_empty(folder / "full");
    not_empty.arm();
    remove_at_signal();
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(folder.names() == std::vector<std::string>{"full", "kept", "out"});
  CHECK(folder.has("full/kept"));
}

TEST_CASE("a scratch folder is private, and the next one removes that of a dead run") {
  const TemporaryFolder folder;
  const Maker self = Maker::self(), dead = dead_maker();
  Maker elsewhere = dead;
  elsewhere.boot = "another";
  const auto left = [&](const Maker& maker, const std::string& base) {
    const std::string name = temporary_name(base, maker, 1);
    std::filesystem::create_directory(folder / name);
    folder.write(name + "/index.gsx", "left");
    return name;
  };
  const std::string gone = left(dead, "bench");
  const std::string kept[] = {left(self, "bench"), left(elsewhere, "bench"), left(dead, "bank"),
                              left(dead, "out")};
  folder.write(temporary_name("bench", dead, 2), "a file");
  std::filesystem::create_directory(folder / "gsx-bench.123456");
  {
    const ScratchFolder made(folder.path(), "bench");
    CHECK(std::filesystem::status(made.path()).permissions() == std::filesystem::perms::owner_all);
    CHECK_FALSE(folder.has(gone));
    for (const std::string& name : kept)
      CHECK(folder.has(name + "/index.gsx"));
    gsx::testing::write_file(made.path() + "/reads.fq", "");
    CHECK(folder.names().size() == 7);
  }
  CHECK(folder.names().size() == 6);
}
