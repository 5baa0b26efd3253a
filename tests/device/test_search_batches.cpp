// Batches on their way to the GPU and back: packing, hits that come back with the counts and hits
// that do not, memory that lanes keep from batch to batch.
#include <doctest/doctest.h>

#include <atomic>
#include <optional>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "bytes/output.hpp"
#include "device/registry.hpp"
#include "gsx/matches.hpp"
#include "gsx/search.hpp"
#include "index/store/writer.hpp"
#include "kernels/base/device_link.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/search/exact/cuda_searcher.hpp"
#include "run/patterns.hpp"
#include "support/files.hpp"
#include "support/gpu.hpp"
#include "support/match_cases.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// An index opened from a file, and what the CPU finds in it.
class Genome {
 public:
  explicit Genome(const std::string& sequence, SymbolPolicy policy = SymbolPolicy::dna) {
    const Text text = make_text({sequence, sequence.substr(0, sequence.size() / 3)}, policy);
    Output out(folder_ / "g.gsx");
    write_index(out, text, make_cpu_backend()->build_index(text.view(), {}), 2);
    out.commit();
    index_.emplace(Index::open(folder_ / "g.gsx", Load::map, 2));
    cpu_ = make_cpu_backend()->open<ExactSearch>({*index_, 1});
  }
  const Index& index() const { return *index_; }

  PatternBuffer encode(const std::vector<std::string>& patterns) const {
    const std::vector<std::string_view> views(patterns.begin(), patterns.end());
    PatternBuffer buffer;
    buffer.encode(views, index_->alphabet());
    return buffer;
  }
  /// Whether a searcher counts and locates as the CPU does, at once and with searches that it
  /// starts.
  bool agrees(const Searcher& gpu, const PatternBuffer& buffer, std::uint64_t max_hits) const {
    const Patterns patterns = buffer.patterns();
    Hits expected;
    cpu_->locate(patterns, Strands::both, max_hits, expected);
    const auto counter = gpu.start(patterns, {{Strands::both, max_hits}, false}),
               locator = gpu.start(patterns, {{Strands::both, max_hits}, true});
    gpu.start(patterns, {{Strands::forward}, true});  // and nobody waits for it
    return finds(gpu, gpu, patterns, max_hits, expected) &&
           (!counter || !locator || finds(*counter, *locator, patterns, max_hits, expected));
  }

 private:
  static bool finds(const Searcher& counter, const Searcher& locator, const Patterns& patterns,
                    std::uint64_t max_hits, const Hits& expected) {
    Hits found;
    locator.locate(patterns, Strands::both, max_hits, found);
    std::vector<StrandCounts> counts;
    counter.count(patterns, Strands::both, counts);
    bool same = found.hits == expected.hits && found.hit_ends == expected.hit_ends &&
                counts.size() == expected.counts.size();
    for (std::size_t i = 0; same && i < counts.size(); ++i) {
      for (const StrandCounts& both : {counts[i], found.counts[i]}) {
        same = same && both.forward == expected.counts[i].forward &&
               both.reverse == expected.counts[i].reverse;
      }
    }
    return same;
  }

  TemporaryFolder folder_;
  std::optional<Index> index_;
  std::unique_ptr<Searcher> cpu_;
};

std::vector<std::string> reads_of(Random& random, const std::string& genome, std::uint64_t count,
                                  std::uint64_t length) {
  std::vector<std::string> reads;
  for (std::uint64_t i = 0; i < count; ++i)
    reads.push_back(genome.substr(below(random, genome.size() - length), length));
  return reads;
}

}  // namespace

TEST_CASE("batches: a foreign symbol at any place of a pattern, in DNA and in other alphabets") {
  GSX_NEED_GPU();
  Random random(301);
  for (const SymbolPolicy policy : {SymbolPolicy::dna, SymbolPolicy::protein}) {
    const std::string genome =
        random_string(random, 5000, policy == SymbolPolicy::dna ? "ACGT" : "ACDEFGHIKLMNPQRSTVWY");
    const Genome indexed(genome, policy);
    std::vector<std::string> patterns;
    for (std::uint64_t length = 1; length < 40; ++length) {
      for (std::uint64_t at = 0; at <= length; ++at) {
        patterns.push_back(genome.substr(below(random, 4000), length));
        if (at < length) patterns.back()[at] = '!';
      }
      if (length % 5 == 0) patterns.emplace_back();
    }
    const PatternBuffer buffer = indexed.encode(patterns);
    const auto gpu = make_cuda_backend(0)->open<ExactSearch>({indexed.index(), 1});
    for (const bool locates : {false, true})
      CHECK(gpu->start(buffer.patterns(), {{}, locates}) != nullptr);
    CHECK(indexed.agrees(*gpu, buffer, unlimited));
  }
}

