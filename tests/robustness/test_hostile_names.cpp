// Names meant to break lines, columns, JSON or the terminal, or to pass for something else: in
// headers, queries, paths and options, in every output and every message.
#include "base/utf8.hpp"
#include "support/json.hpp"
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

/// First words of headers: without blanks and line ends.
std::vector<std::string> hostile_names() {
  const std::size_t huge = sanitized ? 1 << 17 : 1 << 20;
  std::string all_bytes;
  for (int byte = 1; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') all_bytes += c;
  }
  return {"plain",
          "\x1b[2J\x1b[31mred",
          "\x1b]0;title\x07",
          "bell\x07and\x7f"
          "delete\x01",
          "\xc2\x9b"
          "2J",
          "h\xc3\xa9l\xc3\xa8ne",
          "\xe2\x80\xae"
          "drawkcab",
          "line\xe2\x80\xa8separator",
          "\xff\xfe\x80",
          "\xc3",
          "\xed\xa0\x80\xf4\x90\x80\x80\xc0\xaf",
          "../../etc/passwd",
          "/etc/passwd",
          "-rf",
          "$(touch_pwned)`touch`;|&",
          "%s%n%99999d",
          "{}{0}{:99999}",
          "\"quoted\",'so'",
          "back\\slash\\n\\x41",
          "#comment",
          "#",
          "track",
          "chr1:0-10",
          "name:0-4",
          "=1+1",
          ".",
          "*",
          ">inner>",
          "@at",
          "a,b;c",
          all_bytes,
          std::string(huge, 'x'),
          std::string(huge, '\x1b')};
}

bool has_raw_control(std::string_view text, std::string_view allowed) {
  return std::any_of(text.begin(), text.end(), [&](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 || byte == 0x7f) && allowed.find(c) == std::string_view::npos;
  });
}

/// Whether a text is valid UTF-8 and cannot steer a terminal.
bool is_safe_message(std::string_view text) {
  if (has_raw_control(text, "\n")) return false;
  while (!text.empty()) {
    const std::size_t length = gsx::utf8_length(text);
    if (length == 0 || (length > 1 && gsx::is_utf8_control(text.substr(0, length)))) return false;
    text.remove_prefix(length);
  }
  return true;
}

void check_table(const std::string& table, std::ptrdiff_t columns, std::size_t lines) {
  CHECK_FALSE(has_raw_control(table, "\t\n"));
  const auto found = lines_of(table);
  CHECK(found.size() == lines);
  for (const std::string& line : found)
    CHECK(std::count(line.begin(), line.end(), '\t') == columns - 1);
}

struct Place {
  TemporaryFolder folder;
  std::vector<std::string> names = hostile_names();
  std::string fasta;
  Place() {
    for (const std::string& name : names)
      fasta += '>' + name + " \x1b[31mcomment\ttab\nACGTTAGC\n";
    folder.write("g.fa", fasta);
    folder.write("q.fa", [this] {
      std::string queries;
      for (const std::string& name : names)
        queries += '>' + name + "\nGTTAG\n";
      return queries;
    }());
    const Outcome built = in({"index", "-v", "g.fa"});
    CHECK(built.exit_code == 0);
    CHECK(is_safe_message(built.err));
  }
  Outcome in(const Arguments& arguments, std::vector<std::string> environment = {}) const {
    return run(arguments, {.folder = folder.path(), .environment = std::move(environment)});
  }
};

}  // namespace

