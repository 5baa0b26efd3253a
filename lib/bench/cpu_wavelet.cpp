#include "bench/cpu_wavelet.hpp"

#include <algorithm>
#include <string>

#include "arrays/wavelet/wavelet_queries.hpp"
#include "arrays/wavelet/wavelet_sequence.hpp"
#include "base/buffer.hpp"
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

}  // namespace

std::vector<QueryRate> measure_cpu_wavelet(std::uint64_t size, int threads, CpuPath path) {
  std::vector<QueryRate> rates;
  for (const MeasuredSequence& measured : measured_sequences)
    measure(measured, size, threads, path, rates);
  return rates;
}

}  // namespace gsx
