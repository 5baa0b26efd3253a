// Damaged index files: every truncation and every flipped byte is noticed before anything is
// answered.
#include <random>

#include "support/index_file.hpp"
#include "support/program.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

constexpr const char* dna = ">chr1 first\nACGTACGTNNACGTTTGGGArY\n>empty\n>chr2\nGATTACA\n";
constexpr const char* protein = ">p1\nMKVLAAGIVGMKV\n>p2 x\nMKWVTF\n";

std::string build(const TemporaryFolder& folder, const std::string& fasta, Arguments more = {}) {
  more.insert(more.begin(), {"index", "-q", "-", "-o", folder / "built.gsx"});
  CHECK(run(more, {.input = fasta}).exit_code == 0);
  return folder.read("built.gsx");
}

/// Every command that reads an index refuses this one and prints nothing to standard output.
void check_refused(const TemporaryFolder& folder, const std::string& bytes, int exit_code,
                   const std::vector<std::string>& words) {
  const std::string path = folder.write("bad.gsx", bytes);
  for (const Arguments& command :
       {Arguments{"count", "-p", "ACGT", "-x"}, Arguments{"locate", "-p", "ACGT", "-x"},
        Arguments{"extract"}, Arguments{"info"}, Arguments{"verify"}}) {
    CAPTURE(command[0]);
    Arguments arguments = command;
    arguments.push_back(path);
    std::vector<std::string> says = words;
    says.push_back("bad.gsx");
    check_failure(run(arguments), exit_code, says);
  }
}

}  // namespace

TEST_CASE("an index that is missing, not a file, or not an index is exit code 4") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "folder.gsx");
  folder.write("empty.gsx", "");
  folder.write("text.gsx", "this is not an index\n");
  folder.write("genome.gsx", ">r\nACGT\n");
  REQUIRE(run_shell("mkfifo " + folder / "fifo.gsx").exit_code == 0);
  for (const auto& [name, says] :
       std::vector<std::pair<std::string, std::string>>{{"missing.gsx", "No such file"},
                                                        {"no/such/folder.gsx", "No such file"},
                                                        {"folder.gsx", "no *.gsx"},
                                                        {"fifo.gsx", "not a regular file"},
                                                        {"empty.gsx", "empty"},
                                                        {"text.gsx", "not a gsx index"},
                                                        {"genome.gsx", "not a gsx index"}}) {
    for (const Arguments& command :
         {Arguments{"count", "-p", "A", "-x"}, Arguments{"locate", "-p", "A", "-x"},
          Arguments{"extract", "-x"}, Arguments{"info"}, Arguments{"verify"}}) {
      CAPTURE(command[0]);
      Arguments arguments = command;
      arguments.push_back(folder / name);
      check_failure(run(arguments), 4, {name, says, "gsx index"});
    }
  }
}

TEST_CASE("an index of another format version is foreign, not damaged") {
  const TemporaryFolder folder;
  for (const std::uint32_t version : {0u, format_version + 1, 77u, 0xFFFFFFFFu}) {
    IndexFile file(build(folder, dna));
    file.change_header([&](IndexHeader& header) { header.version = version; });
    check_refused(folder, file.bytes, 5, {"corrupt"});  // the checksum has not been updated
    file.seal_header();
    check_refused(folder, file.bytes, 4, {"format version " + std::to_string(version), "rebuild"});
  }
  // A later format may have any sections and any length after its header.
  IndexFile later(build(folder, dna));
  later.change_header([](IndexHeader& header) {
    header.version = format_version + 1;
    header.file_bytes = 12345;
    header.sections = 99;
  });
  later.seal_header();
  check_refused(folder, later.bytes, 4, {"format version"});
}

TEST_CASE("an index of another byte order is foreign") {
  const TemporaryFolder folder;
  IndexFile file(build(folder, dna));
  file.change_header([](IndexHeader& header) { header.byte_order = 0x0D0C0B0A; });
  file.seal_header();
  check_refused(folder, file.bytes, 4, {"byte order"});
}

TEST_CASE("an index truncated at any length gives no answers") {
  const TemporaryFolder folder;
  std::size_t truncations = 0;
  for (const std::string& whole :
       {build(folder, dna, {"--soft-mask", "split"}), build(folder, protein)}) {
    REQUIRE(verdict_on(folder, whole) == Verdict::accepted);
    for (std::size_t length = 0; length < whole.size(); ++length, ++truncations) {
      const Verdict verdict = verdict_on(folder, std::string_view(whole).substr(0, length));
      if (verdict != (length == 0 ? Verdict::foreign : Verdict::corrupt)) {
        FAIL_CHECK("wrong verdict at length " << length);
      }
    }
    for (const std::size_t length :
         {std::size_t{1}, std::size_t{7}, std::size_t{8}, std::size_t{63}, std::size_t{64},
          whole.size() / 3, whole.size() / 2, whole.size() - 64, whole.size() - 1}) {
      CAPTURE(length);
      check_refused(folder, whole.substr(0, length), 5, {"corrupt"});
    }
  }
  CHECK(truncations > 4000);
  MESSAGE(truncations << " truncations");
}

