// Searches with edits find what the whole matrix of distances has, with its alignments, in any way,
// on any CPU, however many hits they may hold. A failure names the seed of its case: GSX_SEED=SEED
// GSX_CASES=1 repeats it.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/cpu_path.hpp"
#include "device/registry.hpp"
#include "index/store/writer.hpp"
#include "search/edits/cpu_edit_searcher.hpp"
#include "support/edit_cases.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

Index edit_index(const Text& text, Random& random) {
  BuildOptions build;
  build.threads = 1;
  build.sample_rate = static_cast<std::uint32_t>(1 + below(random, 20));
  return Index::of(index_image(text, make_cpu_backend()->build_index(text.view(), build), 1), 1);
}

/// Compares each way, on each path, with the whole matrix.
void check_ways(Random& random, const Text& text, const EditPatterns& patterns,
                const EditRequest& request, std::uint64_t at_once) {
  const Index index = edit_index(text, random);
  const EditTarget target{index.text(), text.alphabet.has_reverse_complement(), &index};
  const SearchMemory memory{.hits_at_once = at_once};
  const auto threads = static_cast<int>(1 + below(random, 3));
  for (const CpuPath path : {CpuPath::baseline, best_cpu_path()}) {
    CAPTURE(static_cast<int>(path));
    for (const EditWay way : {EditWay::scan, EditWay::seeds, EditWay::cheapest}) {
      CAPTURE(static_cast<int>(way));
      EditTuning tuning;
      tuning.way = way;
      if (below(random, 2) == 0) tuning.part = 1 + below(random, 99);
      const double factors[] = {0.01, 1, 1e9};
      tuning.seeds.scan_factor = factors[below(random, 3)];
      tuning.seeds.width = below(random, 2) == 0 ? PositionWidth::wide : PositionWidth::automatic;
      tuning.seeds.least_copied = below(random, 2) == 0 ? 0 : HugePageFm::worth_copying;
      check_edits(CpuEditSearcher(target, threads, memory, path, tuning), target, patterns, request,
                  at_once);
    }
  }
}

EditRequest random_request(Random& random) {
  EditRequest request;
  const Strands strands[] = {Strands::both, Strands::forward, Strands::reverse, Strands::both};
  request.strands = strands[below(random, 4)];
  request.edits = static_cast<std::uint32_t>(below(random, 7));
  if (below(random, 10) == 0) request.edits = static_cast<std::uint32_t>(below(random, 90));
  request.all_ends = below(random, 3) == 0;
  request.best = below(random, 4) == 0;
  const std::uint64_t caps[] = {0, 1, 2, 10, unlimited, unlimited};
  request.max_hits = caps[below(random, 6)];
  return request;
}

std::uint64_t random_room(Random& random) {
  const std::uint64_t rooms[] = {1, 4, 30, 500, std::uint64_t{1} << 22};
  return rooms[below(random, 5)];
}

}  // namespace

TEST_CASE("edits are found in random texts of DNA") {
  for (std::uint64_t i = 0; i < random_cases(150); ++i) {
    CAPTURE(run_seed() + i);
    Random random(run_seed() + i);
    const EditRequest request = random_request(random);
    std::vector<std::string> records;
    for (std::uint64_t count = 1 + below(random, 4); count > 0; --count) {
      records.push_back(edit_record(random, "ACGT", 400));
      for (std::uint64_t runs = below(random, 3); runs > 0 && !records.back().empty(); --runs)
        records.back().replace(below(random, records.back().size()), 1 + below(random, 5),
                               1 + below(random, 3), 'N');
    }
    records.push_back("ACG");
    const Text text = gsx::testing::make_text(records);
    EditPatternBuffer buffer;
    for (std::uint64_t count = below(random, 6); count > 0; --count) {
      std::string letters = edit_pattern(random, records, "ACGT", request.edits);
      const std::uint64_t odd = below(random, 4);
      for (char& letter : letters)
        if (odd == 0 && below(random, 6) == 0) letter = "RYSWKMBDHVNX"[below(random, 12)];
      if (below(random, 6) == 0) {
        std::string other(letters.rbegin(), letters.rend());  // a palindrome
        for (char& c : other)
          c = c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : c == 'T' ? 'A' : c;
        letters += other;
      }
      buffer.add(letters, text.alphabet);
      if (below(random, 8) == 0) buffer.add(letters, text.alphabet);  // twice
      if (below(random, 30) == 0) buffer.add("", text.alphabet);
    }
    check_ways(random, text, buffer.patterns(), request, random_room(random));
  }
}

TEST_CASE("edits are found in proteins and bytes") {
  for (std::uint64_t i = 0; i < random_cases(60); ++i) {
    CAPTURE(run_seed() + i);
    Random random(run_seed() + i);
    const EditRequest request = random_request(random);
    const bool protein = below(random, 2) == 0;
    const std::string every = protein ? "ACDEFGHIKLMNPQRSTVWY" : every_symbol();
    const std::string symbols = every.substr(0, 2 + below(random, every.size() - 1));
    std::vector<std::string> records;
    for (std::uint64_t count = 1 + below(random, 3); count > 0; --count)
      records.push_back(edit_record(random, symbols, 300));
    records.push_back(symbols);
    const Text text =
        gsx::testing::make_text(records, protein ? SymbolPolicy::protein : SymbolPolicy::bytes);
    EditPatternBuffer buffer;
    for (std::uint64_t count = below(random, 6); count > 0; --count)
      buffer.add(edit_pattern(random, records, symbols, request.edits), text.alphabet);
    check_ways(random, text, buffer.patterns(), request, random_room(random));
  }
}

TEST_CASE("floors of valleys are judged the same wherever windows are cut") {
  // Long floors: runs and repeats with up to two flaws, longer than any window, and patterns whose
  // distance does not change for a long way.
  for (std::uint64_t i = 0; i < random_cases(30); ++i) {
    CAPTURE(run_seed() + i);
    Random random(run_seed() + i);
    std::string record;
    const std::string unit = random_string(random, 1 + below(random, 3), "ACGT");
    while (record.size() < 700)
      record += unit;
    for (std::uint64_t flaws = below(random, 3); flaws > 0; --flaws)
      record[below(random, record.size())] = "ACGTN"[below(random, 5)];
    const Text text = gsx::testing::make_text({record, record.substr(0, 30)});
    EditPatternBuffer buffer;
    std::string letters = record.substr(3, 6 + below(random, 30));
    buffer.add(letters, text.alphabet);
    letters[below(random, letters.size())] = "ACGTX"[below(random, 5)];
    buffer.add(letters, text.alphabet);
    for (char& letter : letters)
      if (below(random, 2) == 0) letter = 'N';
    buffer.add(letters, text.alphabet);
    EditRequest request;
    request.edits = static_cast<std::uint32_t>(below(random, 4));
    request.all_ends = below(random, 4) == 0;
    check_ways(random, text, buffer.patterns(), request, random_room(random));
  }
}
