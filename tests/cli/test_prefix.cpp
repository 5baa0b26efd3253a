// gsx prefix: longest entries by hand and against a naive search, the forms of input, and what it
// refuses.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "support/json.hpp"
#include "support/packed_files.hpp"
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

const std::string header = "query_id\tentry_id\tlength\n";

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Runs gsx prefix on queries from standard input.
Outcome prefix(Arguments arguments, const std::string& queries) {
  arguments.insert(arguments.begin(), {"prefix", "-q", "-"});
  return run(arguments, {.input = queries});
}

/// Sets and queries that have to do with each other.
struct Sample {
  std::vector<std::string> entries;
  std::vector<std::string> queries;

  Sample(std::uint64_t seed, std::size_t size, std::size_t most_length) {
    Random random(seed);
    std::set<std::string> distinct;
    while (distinct.size() < size) {
      std::string entry = random_string(random, 1 + random() % most_length, "ACGT");
      if (!distinct.empty() && random() % 2 == 0) entry = *distinct.begin() + entry;
      distinct.insert(entry);
    }
    entries.assign(distinct.begin(), distinct.end());
    std::shuffle(entries.begin(), entries.end(), random);
    for (int i = 0; i < 3000; ++i) {
      std::string query = entries[random() % entries.size()];
      if (random() % 3 == 0) query.resize(random() % (query.size() + 1));
      if (random() % 3 == 0 && !query.empty())
        query[random() % query.size()] = "ACGTN"[random() % 5];
      queries.push_back(query + random_string(random, random() % 9, "ACGTN"));
    }
  }
  std::string expected() const {
    std::string lines = header;
    for (std::size_t q = 0; q < queries.size(); ++q) {
      const std::string* found = nullptr;
      for (const std::string& entry : entries)
        if (queries[q].starts_with(entry) && (!found || entry.size() > found->size()))
          found = &entry;
      lines += 'q' + std::to_string(q) + '\t' + (found ? *found : ".") + '\t' +
               std::to_string(found ? found->size() : 0) + '\n';
    }
    return lines;
  }
  std::string fasta() const {
    std::string text;
    for (std::size_t q = 0; q < queries.size(); ++q)
      text += ">q" + std::to_string(q) + " x\n" + queries[q] + '\n';
    return text;
  }
  std::string fastq() const {
    std::string text;
    for (std::size_t q = 0; q < queries.size(); ++q)
      text += "@q" + std::to_string(q) + '\n' + queries[q] + "\n+\n" +
              std::string(queries[q].size(), 'I') + '\n';
    return text;
  }
  std::string list() const {
    std::string text;
    for (const std::string& entry : entries)
      text += entry + '\n';
    return text;
  }
};

}  // namespace

TEST_CASE("prefix by hand: names, case, U, N, short and empty queries") {
  const Arguments set = {"--entry", "ACG", "--entry", "acgtu", "--entry", "ACGTTA", "--entry", "T"};
  check_output(prefix(set,
                      "@a x\nACGTTACC\n+\nIIIIIIII\n@b\nacguuc\n+\nIIIIII\n@c\nACGN\n+\nIIII\n"
                      "@d\nAC\n+\nII\n@e\n\n+\n\n@\nNT\n+\nII\n@.\nUUU\n+\nIII\n"),
               header +
                   "a\tACGTTA\t6\nb\tacgtu\t5\nc\tACG\t3\nd\t.\t0\ne\t.\t0\n.\t.\t0\n"
                   "\\x2E\tT\t1\n");
  check_output(prefix({"--entry", "AC", "--no-header"}, "one\tACC\nACG\n"),
               "one\tAC\t2\nACG\tAC\t2\n");
  check_output(prefix({"--entry", "AC"}, ""), header);
}

