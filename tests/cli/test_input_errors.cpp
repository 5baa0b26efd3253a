// Errors of sequence input: each names file, record, line and symbol, and what helps.
#include "support/program.hpp"

using namespace gsx::testing;

TEST_CASE("what extract writes can be indexed again where '@' is a symbol") {
  const TemporaryFolder folder;
  const std::string symbols = std::string(60, 'A') + "@A" + std::string(58, '@') + "@b";
  folder.write("t.fa", ">a x\n" + symbols + "\n>@\n@\n");
  const RunOptions here{.folder = folder.path()};
  CHECK(run({"index", "--alphabet", "bytes", "t.fa"}, here).exit_code == 0);
  const std::string written = output_of(run({"extract", "t.gsx"}, here));
  CHECK(written.find("\n@") != std::string::npos);
  folder.write("u.fa", written);
  CHECK(run({"index", "--alphabet", "bytes", "u.fa"}, here).exit_code == 0);
  CHECK(folder.read("u.gsx") == folder.read("t.gsx"));
}
