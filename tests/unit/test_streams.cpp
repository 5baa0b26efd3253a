// Rows and codes in chunks: the same for any size of chunks and blocks, and any number of threads.
#include <doctest/doctest.h>

#include <stdexcept>

#include "base/resources.hpp"
#include "device/fallback.hpp"
#include "device/products.hpp"
#include "device/registry.hpp"
#include "gsx/error.hpp"
#include "gsx/suffix_array.hpp"
#include "index/bwt/bwt.hpp"
#include "index/sa/builder.hpp"
#include "support/log_capture.hpp"
#include "support/naive_suffix_array.hpp"
#include "support/texts.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

constexpr std::uint64_t chunk_sizes[] = {1, 7, 1000, unlimited};

/// Collects chunks, which must follow one another without a gap.
class Collector {
 public:
  explicit Collector(std::uint64_t most) : most_(most) {}

  RowSink rows() {
    return [this](const RowChunk& chunk) {
      note(chunk.first, chunk.size());
      wide = !chunk.wide.empty();
      for (std::uint64_t i = 0; i < chunk.size(); ++i) {
        const std::uint64_t position =
            chunk.visit([i](const auto* p) { return std::uint64_t{p[i]}; });
        if (position != chunk[i]) FAIL("visit() and [] differ");
        found.push_back(position);
      }
    };
  }
  CodeSink codes() {
    return [this](const CodeChunk& chunk) {
      note(chunk.first, chunk.codes.size());
      found.insert(found.end(), chunk.codes.begin(), chunk.codes.end());
    };
  }

  std::vector<std::uint64_t> found;
  bool wide = false;
  std::uint64_t chunks = 0;

 private:
  void note(std::uint64_t first, std::uint64_t size) {
    if (first != found.size()) FAIL("a gap between chunks");
    if (size == 0 || size > most_) FAIL("a chunk of a wrong size");
    ++chunks;
  }

  std::uint64_t most_;
};

std::vector<std::uint64_t> naive_codes(const TextView& text,
                                       const std::vector<std::uint64_t>& rows) {
  std::vector<std::uint64_t> codes;
  for (const std::uint64_t p : rows) {
    const bool separator = p == 0 || text.segments.separator_from(p - 1) == p - 1;
    codes.push_back(separator ? Bwt::separator : text.symbols[p - 1]);
  }
  return codes;
}

std::vector<Text> three_texts() {
  Random random(921);
  const std::string letters = "ACDEFGHIKLMNPQRSTVWY";
  std::vector<Text> texts;
  texts.push_back(make_text({random_string(random, 3000, "ACGT"), "A", "", std::string(700, 'G')}));
  texts.push_back(make_text({random_string(random, 2000, letters), "MKV"}, SymbolPolicy::protein));
  texts.push_back(make_text({fibonacci_word(2500, 'a', 'z'), "b#"}, SymbolPolicy::bytes));
  return texts;
}

/// Long enough for several blocks, which have at least 65536 rows.
std::vector<Text> longer_texts() {
  Random random(922);
  const std::uint64_t length = thinned() ? 300'000 : 500'000;
  const std::string letters = "ACDEFGHIKLMNPQRSTVWY";
  std::vector<Text> texts;
  texts.push_back(make_text({random_string(random, length, "ACGT"), "ACGNNT",
                             mutated_copies(random, 900, 100, 300, "ACGT")}));
  texts.push_back(make_text({random_string(random, length, letters)}, SymbolPolicy::protein));
  texts.push_back(make_text({fibonacci_word(length, 'a', 'z'), random_string(random, 5000, "xyz#")},
                            SymbolPolicy::bytes));
  return texts;
}

/// Options that leave room for blocks of a few hundred thousand rows, but not for all rows.
BuildOptions in_blocks(const TextView& text, BuildTarget target, int threads, PositionWidth width) {
  BuildOptions options;
  options.threads = threads;
  options.width = width;
  const std::uint64_t whole = make_cpu_backend()->plan(text, target, options).host_bytes;
  std::uint64_t least = 0;
  for (options.memory.limit = whole - 1; options.memory.limit > 0;
       options.memory.limit -= whole / 16) {
    try {
      least = make_cpu_backend()->plan(text, target, options).host_bytes;
    } catch (const ResourceError&) {
      break;
    }
  }
  options.memory.limit = least;
  return options;
}

}  // namespace

TEST_CASE("streams: rows and codes of a text, in chunks of any size") {
  for (const Text& text : three_texts()) {
    const auto rows = naive_suffix_array(text.view());
    const auto codes = naive_codes(text.view(), rows);
    for (const std::uint64_t most : chunk_sizes) {
      for (const int threads : {1, 3}) {
        const SortOptions options{.device = "cpu", .threads = threads, .rows_at_once = most};
        Collector some_rows(most), some_codes(most);
        stream_suffix_array(text, options, some_rows.rows());
        stream_bwt(text, options, some_codes.codes());
        CHECK(some_rows.found == rows);
        CHECK(some_codes.found == codes);
        if (most == unlimited) CHECK(some_rows.chunks == 1);
        if (most == 1) CHECK(some_codes.chunks == codes.size());
      }
    }
  }
}

