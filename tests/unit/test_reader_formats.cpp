// The sequence reader: formats, line ends, borders of blocks and batches.
#include "support/sequence_files.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("FASTA: wrapped lines, comments, case, empty records and names") {
  check_text(">a first one\nACG\nTN\nac\n>b\n>c\tx\n\n>\nG\n> word\nT\n",
             {{"a", "first one", "ACGTNac"},
              {"b", "", ""},
              {"c", "\tx", ""},
              {"", "", "G"},
              {"word", "", "T"}});
}

TEST_CASE("FASTA: CRLF, blank lines, blanks in lines, no last line end") {
  check_text("\r\n\n>a one  two \r\nAC GT\r\n\r\n\t G\tT \r\n>b \t c\r\nA\r\n\n\n>d\nACGT",
             {{"a", "one  two ", "ACGTGT"}, {"b", " \t c", "A"}, {"d", "", "ACGT"}});
  check_text(">a\nAC\r", {{"a", "", "AC"}});
  check_text(">a\r", {{"a", "", ""}});
  check_text(">", {{"", "", ""}});
  check_text("  \t>a\n \nA", {{"a", "", "A"}});
  check_text(">a\n+AC\n;\n", {{"a", "", "+AC;"}});
}

TEST_CASE("FASTA: equal, longer and shorter lines around the fast path's widths") {
  std::string text;
  Records expected;
  for (const std::size_t width : {1, 15, 16, 17, 33, 60}) {
    for (const char* line_end : {"\n", "\r\n"}) {
      std::mt19937 random(seed());
      const std::string symbols = random_letters(random, width * 20 + width / 2);
      text += ">w" + std::to_string(width) + line_end + wrapped(symbols, width, line_end);
      // A blank, a longer and a shorter line among the equal ones.
      text += wrapped(symbols, width, line_end) + symbols.substr(0, width / 2) + " A" + line_end;
      text += wrapped(symbols.substr(0, width * 3), width, line_end) + symbols + line_end;
      expected.push_back({"w" + std::to_string(width), "",
                          symbols + symbols + symbols.substr(0, width / 2) + "A" +
                              symbols.substr(0, width * 3) + symbols});
    }
  }
  check_text(text, expected);
}

TEST_CASE("FASTQ: four lines, wrapped, empty reads, qualities that look like marks") {
  check_text("@a x y\nACGT\n+\n@@@@\n@b\nAC\n+b\n>+\n\n@c\n\n+\n\n@d\n+\n@e\nN\n+\n@",
             {{"a", "x y", "ACGT"}, {"b", "", "AC"}, {"c", "", ""}, {"d", "", ""}, {"e", "", "N"}});
  check_text("@a\nACG\nTA\n+\n@+\n>@\n@\n@b\r\nA\r\n+\r\n+\r\n",
             {{"a", "", "ACGTA"}, {"b", "", "A"}});
  check_text("@a\nAC GT \n+\nIIII\t\n@\nA\n+\nI\r", {{"a", "", "ACGT"}, {"", "", "A"}});
  check_text("@a\nAC\n\n+\n\nII\n", {{"a", "", "AC"}});
  check_text("@a\n\n+", {{"a", "", ""}});
  check_text("@a\nACGTACGTACGTACGTACGT\n+\nIIIIIIIIIIIIIII>IIII\n\n \n",
             {{"a", "", "ACGTACGTACGTACGTACGT"}});
}

TEST_CASE("random records are read back from any form, in any blocks and batches") {
  std::mt19937 random(seed());
  for (int round = 0; round < rounds(12); ++round) {
    CAPTURE(seed());
    CAPTURE(round);
    const Records records = random_records(random);
    check_text(fasta_of(records, random), records);
    check_text(fastq_of(records, random), records);
  }
}

TEST_CASE("random bytes have one outcome, however they are cut") {
  const TemporaryFolder folder;
  const std::string path = folder / "f";
  std::mt19937 random(seed());
  const auto outcome = [&](ReaderOptions options) -> std::pair<std::string, Records> {
    try {
      return {"", read_all({path}, options)};
    } catch (const gsx::InputError& error) {
      // The position counts; of two faults in one line, either may be named.
      const std::string what = error.what();
      return {what.substr(0, what.find(':', path.size() + 1)), {}};
    }
  };
  int accepted = 0;
  for (int round = 0; round < rounds(500); ++round) {
    CAPTURE(seed());
    CAPTURE(round);
    std::string text(1, random() % 2 == 0 ? '>' : '@');
    const std::size_t length = random() % 40;
    for (std::size_t i = 0; i < length; ++i)
      text += "@>+\n\n\n\r AAI\t\0"[random() % (round % 2 == 0 ? 13 : 6)];
    // Half of the FASTQ rounds start with a whole record, so that more than the first line is
    // tried.
    if (text[0] == '@' && random() % 2 == 0) text = "@r\nACGT\n+\nIIII\n" + text;
    write_file(path, text);
    const auto expected = outcome({});
    accepted += expected.first.empty() ? 1 : 0;
    for (const std::uint64_t block : {1, 2, 5, 16})
      CHECK(outcome({1, block, block % 2 == 0}) == expected);
    for (const std::size_t block : {1, 2, 5}) {
      bgzf_bytes(path, text, block);
      CHECK(outcome({1, 2, block != 1}) == expected);
    }
  }
  CHECK(accepted > rounds(15));
}

