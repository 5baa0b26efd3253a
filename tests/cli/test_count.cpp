// gsx count: exact output, verified by hand.
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

// chr1: 0 A C G T A C G T(7) N N(9) A C G T(13) T T G G G A(19)
// chr2: 0 T T T A C G(5) N(6) C C C A A A(12) G G G(15)
constexpr const char* genome =
    ">chr1 first\nACGTACGTNN\nACGTTTGGGA\n>chr2\nTTTACGNCCCAAAGGG\n>empty\n>chr3\nGATTACA\n";

constexpr const char* header = "query_id\tlength\tcount\tcount_fwd\tcount_rev\n";

/// A folder with one index, that of `content`.
struct Indexed {
  TemporaryFolder folder;

  explicit Indexed(const std::string& content, Arguments more = {}) {
    more.insert(more.begin(), {"index", folder.write("g.fa", content)});
    CHECK(run(more).exit_code == 0);
  }
  Outcome count(Arguments arguments, std::string input = "") const {
    arguments.insert(arguments.begin(), "count");
    return run(arguments, {.input = std::move(input), .folder = folder.path()});
  }
};

std::string reverse_complement(const std::string& dna) {
  std::string made(dna.rbegin(), dna.rend());
  for (char& c : made)
    c = c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : c == 'T' ? 'A' : c;
  return made;
}

std::size_t occurrences(const std::string& text, const std::string& pattern) {
  std::size_t found = 0;
  for (std::size_t at = text.find(pattern); at != std::string::npos;
       at = text.find(pattern, at + 1)) {
    ++found;
  }
  return found;
}

}  // namespace

TEST_CASE("count writes a header and one line per query, in input order") {
  const Indexed index(genome);
  const std::string queries =
      ">q1 with comment\nACGT\n>q2\nTTT\n>q3\nCCCAAA\n>q4\nGATTACA\n>q5\nTACG\n>q1\nTTT\n";
  const std::string lines =
      "q1\t4\t6\t3\t3\nq2\t3\t3\t2\t1\nq3\t6\t2\t1\t1\nq4\t7\t1\t1\t0\nq5\t4\t3\t2\t1\n"
      "q1\t3\t3\t2\t1\n";
  check_output(index.count({"-"}, queries), header + lines);
  check_output(index.count({"--no-header", "-"}, queries), lines);
  check_output(index.count({index.folder.write("q.fa", queries)}), header + lines);
  check_output(index.count({"-o", "out.tsv", "-"}, queries), "");
  CHECK(index.folder.read("out.tsv") == header + lines);
}

TEST_CASE("FASTQ files, command-line patterns, and several files are queries, in their order") {
  const Indexed index(genome);
  index.folder.write("a.fq", "@a\nACGT\n+\nIIII\n@b\nGGG\n+a comment\n@@@\n");
  index.folder.write("b.fa", ">c\nTT\nT\n");
  check_output(index.count({"a.fq", "b.fa", "-p", "CCC", "-p", "TTT", "--no-header"}),
               "CCC\t3\t3\t1\t2\nTTT\t3\t3\t2\t1\na\t4\t6\t3\t3\nb\t3\t3\t2\t1\nc\t3\t3\t2\t1\n");
}

TEST_CASE("--strand chooses the strands to search") {
  const Indexed index(genome);
  const auto count = [&](const std::string& strand) {
    return index.count({"--no-header", "--strand", strand, "-p", "TTT", "-p", "ACGT"});
  };
  check_output(count("both"), "TTT\t3\t3\t2\t1\nACGT\t4\t6\t3\t3\n");
  check_output(count("fwd"), "TTT\t3\t2\t2\t0\nACGT\t4\t3\t3\t0\n");
  check_output(count("rev"), "TTT\t3\t1\t0\t1\nACGT\t4\t3\t0\t3\n");
}

TEST_CASE("a pattern that is its own reverse complement counts on both strands") {
  const Indexed index(genome);
  check_output(index.count({"--no-header", "-p", "ACGT", "-p", "GTAC", "-p", "AT"}),
               "ACGT\t4\t6\t3\t3\nGTAC\t4\t2\t1\t1\nAT\t2\t2\t1\t1\n");
}

