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
  const std::string device = gpu_works() ? "cuda" : "cpu";
  for (const std::string command :
       {"count", "locate", "locate --sam", "mem -L 7", "ms", "filter --keep -L 7"}) {
    for (const char* threads : {"1", "3"}) {
      CAPTURE(command);
      const std::string asked =
          "\"$gsx\" " + command + " -q -t " + threads + " -x g.gsx - --device " + device;
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

TEST_CASE("results of patterns come while the writer of their list pauses") {
  const IndexedFolder index(">chr\nACGTTGCAGATTACAGGC\n");
  const std::string list = "a\tGATTACA\nb\tTTGCAGA\nc\tCCCCCC\n";
  index.folder.write("first", list.substr(0, 12));  // a line, and less than tells formats apart
  index.folder.write("rest", list.substr(12));
  for (const std::string command : {"count", "locate --sam", "mem -L 7", "ms"}) {
    CAPTURE(command);
    const std::string asked = "\"$gsx\" " + command + " -q -t 2 -x g.gsx -f -";
    const Outcome paused = run_shell(
        "rm -f seen; : > out; (cat first; for i in $(seq 400); do "
        "if grep -q '^[@>]*a\\b' out; then touch seen; break; fi; sleep 0.05; done; cat rest) | " +
            asked + " > out && ls seen && cat out",
        {.folder = index.folder.path()});
    const std::string expected =
        output_of(run_shell(asked, {.input = list, .folder = index.folder.path()}));
    check_output(paused, "seen\n" + expected);
  }
}

TEST_CASE("the first query of a pipe may be shorter than what tells formats apart") {
  const IndexedFolder index(">chr\nACGTTGCAGATTACAGGC\n");
  for (const std::string first : {"@a\nC\n+\nI\n", "\n\n@a\nC\n+\nI\n"}) {
    index.folder.write("first", first);
    index.folder.write("rest", "@b\nG\n+\nI\n");
    const std::string asked = "\"$gsx\" count -q -x g.gsx -";
    const Outcome paused = run_shell(
        "rm -f seen; : > out; (cat first; for i in $(seq 400); do "
        "if grep -q '^[@>]*a\\b' out; then touch seen; break; fi; sleep 0.05; done; cat rest) | " +
            asked + " > out && ls seen && cat out",
        {.folder = index.folder.path()});
    const std::string expected =
        output_of(run_shell("cat first rest | " + asked, {.folder = index.folder.path()}));
    check_output(paused, "seen\n" + expected);
  }
}
