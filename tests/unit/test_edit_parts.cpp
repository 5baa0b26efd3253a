// The parts of a search with edits: the filter on each kind of CPU, columns and alignments of long
// patterns, valleys that are followed across borders, and what is kept of many hits.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "search/edits/alignment.hpp"
#include "search/edits/band_check.hpp"
#include "search/edits/cpu_edit_searcher.hpp"
#include "search/edits/edit_progress.hpp"
#include "search/edits/end_range.hpp"
#include "search/edits/piece_filter.hpp"
#include "support/edit_cases.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::vector<std::uint8_t> sets_of(std::string_view letters) {
  std::vector<std::uint8_t> sets;
  for (const char letter : letters)
    sets.push_back(iupac_base_set(letter));
  return sets;
}

/// A copy with about one edit in `per` symbols.
std::string edited(Random& random, const std::string& from, std::uint64_t per) {
  std::string copy;
  for (const char symbol : from) {
    const std::uint64_t kind = below(random, 3 * per);
    if (kind == 0) continue;
    copy += kind == 1 ? "ACGT"[below(random, 4)] : symbol;
    if (kind == 2) copy += "ACGT"[below(random, 4)];
  }
  return copy;
}

std::uint64_t count_of(const std::string& cigar, std::string_view kinds) {
  std::uint64_t sum = 0, number = 0;
  for (const char c : cigar) {
    if (c >= '0' && c <= '9') {
      number = number * 10 + static_cast<std::uint64_t>(c - '0');
    } else {
      sum += kinds.find(c) == std::string_view::npos ? 0 : number;
      number = 0;
    }
  }
  return sum;
}

}  // namespace

TEST_CASE("a filter finds where a piece ends, on each kind of CPU") {
  std::vector<StripePath> paths{StripePath::baseline};
  if (best_cpu_path() == CpuPath::avx2) paths.push_back(StripePath::avx2);
  if (stripe_path(best_cpu_path()) == StripePath::avx512) paths.push_back(StripePath::avx512);
  for (std::uint64_t i = 0; i < 40; ++i) {
    CAPTURE(run_seed() + i);
    Random random(run_seed() + i);
    const std::string record = edit_record(random, "ACGT", 3000) + "ACGT";
    const Text text = gsx::testing::make_text({record});
    const auto edits = static_cast<std::uint32_t>(i % (most_piece_edits + 1));
    const std::uint64_t length = edits + 1 + below(random, most_piece_reach - 2 * edits);
    std::string letters = random_string(random, length, "ACGT");
    if (record.size() > length)
      letters = record.substr(below(random, record.size() - length), length);
    if (i % 4 == 0) letters[below(random, length)] = "NRYK"[below(random, 4)];
    const std::vector<std::uint8_t> sets = sets_of(letters);
    std::uint32_t used = 0;
    for (const std::uint8_t set : sets)
      used |= 1U << set;
    // The last row of the whole matrix.
    const PatternMasks masks(sets, true);
    ShortColumn column(masks.view(), edits);
    const StrandText whole{text.view().symbols, 0, record.size(), false};
    std::vector<std::uint64_t> expected;
    column.restart();
    for (std::uint64_t p = 0; p < record.size(); ++p) {
      column.step(whole[p]);
      if (column.value() <= edits) expected.push_back(p);
    }
    for (const StripePath path : paths) {
      CAPTURE(static_cast<int>(path));
      const std::uint64_t width = 32 + 32 * below(random, 3);
      Stripes stripes(text.view(), path, width);
      std::vector<std::uint64_t> found;
      for (std::uint64_t first = 0; first < record.size(); first += width * stripes_of(path)) {
        stripes.load(first, width, used);
        find_piece(stripes, sets, edits, found);
      }
      // What lies on the separator or behind the text counts as bases.
      std::erase_if(found, [&](std::uint64_t p) { return p >= record.size(); });
      std::sort(found.begin(), found.end());
      // Before the text, there are bases, too.
      std::vector<std::uint64_t> missing;
      std::set_difference(expected.begin(), expected.end(), found.begin(), found.end(),
                          std::back_inserter(missing));
      CHECK(missing.empty());
      std::erase_if(found, [&](std::uint64_t p) { return p < length + edits; });
      std::erase_if(expected, [&](std::uint64_t p) { return p < length + edits; });
      CHECK(found == expected);
    }
  }
}

TEST_CASE("a plan of pieces has one more than edits to share") {
  Random random(run_seed());
  for (int i = 0; i < 200; ++i) {
    const auto edits = static_cast<std::uint32_t>(below(random, 12));
    std::string letters = random_string(random, edits + 1 + below(random, 200), "ACGT");
    if (i % 3 == 0)
      for (char& letter : letters)
        if (below(random, 3) == 0) letter = "NRYSWX"[below(random, 6)];
    const std::vector<std::uint8_t> sets = sets_of(letters);
    for (const StripePath path : {StripePath::baseline, StripePath::avx512}) {
      const FilterPlan plan = plan_filter(sets, edits, path, 3e-9);
      if (plan.pieces.empty()) continue;
      std::uint32_t shared = 0, end = 0;
      for (const FilterPiece& piece : plan.pieces) {
        CHECK(piece.begin >= end);
        CHECK(piece.length > 0);
        CHECK(piece.length + piece.edits <= most_piece_reach);
        CHECK(piece.edits <= most_piece_edits);
        shared += piece.edits + 1;
        end = piece.begin + piece.length;
      }
      CHECK(shared == edits + 1);
      CHECK(end <= sets.size());
    }
  }
}

