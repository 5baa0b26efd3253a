// Lines of maximal matches and of pairs against lines made the simple way.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "output/lines/match_report.hpp"
#include "output/lines/pair_report.hpp"
#include "output/lines/text_format.hpp"
#include "support/largest_numbers.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

constexpr std::uint64_t most = ~std::uint64_t{0};

std::string column(std::string_view name) {
  std::string out;
  append_name(out, name);
  return out;
}

/// Names that need escapes, that are as long as a writer's buffer, and others.
const std::vector<std::string> names = {
    "q", "a longer name", "", ".", "back\\x41", "two\x07words", std::string(40'000, 'n')};

std::string number(std::uint64_t value) {
  return std::to_string(value);
}

}  // namespace

TEST_CASE("lines of matches: the longest numbers, and names of all kinds") {
  const Text text = text_of_largest_numbers("t");
  RecordBatch queries;
  std::vector<ReportedMatch> matches;
  std::string expected;
  for (const std::string& name : names) {
    const std::size_t query = queries.size();
    queries.begin_record(name, "");
    queries.append("ACGT");
    for (int i = 0; i < 300; ++i) {
      const MaximalMatch match{most - 8, static_cast<std::uint64_t>(i % 8), {most - 1, 1}};
      matches.push_back({query, match, i == 0, false, false});
      expected += column(name) + "\t" + number(most - 8) + "\t" + number(most - 8 + i % 8) + "\t" +
                  number(i % 8) + "\t" + number(most - 1) + "\t1\n";
    }
    matches.push_back({query, {}, false, true, true});
  }
  std::string written;
  TextPieces pieces(1000, [&](std::string& some) {
    written += some;
    some.clear();
  });
  MatchReport(ResultFormat::tsv, false, text.records_view(), text.view().segments)
      .append(pieces, queries, matches);
  pieces.flush();
  CHECK((written == expected));
}

TEST_CASE("lines of pairs: the longest numbers, and names of all kinds") {
  constexpr std::uint64_t begin = most - 100, length = 4;
  const std::string first = number(begin), last = number(begin + length), start = number(most - 10),
                    end = number(most - 10 + length);
  for (const std::string& name : names) {
    const std::string& target = name.empty() ? names.front() : name;
    const Text text = text_of_largest_numbers(target);
    const std::string columns[] = {column(name), column(target)};
    std::string in_json[2];
    append_json_string(in_json[0], name);
    append_json_string(in_json[1], target);
    std::vector<MatchPair> pairs;
    std::string tsv, paf, jsonl, mummer;
    for (int i = 0; i < 100; ++i) {
      const bool reverse = i % 3 == 0;
      const std::string strand(1, reverse ? '-' : '+');
      pairs.push_back({0, reverse, begin, length});
      tsv.append(columns[0] + "\t" + first + "\t" + last + "\t4\t" + columns[1] + "\t" + start +
                 "\t" + end + "\t" + strand + "\n");
      paf.append(columns[0] + "\t" + number(most) + "\t" + first + "\t" + last + "\t" + strand +
                 "\t" + columns[1] + "\t" + number(most) + "\t" + start + "\t" + end +
                 "\t4\t4\t255\tNM:i:0\tcg:Z:4=\n");
      jsonl.append("{\"query_id\":" + in_json[0] + ",\"query_start\":" + first +
                   ",\"query_end\":" + last + ",\"length\":4,\"target_id\":" + in_json[1] +
                   ",\"start\":" + start + ",\"end\":" + end + ",\"strand\":\"" + strand + "\"}\n");
      mummer.append("  " + columns[1] + "  " + number(most - 10 + 1) + "  " +
                    (reverse ? last : number(begin + 1)) + "  " + std::string(7, ' ') + "4\n");
    }
    const auto written_as = [&](ResultFormat format) {
      std::string written;
      TextPieces pieces(1000, [&](std::string& some) {
        written += some;
        some.clear();
      });
      PairReport(format, text.records_view(), text.view().segments)
          .append(pieces, {name, 0, most}, pairs);
      pieces.flush();
      return written;
    };
    CHECK((written_as(ResultFormat::tsv) == tsv));
    CHECK((written_as(ResultFormat::paf) == paf));
    CHECK((written_as(ResultFormat::jsonl) == jsonl));
    CHECK((written_as(ResultFormat::mummer) == mummer));
  }
}
