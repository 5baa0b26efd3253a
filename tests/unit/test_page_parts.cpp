// Parts of a report: text as HTML, JSON, lengths, axes and summaries.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/error.hpp"
#include "output/json/json.hpp"
#include "output/page/chart.hpp"
#include "output/page/html.hpp"
#include "output/page/length_facts.hpp"
#include "output/page/report_page.hpp"
#include "output/page/run_facts.hpp"
#include "output/page/spectrum_facts.hpp"
#include "output/page/symbol_counts.hpp"
#include "support/files.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// What is wrong with a document, or "".
std::string fault_of(const std::string& text) {
  try {
    parse_json(text);
    return "";
  } catch (const JsonFault& fault) {
    return fault.what + " at " + std::to_string(fault.at);
  }
}

const std::string counted =
    R"({"version":"0.1.0","command":"count","queries":10,"queries_with_hits":4,)"
    R"("queries_that_cannot_match":1,"queries_truncated":0,"hits":9,"hits_fwd":5,"hits_rev":4,)"
    R"("options":{"strand":"both","mismatches":2,"circular":[],"iupac":false}})";

/// `counted` with one part replaced.
std::string with(const std::string& part, const std::string& by) {
  std::string text = counted;
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), by);
}

RunFacts facts_of(const std::string& summary) {
  return run_facts(parse_summary("'s.json'", summary));
}

std::string refusal_of(const std::string& summary) {
  try {
    facts_of(summary);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("text as HTML holds no markup, no control characters, and is UTF-8") {
  CHECK(html_text("<a href=\"x\">&'</a>") == "&lt;a href=&quot;x&quot;&gt;&amp;&#39;&lt;/a&gt;");
  CHECK(html_text("\x01\x7F\t\xFF") == "\\x01\\x7F\\x09\\xFF");
  CHECK(html_text("\u00e9\u202e") == "\u00e9\\xE2\\x80\\xAE");  // one that changes the direction
  CHECK(html_text("") == "");
  CHECK(html_name("") == ".");
  CHECK(html_name("abcdefghij", 10) == "abcdefghij");
  CHECK(html_name("abcdefghijk", 10) == "abcde\u2026hijk");
  CHECK(html_name("<<<<<<<<<<<", 4) == "&lt;&lt;\u2026&lt;");
  CHECK(html_name("\u00e9\u00e9\u00e9\u00e9\u00e9", 4) == "\u00e9\u00e9\u2026\u00e9");
}

TEST_CASE("numbers are grouped, shortened, and told in per cent") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(~std::uint64_t{0}) == "18,446,744,073,709,551,615");
  CHECK(short_number(0) == "0");
  CHECK(short_number(0.2) == "0.2");
  CHECK(short_number(9999) == "9999");
  CHECK(short_number(48502) == "48.5k");
  CHECK(short_number(999960) == "1M");
  CHECK(short_number(3.1e9) == "3.1G");
  CHECK(percent(1, 3, 2) == "33.33\u202F%");
  CHECK(percent(0, 0) == "\u2013");
}

TEST_CASE("JSON is parsed as RFC 8259 has it, and all else is refused") {
  const JsonValue value = parse_json(" {\"a\": [1, -2.5e3, true, null], \"b\": \"\\u00e9\\n\"} ");
  const JsonValue* const list = find_member(value.members, "a");
  REQUIRE(list != nullptr);
  CHECK(list->items.size() == 4);
  CHECK(list->items[1].text == "-2.5e3");
  CHECK(find_member(value.members, "b")->text == "\u00e9\n");
  CHECK(parse_json("\"\\ud83d\\ude00\"").text == "\U0001F600");
  CHECK(find_member(value.members, "c") == nullptr);
  for (const char* wrong : {"",
                            " ",
                            "{",
                            "[",
                            "[1,]",
                            "{\"a\"}",
                            "{\"a\":}",
                            "{a:1}",
                            "01",
                            "-",
                            "1.",
                            "1e",
                            ".5",
                            "nul",
                            "\"",
                            "\"\\x\"",
                            "\"\\u12\"",
                            "\"\\ud800\"",
                            "\"\\udc00\"",
                            "\"\xff\"",
                            "\"\xed\xa0\x80\"",
                            "NaN",
                            "-Infinity",
                            "{\"a\":1,\"b\":2,\"a\":1}",
                            "\"\\ud800\\u0041\"",
                            "\"\n\"",
                            "1 2",
                            "[1] x",
                            "+1",
                            "{\"a\":1,}",
                            "'a'"}) {
    CAPTURE(wrong);
    CHECK(fault_of(wrong) != "");
  }
  CHECK(fault_of(std::string(10, '[') + std::string(10, ']')) == "");
  CHECK(fault_of(std::string(100000, '[')) == "values are nested too deeply at 17");
  CHECK(fault_of(std::string(17, '[') + std::string(17, ']')) == "");
  CHECK(fault_of(std::string(17, '[') + "1") == "values are nested too deeply at 17");
  CHECK(fault_of("{\"a\":1 2}") == "missing a comma or '}' after an object member at 7");
  CHECK(fault_of(std::string("1\0", 2)) == "something follows the value at 1");
  CHECK(fault_of(std::string("1\0x", 3)) != "");
}

