// --sort position: all lines of a run in the order of a genome browser.
#include <algorithm>
#include <map>
#include <tuple>

#include "support/indexed.hpp"
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

std::string column_of(const std::string& line, std::size_t number) {
  std::size_t begin = 0;
  for (; number > 0; --number)
    begin = line.find('\t', begin) + 1;
  return line.substr(begin, line.find('\t', begin) - begin);
}

/// Three targets whose names are not in alphabetical order, and queries, some of them twice.
struct Place {
  TemporaryFolder folder;

  Place() {
    Random random(97);
    std::string genome, queries;
    for (const char* name : {"chr2", "chr10", "chr1"})
      genome += std::string(">") + name + '\n' + random_string(random, 4000, "ACGT") + '\n';
    for (int i = 0; i < 300; ++i)
      queries += ">q" + std::to_string(i) + '\n' + random_string(random, 5, "ACGT") + '\n';
    folder.write("g.fa", genome);
    folder.write("q.fa", queries);
    REQUIRE(run({"index", "-q", "g.fa"}, {.folder = folder.path()}).exit_code == 0);
  }
  Outcome locate(Arguments arguments, std::vector<std::string> environment = {}) const {
    arguments.insert(arguments.begin(), {"locate", "-q", "--no-header"});
    return run(arguments, {.folder = folder.path(), .environment = std::move(environment)});
  }
};

/// The lines of `text` sorted by target order, start and strand; ties keep the order of the
/// queries.
std::string sorted_lines(const std::string& text, std::size_t target, std::size_t start,
                         std::size_t strand) {
  const std::map<std::string, int> order = {{"chr2", 0}, {"chr10", 1}, {"chr1", 2}};
  std::vector<std::tuple<int, std::uint64_t, bool, std::string>> lines;
  for (const std::string& line : lines_of(text)) {
    lines.emplace_back(order.at(column_of(line, target)), std::stoull(column_of(line, start)),
                       column_of(line, strand) == "-", line);
  }
  std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
    return std::tie(std::get<0>(a), std::get<1>(a), std::get<2>(a)) <
           std::tie(std::get<0>(b), std::get<1>(b), std::get<2>(b));
  });
  std::string joined;
  for (const auto& line : lines)
    joined += std::get<3>(line) + '\n';
  return joined;
}

struct Format {
  Arguments options;
  std::size_t target, start, strand;
};
const std::vector<Format> formats = {{{}, 1, 2, 4}, {{"--bed"}, 0, 1, 5}, {{"--paf"}, 5, 7, 4}};

}  // namespace

TEST_CASE("--sort position orders the lines of all queries by target, start, strand and query") {
  const Place place;
  for (const Format& format : formats) {
    Arguments arguments = format.options;
    arguments.push_back("q.fa");
    const std::string unsorted = output_of(place.locate(arguments));
    const std::string expected = sorted_lines(unsorted, format.target, format.start, format.strand);
    CHECK(expected != unsorted);
    arguments.insert(arguments.end(), {"--sort", "position"});
    for (const Arguments& how :
         {Arguments{}, Arguments{"-t", "1"}, Arguments{"-t", "5", "--batch", "100"}}) {
      Arguments all = arguments;
      all.insert(all.end(), how.begin(), how.end());
      CHECK((output_of(place.locate(all)) == expected));
    }
    Arguments by_query = format.options;
    by_query.insert(by_query.end(), {"q.fa", "--sort", "query"});
    CHECK((output_of(place.locate(by_query)) == unsorted));
  }
}

TEST_CASE("what memory does not hold is sorted in TMPDIR, and nothing is left there") {
  const Place place;
  std::string queries;
  for (int i = 0; i < 120; ++i)
    queries += ">" + std::string(200, 'n') + std::to_string(i) + "\nA" + "ACGT"[i % 4] + "\n";
  place.folder.write("many.fa", queries);
  std::filesystem::create_directory(place.folder / "tmp");
  const std::vector<std::string> here = {"TMPDIR=" + (place.folder / "tmp")};
  // 40 MB of lines.
  const std::string expected = sorted_lines(output_of(place.locate({"--bed", "many.fa"})), 0, 1, 5);
  const Arguments sorted = {"--bed", "many.fa", "--sort", "position", "--memory-limit", "20MB"};
  CHECK((output_of(place.locate(sorted, here)) == expected));
  CHECK(std::filesystem::is_empty(place.folder / "tmp"));

  check_error(place.locate(sorted, {"TMPDIR=" + (place.folder / "missing")}), 1,
              {"temporary file", "missing", "TMPDIR"});
}

TEST_CASE("--sort position writes the sorted lines of the queries before a bad one to a stream") {
  const Place place;
  const std::string good = place.folder.read("q.fa");
  place.folder.write("bad.fa", good + ">bad\n\x01\n");
  const Outcome outcome = place.locate({"--sort", "position", "bad.fa"});
  check_error(outcome, 3, {"bad.fa: record 301 ('bad')"});
  CHECK(outcome.out == output_of(place.locate({"--sort", "position", "q.fa"})));
  CHECK(outcome.out != "");
  check_failure(place.locate({"--sort", "position", "bad.fa", "-o", "o.tsv"}), 3, {"record 301"});
  CHECK_FALSE(place.folder.has("o.tsv"));
}

TEST_CASE("--sort position needs one line per hit") {
  const Place place;
  check_failure(place.locate({"--jsonl", "--sort", "position", "-p", "ACG"}), 2,
                {"--sort position", "--jsonl"});
  check_failure(place.locate({"--sort", "name", "-p", "ACG"}), 2, {"--sort"});
  check_output(place.locate({"--sort", "position", "-p", std::string(50, 'A')}), "");
}

