// One grammar for the program: which command has which of its options and, where not, why.
#include <set>

#include "support/command_options.hpp"
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

using Names = std::set<std::string>;

/// Commands that lack an option, and why.
struct Absence {
  const char* why;
  Names commands;
};
struct Rule {
  std::string option;
  std::vector<Absence> absences;
};

const Names of_texts = {"mappability", "repeats", "sa", "bwt", "lz77"};
const Names of_files = {"index", "info", "report", "verify"};
const Names without_index = {"neighbors", "prefix"};

Names operator+(Names all, const Names& more) {
  all.insert(more.begin(), more.end());
  return all;
}

const Absence no_queries = {"it has no queries", of_texts + of_files + Names{"extract"}};
const Absence no_index = {"it searches no index", without_index};
const Absence makes_index = {"it makes an index", {"index"}};
const Absence no_hits = {"it writes no hits",
                         of_files + without_index +
                             Names{"extract", "sa", "bwt", "lz77", "mappability", "filter", "ms"}};

const std::vector<Rule> rules = {
    {"-x,--index", {no_index, makes_index}},
    {"-r,--reference",
     {no_index,
      makes_index,
      {"it is about the file of an index", {"info", "report", "verify"}},
      {"it joins what was found before", {"merge"}}}},
    {"-p,--pattern", {no_queries, {"its sequences are in files", without_index + Names{"filter"}}}},
    {"-f,--patterns",
     {no_queries, {"its files are told apart by what they hold", without_index + Names{"filter"}}}},
    {"--strand",
     {{"both strands are searched", {"filter"}},
      {"a product has a primer on each strand", {"amplicon"}},
      {"the text is the forward strand", {"sa", "lz77"}},
      {"it has --reverse-complement", {"extract"}},
      {"the parts were made with it", {"merge"}},
      {"it has no strands", of_files + without_index}}},
    {"--max-hits", {no_hits, {"it counts hits", {"count"}}}},
    {"--by-file", {no_hits, {"the parts were made with it", {"merge"}}}},
    {"--circular",
     {{"matches end where records do", {"mem", "ms", "filter"}},
      {"the text ends where records do", of_texts},
      {"the parts were made with it", {"merge"}},
      {"it searches nothing", of_files + without_index + Names{"extract"}}}},
    {"--sort",
     {no_hits,
      {"it writes a line per query", {"count"}},
      {"its lines are in the order of queries", {"mem"}}}},
    {"-R,--regions",
     {{"it takes whole records", of_texts + of_files + without_index},
      {"its matches are those of the whole text", {"mem", "ms", "filter"}},
      {"the parts were made with it", {"merge"}}}},
    {"--format",
     {{"it writes one format", {"index", "extract", "report", "verify", "prefix"}},
      {"its format is that of the reads", {"filter"}},
      {"it has --text", {"sa"}},
      {"it has --json", {"info"}}}},
    {"--no-header",
     {{"its format has no header line", {"index", "extract", "report", "verify", "filter", "bwt"}},
      {"its text is for looking at", {"sa"}}}},
    {"--summary", {{"it has no queries", of_texts + Names{"index", "info", "verify", "extract"}}}},
};

bool is_of_grammar(const std::string& command) {
  return !Names{"bench", "doctor", "help", "completion"}.contains(command);
}

}  // namespace

TEST_CASE("each command has each option of the grammar, or a reason to lack it") {
  for (const Rule& rule : rules) {
    CAPTURE(rule.option);
    for (const Command& command : commands()) {
      if (!is_of_grammar(command.name)) continue;
      CAPTURE(command.name);
      const auto reasons = std::ranges::count_if(rule.absences, [&](const Absence& absence) {
        return absence.commands.contains(command.name);
      });
      CHECK(reasons == (command.has(rule.option) ? 0 : 1));
    }
  }
}

TEST_CASE("each command that takes -x says which index it takes without it") {
  for (const Command& command : commands()) {
    if (!command.has("-x,--index") || command.name == "merge") continue;
    CAPTURE(command.name);
    const std::string page = output_of(run({"help", command.name}));
    CHECK(page.find("$GSX_INDEX") != std::string::npos);
    CHECK(page.find("*.gsx in this folder") != std::string::npos);
  }
}

