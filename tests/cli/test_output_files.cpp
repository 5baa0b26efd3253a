// The files that outputs go to: links, permissions, and files that are read at the same time.
#include <sys/stat.h>

#include "support/program.hpp"

using namespace gsx::testing;

namespace {

constexpr const char* genome = ">r\nACGTACGTAAC\n";

struct Place {
  TemporaryFolder folder;
  Place() {
    folder.write("g.fa", genome);
    check_output(in("\"$gsx\" index -q g.fa"), "");
  }
  Outcome in(const std::string& script) const {
    return run_shell(script, {.folder = folder.path()});
  }
  unsigned mode(const std::string& name) const {
    struct stat status {};
    REQUIRE(stat((folder / name).c_str(), &status) == 0);
    return status.st_mode & 07777;
  }
};

}  // namespace

TEST_CASE("an output that would replace its own standard input is refused") {
  const Place place;
  for (const std::string command :
       {"index -", "sa -", "bwt -", "bwt --inverse -", "count -x g.gsx -", "locate -x g.gsx -",
        "index /dev/stdin", "bwt /dev/stdin", "bwt /proc/self/fd/0"}) {
    CAPTURE(command);
    check_failure(place.in("\"$gsx\" " + command + " -o g.fa < g.fa"), 2, {"replace the input"});
    check_failure(place.in("ln -sf g.fa link; \"$gsx\" " + command + " -o link < g.fa"), 2,
                  {"replace the input"});
    CHECK(place.folder.read("g.fa") == genome);
  }
  // Another file is not the input, and a redirection of the shell is up to the user.
  check_output(place.in("\"$gsx\" bwt -q - -o other < g.fa"), "");
  check_output(
      place.in("\"$gsx\" bwt -q g.fa -o g2 < g2 2> /dev/null || \"$gsx\" bwt -q g.fa -o g2"), "");
  check_failure(place.in("\"$gsx\" bench --input g.fa -o g.fa"), 2, {"replace the input"});
}

TEST_CASE("an open descriptor as input has no name to give an index") {
  const Place place;
  for (const std::string input : {"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "link", "-"}) {
    CAPTURE(input);
    check_failure(place.in("ln -sf /dev/stdin link; cd .; \"$gsx\" index " + input + " < g.fa"), 2,
                  {"standard input", "-o FILE.gsx"});
    check_output(place.in("\"$gsx\" index -q " + input + " -o n.gsx < g.fa"), "");
    CHECK(place.folder.read("n.gsx") == place.folder.read("g.gsx"));
  }
  CHECK_FALSE(std::filesystem::exists("/dev/stdin.gsx"));
}

TEST_CASE("writing through a dangling link creates its target") {
  const Place place;
  std::filesystem::create_directory(place.folder / "sub");
  std::filesystem::create_symlink("sub/made.gsx", place.folder / "link");
  std::filesystem::create_symlink("link", place.folder / "link2");
  check_output(place.in("\"$gsx\" index -q g.fa -o link2"), "");
  CHECK(std::filesystem::is_symlink(place.folder / "link"));
  CHECK(std::filesystem::is_symlink(place.folder / "link2"));
  CHECK(place.folder.read("sub/made.gsx") == place.folder.read("g.gsx"));
  std::filesystem::create_symlink("no/such/file", place.folder / "lost");
  check_failure(place.in("\"$gsx\" index -q g.fa -o lost"), 1, {"no/such/file"});
  std::filesystem::create_symlink("loop2", place.folder / "loop1");
  std::filesystem::create_symlink("loop1", place.folder / "loop2");
  check_failure(place.in("\"$gsx\" index -q g.fa -o loop1"), 1, {"loop1", "symbolic links"});
  CHECK(std::filesystem::is_symlink(place.folder / "lost"));
  CHECK(std::filesystem::is_symlink(place.folder / "loop1"));
}

TEST_CASE("a file that is replaced keeps its permissions, whatever the umask") {
  const Place place;
  for (const char* mode : {"664", "600", "640", "666", "777"}) {
    CAPTURE(mode);
    check_output(place.in("umask 077; echo old > out; chmod " + std::string(mode) +
                          " out; umask 022; \"$gsx\" extract -q g.gsx -o out"),
                 "");
    CHECK(place.mode("out") == std::stoul(mode, nullptr, 8));
    CHECK(place.folder.read("out") == genome);
  }
  check_output(place.in("umask 027; \"$gsx\" extract -q g.gsx -o new"), "");
  CHECK(place.mode("new") == 0640);
}

TEST_CASE("a name of 250 characters works") {
  const Place place;
  const std::string name(250, 'n');
  check_output(place.in("\"$gsx\" extract -q g.gsx -o " + name), "");
  CHECK(place.folder.read(name) == genome);
}

TEST_CASE("a name that is too long for a file is refused before any work") {
  const Place place;
  const std::string name(256, 'n');
  const auto names = place.folder.names();
  for (const std::string command :
       {"extract g.gsx -o ", "index g.fa -o ", "sa g.fa -o ", "count -x g.gsx -p A --summary "}) {
    CAPTURE(command);
    check_failure(place.in("\"$gsx\" " + command + name), 1, {"cannot write to", "too long"});
    check_failure(place.in("\"$gsx\" " + command + "./" + name), 1, {"too long"});
  }
  check_failure(place.in("ln -s " + name + " link; \"$gsx\" extract g.gsx -o link"), 1,
                {"too long"});
  std::filesystem::remove(place.folder / "link");
  CHECK(place.folder.names() == names);
}

TEST_CASE("a name in .gz or .bgz means BGZF for sequences and text, and binary files refuse it") {
  const Place place;
  const std::string packed = "\x1f\x8b";
  for (const std::string command :
       {"extract g.gsx -o ", "info g.gsx -o ", "info g.gsx --json -o ", "sa --text g.gsx -o ",
        "count -x g.gsx -p AC -o ", "count -x g.gsx -p AC -o /dev/null --summary ",
        "count -x g.gsx -p AAA -o /dev/null --unmatched ",
        "neighbors --at 1-2 g.fa -o /dev/null --summary ",
        "prefix --entry A g.fa -o /dev/null --summary ",
        "repeats -L 2 g.gsx -o /dev/null --dotplot "}) {
    for (const std::string suffix : {".gz", ".bgz"}) {
      CAPTURE(command);
      check_output(place.in("\"$gsx\" " + command + "plain -q && \"$gsx\" " + command + "x" +
                            suffix + " -q && gzip -dc < x" + suffix + " | cmp - plain"),
                   "");
      CHECK(place.folder.read("x" + suffix).starts_with(packed));
    }
  }
  for (const std::string command : {"sa", "bwt", "index"}) {
    CAPTURE(command);
    check_failure(place.in("rm -f x.gz; exec \"$gsx\" " + command + " -q g.fa -o x.gz"), 2,
                  {"x.gz", "not compressed"});
    CHECK_FALSE(place.folder.has("x.gz"));
  }
}

TEST_CASE("bench names the folder for temporary files that it cannot use, before any work") {
  const Outcome outcome = run({"bench", "--length", "1000000000000"},
                              {.environment = {"TMPDIR=/nonexistent"}, .timeout_seconds = 20});
  check_failure(outcome, 1, {"/nonexistent", "TMPDIR"});
}
