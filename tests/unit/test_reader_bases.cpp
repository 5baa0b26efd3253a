// Batches whose bases are packed as they are read, and whose symbols are dropped.
#include <map>

#include "run/odd_symbols.hpp"
#include "run/patterns.hpp"
#include "support/sequence_files.hpp"
#include "support/thinning.hpp"
#include "text/alphabet.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// A read, of which one in `odd` holds a symbol that is no base; 0 stands for none.
std::string read_of(std::mt19937& random, std::uint64_t odd) {
  std::string read;
  const std::size_t size = random() % 8 == 0 ? random() % 900 : random() % 200;
  const std::string_view letters = random() % 4 == 0 ? "acgtuACGTU" : "ACGT";
  while (read.size() < size)
    read += letters[random() % letters.size()];
  if (odd != 0 && random() % (10 * odd) == 0) return std::string(read.size(), 'N');
  if (odd != 0 && !read.empty() && random() % odd == 0)
    read[random() % read.size()] = "NRX-"[random() % 4];
  return read;
}

std::string fasta_of(std::mt19937& random, int count, std::uint64_t odd) {
  std::string text;
  const std::size_t width = std::array<std::size_t, 3>{20, 60, 1000}[random() % 3];
  for (int i = 0; i < count; ++i) {
    const std::string read = read_of(random, odd);
    text += ">r" + std::to_string(i) + " c\n";
    for (std::size_t at = 0; at < read.size(); at += width)
      text += read.substr(at, width) + "\n";
  }
  return text;
}

/// Some records have their symbols on two lines.
std::string fastq_of(std::mt19937& random, int count, std::uint64_t odd) {
  const std::string end = random() % 3 == 0 ? "\r\n" : "\n";
  std::string text;
  for (int i = 0; i < count; ++i) {
    const std::string read = "A" + read_of(random, odd);
    const std::string qualities(read.size(), "@+F"[random() % 3]);
    const std::size_t cut = random() % 30 == 0 ? read.size() / 2 : 0;
    text += "@r" + std::to_string(i) + " c" + end;
    text += cut == 0 ? read + end : read.substr(0, cut) + end + read.substr(cut) + end;
    text += "+" + end + qualities + end;
  }
  return text;
}

/// Whether the bases of a batch are those of `records`, from number `first` on, and all other
/// symbols are named.
bool is_right(const RecordBatch& batch, const Records& records, std::size_t first) {
  const Alphabet dna = Alphabet::dna();
  const PackedView bases = batch.bases.view();
  std::map<std::uint64_t, char> foreign;
  for (const PackedBases::Foreign& run : batch.bases.foreign())
    for (std::uint32_t i = 0; i < run.count; ++i)
      foreign[run.begin + i] = run.symbol;
  bool right = batch.bases.are_kept() && bases.size == batch.symbol_count() &&
               batch.symbols.size() + batch.dropped == batch.symbol_count();
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::string& symbols = records[first + i].symbols;
    right &= batch.length(i) == symbols.size() && batch.name(i) == records[first + i].name;
    for (const char symbol : symbols) {
      const std::uint8_t code = dna.code(symbol);
      if (code != Alphabet::none) right &= bases[at] == code && !foreign.contains(at);
      if (code == Alphabet::none) right &= foreign.contains(at) && foreign[at] == symbol;
      foreign.erase(at++);
    }
  }
  return right && foreign.empty();
}

bool same(const SymbolOfQuery& one, const SymbolOfQuery& other) {
  return one.name == other.name && one.symbol == other.symbol;
}

}  // namespace

TEST_CASE("bases that are forgotten and come again are packed as if they had come once") {
  std::mt19937 random(seed());
  const Alphabet dna = Alphabet::dna();
  for (int round = 0; round < rounds(200); ++round) {
    PackedBases bases;
    bases.keep(true);
    std::string symbols;
    for (int step = 0; step < 12; ++step) {
      const char letter = "ACGTN"[random() % 5];  // runs go over the borders of groups
      symbols += random() % 2 == 0 ? std::string(random() % 90, letter) : read_of(random, 3);
      if (random() % 2 == 0) bases.take(symbols, 0, best_cpu_path());
      if (random() % 2 == 0) bases.finish(symbols, 0, CpuPath::baseline);
      if (random() % 3 == 0) {
        symbols.resize(random() % (symbols.size() + 1));
        bases.shorten(symbols.size());
      }
      bases.finish(symbols, 0, best_cpu_path());
      REQUIRE(bases.view().size == symbols.size());
      std::string foreign(symbols.size(), '\0');
      for (const PackedBases::Foreign& run : bases.foreign()) {
        REQUIRE(run.begin + run.count <= symbols.size());
        foreign.replace(run.begin, run.count, run.count, run.symbol);
      }
      for (std::size_t i = 0; i < symbols.size(); ++i) {
        const std::uint8_t code = dna.code(symbols[i]);
        const bool is_base = code != Alphabet::none;
        const bool right =
            is_base ? bases.view()[i] == code && foreign[i] == 0 : foreign[i] == symbols[i];
        REQUIRE(right);
      }
    }
  }
}

