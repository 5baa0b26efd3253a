// What other index builders fail on and gsx does not: the same input in other forms gives the same
// bytes, and input that only looks wrong is answered.
#include "robustness/failure_matrix.hpp"

using namespace gsx::testing;

TEST_CASE("failure matrix: the same input in any form gives the same bytes") {
  const MatrixPlace place;
  std::string crlf;
  for (const char c : place.folder.read("g.fa")) {
    if (c == '\n') crlf += '\r';
    crlf += c;
  }
  place.folder.write("crlf.fa", crlf);
  place.folder.write("unended.fa", place.folder.read("g.fa").substr(0, genome().size() - 1));
  std::string one_line;  // and one line per record
  for (const std::string& line : lines_of(genome()))
    one_line += line.starts_with('>') ? (one_line.empty() ? "" : "\n") + line + '\n' : line;
  place.folder.write("one_line.fa", one_line + '\n');
  place.folder.write("misnamed.txt", place.folder.read("g.bgz"));
  const std::vector<std::string> ways = {"g.fa",
                                         "g.gz",
                                         "g.bgz",
                                         "crlf.fa",
                                         "unended.fa",
                                         "one_line.fa",
                                         "misnamed.txt",
                                         "'two words.fa'",
                                         "./g.fa",
                                         "- < g.fa",
                                         "- < g.bgz",
                                         "<(cat g.fa)",
                                         "<(cat g.bgz)",
                                         "-t 1 g.fa",
                                         "-t 3 g.bgz",
                                         "-t 3 --batch 64 g.fa",
                                         "-t 2 --batch 1000 - < g.gz"};
  for (const std::string& command :
       {std::string("index -q -o got "), std::string("sa -q -o got "),
        std::string("bwt -q -o got "), std::string("mappability -q -K 5 -o got "),
        std::string("repeats -q -L 5 -o got ")}) {
    CAPTURE(command);
    REQUIRE(place(as_shell("gsx " + command + "g.fa")).exit_code == 0);
    const std::string expected = place.folder.read("got");
    for (const std::string& way : ways) {
      CAPTURE(way);
      std::filesystem::remove(place.folder / "got");
      REQUIRE(place(as_shell("gsx " + command + way)).exit_code == 0);
      CHECK((place.folder.read("got") == expected));
    }
  }
  for (const std::string& command : on_queries) {
    CAPTURE(command);
    const std::string expected = output_of(place(as_shell("gsx " + command + "q.fa")));
    for (const char* way : {"q.gz", "- < q.fa", "- < q.gz", "<(cat q.gz)", "-t 3 q.fa"}) {
      CAPTURE(way);
      check_output(place(as_shell("gsx " + command + way)), expected);
    }
  }
}

