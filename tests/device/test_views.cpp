// The views on the device: the same functions and checks as in tests/unit.
#include <doctest/doctest.h>

#include "device_calls/view_checks.hpp"
#include "support/gpu.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("wavelet matrices answer on the device as on the host") {
  GSX_NEED_GPU();
  Random random(31);
  // One thread checks all positions of a code, so long texts take time.
  const std::uint64_t longest = full_tests() ? 24577 : 97;
  for (const std::uint32_t sigma : {1u, 4u, 5u, 21u, 255u}) {
    for (const std::uint64_t size : {1u, 95u, 96u, 97u, 5000u, 24575u, 24576u, 24577u}) {
      if (size > longest) continue;
      for (const std::uint64_t hole_in : {0u, 40u}) {
        CAPTURE(sigma);
        CAPTURE(size);
        std::vector<std::uint8_t> codes(size);
        for (auto& code : codes) {
          code = static_cast<std::uint8_t>(below(random, sigma));
          if (hole_in > 0 && below(random, hole_in) == 0) code = QuadVector::hole;
        }
        const WaveletMatrix wavelet(
            size, bits_for(sigma - 1),
            [&](std::uint64_t begin, std::uint64_t end, std::uint8_t* out) {
              std::copy(codes.begin() + static_cast<std::ptrdiff_t>(begin),
                        codes.begin() + static_cast<std::ptrdiff_t>(end), out);
            },
            2);
        REQUIRE(check_wavelet_on_device(wavelet, codes, sigma) == 0);
      }
    }
  }
}
