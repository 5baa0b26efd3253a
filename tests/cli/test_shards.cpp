// Indexes in shards: index --shards and --shard-size, and every command on them.
#include <algorithm>
#include <filesystem>

#include "index/store/shard_manifest.hpp"
#include "support/peak_memory.hpp"
#include "support/program.hpp"
#include "support/shards.hpp"
#include "support/skip.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Records of all kinds, in three files; an index of them, and the same in shards.
struct Shards {
  TemporaryFolder folder;

  explicit Shards(const Arguments& made = {}) {
    Random random(3);
    const std::string repeat = random_string(random, 40, "ACGT");
    for (int f = 0; f < 3; ++f) {
      std::string fasta;
      for (int r = 0; r < 7; ++r) {
        fasta += ">r" + std::to_string(f) + std::to_string(r) + (r % 2 == 0 ? " comment\n" : "\n");
        if (r == 3) continue;  // a record without symbols
        fasta += repeat + random_string(random, 30 + 50 * static_cast<unsigned>(r), "ACGTacgt");
        fasta += std::string(static_cast<std::size_t>(r), 'N') + repeat.substr(0, 20) + '\n';
      }
      folder.write("f" + std::to_string(f) + ".fa", fasta);
    }
    REQUIRE(index("one.gsx", made).exit_code == 0);
  }
  Outcome gsx(const Arguments& arguments) const {
    return run(arguments, {.folder = folder.path()});
  }
  Outcome index(const std::string& path, const Arguments& more) const {
    Arguments arguments = {"index", "-q", "f0.fa", "f1.fa", "f2.fa", "-o", path};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return gsx(arguments);
  }
  std::size_t shards() const {
    std::size_t count = 0;
    for (const std::string& name : folder.names())
      count += name.starts_with("many.") && name != "many.gsx";
    return count;
  }
};

}  // namespace

TEST_CASE("every command gives for shards what it gives for one index") {
  const std::vector<Arguments> all_options = {
      {}, {"--soft-mask", "keep", "--md5", "--files"}, {"--soft-mask", "split", "--sa-rate", "3"}};
  for (const Arguments& made : all_options) {
    const Shards all(made);
    for (const Arguments& cut : {Arguments{"--shards", "4"}, Arguments{"--shard-size", "1"},
                                 Arguments{"--shard-size", "1k", "-t", "3", "--batch", "100"}}) {
      CAPTURE(cut[1]);
      Arguments options = made;
      options.insert(options.end(), cut.begin(), cut.end());
      const Outcome built = all.index("many.gsx", options);
      CAPTURE(built.err);
      REQUIRE(built.exit_code == 0);
      const std::string seed = all.folder.read("f1.fa").substr(14, 30);
      for (const std::string& pattern : {std::string("ACG"), std::string("TTAC"), seed}) {
        check_same_for_shards(all.folder,
                              {"count", "-p", pattern, "-p", "ACNT", "-p", "GATTACAGATTACA"});
        check_same_for_shards(all.folder, {"count", "--by-record", "-p", pattern});
        check_same_for_shards(all.folder,
                              {"locate", "-p", pattern, "-p", "GATTACAGATTACA", "-p", "AC"});
        check_same_for_shards(all.folder, {"locate", "--paf", "-k", "2", "-p", pattern});
        check_same_for_shards(all.folder,
                              {"locate", "--jsonl", "-k", "1", "--max-hits", "7", "-p", pattern});
        check_same_for_shards(all.folder, {"count", "-k", "2", "--by-mismatches", "-p", pattern});
      }
      check_same_for_shards(all.folder, {"locate", "--sam", "-p", seed});
      check_same_for_shards(all.folder, {"locate", "--bedgraph", "-p", "ACG"});
      check_same_for_shards(all.folder, {"locate", "--circular", "r11", "-p", "ACG"});
      check_same_for_shards(all.folder, {"locate", "--sort", "position", "-p", "ACG"});
      if (std::ranges::count(made, "--files") != 0) {
        check_same_for_shards(all.folder,
                              {"count", "--by-file", "--matrix", "-p", "ACG", "-p", seed});
        check_same_for_shards(all.folder, {"locate", "--by-file", "-p", seed});
        check_same_for_shards(all.folder, {"info", "--files"});
        check_same_for_shards(all.folder, {"info", "--md5"});
      }
      check_same_for_shards(all.folder, {"info", "--records"});
      check_same_for_shards(all.folder, {"extract"});
      check_same_for_shards(all.folder, {"extract", "r06:20-60"});
      check_same_for_shards(all.folder, {"mem", "-L", "12", "-p", seed});
      check_same_for_shards(all.folder, {"ms", "-p", seed});
      for (const Arguments& text :
           {Arguments{"sa", "--text"}, Arguments{"bwt"}, Arguments{"bwt", "--format", "bre"},
            Arguments{"lz77", "--tsv"}, Arguments{"repeats", "-L", "20"},
            Arguments{"mappability", "-K", "9", "--bedgraph"}})
        check_same_for_shards(all.folder, text);
      CHECK(all.gsx({"verify", "--full", "many.gsx"}).out.starts_with("many.gsx\tok\tfull"));
      CHECK(all.gsx({"report", "-q", "many.gsx", "-o", "r.html"}).exit_code == 0);
      for (const std::string& name : all.folder.names())
        if (name.starts_with("many.")) std::filesystem::remove(all.folder / name);
    }
  }
}

