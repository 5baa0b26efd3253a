// The sequence reader: plain lists.
#include <algorithm>

#include "support/sequence_files.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Reads a list in blocks of some sizes, on some threads, as a file and as BGZF.
void check_list(const std::string& text, const Records& expected,
                ListForm form = ListForm::counted) {
  const TemporaryFolder folder;
  write_file(folder / "plain", text);
  write_file(folder / "packed", bgzf_bytes(folder / "made", text, 7));
  for (const char* name : {"plain", "packed"}) {
    for (const std::uint64_t block : {1, 2, 3, 7, 16, 1 << 20}) {
      for (const int threads : {1, 3}) {
        CAPTURE(name);
        CAPTURE(block);
        CAPTURE(threads);
        const Reading reading = read_on_threads({folder / name},
                                                {.threads = threads,
                                                 .block_bytes = block,
                                                 .allow_empty = true,
                                                 .decoding = {.lists = form}},
                                                threads);
        CHECK(reading.error == "");
        CHECK(reading.records == expected);
      }
    }
  }
}

}  // namespace

TEST_CASE("lists: a sequence per line, a count behind a tab, blanks, comments, line ends") {
  check_list("ACGT\nAC\n", {{"", "", "ACGT"}, {"", "", "AC"}});
  check_list("ACGT", {{"", "", "ACGT"}});
  check_list("\n\n ACGT\t5\r\n\n#x\nAC \t7\t8\n", {{"", "5", "ACGT"}, {"", "7", "AC"}});
  check_list("# only\n#comments", {});
  check_list("AC\r", {{"", "", "AC"}});
  check_list("\r# x\rAC\t5\rGT", {{"", "5", "AC"}, {"", "", "GT"}});
  check_list("\tAC\n \t\nGT\n", {{"", "", "AC"}, {"", "", "GT"}});
}

TEST_CASE("lists: names before sequences, and sequences that are their own names") {
  check_list(
      "a\tACGT\n\tAC\nx y \t gt \r\nGG\n>s\tCC",
      {{"a", "", "ACGT"}, {"AC", "", "AC"}, {"x y", "", "gt"}, {"GG", "", "GG"}, {">s", "", "CC"}},
      ListForm::named);
}

TEST_CASE("lists: long ones in any blocks, with the lines of their symbols") {
  std::mt19937 random(seed());
  // Random letters may be a heading, such as "tag", in the first line alone.
  std::string text = "ACGT\n";
  Records expected = {{"", "", "ACGT"}};
  std::vector<std::uint64_t> lines = {1};
  for (std::uint64_t line = 2; line <= 300; ++line) {
    if (random() % 5 == 0) {
      text += random() % 2 == 0 ? "#comment\n" : "\n";
      continue;
    }
    expected.push_back(
        {"", random() % 3 == 0 ? "12" : "", random_letters(random, 1 + random() % 20)});
    std::ranges::replace(expected.back().symbols, '-', 'N');
    const std::string& count = expected.back().comment;
    text += expected.back().symbols + (count.empty() ? "" : '\t' + count) + '\n';
    lines.push_back(line);
  }
  check_list(text, expected);
  const TemporaryFolder folder;
  write_file(folder / "list", text);
  for (const std::uint64_t block : {1, 30, 1000}) {
    SequenceReader reader({folder / "list"},
                          {.block_bytes = block, .decoding = {.lists = ListForm::counted}});
    RecordBatch batch;
    while (reader.next(batch)) {
      CHECK(batch.format == SequenceFormat::list);
      for (std::size_t i = 0; i < batch.size(); ++i)
        CHECK(batch.lines.line_of(batch.symbol_ends[i] - 1) == lines[batch.first_record + i]);
    }
  }
}

TEST_CASE("lists: any amount of comments may come before the first line or record") {
  const TemporaryFolder folder;
  const auto lines = [](const std::string& line) {
    std::string all;
    while (all.size() < 70'000)
      all += line + '\n';
    return all;
  };
  const std::string text(70, 'x');
  const auto read = [&](const std::string& bytes) {
    write_file(folder / "list", bytes);
    std::string all;
    for (const Record& record :
         read_all({folder / "list"}, {.allow_empty = true, .decoding = {.lists = ListForm::named}}))
      all += record.name + ':' + record.symbols + ';';
    return all;
  };
  for (const std::string& before :
       {lines('#' + text), lines(" # " + text), '#' + std::string(70'000, 'x') + '\n',
        lines("#x\n\n \t"), std::string(70'000, ' ') + "\n"}) {
    CAPTURE(before.substr(0, 10));
    CHECK(read(before + "name,x,sequence\na,1,ACGT\n") == "a:ACGT;");
    CHECK(read(before + "@r\nACGT\n+\nIIII\n") == "r:ACGT;");
    CHECK(read(before) == "");
  }
  CHECK(read(lines("#x") + "#name,x,sequence\nAC,b,ACGT\nAC,d,ACGG\n") == "AC:ACGT;AC:ACGG;");
  for (const std::string& before :
       {lines(';' + text), ';' + std::string(70'000, 'x') + '\n', lines(" ;x\n#\n")}) {
    CAPTURE(before.substr(0, 10));
    CHECK(read(before + " >r\nACGT\n") == "r:ACGT;");
    CHECK(read(before + "@r\nACGT\n+\nIIII\n") == "r:ACGT;");
    CHECK_THROWS_AS(read(before + "ACGT\n"), InputError);
    CHECK_THROWS_AS(read(before), InputError);
  }
  // A table whose first column is empty.
  CHECK(read(lines(";ACGT;x")).starts_with("ACGT:ACGT;ACGT:ACGT;"));
}

TEST_CASE("lists: what is no sequence, and files that are no lists") {
  const TemporaryFolder folder;
  const auto error_of = [&](const std::string& text, ListForm lists) {
    write_file(folder / "list", text);
    try {
      read_all({folder / "list"}, {.decoding = {.lists = lists}});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(error_of("ACGT\nAC GT\n", ListForm::counted).find("line 2: there is a blank inside") !=
        std::string::npos);
  CHECK(error_of("ACGT\n#\nA>\n", ListForm::counted).find("line 3: '>' is not a sequence symbol") !=
        std::string::npos);
  CHECK(error_of("AC\rGT\n", ListForm::counted).find("line 1") != std::string::npos);
  CHECK(error_of("##gff-version 3\n", ListForm::counted).find("GFF") != std::string::npos);
  CHECK(error_of("ACGT\n", ListForm::none).find("begins with 'A'") != std::string::npos);
  CHECK(error_of("a\tAC\nb\t \n", ListForm::named).find("line 2: column 2 is empty") !=
        std::string::npos);
  CHECK(error_of("AC\t5\nAG\t\t7\n", ListForm::counted).find("line 2: there is no count") !=
        std::string::npos);
}
