// A pipe whose writer pauses: results of what has come are written before it goes on.
#include <string>

#include "support/indexed.hpp"
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

const IndexedFolder& index_of_pipes() {
  static const IndexedFolder index(">chr\nACGTTGCAGATTACAGGC\n");
  return index;
}

/// Checks that gsx answers the query 'a' in `first` before its pipe gives `rest`.
void check_prompt(const std::string& arguments, const std::string& first, const std::string& rest) {
  CAPTURE(arguments);
  const TemporaryFolder& folder = index_of_pipes().folder;
  folder.write("first", first);
  folder.write("rest", rest);
  const std::string device = gpu_works() ? "cuda" : "cpu";
  const std::string asked = "\"$gsx\" " + arguments + " -q -x g.gsx --device " + device;
  // The writer goes on when it has seen the result of the first query, or gives up.
  const Outcome paused = run_shell(
      "rm -f seen; : > out; (cat first; for i in $(seq 400); do "
      "if grep -q '^[@>]*a\\b' out; then touch seen; break; fi; sleep 0.05; done; cat rest) | " +
          asked + " > out && ls seen && cat out",
      {.folder = folder.path()});
  const Outcome whole = run_shell("cat first rest | " + asked, {.folder = folder.path()});
  check_output(paused, "seen\n" + output_of(whole));
}

}  // namespace

TEST_CASE("results of queries come while the writer of their pipe pauses") {
  for (const std::string command :
       {"count", "locate", "locate --sam", "mem -L 7", "ms", "filter --keep -L 7"}) {
    for (const char* threads : {"1", "3"}) {
      check_prompt(command + " - -t " + threads,
                   "@a\nGATTACA\n+\nIIIIIII\n@b\nTTGCAGA\n+\nIIIIIII\n@c\nCCC", "CCC\n+\nIIIIII\n");
    }
  }
}

TEST_CASE("results of patterns come while the writer of their list pauses") {
  for (const std::string command : {"count", "locate --sam", "mem -L 7", "ms"})
    check_prompt(command + " -t 2 -f -", "a\tGATTACA\n", "b\tTTGCAGA\nc\tCCCCCC\n");
  // A header tells nothing alone, and what comes with it tells the columns.
  check_prompt("count -", "name,sequence\na,GATTACA\n", "b,TTGCAGA\nc,CCCCCC\n");
}

TEST_CASE("a header that comes alone through a pipe waits for the line behind it") {
  const TemporaryFolder& folder = index_of_pipes().folder;
  const Outcome outcome = run_shell(
      "(printf 'sequence\\tname\\n'; sleep 0.3; printf 'GATTACA\\ta\\n') | \"$gsx\" count -q "
      "--no-header -x g.gsx -f -",
      {.folder = folder.path()});
  check_output(outcome, "a\t7\t1\t1\t0\n");
}

TEST_CASE("the first query of a pipe may be shorter than what tells formats apart") {
  for (const std::string blanks : {"", "\n\n"})
    check_prompt("count -", blanks + "@a\nC\n+\nI\n", "@b\nG\n+\nI\n");
}
