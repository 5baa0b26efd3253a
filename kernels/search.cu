#include <algorithm>

#include "base/bits.hpp"
#include "kernels/cub_temporary.hpp"
#include "kernels/device.hpp"
#include "kernels/search.hpp"
#include "kernels/tuning.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// A backward search in progress.
template <class Pos>
struct Walk {
  Strand strand;
  std::uint64_t taken;  ///< symbols, from the last on
  Interval<Pos> interval;

  __device__ std::uint64_t left() const { return strand.length - taken; }
};

/// The first interval of a pattern, by the k-mer table where the pattern is long enough.
template <class Pos>
__device__ void begin_walk(const FmView& fm, const PatternsView& patterns, std::uint64_t pattern,
                           bool reverse, Walk<Pos>& walk) {
  walk.strand = patterns.strand(pattern, reverse);
  walk.taken = 0;
  walk.interval = {0, 0};
  const std::uint64_t length = walk.strand.length;
  if (length == 0 || length >= fm.rows() || patterns.foreign[pattern] != 0) return;
  const std::uint32_t k = fm.kmers.k;
  if (k == 0 || length < k) {
    walk.interval = fm.template all<Pos>();
    return;
  }
  if (k <= walk.strand.codes_a_number()) {  // one load for all of them
    const std::uint32_t bits = walk.strand.symbols.bits;
    std::uint64_t codes = walk.strand.number(length - k, k);
    const std::uint64_t slot = fm.kmers.slot([&] {
      const auto code = static_cast<std::uint32_t>(codes & ((std::uint64_t{1} << bits) - 1));
      codes >>= bits;
      return code;
    });
    walk.taken = k;
    walk.interval = fm.kmers.template interval<Pos>(slot);
    return;
  }
  const std::uint64_t slot = fm.kmers.slot([&] { return walk.strand.code(walk.taken++); });
  walk.interval = fm.kmers.template interval<Pos>(slot);
}

/// Whether it is time to compare the candidates with the text: there are few, or they are not many
/// and the last step has told hardly any of them apart.
template <class Pos>
__device__ bool is_narrow(const Walk<Pos>& walk, Pos before) {
  const Pos count = walk.interval.count();
  if (count <= tuning::few_candidates) return true;
  return count <= tuning::most_candidates && count > before - before / 4 && walk.left() > count;
}

/// What becomes of the candidates of a walk that is over, all or not all of its symbols taken.
template <class Pos>
__device__ Found<Pos> conclude(const SearchView<Pos>& index, const Walk<Pos>& walk) {
  const Interval<Pos> rows = walk.interval;
  if (walk.left() == 0) return {rows.begin, rows.count(), 0, 0};
  Found<Pos> found{rows.begin, 0, static_cast<Pos>(walk.left()), 0};
  for (Pos k = 0; k < rows.count(); ++k) {
    if (stands_before(index.text, index.rows[rows.begin + k], walk.strand, walk.left())) {
      found.mask |= 1u << k;
      ++found.count;
    }
  }
  return found;
}

template <class Pos>
struct WriteFound {
  Found<Pos>* d_found;
  __device__ void operator()(std::uint64_t job, const Found<Pos>& found) const {
    d_found[job] = found;
  }
};

template <class Pos>
struct WriteCount {
  Pos* d_counts;
  __device__ void operator()(std::uint64_t job, const Found<Pos>& found) const {
    d_counts[job] = found.count;
  }
};

/// One step an iteration, of whichever search the thread is at, so that a warp does not wait for
/// its longest pattern.
template <class Pos, bool verify, class Write>
__global__ void __launch_bounds__(block_threads)
    search_kernel(SearchView<Pos> index, PatternsView patterns, Jobs jobs, Write write,
                  std::uint32_t* d_fault) {
  const FmView& fm = index.fm;
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  std::uint64_t job = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  Walk<Pos> walk{};
  for (bool walking = false;;) {
    Pos before = ~Pos{0};
    if (!walking) {
      if (job >= jobs.count) return;
      begin_walk(fm, patterns, jobs.pattern(job), jobs.is_reverse(job), walk);
    } else {
      before = walk.interval.count();
      walk.interval = fm.extend(walk.interval, walk.strand.code(walk.taken++));
    }
    if (walk.interval.end > fm.rows()) {
      *d_fault = 1;
      return;
    }
    const bool found = walk.interval.begin < walk.interval.end;
    walking = found && walk.left() > 0 && !(verify && is_narrow(walk, before));
    if (walking) continue;
    write(job, found ? conclude(index, walk) : Found<Pos>{0, 0, 0, 0});
    job += threads;
  }
}

template <class Pos, class Write>
void launch(const SearchView<Pos>& index, const PatternsView& patterns, const Jobs& jobs,
            bool verify, const Write& write, std::uint32_t* d_fault, cudaStream_t stream) {
  if (jobs.count == 0) return;
  const std::uint64_t most = std::uint64_t{multiprocessors()} * tuning::walk_blocks;
  const auto blocks =
      static_cast<unsigned>(std::min<std::uint64_t>(most, divide_up(jobs.count, block_threads)));
  const auto kernel = verify && index.rows != nullptr ? search_kernel<Pos, true, Write>
                                                      : search_kernel<Pos, false, Write>;
  kernel<<<blocks, block_threads, 0, stream>>>(index, patterns, jobs, write, d_fault);
  GSX_CUDA_CHECK(cudaGetLastError());
}

}  // namespace

Jobs Jobs::of(std::uint64_t patterns, Strands strands, bool complements) {
  const bool reverse = complements && strands == Strands::reverse;
  const bool both = complements && strands == Strands::both;
  const bool none = !complements && strands == Strands::reverse;
  return {patterns, none ? 0 : both ? 2 * patterns : patterns, reverse};
}

template <class Pos>
void search_async(const SearchView<Pos>& index, const PatternsView& patterns, const Jobs& jobs,
                  bool verify, Found<Pos>* d_found, std::uint32_t* d_fault, cudaStream_t stream) {
  launch(index, patterns, jobs, verify, WriteFound<Pos>{d_found}, d_fault, stream);
}

template <class Pos>
void count_async(const SearchView<Pos>& index, const PatternsView& patterns, const Jobs& jobs,
                 bool verify, Pos* d_counts, std::uint32_t* d_fault, cudaStream_t stream) {
  launch(index, patterns, jobs, verify, WriteCount<Pos>{d_counts}, d_fault, stream);
}

using Narrow = std::uint32_t;
using Wide = std::uint64_t;
template void search_async(const SearchView<Narrow>&, const PatternsView&, const Jobs&, bool,
                           Found<Narrow>*, std::uint32_t*, cudaStream_t);
template void search_async(const SearchView<Wide>&, const PatternsView&, const Jobs&, bool,
                           Found<Wide>*, std::uint32_t*, cudaStream_t);
template void count_async(const SearchView<Narrow>&, const PatternsView&, const Jobs&, bool,
                          Narrow*, std::uint32_t*, cudaStream_t);
template void count_async(const SearchView<Wide>&, const PatternsView&, const Jobs&, bool, Wide*,
                          std::uint32_t*, cudaStream_t);

}  // namespace gsx::cuda
