// Batches of access, rank and select, compared with the view's own functions, on every path.
#include <doctest/doctest.h>

#include <algorithm>

#include "arrays/rank/quad_vector.hpp"
#include "arrays/rank/wavelet_matrix.hpp"
#include "base/bits.hpp"
#include "bench/cpu_rank_select.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

void check(Random& random, std::uint64_t size, std::uint32_t sigma, bool holes) {
  CAPTURE(size);
  CAPTURE(sigma);
  std::vector<std::uint8_t> symbols(size);
  for (auto& symbol : symbols) {
    symbol = static_cast<std::uint8_t>(below(random, sigma));
    if (holes && below(random, 20) == 0) symbol = QuadVector::hole;
  }
  const WaveletMatrix wavelet(
      size, bits_for(sigma - 1),
      [&](std::uint64_t begin, std::uint64_t end, std::uint8_t* out) {
        std::copy(symbols.begin() + static_cast<std::ptrdiff_t>(begin),
                  symbols.begin() + static_cast<std::ptrdiff_t>(end), out);
      },
      2);
  FmView fm;
  fm.bwt = wavelet.view();
  std::vector<std::uint64_t> rows(100), ranks(rows.size()), found(rows.size());
  std::vector<std::uint8_t> codes(rows.size()), accessed(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = below(random, size);
    codes[i] = static_cast<std::uint8_t>(below(random, sigma));
  }
  // A symbol that occurs, for ranks without a row; the only row may be a hole.
  const auto present = std::find_if(symbols.begin(), symbols.end(),
                                    [](std::uint8_t symbol) { return symbol != QuadVector::hole; });
  REQUIRE((present != symbols.end() || size == 1));
  for (const CpuPath path : {CpuPath::baseline, best_cpu_path()}) {
    const CpuRankSelect sequence(fm, path, 2);
    sequence.access(rows, accessed.data());
    sequence.rank(codes, rows.data(), ranks.data());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      REQUIRE(accessed[i] == (symbols[rows[i]] == QuadVector::hole ? 0 : symbols[rows[i]]));
      REQUIRE(ranks[i] == fm.bwt.rank(codes[i], rows[i]));
      if (present != symbols.end() && ranks[i] == fm.bwt.rank(codes[i], size))
        codes[i] = *present, ranks[i] = 0;
    }
    if (present == symbols.end()) continue;
    sequence.select(codes, ranks.data(), found.data());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      REQUIRE(found[i] == fm.bwt.select(codes[i], ranks[i]));
      REQUIRE(symbols[found[i]] == codes[i]);
    }
  }
}

}  // namespace

TEST_CASE("batches of access, rank and select equal the single ones") {
  Random random(41);
  for (const std::uint64_t size : {1u, 95u, 96u, 97u, 3000u, 70'000u}) {
    for (const std::uint32_t sigma : {2u, 4u, 20u, 200u})
      check(random, size, sigma, false);
    check(random, size, 4, true);
  }
}
