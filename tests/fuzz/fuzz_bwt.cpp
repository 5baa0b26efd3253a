// Inverting a BWT: any bytes are either refused, or the text that comes back has exactly this BWT.
//
// Input: a byte of flags, then the BWT. Flag 1 uses several threads; flag 2 takes the input as a
// text, so that there is a BWT to invert.
#include "base/error.hpp"
#include "fuzz/fuzz.hpp"
#include "support/bwts.hpp"

namespace gsx::fuzzing {
using testing::inverted;
using testing::naive_bwt;
namespace {

constexpr char separator = '$';
constexpr std::size_t most_symbols = 400;

}  // namespace

std::vector<std::string> seeds() {
  std::vector<std::string> made;
  for (const std::string& text :
       {std::string("ACGT$"), std::string("GATTACA$GATTACA$$A$"), std::string(30, 'A') + "$",
        fixed_symbols(200, 2, "ACGT$") + "$", std::string("\xff\x01$\xff$")}) {
    made.push_back('\2' + text);
    made.push_back('\3' + text);
    made.push_back('\0' + naive_bwt(text, separator));
  }
  return made;
}

std::vector<std::string> tokens() {
  return {"$", "$$", "A$", std::string(20, 'C')};
}

}  // namespace gsx::fuzzing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gsx;
  using namespace gsx::fuzzing;
  if (size == 0 || size > most_symbols) return 0;
  const std::string given(reinterpret_cast<const char*>(data) + 1, size - 1);
  const int threads = (data[0] & 1) != 0 ? 3 : 1;
  const bool is_text = (data[0] & 2) != 0;
  const std::string text = given + separator;
  const std::string bwt = is_text ? naive_bwt(text, separator) : given;
  try {
    const std::string inverse = inverted(bwt, separator, {threads});
    require(naive_bwt(inverse, separator) == bwt, "the text has this BWT");
    if (is_text) require(inverse == text, "the text comes back");
  } catch (const InputError&) {
    require(!is_text, "a BWT is inverted");
  }
  return 0;
}