TEST_CASE("an old spelling is refused where it would mean something else, and else goes on") {
  const TemporaryFolder folder;
  folder.write("g.fa", ">r\nACGTACGTTTACGGACGTACGTTTACGG\n");
  const auto gsx = [&](const Arguments& arguments) {
    return run(arguments, {.folder = folder.path()});
  };
  check_failure(gsx({"prefix", "-p", "ACG", "g.fa"}), 2, {"--set FILE", "--entry SEQ"});
  check_failure(gsx({"prefix", "--patterns", "g.fa", "g.fa"}), 2, {"--set FILE"});
  check_failure(gsx({"offtarget", "-r", "g.fa", "--all-sites", "-R", "g.bed"}), 2,
                {"--guides-in FILE"});
  const Arguments mappability = {"mappability", "-q", "-K", "6", "--tsv", "g.fa"};
  const auto with = [](Arguments all, const Arguments& more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  const std::string near = output_of(gsx(with(mappability, {"-k", "1"})));
  check_output(gsx(with(mappability, {"-E", "1"})), near);
  check_output(gsx(with(mappability, {"--mismatches", "1"})), near);
  CHECK(near != output_of(gsx(mappability)));
  check_failure(gsx(with(mappability, {"-E", "1", "-k", "1"})), 2, {"--mismatches is given twice"});
  check_failure(gsx(with(mappability, {"-E", "9"})), 2, {"--mismatches"});
  folder.write("l.txt", "ACGT\nACGG\nACAA\n");
  const std::string two = output_of(gsx({"neighbors", "-q", "-k", "2", "l.txt"}));
  check_output(gsx({"neighbors", "-q", "-d", "2", "l.txt"}), two);
  check_output(gsx({"neighbors", "-q", "--distance", "2", "l.txt"}), two);
  for (const char* command : {"mappability", "neighbors", "prefix", "offtarget"}) {
    const std::string page = output_of(run({"help", command}));
    for (const char* old : {"-E,", "-d,", "--distance", "-p, --pattern P"})
      CHECK(page.find(old) == std::string::npos);
  }
}

TEST_CASE("amplicon -p refuses a pair with an empty primer") {
  const TemporaryFolder folder;
  folder.write("g.fa", ">r\nACGTACGTTTACGGACGTACGTTTACGG\n");
  for (const char* pair : {"ACGT,", ",ACGT", "n,ACGT,", "n,,ACGT"})
    check_failure(run({"amplicon", "-r", "g.fa", "-p", pair}, {.folder = folder.path()}), 2,
                  {"a primer is empty"});
}

TEST_CASE("an option that a command lacks is answered with what to give") {
  const auto says = [](const Arguments& arguments, const std::vector<std::string>& words) {
    check_failure(run(arguments), 2, words);
  };
  says({"filter", "-f", "reads.fq"}, {"no option '-f'", "gsx filter READS..."});
  says({"mappability", "-p", "ACG"}, {"no option '-p'", "gsx mappability FILE..."});
  says({"count", "-@", "4"}, {"no option '-@'", "-t N"});
  says({"man", "locate"}, {"no command 'man'", "gsx help locate"});
}

TEST_CASE("guides and pairs of primers come by -p, by -f and as files, in this order") {
  const TemporaryFolder folder;
  folder.write("g.fa", ">r\nTTGCATTACGGATCCAACCGGTTTACGTAGG\n");
  folder.write("guides.txt", "file\tCATTACGGATCCAACCGG\n");
  folder.write("pairs.tsv", "file\tGCATTACG\tCCTACGTA\n");
  const auto names = [&](const Arguments& arguments) {
    std::string first;
    std::istringstream lines(output_of(run(arguments, {.folder = folder.path()})));
    for (std::string line; std::getline(lines, line);)
      first += line.substr(0, line.find('\t')) + ' ';
    return first;
  };
  CHECK(names({"offtarget", "-q", "--no-header", "-r", "g.fa", "-k", "1", "guides.txt", "-f",
               "guides.txt", "-p", "TTACGGATCCAACCGG"}) == "TTACGGATCCAACCGG file file ");
  const Arguments amplicon = {"amplicon", "-q", "--no-header", "-r", "g.fa", "--min", "9"};
  Arguments all = amplicon;
  all.insert(all.end(), {"pairs.tsv", "-f", "pairs.tsv", "-p", "GCATTACG,CCTACGTA", "-p",
                         "own\tGCATTACG\tCCTACGTA"});
  CHECK(names(all) == "GCATTACG,CCTACGTA own file file ");
  const auto fails = [&](const Arguments& more, const std::string& words) {
    Arguments wrong = amplicon;
    wrong.insert(wrong.end(), more.begin(), more.end());
    check_failure(run(wrong, {.folder = folder.path()}), 2, {words});
  };
  fails({}, "-p FORWARD,REVERSE");
  fails({"-p", "GCATTACG"}, "FORWARD,REVERSE");
  fails({"-p", "GCATTACG,CC!"}, "reverse primer");
  check_failure(run({"offtarget", "-r", "g.fa", "--all-sites", "-f", "guides.txt"},
                    {.folder = folder.path()}),
                2, {"--all-sites", "-f"});
}
