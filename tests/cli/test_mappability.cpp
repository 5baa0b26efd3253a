// gsx mappability: tracks of k-mers, compared with counting strings, and what it refuses.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "support/blocks.hpp"
#include "support/json.hpp"
#include "support/peak_memory.hpp"
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

std::string reverse_complement_of(std::string symbols) {
  std::reverse(symbols.begin(), symbols.end());
  for (char& c : symbols)
    c = c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : 'A';
  return symbols;
}

std::string class_of(const std::string& kmer) {
  return std::min(kmer, reverse_complement_of(kmer));
}

/// The frequencies of the k-mers of records r1, r2, ..., 0 for none, per record.
std::vector<std::vector<std::uint64_t>> naive(const std::vector<std::string>& records,
                                              std::uint64_t k) {
  std::map<std::string, std::uint64_t> counts;
  const auto kmer = [&](const std::string& record, std::uint64_t p) {
    const std::string one = p + k <= record.size() ? record.substr(p, k) : "N";
    return one.find('N') == std::string::npos ? class_of(one) : std::string();
  };
  for (const std::string& record : records) {
    for (std::uint64_t p = 0; p < record.size(); ++p)
      ++counts[kmer(record, p)];
  }
  counts[""] = 0;
  std::vector<std::vector<std::uint64_t>> all;
  for (const std::string& record : records) {
    all.emplace_back();
    for (std::uint64_t p = 0; p < record.size(); ++p)
      all.back().push_back(counts[kmer(record, p)]);
  }
  return all;
}

/// bedGraph of values, of which negative ones stand for none.
std::string bedgraph(const std::vector<std::vector<double>>& values) {
  std::ostringstream out;
  for (std::size_t r = 0; r < values.size(); ++r) {
    for (std::size_t begin = 0; begin < values[r].size();) {
      std::size_t end = begin + 1;
      while (end < values[r].size() && values[r][end] == values[r][begin])
        ++end;
      if (values[r][begin] >= 0)
        out << 'r' << r + 1 << '\t' << begin << '\t' << end << '\t' << values[r][begin] << '\n';
      begin = end;
    }
  }
  return out.str();
}

template <class Value>
std::string bedgraph_of(const std::vector<std::vector<std::uint64_t>>& frequencies,
                        const Value& value) {
  std::vector<std::vector<double>> values;
  for (const auto& record : frequencies) {
    values.emplace_back();
    for (std::size_t p = 0; p < record.size(); ++p)
      values.back().push_back(value(record, p));
  }
  return bedgraph(values);
}

std::string fasta_of(const std::vector<std::string>& records) {
  std::string fasta;
  for (std::size_t r = 0; r < records.size(); ++r)
    fasta += ">r" + std::to_string(r + 1) + '\n' + records[r] + '\n';
  return fasta;
}

std::vector<std::string> sample_records() {
  Random random(11);
  const std::string unit = random_string(random, 60, "ACGT");
  return {unit + "NNN" + unit + reverse_complement_of(unit),
          "",
          "ACGTNACGT",
          "NN",
          random_string(random, 300, "AC"),
          "GAATTC" + random_string(random, 40, "ACGT")};
}

}  // namespace

TEST_CASE("mappability is one by the frequency of k-mers, on both strands") {
  const std::vector<std::string> records = sample_records();
  for (const std::uint64_t k : {1, 4, 6, 12, 61}) {
    CAPTURE(k);
    const auto frequencies = naive(records, k);
    const auto written = [&](const Arguments& more) {
      Arguments all = {"mappability", "-", "-K", std::to_string(k), "--alphabet", "dna"};
      all.insert(all.end(), more.begin(), more.end());
      return output_of(run(all, {.input = fasta_of(records)}));
    };
    const auto frequency = [](const std::vector<std::uint64_t>& of, std::size_t p) {
      return of[p] == 0 ? -1.0 : static_cast<double>(of[p]);
    };
    CHECK(written({"--frequency"}) == bedgraph_of(frequencies, frequency));
    CHECK(written({"--frequency", "--cap", "3"}) ==
          bedgraph_of(frequencies, [&](const auto& of, std::size_t p) {
            return std::min(3.0, frequency(of, p));
          }));
    const auto covering = [&](const std::vector<std::uint64_t>& of, std::size_t p) {
      double unique = 0;
      for (std::size_t q = p + 1 - std::min<std::size_t>(k, p + 1); q <= p; ++q)
        unique += of[q] == 1 ? 1 : 0;
      return unique;
    };
    CHECK(written({"--umap", "single"}) ==
          bedgraph_of(frequencies, [&](const auto& of, std::size_t p) {
            return covering(of, p) > 0 ? 1.0 : -1.0;
          }));
    // Whole multiples of 1/8 are printed alike here and there.
    if (k == 4) {
      CHECK(written({"--umap", "multi"}) ==
            bedgraph_of(frequencies, [&](const auto& of, std::size_t p) {
              return covering(of, p) > 0 ? covering(of, p) / 4 : -1.0;
            }));
    }
  }
}

