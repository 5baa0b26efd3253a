// Reading an LZ77 file: any bytes are either refused, or give records that lie within the memory
// that was asked for.
//
// Input: a byte of flags, then the file. Flag 1 replaces its last 8 bytes by the right checksum.
#include <xxhash.h>

#include "analysis/lz77/factorize.hpp"
#include "analysis/lz77/phrase_file.hpp"
#include "base/error.hpp"
#include "fuzz/fuzz.hpp"
#include "support/lz77_cases.hpp"
#include "support/texts.hpp"

namespace gsx::fuzzing {
namespace {

constexpr std::size_t checksum_bytes = 8;
constexpr std::uint64_t most_symbols = std::uint64_t{1} << 20;

void set_checksum(std::string& bytes) {
  const std::size_t content = bytes.size() - checksum_bytes;
  const std::uint64_t sum = XXH3_64bits(bytes.data(), content);
  for (std::size_t i = 0; i < checksum_bytes; ++i)
    bytes[content + i] = static_cast<char>(sum >> (8 * i));
}

}  // namespace

std::vector<std::string> seeds() {
  std::vector<std::string> made;
  for (const bool across_records : {false, true}) {
    made.push_back('\1' + testing::phrase_file_of(testing::make_text({"ACACACGNNACGT", "", "GAC"}),
                                                  across_records));
    made.push_back('\1' + testing::phrase_file_of(
                              testing::make_text({std::string(100, 'A'), std::string(90, 'N')}),
                              across_records));
    made.push_back('\0' + testing::phrase_file_of(
                              testing::make_text({fixed_symbols(200, 2, "ACGT")}), across_records));
  }
  return made;
}

std::vector<std::string> tokens() {
  return {std::string("\0\0", 2), "\x03\x41", std::string("\x04\0", 2), "\xFF\xFF\xFF\x01"};
}

}  // namespace gsx::fuzzing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gsx;
  using namespace gsx::fuzzing;
  if (size <= 1 + checksum_bytes) return 0;
  std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if ((data[0] & 1) != 0) set_checksum(bytes);
  std::uint64_t asked = 0;
  try {
    read_phrase_file(
        {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, "the file",
        [&](std::uint64_t needed) {
          if (needed > most_symbols) throw ResourceError("too much for this test");
          asked = needed;
        },
        [&](const PhraseFileRecord& record) {
          require(record.symbols.size() <= asked, "a record lies in what was asked for");
          for (const char symbol : record.symbols)
            require(symbol != '\n' && symbol != '>', "symbols are those of sequences");
        });
  } catch (const CorruptIndexError&) {
  } catch (const ForeignIndexError&) {
  } catch (const ResourceError&) {
  }
  return 0;
}
