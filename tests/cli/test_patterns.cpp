// Queries from plain lists (-f) and from the command line (-p), and their order.
#include "support/indexed.hpp"

using namespace gsx::testing;

namespace {

constexpr const char* genome = ">r\nACGTTACG\n";
constexpr const char* counted =
    "ACG\t3\t3\t2\t1\n"
    "tail\t4\t1\t1\t0\n"
    "GGG\t3\t0\t0\t0\n";

}  // namespace

TEST_CASE("a list has a pattern per line, with or without a name") {
  const IndexedFolder index(genome);
  const TemporaryFolder& folder = index.folder;
  const std::string list = "# primers\n\nACG\ntail\tTACG\n   \n#GGG\nGGG\n";
  folder.write("list.txt", list);
  write_gzip(folder / "list.gz", list);
  write_bgzf(folder / "list.bgz", list);
  folder.write("open.txt", list.substr(0, list.size() - 1));
  folder.write("crlf.txt", "# primers\r\n\r\nACG\r\ntail\tTACG\r\nGGG\r\n");
  folder.write("blanks.txt", "  ACG \ntail\t TACG\t\t\n\tGGG");
  for (const char* name :
       {"list.txt", "list.gz", "list.bgz", "open.txt", "crlf.txt", "blanks.txt"}) {
    CAPTURE(name);
    check_output(index.gsx({"count", "--no-header", "-f", name}), counted);
    check_output(index.gsx({"count", "--no-header", "-t", "3", "--batch", "1", "-f", name}),
                 counted);
  }
  check_output(index.gsx({"count", "--no-header", "--patterns", "-"}, list), counted);
  check_output(index.gsx({"locate", "--bed", "-f", "-"}, list),
               "r\t0\t3\tACG\t0\t+\nr\t1\t4\tACG\t0\t-\nr\t5\t8\tACG\t0\t+\nr\t4\t8\ttail\t0\t+\n");
}

TEST_CASE("queries by -p come first, then those by -f, then those of files") {
  const IndexedFolder index(genome);
  index.folder.write("a.txt", "a\tA\n");
  index.folder.write("b.txt", "b\tA\n");
  index.folder.write("c.fa", ">c\nA\n");
  index.folder.write("d.fa", ">d\nA\n");
  const Arguments request{"count", "--no-header", "c.fa", "-f", "a.txt",
                          "d.fa",  "-p",          "AC",   "-f", "b.txt"};
  for (const char* threads : {"1", "2", "5"}) {
    Arguments arguments = request;
    arguments.insert(arguments.end(), {"-t", threads});
    check_output(index.gsx(arguments),
                 "AC\t2\t3\t2\t1\na\t1\t4\t2\t2\nb\t1\t4\t2\t2\nc\t1\t4\t2\t2\nd\t1\t4\t2\t2\n");
  }
}

TEST_CASE("a long list gives the same answers for any batch size and number of threads") {
  const IndexedFolder index(genome);
  std::string list, expected;
  for (int i = 0; i < 3000; ++i) {
    list += "p" + std::to_string(i) + (i % 2 == 0 ? "\tACG\n" : "\tGGG\n");
    expected += "p" + std::to_string(i) + (i % 2 == 0 ? "\t3\t3\t2\t1\n" : "\t3\t0\t0\t0\n");
  }
  index.folder.write("list.txt", list);
  index.folder.write("more.fa", ">last\nACG\n");
  expected += "last\t3\t3\t2\t1\n";
  for (const char* batch : {"1", "100", "4096", "1000000"}) {
    CAPTURE(batch);
    check_output(index.gsx({"count", "--no-header", "-t", "4", "--batch", batch, "-f", "list.txt",
                            "more.fa"}),
                 expected);
  }
}