TEST_CASE("hostile names of records and queries break no column of any table") {
  const Place place;
  const std::size_t n = place.names.size();
  const Outcome count = place.in({"count", "-v", "-x", "g.gsx", "q.fa"});
  check_table(output_of(count), 5, n + 1);
  CHECK(is_safe_message(count.err));
  // One query against all targets, and all queries against one target: all pairs would take too
  // long.
  const Outcome locate = place.in({"locate", "-x", "g.gsx", "-p", "GTTAG"});
  check_table(output_of(locate), 9, n + 1);
  check_table(output_of(place.in({"locate", "-x", "g.gsx", "-p", "GTTAG", "--bed"})), 6, n);
  check_table(output_of(place.in({"locate", "-x", "g.gsx", "-p", "GTTAG", "--paf"})), 15, n);
  const std::vector<Arguments> by_query = {{}, {"--bed"}, {"--paf"}};
  const std::ptrdiff_t columns[] = {9, 6, 15};
  for (std::size_t format = 0; format < by_query.size(); ++format) {
    Arguments arguments = {"locate", "-x", "g.gsx", "q.fa", "--max-hits", "1"};
    arguments.insert(arguments.end(), by_query[format].begin(), by_query[format].end());
    check_table(output_of(place.in(arguments)), columns[format], format == 0 ? n + 1 : n);
  }
  const Arguments mem{"mem", "-x", "g.gsx", "-L", "5", "q.fa", "--no-header"};
  const auto matches = [&](Arguments more) {
    more.insert(more.begin(), mem.begin(), mem.end());
    return output_of(place.in(more));
  };
  check_table(matches({}), 6, n);
  check_table(matches({"--coverage"}), 4, n);
  check_table(matches({"--bed"}), 4, n);
  check_table(matches({"--max-hits", "1"}), 13, n);
  check_table(matches({"--max-hits", "1", "--paf"}), 15, n);
  place.folder.write("one.fa", ">one\nGTTAG\n");
  const Arguments pairs{"mem", "--pairs", "--strand", "fwd", "--no-header", "-L", "5"};
  for (const Arguments& files : {Arguments{"g.fa", "one.fa"}, Arguments{"one.fa", "q.fa"}}) {
    Arguments arguments = pairs;
    arguments.insert(arguments.end(), files.begin(), files.end());
    check_table(output_of(place.in(arguments)), 8, n);
    arguments.emplace_back("--paf");
    check_table(output_of(place.in(arguments)), 14, n);
  }
  const std::string lengths = output_of(
      place.in({"ms", "-x", "g.gsx", "q.fa", "--places", "places", "--offsets", "offsets"}));
  check_table(lengths, 1, 2 * n);
  check_table(place.folder.read("places"), 1, 2 * n);
  check_table(place.folder.read("offsets"), 3, n + 1);
  check_table(output_of(place.in({"info", "g.gsx", "--md5"})), 3, n + 1);
  check_table(output_of(place.in({"sa", "--text", "g.fa"})), 3, 8 * n + 1);
  check_table(output_of(place.in({"lz77", "--stats", "g.fa"})), 5, n + 1);
  check_table(output_of(place.in({"mappability", "-K", "5", "g.fa"})), 4, n);
  check_table(output_of(place.in({"mappability", "-K", "5", "g.gsx", "--tsv"})), 4, n + 1);
  const Arguments repeats{"repeats", "-L", "5", "g.fa", "--max-hits", "0"};
  check_table(output_of(place.in(repeats)), 6, 2);
  Arguments as_bed = repeats;
  as_bed.emplace_back("--bed");
  check_table(output_of(place.in(as_bed)), 6, n);
  const std::string phrases = output_of(place.in({"lz77", "--across-records", "g.fa"}));
  check_table(phrases, 6, static_cast<std::size_t>(std::ranges::count(phrases, '\n')));
}

TEST_CASE("hostile names are JSON strings, whatever their bytes are") {
  const Place place;
  place.folder.write("q1.fa", ">one\nGTTAG\n");
  for (const Arguments& request :
       {Arguments{"locate", "-x", "g.gsx", "-p", "GTTAG", "--jsonl"},
        Arguments{"locate", "-x", "g.gsx", "q.fa", "--max-hits", "1", "--jsonl"},
        Arguments{"mem", "-x", "g.gsx", "-L", "5", "q.fa", "--max-hits", "1", "--jsonl"},
        Arguments{"mem", "--pairs", "-L", "5", "g.fa", "q1.fa", "--jsonl"},
        Arguments{"info", "--json", "g.gsx"}}) {
    const std::string out = output_of(place.in(request));
    CHECK_FALSE(has_raw_control(out, "\n"));
    std::string_view rest = out;
    while (!rest.empty() && gsx::utf8_length(rest) > 0)
      rest.remove_prefix(gsx::utf8_length(rest));
    CHECK(rest.empty());  // all of it is valid UTF-8
    for (const std::string& line : lines_of(out))
      CHECK(is_json(line));
  }
}

