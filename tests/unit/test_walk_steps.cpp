// Walks that step eight at a time go where those go that step alone.
#include <doctest/doctest.h>

#include <memory>

#include "index/fm/fm_index.hpp"
#include "index/sa/builder.hpp"
#include "search/exact/vector_steps.hpp"
#include "support/skip.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

using Position = std::uint32_t;
using Lists = std::array<Walks<Position>, 2>;  // those that stay, those that leave

Walk<Position> draw_walk(Random& random, const FmView& fm, bool one_row, std::uint32_t id) {
  const auto rows = static_cast<Position>(fm.rows());
  const auto begin = static_cast<Position>(below(random, rows));
  const auto width = static_cast<Position>(one_row ? 1 : 1 + below(random, rows - begin));
  const auto ready = static_cast<std::uint32_t>(1 + below(random, 32));
  return {begin, static_cast<Position>(begin + width), random(), id << 16 | ready};
}

void check_equal(const Walks<Position>& walks, const Walks<Position>& expected) {
  REQUIRE(walks.size == expected.size);
  for (std::size_t i = 0; i < walks.size; ++i) {
    CAPTURE(i);
    CHECK(walks[i].begin == expected[i].begin);
    CHECK(walks[i].end == expected[i].end);
    CHECK(walks[i].codes == expected[i].codes);
    CHECK(walks[i].tag == expected[i].tag);
  }
}

/// Steps of `count` walks by both; those of one row if `one_row`.
void check_steps(const FmView& fm, Random& random, std::size_t count, bool one_row) {
  NoMeter meter;
  BaseSteps<Position, NoMeter> single(fm, meter);
  const VectorSteps eight(fm, meter);
  const auto expected = std::make_unique<Lists>(), lists = std::make_unique<Lists>();
  for (std::uint32_t id = 0; id < count; ++id) {
    const Walk<Position> walk = draw_walk(random, fm, one_row, id);
    (*expected)[0].push(walk);
    (*lists)[0].push(walk);
  }
  if (one_row) {
    single.step_rows((*expected)[0], (*expected)[1]);
    eight.step_rows((*lists)[0], (*lists)[1]);
  } else {
    single.step_intervals((*expected)[0], (*expected)[1]);
    eight.step_intervals((*lists)[0], (*lists)[1]);
  }
  CHECK((*expected)[0].size + (*expected)[1].size == count);
  check_equal((*lists)[0], (*expected)[0]);
  check_equal((*lists)[1], (*expected)[1]);
}

}  // namespace

TEST_CASE("eight walks at a time take the steps of one") {
  GSX_SKIP_IF(!has_vector_steps(), "this CPU has no AVX-512");
  Random random(91);
  // Many short records have a hole in every block of ranks; one long record has several
  // superblocks.
  std::vector<std::string> short_records;
  for (int i = 0; i < 300; ++i)
    short_records.push_back(random_string(random, 1 + below(random, 60), "ACGT"));
  const std::vector<std::vector<std::string>> collections{
      short_records, {random_string(random, 60'000, "ACGT"), "A"}, {"ACGT"}};
  for (const auto& sequences : collections) {
    const Text text = make_text(sequences);
    for (const std::uint32_t rate : {1u, 3u, 8u, 1000u}) {
      CAPTURE(rate);
      const FmIndex index(text.view(), build_suffix_array(text.view(), 2), {rate, 2}, 2);
      const std::vector<std::uint64_t> c_offset =
          c_offsets_of(index.wavelet().view(), text.alphabet.size(), text.segments.view().count);
      FmView fm;
      fm.bwt = index.wavelet().view();
      fm.c_offset = c_offset.data();
      fm.sigma = 4;
      fm.sampling = RowSampling(rate);
      for (const std::size_t count :
           {std::size_t{1}, std::size_t{8}, std::size_t{77}, searches_in_flight}) {
        for (int repeat = 0; repeat < 20; ++repeat) {
          check_steps(fm, random, count, true);
          check_steps(fm, random, count, false);
        }
      }
    }
  }
}
