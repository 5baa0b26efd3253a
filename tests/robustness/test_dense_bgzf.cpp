// BGZF whose blocks inflate to hundreds of times their size: memory limits hold for any threads.
#include "support/peak_memory.hpp"
#include "support/skip.hpp"

using namespace gsx::testing;

namespace {

constexpr std::size_t end_bytes = 28;  // of the block that marks the end

/// `first` and then `copies` of `repeated`, each in a block of its own.
std::string many_blocks(const TemporaryFolder& folder, const std::string& first,
                        const std::string& repeated, int copies) {
  const auto packed = [&](const std::string& text) {
    write_bgzf(folder / "block", text);
    return folder.read("block");
  };
  const std::string whole = packed(repeated);
  const std::string block = whole.substr(0, whole.size() - end_bytes);
  std::string made = packed(first);
  made.resize(made.size() - end_bytes);
  for (int i = 0; i < copies; ++i)
    made += block;
  return made + whole.substr(block.size());
}

std::string lines(char symbol, int count) {
  std::string made;
  for (int i = 0; i < count; ++i)
    made += std::string(63, symbol) + '\n';
  return made;
}

}  // namespace

TEST_CASE("an index of dense BGZF takes no more than one of the same data in another container") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  const TemporaryFolder folder;
  const std::string first = ">q1\nACGTACGTTACGATTACA\n>q2\n";
  folder.write("n.fa.gz", many_blocks(folder, first, lines('N', 1020), 3000));
  for (const std::string threads : {"1", "2", "7"}) {
    CHECK(peak_of("index -q --device cpu -t " + threads + " n.fa.gz -o n" + threads +
                      ".gsx --memory-limit 40MB",
                  folder) < 55 * megabyte);
    CHECK((folder.read("n" + threads + ".gsx") == folder.read("n1.gsx")));
  }
}

TEST_CASE("dense BGZF queries stay within the memory limit") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  const TemporaryFolder folder;
  folder.write("g.fa", ">g\nACGTACGTTACGATTACA\n");
  REQUIRE(run({"index", "-q", folder / "g.fa"}).exit_code == 0);
  const std::string record = ">q\n" + lines('A', 1020);
  folder.write("q.fa.gz", many_blocks(folder, record, record, 8000));
  for (const std::string threads : {"1", "16"}) {
    CHECK(peak_of("count -q --device cpu -x g.gsx -o out.tsv -t " + threads +
                      " q.fa.gz --memory-limit 60MB",
                  folder) < 75 * megabyte);
    CHECK(lines_of(folder.read("out.tsv")).size() == 8002);
  }
}

TEST_CASE("the size that a BGZF block states takes no memory before the block is inflated") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  const TemporaryFolder folder;
  write_bgzf(folder / "end", "");
  const std::string end = folder.read("end");
  std::string lying = end;
  lying[lying.size() - 4] = lying[lying.size() - 3] = '\0';
  lying[lying.size() - 2] = 1;  // 65536
  write_bgzf(folder / "first", ">q\nACGT\n");
  std::string made = folder.read("first");
  made.resize(made.size() - end_bytes);
  for (int i = 0; i < 50'000; ++i)
    made += lying;
  folder.write("lie.fa.gz", made + end);
  for (const std::string threads : {"1", "7"}) {
    const Outcome outcome = run(
        {"index", "-q", "--device", "cpu", "-t", threads, "--memory-limit", "30MB", "lie.fa.gz"},
        {.folder = folder.path()});
    check_failure(outcome, 3, {"lie.fa.gz: record 1 ('q'), line 3", "damaged"});
  }
}
