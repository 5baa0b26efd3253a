// bigWig files, read by the independent reader of the test support.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>

#include "base/error.hpp"
#include "output/tracks/bin_joiner.hpp"
#include "support/bigwig_checks.hpp"
#include "support/seeds.hpp"
#include "support/track_cases.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// One record, whose runs have lengths and distances that `length` and `gap` give.
template <class Length, class Gap>
TrackCase made_track(std::size_t runs, const Length& length, const Gap& gap) {
  std::vector<float> values;
  for (std::size_t i = 0; i < runs; ++i) {
    values.insert(values.end(), length(i), static_cast<float>(1 + i % 7));
    values.insert(values.end(), gap(i), no_value);
  }
  TrackCase track;
  track.add("r", values);
  return track;
}

}  // namespace

TEST_CASE("bigWig: drawn tracks are read back, with all zoom levels") {
  Random random(run_seed());
  for (int round = 0; round < 40; ++round) {
    CAPTURE(round);
    const std::vector<float> table = drawn_table(random, 2 + below(random, 200));
    const bool many = round % 4 == 0;
    check_track(
        drawn_track(random, table, 1 + below(random, many ? 700 : 8), many ? 500 : 100'000));
  }
}

TEST_CASE("bigWig: the same bytes for any threads, pieces and way of giving") {
  Random random(run_seed());
  for (int round = 0; round < 6; ++round) {
    const std::vector<float> table = drawn_table(random, 2 + below(random, 200));
    const TrackCase track =
        drawn_track(random, table, round % 2 == 0 ? 3 : 200, round % 2 == 0 ? 50'000 : 2000);
    const std::string expected = written(track, TrackFormat::bigwig);
    check_file(track, expected);
    for (const int threads : {1, 2, 5}) {
      for (const std::uint64_t piece : {37, 1024, 65536}) {
        CAPTURE(threads);
        CAPTURE(piece);
        const auto giving = static_cast<Giving>(below(random, 5));
        CHECK((written(track, TrackFormat::bigwig, {threads, piece, giving}, table) == expected));
      }
    }
  }
}

TEST_CASE("bigWig: sections hold 4096 runs, and are of the smallest type") {
  const auto one = [](std::size_t) { return 1; };
  const auto none = [](std::size_t) { return 0; };
  for (const std::size_t runs : {1, 2, 4095, 4096, 4097, 8192, 8193, 20'000}) {
    CAPTURE(runs);
    const int sections = static_cast<int>((runs + 4095) / 4096);
    using Types = std::map<int, int>;
    const auto types_of = [](const TrackCase& track) { return check_track(track).section_types; };
    CHECK((types_of(made_track(runs, one, none)) == Types{{3, sections}}));
    CHECK((types_of(made_track(
               runs, [](std::size_t) { return 3; }, [](std::size_t) { return 4; })) ==
           Types{{3, sections}}));
    if (runs < 1000) continue;
    const auto varied = [](std::size_t i) { return i % 3 + 1; };
    CHECK(types_of(made_track(runs, one, varied))[2] >= sections - 1);
    CHECK(types_of(made_track(runs, varied, one))[1] >= sections - 1);
    // Two positions per run take less as single positions, four do not.
    CHECK(types_of(made_track(runs, varied, none))[3] >= sections - 1);
    const auto longer = [](std::size_t i) { return i % 3 + 3; };
    CHECK(types_of(made_track(runs, longer, none))[1] >= sections - 1);
  }
}

TEST_CASE("bigWig: indexes and chromosome trees of several levels") {
  Random random(run_seed());
  for (const std::size_t records : {1, 255, 256, 257, 5000, 66'000}) {
    CAPTURE(records);
    TrackCase track;
    for (std::size_t i = 0; i < records; ++i)
      track.add("contig" + std::to_string(i * 7919 % records),
                i % 3 == 1 ? std::vector<float>() : std::vector<float>(1 + i % 4, 0.5F));
    const BigWig file = check_track(track);
    CHECK(file.section_sizes.size() == records - (records + 1) / 3);
  }
  // More than 256 * 256 sections, of more than one record.
  TrackCase track;
  for (std::size_t i = 0; i < 70'000; ++i)
    track.add("c" + std::to_string(i), {static_cast<float>(below(random, 5))});
  CHECK(check_track(track).section_sizes.size() == 70'000);
}

TEST_CASE("bigWig: records without values, and no records") {
  TrackCase track;
  CHECK(check_track(track).chromosomes.empty());
  track.add("same", {});
  track.add("same", {});
  CHECK(check_track(track).chromosomes.empty());
  track.add("none", std::vector<float>(5000, no_value));
  CHECK(check_track(track).chromosomes.size() == 1);
  track.add("same", {1});
  track.add("", {});
  CHECK(check_track(track).intervals.size() == 1);
}

TEST_CASE("bigWig: huge, tiny and negative values, and sums beyond floats") {
  constexpr float most = std::numeric_limits<float>::max();
  TrackCase track;
  track.add("a", {most, most, -most, std::numeric_limits<float>::denorm_min(), -0.0F, -1.5F});
  track.add("b", std::vector<float>(100'000, most));
  track.add("c", std::vector<float>(100'000, -most));
  const BigWig file = check_track(track);
  for (const BigWig::Zoom& zoom : file.levels.front().zooms) {
    CHECK(std::isfinite(zoom.sum));
    CHECK(std::isfinite(zoom.squares));
  }
}

TEST_CASE("bigWig: a sum of squares halfway between two of the smallest floats") {
  // 17 * 2^-150 is 8.5 such floats; whether the tiny squares behind it count depends on the order.
  TrackCase track;
  std::vector<float> values(17, std::ldexp(1.0F, -75));
  values.insert(values.end(), 1000, std::ldexp(1.0F, -100));
  track.add("r", values);
  CHECK(check_track(track).levels.front().zooms.front().squares ==
        9 * std::numeric_limits<float>::denorm_min());
}

TEST_CASE("bigWig: many zoom records, dense after sparse and sparse after dense") {
  Random random(run_seed());
  const std::vector<float> table = drawn_table(random, 50);
  for (const bool dense_first : {false, true}) {
    TrackCase track;
    for (const bool dense : {dense_first, !dense_first})
      track.add(dense ? "dense" : "sparse",
                drawn_values(random, table, 3'000'000, dense ? 1 : 20'000));
    const BigWig file = check_track(track);
    CHECK(file.levels.size() > 3);
    CHECK(file.levels.front().blocks > 3);
  }
}

TEST_CASE("zoom records beyond memory come back from the scratch file, in order") {
  Random random(run_seed());
  const TemporaryFolder folder;
  for (const std::size_t most : {1, 100, 70'000}) {
    ZoomSpool spool({folder.path()}, most);
    std::vector<std::uint32_t> added, found;
    while (added.size() < 200'000) {
      std::vector<ZoomRecord> some(below(random, 5000));
      for (ZoomRecord& zoom : some) {
        zoom = zoom_of(1, static_cast<std::uint32_t>(added.size()), ~0U, 2);
        added.push_back(zoom.begin);
      }
      spool.add(some);
    }
    CHECK(spool.is_spilled());
    REQUIRE(spool.count() == added.size());
    std::vector<ZoomRecord> some;
    for (std::uint64_t first = 0; first < added.size(); first += some.size()) {
      some.resize(std::min<std::uint64_t>(1 + below(random, 9000), added.size() - first));
      spool.read(first, some);
      for (const ZoomRecord& zoom : some)
        found.push_back(zoom.begin);
    }
    CHECK((found == added));
  }
  CHECK(folder.names().empty());
}

TEST_CASE("zoom records of a bin are joined in order, however they come and on any threads") {
  Random random(run_seed());
  std::vector<ZoomRecord> zooms;
  std::uint32_t begin = 0;
  for (std::uint32_t i = 0, id = 0; i < 60'000; ++i) {
    if (below(random, 9000) == 0) {
      ++id;
      begin = 0;
    }
    begin += 1 + static_cast<std::uint32_t>(below(random, i < 30'000 ? 50 : 2));
    // The order of adding such values matters.
    zooms.push_back(zoom_of(id, begin, begin + 1, 1.0F / (1.0F + static_cast<float>(i % 977))));
    ++begin;
  }
  for (const std::uint32_t shift : {0, 6, 9, 20}) {
    std::vector<ZoomRecord> expected;
    for (const ZoomRecord& zoom : zooms) {
      if (!expected.empty() && expected.back().id == zoom.id &&
          expected.back().begin >> shift == zoom.begin >> shift) {
        expected.back().add(zoom);
      } else {
        expected.push_back(zoom);
      }
    }
    for (const int threads : {1, 2, 5}) {
      for (const std::uint64_t most : {1, 100, 20'000, 60'000}) {
        if (most == 1 && threads > 1) continue;
        BinJoiner joiner(shift, threads);
        std::vector<ZoomRecord> found;
        const auto keep = [&](std::span<const ZoomRecord> bins) {
          found.insert(found.end(), bins.begin(), bins.end());
        };
        for (std::uint64_t first = 0; first < zooms.size(); first += most)
          keep(joiner.add(std::span(zooms).subspan(
              first, std::min<std::uint64_t>(most, zooms.size() - first))));
        keep(joiner.add({}));
        keep(joiner.finish());
        keep(joiner.finish());
        REQUIRE(found.size() == expected.size());
        CHECK(std::memcmp(found.data(), expected.data(), found.size() * sizeof found[0]) == 0);
      }
    }
  }
}

TEST_CASE("zoom records are collected finely until there are many, then by the distance of runs") {
  constexpr std::uint64_t million = 1 << 20;
  CHECK(zoom_shift_for(1, 1) == 6);
  CHECK(zoom_shift_for(1000, 6400) == 6);
  CHECK(zoom_shift_for(1000, 6401) == 8);
  CHECK(zoom_shift_for(10, std::uint64_t{1} << 40) == most_zoom_shift);
  CHECK(collected_zoom_shift(1, 16 * million) == 6);
  CHECK(collected_zoom_shift(1, 17 * million) == 8);
  CHECK(collected_zoom_shift(100 * million, 1000 * million) == 8);
  CHECK(collected_zoom_shift(1000 * million, 1000 * million) == 6);
}

TEST_CASE("bigWig: counts become floats") {
  const std::vector<std::uint32_t> counts = {0, 3, 3, no_count, 16777217, 16777216};
  const TemporaryFolder folder;
  const std::vector<TrackRecord> records = {{"r", counts.size()}};
  Output output(folder / "wig");
  BigWigWriter writer(output, {});
  TrackWriter* const writers[] = {&writer};
  write_track(records,
              [&](const TrackRange& range, PieceRuns& runs) {
                runs.add_counts(range.begin, std::span(counts).subspan(range.begin));
              },
              writers, {.kind = TrackKind::count});
  output.commit();
  const BigWig file = read_bigwig(folder.read("wig"));
  const std::vector<BigWig::Interval> expected = {
      {0, 0, 1, 0}, {0, 1, 3, 3}, {0, 4, 5, 16777216}, {0, 5, 6, 16777216}};
  CHECK((file.intervals == expected));
}

TEST_CASE("bigWig: records that it cannot hold are bad input, before the work") {
  const auto message_of = [](const std::vector<TrackRecord>& records) -> std::string {
    try {
      require_bigwig(records);
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  };
  const auto says = [&](const std::vector<TrackRecord>& records, const std::string& part) {
    const std::string message = message_of(records);
    CAPTURE(message);
    CHECK(message.find(part) != std::string::npos);
    CHECK(message.find("bedGraph") != std::string::npos);
  };
  CHECK(message_of({}) == "");
  CHECK(message_of({{"a", 5}, {"b", (std::uint64_t{1} << 32) - 1}}) == "");
  CHECK(message_of({{"a", 5}, {"a", 0}, {"", 0}}) == "");
  says({{"a", 1}, {"b", std::uint64_t{1} << 32}}, "record 2 ('b') has 4294967296 positions");
  says({{"a", 1}, {"", 2}}, "record 2 ('') has no name");
  says({{std::string_view("a\0b", 3), 1}}, "NUL");
  const std::string longest(most_bigwig_name, 'x'), longer(most_bigwig_name + 1, 'x');
  CHECK(message_of({{longest, 5}}) == "");
  says({{longer, 5}}, "more than 4096 bytes");
  says({{"c", 1}, {"b", 1}, {"a", 1}, {"b", 2}, {"c", 1}, {"b", 1}},
       "record 4 ('b') has the name of record 2");
  // The writer checks, too.
  const TemporaryFolder folder;
  const std::vector<TrackRecord> records = {{"a", 1}, {"a", 1}};
  Output output(folder / "wig");
  BigWigWriter writer(output, {});
  TrackWriter* const writers[] = {&writer};
  int filled = 0;
  CHECK_THROWS_AS(
      write_track(records, [&](const TrackRange&, PieceRuns&) { ++filled; }, writers, {}),
      InputError);
  CHECK(filled == 0);
}

TEST_CASE("bigWig: only a plain file will do") {
  const TemporaryFolder folder;
  Output device("/dev/null");
  CHECK_THROWS_AS(BigWigWriter(device, {}), UsageError);
  Output encoded(folder / "x.gz", Encoding::bgzf);
  CHECK_THROWS_AS(BigWigWriter(encoded, {}), UsageError);
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  const int reader = open((folder / "pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  Output pipe(folder / "pipe");
  CHECK_THROWS_AS(BigWigWriter(pipe, {}), UsageError);
  close(reader);
}

TEST_CASE("bigWig: a full disk is an error of resources, and leaves nothing") {
  Random random(1);
  const std::vector<float> table = drawn_table(random, 200);
  TrackCase track;
  track.add("r", drawn_values(random, table, 400'000, 1));
  const std::vector<TrackRecord> records = track.records();
  const TemporaryFolder folder;
  const std::size_t whole = written(track, TrackFormat::bigwig).size();
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  for (const std::size_t room : {std::size_t{100}, whole / 2, whole - 1}) {
    CAPTURE(room);
    const rlimit limit{room, before.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    const auto write = [&] {
      Output output(folder / "wig");
      BigWigWriter writer(output, {});
      TrackWriter* const writers[] = {&writer};
      write_track(records,
                  [&](const TrackRange& range, PieceRuns& runs) {
                    give(track, table, Giving::values, range, runs);
                  },
                  writers, {.threads = 2});
      output.commit();
    };
    CHECK_THROWS_AS(write(), ResourceError);
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK(folder.names().empty());
  }
  std::signal(SIGXFSZ, handler);
}

TEST_CASE("a plain file can be changed where it was written, and nothing else") {
  const TemporaryFolder folder;
  {
    Output output(folder / "file");
    CHECK(output.can_replace());
    output.write("head and tail");
    output.replace(0, "HEAD");
    output.write(" end");
    output.replace(5, "AND");
    CHECK(output.offset() == 17);
    output.commit();
  }
  CHECK(folder.read("file") == "HEAD AND tail end");
  CHECK_FALSE(Output("/dev/null").can_replace());
  CHECK_FALSE(Output(folder / "x.gz", Encoding::bgzf).can_replace());
}