TEST_CASE("streams: rows and codes of bytes, one symbol, and nothing") {
  Random random(923);
  for (const std::string& bytes :
       {std::string(), std::string("x"), std::string("banana"), std::string(300, '\0'),
        random_string(random, 2500, "ab"), fibonacci_word(3000, '\xff', '\x01')}) {
    CAPTURE(bytes.size());
    const SuffixArray rows = suffix_array(bytes);
    const BytesBwt whole = bwt(bytes);
    for (const std::uint64_t most : chunk_sizes) {
      const SortOptions options{.device = "cpu", .rows_at_once = most};
      Collector some_rows(most), some_codes(most);
      stream_suffix_array(bytes, options, some_rows.rows());
      CHECK(stream_bwt(bytes, options, some_codes.codes()) == whole.primary);
      REQUIRE(some_rows.found.size() == bytes.size());
      for (std::uint64_t i = 0; i < rows.size(); ++i)
        REQUIRE(some_rows.found[i] == rows[i]);
      CHECK(some_codes.found == std::vector<std::uint64_t>(whole.bytes.begin(), whole.bytes.end()));
    }
  }
}

TEST_CASE("streams: blocks give the same rows and codes as the whole, in both widths") {
  for (const Text& text : longer_texts()) {
    const TextView view = text.view();
    const SaAndBwt whole = build_sa_and_bwt(view, 2);
    for (const PositionWidth width : {PositionWidth::narrow, PositionWidth::wide}) {
      const int threads = width == PositionWidth::wide ? 3 : 1;
      for (const std::uint64_t most : {std::uint64_t{999}, unlimited}) {
        const LogCapture log(spdlog::level::info);
        Collector rows(most), codes(most);
        const auto cpu = make_cpu_backend();
        stream_suffix_array(*cpu, view, in_blocks(view, BuildTarget::suffix_array, threads, width),
                            most, rows.rows());
        CHECK(rows.wide == (width == PositionWidth::wide));
        REQUIRE(rows.found.size() == text.length());
        std::uint64_t wrong = 0;
        for (std::uint64_t i = 0; i < text.length(); ++i)
          wrong += rows.found[i] != whole.sa[i];
        CHECK(wrong == 0);
        CHECK(log.text().find("building the suffix array in blocks") != std::string::npos);
        stream_bwt(*cpu, view, in_blocks(view, BuildTarget::bwt, threads, width), most,
                   codes.codes());
        CHECK((codes.found == std::vector<std::uint64_t>(whole.bwt.begin(), whole.bwt.end())));
        if (most == unlimited) CHECK(std::min(rows.chunks, codes.chunks) > 1);
      }
    }
  }
}

TEST_CASE(
    "streams: with memory for blocks only, a BWT is built and a whole suffix array is refused") {
  const Text text = std::move(longer_texts().front());
  const auto cpu = make_cpu_backend();
  const SaAndBwt whole = build_sa_and_bwt(text.view(), 2);
  BuildOptions options = in_blocks(text.view(), BuildTarget::bwt, 2, PositionWidth::automatic);
  CHECK_THROWS_WITH_AS((void)build_suffix_array(*cpu, text.view(), options),
                       doctest::Contains("too little memory: a whole suffix array takes at least"),
                       ResourceError);
  // The codes take memory besides the blocks.
  CHECK_THROWS_AS((void)build_bwt(*cpu, text.view(), options), ResourceError);
  options.memory.limit += text.length();
  const LogCapture log(spdlog::level::info);
  const Buffer<std::uint8_t> codes = build_bwt(*cpu, text.view(), options);
  CHECK(std::equal(codes.begin(), codes.end(), whole.bwt.begin(), whole.bwt.end()));
  CHECK(log.text().find("building the suffix array in blocks") != std::string::npos);
}

