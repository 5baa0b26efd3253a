// gsx extract: regions of records, from arguments and from files.
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

struct Indexed {
  TemporaryFolder folder;

  explicit Indexed(const std::string& content, Arguments more = {}) {
    more.insert(more.begin(), {"index", folder.write("g.fa", content)});
    const Outcome outcome = run(more);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
  }
  Outcome extract(Arguments arguments, const std::string& input = {}) const {
    arguments.insert(arguments.begin(), {"extract", "-x", "g.gsx"});
    return run(arguments, {.input = input, .folder = folder.path()});
  }
};

std::string upper(std::string text) {
  for (char& c : text)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

constexpr const char* genome = ">chr1 first one\nACGTNNRYac-gtU\n>empty\n>chr2\nGATTACA\n";
constexpr const char* nested = ">a:1-5\nTTTTTTTT\n>a\nCCCCCCCCC\n>{b}\nGG\n>b\nAA\n>c:d\nACGT\n";

}  // namespace

TEST_CASE("regions are samtools': from 1, the end included, either side open, commas") {
  const Indexed index(genome);
  check_output(index.extract({"chr1:3-9"}), ">chr1:3-9\nGTNNRYA\n");
  check_output(index.extract({"chr1:13"}), ">chr1:13-14\nTT\n");
  check_output(index.extract({"chr1:1,2-"}), ">chr1:12-14\nGTT\n");
  check_output(index.extract({"chr1:-4"}), ">chr1:1-4\nACGT\n");
  check_output(index.extract({"chr1:0,003-0,00,4"}), ">chr1:3-4\nGT\n");
  check_output(index.extract({"{chr2}:2-4", "{chr2}"}), ">chr2:2-4\nATT\n>chr2\nGATTACA\n");
  check_output(index.extract({"chr1:5-6", "chr1:14-14", "chr2:1-7"}),
               ">chr1:5-6\nNN\n>chr1:14-14\nT\n>chr2:1-7\nGATTACA\n");
}

TEST_CASE("every region of a record is right, counted from 0 and from 1, on both strands") {
  const std::string sequence = "ACGTNNNRYacgtnA--CGTTTNACRG",
                    reversed = "CYGTNAAACG--TNACGTRYNNNACGT";
  for (const char* soft_mask : {"fold", "split"}) {
    const Indexed index(">r\n" + sequence + "\n", {"--soft-mask", soft_mask});
    Arguments ones, zeros = {"--zero-based"}, backwards = {"--reverse-complement"};
    std::string by_one, by_zero, reverse;
    for (std::size_t begin = 0; begin < sequence.size(); ++begin) {
      for (std::size_t end = begin + 1; end <= sequence.size(); ++end) {
        const std::string symbols = upper(sequence.substr(begin, end - begin)) + '\n';
        ones.push_back("r:" + std::to_string(begin + 1) + '-' + std::to_string(end));
        by_one += '>' + ones.back() + '\n' + symbols;
        zeros.push_back("r:" + std::to_string(begin) + '-' + std::to_string(end));
        by_zero += '>' + zeros.back() + '\n' + symbols;
        backwards.push_back(ones.back());
        reverse += '>' + ones.back() + "/rc\n" +
                   reversed.substr(sequence.size() - end, end - begin) + '\n';
      }
    }
    check_output(index.extract(ones), by_one);
    check_output(index.extract(zeros), by_zero);
    check_output(index.extract(backwards), reverse);
  }
}

TEST_CASE("an end beyond the record is cut, with one warning") {
  const Indexed index(genome);
  const Outcome one = index.extract({"chr2:6-99999999999999999999999"});
  check_output(one, ">chr2:6-7\nCA\n");
  CHECK(one.err.find("warning: region 'chr2:6-99999999999999999999999' was cut") != one.err.npos);
  const Outcome two = index.extract({"chr1:-15", "chr2:7-8", "-R", "-"}, "chr2\t6\t9\n");
  check_output(two, ">chr1:1-14\nACGTNNRYAC-GTT\n>chr2:7-7\nA\n>chr2:6-7\nA\n");
  CHECK(two.err.find("warning: 3 regions were cut") != two.err.npos);
  CHECK(two.err.find("'chr1:-15'") != two.err.npos);
  CHECK(index.extract({"chr2:6-7"}).err.find("cut") == std::string::npos);
}

