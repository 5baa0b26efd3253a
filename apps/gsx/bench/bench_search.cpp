// gsx bench: searching.
#include <cmath>

#include "base/host_device.hpp"
#include "base/parallel.hpp"
#include "bench/bench.hpp"
#include "run/patterns.hpp"
#include "search/exact/cpu_search.hpp"

namespace gsx::app {
namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t below(std::uint64_t limit) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return multiply_high64(state_, limit);
  }

 private:
  std::uint64_t state_;
};

constexpr const char* gpu_unit = "gathers/s";
constexpr const char* cpu_unit = "lines/s";

std::uint64_t rank_bytes(const FmView& fm) {
  return fm.bwt.level_count * (fm.rows() / QuadBlock::digits + 1) * sizeof(QuadBlock);
}

/// Calls search(share) for each share, on one thread per share.
template <class Shares, class Search>
void search_on_threads(Shares& shares, const Search& search) {
  run_threads(static_cast<int>(shares.size()),
              [&](int thread) { search(shares[static_cast<std::size_t>(thread)]); });
}

/// Mean number of cache lines that the CPU's search fetches per pattern, for both strands together,
/// over some of the patterns.
double lines_per_pattern(const Index& index, const Patterns& patterns) {
  const Patterns some = patterns.some(0, std::min<std::size_t>(patterns.size(), 2000));
  const bool complements = index.alphabet().has_reverse_complement();
  const std::uint64_t lines = count_search_lines({index.fm(), index.text()}, some, complements);
  return static_cast<double>(lines) / static_cast<double>(std::max<std::size_t>(some.size(), 1));
}

/// Reads of random symbols of the alphabet.
RecordBatch draw_reads(const Index& index, std::uint64_t length, std::uint64_t count) {
  RecordBatch batch;
  Random random(length);
  for (std::uint64_t i = 0; i < count; ++i) {
    batch.begin_record("r", "");
    std::string read;
    for (std::uint64_t k = 0; k < length; ++k)
      read += index.alphabet().symbol(random.below(index.alphabet().size()));
    batch.append(read);
  }
  return batch;
}

/// Cuts the batch into one share per thread.
std::vector<PatternBuffer> share_out(const RecordBatch& batch, const Index& index, int threads) {
  const auto parts = static_cast<std::uint64_t>(threads);
  std::vector<PatternBuffer> shares(parts);
  for (std::uint64_t part = 0; part < parts; ++part) {
    const Slice slice = slice_of(batch.size(), parts, part);
    RecordBatch own;
    for (std::uint64_t i = slice.begin; i < slice.end; ++i) {
      own.begin_record("r", "");
      own.append(batch.sequence(i));
    }
    shares[part].encode(own, index.alphabet());
  }
  return shares;
}

/// The queries of one thread of bench_sequence().
struct SequenceShare {
  std::vector<std::uint64_t> rows, ranks, results;
  std::vector<std::uint8_t> codes;
};

std::vector<SequenceShare> draw_sequence_queries(const Index& index, int threads) {
  constexpr std::size_t queries = 1'000'000;  // per thread
  const FmView fm = index.fm();
  std::vector<std::uint64_t> occurrences(fm.sigma);
  for (std::uint32_t code = 0; code < fm.sigma; ++code)
    occurrences[code] = std::max<std::uint64_t>(1, fm.bwt.rank(code, fm.rows()));
  std::vector<SequenceShare> shares(static_cast<std::size_t>(threads));
  Random random(7);
  for (SequenceShare& share : shares) {
    share.results.resize(queries);
    for (std::size_t i = 0; i < queries; ++i) {
      const auto code = static_cast<std::uint8_t>(random.below(fm.sigma));
      share.rows.push_back(random.below(fm.rows()));
      share.codes.push_back(code);
      share.ranks.push_back(random.below(occurrences[code]));
    }
  }
  return shares;
}

}  // namespace

RecordBatch cut_reads(const Index& index, std::uint64_t length, std::uint64_t count,
                      double changes) {
  RecordBatch batch;
  Random random(length);
  const TextView text = index.text();
  const auto threshold = static_cast<std::uint64_t>(changes * 1e6);
  for (std::uint64_t tries = 0; batch.size() < count && tries < 8 * count; ++tries) {
    const std::uint64_t p = random.below(text.length());
    if (text.segments.separator_from(p) < p + length) continue;
    std::string read;
    for (std::uint64_t i = 0; i < length; ++i) {
      std::uint64_t code = text.symbols[p + i];
      if (threshold > 0 && random.below(1'000'000) < threshold) {
        code = (code + 1 + random.below(std::max(2u, text.sigma) - 1)) % text.sigma;
      }
      read += index.alphabet().symbol(code);
    }
    batch.begin_record("r", "");
    batch.append(read);
  }
  return batch;
}