TEST_CASE("lines with one position, strand and query come in one order, on any number of threads") {
  // In a circle of a period of two, many places that span the origin have their rest at 0.
  const IndexedFolder index(">r\nACACACACAC\n");
  std::string queries;
  for (int q = 0; q < 40; ++q)
    queries += ">q" + std::to_string(q) + (q % 2 == 0 ? "\nACACACAC\n" : "\nCACACACA\n");
  index.folder.write("q.fa", queries);
  const auto lines = [&](const char* threads, const char* batch) {
    return output_of(index.gsx({"locate", "-q", "--circular", "r", "--bed", "--sort", "position",
                                "-t", threads, "--batch", batch, "q.fa"}));
  };
  const std::string expected = lines("1", "1000");
  for (int run = 0; run < 6; ++run)
    CHECK(lines("3", "1") == expected);
}

TEST_CASE("offtarget --sites and amplicon --sort position order sites and products by place") {
  const Place place;
  Random random(98);
  std::string guides, pairs;
  for (int i = 0; i < 40; ++i) {
    guides += random_string(random, 6, "ACGT") + '\n';
    pairs += "p" + std::to_string(i) + '\t' + random_string(random, 5, "ACGT") + '\t' +
             random_string(random, 5, "ACGT") + '\n';
  }
  place.folder.write("guides.txt", guides);
  place.folder.write("pairs.tsv", pairs);
  const auto check_sorted = [&](Arguments command, std::size_t target, std::size_t start,
                                std::size_t strand) {
    command.insert(command.begin() + 1, {"-q", "-x", "g.gsx", "--no-header"});
    const auto lines = [&] { return output_of(run(command, {.folder = place.folder.path()})); };
    std::vector<std::string> unsorted = lines_of(lines());
    CHECK(unsorted.size() > 100);
    command.insert(command.end(), {"--sort", "position", "--summary", "sum.json"});
    const std::string sorted = lines();
    CHECK(sorted == sorted_lines(sorted, target, start, strand));
    std::vector<std::string> again = lines_of(sorted);
    std::ranges::sort(unsorted);
    std::ranges::sort(again);
    CHECK(again == unsorted);
    CHECK(place.folder.read("sum.json").find("\"queries\":40,") != std::string::npos);
    CHECK(place.folder.read("sum.json").find("\"hits\":" + std::to_string(again.size()) + ",") !=
          std::string::npos);
    check_output(run({"report", "-q", "sum.json", "-o", "r.html"}, {.folder = place.folder.path()}),
                 "");
  };
  const auto as_bed = [](Arguments command) {
    command.push_back("--bed");
    return command;
  };
  const Arguments sites = {"offtarget", "guides.txt", "-k", "1", "-o", "t.tsv", "--sites", "-"};
  check_sorted(sites, 1, 2, 4);
  check_sorted(as_bed(sites), 0, 1, 5);
  const Arguments products = {"amplicon", "pairs.tsv", "--min", "1", "--max", "900"};
  check_sorted(products, 1, 2, 5);
  check_sorted(as_bed(products), 0, 1, 5);
  // Bad input at the end does not keep sorted lines from standard output, but from files.
  place.folder.write("bad.txt", "1\t2\n");
  for (const Arguments& command : {sites, products}) {
    Arguments sorted = command;
    sorted.insert(sorted.end(), {"-q", "-x", "g.gsx", "--sort", "position"});
    const std::string whole = output_of(run(sorted, {.folder = place.folder.path()}));
    sorted.push_back("bad.txt");
    const Outcome cut = run(sorted, {.folder = place.folder.path()});
    check_error(cut, 3, {"bad.txt: line 1"});
    CHECK(cut.out == whole);
    sorted.insert(sorted.end(), {command == sites ? "--sites" : "-o", "none.tsv"});
    if (command == sites)
      sorted.erase(std::ranges::find(sorted, "--sites"), std::ranges::find(sorted, "--sites") + 2);
    check_failure(run(sorted, {.folder = place.folder.path()}), 3, {"bad.txt: line 1"});
    CHECK_FALSE(place.folder.has("none.tsv"));
  }
  // In GFF3, the line of a circular record comes before what lies in it.
  place.folder.write("circle.fa", ">c\nACGTACTGGACGTACTGG\n");
  const Outcome circle =
      run({"offtarget", "-q", "-r", "circle.fa", "-p", "ACGTAC", "--circular", "all", "-k", "0",
           "-o", "t.tsv", "--sites", "-", "--format", "gff3", "--sort", "position"},
          {.folder = place.folder.path()});
  const std::vector<std::string> lines = lines_of(output_of(circle));
  REQUIRE(lines.size() == 4);
  CHECK(lines[1].find("\tregion\t") != std::string::npos);
  CHECK(lines[2].starts_with("c\tgsx\tnuclease_binding_site\t1\t"));
  // Lines of one place are in the order of the guides.
  place.folder.write("two.txt", "g9\tACGTAC\ng10\tACGTAC\n");
  const std::vector<std::string> same =
      lines_of(output_of(run({"offtarget", "-q", "-r", "circle.fa", "two.txt", "-k", "0", "-o",
                              "t.tsv", "--sites", "-", "--bed", "--sort", "position"},
                             {.folder = place.folder.path()})));
  REQUIRE(same.size() == 4);
  CHECK(same[0].starts_with("c\t0\t9\tg9\t"));
  CHECK(same[1].starts_with("c\t0\t9\tg10\t"));
  for (const Arguments& wrong :
       {Arguments{"offtarget", "-x", "g.gsx", "guides.txt", "--sort", "position"},
        Arguments{"amplicon", "-x", "g.gsx", "pairs.tsv", "--fasta", "--sort", "position"}})
    check_failure(run(wrong, {.folder = place.folder.path()}), 2, {"--sort"});
}