TEST_CASE("the nearest name of a chromosome is that which another database gives it") {
  const TemporaryFolder folder;
  folder.write("g.fa", ">I\nAC\n>II\nAC\n>XI\nAC\n>MT\nAC\n");
  const std::pair<const char*, const char*> names[] = {
      {"chrII", "II"}, {"chrXI", "XI"}, {"CHRI:1-2", "I"}, {"chrM", "MT"}, {"mito", "MT"}};
  for (const auto& [name, nearest] : names)
    check_failure(run({"extract", "-r", "g.fa", name}, {.folder = folder.path()}), 3,
                  {"the nearest name is '" + std::string(nearest) + "'"});
}

TEST_CASE("a region that does not exist is an input error, and nothing is written") {
  const Indexed index(genome);
  const std::vector<std::pair<Arguments, std::vector<std::string>>> cases = {
      {{"chr9"}, {"no record 'chr9'", "nearest", "'chr1'"}},
      {{"chr1", "chr9:1-2"}, {"no record 'chr9'"}},
      {{"CHR2"}, {"no record 'CHR2'", "the nearest name is 'chr2'"}},
      {{"2:1-3"}, {"no record '2'", "the nearest name is 'chr2'"}},
      {{"chr2.1"}, {"the nearest name is 'chr2'"}},
      {{"plasmid"}, {"no record 'plasmid'", "there are 'chr1'"}},
      {{"chr1:0-5"}, {"'chr1:0-5'", "count from 1"}},
      {{"chr1:15"}, {"'chr1:15'", "beyond", "14 symbols"}},
      {{"chr1:15-15"}, {"beyond"}},
      {{"chr1:3-2"}, {"begins after its end"}},
      {{"empty:1"}, {"0 symbols"}},
      {{"empty:1-1"}, {"0 symbols"}},
      {{"chr1:"}, {"'chr1:'", "BEGIN-END"}},
      {{"chr1:-"}, {"BEGIN-END"}},
      {{"chr1:1-2x"}, {"BEGIN-END"}},
      {{"chr1:,1-2"}, {"BEGIN-END"}},
      {{"chr1:1,,0-20"}, {"BEGIN-END"}},
      {{"chr1: 1-2"}, {"BEGIN-END"}},
      {{"{chr1}1-2"}, {"no record"}},
      {{"--zero-based", "chr1:3-2"}, {"begins after its end"}},
      {{"--zero-based", "chr1:14-15"}, {"beyond"}},
      {{""}, {"no record ''"}},
  };
  for (const auto& [arguments, says] : cases) {
    CAPTURE(arguments.back());
    check_failure(index.extract(arguments), 3, says);
    Arguments to_file = arguments;
    to_file.insert(to_file.begin(), {"-o", "out.fa"});
    check_failure(index.extract(to_file), 3, says);
    CHECK_FALSE(index.folder.has("out.fa"));
  }
}

TEST_CASE("an ambiguous region is refused, and braces resolve it") {
  const Indexed index(nested);
  check_failure(index.extract({"a:1-5"}), 2, {"'{a:1-5}'", "'{a}:1-5'"});
  check_failure(index.extract({"-R", "-"}, "b\na:1-5\n"), 3,
                {"standard input: line 2", "'{a:1-5}'"});
  check_output(index.extract({"{a:1-5}"}), ">a:1-5\nTTTTTTTT\n");
  check_output(index.extract({"{a}:1-5"}), ">a:1-5\nCCCCC\n");
  check_output(index.extract({"a:1-5:1-2", "{a:1-5}:3-3"}), ">a:1-5:1-2\nTT\n>a:1-5:3-3\nT\n");
  check_output(index.extract({"a:1-4"}), ">a:1-4\nCCCC\n");
  check_output(index.extract({"c:d", "c:d:2-3"}), ">c:d\nACGT\n>c:d:2-3\nCG\n");
  check_output(index.extract({"{b}", "{{b}}", "{{b}}:2"}), ">b\nAA\n>{b}\nGG\n>{b}:2-2\nG\n");
}

