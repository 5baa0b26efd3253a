// The reader of guides and primers: records and lines that are too long.
#include "records/short_record_reader.hpp"

#include <doctest/doctest.h>

#include "base/error.hpp"
#include "support/files.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// The names of the records of a file, and the error behind them.
std::string names_of(const std::string& path) {
  ShortRecordReader reader({path}, ListForm::named);
  std::string names;
  try {
    for (bool any = false; reader.has_next(any) || reader.has_next(false); any = !any) {
      names += std::string(reader.name()).substr(0, 10) + ';';
      reader.pass();
    }
  } catch (const InputError& error) {
    const std::string what = error.what();
    names += what.substr(what.rfind('/') + 1);
    CHECK_THROWS_AS(reader.has_next(false), InputError);  // and once more
  }
  return names;
}

}  // namespace

TEST_CASE("a short record of too many bytes is refused with its place, behind those before it") {
  const TemporaryFolder folder;
  const auto check = [&](const std::string& text, const std::string& wanted) {
    CAPTURE(text.substr(0, 20));
    CAPTURE(text.size());
    CHECK(names_of(folder.write("list", text)) == wanted);
  };
  constexpr std::size_t most = ShortRecordReader::most_bytes;
  for (const std::size_t size : {most, std::size_t{70'000}, std::size_t{400'000}}) {
    const std::string bases(size, 'A'), text(size, 'x');
    check(">a\nAC\n>b\n" + bases + "\n>c\nAC\n",
          "a;list: record 2 ('b'): it has more than 65536 bytes");
    check(">b\n" + bases + "\n", "list: record 1 ('b'): it has more than 65536 bytes");
    check("@a\nAC\n+\nII\n@b\n" + bases + "\n+\n" + bases + "\n",
          "a;list: record 2 ('b'): it has more than 65536 bytes");
    check("a\tAC\nb\t" + bases + "\n", "a;list: line 2: the line has more than 65536 bytes");
  }
  check(">a\nAC\n>b " + std::string(60'000, 'x') + '\n' + std::string(10'000, 'A') + '\n',
        "a;list: record 2 ('b'): it has more than 65536 bytes");
  check(">a\nAC\n>b " + std::string(400'000, 'x') + "\nAC\n",
        "a;list: record 2, line 3: the header has more than 65536 bytes");
  check(">a\nAC\n>b\n" + std::string(most - 1, 'A') + "\n>c\nAC\n", "a;b;c;");
  check(std::string(most, 'A') + "\nAC\n", "AAAAAAAAAA;AC;");
}
