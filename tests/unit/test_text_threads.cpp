// Texts built on threads: the same as from one batch, wherever batches end, and the first error.
#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.hpp"
#include "bytes/output.hpp"
#include "index/store/writer.hpp"
#include "support/sequence_files.hpp"
#include "support/texts.hpp"
#include "support/thinning.hpp"
#include "text/packed_sink.hpp"
#include "text/read_text.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::string as_fasta(const std::vector<std::string>& sequences) {
  std::string file;
  for (std::size_t r = 0; r < sequences.size(); ++r) {
    file += ">r" + std::to_string(r + 1) + " of " + std::to_string(sequences.size()) + '\n';
    for (std::size_t at = 0; at < sequences[r].size(); at += 37)
      file += sequences[r].substr(at, 37) + '\n';
  }
  return file;
}

template <class Range>
std::string bytes_of(const Range& range) {
  return {reinterpret_cast<const char*>(range.data()), range.size() * sizeof(*range.data())};
}

/// All that an index file keeps of a text.
std::string contents(const Text& text) {
  std::string all(text.alphabet.symbols());
  for (const auto& numbers : {text.segments.starts(), text.segment_offsets, text.segment_records,
                              text.name_ends, text.comment_ends}) {
    all += bytes_of(numbers) + '|';
  }
  all += bytes_of(text.symbols.bytes()) + '|' + bytes_of(text.literals.bytes()) + '|';
  all += bytes_of(text.records) + '|' + bytes_of(text.gaps) + '|' + text.names + text.comments;
  return all.append(reinterpret_cast<const char*>(&text.counts), sizeof text.counts);
}

/// The text by definition, symbol by symbol, with '$' for separators.
std::string expected_dna(const std::vector<std::string>& sequences, SoftMaskPolicy soft_mask) {
  std::string all;
  for (const std::string& sequence : sequences) {
    all += '|';
    for (const char c : sequence) {
      const bool kept = dna_class(c) == SymbolClass::base &&
                        (soft_mask == SoftMaskPolicy::fold || c == to_upper(c));
      const char upper = to_upper(c) == 'U' ? 'T' : to_upper(c);
      all += kept ? upper : '|';
    }
  }
  std::string spelled;
  for (const char c : all + '|') {
    if (c != '|') {
      spelled += c;
    } else if (!spelled.empty() && spelled.back() != '$') {
      spelled += '$';
    }
  }
  return spelled;
}

std::string spelled(const Text& text) {
  std::string out;
  std::uint64_t segment = 0;
  for (std::uint64_t p = 0; p < text.length(); ++p) {
    const bool separator = p + 1 == text.segments.starts()[segment + 1];
    segment += separator;
    out += separator ? '$' : text.alphabet.symbol(text.symbols.view()[p]);
  }
  return out;
}

struct Input {
  TextOptions options;
  std::vector<std::string> sequences;
};

Input draw(Random& random, int round) {
  Input input;
  input.options.alphabet = SymbolPolicy::dna;
  std::string symbols = "ACGTACGTACGTACGTacgtN";
  if (round % 4 == 1) symbols = "ACGTUacgtuNnRYKMryx-*";
  if (round % 4 == 2) symbols = "ACDEFghik*";
  if (round % 4 == 2) input.options.alphabet = SymbolPolicy::protein;
  if (round % 8 == 3) symbols = "aAbB!~0";
  if (round % 8 == 3) input.options.alphabet = SymbolPolicy::bytes;
  if (round % 3 == 0) input.options.soft_mask = SoftMaskPolicy::split;
  input.sequences.resize(1 + below(random, 40));
  for (std::string& sequence : input.sequences) {
    while (below(random, 5) != 0) {  // runs of one symbol or of many
      const std::string some(1, symbols[below(random, symbols.size())]);
      sequence += random_string(random, below(random, 150), below(random, 3) == 0 ? some : symbols);
    }
  }
  input.sequences.push_back(symbols.substr(0, 4));
  return input;
}

Text read(const std::string& path, TextOptions options, int threads, std::uint64_t batch) {
  options.alphabet = options.alphabet.value_or(SymbolPolicy::dna);
  Text text = read_text({path}, {.text = options, .threads = threads, .block_bytes = batch}, {});
  checksum_records(text, threads);
  return text;
}

}  // namespace

TEST_CASE("a text depends neither on threads nor on where batches end") {
  Random random(11);
  const TemporaryFolder folder;
  const std::string plain = folder / "plain.fa";
  const std::string packed = folder / "packed.fa.gz";
  for (int round = 0; round < rounds(40); ++round) {
    CAPTURE(round);
    const Input input = draw(random, round);
    write_file(plain, as_fasta(input.sequences));
    gzip_bytes(packed, as_fasta(input.sequences));
    const Text whole = read(plain, input.options, 1, 1 << 20);
    if (input.options.alphabet == SymbolPolicy::dna) {
      REQUIRE(spelled(whole) == expected_dna(input.sequences, input.options.soft_mask));
    }
    const std::string expected = contents(whole);
    for (int cut = 0; cut < 6; ++cut) {
      const std::uint64_t batches[] = {1, 2, 3, 5, 31, 32, 33, 64, 257, 4000};
      const std::uint64_t batch = batches[below(random, 10)];
      const int threads = static_cast<int>(1 + below(random, 5));
      CAPTURE(threads);
      CAPTURE(batch);
      REQUIRE((contents(read(plain, input.options, threads, batch)) == expected));
      // Longer than reserved: the text moves while it is written.
      REQUIRE((contents(read(packed, input.options, threads, batch)) == expected));
    }
  }
}

