// SAM, BAM and 2bit in every compression, and those that others have written carelessly.
#include "base/out_of_memory.hpp"
#include "support/packed_files.hpp"
#include "support/sequence_files.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

std::string sam_line(const std::string& name, const std::string& bases) {
  return name + "\t4\t*\t0\t0\t*\t*\t0\t0\t" + bases + "\t" + std::string(bases.size(), 'I') + "\n";
}

const std::string header = "@HD\tVN:1.6\n@SQ\tSN:chr\tLN:40\n";
const std::string two_reads = header + sam_line("a", "ACGT") + sam_line("b", "GGTTA");
const Records expected = {{"a", "", "ACGT"}, {"b", "", "GGTTA"}};

/// The bytes in each compression, by its name.
std::map<std::string, std::string> packed(const TemporaryFolder& folder, const std::string& bytes) {
  return {{"gzip", gzip_bytes(folder / "1", bytes)},
          {"bgzf", bgzf_bytes(folder / "2", bytes, 30)},
          {"bzip2", bzip2_bytes(bytes)},
          {"xz", xz_bytes(bytes)},
          {"zstd", zstd_bytes(bytes)}};
}

std::string bam_bytes(const TemporaryFolder& folder, const std::string& text) {
  write_alignments(folder / "t.bam", text, "wb");
  return read_file(folder / "t.bam");
}

/// What BAM is without BGZF.
std::string plain_bam(const TemporaryFolder& folder, const std::string& text) {
  bam_bytes(folder, text);
  BGZF* file = bgzf_open((folder / "t.bam").c_str(), "r");
  REQUIRE(file != nullptr);
  std::string bytes(1 << 20, '\0');
  bytes.resize(static_cast<std::size_t>(bgzf_read(file, bytes.data(), bytes.size())));
  bgzf_close(file);
  return bytes;
}

}  // namespace

TEST_CASE("SAM, BAM and 2bit are read out of every compression, and as they are") {
  const TemporaryFolder folder;
  const std::string bam_file = bam_bytes(folder, two_reads), plain = plain_bam(folder, two_reads);
  const std::string two_bit = two_bit_bytes({{"a", "ACGT"}, {"b", "GGTTA"}});
  for (const std::string& bytes : {two_reads, plain, two_bit}) {
    CHECK((read_all({write_file(folder / "f", bytes)}) == expected));
    for (const auto& [name, form] : packed(folder, bytes)) {
      CAPTURE(name);
      const std::string path = write_file(folder / "f", form);
      for (const std::uint64_t block : {1, 30, 1 << 20})
        CHECK((read_all({path}, {1, block, false}) == expected));
      CHECK((read_on_threads({path}, {3, 5, false}, 3).records == expected));
    }
  }
  // Its own compression inside another one is read by the command that the error names.
  for (const auto& [name, form] : packed(folder, bam_file)) {
    if (name == "bgzf") continue;
    CAPTURE(name);
    const std::string path = write_file(folder / "x.bam", form);
    CHECK(has(error_of({path}), "compressed twice, gzip inside " + name + "; run: " + name +
                                    " -dc " + path + " | gsx"));
  }
}

TEST_CASE("reads of SAM do not depend on its header") {
  const TemporaryFolder folder;
  const std::string lines = sam_line("a", "ACGT") + sam_line("b", "GGTTA");
  for (const std::string head : {"@RG\tSM:x\n", "@PG\tPN:x\n", "@SQ\tLN:100\n",
                                 "@HD\tVN:1.6\n@SQ\tSN:c\tLN:1\n@SQ\tSN:c\tLN:1\n",
                                 "@CO\tfree text\n@SQ\tSN:x\tLN:none\n", "\n\r\n"}) {
    CAPTURE(head);
    CHECK((read_all({write_file(folder / "f.sam", head + lines)}) == expected));
    CHECK((read_all({write_file(folder / "f.gz", gzip_bytes(folder / "z", head + lines))}) ==
           expected));
  }
  for (std::size_t size = 8; size <= header.size(); ++size) {
    const std::string error = error_of({write_file(folder / "cut.sam", header.substr(0, size))});
    CHECK((has(error, "is empty") || has(error, "is truncated or damaged")));
  }
  for (const std::string places : {"1\t5\t9\t4M\t=\t9", "a_long_name\t5\t9\t4M\tanother\t9"}) {
    const std::string mate = "m\t99\t" + places + "\t0\tACGT\tIIII\n";
    CHECK((read_all({write_file(folder / "m.sam", mate)}) == Records{{"m/1", "", "ACGT"}}));
  }
  const std::string odd = header + sam_line("@r", "AC");
  CHECK((read_all({write_file(folder / "f.sam", odd)}) == Records{{"@r", "", "AC"}}));
}

