// Inverting a BWT: any bytes are either refused, or the text that comes back has exactly this BWT.
//
// Input: a byte of flags, then the BWT. Flag 1 uses several threads; flag 2 takes the input as a
// text, so that there is a BWT to invert.
#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "bwt/bwt.hpp"
#include "fuzz/fuzz.hpp"

namespace gsx::fuzzing {
namespace {

constexpr char separator = '$';
constexpr std::size_t most_symbols = 400;

/// The BWT by definition: separators are smaller than all other symbols and ordered by position.
std::string naive_bwt(const std::string& text) {
  std::vector<std::size_t> suffixes(text.size());
  std::iota(suffixes.begin(), suffixes.end(), std::size_t{0});
  std::sort(suffixes.begin(), suffixes.end(), [&](std::size_t a, std::size_t b) {
    for (std::size_t i = a, j = b; a != b; ++i, ++j) {
      if (text[i] == separator && text[j] == separator) return i < j;
      if (text[i] == separator || text[j] == separator) return text[i] == separator;
      if (text[i] != text[j]) {
        return static_cast<unsigned char>(text[i]) < static_cast<unsigned char>(text[j]);
      }
    }
    return false;
  });
  std::string bwt;
  for (const std::size_t at : suffixes)
    bwt += at == 0 ? separator : text[at - 1];
  return bwt;
}

}  // namespace

std::vector<std::string> seeds() {
  std::vector<std::string> made;
  for (const std::string& text :
       {std::string("ACGT$"), std::string("GATTACA$GATTACA$$A$"), std::string(30, 'A') + "$",
        fixed_symbols(200, 2, "ACGT$") + "$", std::string("\xff\x01$\xff$")}) {
    made.push_back('\2' + text);
    made.push_back('\3' + text);
    made.push_back('\0' + naive_bwt(text));
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
  const std::string bwt = is_text ? naive_bwt(text) : given;
  try {
    const std::string inverse = invert_bwt(bwt, separator, threads);
    require(naive_bwt(inverse) == bwt, "the text has this BWT");
    if (is_text) require(inverse == text, "the text comes back");
  } catch (const InputError&) {
    require(!is_text, "a BWT is inverted");
  }
  return 0;
}
