// Output that cannot be written: a full disk, a missing folder, a reader that has gone.
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

struct Place {
  TemporaryFolder folder;
  Place() {
    Random random(5);
    folder.write("g.fa", ">r\n" + random_string(random, 400'000, "ACGT") + '\n');
    std::string queries;
    for (int q = 0; q < 400; ++q) {
      queries += ">q" + std::to_string(q) + '\n' + random_string(random, 4, "ACGT") + '\n';
    }
    folder.write("q.fa", queries);
    CHECK(run({"index", "-q", folder / "g.fa"}).exit_code == 0);
  }
  Outcome operator()(const std::string& script) const {
    return run_shell(script, {.folder = folder.path()});
  }
};

/// All commands that write, with more output than any buffer or pipe holds, or as little as info.
const std::vector<std::string> writers = {"index g.fa",
                                          "sa g.fa",
                                          "bwt g.fa",
                                          "count q.fa -x g.gsx",
                                          "locate q.fa -x g.gsx",
                                          "mem q.fa -x g.gsx -L 3 --places",
                                          "mem --pairs g.fa q.fa -L 4",
                                          "ms g.fa -x g.gsx",
                                          "filter --keep g.fa -x g.gsx",
                                          "extract g.gsx",
                                          "info g.gsx",
                                          "info --json g.gsx",
                                          "info --records g.gsx"};

}  // namespace

TEST_CASE("a full disk is exit code 6, never success") {
  const Place place;
  for (const std::string& writer : writers) {
    CAPTURE(writer);
    check_failure(place("\"$gsx\" " + writer + " -o /dev/full"), 6,
                  {"/dev/full", "No space left on device"});
    if (writer.starts_with("index")) continue;
    check_failure(place("\"$gsx\" " + writer + " > /dev/full"), 6,
                  {"standard output", "No space left on device"});
  }
  check_failure(place("\"$gsx\" verify g.gsx > /dev/full"), 6, {"standard output"});
  check_failure(place("\"$gsx\" bwt g.fa | \"$gsx\" bwt --inverse - > /dev/full"), 6,
                {"standard output"});
}

TEST_CASE("a file size limit counts as a full disk, and leaves no file") {
  const Place place;
  const auto before = place.folder.names();
  for (const std::string writer : {"index g.fa -o out", "sa g.fa -o out", "extract g.gsx -o out"}) {
    CAPTURE(writer);
    check_failure(place("trap '' XFSZ; ulimit -f 20; \"$gsx\" " + writer), 6, {"out"});
    CHECK(place.folder.names() == before);
  }
}

TEST_CASE("an output that is a folder, or in a missing one, fails before any work") {
  const Place place;
  std::filesystem::create_directory(place.folder / "folder");
  const auto before = place.folder.names();
  for (const std::string& writer : writers) {
    CAPTURE(writer);
    check_failure(place("\"$gsx\" " + writer + " -o no/such/out"), 1,
                  {"no/such/out", "No such file or directory"});
    check_failure(place("\"$gsx\" " + writer + " -o folder"), 1, {"folder", "Is a directory"});
    CHECK(place.folder.names() == before);
  }
  // Fails before reading the input.
  place.folder.write("bad.fa", "not FASTA\n");
  for (const std::string command :
       {"index bad.fa -o", "count -r bad.fa q.fa -o", "count -r bad.fa q.fa --unmatched",
        "ms -r bad.fa q.fa --places", "mem --pairs bad.fa q.fa -o",
        "filter --drop -r bad.fa q.fa -o", "filter --drop -r bad.fa q.fa g.fa -o out -O"}) {
    CAPTURE(command);
    check_failure(place("\"$gsx\" " + command + " no/such/out"), 1, {"no/such/out"});
  }
}

TEST_CASE("standard output that is closed is an error") {
  const Place place;
  for (const std::string& writer : writers) {
    if (writer.starts_with("index")) continue;
    CAPTURE(writer);
    check_error(place("\"$gsx\" " + writer + " >&-"), 1, {"standard output"});
  }
}

TEST_CASE("a reader that goes away ends the program quietly, by SIGPIPE") {
  const Place place;
  for (const std::string& writer : writers) {
    if (writer.starts_with("index") || writer.starts_with("info")) continue;
    CAPTURE(writer);
    const Outcome outcome = place("\"$gsx\" " + writer + " | head -c 10");
    CAPTURE(outcome.err);
    // Output beyond the 64 KiB of a pipe cannot have been written.
    if (writer != "count q.fa -x g.gsx") CHECK(outcome.exit_code == 128 + SIGPIPE);
    CHECK(outcome.out.size() == 10);
    CHECK(outcome.err.find("rror") == std::string::npos);
  }
  const Outcome gone = place("\"$gsx\" info g.gsx | (exec <&-; sleep 0.2)");
  CHECK(error_lines(gone.err).empty());
}

TEST_CASE("-o may be a FIFO, which stays one") {
  const Place place;
  for (const std::string& writer : writers) {
    CAPTURE(writer);
    const std::string expected =
        writer.starts_with("index") ? place.folder.read("g.gsx") : place("\"$gsx\" " + writer).out;
    const Outcome outcome = place("mkfifo p; (cat p > copy)& \"$gsx\" " + writer +
                                  " -o p; code=$?; wait; test -p p || exit 99; rm p; exit $code");
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK((place.folder.read("copy") == expected));
  }
}

TEST_CASE("a build that fails keeps the existing file") {
  const Place place;
  place.folder.write("bad.fa", ">r\nACGT\n>s\nAC\x01GT\n");
  place.folder.write("kept", "precious");
  const auto before = place.folder.names();
  for (const std::string command :
       {"index --force bad.fa", "sa bad.fa", "bwt bad.fa", "count bad.fa -x g.gsx",
        "locate bad.fa -x g.gsx", "extract g.gsx nobody"}) {
    CAPTURE(command);
    CHECK(place("\"$gsx\" " + command + " -o kept").exit_code != 0);
    CHECK(place.folder.read("kept") == "precious");
    CHECK(place.folder.names() == before);
  }
}

TEST_CASE("a read-only folder, or a read-only file, is not written to") {
  GSX_NEED("USER", geteuid() != 0, "root may write anywhere");
  const Place place;
  place.folder.write("kept", "precious");
  std::filesystem::permissions(place.folder / "kept", std::filesystem::perms::owner_read);
  check_failure(place("\"$gsx\" index --force g.fa -o kept"), 1, {"kept", "Permission denied"});
  CHECK(place.folder.read("kept") == "precious");
  std::filesystem::permissions(
      place.folder.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const auto before = place.folder.names();
  check_failure(place("\"$gsx\" index g.fa -o new.gsx"), 1, {"new.gsx", "Permission denied"});
  CHECK(place.folder.names() == before);
}
