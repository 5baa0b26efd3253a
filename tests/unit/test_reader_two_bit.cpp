// 2bit: the bases, N and letter case of each sequence, in every version and byte order; and that no
// size in the file is trusted.
#include "support/packed_files.hpp"
#include "support/sequence_files.hpp"
#include "text/read_text.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

using Sequences = std::vector<std::pair<std::string, std::string>>;

/// Runs of bases, masked bases and N of random lengths.
std::string random_bases(std::mt19937& random, std::size_t length) {
  std::string bases;
  while (bases.size() < length) {
    const std::string_view letters[] = {"ACGT", "acgt", "N", "ACGTacgt"};
    const std::string_view chosen = letters[random() % 4];
    for (std::size_t run = 1 + random() % 90; run != 0 && bases.size() < length; --run)
      bases += chosen[random() % chosen.size()];
  }
  return bases;
}

Records records_of(const Sequences& sequences) {
  Records records;
  for (const auto& [name, bases] : sequences)
    records.push_back({name, "", bases});
  return records;
}

/// A file of one sequence, whose numbers a test may change.
struct Forged {
  std::uint32_t magic = 0x1A412743, version = 0, count = 1, reserved = 0, offset = 22, length = 8,
                unknown = 0, masked = 0, zero = 0;
  std::string intervals = {};  ///< of masked bases

  std::string bytes() const {
    const TwoBitWriter writer({});
    const auto one = [&](std::uint32_t value) { return writer.number(value); };
    return one(magic) + one(version) + one(count) + one(reserved) + "\x01" + "a" + one(offset) +
           one(length) + one(unknown) + one(masked) + intervals + one(zero) + std::string(2, '\0');
  }
};

}  // namespace

TEST_CASE("2bit gives the sequences that it was made of") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  for (int round = 0; round < 12; ++round) {
    Sequences sequences;
    for (const std::size_t length : {0, 1, 3, 4, 49, 50, 51, 200, 65'535, 65'536, 70'001}) {
      if (random() % 3 == 0) continue;
      sequences.emplace_back("s" + std::to_string(length), random_bases(random, length));
    }
    if (sequences.empty()) continue;
    for (const std::uint32_t version : {0, 1}) {
      for (const bool swapped : {false, true}) {
        const std::string bytes = two_bit_bytes(sequences, {version, swapped, false});
        const std::string path = write_file(folder / "t.2bit", bytes);
        for (const std::uint64_t block : {64, 1000, 1 << 20}) {
          CHECK((read_all({path}, {1, block, true}) == records_of(sequences)));
          CHECK((read_all({path}, {1, block, false}) == records_of(sequences)));
        }
        CHECK((read_on_threads({path}, {3, 5000, false}, 3).records == records_of(sequences)));
        const std::string backwards = two_bit_bytes(sequences, {version, swapped, true});
        CHECK((read_all({write_file(folder / "b.2bit", backwards)}) == records_of(sequences)));
      }
    }
  }
}

TEST_CASE("2bit comes through a pipe if its sequences are in order") {
  const TemporaryFolder folder;
  const Sequences sequences = {{"a", "ACGTNNacgt"}, {"b", "GGNCC"}};
  int pipes = 0;
  for (const bool backwards : {false, true}) {
    const std::string fifo = folder / ("f" + std::to_string(pipes++));
    REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
    std::thread writer([&] { write_file(fifo, two_bit_bytes(sequences, {0, false, backwards})); });
    if (backwards) CHECK(has(error_of({fifo}), "cannot come from a pipe, or out of a compression"));
    if (!backwards) CHECK((read_all({fifo}) == records_of(sequences)));
    writer.join();
  }
}