TEST_CASE("for a line that is not a pattern, the error names file and line") {
  const IndexedFolder index(genome);
  const struct {
    const char* content;
    std::vector<std::string> says;
  } wrongs[] = {
      {"ACG\nAC GT\n", {"list.txt: line 2:", "blank inside the sequence", "NAME<tab>SEQUENCE"}},
      {"name\t\n", {"list.txt: line 1:", "column 2 is empty, where the sequence should be"}},
      {"ACG\n>a\n", {"list.txt: line 2:", "'>'"}},
      {"ACG\x01\n", {"list.txt: line 1:", "0x01"}},
  };
  for (const auto& wrong : wrongs) {
    CAPTURE(wrong.content);
    index.folder.write("list.txt", wrong.content);
    check_error(index.gsx({"count", "-f", "list.txt"}), 3, wrong.says);
    const Outcome to_file = index.gsx({"count", "-f", "list.txt", "-o", "out.tsv"});
    check_failure(to_file, 3, wrong.says);
    CHECK_FALSE(index.folder.has("out.tsv"));
  }
  index.folder.write("list.txt", "ACG\nGGG\nA C\n");
  for (const char* batch : {"1", "1000"}) {
    // What precedes the wrong line is answered.
    const Outcome outcome =
        index.gsx({"count", "--no-header", "-t", "3", "--batch", batch, "-f", "list.txt"});
    check_error(outcome, 3, {"list.txt: line 3:"});
    CHECK(outcome.out == "ACG\t3\t3\t2\t1\nGGG\t3\t0\t0\t0\n");
  }
  check_failure(index.gsx({"count", "--no-header", "-f", "none.txt"}), 3, {"none.txt", "read"});
  check_failure(index.gsx({"count", "--no-header", "-f", "."}), 3, {"directory"});
  check_failure(index.gsx({"count", "-f", ""}), 2, {"name", "is empty"});
  check_failure(index.gsx({"count", "-f", "-", "-"}), 2, {"'-' is given twice"});
  check_failure(index.gsx({"count", "-f", "/dev/stdin", "-"}), 2,
                {"'/dev/stdin' and '-' are given"});
  check_failure(index.gsx({"count", "/dev/fd/0", "/dev/fd/0"}), 2, {"'/dev/fd/0' is given twice"});
  check_failure(index.gsx({"index", "-o", "o.gsx", "-", "/dev/stdin"}), 2,
                {"'-' and '/dev/stdin' are given"});
  check_failure(index.gsx({"count", "-f", "g.gsx"}), 2, {"'g.gsx' is an index"});
  // What has no lines is refused at its beginning.
  check_failure(index.gsx({"count", "--no-header", "-f", "/dev/zero"}), 3, {"line 1:", "0x00"});
}

TEST_CASE("a -p that is not a pattern is refused, with the option for a file of that name") {
  const IndexedFolder index(genome);
  index.folder.write("kmers.txt", "ACG\n");
  for (const char* command : {"count", "locate"}) {
    CAPTURE(command);
    const auto refused = [&](const char* pattern, const std::vector<std::string>& says) {
      CAPTURE(pattern);
      check_failure(index.gsx({command, "-p", "ACG", "-p", pattern}), 2, says);
    };
    refused("", {"-p ''", "the pattern is empty"});
    check_failure(index.gsx({command, "-k", "1", "-p", ""}), 2, {"the pattern is empty"});
    refused("kmers.txt", {"-p 'kmers.txt'", "'e'", "-f 'kmers.txt'"});
    refused("@kmers.txt", {"'@'", "-f 'kmers.txt'"});
    refused("-", {"'-'", "-f '-'"});
    refused("ACG,TTT", {"','", "its own -p"});
    refused("ACG TTT", {"' '", "its own -p"});
    refused("ACG.", {"'.'"});
    refused("12", {"'1'"});
    refused("MEL", {"'E'"});
    refused("ACGX", {"'X'"});
  }
  check_output(index.gsx({"count", "--no-header", "-p", "acg", "-p", "uua"}),
               "acg\t3\t3\t2\t1\nuua\t3\t1\t1\t0\n");
  const IndexedFolder proteins(">p\nMKVLAEF\n");
  check_output(proteins.gsx({"count", "--no-header", "-p", "MKV", "-p", "MKW"}),
               "MKV\t3\t1\t1\t0\nMKW\t3\t0\t0\t0\n");
  check_failure(proteins.gsx({"count", "-p", "MK.V"}), 2, {"'.'", "protein"});
}
