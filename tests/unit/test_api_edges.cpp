// The public headers at their edges: moved objects, refused options, short memory, few threads.
#include <doctest/doctest.h>
#include <sys/resource.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/machine.hpp"
#include "device/first_or_second.hpp"
#include "device/registry.hpp"
#include "gsx/search.hpp"
#include "gsx/suffix_array.hpp"
#include "search/exact/cpu_searcher.hpp"
#include "support/files.hpp"
#include "support/public_text.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

Index index_of(std::string_view symbols, const IndexOptions& options = {.device = "cpu"}) {
  return build_index(text_of(symbols), options);
}

/// Leaves this process `bytes` more addresses than it has, while it lives.
class AddressLimit {
 public:
  explicit AddressLimit(std::uint64_t bytes) {
    getrlimit(RLIMIT_AS, &before_);
    rlimit limit = before_;
    limit.rlim_cur = machine_facts().address_space_used + bytes;
    setrlimit(RLIMIT_AS, &limit);
  }
  AddressLimit(const AddressLimit&) = delete;
  AddressLimit& operator=(const AddressLimit&) = delete;
  ~AddressLimit() { setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_{};
};

/// Works in another folder while it lives.
class WorkingFolder {
 public:
  explicit WorkingFolder(const std::string& path) { std::filesystem::current_path(path); }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;
  ~WorkingFolder() { std::filesystem::current_path(before_); }

 private:
  std::filesystem::path before_ = std::filesystem::current_path();
};

template <class... Arguments>
concept CanOpen = requires(const std::string& path, Arguments... arguments) {
  Index::open(path, arguments...);
};
static_assert(CanOpen<> && CanOpen<Load> && CanOpen<Load, int>);
static_assert(!CanOpen<int> && !CanOpen<int, Load>, "threads do not pass for a way to load");

static_assert(!std::is_constructible_v<Cursor, Index>, "the index would be gone at once");
static_assert(std::is_constructible_v<Cursor, const Index&>);
static_assert(!std::is_copy_constructible_v<Index> && std::is_nothrow_move_constructible_v<Index>);

}  // namespace

TEST_CASE("edges: a kmer_length that no index can have is refused before the build") {
  std::string letters = "ACDEFGHIKLMNPQRSTVWY";
  for (const std::uint32_t k : {13u, 14u, 16u, 20u, ~0u}) {
    CAPTURE(k);
    CHECK_THROWS_WITH_AS(index_of("ACGTACGT", {.device = "cpu", .kmer_length = k}),
                         doctest::Contains("must be at most 12 for an alphabet of 4 symbols"),
                         UsageError);
  }
  CHECK_THROWS_WITH_AS(index_of(letters, {.device = "cpu", .kmer_length = 6}),
                       doctest::Contains("must be at most 5 for an alphabet of 20 symbols"),
                       UsageError);
  for (const std::uint32_t k : {0u, 1u, 8u}) {
    const Index index = index_of("ACGTACGTAC", {.device = "cpu", .kmer_length = k});
    CHECK(index.meta().kmer_length == k);
    CHECK(count(index, "ACGTAC", Strands::forward).total() == 2);
  }
}

TEST_CASE("edges: a suffix array that was moved from is empty") {
  SuffixArray rows = suffix_array("banana", {.device = "cpu"});
  SuffixArray moved = std::move(rows);
  CHECK(moved.size() == 6);
  CHECK(moved[0] == 5);
  CHECK(rows.size() == 0);  // NOLINT(bugprone-use-after-move): what this is about
  rows = std::move(moved);
  CHECK(rows.size() == 6);
  CHECK(rows[0] == 5);
  CHECK(moved.size() == 0);  // NOLINT(bugprone-use-after-move)
  moved = suffix_array("abc", {.device = "cpu"});
  CHECK(moved.size() == 3);
}

