// What the threads of a GPU do to find maximal matches, done on the CPU.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "base/packed.hpp"
#include "device/registry.hpp"
#include "index/store/writer.hpp"
#include "search/matches/detect_pieces.hpp"
#include "search/matches/detect_walk.hpp"
#include "search/matches/match_index_view.hpp"
#include "search/matches/query_pieces.hpp"
#include "search/matches/strand_union.hpp"
#include "support/match_cases.hpp"
#include "support/plain_matches.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"
#include "support/thinning.hpp"
#include "text/complement.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Searches as kernels do, job after job.
template <class Pos, class Offset>
class Threads {
 public:
  /// `rows`: the whole suffix array, or none.
  Threads(const Index& index, std::vector<Pos> rows)
      : rows_(std::move(rows)),
        view_{index.fm(), index.text(), rows_.empty() ? nullptr : rows_.data(), &fault_},
        complements_(index.alphabet().has_reverse_complement()) {}

  std::vector<std::vector<MaximalMatch>> find(const Patterns& queries, const MatchRequest& request,
                                              const MatchTuning& tuning) {
    QueryPieces<Offset> cut;
    cut.cut(queries, view_.fm.sigma, request.min_length, tuning);
    const PackedArray packed = pack(queries);

    Union joined{};
    joined.pieces = cut.pieces().data();
    joined.piece_count = static_cast<std::uint32_t>(cut.pieces().size());
    joined.forward = request.strands != Strands::reverse;
    joined.reverse = complements_ && request.strands != Strands::forward;
    std::vector<std::uint32_t> begins(joined.jobs() + 1);
    std::vector<FoundMatch<Offset, Pos>> found;
    for (std::uint32_t job = joined.jobs(); job-- > 0;) {  // in any order
      Walk walk{};
      walk.start(
          view_,
          cut.pieces()[joined.piece_of(job)].on_strand(packed.view(), joined.is_reverse(job)),
          request.min_length);
      for (auto event = walk.step(view_); event != Walk::Event::end; event = walk.step(view_)) {
        if (event != Walk::Event::match) continue;
        const StrandMatch& match = walk.match();
        found.push_back({static_cast<Offset>(match.begin), static_cast<Offset>(match.length),
                         static_cast<Pos>(match.count), job, begins[job]++});
      }
    }
    std::exclusive_scan(begins.begin(), begins.end(), begins.begin(), 0u);
    std::vector<ListedMatch<Offset, Pos>> listed(found.size());
    joined.begins = begins.data();
    joined.listed = listed.data();
    for (const auto& one : found)
      joined.list(one);
    std::vector<std::uint32_t> kept(found.size() + 1);
    for (std::uint32_t i = 0; i < joined.total(); ++i)
      kept[i] = joined.keeps(i) ? 1 : 0;
    std::exclusive_scan(kept.begin(), kept.end(), kept.begin(), 0u);
    joined.kept = kept.data();
    std::vector<MaximalMatch> matches(found.size() + 1);
    for (std::uint32_t i = 0; i < joined.total(); ++i)
      joined.report(i, matches.data());
    std::vector<std::vector<MaximalMatch>> result;
    std::uint64_t begin = 0;
    for (const std::uint32_t end_piece : cut.ends()) {
      const std::uint64_t end = joined.end_of(end_piece);
      result.emplace_back(matches.begin() + static_cast<std::ptrdiff_t>(begin),
                          matches.begin() + static_cast<std::ptrdiff_t>(end));
      begin = end;
    }
    CHECK(fault_ == 0);
    return result;
  }

  /// Which queries have a match.
  std::vector<bool> detect(const Patterns& queries, const MatchRequest& request,
                           const MatchTuning& tuning) {
    const auto pieces = detect_pieces<Offset>(queries, view_.fm.sigma, request.min_length, tuning);
    const DetectJobs<Offset> jobs{pieces.data(), static_cast<std::uint32_t>(pieces.size()),
                                  request.strands != Strands::reverse,
                                  complements_ && request.strands != Strands::forward};
    const PackedArray packed = pack(queries);
    std::vector<bool> matched(queries.size());
    for (std::uint32_t job = jobs.size(); job-- > 0;) {
      const DetectPiece<Offset>& piece = jobs.piece(job);
      Detection walk{};
      walk.start(view_, {packed.view(), piece.begin, piece.length, jobs.is_reverse(job)},
                 static_cast<Offset>(request.min_length));
      auto event = walk.step(view_);
      while (event == Detection::Event::none)
        event = walk.step(view_);
      if (event == Detection::Event::found) matched[piece.query] = true;
    }
    CHECK(fault_ == 0);
    return matched;
  }

 private:
  using Walk = MatchWalk<Pos, MatchIndexView<Pos>, PackedStrand<Offset>>;
  using Detection = DetectWalk<Pos, MatchIndexView<Pos>, PackedStrand<Offset>>;
  using Union = StrandUnion<Offset, Pos>;

  PackedArray pack(const Patterns& queries) const {
    const std::uint32_t bits = view_.text.symbols.bits;
    PackedArray packed(queries.symbols(), bits, "queries");
    PackedWriter writer = packed.writer(0);
    for (std::uint64_t i = 0; i < queries.symbols(); ++i)
      writer.push(queries.codes[queries.begin + i] & ((1u << bits) - 1));
    writer.finish();
    return packed;
  }

  std::vector<Pos> rows_;
  std::uint32_t fault_ = 0;
  MatchIndexView<Pos> view_;
  bool complements_;
};

