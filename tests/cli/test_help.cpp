// --help and --version: what they show, and where.
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

/// An option and its default as help shows them; flags and file names have no default.
struct Option {
  std::string name;
  std::string default_value = {};
};

const std::vector<Option> session_options = {
    {"-h,--help"}, {"-t,--threads", "0"}, {"-q,--quiet"}, {"-v,--verbose"}, {"--progress", "auto"}};
const std::vector<Option> input_options = {{"FILE"},
                                           {"--alphabet", "auto"},
                                           {"--ambiguous", "split"},
                                           {"--soft-mask", "fold"},
                                           {"--cram-reference"},
                                           {"--batch", "1048576"},
                                           {"--memory-limit"},
                                           {"--wide"},
                                           {"--device", "auto"},
                                           {"--gpu-memory"},
                                           {"-o,--output"}};
const std::vector<Option> query_options = {{"QUERY"},
                                           {"-p,--pattern"},
                                           {"-f,--patterns"},
                                           {"-x,--index"},
                                           {"-r,--reference"},
                                           {"-o,--output"},
                                           {"--unmatched"},
                                           {"--summary"},
                                           {"--strand", "both"},
                                           {"--palindromes", "twice"},
                                           {"-k,--mismatches", "0"},
                                           {"--iupac"},
                                           {"--circular"},
                                           {"--tag-files"},
                                           {"--cram-reference"},
                                           {"--memory-limit"},
                                           {"--no-header"},
                                           {"--batch", "2097152"},
                                           {"--device", "auto"},
                                           {"--gpu-memory"}};

struct Command {
  std::string name;
  std::vector<Option> options;
};

