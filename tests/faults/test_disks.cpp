// Disks that are full or fail: at every call that writes, and for every size of a file system.
#include <sys/mount.h>

#include <map>
#include <set>

#include "support/sweep.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

struct Place {
  TemporaryFolder folder;
  std::map<std::string, std::string> expected;  ///< what each writer must write

  Place() {
    Random random(3);
    folder.write("g.fa", ">r first\n" + random_string(random, 60'000, "ACGT") + "\n>s\nNNAC\n");
    std::string queries;
    for (int q = 0; q < 500; ++q)
      queries += ">q" + std::to_string(q) + '\n' + random_string(random, 6, "ACGT") + '\n';
    folder.write("q.fa", queries);
    CHECK(run({"index", "-q", folder / "g.fa"}).exit_code == 0);
    for (const std::string& writer : writers()) {
      CHECK((*this)("\"$gsx\" " + writer + " -o whole").exit_code == 0);
      expected[writer] = folder.read("whole");
    }
    std::filesystem::remove(folder / "whole");
  }
  Outcome operator()(const std::string& script) const {
    return run_shell(script, {.folder = folder.path()});
  }
  static std::vector<std::string> writers() {
    return {"index -q g.fa",           "sa -q g.fa",      "bwt -q g.fa", "count -q -x g.gsx q.fa",
            "locate -q -x g.gsx q.fa", "extract -q g.gsx"};
  }
};

/// The start of a shell line that makes call number `at` of `call` in the program fail with
/// `error`.
std::string failing(const std::string& call, int at, int error, bool on = false) {
  std::string line = "exec env LD_PRELOAD=" GSX_FAILING_IO " FAIL_MARK=mark FAIL_CALL=" + call +
                     " FAIL_AT=" + std::to_string(at) + " FAIL_ERRNO=" + std::to_string(error) +
                     " FAIL_ON=" + (on ? "1" : "0");
  if (sanitized) line += " ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0";
  return line + " \"$gsx\" ";
}

struct Fault {
  std::string call;
  int error;
  std::set<int> exit_codes;  ///< the right ones; 0 is among them if nothing is lost
  bool on = false;           ///< whether later calls fail, too
};

/// Makes every call of one kind fail, one per run, until a run has no such call left; under
/// sanitizers, some calls only. Returns the number of faults that happened.
int sweep(const Place& place, const std::string& writer, const Fault& fault, Sweep& points) {
  CAPTURE(fault.call);
  CAPTURE(fault.error);
  const auto before = place.folder.names();
  constexpr int most = 60;
  int faults = 0;
  for (int at = 1 + points.offset(); at <= most; at += sweep_step()) {
    CAPTURE(at);
    const Outcome outcome =
        place(failing(fault.call, at, fault.error, fault.on) + writer + " -o out");
    CAPTURE(outcome.err);
    CHECK(outcome.signal == 0);
    CHECK(outcome.out == "");
    const bool happened = place.folder.has("mark");
    if (outcome.exit_code == 0) {
      CHECK((place.folder.read("out") == place.expected.at(writer)));
      CHECK(outcome.err == "");
    } else {
      CHECK(happened);
      CHECK(fault.exit_codes.contains(outcome.exit_code));
      CHECK(error_lines(outcome.err).size() == 1);
      CHECK_FALSE(place.folder.has("out"));
    }
    if (happened && outcome.exit_code == 0) CHECK(fault.exit_codes.contains(0));
    std::filesystem::remove(place.folder / "out");
    std::filesystem::remove(place.folder / "mark");
    CHECK(place.folder.names() == before);
    if (!happened) break;
    ++faults;
  }
  return faults;
}

bool may_mount() {
  return run_shell("unshare -m true 2> /dev/null && unshare -m mount -t tmpfs x /mnt").exit_code ==
         0;
}

/// With so much address space the program starts: below it, the loader of the system fails, or
/// what runs before main(), by any signal. Where that ends varies with the addresses of a run, and
/// is beyond the size of the program, which holds code for GPUs.
int least_megabytes(const Place& place) {
  const int program = static_cast<int>(std::filesystem::file_size(gsx_program) >> 20);
  for (int megabytes = program / 4 * 4;; megabytes += 4) {
    const Outcome outcome =
        place("ulimit -v " + std::to_string(megabytes * 1024) + "; exec \"$gsx\" --version");
    if (outcome.exit_code == 0) return megabytes + 4;
    REQUIRE(megabytes < program + 64);
  }
}

}  // namespace

TEST_CASE("every call that writes may fail: exit code 6 or 1, and nothing is left") {
  const Place place;
  const std::vector<Fault> faults = {
      {"write", ENOSPC, {6}},    {"write", EDQUOT, {6}},       {"write", EFBIG, {6}},
      {"write", EIO, {1}},       {"write", ENOSPC, {6}, true}, {"fsync", EIO, {0, 1}},
      {"fsync", ENOSPC, {0, 6}}, {"rename", EACCES, {1}},      {"rename", ENOSPC, {6}},
      {"close", ENOSPC, {0, 6}}, {"close", EIO, {0, 1}}};
  Sweep points;
  int happened = 0;
  for (const std::string& writer : Place::writers()) {
    CAPTURE(writer);
    for (const Fault& fault : faults)
      happened += sweep(place, writer, fault, points);
  }
  CHECK(happened > 100 / sweep_step());
  MESSAGE(happened << " injected faults of writing");
}

TEST_CASE("a short or interrupted write or read is continued") {
  const Place place;
  Sweep points;
  int happened = 0;
  for (const std::string& writer : Place::writers()) {
    CAPTURE(writer);
    for (const char* call : {"write", "read", "pread"}) {
      happened += sweep(place, writer, {call, 0, {0}}, points);
      happened += sweep(place, writer, {call, EINTR, {0}}, points);
    }
  }
  CHECK(happened > 20 / sweep_step());
  MESSAGE(happened << " short or interrupted calls");
}

TEST_CASE("every call that reads may fail: no answer comes from half of the input") {
  const Place place;
  Sweep points;
  int happened = 0;
  for (const std::string& writer : Place::writers()) {
    CAPTURE(writer);
    const bool index = writer.find(".gsx") != std::string::npos;
    const Fault faults[] = {{"read", EIO, {0, 3}},
                            {"read", EIO, {0, 3}, true},
                            {"pread", EIO, {3}},
                            {"open", EMFILE, {0, 1, 3, 4, 6}},
                            {"open", ENOMEM, {0, 1, 3, 4, 6}},
                            {"mmap", ENOMEM, {0, 6}},
                            {"flock", ENOLCK, {0}},
                            {"flock", EWOULDBLOCK, {0}}};
    for (const Fault& fault : faults) {
      if (fault.call == "mmap" && !index) continue;
      happened += sweep(place, writer, fault, points);
    }
  }
  CHECK(happened > 20 / sweep_step());
  MESSAGE(happened << " injected faults of reading");
}

TEST_CASE("standard output that fails halfway is an error, and what was written is right") {
  const Place place;
  for (const std::string& writer : Place::writers()) {
    if (writer.starts_with("index")) continue;
    CAPTURE(writer);
    for (const int error : {ENOSPC, EIO}) {
      const Outcome outcome = place(failing("write", 1, error, true) + writer);
      check_failure(outcome, error == ENOSPC ? 6 : 1, {"standard output"});
      const Outcome half = place(failing("write", 1, 0) + writer);
      check_output(half, place.expected.at(writer));
    }
  }
}

TEST_CASE("file systems of all sizes: exit code 6 until the output fits") {
  GSX_NEED("MOUNT", may_mount(), "no file system may be mounted here");
  const Place place;
  std::filesystem::create_directory(place.folder / "disk");
  Sweep points;
  int full = 0, fitted = 0;
  for (const std::string& writer : Place::writers()) {
    CAPTURE(writer);
    for (int pages = 1; pages <= 90; pages += pages < 12 ? 1 : 6) {
      if (!points.visits()) continue;
      CAPTURE(pages);
      // The file system belongs to the shell and disappears with it.
      const Outcome outcome =
          place("exec unshare -m bash -c 'mount -t tmpfs -o size=" + std::to_string(pages * 4096) +
                " x disk; echo kept > disk/kept || exit 99; \"$gsx\" " + writer +
                " -o disk/out; code=$?; ls disk >&2; cat disk/kept disk/out 2> /dev/null; "
                "exit $code'");
      CAPTURE(outcome.err);
      if (outcome.exit_code == 0) {
        CHECK((outcome.out == "kept\n" + place.expected.at(writer)));
        ++fitted;
      } else {
        CHECK(outcome.exit_code == 6);
        CHECK(outcome.err.find("error: ") == 0);
        CHECK(outcome.err.find("No space left on device") != std::string::npos);
        CHECK(outcome.err.ends_with("\nkept\n"));  // that is all ls shows
        CHECK(outcome.out == "kept\n");
        ++full;
      }
    }
  }
  CHECK(full > 30 / sweep_step());
  CHECK(fitted > 10 / sweep_step());
  MESSAGE(full << " full file systems, " << fitted << " large enough");
}

TEST_CASE("a limit on the size of files is an error, not a signal") {
  const Place place;
  const auto before = place.folder.names();
  int limited = 0;
  for (const std::string& writer : Place::writers()) {
    CAPTURE(writer);
    for (const int blocks : {1, 2, 5, 9, 17}) {  // blocks of 1 KiB
      CAPTURE(blocks);
      if (place.expected.at(writer).size() <= static_cast<std::size_t>(blocks) * 1024) continue;
      check_failure(
          place("ulimit -f " + std::to_string(blocks) + "; exec \"$gsx\" " + writer + " -o out"), 6,
          {"out", "File too large"});
      CHECK(place.folder.names() == before);
      ++limited;
    }
  }
  MESSAGE(limited << " runs over the limit");
}

TEST_CASE("a full or closed standard error does not change the output") {
  const Place place;
  for (const std::string& writer : Place::writers()) {
    CAPTURE(writer);
    std::string loud = writer;
    loud.erase(loud.find("-q "), 3);
    for (const char* redirection : {"2> /dev/full", "2>&-", "0<&- 2>&-", "0<&- 1>&- 2>&-"}) {
      CAPTURE(redirection);
      CHECK(place("\"$gsx\" " + loud + " -v -o out " + redirection).exit_code == 0);
      CHECK((place.folder.read("out") == place.expected.at(writer)));
      std::filesystem::remove(place.folder / "out");
    }
    CHECK(place("\"$gsx\" " + writer + " -o no/such/out 2>&-").exit_code == 1);
  }
}

TEST_CASE("an index cut short while it is in use ends the run with exit code 5") {
  const Place place;
  const std::string whole = place.folder.read("g.gsx");
  for (const char* command : {"count", "locate"}) {
    for (const std::size_t left : {std::size_t{0}, std::size_t{4096}}) {
      CAPTURE(command);
      CAPTURE(left);
      place.folder.write("used.gsx", whole);
      // The index is open when the header line comes out; no query has been read by then.
      const Outcome outcome =
          place("mkfifo p; (exec 9> p; sleep 0.5; truncate -s " + std::to_string(left) +
                " used.gsx; cat q.fa >&9) & \"$gsx\" " + command +
                " -q -x used.gsx p > /dev/null; code=$?; wait; rm p; exit $code");
      check_failure(outcome, 5, {"index"});
    }
  }
}

TEST_CASE("naming the file of standard output does not lose what it holds") {
  const Place place;
  const Outcome outcome =
      place("echo first > log; \"$gsx\" info -q g.gsx -o /dev/stdout >> log; cat log");
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.starts_with("first\npath\tg.gsx\n"));
}

