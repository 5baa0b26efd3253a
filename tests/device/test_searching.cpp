// The GPU finds what the CPU finds, whatever parts of the index are on the device, and however it
// searches.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "bench/device_bench.hpp"
#include "bytes/output.hpp"
#include "device/fallback.hpp"
#include "device/multi_device.hpp"
#include "device/products.hpp"
#include "device/registry.hpp"
#include "index/store/writer.hpp"
#include "kernels/base/device_link.hpp"
#include "kernels/search/exact/cuda_searcher.hpp"
#include "run/patterns.hpp"
#include "support/files.hpp"
#include "support/gpu.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// The index of a text, opened from a file.
class OpenIndex {
 public:
  explicit OpenIndex(const Text& text, std::uint32_t rate = 16,
                     std::optional<std::uint32_t> kmer_length = {}) {
    BuildOptions options;
    options.sample_rate = rate;
    options.kmer_length = kmer_length;
    Output out(folder_ / "g.gsx");
    write_index(out, text, make_cpu_backend()->build_index(text.view(), options), 2);
    out.commit();
    index_.emplace(Index::open(folder_ / "g.gsx", Load::map, 2));
  }
  const Index& operator*() const { return *index_; }
  const Index* operator->() const { return &*index_; }

 private:
  TemporaryFolder folder_;
  std::optional<Index> index_;
};

/// Pieces of the text, some of them changed, and patterns that occur nowhere.
RecordBatch queries_of(const Text& text, Random& random, int count, std::uint64_t longest) {
  RecordBatch batch;
  const TextView view = text.view();
  const auto add = [&](const std::string& symbols) {
    batch.begin_record("q", "");
    batch.append(symbols);
  };
  for (int i = 0; i < count; ++i) {
    const std::uint64_t length =
        1 + below(random, std::min<std::uint64_t>(longest, view.length() - 1));
    const std::uint64_t begin = below(random, view.length() - length + 1);
    std::string symbols;
    for (std::uint64_t p = begin; p < begin + length; ++p)
      symbols += text.alphabet.symbol(view.symbols[p]);
    if (i % 5 == 1) symbols[below(random, length)] = text.alphabet.symbol(0);
    if (i % 5 == 2 && text.alphabet.has_reverse_complement()) {
      std::reverse(symbols.begin(), symbols.end());
      for (char& c : symbols)
        c = c == 'A' ? 'T' : c == 'T' ? 'A' : c == 'C' ? 'G' : 'C';
    }
    if (i % 23 == 3) symbols[below(random, length)] = '!';
    add(symbols);
  }
  add("");
  add(std::string(view.length() + 5, text.alphabet.symbol(0)));
  for (const char symbol : std::string(text.alphabet.symbols()))
    add(std::string(1, symbol));
  return batch;
}

bool same(const std::vector<StrandCounts>& a, const std::vector<StrandCounts>& b) {
  return std::ranges::equal(a, b, [](const StrandCounts& x, const StrandCounts& y) {
    return x.forward == y.forward && x.reverse == y.reverse;
  });
}

constexpr Strands all_strands[] = {Strands::both, Strands::forward, Strands::reverse};
constexpr std::uint64_t hit_limits[] = {0, 1, 7, 40, unlimited};

/// What the CPU finds, for every choice of strands and limit of hits.
struct Expected {
  std::vector<StrandCounts> counts;
  std::vector<Hits> hits;
};

std::vector<Expected> expect(const Searcher& cpu, const Patterns& patterns) {
  std::vector<Expected> all;
  for (const Strands strands : all_strands) {
    Expected& expected = all.emplace_back();
    cpu.count(patterns, strands, expected.counts);
    for (const std::uint64_t max_hits : hit_limits)
      cpu.locate(patterns, strands, max_hits, expected.hits.emplace_back());
  }
  return all;
}

void check_searcher(const Searcher& gpu, const std::vector<Expected>& expected,
                    const Patterns& patterns) {
  for (std::size_t s = 0; s < std::size(all_strands); ++s) {
    std::vector<StrandCounts> counts;
    gpu.count(patterns, all_strands[s], counts);
    CHECK(same(counts, expected[s].counts));
    for (std::size_t m = 0; m < std::size(hit_limits); ++m) {
      CAPTURE(hit_limits[m]);
      Hits hits;
      gpu.locate(patterns, all_strands[s], hit_limits[m], hits);
      CHECK(same(hits.counts, expected[s].hits[m].counts));
      CHECK(hits.hit_ends == expected[s].hits[m].hit_ends);
      CHECK(hits.hits == expected[s].hits[m].hits);
    }
  }
}

