// The LCP array, from whole suffix arrays and from blocks, compared with comparing every two rows.
#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.hpp"
#include "gsx/suffix_array.hpp"
#include "index/lcp/checker.hpp"
#include "index/lcp/lcp_builder.hpp"
#include "index/sa/builder.hpp"
#include "support/naive_suffix_array.hpp"
#include "support/texts.hpp"
#include "support/wrong_arrays.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::uint64_t naive_common_prefix(const TextView& text, std::uint64_t p, std::uint64_t q) {
  std::uint64_t length = 0;
  const std::uint64_t most =
      std::min(text.segments.separator_from(p) - p, text.segments.separator_from(q) - q);
  while (length < most && text.symbols[p + length] == text.symbols[q + length])
    ++length;
  return length;
}

std::vector<std::uint64_t> naive_lcp(const TextView& text, const std::vector<std::uint64_t>& sa) {
  std::vector<std::uint64_t> lcp(sa.size(), 0);
  for (std::size_t row = 1; row < sa.size(); ++row)
    lcp[row] = naive_common_prefix(text, sa[row - 1], sa[row]);
  return lcp;
}

std::vector<std::uint64_t> values_of(const LcpArray& lcp) {
  std::vector<std::uint64_t> all(lcp.size());
  for (std::uint64_t row = 0; row < all.size(); ++row)
    all[row] = lcp[row];
  return all;
}

/// An LCP array with these values.
LcpArray from_values(const std::vector<std::uint64_t>& values) {
  Buffer<std::uint8_t> bytes(values.size(), "test");
  std::vector<std::uint64_t> large;
  for (std::size_t row = 0; row < values.size(); ++row) {
    bytes[row] = static_cast<std::uint8_t>(std::min<std::uint64_t>(values[row], 255));
    if (values[row] >= 255) large.push_back(values[row]);
  }
  Buffer<std::uint64_t> wide(large.size(), "test");
  std::copy(large.begin(), large.end(), wide.begin());
  return {std::move(bytes), PositionArray(std::move(wide)), 1};
}

LcpArray in_blocks(const TextView& text, const SuffixArray& sa, std::uint64_t most, int threads) {
  return sa.visit([&]<class Pos>(const Pos* rows) {
    LcpBuilder<Pos> builder(text, threads);
    for (std::uint64_t row = 0; row < sa.size(); row += most)
      builder.add(rows + row, std::min(most, sa.size() - row));
    return builder.finish();
  });
}

}  // namespace

TEST_CASE("the LCP array is that of comparing neighbouring rows") {
  for (const std::uint64_t seed : {1, 2}) {
    for (const auto& sequences : adversarial_collections(seed)) {
      const Text text = make_text(sequences);
      const auto order = naive_suffix_array(text.view());
      const auto expected = naive_lcp(text.view(), order);
      for (const PositionWidth width : {PositionWidth::narrow, PositionWidth::wide}) {
        const SuffixArray sa = as_suffix_array(order, width);
        for (const int threads : {1, 3})
          REQUIRE(values_of(build_lcp_array(text.view(), sa, threads)) == expected);
        REQUIRE(values_of(in_blocks(text.view(), sa, 7, 2)) == expected);
        CHECK_FALSE(find_wrong_lcp(text.view(), sa, from_values(expected), 2).has_value());
      }
    }
  }
}

TEST_CASE("the LCP array of proteins and of bytes") {
  Random random(5);
  const std::string protein = "ACDEFGHIKLMNPQRSTVWY";
  for (const auto& [symbols, policy] :
       {std::pair{protein, SymbolPolicy::protein}, {every_symbol(), SymbolPolicy::bytes}}) {
    const Text text = make_text({mutated_copies(random, 700, 6, 300, symbols),
                                 random_string(random, 500, symbols), symbols + symbols},
                                policy);
    const auto order = naive_suffix_array(text.view());
    const SuffixArray sa = as_suffix_array(order, PositionWidth::narrow);
    CHECK(values_of(build_lcp_array(text.view(), sa, 2)) == naive_lcp(text.view(), order));
  }
}

