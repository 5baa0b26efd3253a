// The pairs of matches are those that comparing every place gives, for every text, query, length,
// strand and uniqueness, however places are sampled and the work is cut.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "match/plain_matches.hpp"
#include "query/pair_run.hpp"
#include "report/text_format.hpp"
#include "support/files.hpp"
#include "support/match_cases.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"
#include "text/complement.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Any sampling that finds matches of that length.
PairSampling some_sampling(Random& random, std::uint64_t min_length, std::uint32_t bits) {
  const std::uint64_t longest = std::min<std::uint64_t>(min_length, PackedView::max_bits / bits);
  const auto kmer = static_cast<std::uint32_t>(1 + below(random, longest));
  const std::uint64_t most = min_length - kmer + 1;
  const auto target = static_cast<std::uint32_t>(1 + below(random, most));
  auto query = static_cast<std::uint32_t>(1 + below(random, most / target));
  while (std::gcd(target, query) != 1)
    --query;
  return {kmer, target, query};
}

/// A query of parts of the records, on both strands, with symbols changed.
std::string query_of(Random& random, const std::vector<std::string>& records,
                     std::string_view symbols, bool complements) {
  std::string query;
  for (std::uint64_t parts = below(random, 6); parts > 0; --parts) {
    const std::string& record = records[below(random, records.size())];
    std::string part = record.substr(below(random, record.size() + 1), below(random, 90));
    if (complements && below(random, 2) == 0) reverse_complement(part);
    query += part;
    if (below(random, 3) == 0) query += symbols[below(random, symbols.size())];
  }
  return query;
}

class Collection {
 public:
  Collection(Random& random, const std::vector<std::string>& records, SymbolPolicy policy,
             std::string_view symbols)
      : text_(make_text(records, policy)),
        complements_(text_.alphabet.has_reverse_complement()),
        plain_(text_.view(), complements_) {
    queries_ = {"", records[0], symbols == "ACGTN" ? std::string(70, 'N') : ""};
    while (queries_.size() < 8)
      queries_.push_back(query_of(random, records, symbols, complements_));
    std::string fasta;
    for (std::size_t i = 0; i < queries_.size(); ++i)
      fasta += ">q" + std::to_string(i) + "\n" + queries_[i] + "\n";
    folder_.write("q.fa", fasta);
  }

  const Text& text() const { return text_; }
  std::string expected(const PairRequest& request) const {
    std::string lines;
    const QueryCodes codes(queries_, text_.alphabet);
    TargetFinder finder(text_.records_view(), text_.segments.view());
    for (std::size_t i = 0; i < queries_.size(); ++i) {
      auto pairs = plain_.pairs(codes.patterns()[i], request);
      std::sort(pairs.begin(), pairs.end(), [](const MatchPair& a, const MatchPair& b) {
        return std::tie(a.reverse, a.query, a.target, a.length) <
               std::tie(b.reverse, b.query, b.target, b.length);
      });
      for (const MatchPair& pair : pairs) {
        const std::uint64_t start = finder.start_of(pair.target);
        lines += "q" + std::to_string(i);
        for (const std::uint64_t value : {pair.query, pair.query + pair.length, pair.length})
          append_number(lines += '\t', value);
        (lines += '\t') += text_.records_view().name(finder.target());
        append_number(lines += '\t', start);
        append_number(lines += '\t', start + pair.length);
        lines += pair.reverse ? "\t-\n" : "\t+\n";
      }
    }
    return lines;
  }
  std::string found(const PairRules& rules, const PairSampling& sampling, int threads,
                    std::uint64_t symbols_at_once) const {
    const PairTable table(text_.view(), sampling, threads);
    PackedQueryReader reader({folder_ / "q.fa"}, {.block_bytes = 100, .split_records = true},
                             text_.alphabet, symbols_at_once);
    PackedQueries queries(text_.alphabet, rules.request.min_length);
    std::string lines;
    write_pairs(
        {text_.view(), table.view(), sampling, rules.request.min_length},
        {text_.records_view(), text_.segments.view()}, complements_, rules, reader, queries,
        threads, [&](std::string_view text) { lines += text; }, [](std::uint64_t) {});
    return lines;
  }

 private:
  TemporaryFolder folder_;
  Text text_;
  bool complements_;
  PlainMatches plain_;
  std::vector<std::string> queries_;
};