TEST_CASE("JSON is written as it was read: numbers, order, and any bytes") {
  for (const std::string& text : std::initializer_list<std::string>{
           "[]", "{}", "null", R"({"b":[18446744073709551615,-0,1e-07,0.30],"a":{"c":null,"":[]}})",
           R"(["\u0000\u001f\u007f\"\\/","\u00e9"])"}) {
    const std::string written = json_text(parse_json(text));
    CHECK(json_text(parse_json(written)) == written);
    if (text.find("u00e9") == std::string::npos) CHECK(written == text);
  }
  CHECK(json_text(JsonMembers{{"a", true}, {"b", ~std::uint64_t{0}}, {"c", 0.0}, {"d", 0.0001}}) ==
        R"({"a":true,"b":18446744073709551615,"c":0,"d":0.0001})");
  CHECK(json_text(std::vector<std::string>{"\xff", "a\n"}) == "[\"\u00ff\",\"a\\u000a\"]");
  CHECK(json_text("text") == "\"text\"");
}

TEST_CASE("N50 and its kin are those of a naive count, and bins hold every length once") {
  Random random(3);
  for (const std::uint64_t most : {1, 2, 10, 100000}) {
    for (int round = 0; round < 20; ++round) {
      std::vector<std::uint64_t> lengths(1 + random() % 50);
      for (std::uint64_t& length : lengths)
        length = random() % most + (round % 2);
      const std::uint64_t genome = random() % 1000 + 1;
      const LengthFacts facts(lengths, genome);
      std::sort(lengths.rbegin(), lengths.rend());
      std::uint64_t total = 0, sum = 0, n50 = 0, ng50 = 0;
      for (const std::uint64_t length : lengths)
        total += length;
      for (const std::uint64_t length : lengths) {
        sum += length;
        if (n50 == 0 && 2 * sum >= total) n50 = length;
        if (ng50 == 0 && 2 * sum >= genome) ng50 = length;
      }
      CHECK(facts.total == total);
      CHECK(facts.n50 == n50);
      CHECK(facts.ng50.value_or(0) == ng50);
      CHECK(facts.longest == lengths.front());
      CHECK(facts.shortest == lengths.back());
      REQUIRE(!facts.bins.empty());
      CHECK(facts.bins.size() <= 60);
      std::uint64_t in_bins = 0;
      for (std::size_t i = 0; i < facts.bins.size(); ++i) {
        const LengthBin& bin = facts.bins[i];
        CHECK(bin.from <= bin.to);
        if (i > 0) CHECK(bin.from == facts.bins[i - 1].to + 1);
        std::uint64_t here = 0;
        for (const std::uint64_t length : lengths)
          here += bin.from <= length && length <= bin.to ? 1 : 0;
        CHECK(bin.count == here);
        in_bins += here;
      }
      CHECK(in_bins == lengths.size());
    }
  }
  CHECK(LengthFacts({}).bins.empty());
  const std::vector<std::uint64_t> far = {1, ~std::uint64_t{0} >> 8};
  CHECK(LengthFacts(far).bins.back().count == 1);
}

TEST_CASE("an axis holds its values, and its ticks lie on it") {
  for (const double most : {0.0, 1e-3, 1.0, 7.0, 999.0, 1e12}) {
    CAPTURE(most);
    const Axis axis = Axis::up_to(most);
    CHECK(axis.high >= most);
    CHECK(axis.ticks.size() >= 2);
    CHECK(axis.ticks.size() <= 8);
    for (const auto& [value, label] : axis.ticks)
      CHECK(value <= axis.high * (1 + 1e-9));
  }
  for (const double most : {1.0, 17.0, 1000.0, 1e9}) {
    const Axis axis = Axis::of_powers(1, most);
    CHECK(axis.place(1) == 0);
    CHECK(!axis.ticks.empty());
    CHECK(axis.place(0) == 0);
  }
}

TEST_CASE("symbols of 2 bits are counted as one by one") {
  Random random(8);
  PackedArray codes(1000, 2, "codes");
  PackedWriter writer = codes.writer(0);
  std::vector<std::uint64_t> plain;
  for (int i = 0; i < 1000; ++i) {
    plain.push_back(random() % 4);
    writer.push(plain.back());
  }
  writer.finish();
  for (int round = 0; round < 300; ++round) {
    const std::uint64_t begin = random() % 1000, end = begin + random() % (1001 - begin);
    CodeCounts counts{}, expected{};
    count_codes(codes.view(), begin, end, counts);
    for (std::uint64_t i = begin; i < end; ++i)
      ++expected[plain[i]];
    CHECK(counts == expected);
  }
}