TEST_CASE("with any amount of memory a run ends with the right output or exit code 6") {
  GSX_SKIP_IF(sanitized, "sanitizers need all of the address space");
  const Place place;
  const auto before = place.folder.names();
  int refused = 0, done = 0;
  for (const std::string& writer : Place::writers()) {
    CAPTURE(writer);
    const int least = least_megabytes(place);
    for (int megabytes = least; megabytes <= least + 112; megabytes += 4) {
      CAPTURE(megabytes);
      const char* threads = megabytes % 8 == 0 ? " -t 64" : " -t 4";  // 64 get no stacks
      const Outcome outcome = place("ulimit -v " + std::to_string(megabytes * 1024) +
                                    "; exec \"$gsx\" " + writer + threads + " -o out");
      CAPTURE(outcome.err);
      CHECK(outcome.signal == 0);
      if (outcome.exit_code == 0) {
        CHECK((place.folder.read("out") == place.expected.at(writer)));
        std::filesystem::remove(place.folder / "out");
        ++done;
      } else {
        check_failure(outcome, 6, {"memory"});
        ++refused;
      }
      CHECK(place.folder.names() == before);
    }
  }
  CHECK(done > 50);
  MESSAGE(refused << " runs without enough memory, " << done << " with enough");
}

TEST_CASE("a file that none can be renamed to is refused before the work, with advice") {
  GSX_NEED("MOUNT", may_mount(), "no file system may be mounted here");
  const Place place;
  place.folder.write("o.txt", "");
  place.folder.write("src", "kept\n");
  const auto bound = [&](const std::string& command) {
    return place("exec unshare -m bash -c 'mount --bind src o.txt; \"$gsx\" " + command +
                 "; code=$?; cat o.txt; ls -A | grep tmp; exit $code'");
  };
  for (const std::string& writer : Place::writers()) {
    CAPTURE(writer);
    const std::string force = writer.starts_with("index") ? " --force" : "";
    const Outcome outcome = bound(writer + force + " -o o.txt");
    check_error(outcome, 1, {"cannot replace 'o.txt': it is a mount point", "> o.txt"});
    CHECK(outcome.out == "kept\n");
  }
  check_error(bound("count -q g.gsx q.fa --summary o.txt"), 1, {"mount point"});
  const std::string writer = "extract -q g.gsx";
  check_output(bound(writer + " > o.txt"), place.expected.at(writer));
}

