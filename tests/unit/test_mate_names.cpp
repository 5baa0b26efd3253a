// Which reads are mates by their headers, and which files of single reads are pairs in truth.
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "records/interleaving.hpp"

using namespace gsx;

namespace {

using Header = std::pair<std::string, std::string>;  ///< name and comment

MateAnswer compare(MateNames& names, const Header& first, const Header& second) {
  return names.compare({first.first, first.second}, {second.first, second.second});
}

MateAnswer compare(const Header& first, const Header& second) {
  MateNames names;
  return compare(names, first, second);
}

/// A batch of records with these names, each with its comment behind a space.
RecordBatch batch_of(const std::vector<std::string>& headers,
                     SequenceFormat format = SequenceFormat::fastq) {
  RecordBatch batch;
  batch.format = format;
  batch.source = std::make_shared<const std::string>("r.fq");
  for (const std::string& header : headers) {
    const std::size_t blank = std::min(header.find(' '), header.size());
    batch.begin_record(header.substr(0, blank), comment_in(std::string_view(header).substr(blank)));
    batch.append("ACGT");
  }
  return batch;
}

bool are_pairs(const std::vector<std::string>& headers,
               SequenceFormat format = SequenceFormat::fastq, bool is_alignment = false) {
  PairWatch watch;
  const PairWatch::Answer answer = watch.take(batch_of(headers, format), is_alignment);
  return (answer == PairWatch::Answer::open ? watch.end() : answer) == PairWatch::Answer::pairs;
}

/// Headers of so many reads, made from their numbers.
template <class Make>
std::vector<std::string> names_of(int reads, const Make& make) {
  std::vector<std::string> names;
  for (int i = 0; i < reads; ++i)
    names.push_back(make(i));
  return names;
}

std::string text_of(int number) {
  return std::to_string(number);
}

}  // namespace

TEST_CASE("mates are told by 1 and 2 in their headers, and by nothing else") {
  const std::vector<std::pair<Header, Header>> mates = {
      {{"r", ""}, {"r", ""}},
      {{"r", "x"}, {"r", "y"}},
      {{"", ""}, {"", ""}},
      {{"SRR1.1", "1 length=4"}, {"SRR1.1", "1 length=9"}},
      {{"r_1", ""}, {"r_1", ""}},
      {{"r/1", ""}, {"r/2", ""}},
      {{"r/2", ""}, {"r/1", ""}},
      {{"r#AC/1", "x"}, {"r#AC/2", ""}},
      {{"SRR1.1.1", "1 l"}, {"SRR1.1.2", "1 l"}},
      {{"r_1", ""}, {"r_2", ""}},
      {{"r-1", ""}, {"r-2", ""}},
      {{"r", "1:N:0:AC"}, {"r", "2:N:0:AC"}},
      {{"r", " 1:Y:18:"}, {"r", "\t2:N:0:"}},
      {{"r/1", "1:N:0:AC"}, {"r/1", "2:N:0:AC"}},
      {{"ERR1.1", "X:11/1"}, {"ERR1.1", "X:11/2"}},
      {{"X7:12_1:N:0:GA", ""}, {"X7:12_2:N:0:GA", ""}}};
  for (const auto& [first, second] : mates) {
    CAPTURE(first.first);
    CAPTURE(second.first);
    CHECK(compare(first, second) == MateAnswer::mates);
  }
  const std::vector<std::pair<Header, Header>> strangers = {
      {{"r1", ""}, {"r2", ""}},           {{"1", ""}, {"2", ""}},
      {{"/1", ""}, {"/2", ""}},           {{"a/1", ""}, {"b/2", ""}},
      {{"a/1", ""}, {"a/3", ""}},         {{"a/1", ""}, {"a", ""}},
      {{"a.1", ""}, {"a_2", ""}},         {{"a:1", ""}, {"a:2", ""}},
      {{"a/1x", ""}, {"a/2x", ""}},       {{"a_1:N:0", ""}, {"a_2:N:1", ""}},
      {{"a_1:Q:0", ""}, {"a_2:Q:0", ""}}, {{"a1:N:0", ""}, {"a2:N:0", ""}},
      {{"S1.7", ""}, {"S2.7", ""}},       {{"r.11", ""}, {"r.12", ""}}};
  for (const auto& [first, second] : strangers) {
    CAPTURE(first.first);
    CAPTURE(second.first);
    CHECK(compare(first, second) == MateAnswer::strangers);
  }
  CHECK(compare({"r/1", ""}, {"r/1", ""}) == MateAnswer::both_first);
  CHECK(compare({"r/2", ""}, {"r/2", ""}) == MateAnswer::both_second);
  CHECK(compare({"a/1", ""}, {"bc/1", ""}) == MateAnswer::both_first);
  CHECK(compare({"a:1", "2:N:0:AC"}, {"b:2", "2:N:0:GT"}) == MateAnswer::both_second);
  CHECK(compare({"a_1:N:0:G", ""}, {"b_1:N:0:G", ""}) == MateAnswer::both_first);
  CHECK(compare({"a/1", ""}, {"b", "2:N:0:AC"}) == MateAnswer::strangers);
  CHECK(compare({"r", "1:N:0:AC"}, {"r", "1:N:0:AC"}) == MateAnswer::both_first);
  CHECK(compare({"r", "X/2"}, {"r", "X/2"}) == MateAnswer::both_second);
  CHECK(compare({"a_1:N:0:G", ""}, {"a_1:N:0:G", ""}) == MateAnswer::both_first);
  CHECK(compare({"a.1", "1:N:0:G"}, {"a.2", "1:N:0:G"}) == MateAnswer::both_first);
}