template <class Pos>
std::vector<Pos> rows_of(const Index& index) {
  std::vector<Pos> rows(index.fm().rows());
  for (std::uint64_t row = 0; row < rows.size(); ++row)
    rows[row] = static_cast<Pos>(index.fm().locate(static_cast<Pos>(row)));
  return rows;
}

void check_text(Random& random, const std::vector<std::string>& records, SymbolPolicy policy,
                std::string_view symbols) {
  CAPTURE(records.size());
  const Text text = make_text(records, policy);
  BuildOptions build;
  build.threads = 1;
  build.sample_rate = static_cast<std::uint32_t>(1 + below(random, 10));
  if (below(random, 3) != 0)
    build.kmer_length = static_cast<std::uint32_t>(below(random, text.view().sigma > 4 ? 3 : 7));
  const Index index =
      Index::of(index_image(text, make_cpu_backend()->build_index(text.view(), build), 1), 1);
  const bool complements = index.alphabet().has_reverse_complement();
  std::vector<std::string> queries{"", records[0], records.back()};
  while (queries.size() < 10)
    queries.push_back(match_query(random, records, symbols, complements));
  const QueryCodes codes(queries, index.alphabet());
  // A batch may begin behind the first code.
  const Patterns all = codes.patterns(), patterns = all.some(1, all.size());
  const PlainMatchSearcher plain(text.view(), complements);
  const MatchTuning tuning{.piece_symbols = 1 + below(random, 60),
                           .most_pieces = 1 + below(random, 50)};
  Threads<std::uint32_t, std::uint32_t> narrow(index, rows_of<std::uint32_t>(index));
  Threads<std::uint32_t, std::uint64_t> sampled(index, {});
  Threads<std::uint64_t, std::uint64_t> wide(index, rows_of<std::uint64_t>(index));
  for (const std::uint64_t least :
       {std::uint64_t{1}, 2 + below(random, 12), 14 + below(random, 30)}) {
    for (const Strands strands : {Strands::both, Strands::forward, Strands::reverse}) {
      CAPTURE(least);
      CAPTURE(static_cast<int>(strands));
      const MatchRequest request{strands, least};
      const auto expected = matches_of(plain, patterns, request);
      CHECK(narrow.find(patterns, request, tuning) == expected.queries());
      CHECK(sampled.find(patterns, request, {}) == expected.queries());
      CHECK(wide.find(patterns, request, tuning) == expected.queries());
      std::vector<bool> matched;
      for (const auto& matches : expected.queries())
        matched.push_back(!matches.empty());
      CHECK(narrow.detect(patterns, request, tuning) == matched);
      CHECK(sampled.detect(patterns, request, {}) == matched);
      CHECK(wide.detect(patterns, request, tuning) == matched);
    }
  }
}

}  // namespace

TEST_CASE("threads: maximal matches of DNA, protein and bytes") {
  const std::uint64_t seed = run_seed();
  CAPTURE(seed);
  Random random(seed);
  for (const auto& records : thinned(adversarial_collections(random())))
    check_text(random, records, SymbolPolicy::dna, "ACGTN");
  const std::string letters = "ACDEFGHIKLMNPQRSTVWY", all = every_symbol();
  check_text(
      random,
      {mutated_copies(random, 50, 4, 20, letters), "M", "", random_string(random, 300, "LKA")},
      SymbolPolicy::protein, letters);
  check_text(random,
             {mutated_copies(random, 60, 4, 20, all), random_string(random, 200, all.substr(0, 3))},
             SymbolPolicy::bytes, all);
}

TEST_CASE("threads: a packed strand agrees with the text as far as its codes do") {
  Random random(run_seed());
  for (const std::uint32_t bits : {2u, 5u, 8u}) {
    const std::uint64_t size = 700, mask = (1u << bits) - 1;
    PackedArray text(size, bits, "text"), query(size, bits, "query");
    std::vector<std::uint64_t> text_codes, query_codes;
    PackedWriter text_writer = text.writer(0), query_writer = query.writer(0);
    for (std::uint64_t i = 0; i < size; ++i) {
      text_codes.push_back(random() & mask);
      query_codes.push_back(below(random, 40) == 0 ? random() & mask : text_codes.back());
      text_writer.push(text_codes[i]);
      query_writer.push(query_codes[i]);
    }
    text_writer.finish();
    query_writer.finish();
    for (int round = 0; round < 3000; ++round) {
      const std::uint64_t begin = below(random, 100);
      const PackedStrand<std::uint32_t> strand{query.view(), static_cast<std::uint32_t>(begin), 500,
                                               bits == 2 && below(random, 2) == 0};
      const auto i = static_cast<std::uint32_t>(below(random, 500));
      // Mostly the place of the text that the code comes from.
      const std::uint64_t p = below(random, 4) == 0 ? below(random, 600) : begin + i;
      const auto most =
          static_cast<std::uint32_t>(below(random, std::min<std::uint64_t>(500 - i, 700 - p) + 1));
      std::uint32_t equal = 0;
      while (equal < most && text_codes[p + equal] == strand[i + equal])
        ++equal;
      CHECK(common_prefix(text.view(), p, strand, i, most) == equal);
      const auto before =
          static_cast<std::uint32_t>(below(random, std::min<std::uint64_t>(i, p) + 1));
      for (equal = 0; equal < before && text_codes[p - 1 - equal] == strand[i - 1 - equal];)
        ++equal;
      CHECK(common_suffix(text.view(), p, strand, i, before) == equal);
    }
  }
}
