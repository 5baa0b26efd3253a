// Strands of packed patterns, alone and compared with the text.
#include <doctest/doctest.h>

#include <vector>

#include "index/fm/pattern_view.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

PackedArray packed(const std::vector<std::uint8_t>& codes, std::uint32_t bits) {
  PackedArray array(codes.size(), bits, "codes");
  PackedWriter writer = array.writer(0);
  for (const std::uint8_t code : codes)
    writer.push(code);
  writer.finish();
  return array;
}

std::vector<std::uint8_t> random_codes(Random& random, std::size_t size, std::uint32_t sigma) {
  std::vector<std::uint8_t> codes(size);
  for (auto& code : codes)
    code = static_cast<std::uint8_t>(below(random, sigma));
  return codes;
}

std::uint64_t number_of(const std::vector<std::uint8_t>& codes, std::size_t from, std::size_t count,
                        std::uint32_t bits) {
  std::uint64_t number = 0;
  for (std::size_t i = from; i < from + count; ++i)
    number = number << bits | codes[i];
  return number;
}

}  // namespace

TEST_CASE("a strand gives its codes one by one and many at once") {
  Random random(91);
  for (const std::uint32_t bits : {1u, 2u, 5u, 8u}) {
    const auto stream = random_codes(random, 200, 1u << bits);
    const PackedArray array = packed(stream, bits);
    for (int round = 0; round < 200; ++round) {
      const std::uint64_t begin = below(random, 150);
      const std::uint64_t length = 1 + below(random, 200 - begin);
      for (const bool reverse : {false, true}) {
        if (reverse && bits != 2) continue;
        std::vector<std::uint8_t> codes(
            stream.begin() + static_cast<std::ptrdiff_t>(begin),
            stream.begin() + static_cast<std::ptrdiff_t>(begin + length));
        if (reverse) {
          std::vector<std::uint8_t> other;
          for (std::size_t i = codes.size(); i-- > 0;)
            other.push_back(static_cast<std::uint8_t>(3 - codes[i]));
          codes = other;
        }
        const PatternView strand{array.view(), begin, length, reverse};
        const std::uint64_t taken = below(random, length);
        CHECK(strand.code(taken) == codes[length - 1 - taken]);
        const PatternView prefix = strand.prefix(length - taken);
        CHECK(prefix.length == length - taken);
        CHECK(prefix.code(0) == strand.code(taken));
        const std::uint64_t from = below(random, length);
        const std::uint64_t most = std::min<std::uint64_t>(length - from, strand.codes_a_number());
        const std::uint64_t count = 1 + below(random, most);
        CHECK(strand.number(from, static_cast<std::uint32_t>(count)) ==
              number_of(codes, from, count, bits));
      }
    }
  }
}

TEST_CASE("a strand matches where its symbols are, without a separator among them") {
  Random random(92);
  const std::string record = random_string(random, 300, "ACGT");
  // Separators look like A in the packed text: only the segment table tells.
  const Text text = make_text({record, "AAAA", "AAAA", random_string(random, 50, "AC")});
  const TextView view = text.view();
  std::vector<std::uint8_t> slots(view.length());
  for (std::uint64_t p = 0; p < view.length(); ++p)
    slots[p] = static_cast<std::uint8_t>(view.symbols[p]);
  const PackedArray array = packed(slots, 2);
  for (std::uint64_t p = 0; p < view.length(); ++p) {
    for (std::uint64_t count = 1; count <= std::min<std::uint64_t>(view.length() - p, 90);
         ++count) {
      const PatternView same{array.view(), p, count, false};
      CHECK(matches_at(view, p, same) == (view.segments.separator_from(p) >= p + count));
      std::vector<std::uint8_t> changed(slots.begin() + static_cast<std::ptrdiff_t>(p),
                                        slots.begin() + static_cast<std::ptrdiff_t>(p + count));
      changed[below(random, count)] ^= 1;
      const PackedArray other = packed(changed, 2);
      CHECK_FALSE(matches_at(view, p, PatternView{other.view(), 0, count, false}));
    }
  }
  CHECK_FALSE(matches_at(view, view.length() - 3, PatternView{array.view(), 0, 4, false}));
  CHECK_FALSE(matches_at(view, view.length(), PatternView{array.view(), 0, 1, false}));
}