TEST_CASE(
    "a query with N, an empty one, one that is too long, and one across records match nothing") {
  const Indexed index(genome);
  check_output(index.count({"--no-header", "-"},
                           ">n\nGTNNAC\n>only_n\nN\n>empty\n>across\nGGGATTT\n>gap\nGTAC\n"
                           ">long\n" +
                               std::string(1000, 'A') + "\n>last\nGATTACA\n"),
               "n\t6\t0\t0\t0\nonly_n\t1\t0\t0\t0\nempty\t0\t0\t0\t0\nacross\t7\t0\t0\t0\n"
               "gap\t4\t2\t1\t1\nlong\t1000\t0\t0\t0\nlast\t7\t1\t1\t0\n");
}

TEST_CASE("lower case and U are read as upper case and T, in queries and in the genome") {
  const Indexed index(">r\nacguACGUnn\n");
  check_output(index.count({"--no-header", "-p", "acgt", "-p", "ACGU", "-p", "AcGu", "-p", "uaC"}),
               "acgt\t4\t4\t2\t2\nACGU\t4\t4\t2\t2\nAcGu\t4\t4\t2\t2\nuaC\t3\t2\t1\t1\n");
}

TEST_CASE("soft-masked bases match only when folded") {
  const std::string masked = ">r\nACGTacgtACGT\n";
  check_output(Indexed(masked).count({"--no-header", "--strand", "fwd", "-p", "ACGT"}),
               "ACGT\t4\t3\t3\t0\n");
  check_output(Indexed(masked, {"--soft-mask", "split"})
                   .count({"--no-header", "--strand", "fwd", "-p", "ACGT"}),
               "ACGT\t4\t2\t2\t0\n");
}

TEST_CASE("proteins and bytes have one strand, and bytes keep their case") {
  const Indexed protein(">p\nMKVLAAGMKV*\n>q\nmkv\n");
  check_output(protein.count({"--no-header", "-p", "MKV", "-p", "mkv", "-p", "VKM", "-p", "J"}),
               "MKV\t3\t3\t3\t0\nmkv\t3\t3\t3\t0\nVKM\t3\t0\t0\t0\nJ\t1\t0\t0\t0\n");
  check_failure(protein.count({"--strand", "rev", "-p", "MKV"}), 2,
                {"the reverse strand needs a text of DNA", "protein"});
  const Indexed bytes(">p\nabcABC#!\n", {"--alphabet", "bytes"});
  check_output(bytes.count({"--no-header", "-p", "abc", "-p", "ABC", "-p", "aBC", "-p", "#!"}),
               "abc\t3\t1\t1\t0\nABC\t3\t1\t1\t0\naBC\t3\t0\t0\t0\n#!\t2\t1\t1\t0\n");
}

TEST_CASE("names with control characters, and headers with a tab, stay in their column") {
  const Indexed index(genome);
  check_output(
      index.count({"--no-header", "-"},
                  ">na\x01me\nACGT\n>tab\tbed\nACGT\n> space\nACGT\n>esc\x1b[2J\nACGT\n"
                  ">back\\slash\nACGT\n>\xc3\xa9\nACGT\n"),
      "na\\x01me\t4\t6\t3\t3\ntab\t4\t6\t3\t3\nspace\t4\t6\t3\t3\nesc\\x1B[2J\t4\t6\t3\t3\n"
      "back\\slash\t4\t6\t3\t3\n\xc3\xa9\t4\t6\t3\t3\n");
  check_failure(index.count({"--no-header", "-p", "AC\tGT"}), 2, {"AC\\x09GT"});
}

TEST_CASE("count agrees with a scan of the sequence") {
  Random random(20240611);
  std::string fasta, queries, expected;
  std::vector<std::string> records;
  for (int r = 0; r < 5; ++r) {
    records.push_back(random_string(random, 300 + below(random, 400), "ACGTACGTACGTN"));
    fasta += ">r" + std::to_string(r) + '\n' + records.back() + '\n';
  }
  for (int q = 0; q < 300; ++q) {
    const std::string pattern = random_string(random, 1 + below(random, 8), "ACGT");
    std::size_t forward = 0, reverse = 0;
    for (const std::string& record : records) {
      forward += occurrences(record, pattern);
      reverse += occurrences(record, reverse_complement(pattern));
    }
    const std::string name = "q" + std::to_string(q);
    queries += '>' + name + '\n' + pattern + '\n';
    expected += name + '\t' + std::to_string(pattern.size()) + '\t' +
                std::to_string(forward + reverse) + '\t' + std::to_string(forward) + '\t' +
                std::to_string(reverse) + '\n';
  }
  check_output(Indexed(fasta).count({"--no-header", "-"}, queries), expected);
}