TEST_CASE("masked bases of 2bit are lower case to the policies of soft masking") {
  const TemporaryFolder folder;
  const std::string path = write_file(folder / "t.2bit", two_bit_bytes({{"a", "ACGTacgtNNAC"}}));
  const std::string fasta = write_file(folder / "t.fa", ">a\nACGTacgtNNAC\n");
  for (const SoftMaskPolicy policy :
       {SoftMaskPolicy::fold, SoftMaskPolicy::split, SoftMaskPolicy::keep}) {
    ReadTextOptions options;
    options.text.soft_mask = policy;
    const Text text = read_text({path}, options, {}), expected = read_text({fasta}, options, {});
    CHECK(text.length() == expected.length());
    CHECK(text.segment_offsets == expected.segment_offsets);
    CHECK(text.counts.n == expected.counts.n);
  }
}

TEST_CASE("a 2bit file cut anywhere is an error behind whole records") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const Sequences sequences = {{"a", random_bases(random, 300)}, {"b", random_bases(random, 500)}};
  const std::string bytes = two_bit_bytes(sequences);
  for (std::size_t size = 4; size < bytes.size(); ++size) {
    CAPTURE(size);
    const std::string path = write_file(folder / "cut.2bit", bytes.substr(0, size));
    const Reading found = read_on_threads({path}, {1, 100, false}, 1);
    CHECK(has(found.error, "the 2bit data ends early: the file is truncated"));
    CHECK_FALSE(has(found.error, ", line "));
    CHECK(found.records.size() <= 1);
  }
}

TEST_CASE("numbers of a 2bit file that cannot be right are refused, and take no memory") {
  const TemporaryFolder folder;
  const auto message = [&](const Forged& forged) {
    return error_of({write_file(folder / "f.2bit", forged.bytes())});
  };
  constexpr std::uint32_t most = ~std::uint32_t{0};
  CHECK(message({}) == "");
  CHECK(has(message({.version = 2}), "2bit of version 2, which is not known"));
  CHECK(has(message({.count = most}), "ends early"));
  CHECK_FALSE(message({.count = 2}).empty());
  CHECK(has(message({.offset = most}), "ends early"));
  CHECK(has(message({.length = most}), "ends early"));
  CHECK(has(message({.length = 9}), "ends early"));
  CHECK(has(message({.length = most, .unknown = most}), "ends early"));
  CHECK(has(message({.unknown = 9}), "more intervals than bases in 'a'"));
  CHECK(has(message({.masked = 9}), "more intervals than bases in 'a'"));
  CHECK(has(message({.count = 0}), "bytes follow the last sequence"));
  const TwoBitWriter writer({});
  const auto masked = [&](std::vector<std::uint32_t> numbers) {
    Forged forged;
    forged.masked = static_cast<std::uint32_t>(numbers.size() / 2);
    for (const std::uint32_t one : numbers)
      forged.intervals += writer.number(one);
    return message(forged);
  };
  CHECK(masked({2, 5, 3, 3}) == "");
  CHECK(has(masked({2, 7}), "beyond the end of 'a'"));
  CHECK(has(masked({most, 2}), "beyond the end of 'a'"));
  CHECK(has(masked({1, most}), "beyond the end of 'a'"));
  CHECK(has(masked({5, 2, 1, 1}), "intervals out of order"));
  CHECK(has(masked({2, 3, 3, 1}), "intervals out of order"));
}

TEST_CASE("names and intervals of 2bit take no more memory than is allowed") {
  const TemporaryFolder folder;
  std::string bases;
  for (int i = 0; i < 20'000; ++i)
    bases += "Ac";
  ReaderOptions options;
  options.decoding.unpack_bytes = 100'000;
  const std::string path = write_file(folder / "t.2bit", two_bit_bytes({{"a", bases}}));
  CHECK(has(error_of({path}, options), "more than the 0 MiB of memory allowed"));
  CHECK(read_all({path})[0].symbols == bases);
}

TEST_CASE("a name of 2bit with a line end in it is refused") {
  const TemporaryFolder folder;
  const std::string path = write_file(folder / "t.2bit", two_bit_bytes({{"a\nb", "ACGT"}}));
  CHECK(has(error_of({path}), "a control byte in the name of sequence 1"));
}