TEST_CASE("the first pair fixes how names tell mates apart") {
  const std::vector<std::pair<Header, Header>> kinds = {
      {{"NAME", ""}, {"NAME", ""}},     {{"NAME/1", ""}, {"NAME/2", ""}},
      {{"NAME.1", ""}, {"NAME.2", ""}}, {{"NAME_1", ""}, {"NAME_2", ""}},
      {{"NAME-1", ""}, {"NAME-2", ""}}, {{"NAME_1:N:0", ""}, {"NAME_2:N:0", ""}},
      {{"NAME/2", ""}, {"NAME/1", ""}}, {{"NAME.2", ""}, {"NAME.1", ""}}};
  const auto named = [](Header header, const std::string& name) {
    header.first.replace(header.first.find("NAME"), 4, name);
    return header;
  };
  for (const auto& [first, second] : kinds) {
    for (const auto& [other, another] : kinds) {
      MateNames names;
      CHECK(compare(names, named(first, "a"), named(second, "a")) == MateAnswer::mates);
      CAPTURE(first.first);
      CAPTURE(other.first);
      CHECK((compare(names, named(other, "b"), named(another, "b")) == MateAnswer::mates) ==
            (first == other));
      CHECK(compare(names, named(first, "b"), named(second, "c")) == MateAnswer::strangers);
    }
  }
  MateNames names;
  CHECK(compare(names, {"a", "1:N:0"}, {"a", "2:N:0"}) == MateAnswer::mates);
  CHECK(compare(names, {"b", "1:Y:0"}, {"b", "2:N:0"}) == MateAnswer::mates);
  CHECK(compare(names, {"b", ""}, {"b", ""}) == MateAnswer::mates);
  CHECK(compare(names, {"b", "1:N:0"}, {"b", "1:N:0"}) == MateAnswer::both_first);
  CHECK(compare(names, {"b", "2:N:0"}, {"b", "1:N:0"}) == MateAnswer::strangers);
}