TEST_CASE("GSX_CPU changes the instructions, not the result") {
  const Indexed index(genome);
  const Arguments arguments = {"count", "-p", "ACGT", "-p", "TTT", "--device", "cpu"};
  const auto with = [&](const std::string& path) {
    return run(arguments, {.folder = index.folder.path(), .environment = {"GSX_CPU=" + path}});
  };
  const Outcome usual = index.count({"-p", "ACGT", "-p", "TTT"});
  CHECK(with("baseline").out == usual.out);
  CHECK(with("").out == usual.out);
  const Outcome avx2 = with("avx2");  // 2 on a machine that does not have it
  CHECK((avx2.exit_code == 2 || avx2.out == usual.out));
  const Outcome wrong = with("z80");
  CHECK(wrong.exit_code == 2);
  CHECK(wrong.err.find("GSX_CPU is 'z80'; it may be baseline or avx2") != std::string::npos);
}

TEST_CASE("-v reports how the threads spent their time") {
  const Indexed index(genome);
  const Outcome outcome = index.count({"-v", "-p", "ACGT", "-"}, "@q\nTTT\n+\nIII\n");
  const auto lines = lines_of(outcome.err);
  const auto line = std::find_if(lines.begin(), lines.end(), [](const std::string& text) {
    return text.starts_with("debug: 2 queries, thread time: ");
  });
  REQUIRE(line != lines.end());
  for (const char* stage : {"read", "parse", "encode", "search", "format", "write", "wait"}) {
    CAPTURE(stage);
    CHECK(line->find(std::string(" ") + stage + " 0.") != std::string::npos);
  }
  CHECK(index.count({"-p", "ACGT"}).err.find("thread time") == std::string::npos);
}

TEST_CASE("batches are small at first, and where results are large; --batch sets their size") {
  const Indexed index(">r\n" + std::string(1000, 'A') + "\n");
  const auto batches = [&](const std::string& sequence, const char* given) {
    std::string queries;
    for (int i = 0; i < 100; ++i)
      queries += ">" + std::string(640, 'n') + "\n" + sequence + "\n";
    index.folder.write("q.fa", queries);
    const Outcome outcome =
        run_shell("\"$gsx\" locate -v --device cpu -t 1 -x g.gsx q.fa " + std::string(given) +
                      " 2>&1 > /dev/null | "
                      "sed -n 's/^debug: \\([0-9]*\\) batches$/\\1/p'",
                  {.folder = index.folder.path()});
    return std::stoi(output_of(outcome));
  };
  CHECK(batches("A", "") > 12);
  const int light = batches("C", "");
  CHECK(light > 3);
  CHECK(light < 9);
  CHECK(batches("A", "--batch 100000") == 1);
}

TEST_CASE("patterns come before files, also before one that is refused") {
  const Indexed index(genome);
  const Outcome outcome = index.count({"--no-header", "-p", "ACGT", "-t", "3", "-"}, "@q\nACGT\n");
  check_error(outcome, 3, {"standard input"});
  CHECK(outcome.out == "ACGT\t4\t6\t3\t3\n");
  // A file may follow directly: -p takes one argument.
  check_output(index.count({"--no-header", "-p", "ACGT", "-p", "TACG", "-"}, ">q\nTTT\n"),
               "ACGT\t4\t6\t3\t3\nTACG\t4\t3\t2\t1\nq\t3\t3\t2\t1\n");
}

TEST_CASE("a small input takes little memory, whatever the size of a batch") {
  const Indexed index(genome);
  const std::string limit = sanitized ? "" : "ulimit -v 1000000; ";
  for (const char* input : {"q.fa", "- < q.fa", "<(cat q.fa)"}) {
    CAPTURE(input);
    index.folder.write("q.fa", ">q\nTTT\n");
    check_output(run_shell(limit + "\"$gsx\" count --no-header -t 2 --batch 4294967296 " + input,
                           {.folder = index.folder.path()}),
                 "q\t3\t3\t2\t1\n");
  }
}
