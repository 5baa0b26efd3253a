#include "gsx/mappability.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <mutex>
#include <string>

#include "analysis/mappability/build.hpp"
#include "analysis/mappability/kmer_tracks.hpp"
#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/parallel.hpp"
#include "index/store/verify.hpp"
#include "run/build_job.hpp"
#include "run/target.hpp"
#include "text/both_strands.hpp"
#include "text/require_text.hpp"

namespace gsx {
namespace {

// Positions that a thread turns to values at a time.
constexpr std::uint64_t piece_positions = std::uint64_t{1} << 16;

/// What is asked of a text: its records, the strands that count, and what sorts their suffixes.
struct Asked {
  RecordSegments forward;
  BothStrandsView strands;
  Backend& backend;
  const BuildOptions& build;
};

/// Answers a call of the public header: work(asked). `cost` decides the device.
template <class Work>
auto answer(const Target& target, const MappabilityOptions& options, const WorkCost& cost,
            const Work& work) {
  return with_gsx_errors([&] {
    const RecordSource source = target.source();
    const int threads = threads_for(options.sort.threads, source.text.length());
    if (target.index() != nullptr) verify_text(*target.index(), threads);
    const ChosenStrands strands(source.text, *source.alphabet, options.both_strands, threads);
    return run_build(options.sort, cost, threads, [&](const BuildJob& job) {
      auto result = work(
          Asked{{source.records, source.text.segments}, strands.view(), job.backend, job.build});
      target.require_unchanged();
      return result;
    });
  });
}

/// The values of all positions of all records: `nothing` where fill(range, values) leaves it, where
/// values[0] is that of the first position of the range. Threads call it.
template <class Value, class Fill>
std::vector<Buffer<Value>> values_of(const Asked& asked, Value nothing, const Fill& fill) {
  std::vector<Buffer<Value>> arrays;
  std::vector<TrackRange> pieces;
  for (const RecordInfo& info : asked.forward.records.infos) {
    arrays.emplace_back(info.length, "values of positions");
    for (std::uint64_t first = 0; first < info.length; first += piece_positions)
      pieces.push_back({arrays.size() - 1, first, std::min(first + piece_positions, info.length)});
  }
  std::mutex mutex;
  std::uint64_t done = 0;
  parallel_for(asked.build.threads, pieces.size(), [&](std::uint64_t piece, int) {
    const TrackRange& range = pieces[piece];
    Value* const values = arrays[range.record].data() + range.begin;
    std::fill(values, values + (range.end - range.begin), nothing);
    fill(range, values);
    if (!asked.build.progress) return;
    const std::lock_guard<std::mutex> lock(mutex);
    asked.build.progress("writing values",
                         static_cast<double>(++done) / static_cast<double>(pieces.size()));
  });
  return arrays;
}

template <class Value>
std::vector<Buffer<Value>> values_of_track(const Asked& asked, std::uint64_t k, KmerValue value,
                                           const MappabilityOptions& options, Value nothing) {
  const std::vector<std::uint64_t> lengths{k};
  const KmerMatching matching{options.mismatches, options.cap};
  const auto codes = count_kmers(asked.backend, asked.strands, lengths, matching, asked.build);
  const KmerTrack track(asked.forward, *codes[0], k, value, options.cap);
  return values_of<Value>(asked, nothing, [&](const TrackRange& range, Value* values) {
    PieceRuns runs(track.kind());
    runs.begin(range);
    track.fill(range, runs);
    // Runs count from the begin of their range.
    for (const TrackRun& run : runs.runs_of(0))
      std::fill(values + run.begin, values + run.end, std::bit_cast<Value>(run.bits));
  });
}

void require_lengths(std::uint64_t k, const MappabilityOptions& options) {
  if (k == 0) throw UsageError("k is 0, and must be at least 1");
  if (options.mismatches < 0 || options.mismatches > 4) {
    throw UsageError("mismatches is " + std::to_string(options.mismatches) +
                     ", and must be from 0 to 4");
  }
  if (options.cap == 0) throw UsageError("cap is 0, and must be at least 1");
  require_longer({&k, 1}, {options.mismatches, options.cap});
}

void require_exact(const MappabilityOptions& options) {
  if (options.mismatches == 0) return;
  throw UsageError("mismatches is " + std::to_string(options.mismatches) +
                   ", and unique k-mers of all lengths are exact");
}

WorkCost cost_of(const Target& target, std::uint64_t k, const MappabilityOptions& options) {
  return cost_of_sorting(target.symbols()) + cost_of_kmers(target.symbols(), k, options.mismatches);
}

std::vector<Buffer<float>> mappability_of(const Target& target, std::uint64_t k, KmerValue value,
                                          const MappabilityOptions& options) {
  require_lengths(k, options);
  if (value == KmerValue::frequency)
    throw UsageError("frequencies are no floats: kmer_frequencies() gives them");
  return answer(target, options, cost_of(target, k, options), [&](const Asked& asked) {
    return values_of_track(asked, k, value, options, std::numeric_limits<float>::quiet_NaN());
  });
}

std::vector<Buffer<std::uint32_t>> frequencies_of(const Target& target, std::uint64_t k,
                                                  const MappabilityOptions& options) {
  require_lengths(k, options);
  return answer(target, options, cost_of(target, k, options), [&](const Asked& asked) {
    return values_of_track(asked, k, KmerValue::frequency, options, std::uint32_t{0});
  });
}

std::vector<Buffer<std::uint32_t>> shortest_of(const Target& target,
                                               const MappabilityOptions& options) {
  require_exact(options);
  return answer(target, options, cost_of_sorting(target.symbols()), [&](const Asked& asked) {
    const UniqueKmers unique(asked.backend, asked.strands, asked.build);
    const auto fill = [&](const TrackRange& range, std::uint32_t* values) {
      asked.forward.for_each(
          range, [&](std::uint64_t begin, std::uint64_t end, std::uint64_t offset) {
            unique.for_each(begin, end, [&](std::uint64_t p, std::uint64_t least) {
              values[offset - range.begin + (p - begin)] = static_cast<std::uint32_t>(least);
            });
          });
    };
    return values_of<std::uint32_t>(asked, 0, fill);
  });
}

std::vector<KmerCounts> spectrum_of(const Target& target, const MappabilityOptions& options) {
  require_exact(options);
  return answer(target, options, cost_of_sorting(target.symbols()), [&](const Asked& asked) {
    const UniqueKmers unique(asked.backend, asked.strands, asked.build);
    const KmerSpectrum spectrum = unique.spectrum(asked.build.threads);
    std::vector<KmerCounts> counts(spectrum.size());
    for (std::uint64_t i = 0; i < counts.size(); ++i)
      counts[i] = spectrum[i];
    return counts;
  });
}

}  // namespace

std::vector<Buffer<float>> mappability(const Text& text, std::uint64_t k, KmerValue value,
                                       const MappabilityOptions& options) {
  require_text(text);
  return mappability_of(Target(text), k, value, options);
}
std::vector<Buffer<float>> mappability(const Index& index, std::uint64_t k, KmerValue value,
                                       const MappabilityOptions& options) {
  return mappability_of(Target(index), k, value, options);
}

std::vector<Buffer<std::uint32_t>> kmer_frequencies(const Text& text, std::uint64_t k,
                                                    const MappabilityOptions& options) {
  require_text(text);
  return frequencies_of(Target(text), k, options);
}
std::vector<Buffer<std::uint32_t>> kmer_frequencies(const Index& index, std::uint64_t k,
                                                    const MappabilityOptions& options) {
  return frequencies_of(Target(index), k, options);
}

std::vector<Buffer<std::uint32_t>> shortest_unique(const Text& text,
                                                   const MappabilityOptions& options) {
  require_text(text);
  return shortest_of(Target(text), options);
}
std::vector<Buffer<std::uint32_t>> shortest_unique(const Index& index,
                                                   const MappabilityOptions& options) {
  return shortest_of(Target(index), options);
}

std::vector<KmerCounts> kmer_spectrum(const Text& text, const MappabilityOptions& options) {
  require_text(text);
  return spectrum_of(Target(text), options);
}
std::vector<KmerCounts> kmer_spectrum(const Index& index, const MappabilityOptions& options) {
  return spectrum_of(Target(index), options);
}

}  // namespace gsx
