// Outputs named by an open descriptor, pipes, and two outputs to one place.
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

constexpr const char* genome = ">r\nACGTACGTAAC\n";
constexpr const char* table = "query_id\tlength\tcount\tcount_fwd\tcount_rev\n";

struct Place {
  TemporaryFolder folder;
  Place() {
    folder.write("g.fa", genome);
    check_output(in("gsx() { \"$gsx\" \"$@\"; }; gsx index -q g.fa"), "");
  }
  Outcome in(const std::string& script) const {
    return run_shell("gsx() { \"$gsx\" \"$@\"; }; " + script, {.folder = folder.path()});
  }
};

}  // namespace

TEST_CASE("a descriptor is written at its offset, and its file is not replaced") {
  const Place place;
  const std::string counted = table + std::string("AC\t2\t5\t3\t2\n");
  for (const std::string name :
       {"/dev/fd/3", "/proc/self/fd/3", "/proc/thread-self/fd/3", "link", "link2"}) {
    CAPTURE(name);
    for (const std::string redirection : {"3> f", "3>> f"}) {
      CAPTURE(redirection);
      place.folder.write("f", "old\n");
      check_output(place.in("ln -sf /dev/fd/3 link; ln -sf link link2; (echo before >&3; "
                            "gsx count -q -x g.gsx -p AC -o " +
                            name + " && echo after >&3) " + redirection),
                   "");
      const std::string old = redirection == "3> f" ? "" : "old\n";
      CHECK(place.folder.read("f") == old + "before\n" + counted + "after\n");
    }
  }
  check_output(place.in("(echo a; gsx count -q -x g.gsx -p AC -o /dev/stdout; echo b)"),
               "a\n" + counted + "b\n");
  CHECK(place.folder.names().size() == 5);  // and no other file
}

TEST_CASE("a log file on standard error keeps its lines and gets the summary") {
  const Place place;
  for (const std::string name : {"/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"}) {
    CAPTURE(name);
    place.folder.write("log", "old\n");
    check_output(place.in("gsx count -x g.gsx -p AC -o /dev/null --summary " + name + " 2>> log"),
                 "");
    const std::string log = place.folder.read("log");
    CHECK(log.starts_with("old\n"));
    CHECK(log.find("\"queries\":1,") != log.npos);
    CHECK(log.find("info: 1 quer") != log.npos);
  }
  // Both streams to one file: that is what the user asked for.
  check_output(place.in("gsx count -q -x g.gsx -p AC --summary /dev/stderr > both 2>&1"), "");
  CHECK(place.folder.read("both").find("\nAC\t2\t5\t3\t2\n") != std::string::npos);
  CHECK(place.folder.read("both").find("\"queries\":1,") != std::string::npos);
}

TEST_CASE("a descriptor that cannot be written is refused before any work") {
  const Place place;
  for (const std::string name : {"/dev/fd/9", "/dev/fd/4", "/proc/self/fd/5"}) {
    CAPTURE(name);
    // They are all closed when gsx starts. Later, gsx has files of its own at the lower numbers.
    check_failure(place.in("gsx extract g.gsx -o " + name), 1, {name, "Bad file descriptor"});
    check_failure(place.in("gsx count -x g.gsx -p AC -o made --summary " + name), 1,
                  {name, "Bad file descriptor"});
  }
  check_failure(place.in("gsx extract g.gsx -o /dev/fd/3 3< g.fa"), 1, {"Bad file descriptor"});
  check_failure(place.in("gsx extract g.gsx -o /dev/fd/3 3>> g.gsx"), 2, {"replace the input"});
  CHECK(place.folder.read("g.fa") == genome);
  CHECK(place.folder.names().size() == 2);
}

TEST_CASE("pipes of process substitution take outputs") {
  const Place place;
  // The last cat ends when all writers have ended.
  check_output(place.in("(gsx count -q -x g.gsx -p AC -o >(tail -n 1)) | cat"), "AC\t2\t5\t3\t2\n");
  check_output(place.in("(gsx index -q g.fa -o >(cmp - g.gsx && echo same)) | cat"), "same\n");
  check_output(place.in("(gsx extract -q g.gsx -o >(cat)) | cat"), genome);
  const Outcome two = place.in(
      "(gsx count -q -x g.gsx -p AAA -o x --unmatched >(sed s/^/u:/) --summary >(cut -c 1-2)) "
      "| LC_ALL=C sort");
  check_output(two, "u:>AAA\nu:AAA\n{\"\n");
  CHECK(place.folder.read("x") == table + std::string("AAA\t3\t0\t0\t0\n"));
  const Outcome log = place.in(
      "gsx count -q -x g.gsx -p AC --summary /dev/stderr 2>&1 > /dev/null | grep -c queries");
  check_output(log, "1\n");
  check_output(place.in("mkfifo p; cat p > f & gsx extract -q g.gsx -o p && wait && cat f"),
               genome);
}

TEST_CASE("two outputs to one file are refused, whatever their names") {
  const Place place;
  std::filesystem::create_directory(place.folder / "sub");
  const std::vector<std::string> cases = {
      "ln -s u a; gsx count A --unmatched u --summary a",
      "ln -s u a; gsx count A --unmatched a --summary u",
      "ln -s u a; ln -s a b; gsx count A --unmatched a --summary b",
      "ln -s sub/u a; ln -s \"$PWD/sub/u\" b; gsx count A -o a --summary b",
      "ln -s sub s; gsx count A -o s/u --summary sub/u",
      "ln -s sub s; ln -s ../sub/u sub/b; gsx count A -o s/b --summary sub/../sub/u",
      "gsx count A -o ./u --summary \"$PWD\"/u",
      "gsx count A -o u --summary /dev/fd/3 3> u",
      "ln -s u a; gsx count A -o /dev/fd/3 --summary a 3> u",
      "gsx count A -o /dev/fd/3 --summary /proc/self/fd/3 3> u",
      "gsx count A --summary /dev/stdout",
      "gsx count A --summary u > u",
  };
  for (const std::string& script : cases) {
    CAPTURE(script);
    std::string command = script;
    command.replace(command.find(" A"), 2, " -q -x g.gsx -p AAA");
    check_failure(place.in("rm -f u a b s sub/*; " + command), 2, {"two outputs go to"});
    CHECK_FALSE(std::filesystem::exists(place.folder / "sub/u"));
  }
  // Names that differ only in their links are two places.
  check_output(place.in("rm -f u a b; ln -s u1 a; ln -s u2 b; gsx count -q -x g.gsx -p AAA -o "
                        "/dev/null --unmatched a --summary b; cat u1"),
               ">AAA\nAAA\n");
}
