#include <algorithm>
#include <string>
#include <utility>

#include "kernels/arrays/rank/wavelet_kernels.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/device.hpp"
#include "kernels/base/event.hpp"
#include "kernels/bench/query_rates.hpp"
#include "kernels/search/exact/hits.hpp"
#include "kernels/search/matches/match_search.hpp"

namespace gsx::cuda {
namespace {

constexpr unsigned threads = 256;
constexpr std::uint64_t query_count = std::uint64_t{1} << 27;
constexpr std::uint64_t read_symbols = std::uint64_t{1} << 30;
constexpr std::uint64_t most_reads = std::uint64_t{1} << 23;
constexpr std::uint64_t located_rows = std::uint64_t{1} << 25;

__host__ __device__ std::uint64_t mixed(std::uint64_t z) {
  z += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

/// Random positions and codes; and for each code a random number below that of its occurrences.
template <class Pos>
__global__ void queries_kernel(WaveletMatrixView wavelet, std::uint32_t sigma, std::uint64_t count,
                               std::uint8_t* d_codes, Pos* d_positions, Pos* d_numbers) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  d_positions[i] = static_cast<Pos>(mixed(i) % wavelet.size());
  auto code = static_cast<std::uint32_t>(mixed(~i) % sigma);
  std::uint64_t occurrences = wavelet.rank(code, wavelet.size());
  for (; occurrences == 0; occurrences = wavelet.rank(code, wavelet.size()))
    code = (code + 1) % sigma;
  d_codes[i] = static_cast<std::uint8_t>(code);
  d_numbers[i] = static_cast<Pos>(mixed(i ^ 0x5555) % occurrences);
}

enum class ReadKind { exact, errors, random };

/// Reads of one length: from the text, with one changed symbol in 100, or at random.
__global__ void reads_kernel(TextView text, ReadKind kind, std::uint64_t length,
                             std::uint64_t count, std::uint8_t* d_codes, std::uint64_t* d_ends) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  d_ends[i] = (i + 1) * length;
  const std::uint64_t begin = mixed(i + length) % (text.length() - length);
  for (std::uint64_t k = 0; k < length; ++k) {
    const std::uint64_t chance = mixed(i * length + k);
    std::uint64_t code = text.symbols[begin + k];
    if (kind == ReadKind::random || (kind == ReadKind::errors && chance % 100 == 0)) {
      code = (chance >> 32) % text.sigma;
    }
    d_codes[i * length + k] = static_cast<std::uint8_t>(code);
  }
}

/// Reads of one length, each a piece.
template <class Offset>
__global__ void pieces_kernel(Offset length, std::uint32_t count, QueryPiece<Offset>* d_pieces,
                              std::uint32_t* d_ends) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  d_pieces[i] = {i * length, length, 0, length, 0, i, i + 1};
  d_ends[i] = i + 1;
}

/// Intervals of one random row each.
template <class Pos>
__global__ void rows_kernel(std::uint64_t rows, std::uint64_t count, Found<Pos>* d_found,
                            std::uint64_t* d_ends) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  d_found[i] = {static_cast<Pos>(mixed(i) % rows), 1, 0, 0};
  d_ends[i] = i + 1;
}

template <class Pos>
class QueryRates {
 public:
  QueryRates(const Index& index, const DevicePlacement& placement, Transfer& transfer,
             DeviceStream stream)
      : index_(index, placement, transfer, stream),
        complements_(index.alphabet().has_reverse_complement()),
        sample_rate_(index.meta().sample_rate),
        stream_(stream) {
    index_.add_suffix_array(stream);
    index_.add_kmers(stream);
  }

  std::vector<QueryRate> measure() {
    measure_wavelet();
    for (const std::uint64_t length : {20u, 50u, 150u}) {
      for (const ReadKind kind : {ReadKind::exact, ReadKind::errors, ReadKind::random})
        measure_reads(kind, length);
    }
    for (const ReadKind kind : {ReadKind::exact, ReadKind::errors, ReadKind::random})
      measure_matches(kind);
    measure_locating();
    return std::move(rates_);
  }

 private:
  template <class Work>
  void add(const std::string& name, std::uint64_t amount, const std::string& unit,
           std::uint64_t gathers, const Work& work) {
    double best = 1e9;
    for (int round = 0; round < 4; ++round) {
      const Event begin, end;
      begin.record(stream_);
      work();
      end.record(stream_);
      if (round > 0) best = std::min(best, end.seconds_since(begin));
    }
    rates_.push_back(
        {name, static_cast<double>(amount) / best, unit, static_cast<double>(gathers)});
  }

