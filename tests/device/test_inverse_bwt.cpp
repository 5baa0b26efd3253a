// The inverse of the BWT on the device equals that of the host.
#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.hpp"
#include "device/registry.hpp"
#include "gsx/suffix_array.hpp"
#include "index/sa/builder.hpp"
#include "kernels/base/copies.hpp"
#include "kernels/base/device_link.hpp"
#include "kernels/gsx/device.cuh"
#include "support/bwts.hpp"
#include "support/gpu.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::string inverted_by(Backend& backend, const std::string& bwt, char separator,
                        PositionWidth width = PositionWidth::automatic) {
  BuildOptions options;
  options.threads = 2;
  options.width = width;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(bwt.data());
  const Buffer<std::uint8_t> text = backend.invert(
      BwtBytes::with_separators({bytes, bwt.size()}, static_cast<std::uint8_t>(separator)),
      options);
  return {text.begin(), text.end()};
}

void check_text(Backend& gpu, const std::vector<std::string>& sequences) {
  const Text text = make_text(sequences, SymbolPolicy::bytes);
  const std::string bwt = spelled_bwt(text, build_suffix_array(text.view(), 2), '$');
  const std::string expected = spelled_text(text, '$');
  for (const PositionWidth width : {PositionWidth::automatic, PositionWidth::wide})
    REQUIRE(inverted_by(gpu, bwt, '$', width) == expected);
}

std::string inverted_in_device_memory(const BytesBwt& bwt) {
  cuda::DeviceLink gpu(0, unlimited);
  const cuda::CurrentDevice current = gpu.make_current();
  const std::size_t size = bwt.bytes.size();
  cuda::DeviceBuffer<std::uint8_t> d_bwt(size, gpu.stream()), d_bytes(size, gpu.stream());
  d_bwt.copy_from_async(bwt.bytes.data());
  inverse_bwt(d_bwt.data(), size, bwt.primary, d_bytes.data(), gpu.stream());
  const Buffer<std::uint8_t> bytes =
      cuda::copy_to_host(d_bytes, "test", gpu.transfer(2), gpu.stream());
  return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST_CASE("the device inverts BWTs of all alphabets, by rank blocks and by tables") {
  GSX_NEED_GPU();
  const std::uint64_t seed = run_seed();
  CAPTURE(seed);
  Random random(seed);
  const auto gpu = make_cuda_backend(0);
  for (const std::string& symbols : {std::string("A"), std::string("ACGT"), std::string("ACGTN"),
                                     std::string("acdefghiklmnpqrstvwy")}) {
    for (const std::uint64_t segments : {1, 70, 2000}) {
      CAPTURE(symbols);
      CAPTURE(segments);
      std::vector<std::string> sequences;
      for (std::uint64_t i = 0; i < segments; ++i)
        sequences.push_back(random_string(random, 1 + below(random, 50'000 / segments), symbols));
      check_text(*gpu, sequences);
    }
  }
  check_text(*gpu, {mutated_copies(random, 500, 40, 300, "ACGT")});
  check_text(*gpu, {fibonacci_word(20'000), std::string(10'000, 'G')});
  std::string all_values;
  for (int value = 0; value < 256; ++value) {
    if (value != '$') all_values += static_cast<char>(value);
  }
  check_text(*gpu, {all_values + all_values, random_string(random, 20'000, all_values)});
  CHECK(inverted_by(*gpu, "$", '$') == "$");
  CHECK(inverted_by(*gpu, std::string(10'000, '$'), '$') == std::string(10'000, '$'));
}

TEST_CASE("the device inverts a large BWT") {
  GSX_NEED_GPU();
  Random random(3);
  const std::string text = random_string(random, share_of(50'000'000, 100'000), "ACGT");
  const BytesBwt made = bwt(text, {.device = "cpu"});
  CHECK(inverted_in_device_memory(made) == text);
}

TEST_CASE("the device inverts what bwt makes of bytes, in its own memory") {
  GSX_NEED_GPU();
  Random random(4);
  for (const std::string& text :
       {std::string("a"), std::string("banana"), std::string(3, '\0'), std::string(5000, 'A'),
        random_string(random, 30'000, "ACGT"), random_string(random, 30'000, "the quick fox")}) {
    CAPTURE(text.size());
    const BytesBwt made = bwt(text, {.device = "cpu"});
    CHECK(inverted_in_device_memory(made) == text);
    const Buffer<std::uint8_t> back = inverse_bwt(made, {.device = "cuda"});
    CHECK(std::string(back.begin(), back.end()) == text);
  }
  CHECK(inverted_in_device_memory({}).empty());
}

TEST_CASE("the device refuses what is not a BWT") {
  GSX_NEED_GPU();
  const auto gpu = make_cuda_backend(0);
  Random random(5);
  for (const std::string& bwt : {std::string(), std::string("ACGT"), std::string("$AAAA"),
                                 std::string("A$C$GT"), "$" + std::string(30'000, 'A')}) {
    CAPTURE(bwt.size());
    CHECK_THROWS_AS(inverted_by(*gpu, bwt, '$'), InputError);
  }
  for (const std::string& symbols : {std::string("ACGT"), std::string("ACGTN")}) {
    std::string bwt = random_string(random, 30'000, symbols) + "$";
    std::shuffle(bwt.begin(), bwt.end(), random);
    CHECK_THROWS_WITH_AS(inverted_by(*gpu, bwt, '$'), doctest::Contains("of 30001 symbols"),
                         InputError);
  }
  BytesBwt made = bwt("GATTACA");
  made.primary = 8;
  CHECK_THROWS_AS(inverted_in_device_memory(made), InputError);
}

TEST_CASE("the device refuses or inverts any bytes as the host does") {
  GSX_NEED_GPU();
  const std::uint64_t seed = run_seed();
  CAPTURE(seed);
  Random random(seed);
  const auto gpu = make_cuda_backend(0);
  for (int round = 0; round < 60; ++round) {
    const std::string bwt = random_string(random, 1 + below(random, 9), "$AC");
    std::string expected, found;
    try {
      expected = inverted(bwt, '$');
    } catch (const InputError& error) {
      expected = error.what();
    }
    try {
      found = inverted_by(*gpu, bwt, '$');
    } catch (const InputError& error) {
      found = error.what();
    }
    REQUIRE(found == expected);
  }
}

TEST_CASE(
    "without device memory for it, a GPU that is demanded refuses to invert, else the CPU does") {
  GSX_NEED_GPU();
  Random random(6);
  const std::string text = random_string(random, 1'000'000, "ACGT");
  const BytesBwt made = bwt(text, {.device = "cpu"});
  CHECK_THROWS_AS((void)inverse_bwt(made, {.device = "cuda", .gpu_memory = 1'500'000}),
                  ResourceError);
  const auto inverse = inverse_bwt(made, {.device = "auto", .gpu_memory = 1'500'000});
  CHECK(std::equal(inverse.begin(), inverse.end(), text.begin(), text.end(),
                   [](std::uint8_t a, char b) { return a == static_cast<std::uint8_t>(b); }));
}
