// Several runs that write one index at once: nothing is lost, and a manifest fits its shards.
#include <sys/file.h>

#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

struct Place {
  TemporaryFolder folder;
  RunOptions here{.folder = folder.path()};

  Place() {
    Random random(8);
    for (const char* name : {"a", "b", "c", "d"}) {
      std::string fasta;
      for (const char* record : {"1", "2", "3"})
        fasta +=
            '>' + std::string(name) + record + '\n' + random_string(random, 200, "ACGT") + '\n';
      folder.write(std::string(name) + ".fa", fasta);
    }
    check_output(run({"index", "-q", "--files", "a.fa", "-o", "all.gsx"}, here), "");
  }
  std::string files() const {
    std::string names;
    std::vector<std::string> lines =
        lines_of(output_of(run({"info", "-q", "all.gsx", "--files"}, here)));
    lines.erase(lines.begin());  // the header
    for (const std::string& line : lines)
      names += line.substr(0, line.find('\t')) + ' ';
    return names;
  }
  /// The lock that another run would have on a file or folder.
  class Lock {
   public:
    explicit Lock(const std::string& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
      REQUIRE(flock(fd_, LOCK_EX) == 0);
    }
    ~Lock() { close(fd_); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    int fd_;
  };
};

bool waits(const Process& process) {
  return process.err().find("waiting for another gsx") != std::string::npos;
}

}  // namespace

TEST_CASE(
    "index --append waits for another run that writes the index, and then adds to its result") {
  const Place place;
  const auto append = [](const char* file, const char* output) {
    return gsx_command({"index", "--append", "all.gsx", file, "-o", output});
  };
  std::filesystem::create_symlink("all.gsx", place.folder / "link.gsx");
  std::optional<Place::Lock> lock(std::in_place, place.folder / "all.gsx");
  Process b(append("b.fa", "all.gsx"), place.here), c(append("c.fa", "link.gsx"), place.here);
  CHECK(becomes_true([&] { return waits(b) && waits(c); }));
  // What replaces the index meanwhile is what is added to.
  CHECK(
      run({"index", "-q", "--append", "all.gsx", "d.fa", "-o", "more.gsx"}, place.here).exit_code ==
      0);
  std::filesystem::rename(place.folder / "more.gsx", place.folder / "all.gsx");
  lock.reset();
  CHECK(b.wait().exit_code == 0);
  CHECK(c.wait().exit_code == 0);
  const std::string names = place.files();
  CHECK((names == "a d b c " || names == "a d c b "));
  CHECK(run({"verify", "-q", "all.gsx"}, place.here).exit_code == 0);
  const std::vector<std::string> left = place.folder.names();  // no file for the lock
  CHECK(std::count_if(left.begin(), left.end(),
                      [](const std::string& name) { return name.starts_with('.'); }) == 0);
}

TEST_CASE("several runs of index --append at once lose no file") {
  const Place place;
  for (int round = 0; round < 3; ++round) {
    CHECK(run({"index", "-q", "--files", "a.fa", "-o", "all.gsx"}, place.here).exit_code == 0);
    std::vector<std::unique_ptr<Process>> runs;
    for (const char* file : {"b.fa", "c.fa", "d.fa"})
      runs.push_back(std::make_unique<Process>(
          gsx_command({"index", "--append", "all.gsx", file, "-o", "all.gsx"}), place.here));
    for (const auto& process : runs) {
      const Outcome outcome = process->wait();
      CAPTURE(outcome.err);
      CHECK(outcome.exit_code == 0);
    }
    std::string names = place.files();
    std::sort(names.begin(), names.end());
    CHECK(names == "    abcd");
  }
}

TEST_CASE(
    "an index that another run has grown meanwhile is replaced on request only, and told of") {
  const std::string told = "replacing 'all.gsx', which another gsx has written meanwhile";
  struct Case {
    Arguments command;
    int exit_code;
    std::string says;
  };
  const Case cases[] = {
      {{"index", "all.fa"}, 2, "'all.gsx' is the index of other sequences: "},
      {{"index", "b.fa", "-o", "all.gsx"}, 0, told + ", the index of other sequences: "},
      {{"index", "--append", "first.gsx", "b.fa", "-o", "all.gsx"}, 0, told},
      {{"index", "--force", "all.fa"}, 0, told},
      {{"index", "--shards", "2", "c.fa", "-o", "all.gsx"}, 0, told},
      {{"index", "--shards", "2", "--manifest-only", "c.fa", "-o", "all.gsx"}, 0, told}};
  for (const Case& one : cases) {
    const Place place;
    place.folder.write("all.fa", place.folder.read("a.fa"));
    std::filesystem::copy(place.folder / "all.gsx", place.folder / "first.gsx");
    for (const char* shard : {"0", "1"})
      check_output(run({"index", "-q", "--shards", "2", "--shard", shard, "c.fa", "-o", "all.gsx"},
                       place.here),
                   "");
    check_output(run({"index", "-q", "--append", "all.gsx", "d.fa", "-o", "grown.gsx"}, place.here),
                 "");
    const std::string grown = place.folder.read("grown.gsx");
    std::optional<Place::Lock> lock(std::in_place, place.folder / "all.gsx");
    Process process(gsx_command(one.command), place.here);
    CHECK(becomes_true([&] { return waits(process); }));
    std::filesystem::rename(place.folder / "grown.gsx", place.folder / "all.gsx");
    lock.reset();
    const Outcome outcome = process.wait();
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == one.exit_code);
    CHECK(outcome.err.find(one.says) != std::string::npos);
    CHECK((place.folder.read("all.gsx") == grown) == (one.exit_code != 0));
  }
}

