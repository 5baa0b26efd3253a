#include "bench/cpu_rank_select.hpp"

#include <algorithm>
#include <string>

#include "arrays/rank/group_steps.hpp"
#include "arrays/wavelet/wavelet_queries.hpp"
#include "arrays/wavelet/wavelet_sequence.hpp"
#include "base/buffer.hpp"
#include "base/compiled_for.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "bench/best_rate.hpp"
#include "bench/measured_sequences.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t most_queries = std::uint64_t{1} << 22;

void measure(const MeasuredSequence& measured, std::uint64_t size, int threads, CpuPath path,
             std::vector<QueryRate>& rates) {
  const std::uint64_t count = std::min(most_queries, size);
  Buffer<std::uint32_t> elements(size, "elements of a sequence");
  Buffer<std::uint64_t> values(count, "queries"), positions(count, "queries"),
      ranks(count, "answers"), found(count, "answers");
  run_threads(threads, [&](int thread) {
    const auto parts = static_cast<std::uint64_t>(threads),
               part = static_cast<std::uint64_t>(thread);
    const Slice own = slice_of(size, parts, part), asked = slice_of(count, parts, part);
    for (std::uint64_t i = own.begin; i < own.end; ++i)
      elements[i] = measured_element(i, measured.sigma, measured.skewed);
    for (std::uint64_t k = asked.begin; k < asked.end; ++k) {
      const MeasuredQuery query = measured_query(k, size);
      values[k] = measured_element(query.element, measured.sigma, measured.skewed);
      positions[k] = query.position;
    }
  });
  const auto add = [&](const char* what, std::uint64_t amount, const char* unit, const auto& work) {
    rates.push_back({std::string(measured.name) + ": " + what, best_rate(amount, work), unit});
  };
  WaveletSequence sequence;
  add("built", size, "elements/s", [&] {
    sequence =
        WaveletSequence(std::span<const std::uint32_t>(elements.span()), measured.shape, threads);
  });
  const WaveletSequenceView view = sequence.view();
  add("access, random", count, "queries/s",
      [&] { access_many(view, positions.span(), found.span(), threads, path); });
  add("rank, random", count, "queries/s",
      [&] { rank_many(view, values.span(), positions.span(), ranks.span(), threads, path); });
  // Of the value at a position, the number of those before it: so there is one.
  access_many(view, positions.span(), values.span(), threads, path);
  rank_many(view, values.span(), positions.span(), ranks.span(), threads, path);
  add("select, random", count, "queries/s",
      [&] { select_many(view, values.span(), ranks.span(), found.span(), threads, path); });
}

GSX_HD void access_group(const WaveletMatrixView& bwt, const std::uint64_t* rows, std::size_t count,
                         std::uint8_t* codes) {
  std::uint64_t at[query_group];
  for (std::size_t q = 0; q < count; ++q) {
    at[q] = rows[q];
    codes[q] = 0;
    prefetch_rank(bwt.levels[0], at[q]);
  }
  for (std::uint32_t level = 0; level + 1 < bwt.level_count; ++level) {
    for (std::size_t q = 0; q < count; ++q) {
      const std::uint32_t digit = bwt.levels[level].digit_and_rank(at[q]);
      codes[q] = static_cast<std::uint8_t>(codes[q] << 2 | digit);
      prefetch_rank(bwt.levels[level + 1], at[q]);
    }
  }
  for (std::size_t q = 0; q < count; ++q) {
    const std::uint32_t digit = bwt.levels[bwt.level_count - 1].digit(at[q]);
    codes[q] = static_cast<std::uint8_t>(codes[q] << 2 | digit);
  }
}

