// What the library refuses, and how far it goes: pipes, threads, symbols, paths, chunks, reports.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

#include "base/machine.hpp"
#include "gsx/error.hpp"
#include "gsx/search.hpp"
#include "gsx/suffix_array.hpp"
#include "index/sa/block_builder.hpp"
#include "support/files.hpp"
#include "support/public_text.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

Index index_of(std::string_view symbols) {
  return build_index(text_of(symbols), {.device = "cpu"});
}

ReadTextOptions with_alphabet(SymbolPolicy policy) {
  ReadTextOptions options;
  options.text.alphabet = policy;
  return options;
}

}  // namespace

TEST_CASE("limits: a pipe that nobody reads is an Error") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  close(ends[0]);
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  CHECK_THROWS_WITH_AS(index_of("ACGT").save("/dev/fd/" + std::to_string(ends[1])),
                       doctest::Contains("the reader of the pipe has gone"), Error);
  std::signal(SIGPIPE, before);
  close(ends[1]);
}

TEST_CASE("limits: threads beyond reason are as many as can be of use") {
  const int most = std::max(64, 4 * available_threads());
  CHECK(threads_for(64) == 64);
  for (const int threads : {10'000, 2'147'483'647}) {
    CAPTURE(threads);
    CHECK(threads_for(threads) == most);
    CHECK(threads_for(threads, 11) == 1);
    const SuffixArray rows = suffix_array("mississippi", {.device = "cpu", .threads = threads});
    CHECK(rows.size() == 11);
    CHECK(rows[0] == 10);
    const Index index = build_index(text_of("ACGTACGT"), {.device = "cpu", .threads = threads});
    const BatchSearcher searcher(index, {.device = "cpu", .threads = threads});
    const std::string_view pattern = "ACGT";
    CHECK(searcher.count({&pattern, 1}, Strands::forward)[0].total() == 2);
  }
}

TEST_CASE("limits: make_text refuses a symbol that no index may hold, and names it") {
  for (const SymbolPolicy policy :
       {SymbolPolicy::dna, SymbolPolicy::protein, SymbolPolicy::bytes}) {
    for (int byte = 0; byte < 256; ++byte) {
      if (byte > 32 && byte != '>' && byte != 127) continue;
      const std::string symbols = std::string("ACGT") + static_cast<char>(byte) + "ACGT";
      const std::vector<Sequence> sequences = {{.name = "good", .symbols = "ACGT"},
                                               {.name = "bad", .symbols = symbols}};
      CHECK_THROWS_WITH_AS(make_text(sequences, with_alphabet(policy)),
                           doctest::Contains("record 2 ('bad'): '"), InputError);
      CHECK_THROWS_AS(make_text(sequences), InputError);
    }
  }
  for (int byte = 33; byte < 256; ++byte) {
    if (byte == '>' || byte == 127) continue;
    const std::string symbols = std::string(50, 'A') + static_cast<char>(byte);
    CHECK(text_of(symbols, with_alphabet(SymbolPolicy::bytes)).length() == 52);
    CHECK_NOTHROW(
        build_index(text_of(symbols, with_alphabet(SymbolPolicy::dna)), {.device = "cpu"}));
  }
}

TEST_CASE("limits: the alphabet that is given is the one that is used") {
  CHECK(text_of("ACGT").alphabet.policy() == SymbolPolicy::dna);
  for (const SymbolPolicy policy :
       {SymbolPolicy::dna, SymbolPolicy::protein, SymbolPolicy::bytes}) {
    CHECK(text_of("ACGT", with_alphabet(policy)).alphabet.policy() == policy);
    const TemporaryFolder folder;
    folder.write("g.fa", ">one\nACGT\n");
    CHECK(read_text({folder / "g.fa"}, with_alphabet(policy), {}).alphabet.policy() == policy);
  }
  for (const int wrong : {0, 4, 77}) {
    CHECK_THROWS_WITH_AS(text_of("ACGT", with_alphabet(static_cast<SymbolPolicy>(wrong))),
                         doctest::Contains("there is no symbol policy"), UsageError);
  }
}