TEST_CASE("an index with any bit of its header flipped, or any byte elsewhere, is refused") {
  const TemporaryFolder folder;
  std::mt19937_64 random(17);
  std::size_t flips = 0;
  for (const std::string& whole :
       {build(folder, dna, {"--soft-mask", "split"}), build(folder, protein)}) {
    const std::size_t header_bytes = IndexFile(whole).header().header_bytes;
    std::string bad = whole;
    const auto flip = [&](std::size_t at, int mask) {
      bad[at] = static_cast<char>(bad[at] ^ mask);
      const Verdict verdict = verdict_on(folder, bad);
      bad[at] = whole[at];
      ++flips;
      if (verdict != (at < index_magic.size() ? Verdict::foreign : Verdict::corrupt)) {
        FAIL_CHECK("wrong verdict with byte " << at << " xor " << mask);
      }
    };
    for (std::size_t at = 0; at < whole.size(); ++at) {
      flip(at, 0xFF);
      if (at < header_bytes) {
        for (int bit = 0; bit < 8; ++bit)
          flip(at, 1 << bit);
      } else {
        flip(at, 1 << (random() % 8));
      }
    }
    for (std::size_t at = 8; at < whole.size(); at += 97) {
      CAPTURE(at);
      bad[at] = static_cast<char>(bad[at] ^ 0x10);
      const Outcome outcome = run({"count", "-p", "ACGT", "-x", folder.write("bad.gsx", bad)});
      check_failure(outcome, 5, {"bad.gsx", "corrupt"});
      bad[at] = whole[at];
    }
    check_refused(folder, "gSXINDEX" + whole.substr(8), 4, {"not a gsx index"});
  }
  MESSAGE(flips << " flips");
}

TEST_CASE("bytes after the end of an index are noticed") {
  const TemporaryFolder folder;
  const std::string whole = build(folder, dna);
  for (const std::string& tail : {std::string("\n"), std::string(1, '\0'), std::string(64, '\0'),
                                  std::string("garbage"), whole}) {
    check_refused(folder, whole + tail, 5, {"corrupt"});
  }
  check_refused(folder, '\n' + whole, 4, {"not a gsx index"});
}

TEST_CASE("an index put together from two is noticed") {
  const TemporaryFolder folder;
  const std::string one = build(folder, ">r\nACGTACGTACGTAACC\n");
  const std::string two = build(folder, ">r\nACGTACGTACGTAACG\n");
  REQUIRE(one.size() == two.size());
  REQUIRE(one != two);
  const std::size_t header_bytes = IndexFile(one).header().header_bytes;
  check_refused(folder, one.substr(0, header_bytes) + two.substr(header_bytes), 5, {"corrupt"});
  for (std::size_t cut = 64; cut < one.size(); cut += 64) {
    const std::string joined = one.substr(0, cut) + two.substr(cut);
    if (joined == one || joined == two) continue;
    CAPTURE(cut);
    CHECK(verdict_on(folder, joined) == Verdict::corrupt);
  }
}

TEST_CASE("a section of another index is noticed even if it has the right size") {
  const TemporaryFolder folder;
  const IndexFile one(build(folder, ">r\nACGTACGTACGTAACC\n"));
  const IndexFile two(build(folder, ">q\nACCTACGTACGTATTG\n"));
  REQUIRE(one.bytes.size() == two.bytes.size());
  int swapped = 0;
  for (std::size_t s = 0; s < one.header().sections; ++s) {
    const SectionEntry entry = one.entry(s);
    IndexFile mixed = one;
    mixed.bytes.replace(entry.offset, entry.bytes, two.bytes, entry.offset, entry.bytes);
    if (mixed.bytes == one.bytes) continue;
    CAPTURE(entry.name);
    check_refused(folder, mixed.bytes, 5, {std::string("section '") + entry.name + "'"});
    ++swapped;
  }
  CHECK(swapped >= 5);
}

TEST_CASE("a swapped section under right checksums is found by verify") {
  const TemporaryFolder folder;
  const IndexFile one(build(folder, ">r\nACGTACGTACGTAACC\n"));
  const IndexFile two(build(folder, ">r\nACCTACGTACGTATTG\n"));
  int swapped = 0;
  for (const char* name : {"text", "level0_blocks", "records", "samples", "separator_rows"}) {
    CAPTURE(name);
    const SectionEntry entry = one.entry(one.find(name));
    IndexFile mixed = one;
    mixed.bytes.replace(entry.offset, entry.bytes, two.bytes, entry.offset, entry.bytes);
    if (mixed.bytes == one.bytes) continue;
    mixed.seal();
    check_failure(run({"verify", "--full", folder.write("mixed.gsx", mixed.bytes)}), 5,
                  {"mixed.gsx", "corrupt"});
    ++swapped;
  }
  CHECK(swapped >= 3);
}
