// What readers take if asked to: BGZF without its end, and whole header lines as names.
#include "support/log_capture.hpp"
#include "support/packed_files.hpp"
#include "support/sequence_files.hpp"
#include "text/read_text.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// BGZF without the empty block that ends it.
std::string without_end(const std::string& bgzf) {
  return bgzf.substr(0, bgzf.size() - 28);
}

}  // namespace

TEST_CASE("BGZF without its end is read whole, with one warning, if that is allowed") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const std::string fastq = fastq_reads(random, "r", 500);
  for (const std::string& text : {fastq, ">a\n" + wrapped(random_letters(random, 999), 60, "\n")}) {
    const Records expected = read_all({write_file(folder / "plain", text)});
    const std::string path = folder / "f.gz";
    write_file(path, without_end(bgzf_bytes(path, text, 5000)));
    CHECK(has(error_of({path}), "the BGZF end-of-file marker is missing"));
    CHECK(has(error_of({path}), "add --allow-no-eof"));
    for (const int threads : {1, 3}) {
      for (const std::uint64_t block : {700, 1 << 20}) {
        const LogCapture log(spdlog::level::warn);
        const ReaderOptions options{
            .threads = threads, .block_bytes = block, .decoding = {.allow_no_eof = true}};
        const Reading found = read_on_threads({path}, options, threads);
        CHECK(found.error.empty());
        CHECK((found.records == expected));
        CHECK(log.text().starts_with(path + ": the BGZF end-of-file marker is missing: "));
        CHECK(std::ranges::count(log.text(), '\n') == 1);
      }
    }
    // Who asks for warnings gets them in place of the log.
    const LogCapture log(spdlog::level::warn);
    std::vector<std::string> warnings;
    ReaderOptions asked{.decoding = {.allow_no_eof = true}};
    asked.decoding.on_warning = [&](const std::string& message) { warnings.push_back(message); };
    CHECK((read_all({path}, asked) == expected));
    CHECK(log.text().empty());
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].starts_with(path + ": the BGZF end-of-file marker is missing: "));
    const std::string whole = read_file(path);
    write_file(path, whole.substr(0, whole.size() - 3));
    CHECK(has(error_of({path}, {.decoding = {.allow_no_eof = true}}), "truncated or damaged"));
  }
}

TEST_CASE("a text of BGZF without its end is an error unless that is allowed") {
  const TemporaryFolder folder;
  const std::string path = folder / "f.fa.gz";
  write_file(path, without_end(bgzf_bytes(path, ">a\nACGT\n")));
  ReadTextOptions options;
  CHECK_THROWS_AS((void)read_text({path}, options, {}), InputError);
  options.allow_no_eof = true;
  CHECK(read_text({path}, options, {}).records.size() == 1);
}

TEST_CASE("the name is the first word of a header, also behind a blank") {
  check_text("> seq0 x\nACGT\n>\t seq1\nAC\n>  \nA\n>a  b\nC\n",
             {{"seq0", "x", "ACGT"}, {"seq1", "", "AC"}, {"", "", "A"}, {"a", "  b", "C"}});
  check_text("@ r1 x\nACGT\n+ r1 x\nIIII\n@\tr2\nA\n+\nI\n@r3 \nA\n+\nI\n",
             {{"r1", "x", "ACGT"}, {"r2", "", "A"}, {"r3", " ", "A"}});
}

TEST_CASE("a whole header line is a name if that is asked for, and a tab in it is an error") {
  const TemporaryFolder folder;
  const Records expected = {
      {"iso/New Town/1", "", "ACGT"}, {"iso/New  Town/2", "", "AC"}, {"", "", "A"}};
  std::string fasta, fastq;
  for (const auto& [header, symbols] :
       {std::pair{"iso/New Town/1", "ACGT"}, {" iso/New  Town/2 \t", "AC"}, {"  ", "A"}}) {
    fasta += std::string(">") + header + "\n" + symbols + "\n";
    fastq += std::string("@") + header + "\n" + symbols + "\n+" + header + "\n" + symbols + "\n";
  }
  for (const std::string& text : {fasta, fastq}) {
    const std::string path = write_file(folder / "f", text);
    for (const std::uint64_t block : {1, 9, 1000}) {
      CHECK(read_all({path}, {.block_bytes = block, .whole_header = true}) == expected);
    }
  }
  const std::string path = write_file(folder / "tab.fa", ">a b\nAC\n>c\td\nGT\n");
  for (const std::uint64_t block : {1, 9, 1000}) {
    CHECK(has(error_of({path}, {.block_bytes = block, .whole_header = true}),
              "tab.fa: record 2, line 3: a tab in the header"));
  }
}

TEST_CASE("lines of comments before the first record are passed over") {
  check_text("# one\n;two >x\n\n#>\n>a\nAC\n", {{"a", "", "AC"}});
  check_text(std::string(70'000, '#') + "\n#\n@a\nAC\n+\nII\n", {{"a", "", "AC"}});
  check_text("#c\r\n\r\n>a\r\nAC\r\n", {{"a", "", "AC"}});
  check_error("# one\nACGT\n", "line 2: not FASTA or FASTQ: behind comments, it begins with 'A'");
  check_error("#c\n>a\nA\x01\n", "record 1 ('a'), line 3: control byte");
  check_error("##gff-version 3\n>a\nACGT\n", "line 1: not FASTA or FASTQ: it is GFF");
}