TEST_CASE("lines and records longer than a block of the file") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const std::string symbols = random_letters(random, 900000);
  const std::string name(700000, 'n');
  const std::string fasta = ">" + name + " c\n" + symbols + "\n>b\n" + wrapped(symbols, 61, "\r\n");
  const std::string fastq = "@" + name + "\n" + symbols + "\n+" + name + "\n" + symbols + "\n";
  for (const bool split : {false, true}) {
    const ReaderOptions options{1, 100000, split};
    CHECK(read_all({write_file(folder / "a", fasta)}, options) ==
          Records{{name, "c", symbols}, {"b", "", symbols}});
    CHECK(read_all({write_file(folder / "q", fastq)}, options) == Records{{name, "", symbols}});
  }
  // Many reads, so that every part of a read meets a border of blocks.
  std::string many;
  Records expected;
  for (int i = 0; i < 9000; ++i) {
    const std::string read = random_letters(random, 40 + random() % 40);
    many += "@r" + std::to_string(i) + "\n" + read + "\n+\n" +
            random_qualities(random, read.size()) + "\n";
    expected.push_back({"r" + std::to_string(i), "", read});
  }
  CHECK(read_all({write_file(folder / "m", many)}) == expected);
  bgzf_bytes(folder / "m.gz", many);
  CHECK(read_all({folder / "m.gz"}) == expected);
}

TEST_CASE("batches end where they should") {
  const TemporaryFolder folder;
  const std::string path = write_file(folder / "f", ">a\n" + std::string(1000, 'A') + "\n>b\nCC\n");
  RecordBatch batch;
  SUBCASE("a record that is longer than a block is whole") {
    SequenceReader reader({path}, {1, 10, false});
    REQUIRE(reader.next(batch));
    CHECK(batch.size() == 1);
    CHECK(batch.symbols.size() == 1000);
    REQUIRE(reader.next(batch));
    CHECK(batch.number == 1);
    CHECK(batch.first_record == 1);
    CHECK(batch.name(0) == "b");
    CHECK(!reader.next(batch));
  }
  SUBCASE("or split: between lines, or at the end of the block if it has no line end") {
    SequenceReader reader({path}, {1, 400, true});
    REQUIRE(reader.next(batch));
    CHECK(batch.symbols.size() == 397);
    CHECK(!batch.continues);
    REQUIRE(reader.next(batch));  // this one continues to the line that begins in the third window
    CHECK(batch.symbols.size() == 603);
    CHECK(batch.continues);
    CHECK(batch.first_record == 0);
    CHECK(batch.number == 1);
    REQUIRE(reader.next(batch));
    CHECK(!batch.continues);
    CHECK(batch.first_record == 1);
    CHECK(batch.sequence(0) == "CC");
    CHECK(!reader.next(batch));
  }
  SUBCASE("a record may follow the end of a split one in the same batch") {
    write_file(path, ">a\n" + wrapped(std::string(1000, 'A'), 9, "\n") + ">b\nCC\n");
    SequenceReader reader({path}, {1, 603, true});
    REQUIRE(reader.next(batch));
    CHECK(batch.symbols.size() == 540);
    REQUIRE(reader.next(batch));
    CHECK(batch.continues);
    REQUIRE(batch.size() == 2);
    CHECK(batch.sequence(0).size() == 460);
    CHECK(batch.name(1) == "b");
    CHECK(batch.sequence(1) == "CC");
  }
  SUBCASE("empty records are records") {
    std::string text;
    for (int i = 0; i < 10000; ++i)
      text += ">\n";
    for (const bool split : {false, true}) {
      SequenceReader reader({write_file(folder / "e", text)}, {1, 200, split});
      std::size_t records = 0;
      while (reader.next(batch)) {
        CHECK(batch.first_record == records);
        CHECK(batch.size() == 100);
        records += batch.size();
      }
      CHECK(records == 10000);
    }
  }
  SUBCASE("records are counted over all files") {
    const std::string q = write_file(folder / "q", "@q\nGG\n+\nII\n");
    CHECK(read_all({q, path, q}) == Records{{"q", "", "GG"},
                                            {"a", "", std::string(1000, 'A')},
                                            {"b", "", "CC"},
                                            {"q", "", "GG"}});
    SequenceReader reader({q, q, q}, {.first_number = 7});
    for (std::uint64_t i = 0; i < 3; ++i) {
      REQUIRE(reader.next(batch));
      CHECK(batch.size() == 1);
      CHECK(batch.number == 7 + i);
      CHECK(batch.first_record == i);
    }
    CHECK(reader.bytes_read() == 33);
    SequenceReader moved = std::move(reader);
    CHECK(!moved.next(batch));
    CHECK(moved.bytes_read() == 33);
  }
}