TEST_CASE("bases are packed as symbols read, whatever the blocks, and others are named") {
  std::mt19937 random(seed());
  const TemporaryFolder folder;
  std::uint64_t dropped = 0;
  for (int round = 0; round < rounds(40); ++round) {
    const std::uint64_t odd = std::array<std::uint64_t, 4>{0, 2, 50, 1000}[random() % 4];
    const int count = round % 8 == 0 ? 3000 : 60;
    const std::string text =
        random() % 3 == 0 ? fasta_of(random, count, odd) : fastq_of(random, count, odd);
    const std::string path = folder / "reads";
    write_file(path, random() % 3 == 0 ? gzip_bytes(folder / "packed", text) : text);
    const Records records = read_all({path});
    for (const CpuPath way : {CpuPath::baseline, best_cpu_path()}) {
      const int threads = 1 + static_cast<int>(random() % 4);
      const std::uint64_t block = round % 8 == 0 ? 400'000 : 100 + random() % 5000;
      SequenceReader reader(
          {path}, {.threads = threads, .block_bytes = block, .pack_bases = true, .path = way});
      RecordBatch batch;
      std::size_t done = 0;
      while (reader.next(batch)) {
        REQUIRE(is_right(batch, records, done));
        done += batch.size();
        dropped += batch.dropped;
      }
      CHECK(done == records.size());
    }
  }
  CHECK(dropped > 0);
}

TEST_CASE("a batch of bases gives the patterns and the odd queries that its symbols give") {
  std::mt19937 random(seed());
  const TemporaryFolder folder;
  const Alphabet dna = Alphabet::dna();
  for (int round = 0; round < rounds(20); ++round) {
    const std::string path = write_file(folder / "reads", fastq_of(random, 400, 1 + random() % 20));
    for (const std::uint64_t block : {std::uint64_t{2000}, std::uint64_t{1} << 20}) {
      SequenceReader plain({path}, {.block_bytes = block});
      SequenceReader packed({path}, {.block_bytes = block, .pack_bases = true});
      RecordBatch symbols, bases;
      PatternBuffer of_symbols, of_bases;
      while (plain.next(symbols)) {
        REQUIRE(packed.next(bases));
        of_symbols.encode(symbols, dna);
        of_bases.encode(bases, dna);
        const Patterns codes = of_symbols.patterns(), both = of_bases.patterns();
        REQUIRE(both.are_packed());
        REQUIRE(both.size() == codes.size());
        const std::size_t first = random() % codes.size();
        const UnpackedPatterns some(both.some(first, codes.size()));
        for (std::size_t i = first; i < codes.size(); ++i) {
          const auto expected = codes[i], found = some.patterns()[i - first];
          const bool is_odd = std::ranges::find(expected, Alphabet::none) != expected.end();
          REQUIRE((both.foreign[i] == 1) == is_odd);
          if (is_odd) REQUIRE(found.front() == Alphabet::none);
          if (!is_odd) REQUIRE(std::ranges::equal(expected, found));
        }
        const OddQueries one = find_odd_queries(symbols, codes, dna),
                         other = find_odd_queries(bases, both, dna);
        CHECK(one.count == other.count);
        CHECK(one.wrong == other.wrong);
        if (one.count != 0) CHECK(same(one.first, other.first));
        if (one.wrong != 0) CHECK(same(one.first_wrong, other.first_wrong));
      }
      CHECK(!packed.next(bases));
    }
  }
}

TEST_CASE("bases come up to the first error, which is the same as without them") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  for (const std::string bad : {"@bad\nACGT\n+\nFF\n@next\nA\n+\nF\n", "@bad\nAC\tGT\n+\nFFFFF\n",
                                "@bad\nACGT\n", "@bad\n", "bad\n"}) {
    const std::string path = write_file(folder / "reads", fastq_of(random, 300, 40) + bad);
    for (const std::uint64_t block : {std::uint64_t{700}, std::uint64_t{1} << 20}) {
      std::array<std::string, 2> errors;
      std::array<std::uint64_t, 2> records{};
      for (const bool packs : {false, true}) {
        SequenceReader reader({path}, {.threads = 2, .block_bytes = block, .pack_bases = packs});
        RecordBatch batch;
        try {
          while (reader.next(batch))
            records[packs] += batch.size();
        } catch (const InputError& error) {
          errors[packs] = error.what();
        }
      }
      CHECK(!errors[0].empty());
      CHECK(errors[0] == errors[1]);
      CHECK(records[0] == records[1]);
    }
  }
}

TEST_CASE("bases are refused beside qualities, bytes, and records in parts") {
  const TemporaryFolder folder;
  const std::string path = write_file(folder / "reads", ">a\nACGT\n");
  CHECK_THROWS_AS(SequenceReader({path}, {.keep_qualities = true, .pack_bases = true}), UsageError);
  CHECK_THROWS_AS(SequenceReader({path}, {.keep_bytes = true, .pack_bases = true}), UsageError);
  CHECK_THROWS_AS(SequenceReader({path}, {.split_records = true, .pack_bases = true}), UsageError);
}
