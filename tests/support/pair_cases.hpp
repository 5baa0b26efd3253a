// Texts and queries with their pairs of matches, for tests.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "output/lines/text_format.hpp"
#include "run/pair_run.hpp"
#include "support/files.hpp"
#include "support/match_cases.hpp"
#include "support/plain_matches.hpp"
#include "support/texts.hpp"
#include "text/complement.hpp"

namespace gsx::testing {

/// Any sampling that finds matches of that length.
inline PairSampling some_sampling(Random& random, std::uint64_t min_length, std::uint32_t bits) {
  const std::uint64_t longest =
      std::min<std::uint64_t>(min_length, PairSampling::longest_kmer(bits));
  const auto kmer = static_cast<std::uint32_t>(1 + below(random, longest));
  const std::uint64_t most = min_length - kmer + 1;
  const auto target = static_cast<std::uint32_t>(1 + below(random, most));
  auto query = static_cast<std::uint32_t>(1 + below(random, most / target));
  while (std::gcd(target, query) != 1)
    --query;
  return {kmer, target, query};
}

/// A query of parts of the records, on both strands, with symbols changed.
inline std::string pair_query(Random& random, const std::vector<std::string>& records,
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

/// A text, and queries that share parts with it.
class PairCollection {
 public:
  PairCollection(Random& random, const std::vector<std::string>& records, SymbolPolicy policy,
                 std::string_view symbols)
      : text_(make_text(records, policy)),
        complements_(text_.alphabet.has_reverse_complement()),
        plain_(text_.view(), complements_) {
    queries_ = {"", records[0], symbols == "ACGTN" ? std::string(70, 'N') : ""};
    while (queries_.size() < 8)
      queries_.push_back(pair_query(random, records, symbols, complements_));
    std::string fasta;
    for (std::size_t i = 0; i < queries_.size(); ++i)
      fasta += ">q" + std::to_string(i) + "\n" + queries_[i] + "\n";
    folder_.write("q.fa", fasta);
  }

  const Text& text() const { return text_; }
  /// The lines of the pairs that comparing every place finds.
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
  PairSetup setup(std::uint64_t min_length, int threads = 1) const {
    return {.text = text_.view(), .min_length = min_length, .threads = threads};
  }
  /// What write_pairs() writes. Pre: the searcher was made for this text and length.
  std::string found(PairSearcher& searcher, const PairRules& rules, int threads,
                    std::uint64_t symbols_at_once) const {
    PackedQueryReader reader({folder_ / "q.fa"}, {.block_bytes = 100, .split_records = true},
                             text_.alphabet, symbols_at_once);
    PackedQueries queries(text_.alphabet, rules.request.min_length);
    std::string lines;
    write_pairs(
        searcher, {text_.records_view(), text_.segments.view()}, complements_, rules, reader,
        queries, threads, [&](std::string_view text) { lines += text; }, [](std::uint64_t) {});
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
inline std::string difference(const std::string& found, const std::string& expected) {
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
inline void shorten(std::vector<std::string>& records) {
  std::uint64_t left = 120;
  for (std::string& record : records) {
    record.resize(std::min<std::uint64_t>({record.size(), left, 80}));
    left -= record.size();
  }
  if (records.size() > 60) records.erase(records.begin(), records.end() - 60);
  records.emplace_back("ACG");
}

/// All pairs of some queries, as a searcher gives them.
inline std::vector<MatchPair> pairs_of(const PairSearcher& searcher,
                                       std::span<const PairPiece> pieces) {
  std::vector<MatchPair> all;
  searcher.find(pieces, [&](std::span<const MatchPair> pairs) {
    all.insert(all.end(), pairs.begin(), pairs.end());
  });
  return all;
}

/// Packed queries, and their stretches on both strands as pieces.
class PackedCase {
 public:
  PackedCase(const std::vector<std::string>& queries, std::uint64_t min_length)
      : queries_(Alphabet::dna(), min_length) {
    for (const std::string& query : queries) {
      queries_.begin_query("q");
      const auto codes = codes_of(query);
      queries_.append(codes.data(), codes.size());
    }
    queries_.finish();
    for (const PlainStretch& stretch : queries_.stretches()) {
      for (const bool reverse : {false, true})
        pieces_.push_back({stretch, stretch.begin, stretch.end, reverse});
    }
  }
  PackedView view() const { return queries_.view(); }
  const std::vector<PairPiece>& pieces() const { return pieces_; }

 private:
  PackedQueries queries_;
  std::vector<PairPiece> pieces_;
};

}  // namespace gsx::testing