GSX_HD void rank_group(const WaveletMatrixView& bwt, const std::uint64_t* before,
                       const std::uint8_t* codes, const std::uint64_t* rows, std::size_t count,
                       std::uint64_t* ranks) {
  for (std::size_t q = 0; q < count; ++q) {
    ranks[q] = rows[q];
    prefetch_rank(bwt.levels[0], rows[q]);
  }
  for (std::uint32_t level = 0; level < bwt.level_count; ++level) {
    const bool last = level + 1 == bwt.level_count;
    for (std::size_t q = 0; q < count; ++q) {
      ranks[q] = bwt.levels[level].sorted_rank(bwt.digit_of(codes[q], level), ranks[q]);
      if (!last) prefetch_rank(bwt.levels[level + 1], ranks[q]);
    }
  }
  for (std::size_t q = 0; q < count; ++q)
    ranks[q] -= before[codes[q]];
}

GSX_HD void access_all(const WaveletMatrixView& bwt, std::span<const std::uint64_t> rows,
                       std::uint8_t* codes) {
  in_groups(rows.size(), [&](std::size_t begin, std::size_t size) {
    access_group(bwt, rows.data() + begin, size, codes + begin);
  });
}
GSX_HD void rank_all(const WaveletMatrixView& bwt, std::span<const std::uint8_t> codes,
                     const std::uint64_t* rows, std::uint64_t* ranks) {
  std::uint64_t before[256];
  for (std::uint32_t code = 0; code < 1u << 2 * bwt.level_count; ++code)
    before[code] = bwt.sorted_rank(code, std::uint64_t{0});
  in_groups(codes.size(), [&](std::size_t begin, std::size_t size) {
    rank_group(bwt, before, codes.data() + begin, rows + begin, size, ranks + begin);
  });
}
GSX_HD void select_all(const WaveletMatrixView& bwt, std::span<const std::uint8_t> codes,
                       const std::uint64_t* ranks, std::uint64_t* rows) {
  std::uint64_t before[256];
  for (std::uint32_t code = 0; code < 1u << 2 * bwt.level_count; ++code)
    before[code] = bwt.sorted_rank(code, std::uint64_t{0});
  std::size_t all[query_group];
  for (std::size_t q = 0; q < query_group; ++q)
    all[q] = q;
  in_groups(codes.size(), [&](std::size_t begin, std::size_t size) {
    for (std::size_t q = begin; q < begin + size; ++q)
      rows[q] = before[codes[q]] + ranks[q];
    for (std::uint32_t k = bwt.level_count; k-- > 0;) {
      const auto digit_of = [&](std::size_t q) { return bwt.digit_of(codes[begin + q], k); };
      select_group(bwt.levels[k], all, size, digit_of, rows + begin);
    }
  });
}

}  // namespace

std::vector<QueryRate> measure_cpu_wavelet(std::uint64_t size, int threads, CpuPath path) {
  std::vector<QueryRate> rates;
  for (const MeasuredSequence& measured : measured_sequences)
    measure(measured, size, threads, path, rates);
  return rates;
}

WaveletMatrixView CpuRankSelect::with_hints(const WaveletMatrixView& bwt) const {
  std::call_once(hints_asked_, [&] {
    try {
      hints_ = SelectHints(bwt, threads_);
    } catch (const ResourceError&) {  // select works without, more slowly
    }
  });
  return hints_.attached_to(bwt);
}

void CpuRankSelect::access(std::span<const std::uint64_t> rows, std::uint8_t* codes) const {
  const WaveletMatrixView bwt = fm_.view(rows.size()).bwt;
  compiled_for<access_all>(path_)(bwt, rows, codes);
}

void CpuRankSelect::rank(std::span<const std::uint8_t> codes, const std::uint64_t* rows,
                         std::uint64_t* ranks) const {
  const WaveletMatrixView bwt = fm_.view(codes.size()).bwt;
  compiled_for<rank_all>(path_)(bwt, codes, rows, ranks);
}

void CpuRankSelect::select(std::span<const std::uint8_t> codes, const std::uint64_t* ranks,
                           std::uint64_t* rows) const {
  const WaveletMatrixView bwt = with_hints(fm_.view(codes.size()).bwt);
  compiled_for<select_all>(path_)(bwt, codes, ranks, rows);
}

}  // namespace gsx
