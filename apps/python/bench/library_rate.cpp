// Counts and locates a batch of patterns with the library alone, for rates.py to compare with.
//
//   library_rate INDEX PATTERNS LENGTH THREADS ROUNDS
//
// PATTERNS holds patterns of LENGTH letters, one after another. Prints, for each round, the seconds
// of counting and of locating, as wall time and as CPU time of the process.
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "gsx/search.hpp"

namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Work>
void measure(const char* name, const Work& work) {
  const double cpu = cpu_seconds();
  const auto begin = std::chrono::steady_clock::now();
  const std::uint64_t found = work();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  std::cout << name << ' ' << wall.count() << ' ' << cpu_seconds() - cpu << ' ' << found << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::cerr << "usage: library_rate INDEX PATTERNS LENGTH THREADS ROUNDS\n";
    return 2;
  }
  const gsx::Index index = gsx::Index::open(argv[1]);
  std::ifstream file(argv[2], std::ios::binary);
  const std::string letters{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto length = static_cast<std::size_t>(std::atoll(argv[3]));
  std::vector<std::string_view> patterns;
  for (std::size_t at = 0; at + length <= letters.size(); at += length)
    patterns.push_back(std::string_view(letters).substr(at, length));
  gsx::SearchOptions options;
  options.device = "cpu";
  options.threads = std::atoi(argv[4]);
  const gsx::BatchSearcher searcher(index, options);
  for (int round = 0; round < std::atoi(argv[5]); ++round) {
    measure("count", [&] {
      std::uint64_t sum = 0;
      for (const gsx::StrandCounts& counts : searcher.count(patterns))
        sum += counts.total();
      return sum;
    });
    measure("locate", [&] {
      std::vector<gsx::Occurrence> all;
      searcher.locate(patterns, {}, [&](const gsx::HitChunk& chunk) {
        for (const gsx::Hit hit : chunk.hits)
          all.push_back(gsx::occurrence_of(index, hit, length));
      });
      return all.size();
    });
  }
}