std::vector<Option> operator+(std::vector<Option> all, const std::vector<Option>& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::vector<Command> commands() {
  const std::vector<Option> s = session_options;
  return {
      {"index", s + input_options +
                    std::vector<Option>{{"--force"},
                                        {"--sa-rate", "8"},
                                        {"--md5"},
                                        {"--files"},
                                        {"--shards", "0"},
                                        {"--shard-size", "0"},
                                        {"--append"},
                                        {"--plan"},
                                        {"--json"}}},
      {"sa",
       s + input_options +
           std::vector<Option>{
               {"--lcp"}, {"--width"}, {"--text"}, {"--separators"}, {"--check"}, {"-x,--index"}}},
      {"bwt",
       s + input_options +
           std::vector<Option>{
               {"--separator", "$"}, {"-x,--index"}, {"--format"}, {"--strand"}, {"--inverse"}}},
      {"lz77", s + input_options +
                   std::vector<Option>{{"-x,--index"},
                                       {"--inverse"},
                                       {"--across-records"},
                                       {"--format"},
                                       {"--tsv"},
                                       {"--stats"},
                                       {"--window"},
                                       {"--plan"},
                                       {"--json"}}},
      {"count", s + query_options +
                    std::vector<Option>{{"--by-record"},
                                        {"--by-mismatches"},
                                        {"--by-file"},
                                        {"--matrix"},
                                        {"--presence"},
                                        {"--min-files", "0"}}},
      {"locate", s + query_options +
                     std::vector<Option>{{"--by-file"},
                                         {"--max-hits", "0"},
                                         {"--format"},
                                         {"--sort", "query"},
                                         {"--bed"},
                                         {"--paf"},
                                         {"--jsonl"},
                                         {"--sam"},
                                         {"--bam"},
                                         {"--bedgraph"},
                                         {"--bigwig"}}},
      {"mem", s + std::vector<Option>{{"QUERY"},
                                      {"-p,--pattern"},
                                      {"-f,--patterns"},
                                      {"-x,--index"},
                                      {"-r,--reference"},
                                      {"--tag-files"},
                                      {"--cram-reference"},
                                      {"-L,--min-length", "31"},
                                      {"--strand", "both"},
                                      {"--pairs"},
                                      {"--mum"},
                                      {"--mum-ref"},
                                      {"--unique-both-strands"},
                                      {"--min-occ", "1"},
                                      {"--max-occ", "0"},
                                      {"-o,--output"},
                                      {"--unmatched"},
                                      {"--summary"},
                                      {"--no-header"},
                                      {"--places"},
                                      {"--max-hits", "0"},
                                      {"--format"},
                                      {"--bed"},
                                      {"--paf"},
                                      {"--jsonl"},
                                      {"--fastmap"},
                                      {"--mummer"},
                                      {"--coverage"},
                                      {"--batch", "2097152"},
                                      {"--memory-limit"},
                                      {"--device", "auto"},
                                      {"--gpu-memory"}}},
      {"ms", s + std::vector<Option>{{"QUERY"},
                                     {"-p,--pattern"},
                                     {"-f,--patterns"},
                                     {"-x,--index"},
                                     {"-r,--reference"},
                                     {"--tag-files"},
                                     {"--cram-reference"},
                                     {"--strand", "both"},
                                     {"--ending"},
                                     {"-o,--output"},
                                     {"--unmatched"},
                                     {"--summary"},
                                     {"--no-header"},
                                     {"--format"},
                                     {"--offsets"},
                                     {"--places"},
                                     {"--batch", "2097152"},
                                     {"--memory-limit"},
                                     {"--device", "auto"},
                                     {"--gpu-memory"}}},
      {"mappability", s + input_options +
                          std::vector<Option>{{"-x,--index"},
                                              {"-K,--kmer"},
                                              {"--frequency"},
                                              {"--umap"},
                                              {"-E,--mismatches", "0"},
                                              {"--cap"},
                                              {"--shortest-unique"},
                                              {"--spectrum"},
                                              {"--plot"},
                                              {"--strand", "both"},
                                              {"--bigwig"},
                                              {"--format"},
                                              {"--bedgraph"},
                                              {"--tsv"},
                                              {"--plan"},
                                              {"--json"}}},
      {"repeats", s + input_options +
                      std::vector<Option>{{"-x,--index"},
                                          {"-L,--min-length", "100"},
                                          {"--supermaximal"},
                                          {"--min-count", "2"},
                                          {"--strand", "both"},
                                          {"--pairs"},
                                          {"--max-hits", "20"},
                                          {"--format"},
                                          {"--tsv"},
                                          {"--bed"},
                                          {"--no-header"},
                                          {"--dotplot"},
                                          {"--plan"},
                                          {"--json"}}},
      {"neighbors", s + std::vector<Option>{{"FILE"},
                                            {"--whitelist"},
                                            {"--at"},
                                            {"--cram-reference"},
                                            {"-d,--distance", "1"},
                                            {"--clusters"},
                                            {"--correct"},
                                            {"-o,--output"},
                                            {"--format"},
                                            {"--no-header"},
                                            {"--summary"},
                                            {"--memory-limit"},
                                            {"--device", "auto"},
                                            {"--gpu-memory"}}},
      {"prefix", s + std::vector<Option>{{"QUERY"},
                                         {"-p,--pattern"},
                                         {"-f,--patterns"},
                                         {"--cram-reference"},
                                         {"--counts"},
                                         {"-o,--output"},
                                         {"--no-header"},
                                         {"--summary"},
                                         {"--memory-limit"},
                                         {"--device", "auto"},
                                         {"--gpu-memory"}}},
      {"filter", s + std::vector<Option>{{"READS"},
                                         {"-x,--index"},
                                         {"-r,--reference"},
                                         {"--cram-reference"},
                                         {"--interleaved"},
                                         {"--unpaired"},
                                         {"-L,--min-length", "31"},
                                         {"--min-cover"},
                                         {"--both"},
                                         {"--drop"},
                                         {"--keep"},
                                         {"-o,--output"},
                                         {"-O,--output2"},
                                         {"--summary"},
                                         {"--batch", "2097152"},
                                         {"--memory-limit"},
                                         {"--device", "auto"},
                                         {"--gpu-memory"}}},
      {"offtarget", s + std::vector<Option>{{"GUIDES"},
                                            {"-x,--index"},
                                            {"-r,--reference"},
                                            {"-p,--pattern"},
                                            {"--with-pam"},
                                            {"--without-pam"},
                                            {"--all-sites"},
                                            {"--guide-length"},
                                            {"-R,--regions"},
                                            {"--nuclease"},
                                            {"--pam"},
                                            {"--alt-pam"},
                                            {"--pam-side"},
                                            {"-k,--mismatches", "4"},
                                            {"--dna-bulge", "0"},
                                            {"--rna-bulge", "0"},
                                            {"--circular"},
                                            {"--stop-at"},
                                            {"--score", "mit"},
                                            {"-o,--output"},
                                            {"--sites"},
                                            {"--format"},
                                            {"--max-hits", "0"},
                                            {"--no-header"},
                                            {"--memory-limit"},
                                            {"--device", "auto"},
                                            {"--gpu-memory"}}},
      {"amplicon", s + std::vector<Option>{{"PRIMERS"},
                                           {"-x,--index"},
                                           {"-r,--reference"},
                                           {"-k,--mismatches", "0"},
                                           {"--3prime"},
                                           {"--circular"},
                                           {"--min", "50"},
                                           {"--max", "3000"},
                                           {"-o,--output"},
                                           {"--format"},
                                           {"--bed"},
                                           {"--fasta"},
                                           {"--max-hits", "0"},
                                           {"--no-header"},
                                           {"--memory-limit"},
                                           {"--device", "auto"},
                                           {"--gpu-memory"}}},
      {"extract", s + std::vector<Option>{{"ARGUMENT"},
                                          {"-x,--index"},
                                          {"-o,--output"},
                                          {"--line-width", "60"},
                                          {"-R,--regions"},
                                          {"--case"},
                                          {"--zero-based"},
                                          {"--reverse-complement"}}},
      {"info", s + std::vector<Option>{{"INDEX"},
                                       {"-x,--index"},
                                       {"-o,--output"},
                                       {"--json"},
                                       {"--records"},
                                       {"--files"},
                                       {"--shards"},
                                       {"--md5"}}},
      {"report", s + std::vector<Option>{{"FILE"},
                                         {"-x,--index"},
                                         {"--summary"},
                                         {"--spectrum"},
                                         {"-o,--output"},
                                         {"--top", "50"},
                                         {"--genome-size", "0"}}},
      {"verify", s + std::vector<Option>{{"INDEX"},
                                         {"-x,--index"},
                                         {"--against"},
                                         {"--cram-reference"},
                                         {"--full"},
                                         {"--device", "auto"},
                                         {"--gpu-memory"}}},
      {"doctor", s +
                     std::vector<Option>{
                         {"-o,--output"}, {"--json"}, {"--device", "auto"}, {"--gpu-memory"}}},
      {"help", {{"COMMAND"}, {"--man"}, {"-h,--help"}}},
      {"completion", {{"SHELL"}, {"-h,--help"}}},
  };
}

/// The line of `help` that introduces an option or command, joined with its continuation lines;
/// empty if there is none.
std::string line_of_option(const std::string& help, std::string name) {
  if (const std::size_t comma = name.find(','); comma != std::string::npos)
    name.insert(comma + 1, 1, ' ');
  std::string found;
  for (const std::string& line : lines_of(help)) {
    if (!found.empty() && !line.starts_with("     ")) return found;
    if (!found.empty()) found += line.substr(line.find_first_not_of(' ') - 1);
    if ((line + ' ').starts_with("  " + name + ' ')) found = line;
  }
  return found;
}

/// Counts words like "--paf" that begin the line of an option.
std::size_t options_shown(const std::string& help) {
  std::size_t shown = 0;
  for (const std::string& line : lines_of(help)) {
    shown += line.starts_with("  -") && line.size() > 3 && line[3] != ' ';
  }
  return shown;
}

}  // namespace

