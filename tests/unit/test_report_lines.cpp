// Lines of counts and hits against lines made the simple way.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "output/lines/digits.hpp"
#include "output/lines/gff3.hpp"
#include "output/lines/query_report.hpp"
#include "output/lines/text_format.hpp"
#include "search/exact/hit_chunks.hpp"
#include "support/largest_numbers.hpp"
#include "support/texts.hpp"
#include "text/text_builder.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::string digits_of(std::uint64_t value) {
  char digits[most_digits];
  return {digits, put_number(digits, value)};
}

/// Queries whose names are short, long, empty, or need escapes.
RecordBatch named_queries(Random& random, bool odd_names) {
  RecordBatch batch;
  const auto add = [&](const std::string& name) {
    batch.begin_record(name, "");
    batch.append(random_string(random, below(random, 300), "ACGT"));
  };
  for (int i = 0; i < 200; ++i)
    add("read" + std::to_string(i));
  for (const char* name : {"", ".", "r", "xy", "a\\b"})
    if (odd_names || name[0] != 'a') add(name);
  add(std::string(40'000, 'n'));  // longer than a writer's buffer
  if (odd_names) {
    for (const char* name : {"\x01", "two\x07words", "back\\x41", "\\\\"})
      add(name);
  }
  return batch;
}

std::string column(std::string_view name) {
  std::string out;
  append_name(out, name);
  return out;
}

/// The text, and how often it was passed on.
struct Collected {
  std::string text;
  int pieces = 0;

  TextPieces into(std::size_t piece) {
    return {piece, [this](std::string& some) {
              text += some;
              some.clear();
              ++pieces;
            }};
  }
};

std::string join(const std::vector<std::string>& columns) {
  std::string line;
  for (const std::string& one : columns)
    line += (line.empty() ? "" : "\t") + one;
  return line + "\n";
}

/// A hit's line as the format's description has it.
std::string hit_line(ResultFormat format, const RecordBatch& queries, std::size_t q,
                     const HitChunk& chunk, std::size_t i, std::uint64_t number, const Text& text,
                     Hit hit) {
  const RecordsView targets = text.records_view();
  const SegmentsView segments = text.view().segments;
  const std::uint64_t segment = segments.segment_at(hit.position());
  const std::uint64_t record = targets.segment_records[segment];
  const std::uint64_t start =
      targets.segment_offsets[segment] + hit.position() - segments.starts[segment];
  const auto text_of = [](std::uint64_t value) { return std::to_string(value); };
  const std::uint64_t length = queries.length(q), total = chunk.counts[i].total(),
                      reported = chunk.reported(i);
  const std::string name = column(queries.name(q)), target = column(targets.name(record)),
                    strand(1, hit.is_reverse() ? '-' : '+'), begin = text_of(start),
                    end = text_of(start + length);
  std::string bed_target, json_target, json_query;
  append_bed_target(bed_target, targets.name(record));
  append_json_string(json_target, targets.name(record));
  append_json_string(json_query, queries.name(q));
  switch (format) {
    case ResultFormat::tsv:
      return join({name, target, begin, end, strand, "0", text_of(total), text_of(reported),
                   reported < total ? "yes" : "no"});
    case ResultFormat::bed:
      return join({bed_target, begin, end, name, "0", strand});
    case ResultFormat::paf:
      return join({name, text_of(length), "0", text_of(length), strand, target,
                   text_of(targets.infos[record].length), begin, end, text_of(length),
                   text_of(length), "255", "NM:i:0", "nh:i:" + text_of(total),
                   "cg:Z:" + text_of(length) + "="});
    case ResultFormat::gff3: {
      std::string place, value;
      append_gff3_target(place, targets.name(record));
      append_gff3_value(value, queries.name(q));
      return join({place, "gsx", "match", text_of(start + 1), end, ".", strand, ".",
                   "Name=" + value + ";mismatches=0;n_total=" + text_of(total) + ";n_reported=" +
                       text_of(reported) + ";truncated=" + (reported < total ? "yes" : "no")});
    }
    default:
      break;
  }
  std::string object = number > 0 ? "," : "";
  object += "{\"target_id\":" + json_target + ",\"start\":" + begin + ",\"end\":" + end +
            ",\"strand\":\"" + strand + "\",\"mismatches\":0}";
  return object;
}

std::string json_opening(const RecordBatch& queries, std::size_t q, const HitChunk& chunk,
                         std::size_t i) {
  std::string name;
  append_json_string(name, queries.name(q));
  return "{\"query_id\":" + name + ",\"length\":" + std::to_string(queries.length(q)) +
         ",\"n_total\":" + std::to_string(chunk.counts[i].total()) +
         ",\"n_reported\":" + std::to_string(chunk.reported(i)) +
         ",\"truncated\":" + (chunk.reported(i) < chunk.counts[i].total() ? "true" : "false") +
         ",\"hits\":[";
}

}  // namespace

TEST_CASE("numbers are written as std::to_string writes them") {
  Random random(91);
  std::uint64_t wrong = 0;
  for (std::uint64_t value = 0; value < 200'000; ++value)
    wrong += digits_of(value) != std::to_string(value);
  std::uint64_t power = 1;
  for (int digits = 1; digits <= 20; ++digits, power *= 10) {
    for (const std::uint64_t value : {power - 1, power, power + 1, 2 * power, 9 * power})
      wrong += digits_of(value) != std::to_string(value);
  }
  for (int i = 0; i < 200'000; ++i) {
    const std::uint64_t value = random() >> below(random, 64);
    wrong += digits_of(value) != std::to_string(value);
  }
  CHECK(wrong == 0);
  CHECK(digits_of(~std::uint64_t{0}) == "18446744073709551615");
}

TEST_CASE("lines of counts, for names of all kinds and pieces of any size") {
  Random random(92);
  for (const bool odd_names : {false, true}) {
    const RecordBatch queries = named_queries(random, odd_names);
    std::vector<StrandCounts> counts(queries.size());
    std::string expected;
    for (std::size_t i = 0; i < queries.size(); ++i) {
      counts[i] = {random() >> below(random, 63) >> 1, below(random, 3)};
      expected += join({column(queries.name(i)), std::to_string(queries.length(i)),
                        std::to_string(counts[i].total()), std::to_string(counts[i].forward),
                        std::to_string(counts[i].reverse)});
    }
    for (const std::size_t piece : {1u, 1000u, 1u << 20}) {
      Collected collected;
      TextPieces pieces = collected.into(piece);
      append_counts(pieces, queries, counts);
      pieces.flush();
      CHECK((collected.text == expected));
    }
  }
}

TEST_CASE("lines of hits in all formats, in chunks that begin and end inside queries") {
  Random random(93);
  RecordBatch records;
  for (const char* name : {"one", "#two", "track", "t\"h\\x", ".", "six"}) {
    records.begin_record(name, "");
    records.append(random_string(random, 300 + below(random, 300), "ACGT") + "NN" +
                   random_string(random, 400, "ACGT"));
  }
  TextBuilder builder({});
  builder.add(records);
  const Text text = builder.finish();
  const RecordBatch queries = named_queries(random, true);
  std::vector<StrandCounts> counts(queries.size());
  std::vector<std::uint64_t> ends;
  std::vector<Hit> hits;
  constexpr std::uint64_t max_hits = 30;
  for (StrandCounts& both : counts) {
    both = {below(random, 3) * below(random, 20), below(random, 2)};
    const std::uint64_t length = std::max<std::uint64_t>(1, queries.length(ends.size()));
    for (std::uint64_t i = 0; i < std::min(max_hits, both.total()); ++i) {
      std::uint64_t position = 0;
      do {
        position = below(random, text.length());
      } while (text.view().segments.separator_from(position) < position + length);
      hits.emplace_back(position, below(random, 2) == 0);
    }
    ends.push_back(hits.size());
  }
  const HitChunk all{0, 0, max_hits, counts, ends, hits};
  for (const ResultFormat format : {ResultFormat::tsv, ResultFormat::bed, ResultFormat::paf,
                                    ResultFormat::jsonl, ResultFormat::gff3}) {
    std::string expected;
    for (std::size_t q = 0, next = 0; q < queries.size(); ++q) {
      const bool json = format == ResultFormat::jsonl;
      if (json) expected += json_opening(queries, q, all, q);
      for (std::uint64_t number = 0; next < ends[q]; ++next, ++number)
        expected += hit_line(format, queries, q, all, q, number, text, hits[next]);
      if (json) expected += "]}\n";
    }
    for (const std::uint64_t most : {std::uint64_t{1}, std::uint64_t{7}, unlimited}) {
      Collected collected;
      TextPieces pieces = collected.into(5000);
      const HitSink report = [&](const HitChunk& chunk) {
        append_hits(pieces, queries, chunk, text.records_view(), text.view().segments, format);
      };
      give_in_pieces(
          all, most,
          [&](std::uint64_t begin, std::uint64_t count) {
            return std::span<const Hit>(hits).subspan(begin, count);
          },
          report);
      pieces.flush();
      CHECK((collected.text == expected));
      CHECK(collected.pieces > 1);
    }
  }
}

TEST_CASE("the longest numbers have room in the lines of every format") {
  constexpr std::uint64_t most = ~std::uint64_t{0};
  const Text text = text_of_largest_numbers("t");
  RecordBatch queries;
  for (int i = 0; i < 500; ++i) {
    queries.begin_record("q", "");
    queries.append("ACGT");
  }
  const std::vector<StrandCounts> counts(queries.size(), {most - 1, 1});
  const std::vector<Hit> hits(queries.size(), Hit(0, false));
  std::vector<std::uint64_t> ends;
  for (std::uint64_t i = 1; i <= queries.size(); ++i)
    ends.push_back(i);
  const HitChunk chunk{0, 0, unlimited, counts, ends, hits};
  for (const ResultFormat format : {ResultFormat::tsv, ResultFormat::bed, ResultFormat::paf,
                                    ResultFormat::jsonl, ResultFormat::gff3}) {
    std::string expected;
    for (std::size_t q = 0; q < queries.size(); ++q) {
      if (format == ResultFormat::jsonl) expected += json_opening(queries, q, chunk, q);
      expected += hit_line(format, queries, q, chunk, q, 0, text, hits[q]);
    }
    Collected collected;
    TextPieces pieces = collected.into(1u << 20);
    append_hits(pieces, queries, chunk, text.records_view(), text.view().segments, format);
    pieces.flush();
    CHECK((collected.text == expected));
  }
  Collected collected;
  TextPieces pieces = collected.into(1u << 20);
  append_counts(pieces, queries, counts);
  pieces.flush();
  const std::string line = "q\t4\t18446744073709551615\t18446744073709551614\t1\n";
  CHECK(collected.text.starts_with(line + line));
  CHECK(collected.text.size() == line.size() * queries.size());
}