#ifndef GSX_SANITIZED  // sanitizers take memory that no limit foresees
TEST_CASE("streams: under a memory limit, what is given in chunks is sorted in blocks") {
  Random random(924);
  const std::string bytes = random_string(random, 4'000'000, "ACGT");
  const SuffixArray rows = suffix_array(bytes, {.device = "cpu"});
  const BytesBwt whole = bwt(bytes, {.device = "cpu"});
  const auto limited = [&] {
    // Memory for the coded text, the smallest blocks and some more; a whole suffix array takes
    // more.
    return SortOptions{
        .device = "cpu", .threads = 2, .memory_limit = resident_bytes() + bytes.size() * 7 / 2};
  };
  const LogCapture log(spdlog::level::info);
  std::uint64_t next = 0, wrong = 0;
  stream_suffix_array(bytes, limited(), [&](const RowChunk& chunk) {
    wrong += chunk.first != next;
    for (std::uint64_t i = 0; i < chunk.size(); ++i)
      wrong += chunk[i] != rows[next++];
  });
  CHECK(next == rows.size());
  CHECK(wrong == 0);
  CHECK(log.text().find("building the suffix array in blocks") != std::string::npos);
  std::string given;
  given.reserve(bytes.size());
  const std::uint64_t primary = stream_bwt(bytes, limited(), [&](const CodeChunk& chunk) {
    given.append(chunk.codes.begin(), chunk.codes.end());
  });
  CHECK(primary == whole.primary);
  CHECK((given == std::string(whole.bytes.begin(), whole.bytes.end())));
  CHECK_THROWS_AS((void)suffix_array(bytes, limited()), ResourceError);
  CHECK_THROWS_AS(stream_bwt(bytes, {.device = "cpu", .memory_limit = 1}, [](const CodeChunk&) {}),
                  ResourceError);
}
#endif

TEST_CASE(
    "streams: a sink that throws ends the work, whole or in blocks, and no other device runs") {
  struct Enough : std::runtime_error {
    using std::runtime_error::runtime_error;
  };
  const Text text = std::move(longer_texts().front());
  const auto cpu = make_cpu_backend();
  const auto either = make_fallback_backend(make_cpu_backend(), make_cpu_backend());
  BuildOptions whole;
  for (Backend* backend : {cpu.get(), either.get()}) {
    for (const BuildTarget target : {BuildTarget::suffix_array, BuildTarget::bwt}) {
      for (const BuildOptions& options :
           {whole, in_blocks(text.view(), target, 2, PositionWidth::automatic)}) {
        int calls = 0;
        const auto fail_at_third = [&](const auto&) {
          if (++calls == 3) throw ResourceError("the disk is full");
        };
        if (target == BuildTarget::bwt) {
          CHECK_THROWS_WITH_AS(stream_bwt(*backend, text.view(), options, 1000, fail_at_third),
                               "the disk is full", ResourceError);
        } else {
          CHECK_THROWS_WITH_AS(
              stream_suffix_array(*backend, text.view(), options, 1000, fail_at_third),
              "the disk is full", ResourceError);
        }
        CHECK(calls == 3);
      }
    }
  }
  CHECK(either->name() == "cpu");
  CHECK_THROWS_AS(stream_suffix_array(text, {}, [](const RowChunk&) { throw Enough("of it"); }),
                  Enough);
  CHECK_THROWS_AS(stream_bwt("banana", {}, [](const CodeChunk&) { throw Enough("of it"); }),
                  Enough);
}

TEST_CASE("streams: chunks of no rows are refused before anything is sorted") {
  const SortOptions options{.device = "cpu", .rows_at_once = 0};
  const auto rows = [](const RowChunk&) { FAIL("called"); };
  const auto codes = [](const CodeChunk&) { FAIL("called"); };
  const Text text = make_text({"ACGT"});
  for (const std::string_view bytes : {"", "banana"}) {
    CHECK_THROWS_WITH_AS(stream_suffix_array(bytes, options, rows),
                         "rows_at_once is 0, and must be at least 1", UsageError);
    CHECK_THROWS_AS(stream_bwt(bytes, options, codes), UsageError);
  }
  CHECK_THROWS_AS(stream_suffix_array(text, options, rows), UsageError);
  CHECK_THROWS_AS(stream_bwt(text, options, codes), UsageError);
}

TEST_CASE("streams: if a device fails, its chunks are dropped and the second device gives all") {
  /// Gives some chunks, and then fails.
  class Breaking final : public Backend {
   public:
    std::string name() const override { return "breaking"; }
    BuildPlan plan(const TextView&, BuildTarget, const BuildOptions&) override { fail(); }
    FmIndex build_index(const TextView&, const BuildOptions&) override { fail(); }
    void build_rows(const TextView&, const BuildOptions&, const TakeRows& take) override {
      take(SuffixArray(Buffer<std::uint64_t>(3, "test")));
      fail();
    }
    void build_codes(const TextView&, const BuildOptions&, const TakeCodes& take) override {
      take(Buffer<std::uint8_t>(3, "test"));
      fail();
    }

   private:
    [[noreturn]] static void fail() { throw DeviceError("it fell off the bus"); }
  };
  for (const Text& text : three_texts()) {
    const auto either = make_fallback_backend(std::make_unique<Breaking>(), make_cpu_backend());
    const auto expected = naive_suffix_array(text.view());
    Collector rows(100), codes(100);
    stream_suffix_array(*either, text.view(), {}, 100, rows.rows());
    stream_bwt(*either, text.view(), {}, 100, codes.codes());
    CHECK(rows.found == expected);
    CHECK(codes.found == naive_codes(text.view(), expected));
    CHECK(either->name() == "breaking, then cpu");
  }
}
