// Blocks in the zlib format, inflated by zlib, whichever library deflates them.
#include "output/tracks/block_deflater.hpp"

#include <doctest/doctest.h>
#include <zlib.h>

#include <string>
#include <vector>

#include "base/error.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// What zlib makes of a whole block with its header and checksum.
std::string inflated(const std::string& packed, std::size_t size) {
  std::string block(size + 1, '\0');
  uLongf got = block.size();
  REQUIRE(uncompress(reinterpret_cast<Bytef*>(block.data()), &got,
                     reinterpret_cast<const Bytef*>(packed.data()), packed.size()) == Z_OK);
  block.resize(got);
  return block;
}

std::string drawn_block(Random& random, std::size_t size, std::uint64_t symbols) {
  std::string block;
  for (std::size_t i = 0; i < size; ++i)
    block += static_cast<char>(below(random, symbols));
  return block;
}

}  // namespace

TEST_CASE("deflated blocks inflate to what they were, random ones and empty ones too") {
  Random random(3);
  BlockDeflater deflater;
  for (const std::size_t size :
       {0, 1, 2, 100, 4095, 49'176, 65'534, 65'535, 65'536, 131'070, 131'071, 500'000}) {
    for (const std::uint64_t symbols : {1, 2, 20, 256}) {
      CAPTURE(size);
      CAPTURE(symbols);
      const std::string block = drawn_block(random, size, symbols);
      std::string packed = "before";
      const std::size_t bytes = deflater.deflate(block, packed);
      REQUIRE(packed.size() == 6 + bytes);
      CHECK(packed.starts_with("before"));
      CHECK((inflated(packed.substr(6), size) == block));
      CHECK(bytes <= size + size / 1000 + 64);
    }
  }
}

TEST_CASE("a deflated block has the same bytes after any other blocks") {
  Random random(4);
  const std::string block = drawn_block(random, 30'000, 7);
  std::string alone;
  BlockDeflater().deflate(block, alone);
  BlockDeflater deflater;
  for (int round = 0; round < 50; ++round) {
    std::string other, after;
    deflater.deflate(round % 3 == 0 ? block.substr(1) : drawn_block(random, 1 << round % 20, 7),
                     other);
    deflater.deflate(block, after);
    REQUIRE((after == alone));
  }
}

TEST_CASE("a block too large for a deflater is an error") {
  // Nothing of it is read.
  const std::string small = "x";
  std::string packed = "before";
  CHECK_THROWS_AS(
      BlockDeflater().deflate(std::string_view(small.data(), std::size_t{1} << 32), packed),
      RuntimeError);
  CHECK(packed == "before");
}