TEST_CASE("shards hold whole records, about as many symbols each, and their bytes do not vary") {
  const Shards all;
  REQUIRE(all.index("many.gsx", {"--shards", "3"}).exit_code == 0);
  CHECK(all.shards() == 3);
  const std::string table = output_of(all.gsx({"info", "-q", "many.gsx", "--shards"}));
  CHECK(lines_of(table).size() == 4);
  std::vector<std::string> bytes;
  for (const char* shard : {"many.000.gsx", "many.001.gsx", "many.002.gsx"})
    bytes.push_back(all.folder.read(shard));
  const std::string manifest = all.folder.read("many.gsx");
  for (const Arguments& more :
       {Arguments{"-t", "1"}, Arguments{"-t", "3", "--batch", "64"}, Arguments{"--batch", "7"}}) {
    Arguments options = more;
    options.insert(options.end(), {"--shards", "3"});
    REQUIRE(all.index("many.gsx", options).exit_code == 0);
    CHECK(all.folder.read("many.gsx") == manifest);
    for (std::size_t i = 0; i < bytes.size(); ++i)
      CHECK((all.folder.read("many.00" + std::to_string(i) + ".gsx") == bytes[i]));
  }
  // Every record is a shard of its own; those without symbols are with the next one.
  REQUIRE(all.index("many.gsx", {"--shard-size", "1"}).exit_code == 0);
  CHECK(all.shards() == 18);
  const Outcome fewer =
      all.gsx({"index", "f0.fa", "f1.fa", "f2.fa", "-o", "many.gsx", "--shards", "2"});
  CHECK(fewer.exit_code == 0);
  CHECK(fewer.err.find("16 shards of the index before belong to none now, and may be deleted "
                       "(first: 'many.002.gsx')") != std::string::npos);
}

TEST_CASE("shards that are missing, mixed or stale are refused, and so is a damaged manifest") {
  const Shards all;
  REQUIRE(all.index("many.gsx", {"--shards", "3"}).exit_code == 0);
  const auto count = [&] { return all.gsx({"count", "-q", "-x", "many.gsx", "-p", "ACG"}); };
  REQUIRE(count().exit_code == 0);
  const std::string shard = all.folder.read("many.001.gsx"), manifest = all.folder.read("many.gsx");
  std::filesystem::remove(all.folder / "many.001.gsx");
  check_failure(count(), 4, {"'many.001.gsx'", "'many.gsx'", "missing"});
  all.folder.write("many.001.gsx", all.folder.read("many.002.gsx"));
  check_failure(count(), 5, {"'many.001.gsx'", "not the shard"});
  all.folder.write("many.001.gsx", shard.substr(0, shard.size() - 64));
  check_failure(count(), 5, {"'many.001.gsx'"});
  all.folder.write("many.001.gsx", shard);
  REQUIRE(count().exit_code == 0);
  for (const std::size_t left : {std::size_t{11}, manifest.size() / 2, manifest.size() - 1}) {
    all.folder.write("many.gsx", manifest.substr(0, left));
    check_failure(count(), 5, {"manifest", "'many.gsx'"});
  }
  for (std::size_t i = 11; i < manifest.size(); i += 5) {
    std::string changed = manifest;
    changed[i] = changed[i] == 'x' ? 'y' : 'x';
    all.folder.write("many.gsx", changed);
    CHECK(count().exit_code == 5);
  }
  all.folder.write("many.gsx", "GSXSHARD 2\n" + manifest.substr(11));
  check_failure(count(), 4, {"another version"});
}

