// An index that changes while a command uses it.
#include <utility>

#include "support/index_file.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Two indexes of the same size. Commands use one of them and wait for queries from a FIFO.
struct Place {
  TemporaryFolder folder;
  std::string queries;  ///< queries that occur in a and not in b

  Place() {
    Random random(5);
    const std::string a = random_string(random, 100'000, "ACGT"),
                      b = random_string(random, 100'000, "ACGT");
    folder.write("a.fa", ">r\n" + a + '\n');
    folder.write("b.fa", ">r\n" + b + '\n');
    for (int q = 0; q < 300; ++q)
      queries += ">q" + std::to_string(q) + '\n' + a.substr(below(random, 99'000), 40) + '\n';
    for (const char* name : {"a", "b"})
      REQUIRE(in("\"$gsx\" index -q " + std::string(name) + ".fa -o " + name + ".gsx").exit_code ==
              0);
    REQUIRE(folder.read("a.gsx").size() == folder.read("b.gsx").size());
    folder.write("q.fa", queries);
    REQUIRE(mkfifo((folder / "p").c_str(), 0600) == 0);
  }
  Outcome in(const std::string& script) const {
    return run_shell(script, {.folder = folder.path()});
  }

  /// Runs `command` on used.gsx, a copy of a.gsx, and `change` while the index is open.
  Outcome run_during(const std::string& command, const std::string& change) const {
    REQUIRE(in("rm -f used.gsx link; cp a.gsx used.gsx").exit_code == 0);
    return in("(exec 9> p; sleep 0.4; " + change + "; cat q.fa >&9) & exec \"$gsx\" " + command +
              " -q -x used.gsx p");
  }
};

}  // namespace

TEST_CASE("an index that is overwritten in place during a run ends it with exit code 5") {
  const Place place;
  for (const std::string command : {"count", "locate", "count -t 2 --batch 500"}) {
    for (const std::string change :
         {"cp b.gsx used.gsx", "dd if=b.gsx of=used.gsx conv=notrunc status=none",
          "cp -p b.gsx used.gsx; touch -r a.gsx used.gsx", "printf x >> used.gsx",
          "touch -r used.gsx stamp; cat b.gsx > used.gsx; touch -r stamp used.gsx"}) {
      CAPTURE(command);
      CAPTURE(change);
      check_failure(place.run_during(command, change), 5, {"used.gsx", "written to"});
      check_failure(place.run_during(command + " -o out", change), 5, {"used.gsx", "written to"});
      CHECK_FALSE(place.folder.has("out"));
    }
  }
}

TEST_CASE("tables of an index that are overwritten, and lead anywhere, end a run in the same way") {
  GSX_SKIP_IF(sanitized, "sanitizers end a run that reads a wrong address");
  const Place place;
  Random random(6);
  std::string fasta;
  for (int r = 0; r < 1000; ++r)
    fasta += ">r" + std::to_string(r) + '\n' + random_string(random, 200, "ACGT") + '\n';
  place.folder.write("a.fa", fasta);
  place.folder.write("q.fa", place.queries + ">q\n" + fasta.substr(10, 30) + '\n');
  REQUIRE(place.in("\"$gsx\" index -q --files a.fa -o a.gsx").exit_code == 0);
  const IndexFile file(place.folder.read("a.gsx"));
  for (const std::string command : {"locate -k 1", "locate --bed", "locate --sam",
                                    "count --by-record", "count --by-file", "mem -L 15 --places"}) {
    for (const std::string section : {"segment_records", "name_ends", "records"}) {
      for (const std::string byte : {"125", "377"}) {
        CAPTURE(command);
        CAPTURE(section);
        CAPTURE(byte);
        const SectionEntry entry = file.entry(file.find(section));
        const std::string change = "head -c " + std::to_string(entry.bytes) +
                                   " /dev/zero | tr '\\0' '\\" + byte +
                                   "' | dd of=used.gsx conv=notrunc status=none oflag=seek_bytes "
                                   "seek=" +
                                   std::to_string(entry.offset);
        check_failure(place.run_during(command + " -o out", change), 5, {"written to"});
        CHECK_FALSE(place.folder.has("out"));
        CHECK(place.in("ls -A | grep tmp").out == "");  // nothing is left of the run
      }
    }
  }
}

TEST_CASE("samples of an index that are overwritten are not taken for a corrupt index") {
  const Place place;
  const IndexFile file(place.folder.read("a.gsx"));
  const SectionEntry entry = file.entry(file.find("samples"));
  const std::string change = "head -c " + std::to_string(entry.bytes) +
                             " /dev/zero | tr '\\0' '\\377' | dd of=used.gsx conv=notrunc "
                             "status=none oflag=seek_bytes seek=" +
                             std::to_string(entry.offset);
  check_failure(place.run_during("locate --bedgraph -o out", change), 5, {"written to"});
}

TEST_CASE("a run continues if its index is replaced by a rename, renamed or linked") {
  const Place place;
  const Outcome whole = place.in("\"$gsx\" locate -q -x a.gsx q.fa");
  REQUIRE(whole.exit_code == 0);
  for (const std::string change :
       {"cp --remove-destination b.gsx used.gsx", "cp b.gsx new; mv new used.gsx", "rm used.gsx",
        "\"$gsx\" index -q b.fa -o used.gsx", "chmod 600 used.gsx", "ln used.gsx link",
        "mv used.gsx link", "chmod 600 used.gsx; rm used.gsx; sleep 0.05; cp b.gsx used.gsx"}) {
    CAPTURE(change);
    check_output(place.run_during("locate", change), whole.out);
  }
}

TEST_CASE("results in the pipe before the index changes are right") {
  const Place place;
  const std::string whole = output_of(place.in("\"$gsx\" count -q -x a.gsx q.fa q.fa"));
  place.in("cp a.gsx used.gsx");
  // Results reach the pipe in units of a megabyte.
  const Outcome outcome = place.in(
      "(for i in $(seq 500); do cat q.fa; done; sleep 0.5; cp b.gsx used.gsx; sleep 0.1; cat q.fa) "
      "| \"$gsx\" count -q -x used.gsx - --batch 1000");
  check_error(outcome, 5, {"used.gsx"});
  const std::string line_starts = whole.substr(0, whole.find('\n') + 1);
  CHECK(outcome.out.starts_with(line_starts));
  CHECK(outcome.out.find("\t40\t0\t0\t0\n") == outcome.out.npos);
}

TEST_CASE("extract and verify also notice a change, even one that leaves the content unchanged") {
  const Place place;
  const std::string regions = "printf 'r:1-10\\n' >&9", records = "cat a.fa >&9";
  for (const auto& [command, input] : {std::pair{"extract used.gsx -R p", regions},
                                       std::pair{"verify --against p used.gsx", records}}) {
    CAPTURE(command);
    for (const bool changes : {false, true}) {
      const Outcome outcome = place.in("cp a.gsx used.gsx; (exec 9> p; sleep 0.4; " +
                                       std::string(changes ? "touch used.gsx; " : "") + input +
                                       ") & exec \"$gsx\" " + command + " -q");
      if (changes) check_failure(outcome, 5, {"used.gsx", "written to"});
      if (!changes) CHECK(outcome.exit_code == 0);
    }
  }
}