TEST_CASE("mappability of a small text by hand") {
  // ACG occurs once, and as CGT; ACGT is its own reverse complement.
  const std::string input = ">r\nACGTA\n";
  check_output(run({"mappability", "-", "-K", "3"}, {.input = input}),
               "r\t0\t2\t0.5\nr\t2\t3\t1\n");
  check_output(run({"mappability", "-", "-K", "4", "--tsv"}, {.input = input}),
               "record\tbegin\tend\tvalue\nr\t0\t2\t1\n");
  check_output(run({"mappability", "-", "-K", "4", "--tsv", "--no-header"}, {.input = input}),
               "r\t0\t2\t1\n");
  check_output(run({"mappability", "-", "--spectrum", "--no-header"}, {.input = input}),
               "1\t2\t0\t5\n2\t3\t2\t4\n3\t2\t1\t3\n4\t2\t2\t2\n");
  check_output(run({"mappability", "-", "-K", "3", "--strand", "fwd"}, {.input = input}),
               "r\t0\t3\t1\n");
  check_output(run({"mappability", "-", "-K", "9"}, {.input = input}), "");
  // AC and GT are one k-mer. CG is unique, but CGT is not, because it is ACG, too.
  check_output(run({"mappability", "-", "--shortest-unique"}, {.input = input}),
               "r\t0\t1\t4\nr\t1\t2\t2\nr\t2\t3\t3\nr\t3\t4\t2\n");
  check_output(run({"mappability", "-", "--spectrum"}, {.input = input}),
               "k\tdistinct\tunique\ttotal\n1\t2\t0\t5\n2\t3\t2\t4\n3\t2\t1\t3\n4\t2\t2\t2\n");
  check_output(
      run({"mappability", "-", "-K", "2", "--alphabet", "protein"}, {.input = ">p\nMKMKW\n"}),
      "p\t0\t1\t0.5\np\t1\t2\t1\np\t2\t3\t0.5\np\t3\t4\t1\n");
}

TEST_CASE("four letters that are no DNA have no reverse complement") {
  // As DNA, D would be the complement of A, and C of B.
  for (const char* alphabet : {"protein", "bytes"}) {
    CAPTURE(alphabet);
    check_output(run({"mappability", "-", "-K", "2", "--frequency", "--alphabet", alphabet},
                     {.input = ">p\nABCD\n"}),
                 "p\t0\t3\t1\n");
  }
}

