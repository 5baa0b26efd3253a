// Drives a fuzz target without libFuzzer: runs it on its seeds, on the files and folders named, and
// on any number of mutations of these. Each execution depends only on the seed and its number, so a
// failure can be repeated alone. There is no feedback from coverage.
//
//   fuzz_TARGET [-runs=N] [-seed=S] [-only=K] [FILE | FOLDER]...
//
// Without -seed, the seed is $GSX_SEED or a new one. Put an input that failed into
// tests/fuzz/regressions/TARGET/; every run repeats the inputs there.
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <filesystem>
#include <random>

#include "fuzz/fuzz.hpp"
#include "support/seeds.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
/// Exists only under AddressSanitizer.
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace {

using Random = std::mt19937_64;

constexpr unsigned seconds_an_execution = 60;
constexpr const char* failed_input = "fuzz-failure";

std::uint64_t executions = 0;  // 0 while the seeds and files run unchanged
std::uint64_t seed = 0;
std::string input;

/// Prints what is needed to repeat the execution. Also called from signal handlers, for lack of a
/// better place.
void report() {
  std::fprintf(stderr,
               "fuzz: execution %llu with seed %llu failed; its input is in %s, and -seed=%llu "
               "-only=%llu repeats it\n",
               static_cast<unsigned long long>(executions), static_cast<unsigned long long>(seed),
               failed_input, static_cast<unsigned long long>(seed),
               static_cast<unsigned long long>(executions));
  if (std::FILE* file = std::fopen(failed_input, "wb")) {
    std::fwrite(input.data(), 1, input.size(), file);
    std::fclose(file);
  }
}

void end_by_signal(int number) {
  signal(number, SIG_DFL);
  report();
  raise(number);
}

std::uint64_t below(Random& random, std::uint64_t limit) {
  return limit == 0 ? 0 : random() % limit;
}

/// A number at which sizes and offsets often go wrong.
std::uint64_t awkward_number(Random& random) {
  const std::uint64_t power = std::uint64_t{1} << below(random, 64);
  switch (below(random, 6)) {
    case 0:
      return power;
    case 1:
      return power - 1;
    case 2:
      return ~power;
    case 3:
      return ~std::uint64_t{0} - below(random, 70);
    case 4:
      return below(random, 300);
    default:
      return random();
  }
}

void mutate(std::string& bytes, const std::vector<std::string>& pool,
            const std::vector<std::string>& tokens, Random& random) {
  const std::size_t size = bytes.size();
  const std::size_t at = below(random, size + 1);
  const std::size_t piece = std::min<std::size_t>(size - at, 1 + below(random, 70));
  switch (below(random, 10)) {
    case 0:  // a bit
      if (at < size) bytes[at] = static_cast<char>(bytes[at] ^ 1 << below(random, 8));
      break;
    case 1:  // a byte
      if (at < size) bytes[at] = static_cast<char>(random());
      break;
    case 2:
    case 3: {  // a number, aligned as numbers in files are
      const std::size_t width = std::size_t{1} << below(random, 4);
      const std::size_t aligned = at / width * width + 1;  // after the byte of flags
      const std::uint64_t number = awkward_number(random);
      if (aligned + width <= size) std::memcpy(bytes.data() + aligned, &number, width);
      break;
    }
    case 4:
      bytes.erase(at, piece);
      break;
    case 5:
      bytes.insert(below(random, size + 1), bytes.substr(at, piece));
      break;
    case 6:
      if (!tokens.empty()) bytes.insert(at, tokens[below(random, tokens.size())]);
      break;
    case 7: {  // a piece of another input, at the same place or at any other
      const std::string& other = pool[below(random, pool.size())];
      const std::size_t from = below(random, 2) == 0 ? at : below(random, other.size() + 1);
      if (from < other.size()) bytes.replace(at, piece, other.substr(from, piece));
      break;
    }
    case 8: {  // exchange two pieces
      const std::size_t to = below(random, size + 1);
      for (std::size_t i = 0; i < piece && to + i < size; ++i)
        std::swap(bytes[at + i], bytes[to + i]);
      break;
    }
    default:
      bytes.resize(below(random, 8) == 0 ? at : size);
      break;
  }
}

std::vector<std::string> read_pool(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::vector<std::string> pool = gsx::fuzzing::seeds();
  for (const std::string& path : paths) {
    if (!fs::is_directory(path)) {
      pool.push_back(gsx::testing::read_file(path));
      continue;
    }
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path))
      names.push_back(entry.path().string());
    std::sort(names.begin(), names.end());
    for (const std::string& name : names)
      pool.push_back(gsx::testing::read_file(name));
  }
  return pool;
}

void execute() {
  alarm(seconds_an_execution);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

}  // namespace

int main(int argc, char** argv) try {
  std::uint64_t runs = 10'000, only = 0;
  bool seeded = false;
  std::vector<std::string> paths;
  for (int i = 1; i < argc; ++i) {
    unsigned long long number = 0;
    if (std::sscanf(argv[i], "-runs=%llu", &number) == 1) {
      runs = number;
    } else if (std::sscanf(argv[i], "-seed=%llu", &number) == 1) {
      seed = number;
      seeded = true;
    } else if (std::sscanf(argv[i], "-only=%llu", &number) == 1) {
      only = number;
    } else {
      paths.emplace_back(argv[i]);
    }
  }
  if (!seeded) seed = gsx::testing::run_seed();
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM})
    signal(number, end_by_signal);
  if (__sanitizer_set_death_callback != nullptr) {
    __sanitizer_set_death_callback(report);
  } else {  // allocations that no small input can justify fail
    const rlimit limit = {rlim_t{2} << 30, rlim_t{2} << 30};
    setrlimit(RLIMIT_AS, &limit);
  }
  const std::vector<std::string> pool = read_pool(paths);
  const std::vector<std::string> tokens = gsx::fuzzing::tokens();
  for (const std::string& whole : pool) {
    input = whole;
    execute();
  }
  for (executions = 1; executions <= runs; ++executions) {
    if (only != 0 && executions != only) continue;
    Random random(seed << 40 ^ executions);
    input = pool[below(random, pool.size())];
    const std::uint64_t most = below(random, 2) == 0 ? 1 : 8;
    for (std::uint64_t changes = 1 + below(random, most); changes > 0; --changes)
      mutate(input, pool, tokens, random);
    execute();
  }
  std::printf("%llu executions with seed %llu, and %zu inputs as they are\n",
              static_cast<unsigned long long>(runs), static_cast<unsigned long long>(seed),
              pool.size());
} catch (const std::exception& error) {
  std::fprintf(stderr, "fuzz: %s\n", error.what());
  report();
  return 1;
}