  void measure_wavelet() {
    const WaveletMatrixView wavelet = index_.view().fm.bwt;
    DeviceBuffer<std::uint8_t> codes(query_count, stream_), found(query_count, stream_);
    DeviceBuffer<Pos> positions(query_count, stream_), numbers(query_count, stream_),
        results(query_count, stream_);
    queries_kernel<<<blocks_for(query_count, threads), threads, 0, stream_>>>(
        wavelet, index_.view().fm.sigma, query_count, codes.data(), positions.data(),
        numbers.data());
    GSX_CUDA_CHECK(cudaGetLastError());
    const std::uint64_t levels = wavelet.level_count;
    add("access", query_count, "queries/s", levels,
        [&] { access_async(wavelet, positions.data(), query_count, found.data(), stream_); });
    add("rank", query_count, "queries/s", levels, [&] {
      rank_async(wavelet, codes.data(), positions.data(), query_count, results.data(), stream_);
    });
    add("select", query_count, "queries/s", levels, [&] {
      select_async(wavelet, codes.data(), numbers.data(), query_count, results.data(), stream_);
    });
  }

  void measure_reads(ReadKind kind, std::uint64_t length) {
    const SearchView<Pos> view = index_.view();
    if (view.text.length() <= length) return;
    const std::uint64_t count = std::min(most_reads, read_symbols / length);
    DeviceBuffer<std::uint8_t> codes(count * length + 16, stream_);
    DeviceBuffer<std::uint64_t> ends(count, stream_);
    reads_kernel<<<blocks_for(count, threads), threads, 0, stream_>>>(
        view.text, kind, length, count, codes.data(), ends.data());
    GSX_CUDA_CHECK(cudaGetLastError());
    const std::uint64_t levels = view.fm.bwt.level_count;
    const Jobs jobs = Jobs::of(count, Strands::both, complements_);
    DeviceBuffer<Found<Pos>> found(jobs.count, stream_);
    DeviceBuffer<Pos> counts(jobs.count, stream_);
    DeviceBuffer<std::uint32_t> fault(1, stream_);
    for (const bool verify : {false, true}) {
      if (verify && view.sa == nullptr) continue;
      // A read from the text takes the k-mer table and every step; what others take, chance says.
      const std::uint64_t least_gathers =
          verify || kind != ReadKind::exact
              ? 0
              : 1 + (length - std::min<std::uint64_t>(length, view.fm.kmers.k)) * levels;
      const std::string kind_name = kind == ReadKind::exact    ? ""
                                    : kind == ReadKind::errors ? " with 1 % errors"
                                                               : " at random";
      add("count reads of " + std::to_string(length) + kind_name +
              (verify ? "" : ", backward search alone"),
          count, "reads/s", least_gathers, [&] {
            DeviceBuffer<std::uint64_t> own_ends(count, stream_);
            GSX_CUDA_CHECK(cudaMemcpyAsync(own_ends.data(), ends.data(), ends.bytes(),
                                           cudaMemcpyDeviceToDevice, stream_));
            const PackedPatterns packed(codes.data(), count * length, std::move(own_ends),
                                        view.text.symbols.bits, view.fm.sigma, stream_);
            search_async(view, packed.view(), jobs, verify, found.data(), fault.data(), stream_);
            extract_counts_async(found.data(), jobs.count, counts.data(), stream_);
          });
    }
  }