TEST_CASE("long k-mers of a text that repeats itself") {
  const std::string half(60'000, 'A');
  const std::string fasta = ">r\n" + half + "C" + half + "\n";
  check_output(run({"mappability", "-", "-K", "50000", "--frequency"}, {.input = fasta}),
               "r\t0\t10001\t20002\nr\t10001\t60001\t1\nr\t60001\t70002\t20002\n");
  check_output(run({"mappability", "-", "-K", "60001", "--strand", "fwd"}, {.input = fasta}),
               "r\t0\t60001\t1\n");
}

TEST_CASE("tracks do not depend on threads, blocks, the width of positions or an index") {
  Random random(3);
  const TemporaryFolder folder;
  const RunOptions here{.folder = folder.path()};
  folder.write("g.fa", fasta_of({random_string(random, 1'500'000, "ACGT"),
                                 mutated_copies(random, 5000, 20, 3000, "ACGT")}));
  REQUIRE(run({"index", "g.fa"}, here).exit_code == 0);
  const std::vector<Arguments> works = {
      {"-K", "12,40", "-o", "out.tsv", "--bigwig", "out"},
      {"-K", "24,40", "-E", "2", "-o", "out.tsv", "--bigwig", "out"},
      {"--shortest-unique", "-o", "out.k12.tsv", "--bigwig", "out.k12.bw"},
      {"--spectrum", "-o", "out.k12.tsv", "--plot", "out.svg"}};
  for (const Arguments& work : works) {
    Arguments planned = {"mappability", "--device", "cpu", "g.fa", "-t", "2"};
    planned.insert(planned.end(), work.begin(), work.end());
    const std::string limit = limit_for_blocks(planned, here);
    std::string expected;
    for (const Arguments& way :
         std::vector<Arguments>{{"g.fa", "-t", "1"},
                                {"g.gsx", "-t", "3"},
                                {"g.fa", "-t", "2", "--wide"},
                                {"g.fa", "-t", "2", "--memory-limit", limit}}) {
      if (sanitized && std::ranges::count(way, "--memory-limit") != 0) continue;
      Arguments all = {"mappability", "--device", "cpu"};
      all.insert(all.end(), way.begin(), way.end());
      all.insert(all.end(), work.begin(), work.end());
      const Outcome outcome = run(all, here);
      CAPTURE(outcome.err);
      REQUIRE(outcome.exit_code == 0);
      CHECK(is_in_blocks(outcome) == (std::ranges::count(way, "--memory-limit") != 0));
      std::string found;
      for (const std::string& name : folder.names()) {
        if (!name.starts_with("out.")) continue;
        found += name + '\n' + folder.read(name);
        std::filesystem::remove(folder / name);
      }
      if (expected.empty()) expected = found;
      CHECK((found == expected));
    }
  }
}

TEST_CASE("mappability -E counts k-mers with mismatches, up to the cap") {
  const TemporaryFolder folder;
  const RunOptions here{.folder = folder.path()};
  Random random(31);
  const std::string unit = random_string(random, 30, "ACGT");
  std::string changed = unit, twice = unit;
  changed[15] = unit[15] == 'A' ? 'C' : 'A';
  twice[3] = unit[3] == 'G' ? 'T' : 'G';
  twice[20] = unit[20] == 'G' ? 'T' : 'G';
  folder.write("a.fa",
               fasta_of({unit, reverse_complement_of(changed), twice.substr(0, 15) + 'N' + twice}));
  const auto frequencies = [&](const Arguments& more) {
    Arguments all = {"mappability", "-q", "a.fa", "--frequency"};
    all.insert(all.end(), more.begin(), more.end());
    return output_of(run(all, here));
  };
  CHECK(frequencies({"-K", "30"}) == "r1\t0\t1\t1\nr2\t0\t1\t1\nr3\t16\t17\t1\n");
  CHECK(frequencies({"-K", "30", "-E", "1"}) == "r1\t0\t1\t2\nr2\t0\t1\t2\nr3\t16\t17\t1\n");
  CHECK(frequencies({"-K", "30", "-E", "2"}) == "r1\t0\t1\t3\nr2\t0\t1\t2\nr3\t16\t17\t2\n");
  CHECK(frequencies({"-K", "30", "-E", "3"}) == "r1\t0\t1\t3\nr2\t0\t1\t3\nr3\t16\t17\t3\n");
  CHECK(frequencies({"-K", "30", "-E", "3", "--cap", "2"}) ==
        "r1\t0\t1\t2\nr2\t0\t1\t2\nr3\t16\t17\t2\n");
  CHECK(frequencies({"-K", "30", "-E", "1", "--strand", "fwd"}) ==
        frequencies({"-K", "30", "--strand", "fwd"}));
  // 400 copies: 255 unless another cap is given.
  folder.write("a.fa", fasta_of(std::vector<std::string>(400, unit)));
  for (const auto& [cap, most] : {std::pair{"", "255"}, std::pair{"0", "400"}, {"300", "300"}}) {
    Arguments more = {"-K", "30", "-E", "1"};
    if (*cap != 0) more.insert(more.end(), {"--cap", cap});
    CHECK(lines_of(frequencies(more))[399] == std::string("r400\t0\t1\t") + most);
  }
  CHECK(frequencies({"-K", "30", "-E", "0"}) == frequencies({"-K", "30"}));
}

TEST_CASE("the names of several tracks keep the suffix that was given") {
  const TemporaryFolder folder;
  const RunOptions here{.folder = folder.path()};
  folder.write("a.fa", ">r\nACACA\n");
  const auto names = [&](const Arguments& more) {
    Arguments all = {"mappability", "a.fa", "-q", "-K", "2,3"};
    all.insert(all.end(), more.begin(), more.end());
    CHECK(run(all, here).exit_code == 0);
    std::vector<std::string> made = folder.names();
    std::erase(made, "a.fa");
    for (const std::string& name : made) {
      CHECK(folder.read(name).starts_with("\x1F\x8B") == name.ends_with("gz"));
      std::filesystem::remove(folder / name);
    }
    return made;
  };
  using Names = std::vector<std::string>;
  CHECK(names({"-o", "g"}) == Names{"g.k2.bedgraph", "g.k3.bedgraph"});
  CHECK(names({"-o", "g.v1"}) == Names{"g.v1.k2.bedgraph", "g.v1.k3.bedgraph"});
  CHECK(names({"-o", "g.bedgraph"}) == Names{"g.k2.bedgraph", "g.k3.bedgraph"});
  CHECK(names({"-o", "g.BG.gz"}) == Names{"g.k2.BG.gz", "g.k3.BG.gz"});
  CHECK(names({"-o", "g.bdg"}) == Names{"g.k2.bdg", "g.k3.bdg"});
  CHECK(names({"-o", "g.tsv.bgz"}) == Names{"g.k2.tsv.bgz", "g.k3.tsv.bgz"});
  CHECK(names({"-o", "g.gz", "--tsv"}) == Names{"g.k2.tsv.gz", "g.k3.tsv.gz"});
  CHECK(names({"--bigwig", "g"}) == Names{"g.k2.bw", "g.k3.bw"});
  CHECK(names({"--bigwig", "g.bigWig"}) == Names{"g.k2.bigWig", "g.k3.bigWig"});
}

TEST_CASE("what mappability cannot do is refused before work, and nothing is left behind") {
  const TemporaryFolder folder;
  const RunOptions here{.folder = folder.path()};
  folder.write("a.fa", ">r\nACACA\n>r\nACGTT\n");
  const auto refused = [&](const Arguments& more, int code, const std::vector<std::string>& words) {
    Arguments all = {"mappability", "a.fa"};
    all.insert(all.end(), more.begin(), more.end());
    check_failure(run(all, here), code, words);
  };
  refused({}, 2, {"-K", "--shortest-unique", "--spectrum"});
  refused({"-K", "3", "--spectrum"}, 2, {"-K, --shortest-unique and --spectrum", "one of them"});
  refused({"-K", "3", "--umap", "multi", "--cap", "2"}, 2, {"--cap", "--umap"});
  refused({"--spectrum", "--plot", "x.png"}, 2, {"--plot", "png", "svg"});
  refused({"-K", "2,3", "-o", "/dev/stdout"}, 2,
          {"/dev/stdout", "not a plain file", "several tracks"});
  refused({"-K", "2,3", "-o", "."}, 2, {"'.'", "not a plain file"});
  refused({"-K", "2", "-o", "x.wig"}, 2, {"wig"});
  refused({"-K", "0"}, 2, {"--kmer", "'0'"});
  refused({"-K", "3,3"}, 2, {"3 twice"});
  refused({"-K", "3,4"}, 2, {"-o FILE"});
  refused({"-K", "3,4", "-o", "-"}, 2, {"-o FILE"});
  refused({"-K", "3", "--umap", "single", "--frequency"}, 2, {"--umap", "--frequency"});
  refused({"--spectrum", "--cap", "3"}, 2, {"--cap", "needs -K"});
  refused({"--shortest-unique", "--plot", "x.svg"}, 2, {"--plot", "--spectrum"});
  refused({"--spectrum", "--bigwig", "x.bw"}, 2, {"--bigwig"});
  refused({"--spectrum", "-o", "x.json"}, 2, {"-o", "format json", "--spectrum"});
  refused({"--spectrum", "-o", "x.bedgraph.gz"}, 2, {"-o", "format bedgraph", "--spectrum"});
  refused({"-K", "3", "-o", "x.bw"}, 2, {"--bigwig FILE"});
  refused({"-K", "3", "-o", "x.bam"}, 2, {"bam"});
  refused({"-K", "3", "--bigwig", "-"}, 2, {"--bigwig"});
  refused({"-K", "3", "--bigwig", "x.bw.gz"}, 2, {"not compressed", "x.bw.gz"});
  refused({"-K", "3", "--bigwig", "x.bw.zst"}, 2, {"x.bw.zst", ".zst"});
  refused({"-K", "3", "--bigwig", "/dev/null"}, 2, {"bigWig", "not a plain file"});
  refused({"-K", "3", "--bigwig", "x", "-o", "x"}, 2, {"two outputs"});
  refused({"-K", "3", "-o", "a.fa"}, 2, {"replace the input"});
  refused({"-K", "3", "--bigwig", "x.bw"}, 3, {"bigWig", "'r'"});
  refused({"-K", "3", "-E", "5"}, 2, {"--mismatches", "'5'"});
  refused({"-K", "5,2", "-E", "2", "-o", "x"}, 2, {"k-mers of 2 symbols with 2 mismatches"});
  refused({"--spectrum", "-E", "1"}, 2, {"--mismatches", "needs -K"});
  refused({"-K", "3", "--memory-limit", "10M"}, 6, {"memory"});
  CHECK(folder.names() == std::vector<std::string>{"a.fa"});
}

TEST_CASE("mappability leaves no output where another one fails, and many tracks take no time") {
  const TemporaryFolder folder;
  const RunOptions here{.folder = folder.path()};
  folder.write("a.fa", ">r\nACACAGGTCA\n");
  for (const Arguments& work :
       {Arguments{"-K", "2", "--bigwig", "x.bw"}, Arguments{"--spectrum", "--plot", "x.svg"}}) {
    Arguments all = {"mappability", "a.fa", "-o", "/dev/full"};
    all.insert(all.end(), work.begin(), work.end());
    check_failure(run(all, here), 6, {"/dev/full"});
    CHECK(folder.names() == std::vector<std::string>{"a.fa"});
  }
  check_failure(run({"repeats", "a.fa", "-L", "2", "--dotplot", "x.svg", "-o", "/dev/full"}, here),
                6, {"/dev/full"});
  check_failure(run({"sa", "a.fa", "--lcp", "x.lcp", "-o", "/dev/full"}, here), 6, {"/dev/full"});
  CHECK(folder.names() == std::vector<std::string>{"a.fa"});
  const Outcome empty = run({"mappability", "a.fa", "-K", "11"}, here);
  CHECK(empty.out.empty());
  CHECK(empty.err.find("the track for K = 11 is empty") != std::string::npos);
  std::string lengths = "1";
  for (int k = 2; k <= 100; ++k)
    lengths += "," + std::to_string(k);
  const Outcome outcome =
      run({"mappability", "a.fa", "-K", lengths, "-o", "t", "--bigwig", "t"}, here);
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(folder.names().size() == 201);
}

TEST_CASE("mappability: many threads write tracks within --memory-limit") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  Random random(16);
  const TemporaryFolder folder;
  folder.write("t.fa", ">r\n" + random_string(random, 3'000'000, "ACGT") + "\n");
  const std::vector<std::pair<std::string, int>> works = {
      {"-K 9 --tsv", 64}, {"--shortest-unique --bigwig track.bw", 80}};
  for (const auto& [work, megabytes] : works) {
    const std::string command = "mappability -q --device cpu t.fa -o track " + work;
    Outcome outcome;
    (void)peak_of(command + " -t 2", folder, outcome);
    REQUIRE(outcome.exit_code == 0);
    const std::string expected = folder.read("track");
    const double peak = peak_of(
        command + " -t 16 --memory-limit " + std::to_string(megabytes) + "MB", folder, outcome);
    CAPTURE(work);
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    CHECK(peak <= megabytes * megabyte);
    CHECK((folder.read("track") == expected));
  }
}

TEST_CASE("--plan says what mappability takes, and writes no track") {
  const TemporaryFolder folder;
  const RunOptions here{.folder = folder.path()};
  folder.write("a.fa", ">r\nACACA\n");
  const Outcome outcome =
      run({"mappability", "a.fa", "-K", "3", "--plan", "--device", "cpu", "-o", "x"}, here);
  const std::string plan = output_of(outcome);
  CHECK(plan.find("symbols\t12\n") != std::string::npos);
  CHECK(plan.find("conclusion\tmemory suffices, if few suffixes repeat\n") != std::string::npos);
  CHECK(is_json(lines_of(
      output_of(run({"mappability", "a.fa", "-K", "3", "--plan", "--json", "-q"}, here)))[0]));
  CHECK(folder.names() == std::vector<std::string>{"a.fa"});
}
