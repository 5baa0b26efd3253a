// A pipe whose writer pauses: results of what has come are written before it goes on.
#include <string>

#include "support/indexed.hpp"
#include "support/program.hpp"

using namespace gsx::testing;

TEST_CASE("results of queries come while the writer of their pipe pauses") {
  const IndexedFolder index(">chr\nACGTTGCAGATTACAGGC\n");
  index.folder.write("first.fq", "@a\nGATTACA\n+\nIIIIIII\n@b\nTTGCAGA\n+\nIIIIIII\n@c\nCCC");
  index.folder.write("rest.fq", "CCC\n+\nIIIIII\n");
  std::string all = index.folder.read("first.fq") + index.folder.read("rest.fq");
  for (const std::string command :
       {"count", "locate", "locate --sam", "mem -L 7", "ms", "filter --keep -L 7"}) {
    for (const char* threads : {"1", "3"}) {
      CAPTURE(command);
      const std::string asked = "\"$gsx\" " + command + " -q -t " + threads + " -x g.gsx -";
      // The writer goes on when it has seen the result of the first query, or gives up.
      const Outcome paused = run_shell(
          "rm -f seen; : > out; (cat first.fq; for i in $(seq 400); do "
          "if grep -q '^[@>]*a\\b' out; then touch seen; break; fi; sleep 0.05; done; "
          "cat rest.fq) | " +
              asked + " > out && ls seen && cat out",
          {.folder = index.folder.path()});
      const std::string expected =
          output_of(run_shell(asked, {.input = all, .folder = index.folder.path()}));
      check_output(paused, "seen\n" + expected);
    }
  }
}
