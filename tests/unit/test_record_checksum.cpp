// Checksums and MD5s of records, against values computed from the sequences alone.
#include "text/record_checksum.hpp"
#include "text/record_md5.hpp"

#include <doctest/doctest.h>
#include <xxhash.h>

#include <cstring>

#include "support/texts.hpp"
#include "support/thinning.hpp"
#include "text/md5_stream.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

constexpr std::uint64_t piece = RecordChecksums::piece;

/// The 16 bytes of XXH3-128, lower half first.
std::string xxh3_128(const std::string& bytes) {
  const XXH128_hash_t value = XXH3_128bits(bytes.data(), bytes.size());
  std::string stored;
  for (const std::uint64_t half : {value.low64, value.high64}) {
    for (unsigned shift = 0; shift < 64; shift += 8)
      stored += static_cast<char>(half >> shift);
  }
  return stored;
}

/// The checksum as lib/index/store/FORMAT.md defines it.
std::string expected_checksum(const std::string& sequence) {
  std::string values;
  for (std::size_t begin = 0; begin < sequence.size(); begin += 1048576)
    values += xxh3_128(sequence.substr(begin, 1048576));
  return xxh3_128(values);
}

std::string stored(const std::array<std::uint8_t, 16>& value) {
  return {value.begin(), value.end()};
}

/// The records whose checksum is not that of their sequence.
std::vector<std::size_t> wrong_checksums(const Text& text,
                                         const std::vector<std::string>& sequences) {
  std::vector<std::size_t> wrong;
  for (std::size_t r = 0; r < sequences.size(); ++r) {
    if (stored(text.records[r].checksum) != expected_checksum(sequences[r])) wrong.push_back(r);
  }
  return wrong;
}

std::vector<std::string> of_sizes(Random& random, std::string_view symbols,
                                  std::initializer_list<std::uint64_t> sizes) {
  std::vector<std::string> sequences;
  for (const std::uint64_t size : sizes)
    sequences.push_back(random_string(random, size, symbols));
  return sequences;
}

}  // namespace

TEST_CASE("the checksum of known records is a known number") {
  // Of the empty record: XXH3-128 of no bytes, 99aa06d3014798d86001c324468d497f.
  const Text text = make_text({"A", ""});
  CHECK(to_hex(text.records[1].checksum) == "7f498d4624c30160d8984701d306aa99");
  CHECK(stored(text.records[0].checksum) == xxh3_128(xxh3_128("A")));
}

TEST_CASE("records of every size get their checksum, on any number of threads") {
  Random random(5);
  for (const SymbolPolicy policy :
       {SymbolPolicy::dna, SymbolPolicy::protein, SymbolPolicy::bytes}) {
    const std::string_view symbols = policy == SymbolPolicy::dna       ? "ACGTNNRY-"
                                     : policy == SymbolPolicy::protein ? "MKVLW*"
                                                                       : "acgt#?ACGT";
    std::vector<std::string> sequences =
        of_sizes(random, symbols,
                 {1, piece - 1, 0, piece, 0, piece + 1, 2, 2 * piece - 1, 2 * piece, 2 * piece + 1,
                  16383, 16384, 16385, 262143, 262144, 262145});
    sequences.insert(sequences.begin(), "ACGT");
    Text text = make_text(sequences, policy);
    for (int threads = 1; threads <= 8; threads += thinned() ? 3 : 1) {
      for (RecordInfo& record : text.records)
        record.checksum = {};
      checksum_records(text, threads);
      CAPTURE(threads);
      CHECK(wrong_checksums(text, sequences).empty());
    }
  }
}