TEST_CASE("SAM without a header whose first name begins with a mark of FASTA is SAM") {
  const TemporaryFolder folder;
  const std::string lines = sam_line(">a", "ACGT");
  CHECK((read_all({write_file(folder / "f.sam", lines)}) == Records{{">a", "", "ACGT"}}));
  const std::string fifo = folder / "fifo";
  REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  std::thread writer([&] { write_file(fifo, lines); });
  CHECK(has(error_of({fifo}), "it is SAM that does not begin as such; give it a header"));
  writer.join();
  const std::string fasta = ">a\t4\t*\t0\nACGT\n";
  CHECK(read_all({write_file(folder / "f.fa", fasta)})[0].symbols == "ACGT");
}

TEST_CASE("a second file behind SAM or BAM is named as that, and odd lines are described") {
  const TemporaryFolder folder;
  const auto error_in = [&](const std::string& bytes) {
    return error_of({write_file(folder / "f", bytes)});
  };
  CHECK(has(error_in(two_reads + two_reads),
            "line 3 of the SAM data is a header, which stands behind reads"));
  const std::string bam_file = bam_bytes(folder, two_reads);
  CHECK(has(error_in(bam_file + bam_file),
            "line 3 of the BAM data is the header of another BAM file"));
  CHECK(has(error_in(bam_file + bam_file), "'samtools cat' joins files"));
  CHECK(has(error_in(header + "a 4 * 0 0 * * 0 0 ACGT IIII\n"), "it has 1 column where"));
  CHECK(has(error_in(header + "a\t4\t*\t0\t0\t*\t*\t0\t0\tACGT\tIII\n"),
            "SEQ has 4 letters, and QUAL has 3"));
  CHECK(has(error_in(two_reads.substr(0, two_reads.size() - 2)), "no line end follows it"));
  CHECK((read_all({write_file(folder / "z.bam", bam_file + std::string(600, '\0'))}) == expected));
  CHECK(has(error_in(bam_file.substr(0, bam_file.size() - 28)),
            "the BGZF end-of-file marker is missing"));
  CHECK(has(error_in(bam_file + "x"), "bytes that are not compressed follow"));
}

TEST_CASE("numbers of BAM that cannot be right are refused, and take no memory") {
  const TemporaryFolder folder;
  const std::string whole = plain_bam(folder, "@HD\tVN:1.6\n" + sam_line("a", "ACGT"));
  const std::size_t line = whole.size() - (4 + 32 + 2 + 2 + 4);
  REQUIRE(whole[line] == 40);
  const auto error_with = [&](std::size_t at, const std::string& bytes) {
    std::string forged = whole;
    forged.replace(at, bytes.size(), bytes);
    return error_of({write_file(folder / "f.bam", forged)});
  };
  const std::string huge("\xff\xff\xff\x7f", 4), most("\xff\xff\xff\xff", 4), none(4, '\0');
  CHECK(error_with(line, "") == "");
  for (const std::string& size : {huge, most, none})
    CHECK(has(error_with(line, size), "line 1 of the BAM data is truncated or damaged"));
  CHECK(has(error_with(line + 4, none), "is truncated or damaged"));                   // a target
  CHECK(has(error_with(line + 12, std::string(1, '\0')), "is truncated or damaged"));  // its name
  CHECK(has(error_with(line + 16, "\xff\xff"), "is truncated or damaged"));            // its CIGAR
  for (const std::string& length : {huge, most})
    CHECK(has(error_with(line + 20, length), "is truncated or damaged"));
  for (const std::string& size : {huge, most})
    CHECK(has(error_with(4, size), "the header of the BAM data is truncated or damaged"));
  for (std::size_t size = 5; size < whole.size(); ++size) {
    const std::string path = write_file(folder / "cut.bam", whole.substr(0, size));
    CHECK((size == line ? has(error_of({path}), "empty") : has(error_of({path}), "truncated")));
  }
}

