// SAM, BAM and CRAM as reads: each once, in its own orientation, as FASTQ.
#include <htslib/faidx.h>

#include "support/packed_files.hpp"
#include "support/sequence_files.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

const std::string header = "@HD\tVN:1.6\n@SQ\tSN:chr\tLN:40\n";

/// A line; its place is that of 12 matches at the start of the reference, if it has one.
std::string line(const std::string& name, unsigned flag, const std::string& sequence,
                 const std::string& qualities, bool mapped = true) {
  const std::string cigar =
      mapped && sequence != "*" ? std::to_string(sequence.size()) + "M" : std::string("*");
  return name + '\t' + std::to_string(flag) + (mapped ? "\tchr\t1\t9\t" : "\t*\t0\t0\t") + cigar +
         "\t*\t0\t0\t" + sequence + '\t' + qualities + "\n";
}

const std::string lines =
    line("forward", 0, "ACGTACGTACGN", "ABCDEFGHIJK#") +
    line("reverse", 16, "ACGTACGTACGN", "ABCDEFGHIJK#") + line("first", 0x41, "AACC", "IIII") +
    line("second", 0x91, "AACC", "ABCD") + line("both", 0xc1, "AACC", "IIII") +
    line("forward", 0x100, "ACGTACGTACGN", "ABCDEFGHIJK#") +
    line("forward", 0x900, "AACC", "IIII") + line("reverse", 0x810, "AACC", "IIII") +
    line("bad", 0x600, "AACC", "IIII") + line("unmapped", 4, "RYKMSWBDHVN", "IIIIIIIIIII", false) +
    line("reversed", 20, "RYKMSWBDHVNAC", "ABCDEFGHIJKLM", false) +
    line("none", 4, "*", "*", false) + line("no_qualities", 4, "ACG", "*", false);

const Records expected = {{"forward", "", "ACGTACGTACGN"},
                          {"reverse", "", "NCGTACGTACGT"},
                          {"first/1", "", "AACC"},
                          {"second/2", "", "GGTT"},
                          {"both", "", "AACC"},
                          {"bad", "", "AACC"},
                          {"unmapped", "", "RYKMSWBDHVN"},
                          {"reversed", "", "GTNBDHVWSKMRY"},
                          {"none", "", ""},
                          {"no_qualities", "", "ACG"}};
const std::vector<std::string> expected_qualities = {
    "ABCDEFGHIJK#", "#KJIHGFEDCBA", "IIII",          "DCBA", "IIII",
    "IIII",         "IIIIIIIIIII",  "MLKJIHGFEDCBA", "",     "BBB"};

/// The files in every format, of the same lines.
std::vector<std::string> all_formats(const TemporaryFolder& folder) {
  const std::string sam = header + lines;
  write_file(folder / "t.sam", sam);
  write_file(folder / "bare.sam", line("x", 4, "ACGT", "IIII", false));
  gzip_bytes(folder / "t.sam.gz", sam);
  bgzf_bytes(folder / "t.sam.bgz", sam, 50);
  write_alignments(folder / "t.bam", sam, "wb");
  write_alignments(folder / "u.bam", sam, "wb0");
  write_alignments(folder / "t.cram", sam, "wc");
  std::vector<std::string> paths;
  for (const char* name : {"t.sam", "t.sam.gz", "t.sam.bgz", "t.bam", "u.bam", "t.cram"})
    paths.push_back(folder / name);
  return paths;
}

}  // namespace

TEST_CASE("alignments give each read once, as it came from the machine") {
  const TemporaryFolder folder;
  for (const std::string& path : all_formats(folder)) {
    CAPTURE(path);
    for (const std::uint64_t block : {1, 30, 1 << 20}) {
      CHECK((read_all({path}, {1, block, false}) == expected));
      CHECK((read_all({path}, {1, block, true}) == expected));
    }
    CHECK((read_on_threads({path}, {3, 40, false}, 3).records == expected));
    SequenceReader reader({path}, {.keep_qualities = true});
    RecordBatch batch;
    REQUIRE(reader.next(batch));
    REQUIRE(batch.size() == expected.size());
    for (std::size_t i = 0; i < batch.size(); ++i)
      CHECK(batch.quality(i) == expected_qualities[i]);
    CHECK(reader.bytes_read() > 0);
  }
  CHECK((read_all({folder / "bare.sam"}) == Records{{"x", "", "ACGT"}}));
}

TEST_CASE("alignments come through a pipe") {
  const TemporaryFolder folder;
  int pipes = 0;
  for (const std::string& path : all_formats(folder)) {
    CAPTURE(path);
    const std::string fifo = folder / ("fifo" + std::to_string(pipes++));
    REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
    std::thread writer([&] { write_file(fifo, read_file(path)); });
    CHECK((read_all({fifo}) == expected));
    writer.join();
  }
}

