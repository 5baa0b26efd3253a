#include "bench/cpu_ceilings.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/bits.hpp"
#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "base/resources.hpp"

namespace gsx {
namespace {

struct alignas(64) Line {
  std::uint64_t words[8];
};

Buffer<Line> make_lines(std::uint64_t bytes, int threads) {
  Buffer<Line> lines(bytes / sizeof(Line), "measuring memory");
  parallel_for(threads, 64, [&](std::uint64_t part, int) {
    const Slice slice = slice_of(lines.size(), 64, part);
    for (std::uint64_t i = slice.begin; i < slice.end; ++i)
      lines[i].words[0] = i;
  });
  return lines;
}

Ceiling measure_copy(int threads) {
  const Buffer<Line> from = make_lines(std::uint64_t{256} << 20, threads);
  Buffer<Line> to = make_lines(std::uint64_t{256} << 20, threads);
  double best = 1e9;
  for (int round = 0; round < 4; ++round) {
    const Stopwatch watch;
    parallel_for(threads, 64, [&](std::uint64_t part, int) {
      const Slice slice = slice_of(from.size(), 64, part);
      std::memcpy(to.data() + slice.begin, from.data() + slice.begin,
                  (slice.end - slice.begin) * sizeof(Line));
    });
    best = std::min(best, watch.seconds());
  }
  return {"copy, read + write", 2.0 * static_cast<double>(from.bytes()) / best, "B/s"};
}

Ceiling measure_lines(const char* name, std::uint64_t bytes, int threads) {
  const Buffer<Line> lines = make_lines(bytes, threads);
  constexpr std::uint64_t reads = std::uint64_t{1} << 24;  // per thread
  constexpr std::size_t batch = 32;
  const int shift = 64 - bit_length(lines.size() - 1);  // sizes are powers of two
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(threads));
  const Stopwatch watch;
  run_threads(threads, [&](int thread) {
    std::uint64_t state = static_cast<std::uint64_t>(thread) + 1, sum = 0;
    std::uint64_t next[batch];
    for (std::uint64_t done = 0; done < reads; done += batch) {
      for (std::uint64_t& index : next) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        index = state >> shift;
        __builtin_prefetch(&lines[index]);
      }
      for (const std::uint64_t index : next)
        sum += lines[index].words[0];
    }
    sums[static_cast<std::size_t>(thread)] = sum;  // keeps the compiler from removing the reads
  });
  const double rate = static_cast<double>(reads) * threads / watch.seconds();
  return {name, sums[0] == 1 ? 0 : rate, "lines/s", bytes};
}

}  // namespace

std::vector<Ceiling> measure_cpu_ceilings(int threads, std::uint64_t bytes) {
  constexpr std::pair<const char*, std::uint64_t> tables[] = {
      {"random 64-byte lines of 16 MB", 16},
      {"random 64-byte lines of 64 MB", 64},
      {"random 64-byte lines of 256 MB", 256},
      {"random 64-byte lines of 512 MB", 512},
      {"random 64-byte lines of 1 GB", 1024}};
  std::vector<Ceiling> ceilings = {measure_copy(threads)};
  for (const auto& [name, megabytes] : tables) {
    ceilings.push_back(measure_lines(name, megabytes << 20, threads));
    if (ceilings.back().bytes >= bytes) break;
  }
  return ceilings;
}

}  // namespace gsx