void check_all_ways(const Text& text, Random& random, std::uint32_t rate = 16,
                    std::optional<std::uint32_t> kmer_length = {}, std::uint64_t count = 150) {
  const OpenIndex index(text, rate, kmer_length);
  cuda::DeviceLink gpu(0, unlimited);
  const cuda::CurrentDevice current = gpu.make_current();
  PatternBuffer buffer;
  buffer.encode(queries_of(text, random, static_cast<int>(share_of(count, 10)), 300),
                index->alphabet());
  const auto expected =
      expect(*make_cpu_backend()->open<ExactSearch>({*index, 1}), buffer.patterns());
  for (const PositionWidth width : {PositionWidth::automatic, PositionWidth::wide}) {
    for (const bool whole_suffix_array : {true, false}) {
      for (const bool verify : {true, false}) {
        CAPTURE(whole_suffix_array);
        CAPTURE(verify);
        const auto searcher = cuda::make_searcher(*index, gpu.pool(), gpu.transfer(2),
                                                  {width, whole_suffix_array, verify});
        check_searcher(*searcher, expected, buffer.patterns());
      }
    }
  }
  // Few hits at a time: chunks end anywhere, and short patterns have too many hits for the device.
  // Each chunk costs a copy that is waited for, so this uses only short texts.
  constexpr std::uint64_t short_text = 3000;
  if (text.length() > short_text || !full_tests()) return;
  for (const auto& [device_hits, host_hits] : {std::pair(500u, 37u), {64u, 100u}}) {
    CAPTURE(device_hits);
    const auto searcher = cuda::make_searcher(*index, gpu.pool(), gpu.transfer(2),
                                              {.whole_suffix_array = random() % 2 == 0,
                                               .device_hits = device_hits,
                                               .host_hits = host_hits});
    check_searcher(*searcher, expected, buffer.patterns());
  }
}

}  // namespace

TEST_CASE("searching: adversarial collections") {
  GSX_NEED_GPU();
  Random random(61);
  const auto collections = adversarial_collections(5);
  for (std::size_t i = 0; i < collections.size(); i += test_share())
    check_all_ways(make_text(collections[i]), random, 16, {}, 40);
}

TEST_CASE("searching: sampling rates, k-mer tables") {
  GSX_NEED_GPU();
  Random random(62);
  const Text copies =
      make_text({mutated_copies(random, 300, share_of(60, 10), 5000, "ACGT"), "ACGT", "A"});
  for (const std::uint32_t rate : {1u, 3u, 64u})
    check_all_ways(copies, random, rate);
  for (const std::uint32_t k : {0u, 1u, 5u})
    check_all_ways(copies, random, 16, k);
}

TEST_CASE("searching: a random text, and copies of one record") {
  GSX_NEED_GPU();
  Random random(65);
  check_all_ways(make_text({random_string(random, share_of(200000), "ACGT")}), random);
  check_all_ways(
      make_text(std::vector<std::string>(share_of(300, 40), random_string(random, 90, "ACGT"))),
      random);
}

TEST_CASE("searching: other alphabets") {
  GSX_NEED_GPU();
  Random random(63);
  const std::string letters = "ACDEFGHIKLMNPQRSTVWY";
  check_all_ways(make_text({random_string(random, share_of(30000), letters),
                            mutated_copies(random, 200, 20, 900, letters)},
                           SymbolPolicy::protein),
                 random);
  check_all_ways(make_text({fibonacci_word(3000, 'a', 'b')}, SymbolPolicy::bytes), random);
  check_all_ways(
      make_text({random_string(random, share_of(30000), every_symbol())}, SymbolPolicy::bytes),
      random);
}

TEST_CASE("searching: long patterns, and an empty batch") {
  GSX_NEED_GPU();
  Random random(64);
  const Text text = make_text({random_string(random, 300000, "ACGT"), std::string(200000, 'T')});
  const OpenIndex index(text);
  const auto cpu = make_cpu_backend()->open<ExactSearch>({*index, 1});
  const auto gpu = make_cuda_backend(0)->open<ExactSearch>({*index, 2});
  PatternBuffer buffer;
  buffer.encode(queries_of(text, random, 30, share_of(150000)), index->alphabet());
  check_searcher(*gpu, expect(*cpu, buffer.patterns()), buffer.patterns());
  buffer.encode(RecordBatch{}, index->alphabet());
  check_searcher(*gpu, expect(*cpu, buffer.patterns()), buffer.patterns());
}