TEST_CASE("files of single reads are not taken for pairs") {
  const auto never = [](const char* scheme, const auto& make) {
    CAPTURE(scheme);
    for (const int reads : {0, 1, 2, 3, 4, 5, 7, 8, 199, 200, 201, 500}) {
      CAPTURE(reads);
      CHECK_FALSE(are_pairs(names_of(reads, make)));
      CHECK_FALSE(are_pairs(names_of(reads, make), SequenceFormat::fasta));
      CHECK_FALSE(are_pairs(names_of(reads, make), SequenceFormat::list));
    }
  };
  const auto number = [](int i) { return text_of(i + 1); };
  never("numbers", number);
  never("SRA", [&](int i) { return "SRR1." + number(i) + " " + number(i) + " length=100"; });
  never("SRA, comment alone",
        [&](int i) { return "SRR1." + number(i) + " X:1:" + number(i) + "/1"; });
  never("read_", [&](int i) { return "read_" + number(i); });
  never("read-", [&](int i) { return "read-" + number(i); });
  never("read", [&](int i) { return "read" + number(i); });
  never("read:", [&](int i) { return "read:" + number(i); });
  never("from 0", [](int i) { return "r_" + text_of(i); });
  never("0.5", [](int i) { return "cell_" + text_of(i / 4) + "." + text_of(i % 4 + 1); });
  never("Illumina",
        [](int i) { return "A01:7:HX:1:1101:" + text_of(1000 + 7 * i) + ":1 1:N:0:ACGT"; });
  never("Illumina, second file",
        [](int i) { return "A01:7:HX:1:1101:" + text_of(1000 + i) + ":2 2:N:0:ACGT"; });
  never("Illumina 1.4", [](int i) { return "HWUSI:6:73:941:" + text_of(1973 + i) + "#0/1"; });
  never("Bismark", [](int i) { return "A01:1101:" + text_of(1000 + i) + "_1:N:0:ACGT"; });
  never("MGI", [](int i) { return "V300L1C001R0010" + text_of(i) + "/1"; });
  never("ONT", [](int i) {
    return "0a1b2c3d-" + text_of(1000 + i * 37) + "-4e5f-8a1b-00000000000" + text_of(i % 3) +
           " runid=ab ch=1 start_time=2024";
  });
  never("PacBio", [](int i) { return "m64011_190830_220126/" + text_of(i + 1) + "/ccs"; });
  never("PacBio subreads", [](int i) {
    return "m54/" + text_of(i / 2) + "/" + text_of(i % 2 * 900) + "_" + text_of(i % 2 * 900 + 800);
  });
  never("454", [](int i) { return "GX0" + text_of(i / 2) + (i % 2 == 0 ? ".f" : ".r"); });
  never("UMI", [](int i) { return "A:" + text_of(i) + "_ACGT 1:N:0:AC"; });
  never("wgsim",
        [](int i) { return "chr_" + text_of(i) + "_500_0:0:0_1:0:0_" + text_of(i) + "/1"; });
  never("no name", [](int) { return ""; });
  never("no name, a comment", [](int) { return " 1:N:0"; });
  // Two records of one name are mates; more are not.
  for (const int reads : {4, 6, 200, 500})
    CHECK_FALSE(are_pairs(std::vector<std::string>(static_cast<std::size_t>(reads), "read")));
  never("counted backwards", [](int i) { return "r." + text_of(500 - i); });
}

TEST_CASE("files of pairs are told by their first records") {
  const auto told = [](const char* scheme, const auto& make, bool weak = false) {
    CAPTURE(scheme);
    const bool strong = !weak && scheme != std::string_view("equal");
    for (const int reads : {2, 4, 6, 198, 200, 202, 500}) {
      CAPTURE(reads);
      CHECK(are_pairs(names_of(reads, make)) == (reads > 2 || !weak));
    }
    // A file that was cut ends with half a pair.
    CHECK_FALSE(are_pairs(names_of(1, make)));
    CHECK(are_pairs(names_of(3, make)) == strong);
    for (const int reads : {5, 121, 199, 201})
      CHECK(are_pairs(names_of(reads, make)));
    // One pair of the first hundred is none; behind them, nothing matters.
    auto names = names_of(300, make);
    std::swap(names[199], names[200]);
    CHECK_FALSE(are_pairs(names));
    names = names_of(300, make);
    std::swap(names[201], names[202]);
    CHECK(are_pairs(names));
  };
  const auto pair = [](int i) { return "p" + text_of(i / 2); };
  const auto mate = [](int i) { return text_of(i % 2 + 1); };
  told("slash", [&](int i) { return pair(i) + "/" + mate(i); });
  told("comment", [&](int i) { return pair(i) + " " + mate(i) + ":N:0:AC"; });
  told("ENA", [&](int i) { return pair(i) + " X:" + text_of(i / 2) + "/" + mate(i); });
  told("inner", [&](int i) { return pair(i) + "_" + mate(i) + ":N:0:AC"; });
  told("equal", [&](int i) { return pair(i); });
  told(
      "SRA", [&](int i) { return "SRR1." + text_of(i / 2 + 1) + "." + mate(i); }, true);
  told(
      "underscore", [&](int i) { return pair(i) + "_" + mate(i); }, true);
  told(
      "dash", [&](int i) { return pair(i) + "-" + mate(i); }, true);
  // Names of FASTA that single sequences may have, too, tell nothing.
  CHECK(are_pairs({"a/1", "a/2"}, SequenceFormat::fasta));
  CHECK_FALSE(are_pairs({"a_1", "a_2", "b_1", "b_2"}, SequenceFormat::fasta));
  CHECK_FALSE(are_pairs({"a", "a", "b", "b"}, SequenceFormat::fasta));
}