void bench_sequence(const BenchOptions& options, const Index& index,
                    const RankSelectQueries& queries, int threads, Report& report) {
  std::vector<SequenceShare> shares = draw_sequence_queries(index, threads);
  const auto total = static_cast<double>(shares.size() * shares[0].rows.size());
  const char* unit = report.gpu ? gpu_unit : cpu_unit;
  const auto add = [&](const std::string& name, bool one_line_per_level, const auto& work) {
    Row row =
        measure(name, total, "ops/s", options.repeat, [&] { search_on_threads(shares, work); });
    if (one_line_per_level) {
      row.traffic = {row.rate * index.fm().bwt.level_count, unit, rank_bytes(index.fm())};
    }
    report.rows.push_back(row);
  };
  add("access, random", true, [&](SequenceShare& share) {
    std::vector<std::uint8_t> codes(share.rows.size());
    queries.access(share.rows, codes.data());
  });
  add("rank, random", true, [&](SequenceShare& share) {
    queries.rank(share.codes, share.rows.data(), share.results.data());
  });
  add("select, random", false, [&](SequenceShare& share) {
    queries.select(share.codes, share.ranks.data(), share.results.data());
  });
}

void bench_count(const BenchOptions& options, const Index& index, const Searcher& searcher,
                 int threads, Report& report) {
  const bool counted = !report.gpu;  // only the CPU's search says what it fetches
  const char* strands = index.alphabet().has_reverse_complement() ? ", both strands" : "";
  const auto add = [&](const std::string& kind, std::uint64_t length, const RecordBatch& batch) {
    if (batch.size() == 0) return;
    const auto shares = share_out(batch, index, threads);
    Row row = measure("count, " + kind + " of " + std::to_string(length) + strands,
                      static_cast<double>(batch.size()), "reads/s", options.repeat, [&] {
                        search_on_threads(shares, [&](const PatternBuffer& share) {
                          std::vector<StrandCounts> counts;
                          searcher.count(share.patterns(), Strands::both, counts);
                        });
                      });
    if (counted) {
      const double lines = lines_per_pattern(index, shares[0].patterns());
      row.traffic = {row.rate * lines, cpu_unit, index.file_bytes(), lines};
    }
    report.rows.push_back(row);
  };
  for (const std::uint64_t length : {20u, 50u, 150u}) {
    add("reads", length, cut_reads(index, length, options.reads, 0));
    add("1 % changed", length, cut_reads(index, length, options.reads, 0.01));
    add("unrelated", length, draw_reads(index, length, options.reads));
  }
}

Row bench_locate(const BenchOptions& options, const Index& index, const Searcher& searcher,
                 int threads, const Report& report) {
  // Reads so short that each occurs about 32 times: finding the interval is then a small part of
  // the work.
  constexpr double occurrences = 32;
  constexpr std::uint64_t max_hits = 1000;
  const double sigma = std::max(2.0, static_cast<double>(index.alphabet().size()));
  const double symbols = std::log(static_cast<double>(index.meta().length) / occurrences);
  const auto length = static_cast<std::uint64_t>(std::max(1.0, symbols / std::log(sigma)));
  const RecordBatch batch =
      cut_reads(index, length, std::max<std::uint64_t>(options.reads / 32, 1), 0);
  const auto shares = share_out(batch, index, threads);
  std::atomic<std::uint64_t> hits = 0;
  const auto locate = [&] {
    hits = 0;
    search_on_threads(shares, [&](const PatternBuffer& share) {
      searcher.stream(share.patterns(), {Strands::both, max_hits},
                      [&](const HitChunk& chunk) { hits += chunk.hits.size(); });
    });
  };
  Row row = measure("locate, one row in " + std::to_string(index.meta().sample_rate) + " sampled",
                    1, "hits/s", options.repeat, locate);
  row.rate = static_cast<double>(hits) / row.seconds;
  if (report.gpu) return row;                           // which may hold the whole suffix array
  const double steps = index.meta().sample_rate - 1.0;  // the sample itself is one more
  row.traffic = {row.rate * (1 + steps * index.fm().bwt.level_count), cpu_unit, index.file_bytes()};
  return row;
}

}  // namespace gsx::app