TEST_CASE("a name that looks like a comment does not begin one in BED") {
  const Place place;
  for (const std::string& line :
       lines_of(output_of(place.in({"locate", "-x", "g.gsx", "-p", "GTTAG", "--bed"}))))
    CHECK_FALSE(line.starts_with('#'));
  const std::string bed = output_of(place.in({"locate", "-x", "g.gsx", "-p", "GTTAG", "--bed"}));
  CHECK(bed.find("\\x23comment\t2\t7\t") != std::string::npos);
  CHECK(bed.find("\n\\x23\t2\t7\t") != std::string::npos);
}

TEST_CASE("records are found by hostile names, and come back byte for byte") {
  const Place place;
  CHECK((output_of(place.in({"extract", "-q", "g.gsx"})) == place.fasta));
  for (const std::string& name : place.names) {
    if (name.size() > 100'000 || name == "-rf") continue;  // too long; looks like an option
    const Outcome outcome = place.in({"extract", "-v", "-x", "g.gsx", name});
    CHECK((output_of(outcome) == '>' + name + " \x1b[31mcomment\ttab\nACGTTAGC\n"));
    CHECK(is_safe_message(outcome.err));
    const std::string part = name + ":3-4";
    CHECK((output_of(place.in({"extract", "-x", "g.gsx", part})) == '>' + part + "\nGT\n"));
  }
  check_output(place.in({"extract", "-q", "-x", "g.gsx", "--line-width", "0", "--", "-rf:1-4"}),
               ">-rf:1-4\nACGT\n");
}

TEST_CASE("no message shows a hostile name raw or at full length") {
  const Place place;
  for (const std::string& name : place.names) {
    const auto check = [&](const Outcome& outcome, int exit_code) {
      check_failure(outcome, exit_code);
      CHECK(is_safe_message(outcome.err));
      CHECK(outcome.err.size() < 4096);
    };
    // In a header. A digit is not a protein symbol.
    const std::string header = '>' + name + "\n";
    check(run({"sa", "-q", "--ambiguous", "error", "-"}, {.input = header + "ACGTN\n"}), 3);
    check(run({"bwt", "-q", "--alphabet", "protein", "-"}, {.input = header + "MK1\n"}), 3);
    check(run({"index", "-q", "--alphabet", "dna", "-", "-o", place.folder / "x"},
              {.input = header + "MKLEFPMKLEFP\n"}),
          3);
    check(run({"sa", "-q", "-"}, {.input = header + "AC\x01\n"}), 3);
    check(run({"sa", "-q", "-"}, {.input = "@" + name + "\nACGT\n+\nI\n"}), 3);
    const Outcome twice = run({"sa", "-"}, {.input = header + "AC\n" + header + "AC\n"});
    CHECK(twice.exit_code == 0);
    CHECK(is_safe_message(twice.err));
    CHECK(twice.err.size() < 4096);
    if (name.size() > 100'000) continue;
    // On the command line, in every role.
    const std::string path = "no/such/" + name;
    check(place.in({"sa", "-q", path}), 3);
    check(place.in({"info", path}), 4);
    check(place.in({"info", "-q", "g.gsx", "-o", path}), 1);
    check(place.in({"extract", "-x", "g.gsx", "--", name + '!'}), 3);
    check(place.in({"extract", "-x", "g.gsx", "--", name + ":0-99"}), 3);
    check(place.in({"count", "-p", "A", "-x", path}), 4);
    check(place.in({"count", "-p", "A"}, {"GSX_INDEX=" + path}), 4);
    check(place.in({"sa", "g.fa", "--device", name}), 2);
    if (name[0] != '-') check(place.in({"sa", "g.fa", "--" + name}), 2);
    check(place.in({"sa", "g.fa", "--alphabet", name + '!'}), 2);
    check(place.in({"sa", "g.fa", "-t", name + '!'}), 2);
    check(place.in({"bwt", "g.fa", "--separator", name + "!!"}), 2);
    check(place.in({name + '!'}), 2);
    check(place.in({"count", "-x", "g.gsx", "-p", "A"}, {"GSX_CPU=" + name}), 2);
  }
}

TEST_CASE("a file with a hostile name is indexed, named and searched like any other") {
  const TemporaryFolder folder;
  for (const std::string& name : hostile_names()) {
    if (name.size() > 200 || name.find('/') != std::string::npos || name == ".") continue;
    const std::string path = folder.write(name + ".fa", ">r\nACGT\n");
    const Outcome built = run({"index", "-v", path});
    CHECK(built.exit_code == 0);
    CHECK(is_safe_message(built.err));
    const std::string index = folder / (name + ".gsx");
    for (const Arguments& request : {Arguments{"info", index}, Arguments{"verify", index}}) {
      const Outcome outcome = run(request);
      CHECK(outcome.exit_code == 0);
      CHECK_FALSE(has_raw_control(outcome.out, "\t\n"));
      CHECK(is_safe_message(outcome.err));
    }
    CHECK(is_json(output_of(run({"info", "--json", index}))));
    CHECK(output_of(run({"count", "-q", "-x", index, "-p", "ACGT", "--no-header"})) ==
          "ACGT\t4\t2\t1\t1\n");
    std::string bytes = read_file(index);
    bytes.back() = 'x';
    write_file(index, bytes);
    const Outcome corrupt = run({"verify", index});
    check_failure(corrupt, 5);
    CHECK(is_safe_message(corrupt.err));
  }
}

TEST_CASE("a pattern from the command line is also a name") {
  const Place place;
  for (const char* pattern : {"acgu", "ACGTN"}) {
    check_table(output_of(place.in({"count", "-q", "-x", "g.gsx", "-p", pattern})), 5, 2);
    const std::string json =
        output_of(place.in({"locate", "-q", "-x", "g.gsx", "--jsonl", "-p", pattern}));
    CHECK(is_json(json));
    CHECK(lines_of(json).size() == 1);
  }
  // What is not a pattern is refused, and the message shows it safely.
  std::string all_bytes;
  for (int byte = 1; byte < 256; ++byte)
    all_bytes += static_cast<char>(byte);
  for (const std::string& pattern :
       {std::string("a\tb\nc\rd"), all_bytes, std::string("\x1b[2J")}) {
    const Outcome outcome = place.in({"count", "-q", "-x", "g.gsx", "-p", pattern});
    check_failure(outcome, 2);
    CHECK(is_safe_message(outcome.err));
  }
}

TEST_CASE("bench is safe in a folder that others can write to") {
  const TemporaryFolder folder;
  folder.write("victim", "precious");
  std::filesystem::permissions(folder.path(),
                               std::filesystem::perms::all | std::filesystem::perms::sticky_bit);
  // The temporary file of an output has a name that nobody can foresee; bench makes a folder that
  // nobody else can write to.
  for (const char* plant : {"reads.fq", "results.txt", "index.gsx"})
    std::filesystem::create_symlink("victim", folder / plant);
  const Outcome bench = run({"bench", "-q", "--length", "2000", "--reads", "10", "--work",
                             "pipeline,locate", "--device", "cpu", "--repeat", "1"},
                            {.environment = {"TMPDIR=" + folder.path()}});
  CHECK(bench.exit_code == 0);
  CHECK(folder.read("victim") == "precious");
}