TEST_CASE("long patterns are aligned in parts as in one, on both strands") {
  Random random(run_seed());
  for (const auto& [length, per] : {std::pair{5000, 50}, {3000, 4}, {200, 3}, {20000, 400}}) {
    CAPTURE(length);
    const std::string inner = random_string(random, static_cast<std::uint64_t>(length), "ACGT");
    const std::string record =
        random_string(random, 300, "ACGT") + inner + random_string(random, 200, "ACGT");
    const Text text = gsx::testing::make_text({record, "N"});
    std::string letters = edited(random, inner, static_cast<std::uint64_t>(per));
    const EditTarget target{text.view(), true, nullptr};
    const auto edits = static_cast<std::uint32_t>(letters.size() - 1);
    for (const bool reverse : {false, true}) {
      std::vector<std::uint8_t> sets = sets_of(letters);
      if (reverse) sets = reverse_complement_of(sets);
      EditRequest request{reverse ? Strands::reverse : Strands::forward, edits};
      request.edits = std::min<std::uint32_t>(edits, static_cast<std::uint32_t>(length));
      request.best = true;
      const std::uint64_t ends[] = {sets.size()};
      const CpuEditSearcher searcher(target, 1, {}, best_cpu_path());
      const FoundEdits found = stream_edits(searcher, {sets, ends}, request, unlimited);
      REQUIRE(!found.hits[0].empty());
      const EditHit hit = found.hits[0].front();
      const std::string cigar = cigar_of_hit(target, sets, hit);
      CHECK(count_of(cigar, "XID") == hit.edits());
      CHECK(count_of(cigar, "=XI") == sets.size());
      CHECK(count_of(cigar, "=XD") == hit.end() - hit.position());
    }
  }
}

TEST_CASE(
    "columns of long patterns give the values of the whole matrix up to the edits asked for") {
  for (std::uint64_t i = 0; i < 60; ++i) {
    CAPTURE(run_seed() + i);
    Random random(run_seed() + i);
    const std::string record = edit_record(random, "AC", 600) + "ACGT";
    std::string letters = edited(random, record.substr(below(random, record.size())) + "ACG", 9);
    letters = letters.substr(0, 1 + below(random, 400));
    const auto edits = static_cast<std::uint32_t>(below(random, letters.size()));
    const Text text = gsx::testing::make_text({record});
    const std::vector<std::uint8_t> sets = sets_of(letters);
    const PatternMasks masks(sets, true);
    std::vector<ColumnWord> words(masks.view().words);
    std::vector<std::uint32_t> scores(words.size());
    LongColumn column(masks.view(), edits, words.data(), scores.data());
    column.restart();
    std::vector<std::uint32_t> rows(letters.size() + 1);
    for (std::size_t row = 0; row < rows.size(); ++row)
      rows[row] = static_cast<std::uint32_t>(row);
    std::uint64_t unlike = 0;
    std::vector<std::uint32_t> values{static_cast<std::uint32_t>(letters.size())};
    for (std::size_t p = 0; p < record.size(); ++p) {
      std::uint32_t diagonal = rows[0];
      for (std::size_t row = 1; row < rows.size(); ++row) {
        const std::uint32_t cost = letters[row - 1] == record[p] ? 0 : 1;
        const std::uint32_t next = std::min({diagonal + cost, rows[row] + 1, rows[row - 1] + 1});
        diagonal = std::exchange(rows[row], next);
      }
      column.step(static_cast<std::uint32_t>(text.view().symbols[p]));
      unlike += column.value() != std::min(rows.back(), edits + 1);
      values.push_back(rows.back());
    }
    CHECK(unlike == 0);
    // A band of one word tells the same of few ends.
    const auto few = static_cast<std::uint32_t>(std::min<std::uint64_t>(edits, below(random, 30)));
    const StrandText strand{text.view().symbols, 0, record.size(), false};
    for (std::uint64_t first = 1; first <= record.size(); ++first) {
      const EndRange range{first, std::min(record.size() + 1, first + 1 + below(random, 20))};
      if (!has_band(range, few)) continue;
      bool has = false;
      for (std::uint64_t end = range.first; end < range.last; ++end)
        has = has || values[end] <= few;
      unlike += has_end_in(strand, masks.view(), range, few) != has;
    }
    CHECK(unlike == 0);
  }
}