TEST_CASE("records without a base are with others, wherever they are") {
  const std::string none = ">n1\nNNNN\n>n2\n\n>n3\nNN\n";
  const std::string some = ">a\nACGTAC\n>b\nGGATT\n";
  const TemporaryFolder folder;
  const auto gsx = [&](const Arguments& arguments) {
    return run(arguments, {.folder = folder.path()});
  };
  for (const std::string& fasta :
       {none + some, some + none, some + none + some, some + some + none + none}) {
    folder.write("g.fa", fasta);
    REQUIRE(gsx({"index", "-q", "--force", "g.fa", "-o", "one.gsx"}).exit_code == 0);
    const std::string expected = output_of(gsx({"extract", "-q", "one.gsx"}));
    for (const char* symbols : {"1", "6", "9", "100"}) {
      for (const Arguments& reading :
           {Arguments{"-t", "1"}, Arguments{"-t", "3", "--batch", "5"}}) {
        CAPTURE(fasta);
        CAPTURE(symbols);
        Arguments arguments = {"index", "-q",       "--force",      "g.fa",
                               "-o",    "many.gsx", "--shard-size", symbols};
        arguments.insert(arguments.end(), reading.begin(), reading.end());
        const Outcome built = gsx(arguments);
        CAPTURE(built.err);
        REQUIRE(built.exit_code == 0);
        CHECK(output_of(gsx({"extract", "-q", "-x", "many.gsx"})) == expected);
        const std::size_t shards =
            lines_of(output_of(gsx({"info", "-q", "many.gsx", "--shards"}))).size() - 1;
        const bool twice = fasta.find(">a") != fasta.rfind(">a");
        if (symbols == std::string("1")) CHECK(shards == (twice ? 4 : 2));
      }
    }
  }
  folder.write("g.fa", none);
  check_failure(gsx({"index", "-q", "g.fa", "-o", "new.gsx", "--shard-size", "2"}), 3,
                {"A, C, G or T"});
}

TEST_CASE("of a palindrome, --max-hits keeps the forward strand first, in shards too") {
  const TemporaryFolder folder;
  folder.write("p.fa", ">a\nTTACGTTT\n>b\nGGACGTGG\n>c\nACGTACGT\n");
  const auto gsx = [&](const Arguments& arguments) {
    return run(arguments, {.folder = folder.path()});
  };
  REQUIRE(gsx({"index", "-q", "p.fa", "-o", "one.gsx"}).exit_code == 0);
  REQUIRE(gsx({"index", "-q", "p.fa", "-o", "many.gsx", "--shard-size", "5"}).exit_code == 0);
  for (const char* palindromes : {"once", "twice"}) {
    for (int hits = 1; hits < 10; ++hits) {
      CAPTURE(hits);
      const auto columns = [&](const std::string& index) {
        std::string found;
        for (const std::string& line : lines_of(output_of(
                 gsx({"locate", "-q", "-x", index, "-p", "ACGT", "-p", "GTAC", "--palindromes",
                      palindromes, "--max-hits", std::to_string(hits)}))))
          found += line.substr(0, 4) + line.substr(line.find("\t0\t") + 1) + '\n';
        return found;
      };
      const auto strands = [&](const std::string& index) {
        const std::string out =
            output_of(gsx({"locate", "-q", "-x", index, "-p", "ACGT", "--palindromes", palindromes,
                           "--max-hits", std::to_string(hits)}));
        return std::ranges::count(out, '+');
      };
      CHECK(lines_of(columns("many.gsx")).size() == lines_of(columns("one.gsx")).size());
      CHECK(strands("many.gsx") == strands("one.gsx"));
    }
  }
}

