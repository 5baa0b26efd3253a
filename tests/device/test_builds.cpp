// The GPU builds the same bytes as the CPU.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "bytes/output.hpp"
#include "device/products.hpp"
#include "device/registry.hpp"
#include "index/sa/checker.hpp"
#include "index/store/writer.hpp"
#include "support/gpu.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::string index_file(const Text& text, Backend& backend, const BuildOptions& options) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("gsx-device-" + std::to_string(getpid()) + ".gsx"))
          .string();
  Output out(path);
  write_index(out, text, backend.build_index(text.view(), options), options.threads);
  out.commit();
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  std::filesystem::remove(path);
  return std::move(content).str();
}

void check_same(const Text& text, std::optional<std::uint32_t> kmer_length = {}) {
  const auto cpu = make_cpu_backend();
  const auto gpu = make_cuda_backend(0);
  BuildOptions options;
  options.threads = 2;
  options.kmer_length = kmer_length;
  const SuffixArray expected = build_suffix_array(*cpu, text.view(), options);
  const SuffixArray rows = build_suffix_array(*gpu, text.view(), options);
  REQUIRE(rows.size() == expected.size());
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < rows.size(); ++i)
    wrong += rows[i] != expected[i];
  REQUIRE(wrong == 0);
  const Buffer<std::uint8_t> bwt = build_bwt(*gpu, text.view(), options);
  const Buffer<std::uint8_t> expected_bwt = build_bwt(*cpu, text.view(), options);
  REQUIRE(std::equal(bwt.begin(), bwt.end(), expected_bwt.begin(), expected_bwt.end()));
  REQUIRE(index_file(text, *gpu, options) == index_file(text, *cpu, options));
}

}  // namespace

TEST_CASE("adversarial collections") {
  GSX_NEED_GPU();
  for (std::uint64_t seed = 1; seed <= 8; seed += test_share()) {
    for (const auto& sequences : adversarial_collections(seed))
      check_same(make_text(sequences));
  }
}

TEST_CASE("sizes around a tile, a warp's share of a tile, and a block") {
  GSX_NEED_GPU();
  Random random(41);
  for (const std::uint64_t around : {32u, 256u, 512u, 4096u, 8192u, 65536u}) {
    for (const std::uint64_t size : {around - 1, around, around + 1}) {
      check_same(make_text({random_string(random, size, "ACGT")}));
    }
  }
}

TEST_CASE("texts that repeat at every depth") {
  GSX_NEED_GPU();
  Random random(42);
  check_same(make_text({std::string(share_of(100000, 2000), 'A')}));
  check_same(make_text({std::string(share_of(100000, 2000), 'T')}));
  check_same(make_text({fibonacci_word(share_of(100000, 2000))}));
  check_same(make_text({thue_morse_word(share_of(100000, 2000))}));
  const std::string half = random_string(random, share_of(50000, 2000), "ACGT");
  check_same(make_text({half + half}));
  check_same(make_text({half, half, half}));
  check_same(make_text({mutated_copies(random, share_of(20000, 200), 30, 3000, "ACGT")}));
}

TEST_CASE("many records") {
  GSX_NEED_GPU();
  Random random(43);
  std::vector<std::string> reads(share_of(20000));
  const std::string genome = random_string(random, share_of(50000, 2000), "ACGT");
  for (auto& read : reads)
    read = genome.substr(below(random, genome.size() - 100), 100);
  check_same(make_text(reads));
  // So many that most suffixes end within their first keys, and many are equal.
  std::vector<std::string> tiny(share_of(100000));
  for (auto& read : tiny)
    read = genome.substr(below(random, 1000), below(random, 30));
  check_same(make_text(tiny));
}

TEST_CASE("protein and bytes") {
  GSX_NEED_GPU();
  Random random(44);
  const std::string letters = "ACDEFGHIKLMNPQRSTVWY";
  check_same(
      make_text({random_string(random, share_of(200000, 2000), letters)}, SymbolPolicy::protein));
  check_same(make_text({mutated_copies(random, 500, 200, 100, letters)}, SymbolPolicy::protein));
  check_same(make_text({random_string(random, share_of(100000, 2000), every_symbol())},
                       SymbolPolicy::bytes));
  check_same(make_text({std::string(share_of(50000, 2000), 'x')}, SymbolPolicy::bytes));
  check_same(make_text({fibonacci_word(share_of(50000, 2000), 'a', 'b')}, SymbolPolicy::bytes));
}

TEST_CASE("k-mer tables of any k") {
  GSX_NEED_GPU();
  Random random(45);
  std::vector<std::string> tiny(5000);
  for (auto& record : tiny)
    record = random_string(random, below(random, 9), "ACGT");
  tiny.push_back("A");
  for (const std::uint32_t k : {0u, 1u, 2u, 3u, 7u, 10u}) {
    CAPTURE(k);
    check_same(make_text(tiny), k);
    check_same(make_text({std::string(share_of(30000, 2000), 'C')}), k);
    check_same(make_text({random_string(random, share_of(100000, 2000), "ACGT")}), k);
    check_same(
        make_text({random_string(random, share_of(50000, 2000), "xyz")}, SymbolPolicy::bytes), k);
  }
  for (const std::uint32_t k : {0u, 1u, 3u}) {  // with several levels: built on the host
    check_same(
        make_text({random_string(random, share_of(50000, 2000), "uvwxyz")}, SymbolPolicy::bytes),
        k);
  }
  check_same(make_text({std::string(1000, 'x')}, SymbolPolicy::bytes), 12);
  check_same(make_text({random_string(random, share_of(300000, 2000), "ACGT")}), 12);
}