TEST_CASE("edges: 0 threads are as many as the process may run, everywhere") {
  CHECK(threads_for(0) == available_threads());
  CHECK(threads_for(-1) == available_threads());
  CHECK(threads_for(3) == 3);
  CHECK(ReadTextOptions().threads == 0);
  const TemporaryFolder folder;
  Random random(71);
  const std::string symbols = random_string(random, 50'000, "ACGT");
  folder.write("g.fa", ">one\n" + symbols + '\n');
  index_of(symbols).save(folder / "g.gsx");
  for (const int threads : {0, -1, 2}) {
    ReadTextOptions options;
    options.threads = threads;
    CHECK(read_text({folder / "g.fa"}, options, {}).length() == 50'001);
    CHECK(text_of(symbols, options).length() == 50'001);
    CHECK(Index::open(folder / "g.gsx", Load::read, threads).meta().length == 50'001);
    CHECK(build_index(text_of(symbols), {.device = "cpu", .threads = threads}).meta().length ==
          50'001);
  }
  CHECK(Index::open(folder / "g.gsx").is_mapped());
  std::string bytes = folder.read("g.gsx");
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  folder.write("bad.gsx", bytes);
  CHECK_THROWS_AS(Index::open(folder / "bad.gsx"), CorruptIndexError);
  const Index lazy = Index::open(folder / "bad.gsx", Load::lazy);
  CHECK_THROWS_AS(lazy.check_content(), CorruptIndexError);
}

TEST_CASE("edges: what refers to an index stays valid when the Index moves") {
  Index first = index_of("ACGTACGGACGT");
  Cursor cursor(first);
  const BatchSearcher searcher(first, {.device = "cpu", .threads = 1});
  const RecordsView& records = first.records();
  const FmView& fm = first.fm();
  auto moved = std::make_unique<Index>(std::move(first));
  const std::string_view pattern = "ACG";
  CHECK(searcher.count({&pattern, 1}, Strands::forward)[0].total() == 3);
  CHECK(cursor.extend_left('G'));
  CHECK(cursor.extend_left('C'));
  CHECK(cursor.count() == 3);
  CHECK(cursor.occurrence(0).record == 0);
  CHECK(records.name(0) == "one");
  CHECK(fm.rows() == 13);
  first = index_of("TTTT");
  CHECK(count(first, "TT", Strands::forward).total() == 3);
  CHECK(count(*moved, "TT").total() == 0);
  moved.reset();
  CHECK(searcher.count({&pattern, 1}, Strands::forward)[0].total() == 3);  // it owns the index, too
}

TEST_CASE("edges: a searcher keeps an index that nobody else has") {
  const BatchSearcher searcher(index_of("ACGTACGGACGT"), {.device = "cpu", .threads = 2});
  const std::string_view pattern = "ACG";
  CHECK(searcher.count({&pattern, 1}, Strands::forward)[0].total() == 3);
  const Index index = index_of("ACGT");
  const Index other = index.share();
  CHECK(&other.meta() == &index.meta());
}

TEST_CASE("edges: an index is saved to the path that is given, whatever it is called") {
  const TemporaryFolder folder;
  const WorkingFolder inside(folder.path());
  const Index index = index_of("ACGTACGGACGT");
  index.save("-");
  CHECK(folder.names() == std::vector<std::string>{"-"});
  CHECK(count(Index::open("./-"), "ACGG", Strands::forward).total() == 1);
  CHECK_THROWS_AS(index.save(""), UsageError);
  CHECK(folder.names() == std::vector<std::string>{"-"});
}

TEST_CASE("edges: an empty sink is refused") {
  const Index index = index_of("ACGTACGGACGT");
  const BatchSearcher searcher(index, {.device = "cpu", .threads = 1});
  const std::string_view pattern = "ACG";
  CHECK_THROWS_AS(searcher.locate({&pattern, 1}, {}, HitSink()), UsageError);
  CHECK_THROWS_AS(stream_suffix_array("banana", {.device = "cpu"}, RowSink()), UsageError);
  CHECK_THROWS_AS(stream_suffix_array(text_of("ACGT"), {.device = "cpu"}, RowSink()), UsageError);
  CHECK_THROWS_AS(stream_bwt("banana", {.device = "cpu"}, CodeSink()), UsageError);
  CHECK_THROWS_AS(stream_bwt(text_of("ACGT"), {.device = "cpu"}, CodeSink()), UsageError);
}

#ifndef GSX_SANITIZED  // their allocators end the process
TEST_CASE("edges: short memory is a ResourceError, whoever finds it") {
  constexpr std::uint64_t mega = std::uint64_t{1} << 20;
  const Index index = index_of("ACGTACGGACGT");
  const std::vector<std::string_view> patterns(5'000'000, "ACG");
  const std::string name(100 * mega, 'n');
  const BatchSearcher searcher(index, {.device = "cpu", .threads = 1});
  bool counted = false, made = false;
  {
    const AddressLimit limit(16 * mega);
    try {
      (void)searcher.count(patterns);
    } catch (const ResourceError&) {
      counted = true;
    }
    try {
      const Sequence one{.name = name, .symbols = "ACGT"};
      (void)gsx::make_text({&one, 1});
    } catch (const ResourceError&) {
      made = true;
    }
  }
  CHECK(counted);
  CHECK(made);
  CHECK(searcher.count(std::span(patterns).first(10))[9].total() == 5);
}

TEST_CASE("edges: a text takes less memory than a copy of a long sequence") {
  constexpr std::uint64_t mega = std::uint64_t{1} << 20;
  const std::string symbols(128 * mega, 'A');
  std::optional<Text> text;
  {
    const AddressLimit limit(112 * mega);
    CHECK_NOTHROW(text = text_of(symbols));
  }
  REQUIRE(text);
  CHECK(text->length() == 128 * mega + 1);
}
#endif

TEST_CASE("edges: a text does not depend on the pieces in which sequences are taken") {
  Random random(72);
  std::vector<std::string> symbols = {random_string(random, 500, "ACGTNacgtn"), "",  "NNNN",
                                      random_string(random, 77, "ACGTR"),       "a", ""};
  std::vector<Sequence> sequences;
  for (const std::string& one : symbols)
    sequences.push_back({.name = "r", .symbols = one, .comment = "of a test"});
  ReadTextOptions options;
  options.text.soft_mask = SoftMaskPolicy::keep;
  const auto image = [&](std::uint64_t block) {
    options.block_bytes = block;
    const TemporaryFolder folder;
    build_index(gsx::make_text(sequences, options), {.device = "cpu"}).save(folder / "g.gsx");
    return folder.read("g.gsx");
  };
  const std::string whole = image(1 << 20);
  for (const std::uint64_t block : {0, 1, 2, 7, 64, 499, 500, 501})
    CHECK(image(block) == whole);
}

TEST_CASE("edges: make_text names the record that is wrong, whatever the pieces") {
  const std::string good(100, 'A'), bad = std::string(50, 'C') + "!";
  const std::vector<Sequence> sequences = {{.name = "a", .symbols = good},
                                           {.name = "b", .symbols = good},
                                           {.name = "c", .symbols = bad}};
  for (const std::uint64_t block : {1, 10, 100, 1000}) {
    ReadTextOptions options;
    options.block_bytes = block;
    CHECK_THROWS_WITH_AS(gsx::make_text(sequences, options), doctest::Contains("record 3"),
                         InputError);
  }
}

TEST_CASE("edges: auto leaves small texts to the CPU, and a searcher says what works") {
  CHECK(BatchSearcher(index_of("ACGT")).device() == "cpu");
  CHECK(BatchSearcher(index_of("ACGT"), {.device = "cpu"}).device() == "cpu");
}

TEST_CASE("edges: the second device takes over from one that has no host memory") {
  struct Worker {
    bool fails;
  };
  FirstOrSecond<Worker> devices(std::make_unique<Worker>(true), std::make_unique<Worker>(false));
  const int answer = devices.ask([](Worker& worker) {
    if (worker.fails) throw std::bad_alloc();
    return 7;
  });
  CHECK(answer == 7);
  CHECK(devices.failed());
}

TEST_CASE("edges: the ranks of an index in memory are not copied, those of a mapped one are") {
  const TemporaryFolder folder;
  const Index built = index_of("ACGTACGGACGT");
  built.save(folder / "g.gsx");
  const Index mapped = Index::open(folder / "g.gsx");
  const Index read = Index::open(folder / "g.gsx", Load::read);
  const std::vector<std::uint8_t> codes(1000, 0);
  const std::vector<std::uint64_t> ends = {500, 1000};
  for (const Index* index : {&built, &mapped, &read}) {
    const CpuSearcher searcher(*index, {}, best_cpu_path(), 1);
    std::vector<StrandCounts> counts;
    for (int i = 0; i < 3; ++i)
      searcher.count({codes, ends}, Strands::both, counts);
    CHECK(searcher.is_copied() == index->is_mapped());
  }
}