TEST_CASE("a long line of SAM or BAM is made piece by piece, and refused where memory is short") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  std::string bases;
  for (int i = 0; i < 300'000; ++i)
    bases += "ACGT"[random() % 4];
  const std::string text = header + sam_line("long", bases) + sam_line("b", "ACGT");
  const std::string reversed =
      header + "long\t20" + sam_line("", bases).substr(2) + sam_line("b", "ACGT");
  std::string complement(bases.rbegin(), bases.rend());
  for (char& c : complement)
    c = "TGCA"[std::string("ACGT").find(c)];
  for (const auto& [one, want] : {std::pair{text, bases}, std::pair{reversed, complement}}) {
    bam_bytes(folder, one);
    write_file(folder / "t.sam", one);
    for (const char* name : {"t.sam", "t.bam"}) {
      CAPTURE(name);
      const Records found = read_all({folder / name});
      REQUIRE(found.size() == 2);
      CHECK((found[0].symbols == want));
      ReaderOptions options;
      options.decoding.record_bytes = 200'000;
      CHECK_THROWS_AS(read_all({folder / name}, options), OutOfMemoryError);
      CHECK(has(error_of({folder / name}, options),
                "more memory than the 200000 bytes (200.0 kB) allowed"));
    }
  }
}

TEST_CASE("bytes behind the last sequence of 2bit are an error") {
  const TemporaryFolder folder;
  for (const bool backwards : {false, true}) {
    const std::string one = two_bit_bytes({{"a", "ACGT"}, {"b", "GG"}}, {0, false, backwards});
    CHECK(has(error_of({write_file(folder / "t.2bit", one + one)}), "bytes follow the last"));
    CHECK(has(error_of({write_file(folder / "t.2bit", one + "x")}), "bytes follow the last"));
    if (backwards) continue;
    const std::string piped = gzip_bytes(folder / "z", one + "x");
    CHECK(has(error_of({write_file(folder / "t.2bit.gz", piped)}), "bytes follow the last"));
  }
}

TEST_CASE("data of another compression behind the first is named") {
  const TemporaryFolder folder;
  const std::string text = ">a\nACGT\n";
  const auto forms = packed(folder, text);
  for (const auto& [first, one] : forms) {
    for (const auto& [second, other] : forms) {
      if (one.substr(0, 2) == other.substr(0, 2)) continue;
      CAPTURE(first);
      CAPTURE(second);
      const std::string name = second == "bgzf" ? "gzip" : second;
      CHECK(has(error_of({write_file(folder / "f", one + other)}),
                "data compressed by " + name + " follows"));
    }
  }
  CHECK(has(error_of({write_file(folder / "f", "BZh")}), "bzip2 data that is damaged, or cut off"));
}

TEST_CASE("an error in the records of compressed data says that the data may be damaged") {
  const TemporaryFolder folder;
  const std::string text = "@a\nACGT\n+\nIIII\n@b\nACGT\n@c\n";
  for (const auto& [name, form] : packed(folder, text)) {
    CAPTURE(name);
    const std::string path = write_file(folder / "f", form);
    const std::string note = "is damaged; test it: " + name + " -t " + path;
    CHECK(has(error_of({path}), note) == (name != "bgzf"));
  }
  CHECK_FALSE(has(error_of({write_file(folder / "f", text)}), "test it"));
}