TEST_CASE("a valley that goes on elsewhere ends as in one piece") {
  Random random(run_seed());
  for (int i = 0; i < 200; ++i) {
    const auto edits = static_cast<std::uint32_t>(below(random, 4));
    std::vector<std::uint32_t> values{edits + 1};
    for (int k = 0; k < 60; ++k) {
      const std::uint64_t step = below(random, 4);  // as D(j), it changes by at most 1
      const std::uint32_t last = values.back();
      values.push_back(step == 0 && last > 0 ? last - 1
                       : step == 1           ? std::min(last + 1, edits + 1)
                                             : last);
    }
    std::vector<std::size_t> whole, resumed;
    Valley one(edits), other(edits);
    for (std::size_t j = 1; j < values.size(); ++j) {
      if (one.step(values[j])) whole.push_back(j);
      if (below(random, 3) == 0) other = Valley(edits, other.value(), other.is_lower());
      if (other.step(values[j])) resumed.push_back(j);
    }
    CHECK(whole == resumed);
    for (const std::size_t j : whole) {
      CHECK(values[j] > values[j - 1]);
      std::size_t before = j - 1;
      while (values[before] == values[j - 1])
        --before;
      CHECK(values[before] > values[j - 1]);
    }
  }
}

TEST_CASE("the hits with the fewest edits are kept, and of these the first") {
  std::vector<EditHit> hits;
  for (const std::uint32_t edits : {2U, 0U, 1U, 2U, 1U, 1U, 3U})
    hits.emplace_back(hits.size() * 10, hits.size() * 10 + 5, false, edits);
  const auto kept = [&](std::uint64_t most, std::size_t begin) {
    std::vector<EditHit> some = hits;
    keep_fewest_edits(some, most, begin);
    std::vector<std::uint64_t> places;
    for (const EditHit& hit : some)
      places.push_back(hit.position() / 10);
    return places;
  };
  CHECK(kept(7, 0) == std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6});
  CHECK(kept(5, 0) == std::vector<std::uint64_t>{0, 1, 2, 4, 5});
  CHECK(kept(3, 0) == std::vector<std::uint64_t>{1, 2, 4});
  CHECK(kept(1, 0) == std::vector<std::uint64_t>{1});
  CHECK(kept(0, 0).empty());
  CHECK(kept(2, 3) == std::vector<std::uint64_t>{0, 1, 2, 4, 5});
}

TEST_CASE("a search with edits goes on where it ended, with chunks of any size") {
  Random random(run_seed());
  const Text text =
      gsx::testing::make_text({std::string(300, 'A') + random_string(random, 500, "ACGT")});
  const EditTarget target{text.view(), true, nullptr};
  EditPatternBuffer buffer;
  for (const char* letters : {"ACGTA", "AAAAAAAA", "CC", "GGCATT", "AAAA", "TACG"})
    buffer.add(letters, text.alphabet);
  EditRequest request{Strands::both, 2};
  request.all_ends = true;
  const CpuEditSearcher one(target, 1, {.hits_at_once = 64}, best_cpu_path());
  const CpuEditSearcher other(target, 2, {.hits_at_once = 10}, best_cpu_path());
  const FoundEdits expected = stream_edits(one, buffer.patterns(), request, 64);
  for (int stop = 0; stop < 30; ++stop) {
    std::vector<EditHit> hits;
    const EditSink sink = [&](const EditChunk& chunk) {
      hits.insert(hits.end(), chunk.hits.begin(), chunk.hits.end());
    };
    EditProgress progress(sink);
    int left = stop;
    try {
      one.stream(buffer.patterns(), request, [&](const EditChunk& chunk) {
        if (left-- == 0) throw stop;
        progress.pass_on(chunk);
      });
    } catch (int) {
      const std::size_t done = progress.pattern();
      other.stream(buffer.patterns().some(done, buffer.ends.size()), request, [&](EditChunk chunk) {
        chunk.first += done;
        progress.pass_on(chunk);
      });
    }
    CHECK(progress.pattern() == buffer.ends.size());
    std::vector<EditHit> all;
    for (const std::vector<EditHit>& own : expected.hits)
      all.insert(all.end(), own.begin(), own.end());
    CHECK(hits == all);
  }
}

TEST_CASE("patterns that cannot be asked for have no hits") {
  const Text text = gsx::testing::make_text({"ACGTACGT"});
  const CpuEditSearcher searcher({text.view(), true, nullptr}, 1, {}, best_cpu_path());
  EditPatternBuffer buffer;
  for (const char* letters : {"", "AC", "NNNN", "ACG"})
    buffer.add(letters, text.alphabet);
  EditCounts counts;
  searcher.count(buffer.patterns(), {Strands::both, 2}, counts);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(counts.total(i).total() == 0);
  CHECK(counts.total(3).total() > 0);
  searcher.count({}, {}, counts);
  CHECK(counts.patterns() == 0);
  std::size_t chunks = 0;
  searcher.stream({}, {}, [&](const EditChunk&) { ++chunks; });
  CHECK(chunks == 0);
}
