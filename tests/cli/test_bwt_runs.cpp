// gsx bwt --format fmd and bre, which ropebwt3 loads, and --strand.
#include <algorithm>
#include <filesystem>

#include "support/program.hpp"
#include "support/texts.hpp"
#include "text/md5_stream.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// The MD5 of what ropebwt3 3.10 writes: build -d (fmd) and -e (bre), with -R for one strand.
struct Expected {
  const char* file;
  const char* format;
  const char* strand;
  const char* md5;
};
constexpr Expected of_ropebwt3[] = {
    {"lambda", "fmd", "both", "8ef036556e81c6ca491130058e5bcd81"},
    {"lambda", "bre", "both", "e96047bdb7c780cb23ef46df10ffb1a7"},
    {"lambda", "fmd", "fwd", "5fe6889d7ce3afc9d6525fafdbb5ba8f"},
    {"lambda", "bre", "fwd", "8b42008bd6c9b61ba2e2541fc4d10163"},
    {"repeats", "fmd", "both", "4de30c3776355b6cd86e5522ba19faa6"},
    {"repeats", "bre", "both", "b8eee1bdf3bf180f9a2b13c170047c10"},
    {"repeats", "fmd", "fwd", "9f64218387c3c17173997bd305862c35"},
    {"repeats", "bre", "fwd", "bcad9298da16b923c549938863fb2a7f"},
};

std::string md5_of(const std::string& bytes) {
  Md5Stream stream;
  stream.update(bytes);
  return to_hex(stream.finish());
}

/// Runs that are longer than a number of 16 bits in BRE, and than one in the header of a block.
std::string repeats() {
  std::string fasta = ">r\n" + std::string(70000, 'A') + "\n>s\n";
  for (int i = 0; i < 4000; ++i)
    fasta += "ACGGT";
  return fasta + '\n';
}

/// The BWT of a BRE file, as bytes; checks its header and footer.
std::string decoded_bre(const std::string& bytes) {
  const auto number = [&](std::size_t at, std::size_t count) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < count; ++i)
      value |= std::uint64_t{static_cast<unsigned char>(bytes.at(at + i))} << 8 * i;
    return value;
  };
  CHECK(bytes.starts_with(std::string("BRE\1\1\2\2\0\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24)));
  std::string bwt;
  std::uint64_t records = 0, runs = 0;
  std::size_t at = 24;
  for (; number(at + 1, 2) != 0; at += 3, ++records) {
    const char symbol = "$ACGTN"[number(at, 1)];
    if (bwt.empty() || bwt.back() != symbol) ++runs;
    bwt += std::string(number(at + 1, 2), symbol);
  }
  CHECK(number(at + 3, 8) == records);
  CHECK(number(at + 11, 8) == bwt.size());
  CHECK(number(at + 19, 8) == runs);
  CHECK(bytes.size() == at + 27);
  return bwt;
}

std::string reverse_complement_of(std::string sequence) {
  std::reverse(sequence.begin(), sequence.end());
  for (char& c : sequence)
    c = "TGCA"[std::string("ACGT").find(c)];
  return sequence;
}

}  // namespace

TEST_CASE("FMD and BRE are those of ropebwt3, of sequences and of an index") {
  const TemporaryFolder folder;
  folder.write("repeats.fa", repeats());
  std::filesystem::copy_file(std::string(GSX_SOURCE_DIR) + "/data/lambda.fa", folder / "lambda.fa");
  const auto gsx = [&](const Arguments& arguments) {
    return run(arguments, {.folder = folder.path()});
  };
  for (const char* file : {"lambda", "repeats"})
    CHECK(gsx({"index", "-q", file + std::string(".fa")}).exit_code == 0);
  for (const Expected& expected : of_ropebwt3) {
    CAPTURE(expected.file);
    CAPTURE(expected.format);
    CAPTURE(expected.strand);
    for (const char* suffix : {".fa", ".gsx"}) {
      for (const char* threads : {"1", "3"}) {
        Arguments arguments = {"bwt",          "-q",    expected.file + std::string(suffix),
                               "-t",           threads, "--format",
                               expected.format};
        if (expected.strand == std::string("fwd"))
          arguments.insert(arguments.end(), {"--strand", "fwd"});
        CHECK(md5_of(output_of(gsx(arguments))) == expected.md5);
      }
    }
  }
}

TEST_CASE("--strand both lets the reverse complement of each segment follow it") {
  const TemporaryFolder folder;
  Random random(12);
  std::string fasta, pairs;
  for (std::uint64_t i = 0; i < 60; ++i) {
    const std::string first = random_string(random, 1 + i * i % 90, "ACGT");
    const std::string second = random_string(random, 1 + i * 7 % 40, "ACGT");
    fasta += ">r\n" + first + "NN" + second + '\n';
    for (const std::string& segment : {first, second})
      pairs += ">f\n" + segment + "\n>r\n" + reverse_complement_of(segment) + '\n';
  }
  folder.write("a.fa", fasta);
  folder.write("pairs.fa", pairs);
  const auto bwt = [&](Arguments more) {
    more.insert(more.begin(), {"bwt", "-q"});
    return output_of(run(more, {.folder = folder.path()}));
  };
  const std::string expected = bwt({"pairs.fa"});
  CHECK(bwt({"a.fa", "--strand", "both"}) == expected);
  CHECK(bwt({"a.fa", "--strand", "both", "-t", "3", "--format", "bytes"}) == expected);
  CHECK(decoded_bre(bwt({"a.fa", "--format", "bre"})) == expected);
  CHECK(decoded_bre(bwt({"a.fa", "--format", "bre", "--strand", "fwd"})) == bwt({"a.fa"}));
}

TEST_CASE("runs are for DNA, and what does not go with them is refused") {
  const TemporaryFolder folder;
  folder.write("d.fa", ">d\nACGTACGTTT\n");
  folder.write("p.fa", ">p\nMKVLAAGIVGLEEFPQ\n");
  const auto refused = [&](Arguments more, int code, const std::vector<std::string>& words) {
    more.insert(more.begin(), {"bwt", "-q", "-o", "out"});
    check_failure(run(more, {.folder = folder.path()}), code, words);
    CHECK_FALSE(std::filesystem::exists(folder / "out"));
  };
  for (const char* format : {"fmd", "bre"}) {
    refused({"p.fa", "--format", format}, 2, {format, "DNA", "protein"});
    refused({"d.fa", "--format", format, "--separator", "#"}, 2, {"--separator", format});
    const std::string runs =
        output_of(run({"bwt", "-q", "d.fa", "--format", format}, {.folder = folder.path()}));
    folder.write("runs", runs);
    refused({"runs", "--inverse"}, 3, {"runs", format == std::string("fmd") ? "FMD" : "BRE"});
  }
  refused({"p.fa", "--strand", "both"}, 2, {"--strand both", "protein"});
  refused({"d.fa", "--format", "fmr"}, 2, {"fmr"});
  refused({"d.fa", "--inverse", "--format", "fmd"}, 2, {"--format"});
  // Sanitizers take so much themselves that the limit is passed before the writer is asked.
  if (!sanitized)
    refused({"d.fa", "--format", "fmd", "--memory-limit", "70MB"}, 6, {"FMD", "--memory-limit"});
}