TEST_CASE("the reverse complement knows every code, marks every name, and exists for DNA only") {
  const Indexed index(">r x y\nACGTURYKMSWBDHVN-X\n>s\n" + std::string(1'100'000, 'A') + "CC\n");
  check_output(index.extract({"--reverse-complement", "r"}), ">r/rc x y\nX-NBDHVWSKMRYAACGT\n");
  check_output(index.extract({"--reverse-complement", "--line-width", "0", "s"}),
               ">s/rc\nGG" + std::string(1'100'000, 'T') + '\n');
  check_output(index.extract({"--reverse-complement", "-R", "-"}, "r\t0\t3\tq\t0\t-\n"),
               ">q::r:0-3(-)/rc\nACG\n");
  for (const char* alphabet : {"protein", "bytes"}) {
    const Indexed other(">p\nMKV\n", {"--alphabet", alphabet});
    check_failure(other.extract({"--reverse-complement"}), 2, {"--reverse-complement", alphabet});
    check_failure(other.extract({"-R", "-"}, "p\t0\t1\tq\t0\t-\n"), 3, {"line 1", "minus strand"});
    check_output(other.extract({"-R", "-"}, "p\t0\t1\tq\t0\t+\n"), ">q::p:0-1(+)\nM\n");
  }
}

TEST_CASE("a file of regions holds BED, regions, or both") {
  const Indexed index(genome);
  const std::string lines =
      "# a comment\ntrack name=\"x\"\nbrowser position chr1\n\n   \n"
      "chr1\t2\t9\r\nchr1\t2\t9\tname\nchr2\t0\t3\tq 1\t0\t-\textra\nchr2\t0\t3\t\t0\t+\n"
      "chr2\t0\t3\tq\t0\t.\nchr2\t0\t3\tq\t0\nchr2\t3\t3\n"
      "chr2:2-4\nchr2";
  const std::string expected =
      ">chr1:2-9\nGTNNRYA\n>name::chr1:2-9\nGTNNRYA\n>q 1::chr2:0-3(-)\nATC\n>::chr2:0-3(+)\nGAT\n"
      ">q::chr2:0-3(.)\nGAT\n>q::chr2:0-3\nGAT\n>chr2:3-3\n>chr2:2-4\nATT\n>chr2\nGATTACA\n";
  check_output(index.extract({"-R", "-"}, lines), expected);
  index.folder.write("r.bed", lines);
  check_output(index.extract({"--regions", "r.bed"}), expected);
  check_output(index.extract({"chr2:1-1", "-R", "r.bed"}), ">chr2:1-1\nG\n" + expected);
  check_output(
      run_shell("gzip -c r.bed | \"$gsx\" extract g.gsx -R -", {.folder = index.folder.path()}),
      expected);
  check_output(index.extract({"-R", "-", "--zero-based"}, "chr2:1-3\nchr2\t1\t3\n"),
               ">chr2:1-3\nAT\n>chr2:1-3\nAT\n");
}

TEST_CASE("--name-only gives a line of BED its name as header, and nothing else") {
  const Indexed index(nested);
  const std::string bed = "b\t0\t2\tn1\nc:d\t1\t3\tgene two\t0\t-\n";
  check_output(index.extract({"-R", "-", "--name-only"}, bed), ">n1\nAA\n>gene two\nCG\n");
  check_output(index.extract({"-R", "-", "--name-only", "--reverse-complement", "b"}, bed),
               ">b/rc\nTT\n>n1/rc\nTT\n>gene two/rc\nCG\n");
  for (const char* nameless : {"b\t0\t2\n", "b\t0\t2\t\n", "b:1-2\n"}) {
    check_failure(index.extract({"-R", "-", "--name-only"}, nameless), 3,
                  {"standard input: line 1", "--name-only"});
  }
  check_failure(index.extract({"--name-only", "b"}), 2, {"--name-only requires --regions"});
}

TEST_CASE("an empty file of regions is an empty result, with a warning") {
  const Indexed index(genome);
  for (const char* lines : {"", "\n", "# nothing\n"}) {
    const Outcome outcome = index.extract({"-R", "-"}, lines);
    check_output(outcome, "");
    CHECK(outcome.err.find("warning: standard input has no regions") != outcome.err.npos);
  }
}