TEST_CASE("alignments are pairs if one of the first reads is a mate") {
  const auto single = [](int i) { return "r" + text_of(i); };
  CHECK_FALSE(are_pairs(names_of(500, single), SequenceFormat::fastq, true));
  for (const std::size_t at : {0, 77, 199, 200}) {
    auto names = names_of(500, single);
    names[at] += "/2";
    CHECK(are_pairs(names, SequenceFormat::fastq, true) == (at < 200));
  }
}

TEST_CASE("a file of pairs is told in any batches, and long reads in few pairs") {
  const auto mate = [](int i) { return "p" + text_of(i / 2) + "/" + text_of(i % 2 + 1); };
  PairWatch watch;
  for (int i = 0; i < 199; ++i)
    CHECK(watch.take(batch_of({mate(i)}), false) == PairWatch::Answer::open);
  CHECK(watch.take(batch_of({mate(199), "x"}), false) == PairWatch::Answer::pairs);
  PairWatch of_long;
  RecordBatch batch = batch_of({mate(0), mate(1), mate(2)});
  batch.append(std::string(2'000'000, 'A'));
  CHECK(of_long.take(batch, false) == PairWatch::Answer::open);
  CHECK(of_long.take(batch_of({mate(3), "x", "y"}), false) == PairWatch::Answer::pairs);
  try {
    of_long.refuse("keep pairs", "split them");
  } catch (const UsageError& error) {
    CHECK(std::string(error.what()) ==
          "record 1 ('p0/1') of r.fq and record 2 ('p0/2') are mates; give --interleaved to keep "
          "pairs, or --unpaired to split them");
  }
}

TEST_CASE("two files of mates are told by their first reads, in any batches") {
  using Names = std::vector<std::string>;
  const auto are_mates = [](const std::vector<Names>& files, std::size_t at_once,
                            SequenceFormat format = SequenceFormat::fastq) {
    MateFilesWatch watch;
    try {
      for (std::size_t file = 0; file < files.size(); ++file) {
        for (std::size_t i = 0; i < files[file].size(); i += at_once) {
          const std::size_t end = std::min(files[file].size(), i + at_once);
          RecordBatch batch =
              batch_of(Names(files[file].begin() + static_cast<std::ptrdiff_t>(i),
                             files[file].begin() + static_cast<std::ptrdiff_t>(end)),
                       format);
          batch.file = file;
          watch.take(batch, false, "cure");
        }
      }
      watch.end_file("cure");
    } catch (const UsageError& error) {
      CHECK(std::string(error.what()).ends_with(" are mates; cure"));
      return true;
    }
    return false;
  };
  const auto mates = [](int reads, const std::string& mark) {
    return names_of(reads, [&](int i) { return "r" + text_of(i) + mark; });
  };
  for (const std::size_t at_once : {1, 7, 1000}) {
    CAPTURE(at_once);
    for (const int reads : {1, 2, 99, 100, 101, 300}) {
      CAPTURE(reads);
      CHECK(are_mates({mates(reads, "/1"), mates(reads, "/2")}, at_once));
      CHECK(are_mates({mates(reads, " 1:N:0"), mates(reads, " 2:N:0")}, at_once));
      CHECK(are_mates({mates(reads, ""), mates(reads, "")}, at_once));
      CHECK(are_mates({mates(reads, ".1"), mates(reads, ".2")}, at_once) == (reads > 1));
      CHECK(are_mates({mates(reads, "/2"), {"x/1"}, mates(reads, "/1")}, at_once));
      CHECK_FALSE(are_mates({mates(reads, "/1"), mates(reads, "/1")}, at_once));
      CHECK_FALSE(are_mates({mates(reads, " 1:N:0"), mates(reads, " 1:N:0")}, at_once));
      // Files of other lengths, unless both have enough.
      CHECK(are_mates({mates(reads, "/1"), mates(reads + 1, "/2")}, at_once) == (reads >= 100));
      // One pair of the first hundred is none.
      Names others = mates(reads, "/2");
      std::swap(others.front(), others.back());
      CHECK(are_mates({mates(reads, "/1"), others}, at_once) == (reads == 1));
    }
    CHECK_FALSE(are_mates({mates(5, ""), mates(5, "")}, at_once, SequenceFormat::fasta));
    CHECK_FALSE(are_mates({mates(5, "/1"), mates(5, "/2")}, at_once, SequenceFormat::list));
    CHECK_FALSE(are_mates({Names(5, "read"), Names(5, "read")}, at_once));
  }
  // Very long headers count as many.
  const std::string longest(70'000, 'x');
  CHECK(are_mates({{longest + "/1", "a"}, {longest + "/2", "b"}}, 1));
}
