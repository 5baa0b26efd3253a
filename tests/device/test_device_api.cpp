// gsx/device.cuh gives from device memory what the CPU gives, and leaves the process as it was.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "device/products.hpp"
#include "device/registry.hpp"
#include "device_calls/contexts.hpp"
#include "device_calls/device_api_checks.hpp"
#include "device_calls/packing_calls.hpp"
#include "device_calls/wavelet_calls.hpp"
#include "gsx/index.hpp"
#include "gsx/search.hpp"
#include "gsx/suffix_array.hpp"
#include "support/gpu.hpp"
#include "support/index_file.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::vector<std::string> texts() {
  Random random(91);
  std::string all_values;
  for (int value = 0; value < 255; ++value)
    all_values += static_cast<char>(value + 1);
  std::vector<std::string> texts = {"",
                                    "a",
                                    "banana",
                                    std::string(3, '\0'),
                                    std::string(5000, 'A'),
                                    all_values,
                                    fibonacci_word(20'000, 'a', 'b'),
                                    random_string(random, 30'000, "ACGT"),
                                    random_string(random, 30'000, "ACDEFGHIKLMNPQRSTVWY"),
                                    mutated_copies(random, 500, 20, 300, "ACGTN")};
  texts.push_back(random_string(random, share_of(9'000'000, 50'000), "ACGT"));
  return texts;
}

const DeviceCall calls[] = {{}, {false, false}, {true, true}, {false, true}};

/// Pieces of a text, some of them changed, and patterns that occur nowhere.
std::vector<std::string> patterns_of(const std::string& text, Random& random) {
  std::vector<std::string> patterns = {"", "!", text + text, text.substr(0, 1)};
  for (int i = 0; i < 300; ++i) {
    std::string pattern = text.substr(below(random, text.size()), 1 + below(random, 60));
    if (i % 4 == 1) pattern[below(random, pattern.size())] = text[below(random, text.size())];
    if (i % 9 == 2) pattern[below(random, pattern.size())] = 'N';
    if (i % 11 == 3) pattern[0] = static_cast<char>(pattern[0] | 0x20);
    patterns.push_back(pattern);
  }
  return patterns;
}

Hits cpu_hits(const Index& index, const std::vector<std::string>& patterns,
              const LocateRequest& request) {
  const std::vector<std::string_view> views(patterns.begin(), patterns.end());
  Hits hits;
  BatchSearcher(index, {.device = "cpu", .threads = 2})
      .locate(views, request, [&](const HitChunk& chunk) { hits.append(chunk); });
  return hits;
}

bool same(const std::vector<StrandCounts>& a, const std::vector<StrandCounts>& b) {
  return std::ranges::equal(a, b, [](const StrandCounts& x, const StrandCounts& y) {
    return x.forward == y.forward && x.reverse == y.reverse;
  });
}

}  // namespace

TEST_CASE("device memory: suffix arrays, inverses and transforms of bytes") {
  GSX_NEED_GPU();
  std::size_t which = 0;
  for (const std::string& text : texts()) {
    CAPTURE(text.size());
    const SuffixArray expected = suffix_array(text, {.device = "cpu"});
    const BytesBwt expected_bwt = bwt(text, {.device = "cpu"});
    const DeviceCall& call = calls[which++ % std::size(calls)];
    const auto narrow = device_suffix_array<std::uint32_t>(text, call);
    const auto wide = device_suffix_array<std::uint64_t>(text, call);
    REQUIRE(narrow.size() == expected.size());
    bool right = true;
    for (std::uint64_t row = 0; row < expected.size(); ++row)
      right = right && narrow[row] == expected[row] && wide[row] == expected[row];
    CHECK(right);
    const auto inverse = device_inverse(narrow);
    for (std::uint64_t row = 0; row < expected.size(); ++row)
      right = right && inverse[narrow[row]] == row;
    CHECK(right);
    CHECK(device_inverse(device_inverse(wide)) == wide);
    const DeviceBwt transform = device_bwt(text, call);
    CHECK(transform.primary == expected_bwt.primary);
    CHECK(std::ranges::equal(transform.bytes, expected_bwt.bytes, [](char a, std::uint8_t b) {
      return static_cast<std::uint8_t>(a) == b;
    }));
  }
}

TEST_CASE("device memory: what cannot be sorted is refused") {
  GSX_NEED_GPU();
  std::string all_values(256, '\0');
  for (std::size_t value = 0; value < 256; ++value)
    all_values[value] = static_cast<char>(value);
  CHECK_THROWS_AS((void)device_suffix_array<std::uint32_t>(all_values, {}), UsageError);
  CHECK_THROWS_AS((void)device_bwt(all_values, {}), UsageError);
  const std::string text(100'000, 'A');
  CHECK_THROWS_AS((void)device_suffix_array<std::uint32_t>(text, {true, false, 50'000}),
                  ResourceError);
  const Index index = build_index(make_text({text}), {.device = "cpu"});
  CHECK_THROWS_AS((void)device_counts(index, {"A"}, Strands::both, {true, false, 10'000}),
                  ResourceError);
}

TEST_CASE("device memory: patterns are counted and located as on the CPU") {
  GSX_NEED_GPU();
  Random random(92);
  std::vector<Text> all;
  const std::string dna = mutated_copies(random, 300, 60, 900, "ACGT");
  const std::string protein = random_string(random, 20'000, "ACDEFGHIKLMNPQRSTVWY");
  const std::string letters = fibonacci_word(20'000, 'a', 'b');
  const std::pair<std::string, SymbolPolicy> inputs[] = {
      {dna, SymbolPolicy::dna}, {protein, SymbolPolicy::protein}, {letters, SymbolPolicy::bytes}};
  std::size_t which = 0;
  for (const auto& [symbols, policy] : inputs) {
    const Index index = build_index(make_text({symbols, "A"}, policy), {.device = "cpu"});
    const std::vector<std::string> patterns = patterns_of(symbols, random);
    for (const Strands strands : {Strands::both, Strands::forward, Strands::reverse}) {
      if (strands == Strands::reverse && policy != SymbolPolicy::dna) {
        CHECK_THROWS_AS(device_hits(index, patterns, {strands}, calls[0]), UsageError);
        continue;
      }
      for (const std::uint64_t max_hits : {unlimited, std::uint64_t{3}, std::uint64_t{0}}) {
        const DeviceCall& call = calls[which++ % std::size(calls)];
        const Hits expected = cpu_hits(index, patterns, {strands, max_hits});
        const Hits found = device_hits(index, patterns, {strands, max_hits}, call);
        CHECK(same(found.counts, expected.counts));
        CHECK(found.hit_ends == expected.hit_ends);
        CHECK(found.hits == expected.hits);
        CHECK(same(device_counts(index, patterns, strands, call), expected.counts));
      }
    }
    CHECK(device_hits(index, {}, {}, {}).hits.empty());
  }
}

TEST_CASE("device memory: the caller's kernels rank, extend and locate") {
  GSX_NEED_GPU();
  Random random(93);
  const std::string symbols = mutated_copies(random, 200, 50, 400, "ACGT");
  const Index index = build_index(make_text({symbols}), {.device = "cpu", .sample_rate = 8});
  const std::vector<std::string> patterns = patterns_of(symbols, random);
  const FmView fm = index.fm();
  for (const bool narrow : {true, false}) {
    for (const bool whole : {true, false}) {
      const auto found = kernel_searches(index, patterns, narrow, whole);
      for (std::size_t i = 0; i < patterns.size(); ++i) {
        const std::string& pattern = patterns[i];
        CAPTURE(pattern);
        const auto rows = fm.search<std::uint64_t>(
            [&](std::uint64_t k) -> std::uint32_t { return index.alphabet().code(pattern[k]); },
            pattern.size());
        const std::uint64_t count =
            pattern.empty() || rows.end <= rows.begin ? 0 : rows.end - rows.begin;
        CHECK(found[i].end - found[i].begin == count);
        CHECK(found[i].searched == count);
        if (count > 0) CHECK(found[i].first_position == fm.locate(rows.begin));
        if (pattern.empty()) continue;
        const std::uint32_t code = index.alphabet().code(pattern[0]);
        CHECK(found[i].ranked == (code < fm.sigma ? fm.bwt.rank(code, fm.rows()) : 0));
      }
    }
  }
}

TEST_CASE("device memory: count does not wait, and its work outlives the index") {
  GSX_NEED_GPU();
  Random random(96);
  const std::string symbols = random_string(random, 50'000, "ACGT");
  const Index index = build_index(make_text({symbols}), {.device = "cpu"});
  const std::vector<std::string> patterns = patterns_of(symbols, random);
  std::vector<StrandCounts> counts;
  if (full_tests()) {  // tools may wait for each launch
    CHECK(count_returns_at_once(index, patterns, counts));
    CHECK(same(counts, cpu_hits(index, patterns, {}).counts));
  }
  CHECK(keep_until_exit(index) > symbols.size() / 2);
  CHECK_THROWS_WITH_AS(use_with_pending_error(index), doctest::Contains("is pending"), DeviceError);
}

TEST_CASE("device memory: several threads search") {
  GSX_NEED_GPU();
  Random random(97);
  const std::string symbols = random_string(random, 50'000, "ACGT");
  const Index index = build_index(make_text({symbols}), {.device = "cpu"});
  const std::vector<std::string> patterns = patterns_of(symbols, random);
  const Hits expected = cpu_hits(index, patterns, {});
  std::vector<int> right(6);
  run_threads(6, [&](int thread) {
    const auto t = static_cast<std::size_t>(thread);
    const Hits found = device_hits(index, patterns, {}, calls[t % std::size(calls)]);
    const auto counts = device_counts(index, patterns, Strands::both, {});
    right[t] = found.hits == expected.hits && same(counts, expected.counts);
  });
  CHECK(right == std::vector<int>(6, 1));
}

TEST_CASE("device memory: an index that leads outside itself is found out") {
  GSX_NEED_GPU();
  Random random(98);
  const std::string symbols = random_string(random, 50'000, "ACGT");
  const Index sound = build_index(make_text({symbols}), {.device = "cpu"});
  const std::vector<std::string> patterns = patterns_of(symbols, random);
  CHECK_NOTHROW(check_after_count(sound, patterns));
  const TemporaryFolder folder;
  sound.save(folder / "sound.gsx");
  IndexFile file(folder.read("sound.gsx"));
  const SectionEntry kmers = file.entry(file.find("kmers"));
  file.bytes.replace(kmers.offset, kmers.bytes, kmers.bytes, '\xFF');
  file.seal();
  const Index forged = Index::open(folder.write("forged.gsx", file.bytes));
  CHECK_THROWS_AS(check_after_count(forged, patterns), CorruptIndexError);
}

TEST_CASE("the library does not touch the device's default pool or the current device") {
  GSX_NEED_GPU();
  const int last = visible_devices() - 1;
  for (const int of_caller : {0, last}) {
    set_current_device(of_caller);
    const DeviceState before = device_state(0), before_last = device_state(last);
    for (const int device : {0, last}) {
      const auto gpu = make_cuda_backend(device);
      Random random(94);
      const Text text = make_text({random_string(random, share_of(3'000'000, 100'000), "ACGT")});
      const FmIndex built = gpu->build_index(text.view(), {});
      const Index index = build_index(make_text({"ACGTTGCA"}), {.device = "cpu"});
      const auto searcher = gpu->open<ExactSearch>({index, 2});
      CHECK(device_state(0) == before);
      CHECK(device_state(last) == before_last);
      const std::vector<std::uint8_t> codes = {0, 1, 2};
      const std::vector<std::uint64_t> ends = {3};
      searcher->stream({codes, ends}, {},
                       [&](const HitChunk&) { CHECK(device_state(0) == before); });
      CHECK(device_counts(index, {"ACG"}, Strands::forward, {})[0].forward == 1);
      CHECK(device_suffix_array<std::uint32_t>("banana", {})[0] == 5);
      const std::vector<std::uint32_t> numbers = {1, 2, 3, 2};
      CHECK(device_interleaved(numbers, 2, {})[1] == 2);
      CHECK(passed_stream(numbers, 2, {}, 2).view()[2] == 3);
      const WaveletSequence sequence = passed_sequence(numbers, WaveletShape::huffman, {}, 2);
      CHECK(SequenceOnDevice(sequence, {}).answers_through({{}, {2}, {4}, {1}}, 2).rank[0] == 2);
      CHECK(device_state(0) == before);
      CHECK(device_state(last) == before_last);
    }
    CHECK(device_state(0) == before);
  }
  set_current_device(0);
}

TEST_CASE("back ends have pools and limits of their own") {
  GSX_NEED_GPU();
  Random random(95);
  const Text text = make_text({random_string(random, share_of(2'000'000, 300'000), "ACGT")});
  const auto small = make_cuda_backend(0, std::uint64_t{1} << 20);
  const auto large = make_cuda_backend(0);
  CHECK_THROWS_AS((void)build_suffix_array(*small, text.view(), {}), ResourceError);
  CHECK(build_suffix_array(*large, text.view(), {}).size() == text.length());
  CHECK_THROWS_AS((void)build_suffix_array(*small, text.view(), {}), ResourceError);
  CHECK(small->peak_device_bytes() <= (std::uint64_t{1} << 20));
  CHECK(large->peak_device_bytes() > (std::uint64_t{1} << 20));
}