TEST_CASE("the LCP array of long repeats asks for the memory of what it keeps") {
  constexpr std::uint64_t n = 1'000'000;
  const Text text = make_text({std::string(n, 'A')});
  const SuffixArray sa = build_suffix_array(text.view(), 2);
  std::uint64_t asked = 0;
  LcpBuilder<std::uint32_t> builder(text.view(), 2, [&](std::uint64_t bytes) { asked += bytes; });
  const std::span<const std::uint32_t> rows = sa.entries<std::uint32_t>();
  for (std::uint64_t row = 0; row < n; row += 10'000)
    builder.add(rows.data() + row, 10'000);
  CHECK(asked > 7 * n);
  builder.add(rows.data() + n, 1);
  const LcpArray lcp = builder.finish();
  CHECK(asked > 11 * n);
  CHECK(lcp[n] == n - 1);
}

TEST_CASE("ranges of an LCP array hold its values, large ones too") {
  Random random(6);
  const Text text = make_text({mutated_copies(random, 3000, 5, 2000, "ACGT")});
  const SuffixArray sa = build_suffix_array(text.view(), 1);
  const LcpArray lcp = build_lcp_array(text.view(), sa, 2);
  std::uint64_t large = 0;
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t begin = below(random, lcp.size());
    const std::uint64_t end = begin + below(random, lcp.size() - begin + 1);
    std::uint64_t next = begin;
    lcp.for_each(begin, end, [&](std::uint64_t row, std::uint64_t value) {
      REQUIRE(row == next++);
      REQUIRE(value == lcp[row]);
      large += value > 255 ? 1 : 0;
    });
    REQUIRE(next == end);
  }
  CHECK(large > 0);
}

TEST_CASE("any two positions agree as far as comparing them shows") {
  Random random(8);
  for (auto sequences : adversarial_collections(4)) {
    sequences.push_back(mutated_copies(random, 700, 3, 500, "ACGT"));
    const Text text = make_text(sequences);
    const SuffixArray sa = suffix_array(text, {.device = "cpu", .threads = 2});
    const LcpArray lcp = lcp_array(text, sa, 2);
    const CommonExtensions extensions = common_extensions(text, sa, lcp, 2);
    for (int i = 0; i < 300; ++i) {
      const std::uint64_t p = below(random, text.length());
      const std::uint64_t q =
          i % 10 == 0 ? p : (p + (i % 2 == 0 ? 700 : below(random, 5000))) % text.length();
      CAPTURE(p);
      CAPTURE(q);
      REQUIRE(extensions(p, q) == naive_common_prefix(text.view(), p, q));
    }
  }
}

TEST_CASE("public: the LCP array of bytes is that of comparing neighbouring rows") {
  Random random(9);
  for (const std::string& bytes : {std::string(), std::string("a"), std::string("banana"),
                                   random_string(random, 3000, "ab") + std::string(700, 'a'),
                                   mutated_copies(random, 400, 5, 30, "ACGT")}) {
    const std::span<const std::uint8_t> all(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                            bytes.size());
    const SuffixArray rows = suffix_array(all);
    for (const int threads : {1, 3}) {
      const LcpArray lcp = lcp_array(all, rows, threads);
      REQUIRE(lcp.size() == bytes.size());
      for (std::uint64_t r = 0; r < lcp.size(); ++r) {
        std::uint64_t same = 0;
        while (r > 0 && std::max(rows[r], rows[r - 1]) + same < bytes.size() &&
               bytes[rows[r] + same] == bytes[rows[r - 1] + same])
          ++same;
        REQUIRE(lcp[r] == same);
      }
    }
    CHECK_THROWS_AS(lcp_array(all, SuffixArray(Buffer<std::uint32_t>(bytes.size() + 1, "rows"))),
                    UsageError);
  }
}

TEST_CASE("an LCP array needs all rows of the suffix array") {
  const Text text = make_text({"ACGTACGT"}), other = make_text({"ACGTACGTA"});
  const SuffixArray sa = suffix_array(text);
  const LcpArray lcp = lcp_array(text, sa);
  CHECK_THROWS_AS(lcp_array(other, sa), UsageError);
  CHECK_THROWS_AS(common_extensions(other, suffix_array(other), lcp), UsageError);
}

TEST_CASE("every wrong value of an LCP array is found") {
  Random random(7);
  for (const auto& sequences : adversarial_collections(3)) {
    const Text text = make_text(sequences);
    const auto order = naive_suffix_array(text.view());
    const SuffixArray sa = as_suffix_array(order, PositionWidth::narrow);
    const auto right = naive_lcp(text.view(), order);
    for (int i = 0; i < 20; ++i) {
      auto wrong = right;
      const std::uint64_t row = below(random, wrong.size());
      const std::uint64_t by = 1 + below(random, i < 10 ? 1 : 400);
      wrong[row] = i % 2 == 0 || wrong[row] < by ? wrong[row] + by : wrong[row] - by;
      CAPTURE(row);
      CHECK(find_wrong_lcp(text.view(), sa, from_values(wrong), 2) == row);
    }
    auto huge = right;
    huge.back() = ~std::uint64_t{0};
    CHECK(find_wrong_lcp(text.view(), sa, from_values(huge), 1) == right.size() - 1);
  }
}
