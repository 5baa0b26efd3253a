// PieceRuns and the writing of tracks as text: the longest runs, whatever the threads and pieces.
#include <doctest/doctest.h>

#include <charconv>
#include <stdexcept>

#include "base/error.hpp"
#include "output/tracks/value_text.hpp"
#include "support/seeds.hpp"
#include "support/track_cases.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::string decimal(float value) {
  char text[64];
  if (std::abs(value) <= 16777216.0F && value == std::trunc(value))
    return std::to_string(static_cast<long>(value));
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string naive_text(const TrackCase& track, bool tsv) {
  std::string text = tsv ? "record\tbegin\tend\tvalue\n" : "";
  for (const ValueRun& run : naive_runs(track))
    text += track.names[run.record] + '\t' + std::to_string(run.begin) + '\t' +
            std::to_string(run.end) + '\t' + decimal(run.value) + '\n';
  return text;
}

std::string put(ValueText& values, float value) {
  char text[most_value_digits];
  return {text, values.put(text, std::bit_cast<std::uint32_t>(value))};
}

/// The bytes of one record of this length, whose values `fill` gives.
std::string text_of(std::uint64_t length, TrackKind kind, const TrackFill& fill,
                    std::uint64_t piece = 1 << 18, const std::string& name = "r") {
  const TemporaryFolder folder;
  const std::vector<TrackRecord> records = {{name, length}};
  Output output(folder / "track");
  TextTrackWriter writer(output, TrackText::bed_graph);
  TrackWriter* const writers[] = {&writer};
  write_track(records, fill, writers, {.threads = 2, .kind = kind, .piece = piece});
  output.commit();
  return folder.read("track");
}

}  // namespace

TEST_CASE("a track as text has the longest runs, for any threads, pieces and way of giving") {
  Random random(run_seed());
  for (int round = 0; round < 10; ++round) {
    CAPTURE(round);
    const std::vector<float> table = drawn_table(random, 2 + below(random, 200));
    const TrackCase track = drawn_track(random, table, 1 + below(random, 20), 4000);
    const std::string graph = naive_text(track, false);
    CHECK(written(track, TrackFormat::tsv) == naive_text(track, true));
    for (const int threads : {1, 2, 5}) {
      for (const std::uint64_t piece : {1, 63, 64, 65, 1000, 1 << 18}) {
        if (piece == 1 && round % 5 != 0) continue;
        const auto giving = static_cast<Giving>(below(random, 5));
        CAPTURE(threads);
        CAPTURE(piece);
        CHECK(written(track, TrackFormat::bed_graph, {threads, piece, giving}, table) == graph);
      }
    }
  }
}

TEST_CASE("runs that begin and end at every place of a block are found") {
  TrackCase track;
  for (std::uint64_t length = 1; length < 200; length += 3) {
    for (std::uint64_t begin = 0; begin < length; ++begin) {
      std::vector<float> values(length, 0.25F);
      values[begin] = 0.5F;
      track.add("r" + std::to_string(length) + '.' + std::to_string(begin), values);
    }
  }
  const std::string expected = naive_text(track, false);
  for (const Giving giving : {Giving::values, Giving::codes8, Giving::codes16, Giving::codes32})
    CHECK(written(track, TrackFormat::bed_graph, {1, 1 << 18, giving}, {0.25F, 0.5F}) == expected);
}

TEST_CASE("records without positions or values have no lines") {
  TrackCase track;
  CHECK(written(track, TrackFormat::bed_graph) == "");
  track.add("empty", {});
  track.add("none", std::vector<float>(100, no_value));
  CHECK(written(track, TrackFormat::bed_graph) == "");
  CHECK(written(track, TrackFormat::tsv) == "record\tbegin\tend\tvalue\n");
  track.add("one", {2});
  track.add("", {});
  CHECK(written(track, TrackFormat::bed_graph) == "one\t0\t1\t2\n");
}

TEST_CASE("-0 is 0, and every NaN is no value") {
  TrackCase track;
  const float other_nan = std::bit_cast<float>(0xFFC12345U);
  track.add("r", {0, -0.0F, -0.0F, other_nan, no_value, 1, 1, no_value, 1});
  for (const Giving giving : {Giving::values, Giving::runs})
    CHECK(written(track, TrackFormat::bed_graph, {1, 4, giving}) ==
          "r\t0\t3\t0\nr\t5\t7\t1\nr\t8\t9\t1\n");
}

TEST_CASE("codes of equal values make one run") {
  const std::vector<float> table = {no_value, 0.5F, 0.5F, 3};
  const std::vector<std::uint8_t> codes = {1, 2, 1, 0, 2, 3, 3};
  CHECK(text_of(codes.size(), TrackKind::real, [&](const TrackRange& range, PieceRuns& runs) {
          runs.add_codes(range.begin, std::span(codes).subspan(range.begin), table);
        }) == "r\t0\t3\t0.5\nr\t4\t5\t0.5\nr\t5\t7\t3\n");
}

TEST_CASE("a value as text: whole numbers by their digits, others as short as they read back") {
  ValueText values(TrackKind::real);
  for (int again = 0; again < 2; ++again) {
    CHECK(put(values, 0) == "0");
    CHECK(put(values, 1000000) == "1000000");
    CHECK(put(values, -17) == "-17");
    CHECK(put(values, 16777216) == "16777216");
    CHECK(put(values, 1.0F / 3) == "0.33333334");
    CHECK(put(values, 0.1F) == "0.1");
    CHECK(put(values, -1.17549435e-38F) == "-1.1754944e-38");
  }
  Random random(run_seed());
  for (int i = 0; i < 200'000; ++i) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isfinite(value)) continue;
    const std::string text = put(values, value);
    float back = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), back);
    REQUIRE(read.ptr == text.data() + text.size());
    REQUIRE(back == value);
    REQUIRE(text.size() <= decimal(value).size());
  }
}