TEST_CASE("an error in a file of regions names the file and the line") {
  const Indexed index(genome);
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"chr1\t1\t2\nchr9\t1\t2\n", {"line 2", "no record 'chr9'", "'chr1'"}},
      {"#\nchr1\tx\t2\n", {"line 2", "column 2", "'x'"}},
      {"chr1\t1\t\n", {"line 1", "column 3", "''"}},
      {"chr1\t1\t-2\n", {"column 3", "'-2'"}},
      {"chr1\t1\t2\tn\t0\t+\nchr1\t1\t2\tn\t0\t1\n", {"line 2", "column 6", "'1'", "strand"}},
      {"chr1\t1\t2\tn\t0\t\n", {"line 1", "column 6", "''"}},
      {std::string("\xFF\xFE"
                   "c\0h\0",
                   6),
       {"line 1", "UTF-16"}},
      {"chr1\t1\t18446744073709551616\n", {"column 3"}},
      {"chr1\t3\t2\n", {"line 1", "3 to 2", "begins after its end"}},
      {"chr1\t14\t20\n", {"line 1", "beyond", "14 symbols"}},
      {"chr1\t15\t15\n", {"beyond"}},
      {"chr1\t5\n", {"line 1", "two columns"}},
      {"chr1 5 6\n", {"line 1", "tab"}},
      {"chr1:0-3\n", {"line 1", "count from 1"}},
      {"chr1:3-2", {"line 1", "begins after"}},
  };
  for (const auto& [lines, says] : cases) {
    CAPTURE(lines);
    auto words = says;
    index.folder.write("bad.bed", lines);
    words.push_back("bad.bed: line");
    const Outcome outcome = index.extract({"-R", "bad.bed", "-o", "out.fa"});
    check_failure(outcome, 3, words);
    CHECK_FALSE(index.folder.has("out.fa"));
  }
  check_failure(index.extract({"-R", "missing.bed"}), 3, {"missing.bed", "No such file"});
  check_failure(index.extract({"-R", "."}), 3, {".: ", "directory"});
  check_failure(index.extract({"-R", ""}), 2, {"--regions"});
  index.folder.write("r.bed", "chr2\t0\t1\n");
  check_failure(index.extract({"-R", "r.bed", "-o", "r.bed"}), 2, {"r.bed"});
}

TEST_CASE("extract -R restores the query from the output of locate --bed, whatever the names are") {
  Random random(5);
  const std::string sequence = random_string(random, 3000, "ACGT");
  std::string fasta, queries;
  const std::vector<std::string> names = {"plain",  "track",  "browser", "#hash",
                                          "a\\x41", "a\\\\b", "tab\x01", "\x1b[m",
                                          "x:1-5",  ".",      "",        "{b}"};
  for (std::size_t i = 0; i < names.size(); ++i)
    fasta += '>' + names[i] + '\n' + sequence.substr(i * 200, 220) + "NN\n";
  for (std::size_t i = 0; i < 300; ++i) {
    std::string query = sequence.substr(below(random, 2400), 12 + below(random, 20));
    if (i % 2 == 1) {
      std::reverse(query.begin(), query.end());
      for (char& c : query)
        c = "TGCA"[std::string("ACGT").find(c)];
    }
    queries += ">q" + std::to_string(i) + '\n' + query + '\n';
  }
  const Indexed index(fasta);
  index.folder.write("q.fa", queries);
  const Outcome outcome = run_shell(
      "\"$gsx\" locate -x g.gsx q.fa --bed > hits.bed && \"$gsx\" extract g.gsx -R hits.bed",
      {.folder = index.folder.path()});
  const std::vector<std::string> lines = lines_of(output_of(outcome));
  CHECK(lines.size() == 2 * lines_of(index.folder.read("hits.bed")).size());
  CHECK(lines.size() > 400);
  std::size_t minus = 0;
  for (std::size_t i = 0; i + 1 < lines.size(); i += 2) {
    const std::string name = lines[i].substr(1, lines[i].find("::") - 1);
    CAPTURE(lines[i]);
    CHECK(queries.find('>' + name + '\n' + lines[i + 1] + '\n') != std::string::npos);
    minus += lines[i].ends_with("(-)");
  }
  CHECK(minus > 100);
}

TEST_CASE("many regions of many records need no table of all names, and keep their order") {
  std::string fasta, regions, expected;
  for (int r = 0; r < 200'000; ++r)
    fasta += '>' + std::to_string(r) + "\nAC\n";
  for (int i = 0; i < 100'000; ++i) {
    const std::string name = std::to_string((i * 7919L + 13) % 200'000);
    regions += i % 2 == 0 ? name + ":2-2\n" : name + "\t0\t1\n";
    expected += '>' + name + (i % 2 == 0 ? ":2-2\nC\n" : ":0-1\nA\n");
  }
  const Indexed index(fasta);
  check_output(index.extract({"-R", "-"}, regions), expected);
  check_output(index.extract({"199999"}), ">199999\nAC\n");
}