TEST_CASE("no output replaces a shard, and a build that fails leaves the shards that are there") {
  const Shards all;
  REQUIRE(all.index("many.gsx", {"--shards", "3"}).exit_code == 0);
  const std::string shard = all.folder.read("many.001.gsx");
  const auto untouched = [&] {
    CHECK((all.folder.read("many.001.gsx") == shard));
    CHECK(all.gsx({"count", "-q", "-x", "many.gsx", "-p", "ACG"}).exit_code == 0);
  };
  for (const Arguments& command :
       {Arguments{"count", "-x", "many.gsx", "-p", "A", "-o", "many.001.gsx"},
        Arguments{"locate", "-x", "many.gsx", "-p", "A", "--bigwig", "many.001.gsx"},
        Arguments{"extract", "many.gsx", "-o", "many.001.gsx"},
        Arguments{"bwt", "many.gsx", "-o", "many.001.gsx"},
        Arguments{"count", "-x", "many.gsx", "-p", "A", "--summary", "many.001.gsx"}}) {
    check_failure(all.gsx(command), 2, {"many.001.gsx"});
    untouched();
  }
  all.folder.write("bad.fa", all.folder.read("f0.fa") + ">x\nAC#T\n");
  check_failure(all.gsx({"index", "-q", "--shard-size", "100", "bad.fa", "-o", "many.gsx"}), 3,
                {"bad.fa"});
  untouched();
  const std::vector<std::string> names = all.folder.names();
  check_failure(all.gsx({"index", "-q", "--shard-size", "100", "bad.fa", "-o", "new.gsx"}), 3,
                {"bad.fa"});
  CHECK(all.folder.names() == names);
  all.folder.write("other.001.gsx", all.folder.read("one.gsx"));
  check_failure(all.index("other.gsx", {"--shards", "3"}), 2, {"'other.001.gsx'", "--force"});
  CHECK_FALSE(std::filesystem::exists(all.folder / "other.000.gsx"));
  // A run that was ended while it renamed its files has left shards, and no manifest.
  std::filesystem::remove(all.folder / "many.gsx");
  CHECK(all.index("many.gsx", {"--shards", "3"}).exit_code == 0);
  all.folder.write("many.gsx", all.folder.read("many.gsx").substr(0, 60));
  CHECK(all.index("many.gsx", {"--shards", "3"}).exit_code == 0);
  untouched();
  // What somebody put in the place of a shard stays.
  all.folder.write("many.002.gsx", "precious");
  check_failure(all.index("many.gsx", {"--shards", "3"}), 2,
                {"'many.002.gsx'", "not a gsx index", "--force"});
  CHECK(all.folder.read("many.002.gsx") == "precious");
  all.folder.write("many.002.gsx", all.folder.read("one.gsx"));
  check_failure(all.index("many.gsx", {"--shards", "3"}), 2, {"'many.002.gsx'", "other sequences"});
  std::filesystem::remove(all.folder / "many.002.gsx");
  REQUIRE(run_shell("mkfifo many.002.gsx", {.folder = all.folder.path()}).exit_code == 0);
  check_failure(all.index("many.gsx", {"--shards", "3"}), 2, {"shards are files", "many.002.gsx"});
  std::filesystem::remove(all.folder / "many.002.gsx");
  CHECK(all.index("many.gsx", {"--shards", "3", "--force"}).exit_code == 0);
  untouched();
  for (const char* place : {"-", "/dev/stdout", "/dev/null"})
    check_failure(all.index(place, {"--shards", "3"}), 2, {"shards are files"});
  check_failure(all.index("a\tb.gsx", {"--shards", "3"}), 2, {"control character"});
  std::filesystem::create_directory(all.folder / "links");
  std::filesystem::create_symlink("../many.gsx", all.folder / "links/many.gsx");
  CHECK(all.gsx({"count", "-q", "-x", "links/many.gsx", "-p", "ACG"}).exit_code == 0);
}

TEST_CASE("a manifest with a right checksum is refused if its shards are not those, or not alike") {
  const Shards all;
  REQUIRE(all.index("many.gsx", {"--shards", "3"}).exit_code == 0);
  REQUIRE(all.index("rare.gsx", {"--shards", "3", "--sa-rate", "5"}).exit_code == 0);
  const auto manifest = [&](const char* name) { return read_manifest(all.folder / name); };
  const auto count = [&](const ShardManifest& changed) {
    all.folder.write("many.gsx", changed.to_text());
    return all.gsx({"count", "-q", "-x", "many.gsx", "-p", "ACG"});
  };
  const ShardManifest right = manifest("many.gsx");
  CHECK(count(right).exit_code == 0);
  ShardManifest changed = right;
  ++changed.shards[1].bytes;
  check_failure(count(changed), 5, {"'many.001.gsx'", "not the shard"});
  changed = right;
  changed.shards[1] = manifest("rare.gsx").shards[1];
  check_failure(count(changed), 5, {"'many.gsx'", "different options"});
}

