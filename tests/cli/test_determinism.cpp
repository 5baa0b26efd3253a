// The output is the same for any number of threads, any batches, and any form of input.
#include <cctype>
#include <tuple>

#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

/// A genome with every kind of symbol, and queries that hit and miss.
struct Inputs {
  TemporaryFolder folder;
  std::string genome;
  std::string queries;

  Inputs() {
    Random random(123);
    for (int r = 0; r < 12; ++r) {
      const char* symbols = r % 3 == 0 ? "ACGT" : "ACGTACGTACGTacgtN";
      genome += ">r" + std::to_string(r) + " comment\n" +
                random_string(random, 200 + below(random, 6000), symbols) + '\n';
    }
    genome +=
        ">repeat\n" + mutated_copies(random, 300, 20, 200, "ACGT") + "\n>empty\n>last\nACGT\n";
    for (int q = 0; q < 800; ++q) {
      queries +=
          ">q" + std::to_string(q) + '\n' +
          random_string(random, q == 7 ? 0 : 6 + below(random, 9), q % 50 == 0 ? "ACGTN" : "ACGT") +
          '\n';
    }
    folder.write("g.fa", genome);
    folder.write("q.fa", queries);
    write_gzip(folder / "g.gz", genome);
    write_bgzf(folder / "g.bgz", genome);
    write_gzip(folder / "q.gz", queries);
    write_bgzf(folder / "q.bgz", queries);
  }
  Outcome run_in(const Arguments& arguments, const std::string& input = "") const {
    return run(arguments, {.input = input, .folder = folder.path()});
  }
  /// Builds an index with `arguments` and returns it.
  std::string index(Arguments arguments, const std::string& input = "") const {
    arguments.insert(arguments.begin(), "index");
    arguments.insert(arguments.end(), {"-q", "-o", "made.gsx"});
    check_output(run_in(arguments, input), "");
    return folder.read("made.gsx");
  }
};

const std::vector<Arguments> settings = {{"-t", "1"},
                                         {"-t", "2"},
                                         {"-t", "5"},
                                         {"-t", "2"},
                                         {"--wide"},
                                         {"-t", "3", "--batch", "1"},
                                         {"--batch", "2"},
                                         {"--batch", "7"},
                                         {"-t", "1", "--batch", "1000"},
                                         {"-t", "5", "--batch", "33"}};

Arguments operator+(Arguments all, const Arguments& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// The name and the upper-case symbols of each record of FASTA.
std::vector<std::pair<std::string, std::string>> fasta_of(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> records;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with('>')) {
      records.emplace_back(line.substr(1, line.find(' ') - 1), "");
      continue;
    }
    for (const char c : line)
      records.back().second += static_cast<char>(std::toupper(c));
  }
  return records;
}

std::string reverse_complement(std::string bases) {
  std::reverse(bases.begin(), bases.end());
  for (char& c : bases)
    c = c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : 'A';
  return bases;
}

}  // namespace

TEST_CASE("an index is byte-identical for any threads, batch size and form of input") {
  const Inputs inputs;
  const std::string expected = inputs.index({"g.fa"});
  CHECK(expected.starts_with("GSXINDEX"));
  for (const Arguments& setting : settings) {
    CAPTURE(setting.back());
    CHECK((inputs.index(Arguments{"g.fa"} + setting) == expected));
  }
  CHECK((inputs.index({"-"}, inputs.genome) == expected));
  CHECK((inputs.index({"-"}, inputs.folder.read("g.gz")) == expected));
  CHECK((inputs.index({"-"}, inputs.folder.read("g.bgz")) == expected));
  for (const char* file : {"g.gz", "g.bgz", "./g.fa", "/dev/stdin"}) {
    CAPTURE(file);
    for (const char* threads : {"1", "5"}) {
      CHECK((inputs.index({file, "-t", threads}, inputs.genome) == expected));
    }
  }
}

TEST_CASE("a FIFO and a process substitution give the index of the file") {
  const Inputs inputs;
  const std::string expected = inputs.index({"g.fa"});
  const RunOptions here{.folder = inputs.folder.path()};
  for (const char* script :
       {"mkfifo p && (cat g.fa > p & \"$gsx\" index -q p -o made.gsx)",
        "\"$gsx\" index -q <(cat g.fa) -o made.gsx",
        "(head -c 1000 g.fa; sleep 0.1; tail -c +1001 g.fa) | \"$gsx\" index -q - -o made.gsx",
        "\"$gsx\" index -q - -o made.gsx < g.fa",
        "cat g.fa | \"$gsx\" index -q - -o - > made.gsx"}) {
    CAPTURE(script);
    std::filesystem::remove(inputs.folder / "made.gsx");
    check_output(run_shell(script, here), "");
    CHECK((inputs.folder.read("made.gsx") == expected));
  }
}