TEST_CASE("the first error of the input is reported, whichever thread meets it") {
  const TemporaryFolder folder;
  const std::string path = folder / "in.fa";
  Random random(12);
  const std::string clean = random_string(random, 5000, "ACGT");
  const auto error = [&](const std::string& content, const TextOptions& options, int threads,
                         std::uint64_t batch) -> std::string {
    write_file(path, content);
    try {
      read(path, options, threads, batch);
    } catch (const InputError& thrown) {
      return thrown.what();
    }
    return "none";
  };
  TextOptions strict;
  strict.ambiguous = AmbiguousPolicy::error;
  TextOptions protein;
  protein.alphabet = SymbolPolicy::protein;
  for (const int threads : {1, 2, 8}) {
    for (const std::uint64_t batch : {7, 100, 100000}) {
      CAPTURE(threads);
      CAPTURE(batch);
      const std::string two = ">a\n" + clean + "\n>b\nACGNTRA\n>c\n" + clean + "\n";
      const std::string message =
          path +
          ": record 2 ('b'), line 4: 'N' is not A, C, G or T; --ambiguous split keeps it out of "
          "the text";
      CHECK(error(two, strict, threads, batch) == message);
      CHECK(error(two + "AC\x01", strict, threads, batch) == message);
      CHECK(error(">a\nACD\n>b\nMKV" + clean + "1!\n>c\n2", protein, threads, batch) ==
            path +
                ": record 2 ('b'), line 4: '1' is not a protein letter; --alphabet bytes takes any "
                "symbol");
      CHECK(error(">a\n" + clean + "\n>p\nMKLVFPQEILMKLVFP\n>c\nA\n", {}, threads, batch) ==
            path +
                ": record 2 ('p'), line 4: 'L' is not a nucleotide code; 10 of 16 symbols are "
                "not: the record looks like protein, not DNA; use --alphabet protein");
      CHECK(error(">a\n" + clean + "\n>b\nAC\x01GT\n", {}, threads, batch) ==
            path +
                ": record 2 ('b'), line 4: control byte 0x01 inside a sequence line; the file "
                "is damaged or not text");
    }
  }
}

TEST_CASE("bases are written to any range, and share bytes with their neighbours") {
  Random random(13);
  for (int round = 0; round < rounds(300); ++round) {
    const std::string bases = random_string(random, 1 + below(random, 300), "ACGTUacgtu");
    PackedSink sink(2, "test");
    std::vector<std::uint64_t> ends = {0};
    while (ends.back() < bases.size()) {
      const std::uint64_t longest = below(random, 2) == 0 ? 4 : 120;
      ends.push_back(
          std::min<std::uint64_t>(bases.size(), ends.back() + 1 + below(random, longest)));
      sink.extend(ends.back() - ends[ends.size() - 2]);
    }
    std::vector<std::size_t> order(ends.size() - 1);
    for (std::size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t part : order) {
      BaseWriter writer(sink, ends[part]);
      const std::uint64_t cut = below(random, ends[part + 1] - ends[part] + 1);
      writer.append(bases.data() + ends[part], cut);
      writer.append(bases.data() + ends[part] + cut, ends[part + 1] - ends[part] - cut);
      writer.finish();
    }
    const PackedArray packed = sink.take();
    const Alphabet dna = Alphabet::dna();
    REQUIRE(packed.size() == bases.size());
    for (std::uint64_t i = 0; i < bases.size(); ++i)
      REQUIRE(packed.view()[i] == dna.code(bases[i]));
  }
}

TEST_CASE("runs are found in every case and at every length") {
  Random random(14);
  for (const SoftMaskPolicy soft_mask : {SoftMaskPolicy::fold, SoftMaskPolicy::split}) {
    const RunFinder finder(SymbolPolicy::dna, soft_mask);
    SymbolRuns found;
    for (unsigned first = 33; first < 127; ++first) {
      for (unsigned second = 33; second < 127; ++second) {
        const std::size_t length = 1 + below(random, 100);
        RecordBatch batch;
        batch.begin_record("r", "");
        batch.append(std::string(length, static_cast<char>(first)) + static_cast<char>(second));
        finder.find(batch, found);
        REQUIRE(found.runs.at(0).kind == record_run);
        const auto kind = [&](unsigned byte) -> unsigned {
          const char c = static_cast<char>(byte);
          if (dna_class(c) != SymbolClass::base) return static_cast<unsigned char>(to_upper(c));
          const bool masked = soft_mask == SoftMaskPolicy::split && c != to_upper(c);
          return masked ? masked_run : plain_run;
        };
        const bool one = kind(first) == kind(second);
        REQUIRE(found.runs.size() == (one ? 2 : 3));
        REQUIRE(found.runs[1].kind == kind(first));
        REQUIRE(found.runs[1].length == length + (one ? 1 : 0));
        REQUIRE(found.runs.back().kind == kind(second));
        const auto lower = [](unsigned byte) { return byte >= 'a' && byte <= 'z' ? 1u : 0u; };
        REQUIRE(found.lower_case == length * lower(first) + lower(second));
      }
    }
  }
}

TEST_CASE("an index is not written without the records' checksums") {
  TextBuilder builder({});
  RecordBatch batch;
  batch.begin_record("r", "");
  batch.append("ACGT");
  builder.add(batch);
  Text text = builder.finish();
  const TemporaryFolder folder;
  Output out(folder / "out.gsx");
  CHECK_FALSE(text.checksummed);
  CHECK_THROWS_AS(write_index(out, text, FmIndex(), 1), RuntimeError);
}
