// Indexes whose tables no input could give, with right checksums. Opening must refuse
// them: a search would miss what `extract` gives.
#include <doctest/doctest.h>

#include "device/registry.hpp"
#include "index/store/shard_manifest.hpp"
#include "index/store/writer.hpp"
#include "support/index_file.hpp"
#include "support/texts.hpp"
#include "text/record_checks.hpp"
#include "text/record_checksum.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// The index file of a text whose tables may be wrong.
std::string index_of(Text text) {
  static const TemporaryFolder folder;
  checksum_records(text, 1);
  const FmIndex fm = make_cpu_backend()->build_index(text.view(), {});
  Output out(folder / "forged.gsx");
  write_index(out, text, fm, 1);
  out.commit();
  return folder.read("forged.gsx");
}

Verdict verdict(const std::string& bytes) {
  static const TemporaryFolder folder;
  return verdict_on(folder, bytes);
}

/// The verdict on the index of a text after `change`.
template <class Change>
Verdict verdict_on_changed(Text text, const Change& change) {
  REQUIRE(verdict(index_of(make_text({"A"}))) == Verdict::accepted);
  change(text);
  return verdict(index_of(std::move(text)));
}

}  // namespace

TEST_CASE("segments that touch are refused: a match across their border would be missed") {
  CHECK(verdict_on_changed(make_text({"ACGTNACGT"}), [](Text&) {}) == Verdict::accepted);
  CHECK(verdict_on_changed(make_text({"ACGTNACGT"}), [](Text& text) {
          text.gaps.clear();
          text.segment_offsets[1] = 4;
          text.records[0].length = 8;
          text.counts.n = 0;
        }) == Verdict::corrupt);
}

TEST_CASE("gaps hold symbols outside the alphabet, in upper case, each run once") {
  for (const char symbol : {'A', 'C', 'G', 'T', 'U', 'a', 'u', 'n'}) {
    CAPTURE(symbol);
    CHECK(verdict_on_changed(make_text({"ACGTNACGT"}), [&](Text& text) {
            text.gaps[0].source = static_cast<unsigned char>(symbol);
          }) == Verdict::corrupt);
  }
  CHECK(verdict_on_changed(make_text({"ACGTNNACGT"}), [](Text& text) {
          text.gaps.push_back({0, 5, 1, 'N'});
          text.gaps[0].length = 1;
        }) == Verdict::corrupt);
  for (const SymbolPolicy policy : {SymbolPolicy::protein, SymbolPolicy::bytes}) {
    CHECK(verdict_on_changed(make_text({"MKVMKV"}, policy), [](Text& text) {
            text.gaps.push_back({0, 6, 1, '-'});
            text.records[0].length = 7;
            text.counts.gap = 1;
          }) == Verdict::corrupt);
  }
}

TEST_CASE("no record is longer than its segments and the most that gaps may have") {
  const std::string whole = index_of(make_text({"ACGTNACGTN"}));
  const auto lengthened = [&](std::uint64_t first, std::uint64_t second) {
    IndexFile file(whole);
    const std::size_t gaps = file.at("gaps");
    file.set(gaps + offsetof(Gap, length), 1 + first);
    file.set(file.at("segment_offsets") + sizeof(std::uint64_t), 5 + first);
    file.set(gaps + sizeof(Gap) + offsetof(Gap, offset), 9 + first);
    file.set(gaps + sizeof(Gap) + offsetof(Gap, length), 1 + second);
    file.set(file.at("records") + offsetof(RecordInfo, length), 10 + first + second);
    file.change_meta([&](Meta& meta) { meta.counts.n += first + second; });
    file.seal();
    return verdict(file.bytes);
  };
  constexpr std::uint64_t most = most_unstored;
  CHECK(lengthened(0, 0) == Verdict::accepted);
  CHECK(lengthened(most - 2, 0) == Verdict::accepted);
  CHECK(lengthened(most - 1, 0) == Verdict::corrupt);
  CHECK(lengthened(most / 2, most / 2 - 1) == Verdict::corrupt);
  for (const int bits : {41, 47, 62, 63})
    CHECK(lengthened(0, std::uint64_t{1} << bits) == Verdict::corrupt);
}

TEST_CASE("an index has soft-masked bases only if it keeps them out of its text") {
  const std::string whole =
      index_of(make_text({"ACGTacgtNacACG"}, SymbolPolicy::dna, SoftMaskPolicy::split));
  CHECK(verdict(whole) == Verdict::accepted);
  for (const std::uint32_t value : {0u, 2u, 77u}) {
    IndexFile file(whole);
    file.change_meta([&](Meta& meta) { meta.soft_mask_split = value; });
    file.seal();
    CHECK(verdict(file.bytes) == Verdict::corrupt);
  }
  IndexFile protein(index_of(make_text({"MKV"}, SymbolPolicy::protein)));
  protein.change_meta([](Meta& meta) { meta.soft_mask_split = 1; });
  protein.seal();
  CHECK(verdict(protein.bytes) == Verdict::corrupt);
  // Two runs in place of one, and literals in another order.
  IndexFile split(whole);
  REQUIRE(split.meta().gaps == 3);
  const std::size_t gaps = split.at("gaps");
  split.set(gaps + 2 * sizeof(Gap) + offsetof(Gap, source), Gap::literal_base);
  split.seal();
  CHECK(verdict(split.bytes) == Verdict::corrupt);
}

