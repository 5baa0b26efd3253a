#include "arrays/wavelet/wavelet_queries.hpp"

#include <algorithm>

#include "arrays/rank/group_steps.hpp"
#include "base/compiled_for.hpp"
#include "base/parallel.hpp"

namespace gsx {
namespace {

using View = WaveletSequenceView;

/// What a thread takes at a time.
constexpr std::uint64_t queries_per_task = std::uint64_t{1} << 13;

GSX_HD void access_group(const View& sequence, const std::uint64_t* positions, std::size_t count,
                         std::uint64_t* values) {
  View::Walk walks[query_group];
  std::size_t open[query_group], left = count;  // whose codes go on
  for (std::size_t q = 0; q < count; ++q) {
    walks[q] = {positions[q]};
    open[q] = q;
    prefetch_rank(sequence.levels[0], positions[q]);
  }
  for (std::uint32_t level = 0; left != 0; ++level) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < left; ++k) {
      const std::size_t q = open[k];
      if (sequence.step(level, walks[q])) {
        values[q] = sequence.values[sequence.symbol_at_end(walks[q], level + 1)];
        continue;
      }
      prefetch_rank(sequence.levels[level + 1], walks[q].at);
      open[kept++] = q;
    }
    left = kept;
  }
}

/// The codes of a group's values, and the queries whose values occur.
struct Codes {
  WaveletCode codes[query_group];
  std::uint32_t symbols[query_group];
  std::size_t known[query_group];
  std::size_t count = 0;
  std::uint32_t longest = 0;

  /// Looks the values up; calls unknown(q) for those that do not occur.
  template <class Unknown>
  GSX_HD Codes(const View& sequence, const std::uint64_t* values, std::size_t size,
               const Unknown& unknown) {
    for (std::size_t q = 0; q < size; ++q) {
      symbols[q] = sequence.symbol_of(values[q]);
      if (symbols[q] == View::absent) {
        unknown(q);
        continue;
      }
      codes[q] = sequence.code_of(symbols[q]);
      if (codes[q].length > longest) longest = codes[q].length;
      known[count++] = q;
    }
  }
};

GSX_HD void rank_group(const View& sequence, const std::uint64_t* values,
                       const std::uint64_t* positions, std::size_t count, std::uint64_t* ranks) {
  Codes asked(sequence, values, count, [&](std::size_t q) { ranks[q] = 0; });
  for (std::size_t k = 0; k < asked.count; ++k) {
    const std::size_t q = asked.known[k];
    ranks[q] = positions[q];
    prefetch_rank(sequence.levels[0], positions[q]);
  }
  std::size_t left = asked.count;
  for (std::uint32_t level = 0; left != 0; ++level) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < left; ++k) {
      const std::size_t q = asked.known[k];
      const WaveletCode& code = asked.codes[q];
      ranks[q] = sequence.levels[level].sorted_rank(code.digit(level), ranks[q]);
      if (level + 1 == code.length) {
        ranks[q] -= sequence.firsts[asked.symbols[q]];
        continue;
      }
      prefetch_rank(sequence.levels[level + 1], ranks[q]);
      asked.known[kept++] = q;
    }
    left = kept;
  }
}

GSX_HD void select_queries(const View& sequence, const std::uint64_t* values,
                           const std::uint64_t* numbers, std::size_t count,
                           std::uint64_t* positions) {
  Codes asked(sequence, values, count, [&](std::size_t q) { positions[q] = View::not_found; });
  std::size_t found = 0;
  for (std::size_t k = 0; k < asked.count; ++k) {
    const std::size_t q = asked.known[k];
    const std::uint64_t number = numbers[q];
    if (number >= sequence.counts[asked.symbols[q]]) {
      positions[q] = View::not_found;
      continue;
    }
    positions[q] = sequence.firsts[asked.symbols[q]] + number;
    asked.known[found++] = q;
  }
  for (std::uint32_t level = asked.longest; level-- > 0;) {
    std::size_t here[query_group], reached = 0;
    for (std::size_t k = 0; k < found; ++k) {
      if (asked.codes[asked.known[k]].length > level) here[reached++] = asked.known[k];
    }
    const auto digit_of = [&](std::size_t q) { return asked.codes[q].digit(level); };
    select_group(sequence.levels[level], here, reached, digit_of, positions);
  }
}

GSX_HD void access_all(const View& sequence, const std::uint64_t* positions, std::size_t count,
                       std::uint64_t* values) {
  in_groups(count, [&](std::size_t begin, std::size_t size) {
    access_group(sequence, positions + begin, size, values + begin);
  });
}
GSX_HD void rank_all(const View& sequence, const std::uint64_t* values,
                     const std::uint64_t* positions, std::size_t count, std::uint64_t* ranks) {
  in_groups(count, [&](std::size_t begin, std::size_t size) {
    rank_group(sequence, values + begin, positions + begin, size, ranks + begin);
  });
}
GSX_HD void select_all(const View& sequence, const std::uint64_t* values,
                       const std::uint64_t* numbers, std::size_t count, std::uint64_t* positions) {
  in_groups(count, [&](std::size_t begin, std::size_t size) {
    select_queries(sequence, values + begin, numbers + begin, size, positions + begin);
  });
}

/// Calls work(begin, size) for pieces of [0, queries) on threads.
template <class Work>
void in_tasks(int threads, std::uint64_t queries, const Work& work) {
  const std::uint64_t tasks = (queries + queries_per_task - 1) / queries_per_task;
  parallel_for(threads, tasks, [&](std::uint64_t task, int) {
    const std::uint64_t begin = task * queries_per_task;
    work(begin, std::min(queries_per_task, queries - begin));
  });
}

}  // namespace

void access_many(const View& sequence, std::span<const std::uint64_t> positions,
                 std::span<std::uint64_t> values, int threads, CpuPath path) {
  const auto run = compiled_for<access_all>(path);
  in_tasks(threads, positions.size(), [&](std::uint64_t begin, std::uint64_t size) {
    run(sequence, positions.data() + begin, size, values.data() + begin);
  });
}

void rank_many(const View& sequence, std::span<const std::uint64_t> values,
               std::span<const std::uint64_t> positions, std::span<std::uint64_t> ranks,
               int threads, CpuPath path) {
  const auto run = compiled_for<rank_all>(path);
  in_tasks(threads, positions.size(), [&](std::uint64_t begin, std::uint64_t size) {
    run(sequence, values.data() + begin, positions.data() + begin, size, ranks.data() + begin);
  });
}

void select_many(const View& sequence, std::span<const std::uint64_t> values,
                 std::span<const std::uint64_t> numbers, std::span<std::uint64_t> positions,
                 int threads, CpuPath path) {
  const auto run = compiled_for<select_all>(path);
  in_tasks(threads, numbers.size(), [&](std::uint64_t begin, std::uint64_t size) {
    run(sequence, values.data() + begin, numbers.data() + begin, size, positions.data() + begin);
  });
}

}  // namespace gsx
