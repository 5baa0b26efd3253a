// The library leaves its host process unchanged, whatever it is asked to do.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <locale>
#include <map>
#include <optional>
#include <sstream>
#include <thread>

#include "gsx/arrays.hpp"
#include "gsx/barcodes.hpp"
#include "gsx/error.hpp"
#include "gsx/guides.hpp"
#include "gsx/index.hpp"
#include "gsx/mappability.hpp"
#include "gsx/matches.hpp"
#include "gsx/primers.hpp"
#include "gsx/repeats.hpp"
#include "gsx/search.hpp"
#include "gsx/suffix_array.hpp"
#include "support/files.hpp"
#include "support/process_facts.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Redirects the standard streams to files while it lives.
class StreamsAside {
 public:
  StreamsAside() {
    std::fflush(nullptr);
    for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) {
      saved_[fd] = fcntl(fd, F_DUPFD_CLOEXEC, 100);
      const int file = open((folder_ / std::to_string(fd)).c_str(), O_RDWR | O_CREAT, 0600);
      dup2(file, fd);
      close(file);
    }
  }
  ~StreamsAside() {
    std::fflush(nullptr);
    for (const auto& [fd, saved] : saved_) {
      dup2(saved, fd);
      close(saved);
    }
  }
  StreamsAside(const StreamsAside&) = delete;
  StreamsAside& operator=(const StreamsAside&) = delete;
  std::string written() const {
    std::fflush(nullptr);
    return folder_.read("1") + folder_.read("2");
  }

 private:
  TemporaryFolder folder_;
  std::map<int, int> saved_;
};

/// A text of a few records, always the same.
struct Records {
  std::string first, second, fasta;
  Records() {
    Random random(77);
    first = random_string(random, 30'000, "ACGT");
    second = mutated_copies(random, 300, 8, 40, "ACGT");
    fasta = ">one first\n" + first + "\nNNNN\n>two\n" + second + '\n';
  }
  std::vector<Sequence> sequences() const { return {{"one", first, "first"}, {"two", second}}; }
};

/// The kind of error that the work ends with; 0 if there is none.
template <class Work>
int kind_of_error(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return static_cast<int>(error.kind());
  }
  return 0;
}

/// What the library answered, for comparison.
struct Answers {
  std::string text;
  template <class... Values>
  void add(const Values&... values) {
    text += words(values...) + '\n';
  }
};

void use_text(const TemporaryFolder& folder, const Records& records, Answers& answers) {
  folder.write("g.fa", records.fasta);
  write_gzip(folder / "g.fa.gz", records.fasta);
  write_bgzf(folder / "b.fa.gz", records.fasta);
  for (const char* file : {"g.fa", "g.fa.gz", "b.fa.gz"}) {
    const Text text = read_text({folder / file});
    answers.add(file, text.length(), suffix_array(text, {.device = "cpu"})[9]);
    answers.add(bwt(text, {.device = "cpu", .threads = 3}).size());
    answers.add(inverse_bwt("annb$aa", '$', {.device = "cpu", .threads = 3}).size());
  }
  const SuffixArray rows = suffix_array(records.first, {.device = "cpu"});
  answers.add(rows[77], inverse_suffix_array(rows)[rows[77]]);
  answers.add(bwt(records.second, {.device = "cpu"}).primary);
  rows.visit([&](const auto* entries) {
    const std::span values(entries, rows.size());
    std::vector<std::uint64_t> left(values.size());
    arrays::nearest_smaller(values, left, {}, {}, 3);
    const WaveletSequence sequence(values, WaveletShape::huffman, 3);
    arrays::access(sequence, std::vector<std::uint64_t>{77}, std::span(left).first(1), 3);
    answers.add(left[0]);
    answers.add(left[99], RangeMinima(values, 3).view().leftmost(3, 77));
    const std::uint32_t bits = arrays::bits_needed(values, 3);
    const PackedArray stream = arrays::pack(values, bits, 3);
    const InterleavedArray interleaved = arrays::pack_interleaved(values, bits, 3);
    arrays::unpack(stream.view(), 0, left, 3);
    answers.add(bits, left[99], stream.view()[77], interleaved.view()[77]);
    arrays::unpack(interleaved.view(), 0, left, 3);
    answers.add(left[99], kind_of_error([&] { arrays::pack(values, bits - 1, 3); }));
    answers.add(kind_of_error([&] { arrays::unpack(stream.view(), 1, left, 3); }));
  });
}