TEST_CASE("batches: few hits, as many as a block sorts, and more, together and in turn") {
  GSX_NEED_GPU();
  Random random(302);
  std::string genome = random_string(random, 20'000, "ACGT");
  std::vector<std::string> repeats;
  // The second record holds a third of the genome again.
  for (const int copies : {1, 10, 15, 16, 17, 100, 1500, 2047, 2048, 2049, 5000}) {
    repeats.push_back(random_string(random, 30, "ACGT"));
    for (int i = 0; i < copies; ++i)
      genome += repeats.back() + random_string(random, 5 + below(random, 10), "ACGT");
  }
  const Genome indexed(genome);
  cuda::DeviceLink link(0, unlimited);
  const cuda::CurrentDevice current = link.make_current();
  for (const std::uint64_t host_hits : {std::uint64_t{1} << 22, std::uint64_t{3000}}) {
    for (const bool whole_suffix_array : {true, false}) {
      const auto gpu =
          cuda::make_searcher(indexed.index(), link.pool(), link.transfer(2),
                              {.whole_suffix_array = whole_suffix_array, .host_hits = host_hits});
      for (int round = 0; round < 2; ++round) {  // the second knows how many hits there may be
        std::vector<std::string> all = reads_of(random, genome, 3000, 50);
        CHECK(indexed.agrees(*gpu, indexed.encode(all), unlimited));
        all.insert(all.begin() + 100, repeats.begin(), repeats.begin() + 7);
        CHECK(indexed.agrees(*gpu, indexed.encode(all), unlimited));
        all.insert(all.begin() + 2000, repeats.begin(), repeats.end());
        for (const std::uint64_t max_hits : {std::uint64_t{0}, std::uint64_t{17},
                                             std::uint64_t{100}, std::uint64_t{2048}, unlimited}) {
          CAPTURE(max_hits);
          CHECK(indexed.agrees(*gpu, indexed.encode(all), max_hits));
        }
        for (const std::string& repeat : repeats)
          CHECK(indexed.agrees(*gpu, indexed.encode({repeat}), unlimited));
      }
    }
  }
}

TEST_CASE("batches: large and small ones in turn, on several threads") {
  GSX_NEED_GPU();
  Random random(303);
  const std::string genome = random_string(random, share_of(200'000, 5000), "ACGT");
  const Genome indexed(genome);
  const auto gpu = make_cuda_backend(0)->open<ExactSearch>({indexed.index(), 4});
  // More than a lane's pinned memory holds.
  const std::uint64_t large = share_of(5 * cuda::tuning::transfer_bytes / 150);
  std::atomic<int> wrong{0};
  run_threads(4, [&](int thread) {
    Random own(400 + static_cast<std::uint64_t>(thread));
    for (int round = 0; round < 3; ++round) {
      for (const std::uint64_t count : {std::uint64_t{1}, large, std::uint64_t{500}}) {
        const PatternBuffer buffer = indexed.encode(reads_of(own, genome, count, 150));
        wrong += indexed.agrees(*gpu, buffer, unlimited) ? 0 : 1;
      }
    }
  });
  CHECK(wrong == 0);
}

TEST_CASE("batches: memory that idle lanes keep is there for a batch that needs it") {
  GSX_NEED_GPU();
  Random random(304);
  const std::string genome = random_string(random, 100'000, "ACGT");
  const Genome indexed(genome);
  int worked = 0;
  for (const std::uint64_t megabytes : {4u, 6u, 10u, 20u}) {
    CAPTURE(megabytes);
    try {
      const auto gpu =
          make_cuda_backend(0, megabytes << 20)->open<ExactSearch>({indexed.index(), 4});
      std::atomic<int> wrong{0};
      run_threads(4, [&](int thread) {
        Random own(500 + static_cast<std::uint64_t>(thread));
        const PatternBuffer some = indexed.encode(reads_of(own, genome, 2000, 100));
        wrong += indexed.agrees(*gpu, some, unlimited) ? 0 : 1;
      });
      const PatternBuffer many =
          indexed.encode(reads_of(random, genome, share_of(60'000, 1000), 100));
      wrong += indexed.agrees(*gpu, many, unlimited) ? 0 : 1;
      CHECK(wrong == 0);
      ++worked;
    } catch (const ResourceError&) {
      // The index alone may take all of it.
    }
  }
  CHECK(worked >= 2);
}

TEST_CASE("batches: no search is started that its thread would wait for, or memory was short for") {
  GSX_NEED_GPU();
  Random random(306);
  const std::string genome = random_string(random, 200'000, "ACGT");
  const Genome indexed(genome);
  const SearchRequest counts{{Strands::both, unlimited}, false},
      hits{{Strands::both, unlimited}, true};
  const PatternBuffer many_hits = indexed.encode(std::vector<std::string>(16, "A"));
  const auto ample = make_cuda_backend(0)->open<ExactSearch>({indexed.index(), 1});
  CHECK(ample->start(many_hits.patterns(), hits) != nullptr);
  CHECK(indexed.agrees(*ample, many_hits, unlimited));
  Hits all;
  ample->locate(many_hits.patterns(), Strands::both, unlimited, all);
  // The lane of this one expects the hits of the next batch to come back with its counts.
  CHECK(ample->start(many_hits.patterns(), hits) == nullptr);
  CHECK(ample->start(many_hits.patterns(), counts) != nullptr);

  std::vector<std::string> long_ones;
  for (int i = 0; i < 60; ++i)
    long_ones.push_back(random_string(random, 50'000, "ACGT"));
  const PatternBuffer much = indexed.encode(long_ones),
                      little = indexed.encode(reads_of(random, genome, 10, 50));
  int refused = 0;
  for (std::uint64_t kilobytes = 500; kilobytes < 8000; kilobytes += 250) {
    try {
      const auto gpu =
          make_cuda_backend(0, kilobytes << 10)->open<ExactSearch>({indexed.index(), 1});
      std::vector<StrandCounts> found;
      gpu->count(much.patterns(), Strands::both, found);
      const auto started = gpu->start(little.patterns(), counts);
      refused += started == nullptr;
    } catch (const ResourceError&) {
      // The index alone may take all of it.
    }
  }
  CHECK(refused > 0);
  CHECK(refused < 15);
}

TEST_CASE("batches: the library's searcher on a GPU finds what it finds on the CPU") {
  GSX_NEED_GPU();
  Random random(305);
  const std::string genome = random_string(random, 100'000, "ACGT");
  const Genome indexed(genome);
  const std::vector<std::string> reads = reads_of(random, genome, share_of(150'000, 1000), 100);
  const std::vector<std::string_view> views(reads.begin(), reads.end());
  const BatchSearcher cpu(indexed.index(), {.device = "cpu", .threads = 2}),
      gpu(indexed.index(), {.device = "cuda", .threads = 2});
  const auto expected = cpu.count(views), found = gpu.count(views);
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    wrong += expected[i].forward != found[i].forward || expected[i].reverse != found[i].reverse;
  CHECK(wrong == 0);
  Hits hits[2];
  cpu.locate(views, {}, [&](const HitChunk& chunk) { hits[0].append(chunk); });
  gpu.locate(views, {}, [&](const HitChunk& chunk) { hits[1].append(chunk); });
  CHECK(hits[0].hits == hits[1].hits);
  CHECK(hits[0].hit_ends == hits[1].hit_ends);
}

TEST_CASE("batches: the library's searcher of matches on a GPU finds what it finds on the CPU") {
  GSX_NEED_GPU();
  Random random(306);
  const std::string genome = random_string(random, 100'000, "ACGT");
  const Genome indexed(genome);
  std::vector<std::string> reads = reads_of(random, genome, share_of(20'000, 300), 100);
  reads.push_back(genome);
  const std::vector<std::string_view> views(reads.begin(), reads.end());
  const MaximalMatchSearcher cpu(indexed.index(), {.device = "cpu", .threads = 2}),
      gpu(indexed.index(), {.device = "cuda", .threads = 2});
  CHECK(gpu.device() != "cpu");
  CollectedMatches expected, found;
  cpu.matches(views, {.min_length = 15}, [&](const MatchChunk& chunk) { expected.take(chunk); });
  gpu.matches(views, {.min_length = 15}, [&](const MatchChunk& chunk) { found.take(chunk); });
  CHECK(found.queries() == expected.queries());
  std::vector<std::uint64_t> lengths[2];
  const auto collect = [&](const MaximalMatchSearcher& searcher, std::vector<std::uint64_t>& all) {
    searcher.lengths(views, {}, [&](const LengthChunk& chunk) {
      all.insert(all.end(), chunk.lengths.begin(), chunk.lengths.end());
    });
  };
  collect(cpu, lengths[0]);
  collect(gpu, lengths[1]);
  CHECK((lengths[0] == lengths[1]));
}