TEST_CASE("prefix takes sets from lists, FASTA and patterns, in this order") {
  const TemporaryFolder folder;
  folder.write("l.txt", "# primers\nfwd 1\tACG\n\n GGG \r\n");
  folder.write("s.fa", ">x first\nAC\nGT\n>\nTT\n>.\nTTT\n>x\nTTTT\n");
  folder.write("q.fa", ">1\nACGTA\n>2\nACGA\n>3\nGGGG\n>4\nTTA\n>5\nTTTA\n>6\nTTTT\n>7\nCC\n");
  check_output(run({"prefix", "-q", "--set", "l.txt", "--set", "s.fa", "--entry", "CC", "q.fa"},
                   {.folder = folder.path()}),
               header +
                   "1\tx\t4\n2\tfwd 1\t3\n3\tGGG\t3\n4\tTT\t2\n5\t\\x2E\t3\n6\tx\t4\n"
                   "7\tCC\t2\n");
  folder.write("again.fa", folder.read("q.fa"));
  const Outcome counts = run({"prefix", "--set", "l.txt", "--set", "s.fa", "--entry", "CC", "q.fa",
                              "again.fa", "--counts", "--summary", "s.json"},
                             {.folder = folder.path()});
  check_output(counts,
               "entry_id\tlength\tcount\nCC\t2\t2\nfwd 1\t3\t2\nGGG\t3\t2\nx\t4\t2\nTT\t2\t2\n"
               "\\x2E\t3\t2\nx\t4\t2\n.\t0\t0\n");
  CHECK(holds(counts.err, "14 queries, 14 (100.00 %) with an entry; 7 of 7 entries found"));
  const std::string summary = folder.read("s.json");
  CHECK(is_json(summary));
  CHECK(
      holds(summary, "\"queries\":14,\"queries_matched\":14,\"entries\":7,\"entries_matched\":7"));
  check_output(run({"prefix", "-q", "--set", "-", "q.fa", "--counts", "--no-header"},
                   {.input = "A\nG\n", .folder = folder.path()}),
               "A\t1\t2\nG\t1\t1\n.\t0\t4\n");
}

TEST_CASE("prefix finds what a look at every entry finds, in any form, on any threads") {
  const std::string limit = sanitized ? "4GB" : "40MB";  // sanitizers take memory of their own
  for (const std::size_t most_length : {4, 12, 70}) {
    const Sample sample(most_length, most_length == 4 ? 60 : 400, most_length);
    const TemporaryFolder folder;
    folder.write("l.txt", sample.list());
    folder.write("l.txt.bz2", bzip2_bytes(sample.list()));
    folder.write("q.fa", sample.fasta());
    folder.write("q.fq", sample.fastq());
    REQUIRE(run_shell("gzip -k l.txt q.fq; xz -k q.fa; zstd -q q.fq", {.folder = folder.path()})
                .exit_code == 0);
    const std::string expected = sample.expected();
    for (const std::string& line :
         Arguments{"l.txt q.fa -t 1", "l.txt.gz q.fq -t 3", "l.txt.bz2 q.fq.gz -t 2",
                   "l.txt q.fa.xz", "l.txt - < q.fq.zst", "- q.fq < l.txt.gz",
                   "<(cat l.txt) <(cat q.fq)", "l.txt q.fq --memory-limit " + limit}) {
      CAPTURE(line);
      const Outcome outcome = run_shell("exec bash -c '\"$gsx\" prefix -q --set " + line + "'",
                                        {.folder = folder.path()});
      CHECK((output_of(outcome) == expected));
    }
    check_output(run({"prefix", "-q", "--set", "l.txt", "q.fq", "-o", "out.tsv.gz"},
                     {.folder = folder.path()}),
                 "");
    CHECK((output_of(run_shell("gzip -dc out.tsv.gz", {.folder = folder.path()})) == expected));
  }
}