TEST_CASE("many tiny records get their checksums") {
  Random random(6);
  std::vector<std::string> sequences;
  for (int r = 0; r < 50'000; ++r)
    sequences.push_back(random_string(random, below(random, 12), "ACGTN"));
  sequences.push_back(random_string(random, 3 * piece, "ACGT"));
  for (int r = 0; r < 5'000; ++r)
    sequences.push_back(random_string(random, below(random, 300), "ACGTN"));
  Text text = make_text(sequences);
  CHECK(wrong_checksums(text, sequences).empty());
  for (RecordInfo& record : text.records)
    record.checksum = {};
  checksum_records(text, 5);
  CHECK(wrong_checksums(text, sequences).empty());
}

TEST_CASE("checksums see upper case, T for U, and bases that soft-masking kept out") {
  Random random(7);
  const std::string masked = random_string(random, piece + 77, "ACGTacgtuUnN");
  std::string plain = masked;
  for (char& c : plain)
    c = to_upper(c) == 'U' ? 'T' : to_upper(c);
  for (const SoftMaskPolicy policy :
       {SoftMaskPolicy::fold, SoftMaskPolicy::split, SoftMaskPolicy::keep}) {
    const Text text = make_text({masked}, SymbolPolicy::dna, policy);
    CHECK(wrong_checksums(text, {plain}).empty());
  }
}

TEST_CASE("the checksum of a record changes with each of its symbols") {
  const std::string sequence(2 * piece + 5, 'A');
  const Text text = make_text({sequence});
  for (const std::uint64_t at : {std::uint64_t{0}, piece - 1, piece, 2 * piece, 2 * piece + 4}) {
    std::string other = sequence;
    other[at] = 'C';
    CHECK(make_text({other}).records[0].checksum != text.records[0].checksum);
  }
  // Pieces that trade places, and a piece less, are other records.
  const std::string a(piece, 'A'), c(piece, 'C');
  CHECK(make_text({a + c}).records[0].checksum != make_text({c + a}).records[0].checksum);
  CHECK(make_text({a}).records[0].checksum != make_text({a + a}).records[0].checksum);
}

TEST_CASE("MD5s are those of the upper-case records, on any number of threads") {
  CHECK(to_hex(md5s_of_records(make_text({"acgtNNACGT"}).view(),
                               make_text({"acgtNNACGT"}).records_view(), Alphabet::dna(), 1)[0]) ==
        "1c4ab0b3062cfd287a4c8b1d77ac5bd8");
  Random random(8);
  std::vector<std::string> sequences =
      of_sizes(random, "ACGNNNT", {0, 1, 700'000, 16383, 16384, 16385, 300'000, piece + 1});
  for (int r = 0; r < 4000; ++r)
    sequences.push_back(random_string(random, below(random, 300), "ACGT"));
  for (const SymbolPolicy policy : {SymbolPolicy::dna, SymbolPolicy::protein}) {
    const Text text = make_text(sequences, policy);
    for (const int threads : {1, 2, 7}) {
      const std::vector<Md5> found =
          md5s_of_records(text.view(), text.records_view(), text.alphabet, threads);
      Md5Stream md5;
      std::uint64_t wrong = 0;
      for (std::size_t r = 0; r < sequences.size(); ++r) {
        md5.update(sequences[r]);
        wrong += md5.finish() != found[r];
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("what a text lacks is computed beside other work, and nothing else") {
  Random random(9);
  const std::vector<std::string> sequences =
      of_sizes(random, "ACGT", {5, 0, 2 * piece, 100, 300'000});
  for (const bool md5 : {false, true}) {
    for (const bool checksummed : {false, true}) {
      Text text = make_text(sequences);
      text.checksummed = checksummed;
      text.keeps_md5 = md5;
      if (!checksummed) text.records[0].checksum = {};
      bool ran = false;
      checksum_records_beside(text, 3, 1, [&] { ran = true; });
      CHECK(ran);
      CHECK(text.checksummed);
      CHECK(wrong_checksums(text, sequences).empty());
      CHECK(text.md5s == (md5 ? md5s_of_records(text.view(), text.records_view(), text.alphabet, 1)
                              : std::vector<Md5>{}));
    }
  }
}