TEST_CASE("counts are exact, and the largest stands for no value") {
  const std::vector<std::uint32_t> counts = {0, 0, 16777217, 16777217, 4294967294, no_count, 7};
  const auto fill = [&](const TrackRange& range, PieceRuns& runs) {
    runs.add_counts(range.begin, std::span(counts).subspan(range.begin, range.end - range.begin));
  };
  const std::string expected = "r\t0\t2\t0\nr\t2\t4\t16777217\nr\t4\t5\t4294967294\nr\t6\t7\t7\n";
  for (const std::uint64_t piece : {1, 3, 100})
    CHECK(text_of(counts.size(), TrackKind::count, fill, piece) == expected);
  CHECK(text_of(9, TrackKind::count, [](const TrackRange& range, PieceRuns& runs) {
          runs.add_count(range.begin + 1, range.end, 12);
        }) == "r\t1\t9\t12\n");
}

TEST_CASE("a run may be longer than 2^32 positions") {
  constexpr std::uint64_t length = (std::uint64_t{1} << 33) + 5;
  constexpr std::uint64_t piece = (std::uint64_t{1} << 31) + 3;
  CHECK(text_of(
            length, TrackKind::real,
            [](const TrackRange& range, PieceRuns& runs) {
              const std::uint64_t end = std::min(range.end, length - 1);
              if (range.begin < end) runs.add(range.begin, end, 0.5F);
              if (range.end == length) runs.add(length - 1, length, 2);
            },
            piece) == "r\t0\t8589934596\t0.5\nr\t8589934596\t8589934597\t2\n");
}

TEST_CASE("names that would break a line or look like a header are escaped as in BED") {
  const auto one = [](const TrackRange& range, PieceRuns& runs) {
    runs.add(range.begin, range.end, 1);
  };
  CHECK(text_of(1, TrackKind::real, one, 10, "a\tb") == "a\\x09b\t0\t1\t1\n");
  CHECK(text_of(1, TrackKind::real, one, 10, "track") == "\\x74rack\t0\t1\t1\n");
}

TEST_CASE("a producer that gives values out of order, or fails, ends the run") {
  const auto message_of = [](const TrackFill& fill) -> std::string {
    try {
      text_of(1000, TrackKind::real, fill, 100);
    } catch (const std::exception& error) {
      return error.what();
    }
    return {};
  };
  const std::string order = "out of order";
  CHECK(message_of([](const TrackRange& range, PieceRuns& runs) {
          runs.add(range.begin + 1, range.begin + 2, 1);
          runs.add(range.begin, range.begin + 1, 1);
        }).find(order) != std::string::npos);
  CHECK(message_of([](const TrackRange& range, PieceRuns& runs) {
          runs.add(range.begin, range.end + 1, 1);
        }).find(order) != std::string::npos);
  CHECK(message_of([](const TrackRange& range, PieceRuns& runs) {
          runs.add_values(range.begin, std::vector<float>(101, 1));
        }).find(order) != std::string::npos);
  CHECK(message_of([](const TrackRange& range, PieceRuns& runs) {
          runs.add_count(range.begin, range.end, 1);
        }).find("not both") != std::string::npos);
  CHECK(message_of([](const TrackRange& range, PieceRuns&) {
          if (range.begin == 500) throw std::runtime_error("no more");
        }) == "no more");
}

TEST_CASE("several writers take the same values, and progress ends with 1") {
  Random random(run_seed());
  const std::vector<float> table = drawn_table(random, 20);
  const TrackCase track = drawn_track(random, table, 5, 5000);
  const TemporaryFolder folder;
  const std::vector<TrackRecord> records = track.records();
  Output graph(folder / "graph"), tsv(folder / "tsv"), wig(folder / "wig");
  TextTrackWriter graph_writer(graph, TrackText::bed_graph), tsv_writer(tsv, TrackText::tsv);
  BigWigWriter wig_writer(wig, {});
  TrackWriter* const writers[] = {&graph_writer, &tsv_writer, &wig_writer};
  double last = -1;
  write_track(records,
              [&](const TrackRange& range, PieceRuns& runs) {
                give(track, table, Giving::values, range, runs);
              },
              writers,
              {.threads = 3,
               .kind = TrackKind::real,
               .piece = 100,
               .progress = [&](const char*, double part) {
                 CHECK(part >= last);
                 last = part;
               }});
  for (Output* output : {&graph, &tsv, &wig})
    output->commit();
  CHECK(last == 1);
  CHECK(folder.read("graph") == written(track, TrackFormat::bed_graph));
  CHECK(folder.read("tsv") == written(track, TrackFormat::tsv));
  CHECK(folder.read("wig") == written(track, TrackFormat::bigwig));
}

TEST_CASE("a full disk is an error of resources") {
  TrackCase track;
  track.add("r", {1, 2, 3});
  const std::vector<TrackRecord> records = track.records();
  Output output("/dev/full");
  TextTrackWriter writer(output, TrackText::bed_graph);
  TrackWriter* const writers[] = {&writer};
  write_track(records,
              [&](const TrackRange& range, PieceRuns& runs) {
                give(track, {}, Giving::values, range, runs);
              },
              writers, {});
  CHECK_THROWS_AS(output.commit(), ResourceError);
}