TEST_CASE("an index that waits for its name says nothing of one of the same sequences") {
  const Place place;
  place.folder.write("all.fa", place.folder.read("a.fa"));
  check_output(run({"index", "-q", "--files", "--md5", "a.fa", "-o", "same.gsx"}, place.here), "");
  std::optional<Place::Lock> lock(std::in_place, place.folder / "all.gsx");
  Process process(gsx_command({"index", "--files", "all.fa"}), place.here);
  CHECK(becomes_true([&] { return waits(process); }));
  std::filesystem::rename(place.folder / "same.gsx", place.folder / "all.gsx");
  lock.reset();
  const Outcome outcome = process.wait();
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.find("replacing") == std::string::npos);
  CHECK(place.files() == "all ");
}

TEST_CASE("a shard that another run has written meanwhile is not replaced") {
  const Place place;
  check_output(run({"index", "-q", "c.fa", "-o", "c.gsx"}, place.here), "");
  const std::string other = place.folder.read("c.gsx");
  for (const char* size : {"--shards", "--shard-size"}) {
    std::optional<Place::Lock> lock(std::in_place, place.folder.path());
    Process process(gsx_command({"index", size, "2", "b.fa", "-o", "many.gsx"}), place.here);
    CHECK(becomes_true([&] { return waits(process); }));
    place.folder.write("many.001.gsx", other);
    lock.reset();
    check_failure(process.wait(), 2, {"another gsx has written 'many.001.gsx' meanwhile"});
    CHECK_FALSE(place.folder.has("many.gsx"));
    CHECK((place.folder.read("many.001.gsx") == other));
    std::filesystem::remove(place.folder / "many.001.gsx");
  }
}

TEST_CASE("an index that is replaced without a lock while it is added to is kept") {
  const Place place;
  check_output(run({"index", "-q", "a.fa", "-o", "all.gsx"}, place.here),
               "");  // a pipe has no name
  REQUIRE(mkfifo((place.folder / "pipe").c_str(), 0600) == 0);
  Process append(gsx_command({"index", "--append", "all.gsx", "pipe", "-o", "all.gsx"}),
                 place.here);
  const int writer = open((place.folder / "pipe").c_str(), O_WRONLY | O_CLOEXEC);
  // It has opened its input, and so the index before.
  CHECK(run({"index", "-q", "d.fa", "-o", "new.gsx"}, place.here).exit_code == 0);
  const std::string replaced = place.folder.read("new.gsx");
  std::filesystem::rename(place.folder / "new.gsx", place.folder / "all.gsx");
  const std::string fasta = place.folder.read("b.fa");
  REQUIRE(write(writer, fasta.data(), fasta.size()) == static_cast<ssize_t>(fasta.size()));
  close(writer);
  check_failure(append.wait(), 1, {"all.gsx", "was replaced while it was read"});
  CHECK(place.folder.read("all.gsx") == replaced);
}

TEST_CASE("two builds of shards with one name give one of the two, whole") {
  const Place place;
  for (const bool there : {false, true}) {
    CAPTURE(there);
    std::optional<Place::Lock> lock(std::in_place,
                                    there ? place.folder / "many.gsx" : place.folder.path());
    const auto build = [](const char* file, const char* size) {
      return gsx_command({"index", "--force", "--shard-size", size, file, "-o", "many.gsx"});
    };
    Process b(build("b.fa", "10"), place.here), c(build("c.fa", "300"), place.here);
    CHECK(becomes_true([&] { return waits(b) && waits(c); }));
    CHECK(place.folder.has("many.000.gsx") == there);
    lock.reset();
    CHECK(b.wait().exit_code == 0);
    CHECK(c.wait().exit_code == 0);
    CHECK(run({"verify", "-q", "many.gsx"}, place.here).exit_code == 0);
    const std::string fasta = output_of(run({"extract", "-q", "many.gsx"}, place.here));
    CHECK((fasta.starts_with(">b1") || fasta.starts_with(">c1")));
  }
}

TEST_CASE("no manifest names a shard that a job has replaced since it was checked") {
  const Place place;
  const Arguments job = {"index", "-q", "--shards", "3", "b.fa", "-o", "many.gsx", "--shard"};
  for (const char* number : {"0", "1", "2"}) {
    Arguments command = job;
    command.emplace_back(number);
    CHECK(run(command, place.here).exit_code == 0);
  }
  CHECK(run({"index", "-q", "c.fa", "-o", "other.gsx"}, place.here).exit_code == 0);
  std::optional<Place::Lock> lock(std::in_place, place.folder.path());
  Process manifest(
      gsx_command({"index", "--shards", "3", "b.fa", "-o", "many.gsx", "--manifest-only"}),
      place.here);
  CHECK(becomes_true([&] { return waits(manifest); }));
  std::filesystem::rename(place.folder / "other.gsx", place.folder / "many.001.gsx");
  lock.reset();
  check_failure(manifest.wait(), 5, {"many.001.gsx", "was replaced after it was checked"});
  CHECK_FALSE(place.folder.has("many.gsx"));
}
