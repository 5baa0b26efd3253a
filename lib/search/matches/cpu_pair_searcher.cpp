#include "search/matches/cpu_pair_searcher.hpp"

#include <algorithm>

#include "base/byte_text.hpp"
#include "base/error.hpp"
#include "base/log.hpp"

namespace gsx {
namespace {

PairSampling sampling_within(const PairSetup& setup) {
  const std::uint64_t most =
      std::min(PairTable::most_samples, setup.table_bytes / PairTable::sample_bytes);
  const std::uint64_t length = setup.text.length();
  const PairSampling sampling =
      pair_sampling(setup.min_length, setup.text.symbols.bits, length, most);
  const std::uint64_t samples = length / sampling.target_step;
  if (samples > most && most < PairTable::most_samples) {
    throw ResourceError("too little memory: the k-mers of the target take " +
                        bytes_text(samples * PairTable::sample_bytes) + ", and " +
                        setup.limited_by + " leaves " + bytes_text(setup.table_bytes) +
                        "; allow more, " + (setup.threads > 1 ? "lower --threads, " : "") +
                        "or give -L of a greater length");
  }
  if (samples >= PairTable::most_samples) {
    throw UsageError(
        "the target is too long for matches so short; give -L of a greater length, or the target "
        "in parts");
  }
  return sampling;
}

}  // namespace

CpuPairSearcher::CpuPairSearcher(const PairSetup& setup)
    : CpuPairSearcher(setup, sampling_within(setup), PairFinder::usual_pairs) {}

CpuPairSearcher::CpuPairSearcher(const PairSetup& setup, const PairSampling& sampling,
                                 std::size_t pairs_at_once)
    : table_(setup.text, sampling, setup.threads),
      target_{setup.text, table_.view(), sampling, setup.min_length},
      pairs_at_once_(pairs_at_once) {
  log().debug(
      "{}-mers of every {} places of the target, looked up for every {} of a query: {} bytes",
      sampling.kmer, sampling.target_step, sampling.query_step, table_.bytes());
}

void CpuPairSearcher::find(std::span<const PairPiece> pieces, const PairSink& sink) const {
  PairFinder finder(target_, queries_, pairs_at_once_);
  for (const PairPiece& piece : pieces)
    finder.find(piece.stretch, piece.begin, piece.end, piece.reverse, sink);
}

}  // namespace gsx