TEST_CASE("an index does not depend on how its records are divided into files and lines") {
  const Inputs inputs;
  const std::size_t middle = inputs.genome.find(">r6");
  inputs.folder.write("1.fa", inputs.genome.substr(0, middle));
  inputs.folder.write("2.fa", inputs.genome.substr(middle));
  CHECK((inputs.index({"1.fa", "2.fa"}) == inputs.index({"g.fa"})));
  std::string wrapped;
  for (const std::string& line : lines_of(inputs.genome)) {
    const std::size_t width = line[0] == '>' ? line.size() : 61;
    for (std::size_t i = 0; i < line.size(); i += width)
      wrapped += line.substr(i, width) + "\r\n";
  }
  CHECK((inputs.index({"-"}, wrapped) == inputs.index({"g.fa"})));
}

TEST_CASE("sa and bwt are byte-identical for any threads, batch size and form of input") {
  const Inputs inputs;
  for (const std::string command : {"sa", "bwt"}) {
    const std::string expected = output_of(inputs.run_in({command, "g.fa"}));
    CHECK(expected.size() > 30000);
    for (const Arguments& setting : settings) {
      CAPTURE(setting.back());
      CHECK((output_of(inputs.run_in(Arguments{command, "g.fa"} + setting)) == expected));
    }
    for (const char* file : {"g.gz", "g.bgz", "-"}) {
      CAPTURE(file);
      CHECK((output_of(inputs.run_in({command, file}, inputs.genome)) == expected));
    }
  }
}

TEST_CASE("count and locate are byte-identical for any threads, batch size and form of input") {
  const Inputs inputs;
  inputs.index({"g.fa"});
  for (const Arguments& command :
       {Arguments{"count"}, Arguments{"locate"}, Arguments{"locate", "--bed", "--max-hits", "3"},
        Arguments{"locate", "--paf"}, Arguments{"locate", "--jsonl"}}) {
    const Arguments base = command + Arguments{"-q", "-x", "made.gsx"};
    const std::string expected = output_of(inputs.run_in(base + Arguments{"q.fa"}));
    CHECK(lines_of(expected).size() > 500);
    for (const Arguments& setting : settings) {
      if (setting[0] == "--wide") continue;  // queries do not have that option
      CAPTURE(setting.back());
      const Outcome outcome = inputs.run_in(base + Arguments{"q.fa"} + setting);
      CHECK((output_of(outcome) == expected));
    }
    for (const char* file : {"q.gz", "q.bgz", "-", "/dev/stdin"}) {
      CAPTURE(file);
      const Outcome outcome = inputs.run_in(base + Arguments{file}, inputs.queries);
      CHECK((output_of(outcome) == expected));
    }
  }
}

TEST_CASE("these counts and hits are those of a scan") {
  const Inputs inputs;
  inputs.index({"g.fa"});
  const auto records = fasta_of(inputs.genome);
  std::string counts, hits;
  for (const auto& [name, query] : fasta_of(inputs.queries)) {
    std::vector<std::tuple<std::size_t, std::size_t, char>> places;
    if (!query.empty() && query.find_first_not_of("ACGT") == std::string::npos) {
      for (const char strand : {'+', '-'}) {
        const std::string wanted = strand == '+' ? query : reverse_complement(query);
        for (std::size_t r = 0; r < records.size(); ++r) {
          const std::string& bases = records[r].second;
          for (auto at = bases.find(wanted); at != std::string::npos;
               at = bases.find(wanted, at + 1))
            places.emplace_back(r, at, strand);
        }
      }
    }
    std::sort(places.begin(), places.end());
    const auto forward = std::count_if(places.begin(), places.end(),
                                       [](const auto& place) { return std::get<2>(place) == '+'; });
    counts += name + '\t' + std::to_string(query.size()) + '\t' + std::to_string(places.size()) +
              '\t' + std::to_string(forward) + '\t' +
              std::to_string(static_cast<std::ptrdiff_t>(places.size()) - forward) + '\n';
    for (const auto& [r, at, strand] : places) {
      hits += records[r].first + '\t' + std::to_string(at) + '\t' +
              std::to_string(at + query.size()) + '\t' + name + "\t0\t" + strand + '\n';
    }
  }
  CHECK(lines_of(hits).size() > 1500);
  for (const char* threads : {"1", "3"}) {
    const Arguments on = {"-q", "-x", "made.gsx", "q.fa", "-t", threads};
    CHECK((output_of(inputs.run_in(Arguments{"count", "--no-header"} + on)) == counts));
    CHECK((output_of(inputs.run_in(Arguments{"locate", "--bed"} + on)) == hits));
  }
}

TEST_CASE("locate's hits under --max-hits do not depend on threads or batches") {
  const Inputs inputs;
  for (const char* rate : {"1", "5", "32"}) {
    inputs.index({"g.fa", "--sa-rate", rate});
    const Arguments base{"locate", "-q", "-x", "made.gsx", "q.fa", "--max-hits", "2"};
    const std::string expected = output_of(inputs.run_in(base + Arguments{"-t", "1"}));
    CHECK((output_of(inputs.run_in(base + Arguments{"-t", "5", "--batch", "64"})) == expected));
  }
}
