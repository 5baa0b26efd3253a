// Tables of scores: whatever a file holds, it is refused or gives weights from 0 to 1.
#include "analysis/guides/score_table.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "analysis/guides/mit_score.hpp"
#include "analysis/guides/site_scorer.hpp"
#include "base/error.hpp"
#include "support/files.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::string table_of(std::size_t length, Random& random) {
  std::string text = "# a table\nlength\t" + std::to_string(length) + "\n*\tN\tN\t0.75\n";
  for (std::size_t p = 1; p <= length; ++p) {
    for (const char guide : std::string_view("ACGTRYN")) {
      const char site = "ACGTSWB"[below(random, 7)];
      if (guide == site) continue;
      text += std::to_string(p) + '\t' + guide + '\t' + site + "\t0." +
              std::to_string(below(random, 1000)) + '\n';
    }
  }
  return text + "pam\tNGG\t1\npam\tNAG\t0.25\n";
}

}  // namespace

TEST_CASE("score table: changed bytes are refused, or give weights from 0 to 1") {
  Random random(run_seed());
  const TemporaryFolder folder;
  const std::string good = table_of(4, random);
  CHECK(read_score_table(folder.write("t", good)).guide_length == 4);
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string text = good;
    for (std::uint64_t n = 1 + below(random, 4); n > 0; --n) {
      const std::size_t at = below(random, text.size());
      const char byte = below(random, 2) == 0 ? static_cast<char>(below(random, 256))
                                              : "\t\n\r#*0123456789.-eACGTNpam"[below(random, 26)];
      if (below(random, 3) == 0) {
        text.erase(at, 1 + below(random, 30));
      } else {
        text[at] = byte;
      }
    }
    try {
      const ScoreTable table = read_score_table(folder.write("t", text));
      table.check();
      CHECK(table.guide_length >= 1);
      CHECK(table.weights.size() == table.guide_length * 16);
    } catch (const InputError& error) {
      ++refused;
      CHECK(std::string(error.what()).find('\n') == std::string::npos);
    }
  }
  CHECK(refused > 100);
  CHECK(refused < 2000);
}

TEST_CASE("score table: the longest guide, beside PAMs on either side") {
  Random random(16);
  const TemporaryFolder folder;
  const ScoreTable table =
      read_score_table(folder.write("t", table_of(ScoreTable::longest_guide, random)));
  for (const bool first : {false, true}) {
    const Pam pam{"NGG", first};
    const SiteScorer scorer(table, {pam, {"NAG", first}});
    const std::string guide(ScoreTable::longest_guide, 'A');
    CHECK(scorer.covers(guide));
    CHECK_FALSE(scorer.covers(guide.substr(1)));
    const std::vector<BaseSet> pattern = pam.pattern_of(guide);
    // A site of C, with the PAM NAG
    std::vector<std::uint8_t> codes(pattern.size(), 1);
    std::vector<std::uint32_t> mismatches;
    const std::size_t pam_at = first ? 0 : guide.size();
    codes[pam_at + 1] = 0;
    codes[pam_at + 2] = 2;
    CHECK(scorer.score(pattern, codes, {}) == full_score / 4);
    double expected = 0.25;
    for (const std::size_t at : {std::size_t{0}, std::size_t{7}, guide.size() - 1}) {
      mismatches.push_back(static_cast<std::uint32_t>(at + (first ? pam.size() : 0)));
      expected *= table.weight(at, 0, 1);
      CHECK(static_cast<double>(scorer.score(pattern, codes, mismatches)) ==
            doctest::Approx(expected * static_cast<double>(full_score)));
    }
  }
}