TEST_CASE("gsx --help lists every command and the exit codes, on standard output") {
  const Outcome outcome = run({"--help"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err == "");
  for (const Command& command : commands()) {
    CAPTURE(command.name);
    CHECK(line_of_option(outcome.out, command.name) != "");
  }
  for (const char* words : {"0 success", "1 failure", "2 usage", "3 bad input", "4 index missing",
                            "5 index corrupt", "6 out of memory or disk", "7 GPU"}) {
    CAPTURE(words);
    CHECK(outcome.out.find(words) != std::string::npos);
  }
  CHECK(run({"-h"}).out == outcome.out);
}

TEST_CASE("gsx --version is one line of program and version") {
  const Outcome outcome = run({"--version"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err == "");
  REQUIRE(lines_of(outcome.out).size() == 1);
  CHECK(outcome.out.starts_with("gsx "));
  const std::string version = outcome.out.substr(4, outcome.out.size() - 5);
  CHECK(std::count(version.begin(), version.end(), '.') == 2);
  CHECK(version.find_first_not_of("0123456789.") == std::string::npos);
}

TEST_CASE("every command's help shows every option with its default, on standard output") {
  for (const Command& command : commands()) {
    CAPTURE(command.name);
    const Outcome outcome = run({command.name, "--help"});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err == "");
    CHECK(outcome.out.find("Usage: gsx " + command.name) != std::string::npos);
    CHECK(outcome.out.find("Example") != std::string::npos);
    std::size_t listed = 0;
    for (const Option& option : command.options) {
      CAPTURE(option.name);
      const std::string line = line_of_option(outcome.out, option.name);
      CHECK(line != "");
      if (!option.default_value.empty()) {
        CHECK(line.find("(default: " + option.default_value + ")") != std::string::npos);
      }
      listed += option.name[0] == '-';
    }
    CHECK(options_shown(outcome.out) == listed);  // so that a new option gets its line above
  }
}

TEST_CASE("help works without required arguments") {
  CHECK(run({"index", "--sa-rate", "4", "--help"}).exit_code == 0);
  CHECK(run({"count", "-h"}).out == run({"count", "--help"}).out);
}

TEST_CASE("help and version fail if they cannot be written") {
  for (const std::string arguments : {"--help", "--version", "index --help"}) {
    CAPTURE(arguments);
    check_failure(run_shell("\"$gsx\" " + arguments + " > /dev/full"), 6,
                  {"standard output", "No space left on device"});
  }
}