TEST_CASE("failure matrix: what looks wrong and is right") {
  const MatrixPlace place;
  // Records of the same name are kept, searched, reported, and given back.
  place.folder.write("twins.fa", ">r\nACGTT\n>r\nACGTA\n");
  const Outcome twins = place(as_shell("gsx index twins.fa"));
  CHECK(twins.exit_code == 0);
  CHECK(twins.err.find("warning: several records have the name 'r'") != std::string::npos);
  check_output(place(as_shell("gsx extract -q twins.gsx")), ">r\nACGTT\n>r\nACGTA\n");
  check_output(place(as_shell("gsx locate -q -x twins.gsx -p ACGT --strand fwd --bed")),
               "r\t0\t4\tACGT\t0\t+\nr\t0\t4\tACGT\t0\t+\n");
  // A record of only N neither vanishes nor moves the next one.
  check_output(place(as_shell("gsx extract -q g.gsx gap")), ">gap\nNNNNN\n");
  place.folder.write("n.fa", ">n\nNNNN\n>m\nNNACGNN\n");
  REQUIRE(place(as_shell("gsx index -q n.fa")).exit_code == 0);
  check_output(place(as_shell("gsx locate -q -x n.gsx -p ACG --strand fwd --bed")),
               "m\t2\t5\tACG\t0\t+\n");
  // N matches nothing; hits may overlap; one base is a genome; no hits is a result.
  check_output(place(as_shell("gsx count -q -x n.gsx -p N -p ANA --no-header")),
               "N\t1\t0\t0\t0\nANA\t3\t0\t0\t0\n");
  check_output(
      place("printf '>a\\nA\\n' | \"$gsx\" index -q - -o a.gsx && \"$gsx\" count -q -x a.gsx "
            "-p A -p AA -p T --no-header"),
      "A\t1\t1\t1\t0\nAA\t2\t0\t0\t0\nT\t1\t1\t0\t1\n");
  check_output(
      place("printf '>a\\nAAAA\\n' | \"$gsx\" index -q - -o a.gsx && \"$gsx\" locate -q -x "
            "a.gsx -p AA --bed"),
      "a\t0\t2\tAA\t0\t+\na\t1\t3\tAA\t0\t+\na\t2\t4\tAA\t0\t+\n");
  // A blank after '>' means an empty name, which a table shows as a dot.
  check_output(
      place("printf '> chr1\\nACG\\n' | \"$gsx\" index -q - -o a.gsx && \"$gsx\" locate -q -x "
            "a.gsx -p ACG --strand fwd --bed"),
      "chr1\t0\t3\tACG\t0\t+\n");
  // Protein is recognised, and a DNA query finds nothing in it by accident.
  place.folder.write("protein.fa", ">p\nMKVLAAGIVGLQEFPEILSTVWY\n");
  REQUIRE(place(as_shell("gsx index -q protein.fa")).exit_code == 0);
  CHECK(place(as_shell("gsx info -q protein.gsx")).out.find("alphabet\tprotein\n") !=
        std::string::npos);
  // An option and its value may be one word; help and version are not failures.
  check_output(place(as_shell("gsx count -q -t2 -xn.gsx -pACG --no-header")), "ACG\t3\t1\t1\t0\n");
  for (const char* request : {"gsx --help", "gsx --version", "gsx index --help"}) {
    CAPTURE(request);
    const Outcome outcome = place(as_shell(request));
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out != "");
    CHECK(outcome.err == "");
  }
  // An index may be named from any folder.
  check_output(
      run_shell("\"$gsx\" count -q -x " + place.folder.path() + "/n.gsx -p ACG --no-header",
                {.folder = "/"}),
      "ACG\t3\t1\t1\t0\n");
}

TEST_CASE("failure matrix: a run continues with its index if that is replaced") {
  const MatrixPlace place;
  const std::string expected = output_of(place(as_shell("gsx count -q -x g.gsx -p ACG -p GGT")));
  place.folder.write("patterns.fa", ">ACG\nACG\n>GGT\nGGT\n");
  REQUIRE(mkfifo((place.folder / "queries").c_str(), 0600) == 0);
  Process count(gsx_command({"count", "-q", "-x", "g.gsx", "queries"}),
                {.folder = place.folder.path()});
  const int fd = open((place.folder / "queries").c_str(), O_RDWR | O_CLOEXEC);
  const std::string maps = "/proc/" + std::to_string(count.pid()) + "/maps";
  REQUIRE(becomes_true([&] { return read_file(maps).find("/g.gsx\n") != std::string::npos; }));
  // A new file gets the name; the run keeps the old one, which is intact.
  REQUIRE(place(as_shell("gsx index -q h.fa -o new.gsx && mv new.gsx g.gsx")).exit_code == 0);
  const std::string patterns = place.folder.read("patterns.fa");
  REQUIRE(write(fd, patterns.data(), patterns.size()) == static_cast<ssize_t>(patterns.size()));
  // The input ends when no process has it open for writing; gsx must have opened it before.
  REQUIRE(becomes_true([&] {
    return run_shell("ls -l /proc/" + std::to_string(count.pid()) + "/fd").out.find("/queries") !=
           std::string::npos;
  }));
  close(fd);
  check_output(count.wait(), expected);
  // The next run answers from the new file.
  check_output(place(as_shell("gsx extract -q g.gsx")), place.folder.read("h.fa"));
}