/// The first lines that differ; "" if none do.
std::string difference(const std::string& found, const std::string& expected) {
  std::size_t at = 0, end = std::min(found.size(), expected.size());
  std::size_t line = 0;
  for (; at < end && found[at] == expected[at]; ++at)
    if (found[at] == '\n') line = at + 1;
  if (at == found.size() && at == expected.size()) return "";
  const auto from = [line](const std::string& text) {
    return text.substr(line, text.find('\n', line) - line);
  };
  return "'" + from(found) + "' is not '" + from(expected) + "'";
}

/// Cuts records to what the naive way, which compares every place with every other, can take.
void shorten(std::vector<std::string>& records) {
  std::uint64_t left = 120;
  for (std::string& record : records) {
    record.resize(std::min<std::uint64_t>({record.size(), left, 80}));
    left -= record.size();
  }
  if (records.size() > 60) records.erase(records.begin(), records.end() - 60);
  records.emplace_back("ACG");
}

void check_collection(Random& random, const std::vector<std::string>& records, SymbolPolicy policy,
                      std::string_view symbols) {
  CAPTURE(records.size());
  const Collection collection(random, records, policy, symbols);
  const std::uint32_t bits = collection.text().symbols.bits();
  for (const std::uint64_t least :
       {std::uint64_t{1}, 2 + below(random, 12), 13 + below(random, 70)}) {
    CAPTURE(least);
    for (const Strands strands : {Strands::both, Strands::forward, Strands::reverse}) {
      CAPTURE(static_cast<int>(strands));
      for (const PairUniqueness unique : {PairUniqueness::none, PairUniqueness::target,
                                          PairUniqueness::both, PairUniqueness::both_strands}) {
        CAPTURE(static_cast<int>(unique));
        PairRules rules{{strands, least, unique}};
        const std::string expected = collection.expected(rules.request);
        const PairSampling usual =
            pair_sampling(least, bits, collection.text().length(), PairTable::most_samples);
        CHECK(difference(collection.found(rules, usual, 1, 1 << 20), expected) == "");
        rules.tuning = {1 + below(random, 100), 1 + below(random, 50)};
        const PairSampling sampling = some_sampling(random, least, bits);
        CAPTURE(sampling.kmer);
        CAPTURE(sampling.target_step);
        CAPTURE(sampling.query_step);
        const int threads = static_cast<int>(1 + below(random, 3));
        CHECK(difference(collection.found(rules, sampling, threads, 1 + below(random, 300)),
                         expected) == "");
      }
    }
  }
}

}  // namespace

TEST_CASE("pairs of matches are those that comparing every place finds") {
  const std::uint64_t seed = run_seed();
  CAPTURE(seed);
  Random random(seed);
  for (auto records : adversarial_collections(random())) {
    shorten(records);
    check_collection(random, records, SymbolPolicy::dna, "ACGTN");
  }
  check_collection(random,
                   {mutated_copies(random, 60, 6, 30, "ACGT"), "ACGTNNACGT", "",
                    random_string(random, 200, "ACGTN"), fibonacci_word(100, 'A', 'T')},
                   SymbolPolicy::dna, "ACGTN");
}

TEST_CASE("pairs of matches of protein and of bytes are found on one strand") {
  const std::uint64_t seed = run_seed();
  CAPTURE(seed);
  Random random(seed);
  const std::string letters = "ACDEFGHIKLMNPQRSTVWY", bytes = "abXY09.*";
  check_collection(
      random,
      {mutated_copies(random, 50, 4, 20, letters), "M", "", random_string(random, 200, "LKA")},
      SymbolPolicy::protein, letters);
  check_collection(
      random,
      {mutated_copies(random, 60, 4, 20, bytes), random_string(random, 150, bytes.substr(0, 3))},
      SymbolPolicy::bytes, bytes);
}

TEST_CASE("a sampling finds matches of its length, and no more places than allowed") {
  for (std::uint64_t least = 1; least < 3000; least += 1 + least / 8) {
    for (const std::uint32_t bits : {2u, 5u, 8u}) {
      for (const std::uint64_t size :
           {std::uint64_t{1}, std::uint64_t{1} << 20, std::uint64_t{1} << 34}) {
        const PairSampling sampling = pair_sampling(least, bits, size, PairTable::most_samples);
        CHECK(sampling.kmer >= 1);
        CHECK(sampling.kmer * bits <= PackedView::max_bits);
        CHECK(sampling.period() + sampling.kmer - 1 <= least);
        CHECK(std::gcd(sampling.target_step, sampling.query_step) == 1);
        if (sampling.period() > 8) CHECK(size / sampling.target_step < PairTable::most_samples);
      }
    }
  }
}