TEST_CASE("limits: a path with a NUL byte is refused") {
  const TemporaryFolder folder;
  folder.write("g.fa", ">one\nACGT\n");
  const Index index = index_of("ACGT");
  index.save(folder / "g.gsx");
  const auto cut = [&](const char* name) { return (folder / name) + std::string("\0x", 2); };
  CHECK_THROWS_WITH_AS(gsx::read_text({cut("g.fa")}), doctest::Contains("\\x00"), UsageError);
  CHECK_THROWS_AS(Index::open(cut("g.gsx")), UsageError);
  CHECK_THROWS_AS(index.save(cut("h.gsx")), UsageError);
  CHECK(folder.names().size() == 2);
}

TEST_CASE("limits: no chunk holds more than hits_at_once hits") {
  Random random(73);
  const std::string symbols = random_string(random, 3000, "AT") + std::string(600, 'A');
  const Index index = index_of(symbols);
  const std::vector<std::string_view> patterns = {"AT", "A", "TTTAAA", "G", "AAAA"};
  const auto hits_by = [&](std::uint64_t most) {
    std::vector<Hit> all;
    const BatchSearcher searcher(index,
                                 {.device = "cpu", .threads = 2, .memory = {.hits_at_once = most}});
    searcher.locate(patterns, {}, [&](const HitChunk& chunk) {
      CHECK(chunk.hits.size() <= most);
      all.insert(all.end(), chunk.hits.begin(), chunk.hits.end());
    });
    return all;
  };
  const std::vector<Hit> whole = hits_by(1 << 20);
  CHECK(whole.size() > 5000);
  for (const std::uint64_t most : {1, 2, 3, 7, 100})
    CHECK(hits_by(most) == whole);
}

TEST_CASE("limits: the last report of progress is of 1, and blocks report often") {
  Random random(74);
  const std::string symbols = random_string(random, 400'000, "ACGT");
  std::vector<double> reports;
  const ProgressReport note = [&](const char*, double fraction) { reports.push_back(fraction); };
  const auto ends = [&] {
    const bool ended = !reports.empty() && reports.back() == 1;
    reports.clear();
    return ended;
  };
  const SortOptions options{.device = "cpu", .threads = 2, .progress = note};
  (void)suffix_array(symbols, options);
  CHECK(ends());
  stream_bwt(symbols, options, [](const CodeChunk&) {});
  CHECK(ends());
  stream_suffix_array(text_of(symbols), options, [](const RowChunk&) {});
  CHECK(ends());
  (void)build_index(text_of(symbols), {.device = "cpu", .threads = 2, .progress = note});
  CHECK(ends());
  const TemporaryFolder folder;
  folder.write("g.fa", ">one\n" + symbols + '\n');
  (void)read_text({folder / "g.fa"}, {}, note);
  CHECK(ends());
  std::uint64_t blocks = 0;
  const Text text = text_of(symbols);
  build_suffix_blocks(
      text.view(), {100'000, 100'000}, 1, PositionWidth::automatic,
      [&](const SuffixArray&) { ++blocks; }, note);
  CHECK(blocks >= 4);
  CHECK(reports.size() > 4 * blocks);
  CHECK(std::ranges::is_sorted(reports));
  CHECK(ends());
}

TEST_CASE("limits: a text that was never made, or has been moved, is refused") {
  Text moved = text_of("ACGT");
  const Text kept = std::move(moved);
  const Text none;
  for (const Text* text : {static_cast<const Text*>(&moved), &none}) {
    const Text& empty = *text;
    const SortOptions options{.device = "cpu"};
    CHECK_THROWS_AS((void)suffix_array(empty, options), UsageError);
    CHECK_THROWS_AS((void)bwt(empty, options), UsageError);
    CHECK_THROWS_AS(stream_suffix_array(empty, options, [](const RowChunk&) {}), UsageError);
    CHECK_THROWS_AS(stream_bwt(empty, options, [](const CodeChunk&) {}), UsageError);
  }
  CHECK_THROWS_AS((void)build_index(Text(), {.device = "cpu"}), UsageError);
  CHECK_THROWS_AS((void)build_index(std::move(moved), {.device = "cpu"}), UsageError);
  CHECK(suffix_array(kept, {.device = "cpu"}).size() == 5);
}