TEST_CASE("files have names that differ, and their records are those of the text") {
  const auto with_files = [](const std::vector<std::uint64_t>& name_ends,
                             const std::vector<std::uint64_t>& record_ends) {
    return verdict_on_changed(make_text({"ACGT", "AC", "GT"}), [&](Text& text) {
      text.files.names = "abcb";
      text.files.name_ends = name_ends;
      text.files.record_ends = record_ends;
    });
  };
  CHECK(with_files({1, 2, 4}, {1, 2, 3}) == Verdict::accepted);
  CHECK(with_files({1, 2, 4}, {0, 3, 3}) == Verdict::accepted);
  CHECK(with_files({4}, {3}) == Verdict::accepted);
  CHECK(with_files({1, 2, 3, 4}, {1, 2, 3, 3}) == Verdict::corrupt);  // "b" twice
  CHECK(with_files({2, 1, 4}, {1, 2, 3}) == Verdict::corrupt);
  CHECK(with_files({1, 2, 3}, {1, 2, 3}) == Verdict::corrupt);
  CHECK(with_files({1, 2, 5}, {1, 2, 3}) == Verdict::corrupt);
  CHECK(with_files({1, 2, 4}, {2, 1, 3}) == Verdict::corrupt);
  CHECK(with_files({1, 2, 4}, {1, 2, 2}) == Verdict::corrupt);
  CHECK(with_files({1, 2, 4}, {1, 2, 4}) == Verdict::corrupt);
  CHECK(with_files({1, 2, 4}, {1, 3}) == Verdict::corrupt);
}

TEST_CASE("the counts of symbols are those of the records") {
  const std::string whole = index_of(make_text({"ACGTNRY-?ACGTNN", "", "NACG"}));
  REQUIRE(verdict(whole) == Verdict::accepted);
  std::uint64_t SymbolCounts::*const all[] = {&SymbolCounts::base,  &SymbolCounts::n,
                                              &SymbolCounts::iupac, &SymbolCounts::gap,
                                              &SymbolCounts::other, &SymbolCounts::lower_case};
  for (const auto count : all) {
    for (const std::uint64_t more : {std::uint64_t{1}, ~std::uint64_t{0}, std::uint64_t{1} << 63}) {
      IndexFile file(whole);
      file.change_meta([&](Meta& meta) { meta.counts.*count += more; });
      file.seal();
      CHECK(verdict(file.bytes) == Verdict::corrupt);
    }
  }
}

TEST_CASE("bytes that must be zero are zero, and no section occurs twice") {
  const std::string whole = index_of(make_text({"ACGTACGT"}));
  for (int i = 0; i < 3; ++i) {
    IndexFile file(whole);
    file.change_meta([&](Meta& meta) { meta.zero[i] = 1; });
    file.seal();
    CHECK(verdict(file.bytes) == Verdict::corrupt);
  }
  IndexFile version(whole);
  version.change_meta([](Meta& meta) { meta.gsx_version[20] = 'x'; });
  version.seal();
  CHECK(verdict(version.bytes) == Verdict::corrupt);
  IndexFile header(whole);
  header.change_header([](IndexHeader& changed) { changed.zero[7] = 1; });
  header.seal();
  CHECK(verdict(header.bytes) == Verdict::corrupt);
  for (const auto& change : {+[](SectionEntry& entry) { entry.zero[3] = 1; },
                             +[](SectionEntry& entry) { entry.name[20] = 'x'; }}) {
    IndexFile entry(whole);
    entry.change_entry(2, change);
    entry.seal();
    CHECK(verdict(entry.bytes) == Verdict::corrupt);
  }
  IndexFile twice(whole);
  twice.change_entry(twice.find("comments"), [](SectionEntry& entry) {
    std::string("gaps").copy(entry.name, sizeof entry.name);
    std::fill(entry.name + 4, entry.name + sizeof entry.name, '\0');
  });
  twice.seal();
  CHECK(verdict(twice.bytes) == Verdict::corrupt);
}

TEST_CASE("a shard whose text has a code without a symbol is refused when its text is joined") {
  const TemporaryFolder folder;
  ShardManifest manifest;
  for (const char* letters : {"ACD", "MKV"}) {
    IndexFile file(index_of(make_text({letters}, SymbolPolicy::protein)));
    const std::string name = std::string(letters) + ".gsx";
    if (letters[0] == 'M') file.bytes[file.at("text")] = '\xFF';  // codes are 0 to 2
    file.seal();
    folder.write(name, file.bytes);
    manifest.shards.push_back({name, file.bytes.size(), file.header().checksum});
  }
  folder.write("s.gsx", manifest.to_text());
  const Index shards = Index::open_shards(folder / "s.gsx", Load::map, 1);
  CHECK(shards.alphabet().symbols() == "ACDKMV");
  CHECK_THROWS_AS(shards.text(), CorruptIndexError);
}