void use_sets(Answers& answers) {
  Random random(17);
  std::vector<std::string> sequences;
  for (int i = 0; i < 20'000; ++i)
    sequences.push_back(random_string(random, 8, "ACGT"));
  const std::vector<std::string_view> views(sequences.begin(), sequences.end());
  const SequenceSet set = make_sequence_set(views, {}, 3);
  const NeighborSearchOptions options{.threads = 3};
  answers.add(set.size(), neighbor_pairs(set, options).size());
  answers.add(sequence_clusters(set, options).list.size(), corrections(set, options)[99].target);
  answers.add(kind_of_error([&] { neighbor_pairs(set, {.distance = 3}); }));
  const PrefixSet entries{std::span(views).first(1)};
  answers.add(longest_prefixes(entries, views, 3)[0], kind_of_error([&] {
                const PrefixSet twice(std::vector<std::string_view>{"A", "A"});
              }));
}

void use_repeats(const Records& records, Answers& answers) {
  const Text text = gsx::make_text(records.sequences());
  const SuffixArray rows = suffix_array(text, {.device = "cpu", .threads = 3});
  const LcpArray lcp = lcp_array(text, rows, 3);
  answers.add(lcp.size(), common_extensions(text, rows, lcp, 3)(30'001, 30'301));
  const RepeatOptions options{.sort = {.device = "cpu", .threads = 3}};
  std::uint64_t repeats = 0, pairs = 0;
  find_repeats(text, {.min_length = 40}, options, [&](const RepeatedString&) { ++repeats; });
  find_repeat_pairs(text, 40, options, [&](const OccurrencePair&) { ++pairs; });
  answers.add(repeats, pairs, dot_plot(text, 40, options).size());
  answers.add(kind_of_error([&] { find_repeats(text, {.min_length = 0}, options, {}); }));
  const MappabilityOptions unique{.sort = options.sort};
  answers.add(mappability(text, 20, {}, unique)[0][99], kmer_frequencies(text, 9, unique)[0][99]);
  answers.add(shortest_unique(text, unique)[0][99], kmer_spectrum(text, unique).size());
  answers.add(kind_of_error([&] { mappability(text, 0, {}, unique); }));
}

void use_index(const Index& index, const Records& records, Answers& answers) {
  index.check_content(2);
  index.require_unchanged();
  answers.add(count(index, "ACG").total(), locate(index, "ACGTA").size(), extract(index, 1, 3, 99));
  Cursor cursor(index);
  cursor.extend_left('A');
  answers.add(cursor.occurrence(0).begin);
  const std::vector<std::string_view> patterns(10'000,
                                               std::string_view(records.first).substr(5, 9));
  const BatchSearcher searcher(index, {.device = "cpu", .threads = 3});
  answers.add(searcher.count(patterns)[9'999].total());
  std::uint64_t hits = 0;
  searcher.locate(patterns, {}, [&](const HitChunk& chunk) { hits += chunk.hits.size(); });
  answers.add(hits);
  std::vector<std::string_view> guides;
  for (std::size_t i = 0; i < 200; ++i)
    guides.push_back(std::string_view(records.first).substr(100 * i, 20));
  const GuideSearcher guide_searcher(index, {.device = "cpu", .threads = 3});
  std::uint64_t sites = 0;
  guide_searcher.locate(guides, {.mismatches = 5},
                        [&](const ScoredHitChunk& chunk) { sites += chunk.hits.size(); });
  answers.add(sites);
  const std::vector<PrimerPair> pairs(200, {"p", std::string(guides[0]), std::string(guides[1])});
  const AmpliconSearcher amplicon_searcher(index, {.device = "cpu", .threads = 3});
  std::uint64_t chunks = 0;
  amplicon_searcher.find(pairs, {.mismatches = 4}, [&](const AmpliconChunk&) { ++chunks; });
  answers.add(chunks);
  const BatchSearcher within(index, {.device = "cpu",
                                     .threads = 3,
                                     .circular = {0},
                                     .regions = std::vector<RecordRange>{{0, 0, 99}}});
  answers.add(within.count(patterns)[9'999].total());
  find_repeats(index, {.min_length = 40}, {.sort = {.device = "cpu", .threads = 3}},
               [&](const RepeatedString&) { ++chunks; });
  const MaximalMatchSearcher matches(index, {.device = "cpu", .threads = 3});
  answers.add(chunks, matches.which_match(guides, {.min_length = 15}).size());
}

void fail_in_all_ways(const TemporaryFolder& folder, const Index& index, Answers& answers) {
  folder.write("bad.fa", ">a\nAC!GT\n");
  folder.write("empty.fa", "");
  folder.write("cut.fa.gz", folder.read("g.fa.gz").substr(0, 5'000));
  folder.write("cut.b.gz", folder.read("b.fa.gz").substr(0, 5'000));
  folder.write("foreign.gsx", "no index at all");
  std::string bytes = folder.read("g.gsx");
  folder.write("cut.gsx", bytes.substr(0, bytes.size() / 2));
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  folder.write("bad.gsx", bytes);
  for (const char* file : {"none.fa", "bad.fa", "empty.fa", "cut.fa.gz", "cut.b.gz", "."})
    answers.add(file, kind_of_error([&] { read_text({folder / file}); }));
  for (const char* file : {"none.gsx", "foreign.gsx", "cut.gsx", "bad.gsx", "."}) {
    for (const Load load : {Load::map, Load::read})
      answers.add(file, kind_of_error([&] { Index::open(folder / file, load, 2); }));
  }
  for (const std::string& file : {std::string("/dev/full"), folder / "none/g.gsx"})
    answers.add(file == "/dev/full", kind_of_error([&] { index.save(file); }));
  const Records records;
  answers.add(
      kind_of_error([&] { build_index(gsx::make_text(records.sequences()), {.device = "x"}); }));
  answers.add(kind_of_error([&] {
    build_index(gsx::make_text(records.sequences()), {.device = "cpu", .memory_limit = 1});
  }));
  struct Enough {};
  int thrown = 0;
  try {
    build_index(gsx::make_text(records.sequences()),
                {.device = "cpu", .progress = [](const char*, double) { throw Enough(); }});
  } catch (const Enough&) {
    ++thrown;
  }
  const BatchSearcher searcher(index, {.device = "cpu", .threads = 2});
  const std::vector<std::string_view> patterns(10'000, "AC");
  try {
    searcher.locate(patterns, {}, [](const HitChunk&) { throw Enough(); });
  } catch (const Enough&) {
    ++thrown;
  }
  answers.add(thrown);
}

/// Calls all public functions, in ways that succeed and in ways that fail.
std::string use_everything() {
  const TemporaryFolder folder;
  const Records records;
  Answers answers;
  use_text(folder, records, answers);
  use_repeats(records, answers);
  use_sets(answers);
  const Index built =
      build_index(gsx::make_text(records.sequences()), {.device = "cpu", .threads = 2});
  built.save(folder / "g.gsx");
  use_index(built, records, answers);
  for (const Load load : {Load::map, Load::read, Load::lazy})
    use_index(Index::open(folder / "g.gsx", load, 2), records, answers);
  fail_in_all_ways(folder, built, answers);
  std::string names;
  for (const std::string& name : folder.names())
    names += name + ' ';
  answers.add(names);
  return answers.text + folder.read("g.gsx");
}

/// Sets an environment variable while it lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value, 1);
  }
  ~Variable() {
    if (before_) {
      setenv(name_, before_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

void handler_of_the_host(int) {}

}  // namespace

TEST_CASE("process: the library leaves no trace in the process, and prints nothing") {
  std::thread([] {}).join();  // ThreadSanitizer starts one of its own beside the first
  struct sigaction action {};
  struct sigaction before_usr1 {};
  struct sigaction before_pipe {};
  action.sa_handler = handler_of_the_host;
  sigaction(SIGUSR1, &action, &before_usr1);
  sigaction(SIGPIPE, &action, &before_pipe);
  Facts before, after;
  std::string written, answers;
  std::size_t threads_before = 0, threads_after = 0;
  int drawn = 0;
  {
    const StreamsAside aside;
    before = facts_of_process();
    threads_before = thread_count();
    for (int i = 0; i < 20; ++i) {  // until the one above is off the kernel's list
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      threads_before = std::min(threads_before, thread_count());
    }
    std::srand(7);
    answers = use_everything();
    drawn = std::rand();
    after = facts_of_process();
    written = aside.written();
    // A joined thread may be on the kernel's list a moment longer.
    for (int i = 0; i < 1000 && (threads_after = thread_count()) != threads_before; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  sigaction(SIGUSR1, &before_usr1, nullptr);
  sigaction(SIGPIPE, &before_pipe, nullptr);
  CHECK(written == "");
  CHECK(before.size() > 100);
  for (const auto& [name, fact] : before) {
    CAPTURE(name);
    CHECK(after[name] == fact);
  }
  CHECK(after.size() == before.size());
  CHECK(threads_after == threads_before);
  std::srand(7);
  CHECK(drawn == std::rand());
  CHECK(answers.find(".tmp") == std::string::npos);
}

TEST_CASE(
    "process: no environment variable and no locale of the host changes what the library does") {
  const std::string usual = use_everything();
  /// Writes numbers as 1.234,5.
  class Points final : public std::numpunct<char> {
    char do_thousands_sep() const override { return '.'; }
    char do_decimal_point() const override { return ','; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::string locale_before = setlocale(LC_ALL, nullptr);
  const std::locale before = std::locale::global(std::locale(std::locale(), new Points));
  std::string changed;
  {
    const Variable cpu("GSX_CPU", "z80"), folder("TMPDIR", "/tmp/"), index("GSX_INDEX", "/none"),
        limit("GSX_MEMORY_LIMIT", "1"), gpu("GSX_GPU_MEMORY", "1"), level("SPDLOG_LEVEL", "trace");
    for (const char* name : {"de_DE.UTF-8", "tr_TR.UTF-8", "C.UTF-8"})
      if (setlocale(LC_ALL, name) != nullptr) break;
    const StreamsAside aside;
    changed = use_everything();
    changed += aside.written();
  }
  std::locale::global(before);
  setlocale(LC_ALL, locale_before.c_str());
  CHECK((changed == usual));
}

TEST_CASE(
    "process: an index that was read into memory outlives its file's cutting and overwriting") {
  const TemporaryFolder folder;
  const Records records;
  const std::string path = folder / "g.gsx";
  build_index(gsx::make_text(records.sequences()), {.device = "cpu"}).save(path);
  const std::string bytes = folder.read("g.gsx");
  const Index index = Index::open(path, Load::read, 2);
  Answers expected;
  use_index(index, records, expected);
  const BatchSearcher searcher(index, {.device = "cpu", .threads = 2});
  const std::string_view pattern = std::string_view(records.first).substr(5, 9);
  const std::uint64_t times = searcher.count({&pattern, 1})[0].total();
  const auto check = [&] {
    Answers answers;
    use_index(index, records, answers);
    CHECK(answers.text == expected.text);
    CHECK(searcher.count({&pattern, 1})[0].total() == times);
    index.save(folder / "again.gsx");
    CHECK((folder.read("again.gsx") == bytes));
  };
  std::filesystem::resize_file(path, bytes.size() / 2);
  check();
  std::filesystem::resize_file(path, 0);
  check();
  folder.write("g.gsx", std::string(bytes.size(), 'x'));
  check();
  std::filesystem::remove(path);
  check();
}