TEST_CASE("searching: reads of a million bases among short ones") {
  GSX_NEED_GPU();
  Random random(69);
  const std::uint64_t tenth = share_of(100'000);
  const std::string genome = random_string(random, 30 * tenth, "ACGT");
  const Text text = make_text({genome, genome.substr(5 * tenth, 15 * tenth)});
  const OpenIndex index(text);
  const auto cpu = make_cpu_backend()->open<ExactSearch>({*index, 1});
  const auto gpu = make_cuda_backend(0)->open<ExactSearch>({*index, 2});
  RecordBatch batch = queries_of(text, random, 200, 100);
  const auto add = [&](std::string read) {
    batch.begin_record("long", "");
    batch.append(read);
  };
  for (const std::uint64_t begin : {0u, 6u, 20u}) {
    std::string read = genome.substr(begin * tenth, 10 * tenth);
    add(read);
    read.front() = read.front() == 'A' ? 'C' : 'A';
    add(read);
  }
  std::string reverse = genome.substr(7 * tenth, 10 * tenth);
  std::ranges::reverse(reverse);
  for (char& c : reverse)
    c = c == 'A' ? 'T' : c == 'T' ? 'A' : c == 'C' ? 'G' : 'C';
  add(reverse);
  PatternBuffer buffer;
  buffer.encode(batch, index->alphabet());
  Hits expected, found;
  cpu->locate(buffer.patterns(), Strands::both, unlimited, expected);
  gpu->locate(buffer.patterns(), Strands::both, unlimited, found);
  CHECK(found.hits == expected.hits);
  CHECK(same(found.counts, expected.counts));
  CHECK(found.counts.back().reverse == 2);
}

TEST_CASE("searching: several threads at once") {
  GSX_NEED_GPU();
  Random random(65);
  const Text text = make_text({mutated_copies(random, 1000, 100, 5000, "ACGT")});
  const OpenIndex index(text);
  const auto cpu = make_cpu_backend()->open<ExactSearch>({*index, 1});
  const auto gpu = make_cuda_backend(0)->open<ExactSearch>({*index, 8});
  std::vector<PatternBuffer> buffers(8);
  std::vector<Hits> expected(8), found(8);
  for (std::size_t t = 0; t < 8; ++t) {
    buffers[t].encode(queries_of(text, random, 500, 200), index->alphabet());
    cpu->locate(buffers[t].patterns(), Strands::both, unlimited, expected[t]);
  }
  run_threads(8, [&](int thread) {
    const auto t = static_cast<std::size_t>(thread);
    for (int round = 0; round < static_cast<int>(share_of(5)); ++round)
      gpu->locate(buffers[t].patterns(), Strands::both, unlimited, found[t]);
  });
  for (std::size_t t = 0; t < 8; ++t)
    CHECK(found[t].hits == expected[t].hits);
}

TEST_CASE("an index on the device gets its extras once enough has been searched for") {
  GSX_NEED_GPU();
  Random random(66);
  const Text text = make_text({mutated_copies(random, 1000, 30, 500, "ACGT"), "ACGT"});
  const OpenIndex index(text);
  const SuffixArray rows = build_suffix_array(*make_cpu_backend(), text.view(), {});
  cuda::DeviceLink gpu(0, unlimited);
  const cuda::CurrentDevice current = gpu.make_current();
  const cuda::PlacedIndex<std::uint32_t> placed(*index, gpu.pool(), gpu.transfer(2), true,
                                                {.rows = 0, .symbols = 100});
  CHECK(placed.view(99).sa == nullptr);
  CHECK(placed.view(1).sa == nullptr);  // this starts it
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(100);
  const std::uint32_t own = index->fm().kmers.k;  // the text has room for one more
  while (placed.view(0).fm.kmers.k == own && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const auto view = placed.view(0);
  REQUIRE(view.sa != nullptr);
  CHECK(view.fm.kmers.k > own);
  std::vector<std::uint32_t> found(rows.size());
  gpu.transfer(2).to_host(found.data(), view.sa, sizeof(std::uint32_t) * found.size());
  for (std::size_t row = 0; row < found.size(); ++row)
    REQUIRE(found[row] == rows[row]);
  // A search that locates much has the suffix array at once, and the k-mers later.
  const cuda::PlacedIndex<std::uint32_t> locating(
      *index, gpu.pool(), gpu.transfer(2), true,
      {.rows = 0, .symbols = 100, .suffix_array_at_once = true});
  CHECK(locating.view(0).sa != nullptr);
  CHECK(locating.view(0).fm.kmers.k == own);
}

TEST_CASE("searching: the extras come while several threads search") {
  GSX_NEED_GPU();
  Random random(67);
  const Text text = make_text({mutated_copies(random, 1000, 100, 5000, "ACGT")});
  const OpenIndex index(text);
  const auto cpu = make_cpu_backend()->open<ExactSearch>({*index, 1});
  std::vector<PatternBuffer> buffers(4);
  std::vector<Hits> expected(4);
  for (std::size_t t = 0; t < 4; ++t) {
    buffers[t].encode(queries_of(text, random, 100, 100), index->alphabet());
    cpu->locate(buffers[t].patterns(), Strands::both, unlimited, expected[t]);
  }
  cuda::DeviceLink gpu(0, unlimited);
  const cuda::CurrentDevice current = gpu.make_current();
  for (const std::uint64_t symbols : {1u, 1000u, 30'000u}) {
    const auto searcher = cuda::make_searcher(*index, gpu.pool(), gpu.transfer(2),
                                              {.extras = {.rows = 0, .symbols = symbols}});
    std::atomic<int> wrong = 0;
    run_threads(4, [&](int thread) {
      const auto t = static_cast<std::size_t>(thread);
      for (int round = 0; round < static_cast<int>(share_of(10, 2)); ++round) {
        Hits found;
        searcher->locate(buffers[t].patterns(), Strands::both, unlimited, found);
        wrong += found.hits == expected[t].hits && same(found.counts, expected[t].counts) ? 0 : 1;
      }
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("searching: several GPUs, or one as if it were several, share the batches") {
  GSX_NEED_GPU();
  Random random(68);
  const Text text = make_text({mutated_copies(random, 1000, 100, 5000, "ACGT")});
  const OpenIndex index(text);
  const auto gpus = static_cast<int>(describe_cuda_devices().size());
  std::vector<std::unique_ptr<Backend>> backends;
  for (int i = 0; i < 3; ++i)
    backends.push_back(make_cuda_backend(i % gpus));
  const auto shared = make_multi_device_backend(std::move(backends));
  const auto gpu = shared->open<ExactSearch>({*index, 6});
  const auto cpu = make_cpu_backend()->open<ExactSearch>({*index, 1});
  run_threads(6, [&](int thread) {
    Random own(100 + static_cast<std::uint64_t>(thread));
    for (int round = 0; round < static_cast<int>(share_of(5)); ++round) {
      PatternBuffer buffer;
      buffer.encode(queries_of(text, own, 300, 200), index->alphabet());
      Hits expected, found;
      cpu->locate(buffer.patterns(), Strands::both, unlimited, expected);
      gpu->locate(buffer.patterns(), Strands::both, unlimited, found);
      std::vector<StrandCounts> counts;
      gpu->count(buffer.patterns(), Strands::both, counts);
      if (found.hits != expected.hits || !same(counts, expected.counts))
        throw RuntimeError("wrong hits");
    }
  });
  // All other work runs on the first.
  CHECK(build_suffix_array(*shared, text.view(), {}).size() == text.length());
}

TEST_CASE("searching: hits of a pattern in chunks, a bounded number on the device and the host") {
  GSX_NEED_GPU();
  Random random(70);
  const Text text = make_text({random_string(random, 400'000, "ACGT"), std::string(50'000, 'A')});
  const OpenIndex index(text);
  cuda::DeviceLink gpu(0, unlimited);
  const cuda::CurrentDevice current = gpu.make_current();
  PatternBuffer buffer;
  RecordBatch batch;
  for (const char* pattern : {"A", "", "GATTACA", "AAAA", "N", "T", "ACGT"}) {
    batch.begin_record("q", "");
    batch.append(pattern);
  }
  buffer.encode(batch, index->alphabet());
  const auto cpu = make_cpu_backend()->open<ExactSearch>({*index, 1});
  for (const std::uint64_t max_hits : {std::uint64_t{60'000}, unlimited}) {
    Hits expected;
    cpu->locate(buffer.patterns(), Strands::both, max_hits, expected);
    for (const std::uint64_t device_hits : {20'000u, 300'000u, 1u << 25}) {
      const auto searcher = cuda::make_searcher(*index, gpu.pool(), gpu.transfer(2),
                                                {.device_hits = device_hits, .host_hits = 9'999});
      Hits found;
      searcher->stream(buffer.patterns(), {Strands::both, max_hits}, [&](const HitChunk& chunk) {
        CHECK(chunk.hits.size() <= 9'999);
        found.append(chunk);
      });
      CHECK(found.hits == expected.hits);
      CHECK(found.hit_ends == expected.hit_ends);
      CHECK(same(found.counts, expected.counts));
    }
  }
}

TEST_CASE(
    "searching with little memory: batches are split, an index that does not fit is refused") {
  GSX_NEED_GPU();
  Random random(66);
  const Text text = make_text({mutated_copies(random, 100, 1000, 5000, "ACGT")});
  const OpenIndex index(text);
  PatternBuffer buffer;
  buffer.encode(queries_of(text, random, static_cast<int>(share_of(1000, 30)), 30),
                index->alphabet());
  Hits expected, hits;
  make_cpu_backend()
      ->open<ExactSearch>({*index, 1})
      ->locate(buffer.patterns(), Strands::both, unlimited, expected);
  std::uint64_t worked = 0, refused = 0;
  for (const std::uint64_t kilobytes : {50u, 300u, 500u, 2000u, 4000u, 8000u, 40000u}) {
    CAPTURE(kilobytes);
    const auto gpu = make_cuda_backend(0, kilobytes << 10);
    try {
      gpu->open<ExactSearch>({*index, 1})
          ->locate(buffer.patterns(), Strands::both, unlimited, hits);
      CHECK(hits.hits == expected.hits);
      CHECK(hits.hit_ends == expected.hit_ends);
      ++worked;
    } catch (const ResourceError&) {
      ++refused;
    }
    const auto either =
        make_fallback_backend(make_cuda_backend(0, kilobytes << 10), make_cpu_backend());
    either->open<ExactSearch>({*index, 1})
        ->locate(buffer.patterns(), Strands::both, unlimited, hits);
    CHECK(hits.hits == expected.hits);
  }
  CHECK(worked >= 2);
  CHECK(refused >= 1);
}

TEST_CASE("batches of access, rank and select on the device") {
  GSX_NEED_GPU();
  Random random(67);
  std::vector<Text> texts;
  texts.push_back(make_text({random_string(random, 300000, "ACGT"), "A", std::string(50000, 'C')}));
  texts.push_back(
      make_text({random_string(random, 100000, "ACDEFGHIKLMNPQRSTVWY")}, SymbolPolicy::protein));
  texts.push_back(make_text({fibonacci_word(100000, 'a', 'b')}, SymbolPolicy::bytes));
  for (const Text& text : texts) {
    const OpenIndex index(text);
    const FmView fm = index->fm();
    const auto bench = make_cuda_bench(0);
    const auto queries = bench->open(*index, 2);
    std::vector<std::uint64_t> rows, numbers;
    std::vector<std::uint8_t> codes;
    for (int i = 0; i < 20000; ++i) {
      const auto code = static_cast<std::uint8_t>(below(random, fm.sigma));
      const std::uint64_t count = fm.bwt.rank(code, fm.rows());
      if (count == 0) continue;
      rows.push_back(below(random, fm.rows()));
      codes.push_back(code);
      numbers.push_back(below(random, count));
    }
    std::vector<std::uint8_t> found_codes(rows.size());
    std::vector<std::uint64_t> ranks(rows.size()), places(rows.size());
    queries->access(rows, found_codes.data());
    queries->rank(codes, rows.data(), ranks.data());
    queries->select(codes, numbers.data(), places.data());
    std::uint64_t wrong = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      wrong += !fm.bwt.is_hole(rows[i]) && found_codes[i] != fm.bwt.access(rows[i]);
      wrong += ranks[i] != fm.bwt.rank(codes[i], rows[i]);
      wrong += places[i] != fm.bwt.select(codes[i], numbers[i]);
    }
    CHECK(wrong == 0);
  }
}