TEST_CASE("a summary is read, and one that contradicts itself is refused") {
  const RunFacts run = facts_of(counted);
  CHECK(run.queries == 10);
  CHECK(run.matched == 4);
  CHECK(run.hits_forward == 5);
  CHECK(run.options == "strand both; mismatches 2; iupac false");
  CHECK(!facts_of(with("\"hits_fwd\":5,\"hits_rev\":4,", "")).hits_forward);
  CHECK(refusal_of(with("\"hits_fwd\":5", "\"hits_fwd\":6")) != "");
  CHECK(refusal_of(with("\"queries\":10", "\"queries\":3")) != "");
  CHECK(refusal_of(with("\"queries\":10", "\"queries\":-1")) != "");
  CHECK(refusal_of(with("\"queries\":10", "\"queries\":1.5")) != "");
  CHECK(refusal_of(with("\"queries\":10", "\"queries\":99999999999999999999999")) != "");
  CHECK(refusal_of(with("\"queries\":10,", "")).find("no member queries") != std::string::npos);
  CHECK(refusal_of("[]").find("no JSON object") != std::string::npos);
  CHECK(refusal_of(">a").find("byte 1") != std::string::npos);
  CHECK(refusal_of(R"({"version":"1","command":"filter","reads":1})") != "");
}

TEST_CASE("a summary of a command that writes none is refused, whatever its name is") {
  const std::string name(900000, 'c');
  for (const std::string& command : {std::string("extract"), std::string(), name}) {
    const std::string refusal = refusal_of(with("\"count\"", '"' + command + '"'));
    CHECK(refusal.find("command is none that writes a summary") != std::string::npos);
    CHECK(refusal.size() < 200);
  }
}

TEST_CASE("samples have the names of their files, and twins of a command their paths") {
  const std::vector<std::pair<std::string, std::string>> files = {
      {"a/s1.summary.json", "s1"},
      {"b/x.json", "b/x.json"},
      {"c/x.count.json.gz", "c/x.count.json.gz"},
      {".json", ".json"},
      {"s2.count.json", "s2"},
      {"s2.locate.json", "s2.locate"},
      {"s3.summary.count.json", "s3"},
      {"count.json", "count"},
      {"-", "standard input"}};
  std::vector<RunFacts> runs(files.size());
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < files.size(); ++i) {
    runs[i].command = "count";
    paths.push_back(files[i].first);
  }
  name_samples(runs, paths);
  for (std::size_t i = 0; i < files.size(); ++i)
    CHECK(runs[i].sample == files[i].second);
  runs[5].command = "locate";
  name_samples(runs, paths);
  CHECK(runs[4].sample == "s2");
  CHECK(runs[5].sample == "s2");
}

TEST_CASE("what has no row in the table of options, and no bar among the rates, is counted") {
  RunFacts run = facts_of(counted);
  std::vector<RunFacts> runs(20, run);
  for (int i = 0; i < 20; ++i)
    runs[static_cast<std::size_t>(i)].options = "k " + std::to_string(i);
  CHECK(runs_section(runs).find("of options") == std::string::npos);
  run.options = "k 20";
  runs.push_back(run);
  CHECK(runs_section(runs).find("1 more run, with 1 other set of options, has no row.") !=
        std::string::npos);
  run.options = "k 21";
  runs.insert(runs.end(), 3, run);
  runs.push_back(runs[0]);
  const std::string section = runs_section(runs);
  CHECK(section.find("4 more runs, with 2 other sets of options, have no row.") !=
        std::string::npos);
  CHECK(section.find("The lowest is 40.0\u202F%") != std::string::npos);
  CHECK(section.find("left out") == std::string::npos);
  runs.resize(11);
  runs[3].queries = runs[3].matched = 0;
  CHECK(runs_section(runs).find("The lowest is 40.0\u202F%, the median 40.0\u202F%, the highest "
                                "40.0\u202F%. 1 sample without queries is left out.") !=
        std::string::npos);
  runs[4].command = "ms";  // of each command, its own; 9 are too few
  CHECK(runs_section(runs).find("Samples by hit rate") == std::string::npos);
}

TEST_CASE("a spectrum is read, and thinned to its first and last rows") {
  const TemporaryFolder folder;
  std::string table = "k\tdistinct\tunique\ttotal\n";
  for (int k = 1; k <= 5000; ++k)
    table += std::to_string(k) + "\t4\t1\t9000\n";
  folder.write("s.tsv", table);
  const auto rows = read_spectrum(folder / "s.tsv");
  CHECK(rows.size() == 5000);
  const auto some = thinned(rows, 40);
  CHECK(some.size() <= 40);
  CHECK(some.front().k == 1);
  CHECK(some.back().k == 5000);
  CHECK(thinned({rows.begin(), rows.begin() + 7}, 40).size() == 7);
  const std::string header = "k\tdistinct\tunique\ttotal\n";
  for (const std::string& wrong :
       {std::string(""), std::string("k\n"), header + "1\t2\t3\n", header + "1\t2\t3\t4\t5\n",
        header + "1\t2\t3\t2\n", header + "2\t1\t1\t2\n1\t1\t1\t2\n", header + "0\t1\t1\t2\n",
        header + "x\t1\t1\t2\n", header + "1\t1\t1\t99999999999999999999999\n"}) {
    CAPTURE(wrong);
    folder.write("s.tsv", wrong);
    CHECK_THROWS_AS(read_spectrum(folder / "s.tsv"), InputError);
  }
}
