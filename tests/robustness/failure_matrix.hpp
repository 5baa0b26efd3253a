// The folder of the failure matrix, in which everything is right, and its shell lines.
#pragma once

#include "support/program.hpp"
#include "support/texts.hpp"

namespace gsx::testing {

/// Two records with what trips parsers: blanks, lower case, N at the ends, a record of only N.
inline std::string genome() {
  Random random(41);
  return ">chr1 the first\n" + random_string(random, 3000, "ACGT") + "NN\n" +
         random_string(random, 700, "ACGTacgt") + "\n>gap\nNNNNN\n>chr2\nN" +
         random_string(random, 2000, "ACGT") + "\n";
}

/// A folder in which everything is right, and shell lines that run in it.
struct MatrixPlace {
  TemporaryFolder folder;
  MatrixPlace() {
    const std::string fasta = genome();
    folder.write("g.fa", fasta);
    folder.write("h.fa", ">h\nACGTACCA\n");
    folder.write("q.fa", ">q1\nACG\n>q2\nTTAGC\n>none\n" + std::string(60, 'A') + "\n");
    folder.write("two words.fa", fasta);
    write_bgzf(folder / "g.bgz", fasta);
    write_gzip(folder / "g.gz", fasta);
    write_gzip(folder / "q.gz", folder.read("q.fa"));
    folder.write("p.tsv", "query_id\tlength\tcount\tcount_fwd\tcount_rev\nq1\t3\t2\t1\t1\n");
    CHECK(run({"index", "-q", folder / "g.fa"}).exit_code == 0);
    CHECK(run({"index", "-q", folder / "h.fa"}).exit_code == 0);
    CHECK(run({"bwt", "-q", folder / "g.fa", "-o", folder / "g.bwt"}).exit_code == 0);
  }
  Outcome operator()(const std::string& script) const {
    return run_shell(script, {.folder = folder.path()});
  }
};

/// A line for bash: gsx at the start of a command is the program under test.
inline std::string as_shell(const std::string& line) {
  std::string script = line;
  for (std::size_t at = 0; (at = script.find("gsx ", at)) != std::string::npos; at += 3) {
    if (at == 0 || script[at - 1] == ' ' || script[at - 1] == '(')
      script.replace(at, 3, "\"$gsx\"");
  }
  return script;
}

inline const std::vector<std::string> on_queries = {
    "count -q -x g.gsx ",          "locate -q -x g.gsx ",
    "locate -q -x g.gsx --bed ",   "locate -q -x g.gsx --paf ",
    "locate -q -x g.gsx --jsonl ", "locate -q -x g.gsx --bedgraph ",
    "mem -q -x g.gsx -L 3 ",       "ms -q -x g.gsx "};

}  // namespace gsx::testing