TEST_CASE("two outputs are not one file of a folder that is mounted twice") {
  GSX_NEED("MOUNT", may_mount(), "no file system may be mounted here");
  const Place place;
  std::filesystem::create_directories(place.folder / "d");
  std::filesystem::create_directories(place.folder / "e");
  const Outcome outcome = place(
      "exec unshare -m bash -c 'mount --bind d e; \"$gsx\" count -q g.gsx q.fa -o d/n --summary "
      "e/n'");
  check_failure(outcome, 2, {"two outputs"});
  CHECK(std::filesystem::is_empty(place.folder / "d"));
}

TEST_CASE("a file that may be written to, in a folder that may not, is refused with advice") {
  GSX_NEED("SETPRIV", geteuid() == 0 && has_command("setpriv"), "only root can be another user");
  const Place place;
  place.folder.write("o.txt", "kept\n");
  for (const char* const modes : {"chmod 755 .", "chmod 1777 ."}) {
    CAPTURE(modes);
    const Outcome outcome =
        place(std::string(modes) +
              "; chmod 666 o.txt; exec setpriv --reuid=65534 --regid=65534 --clear-groups "
              "\"$gsx\" extract -q g.gsx -o o.txt");
    check_failure(outcome, 1, {"cannot replace 'o.txt'", "> o.txt"});
    CHECK(place.folder.read("o.txt") == "kept\n");
  }
}