TEST_CASE("alignments cut anywhere are an error, but for lines of SAM that are whole") {
  const TemporaryFolder folder;
  for (const std::string& path : all_formats(folder)) {
    const std::string bytes = read_file(path);
    if (path.ends_with("sam")) continue;
    CAPTURE(path);
    for (std::size_t size = 60; size < bytes.size(); size += 7) {
      CAPTURE(size);
      const std::string cut = write_file(folder / "cut", bytes.substr(0, size));
      const std::string error = error_of({cut});
      CHECK_FALSE(error.empty());
      if (path.ends_with("am")) CHECK_FALSE(has(error, "line 1:"));
    }
  }
  // At the border of a block, only the mark at the end tells.
  for (const auto& [name, mark] : {std::pair{"t.bam", 28}, std::pair{"t.cram", 38}}) {
    const std::string bytes = read_file(folder / name);
    const std::string cut = write_file(folder / "cut", bytes.substr(0, bytes.size() - mark));
    const Reading found = read_on_threads({cut}, {1, 10, false}, 1);
    CHECK(has(found.error, "end-of-file marker is missing"));
    CHECK(found.records.size() + 1 >= expected.size());
  }
}

TEST_CASE("SAM without a header gives all reads, mapped ones as well") {
  const TemporaryFolder folder;
  const std::string bare = write_file(folder / "bare.sam", lines);
  CHECK((read_all({bare}, {1, 1 << 20, false}) == expected));
  const std::string group = write_file(folder / "group.sam", "@RG\tID:g\n" + lines);
  CHECK((read_all({group}, {1, 1 << 20, false}) == expected));
}

TEST_CASE("damaged alignments are refused by the number of the line") {
  const TemporaryFolder folder;
  const std::string good = line("a", 4, "ACGT", "IIII", false);
  const std::string bad = write_file(folder / "bad.sam", header + good + "b\t4\t*\t0\n");
  CHECK(has(error_of({bad}), "line 2 of the SAM data is truncated or damaged"));
  CHECK(read_on_threads({bad}, {1, 10, false}, 1).records == Records{{"a", "", "ACGT"}});
  const std::string blank =
      write_file(folder / "blank.sam", header + good + line("b c", 4, "A", "I", false));
  CHECK(has(error_of({blank}), "line 2 of the SAM data has a name with a blank"));
  CHECK(has(error_of({write_file(folder / "none.sam", header)}), "the file is empty"));
  const std::string odd = write_file(folder / "odd.fa", ">a\nAC\n\x01\n");
  CHECK(has(error_of({odd}), "line 3"));
}

TEST_CASE("FASTQ whose first name looks like a tag of SAM is FASTQ") {
  const TemporaryFolder folder;
  for (const char* name : {"HD", "SQ x", "RG\tgroup one", "@HD"}) {
    const std::string path =
        write_file(folder / "q.fq", "@" + std::string(name) + "\nACGT\n+\nIIII\n");
    CHECK(read_all({path})[0].symbols == "ACGT");
  }
}

TEST_CASE("CRAM is decoded by its reference, which is a local file with an index") {
  const TemporaryFolder folder;
  const std::string fasta =
      write_file(folder / "ref.fa", ">chr\nACGTACGTACGTACGTACGTACGTACGTACGTACGTACGT\n");
  REQUIRE(fai_build(fasta.c_str()) == 0);
  write_alignments(folder / "r.cram", header + lines, "wc", fasta);
  ReaderOptions options;
  CHECK(has(error_of({folder / "r.cram"}, options), "cannot be decoded without the reference"));
  CHECK(has(error_of({folder / "r.cram"}, options), "--cram-reference"));
  options.decoding.cram.fasta = fasta;
  CHECK((read_all({folder / "r.cram"}, options) == expected));
  options.decoding.cram.fasta = write_file(folder / "new.fa", read_file(fasta));
  CHECK(has(error_of({folder / "r.cram"}, options), "has no index; run: samtools faidx"));
  CHECK_FALSE(std::filesystem::exists(folder / "new.fa.fai"));
  options.decoding.cram.fasta = folder / "missing.fa";
  CHECK(has(error_of({folder / "r.cram"}, options), "cannot be read: No such file"));
  options.decoding.cram.fasta = "http://127.0.0.1:1/ref.fa";
  CHECK(has(error_of({folder / "r.cram"}, options), "cannot be read: No such file"));
  const std::string wrong = write_file(folder / "wrong.fa", ">chr\n" + std::string(40, 'C') + "\n");
  REQUIRE(fai_build(wrong.c_str()) == 0);
  options.decoding.cram.fasta = wrong;
  CHECK(has(error_of({folder / "r.cram"}, options), "or this is not its reference"));
  // The header names the file; only a caller that asks for a search gets it from there.
  options.decoding.cram = {};
  options.decoding.cram.search = true;
  CHECK((read_all({folder / "r.cram"}, options) == expected));
  std::filesystem::remove(fasta + ".fai");
  CHECK(has(error_of({folder / "r.cram"}, options), "cannot be decoded without the reference"));
  CHECK_FALSE(std::filesystem::exists(fasta + ".fai"));
}
