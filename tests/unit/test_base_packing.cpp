// Packing codes of DNA 16 at a time gives what packing them one by one does.
#include <doctest/doctest.h>

#include <vector>

#include "base/base_packing.hpp"
#include "base/packed.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("packed bases read as the codes they were made of, and foreign ones are named") {
  Random random(81);
  for (std::uint64_t size = 0; size < 200; ++size) {
    for (const bool with_foreign : {false, true}) {
      std::vector<std::uint8_t> codes;
      std::vector<std::uint64_t> expected, foreign;
      for (std::uint64_t i = 0; i < size; ++i) {
        const bool odd = with_foreign && below(random, 9) == 0;
        codes.push_back(
            static_cast<std::uint8_t>(odd ? 0xFF - below(random, 4) * 60 : below(random, 4)));
        if (codes.back() > 3) expected.push_back(i);
      }
      std::vector<std::uint8_t> packed(packed_bases_bytes(size) + PackedView::slack, 0xAA);
      pack_bases(codes, packed.data(), [&](std::uint64_t at) { foreign.push_back(at); });
      CHECK(foreign == expected);
      const PackedView view{packed.data(), size, 2};
      std::uint64_t wrong = 0;
      for (std::uint64_t i = 0; i < size; ++i)
        wrong += codes[i] <= 3 && view[i] != codes[i];
      CHECK(wrong == 0);
      for (std::uint64_t at = packed_bases_bytes(size); at < packed.size(); ++at)
        CHECK(packed[at] == 0xAA);  // nothing is written behind them
    }
  }
}