TEST_CASE("prefix holds its memory limit, with many entries, long names, and much text") {
  GSX_SKIP_IF(sanitized, "sanitizers take memory of their own");
  const TemporaryFolder folder;
  Random random(3);
  std::string list = "long" + std::string(3000, 'x') + "\tAC\n", queries;
  std::set<std::string> distinct = {"AC"};
  for (int i = 0; i < 50'000; ++i) {
    const std::string entry = random_string(random, 12 + random() % 9, "ACGT");
    if (distinct.insert(entry).second) list += "entry" + std::to_string(i) + '\t' + entry + '\n';
  }
  for (int i = 0; i < 20'000; ++i)
    queries += "ACNNA\n";
  folder.write("l.txt", list);
  folder.write("q.txt", queries);
  const auto with = [&](const std::string& limit) {
    return run(
        {"prefix", "--set", "l.txt", "q.txt", "-t", "2", "--memory-limit", limit, "-o", "out"},
        {.folder = folder.path()});
  };
  const Outcome outcome = with("48MB");
  check_output(outcome, "");
  const std::size_t at = outcome.err.find("peak memory ");
  REQUIRE(at != std::string::npos);
  CHECK(std::stod(outcome.err.substr(at + 12)) <= 48);
  CHECK(folder.read("out").size() == header.size() + 20'000 * (5 + 1 + 3004 + 3));
  check_error(with("14MB"), 6, {"too little memory", "--memory-limit allows 14000000"});
  check_error(with("1MB"), 6, {"too little memory", "--memory-limit allows 1000000"});
}

TEST_CASE("prefix refuses sets with duplicates, other letters, or nothing") {
  const TemporaryFolder folder;
  const auto fails = [&](const std::string& set, const std::vector<std::string>& says,
                         const Arguments& more = {}) {
    CAPTURE(set);
    folder.write("set", set);
    Arguments arguments = {"prefix", "-q", "--set", "set", "-", "-o", "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    check_failure(run(arguments, {.input = "AC\n", .folder = folder.path()}), 3, says);
    CHECK(!folder.has("out"));
  };
  fails("AC\n#\nGT\na\tAC\n", {"set: line 4 ('AC')", "already: set: line 1 ('AC')"});
  fails("ACU\nact\n", {"set: line 2 ('act')", "set: line 1 ('ACU')"});
  fails(">a\nAC\n>b\nA\nC\n", {"set: record 2 ('AC')", "set: record 1"});
  fails("GT\nac\n", {"set: line 2 ('ac')", "already: --entry 'AC'"}, {"--entry", "AC"});
  fails("x\tAC\ny\tANC\n", {"set: line 2: the sequence has", "other than A, C, G, T and U: 'N'"});
  fails(">a\nAC\n>b\n\n", {"set: record 2 ('b')", "the sequence is empty"});
  fails("AC\n" + std::string(1025, 'A') + '\n', {"line 2", "1025 bases, more than 1024"});
  fails("a\tAC\nb\t\n", {"line 2", "column 2 is empty"});
  fails("", {"set: the set has no sequences"});
  fails("# none\n", {"set: the set has no sequences"});
  fails(std::string("AC\0\n", 4), {"line 1"});
  check_failure(
      run({"prefix", "-q", "--set", "missing", "-", "-o", "out"}, {.folder = folder.path()}), 3,
      {"missing", "No such file"});
}

TEST_CASE("prefix gives the lines before a query that is wrong") {
  const Outcome outcome =
      prefix({"--entry", "AC"}, "@a\nACG\n+\nIII\n@b\nAC\n+\nII\n@c\nACG\n+\nII\n@d\nA\n+\nI\n");
  check_error(outcome, 3, {"standard input", "record 3 ('c')"});
  CHECK(outcome.out == header + "a\tAC\t2\nb\tAC\t2\n");
  check_error(prefix({"--entry", "AC"}, "AC\nA C\n"), 3, {"line 2", "blank inside"});
}

TEST_CASE("prefix refuses options that contradict each other or the input") {
  const TemporaryFolder folder;
  folder.write("l.txt", "A\nC\n");
  folder.write("q.fa", ">q\nAC\n");
  const auto fails = [&](const Arguments& more, const std::vector<std::string>& says) {
    Arguments arguments = {"prefix"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    check_failure(run(arguments, {.input = "AC\n", .folder = folder.path()}), 2, says);
  };
  fails({"q.fa"}, {"no set of sequences", "--set FILE"});
  fails({"--set", "l.txt"}, {"no queries"});
  fails({"--set", "-", "-"}, {"only once"});
  for (const char* old : {"-p", "-f"})  // they named the set, and name queries in other commands
    fails({old, "l.txt", "q.fa"}, {"--set FILE", "--entry SEQ"});
  fails({"--entry", "ANC", "q.fa"}, {"--entry 'ANC'", "'N'"});
  fails({"--entry", "", "q.fa"}, {"--entry ''", "is empty"});
  fails({"--set", "l.txt", "q.fa", "-o", "l.txt"}, {"replace the input"});
  fails({"--set", "l.txt", "q.fa", "--summary", "q.fa"}, {"replace the input"});
  fails({"--set", "l.txt", "q.fa", "-o", "x", "--summary", "x"}, {"x"});
  fails({"--set", "l.txt", "q.fa", "-o", "out.bed"}, {"-o", "bed"});
  CHECK(folder.names() == std::vector<std::string>{"l.txt", "q.fa"});
}
