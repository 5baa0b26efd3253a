// The reader of lines: line ends, compression, comments, and what separates columns.
#include "records/lists/line_reader.hpp"

#include <doctest/doctest.h>

#include "base/error.hpp"
#include "support/files.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// "number:line;" for each entry.
std::string entries_of(const std::string& path) {
  LineReader reader(path);
  std::string all;
  while (reader.next_entry())
    all += std::to_string(reader.number()) + ':' + std::string(reader.line()) + ';';
  return all;
}

char separator_of_file(const std::string& path) {
  return LineReader(path).separator();
}

}  // namespace

TEST_CASE("lines are the same whatever ends them, and however the file is packed") {
  const TemporaryFolder folder;
  const std::string bom = "\xEF\xBB\xBF";
  for (const std::string& text :
       {std::string("# a\nb c\n\n \nd\n"), bom + "# a\r\nb c\r\n\r\n \r\nd\r\n",
        bom + "# a\rb c\r\r \rd\r", std::string("# a\rb c\r\r \rd")}) {
    CAPTURE(text);
    CHECK(entries_of(folder.write("plain", text)) == "2:b c;5:d;");
    write_gzip(folder / "packed", text);
    CHECK(entries_of(folder / "packed") == "2:b c;5:d;");
  }
  CHECK(entries_of(folder.write("blanks", " # a\nb\n\t#\n  c#\n")) == "2:b;4:  c#;");
  CHECK(entries_of(folder.write("empty", "")).empty());
  CHECK(entries_of(folder.write("mark", bom)).empty());
  CHECK_THROWS_AS(entries_of(folder.write("wide", "\xFF\xFEx\n")), InputError);
}

TEST_CASE("a tab separates columns if every line has one, then a comma, then a semicolon") {
  const TemporaryFolder folder;
  const std::pair<const char*, char> texts[] = {
      {"# x\na\tb, c\nd\te, f\n", '\t'},
      {"a,b\tc\nd,e\n", ','},
      {"a;b,c\rd;e\r", ';'},
      {"a b\nc d\n", ' '},
  };
  for (const auto& [text, separator] : texts) {
    CAPTURE(text);
    CHECK(separator_of_file(folder.write("table", text)) == separator);
  }
}