TEST_CASE("an index in shards is found in its folder, and needs input that can be cut") {
  const Shards all;
  std::filesystem::remove(all.folder / "one.gsx");
  REQUIRE(all.index("many.gsx", {"--shards", "3"}).exit_code == 0);
  CHECK(all.gsx({"count", "-q", "-p", "ACG"}).exit_code == 0);  // many.gsx is the only one
  CHECK(all.gsx({"count", "-q", "many.gsx", "-p", "ACG"}).exit_code == 0);
  const auto refused = [&](const Arguments& more, int code, const std::vector<std::string>& words,
                           const std::string& input = ">a\nACGT\n>b\nACGT\n") {
    Arguments arguments = {"index", "-q", "-o", "other.gsx"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    check_failure(run(arguments, {.input = input, .folder = all.folder.path()}), code, words);
    CHECK_FALSE(std::filesystem::exists(all.folder / "other.gsx"));
  };
  refused({"--shards", "2", "-"}, 2, {"--shards", "'-'", "--shard-size"});
  refused({"--shard-size", "0", "-"}, 2, {"--shard-size"});
  refused({"--shards", "2", "--shard-size", "4", "f0.fa"}, 2, {"--shard"});
  refused({"--shards", "2", "--append", "many.gsx", "f0.fa"}, 2, {"--append"});
  refused({"--shard-size", "4", "-"}, 3, {"'x'", "line 6"}, ">a\nACGT\n>b\nACGT\n>x\nAC#T\n");
  check_failure(all.gsx({"index", "-q", "f0.fa", "--append", "many.gsx", "-o", "other.gsx"}), 2,
                {"many.gsx", "shards"});
  const Outcome piped = run({"index", "-q", "--shard-size", "4", "-", "-o", "other.gsx"},
                            {.input = ">a\nACGT\n>b\nACGT\n", .folder = all.folder.path()});
  CHECK(piped.exit_code == 0);
  CHECK(all.folder.read("other.gsx").find("other.001.gsx") != std::string::npos);
}

TEST_CASE("shards that an index leaves behind are told, and no folder lookup names them first") {
  const Shards all;
  std::filesystem::remove(all.folder / "one.gsx");
  REQUIRE(all.index("many.gsx", {"--shards", "3"}).exit_code == 0);
  const Arguments again = {"index", "f0.fa", "f1.fa", "f2.fa", "-o", "many.gsx"};
  Arguments in_two = again;
  in_two.insert(in_two.end(), {"--shards", "2"});
  const Outcome fewer = all.gsx(in_two);
  CHECK(fewer.err.find("1 shard of the index before belongs to none now, and may be deleted "
                       "(first: 'many.002.gsx')") != std::string::npos);
  check_failure(all.gsx({"count", "-p", "ACG", "-x", all.folder.path()}), 2,
                {"has 2 *.gsx", "/many.gsx'"});
  const Outcome one = all.gsx(again);
  CHECK(one.err.find("3 shards of the index before") == std::string::npos);  // of this one, 2
  CHECK(one.err.find("2 shards of the index before") != std::string::npos);
}

TEST_CASE("a build of many shards takes no more memory than one of few") {
  GSX_SKIP_IF(sanitized, "the memory of sanitizers is not the program's");
  Random random(11);
  const TemporaryFolder folder;
  std::string fasta;
  for (int r = 0; r < 800; ++r)
    fasta += ">r" + std::to_string(r) + "\n" + random_string(random, 1500, "ACGT") + "\n";
  folder.write("t.fa", fasta);
  const auto peak = [&](const std::string& size) {
    return peak_of("index -q -t 2 --device cpu t.fa -o many.gsx --force --shard-size " + size,
                   folder);
  };
  CHECK(peak("1500") < peak("150000") + 8 * megabyte);  // 800 shards, and 8
}

TEST_CASE("a manifest raises the limit of open files, up to the hard one") {
  const TemporaryFolder folder;
  std::string fasta;
  for (int r = 0; r < 60; ++r)
    fasta += ">r" + std::to_string(r) + "\nACGT\n";
  folder.write("g.fa", fasta);
  const auto gsx = [&](const std::string& script) {
    return run_shell(script, {.folder = folder.path()});
  };
  check_output(gsx("\"$gsx\" index -q --shard-size 1 g.fa -o many.gsx"), "");
  for (const std::string command : {"count -q many.gsx -p ACGT", "verify -q many.gsx"}) {
    CAPTURE(command);
    const std::string whole = output_of(gsx("\"$gsx\" " + command));
    check_output(gsx("ulimit -Sn 40; \"$gsx\" " + command), whole);
    check_failure(gsx("ulimit -n 40; \"$gsx\" " + command), 6, {"ulimit -n"});
  }
}