  void measure_matches(ReadKind kind) {
    constexpr std::uint64_t length = 150, least = 31, matches_per_read = 4;
    const SearchView<Pos> view = index_.view();
    if (view.text.length() <= length || view.sa == nullptr) return;
    const auto count = static_cast<std::uint32_t>(std::min(most_reads, read_symbols / length));
    const std::uint64_t room = matches_per_read * count;
    DeviceBuffer<std::uint8_t> codes(count * length + 16, stream_);
    DeviceBuffer<std::uint64_t> ends(count, stream_), match_ends(count, stream_);
    reads_kernel<<<blocks_for(count, threads), threads, 0, stream_>>>(
        view.text, kind, length, count, codes.data(), ends.data());
    GSX_CUDA_CHECK(cudaGetLastError());
    const PackedPatterns packed(codes.data(), count * length, std::move(ends),
                                view.text.symbols.bits, view.fm.sigma, stream_);
    DeviceBuffer<QueryPiece<Pos>> cut(count, stream_);
    DeviceBuffer<std::uint32_t> cut_ends(count, stream_), state(3, stream_);
    pieces_kernel<Pos><<<blocks_for(count, threads), threads, 0, stream_>>>(
        length, count, cut.data(), cut_ends.data());
    GSX_CUDA_CHECK(cudaGetLastError());
    const PiecesView<Pos> pieces{packed.view().symbols, cut.data(), count, true,
                                 complements_,          least};
    DeviceBuffer<FoundMatch<Pos, Pos>> found(room, stream_);
    DeviceBuffer<ListedMatch<Pos, Pos>> listed(room, stream_);
    DeviceBuffer<std::uint32_t> begins(pieces.jobs() + 1, stream_), kept(room + 1, stream_);
    DeviceBuffer<std::uint8_t> workspace(match_workspace_bytes(pieces.jobs(), room), stream_);
    DeviceBuffer<MaximalMatch> matches(room, stream_);
    const MatchArrays<Pos, Pos> arrays{found.data(),
                                       listed.data(),
                                       begins.data(),
                                       kept.data(),
                                       workspace.data(),
                                       workspace.bytes(),
                                       static_cast<std::uint32_t>(room),
                                       state.data(),
                                       state.data() + 1};
    const std::string name = std::string("maximal matches of reads of 150") +
                             (kind == ReadKind::exact    ? ""
                              : kind == ReadKind::errors ? " with 1 % errors"
                                                         : " at random") +
                             ", L = 31";
    for (const bool unites : {false, true}) {
      add(name + (unites ? "" : ", strands alone"), count, "reads/s", 0, [&] {
        GSX_CUDA_CHECK(cudaMemsetAsync(state.data(), 0, state.bytes(), stream_));
        GSX_CUDA_CHECK(
            cudaMemsetAsync(begins.data() + pieces.jobs(), 0, sizeof(std::uint32_t), stream_));
        find_matches_async(view, pieces, arrays, state.data() + 2, stream_);
        if (!unites) return;
        unite_strands_async(pieces, arrays, cut_ends.data(), count, matches.data(),
                            match_ends.data(), stream_);
      });
    }
  }

  void measure_locating() {
    const Jobs jobs = Jobs::of(located_rows, Strands::forward, complements_);
    DeviceBuffer<Found<Pos>> found(located_rows, stream_);
    DeviceBuffer<std::uint64_t> ends(located_rows, stream_), hits(located_rows, stream_);
    DeviceBuffer<std::uint32_t> fault(1, stream_);
    rows_kernel<<<blocks_for(located_rows, threads), threads, 0, stream_>>>(
        index_.view().fm.rows(), located_rows, found.data(), ends.data());
    GSX_CUDA_CHECK(cudaGetLastError());
    for (const bool whole : {true, false}) {
      SearchView<Pos> view = index_.view();
      if (whole && view.sa == nullptr) continue;
      if (!whole) view.sa = nullptr;
      add(whole ? "locate, whole suffix array on the device"
                : "locate, one row in " + std::to_string(sample_rate_) + " kept",
          located_rows, "hits/s", whole ? 1 : 0, [&] {
            gather_hits(view, jobs, found.data(), ends.data(), 0, located_rows, hits, fault.data(),
                        stream_);
          });
    }
  }

  SearchIndex<Pos> index_;
  bool complements_;
  std::uint32_t sample_rate_;
  DeviceStream stream_;
  std::vector<QueryRate> rates_;
};

template <class Pos>
std::vector<QueryRate> measure(const Index& index, Transfer& transfer, DeviceStream stream) {
  const DevicePlacement placement = plan_placement(index, sizeof(Pos), stream.pool->available());
  require_device_bytes(*stream.pool, placement.bytes, "the index");
  return QueryRates<Pos>(index, placement, transfer, stream).measure();
}

}  // namespace

std::vector<QueryRate> measure_device_queries(const Index& index, Transfer& transfer,
                                              DeviceStream stream) {
  return is_wide(index.meta().length, PositionWidth::automatic)
             ? measure<std::uint64_t>(index, transfer, stream)
             : measure<std::uint32_t>(index, transfer, stream);
}

}  // namespace gsx::cuda
