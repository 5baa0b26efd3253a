#include <algorithm>

#include "base/bits.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/device.hpp"
#include "kernels/base/job_list.cuh"
#include "kernels/base/tuning.hpp"
#include "kernels/search/exact/search.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// What the kernels of one search share. Between them d_found[job] holds the rows found so far,
/// and in `offset` how many symbols are left to take.
template <class Pos>
struct Search {
  SearchView<Pos> index;
  PatternsView patterns;
  Jobs jobs;
  bool verify;
  Found<Pos>* d_found;
  JobList repeated;  ///< with many rows after the first steps
  JobList to_walk;
  JobList to_verify;
  std::uint32_t* d_fault;

  __device__ PatternView strand(std::uint64_t job) const {
    return patterns.strand(jobs.pattern(job), jobs.is_reverse(job));
  }
};

template <class Pos>
__device__ Found<Pos> found_so_far(Interval<Pos> rows, std::uint64_t left) {
  if (rows.begin >= rows.end) return {0, 0, 0, 0};
  return {rows.begin, rows.count(), static_cast<Pos>(left), 0};
}

enum class Next : std::uint8_t { walk, verify, done };

/// What is to be done for rows that start with all but the `left` first symbols of a pattern; the
/// step before had `before` rows. The candidates are compared with the text when there are few; or
/// when there are not many, and that step has hardly made them fewer.
template <class Pos>
__device__ Next decide(bool verify, Interval<Pos> rows, Pos before, std::uint64_t left) {
  if (left == 0 || rows.begin >= rows.end) return Next::done;
  if (!verify) return Next::walk;
  const Pos count = rows.count();
  if (count <= tuning::few_candidates) return Next::verify;
  return count <= tuning::most_candidates && count > before - before / 4 && left > count
             ? Next::verify
             : Next::walk;
}

/// The rows of the pattern's last k symbols, or all rows where it is shorter; sets `left`.
template <class Pos>
__device__ Interval<Pos> first_rows(const FmView& fm, const PatternView& strand,
                                    std::uint64_t& left) {
  const std::uint64_t length = left = strand.length;
  const std::uint32_t k = fm.kmers.k;
  if (k == 0 || length < k) return fm.template all<Pos>();
  left = length - k;
  if (k > strand.codes_a_number()) {
    std::uint64_t taken = 0;
    return fm.kmers.template interval<Pos>(fm.kmers.slot([&] { return strand.code(taken++); }));
  }
  const std::uint32_t bits = strand.symbols.bits;
  std::uint64_t codes = strand.number(length - k, k);  // one load for all of them
  return fm.kmers.template interval<Pos>(fm.kmers.slot([&] {
    const auto code = static_cast<std::uint32_t>(codes & ((std::uint64_t{1} << bits) - 1));
    codes >>= bits;
    return code;
  }));
}

/// The codes of a strand in the order in which backward search takes them, from one load for many.
class CodeSource {
 public:
  __device__ void start(const PatternView& strand, std::uint64_t left) {
    strand_ = strand;
    left_ = left;
    loaded_ = 0;
  }
  __device__ std::uint64_t left() const { return left_; }
  /// Pre: left() > 0.
  __device__ std::uint32_t next() {
    const std::uint32_t bits = strand_.symbols.bits;
    if (loaded_ == 0) {
      const std::uint32_t most = strand_.codes_a_number();
      loaded_ = left_ < most ? static_cast<std::uint32_t>(left_) : most;
      codes_ = strand_.number(left_ - loaded_, loaded_);
    }
    const auto code = static_cast<std::uint32_t>(codes_ & ((std::uint64_t{1} << bits) - 1));
    codes_ >>= bits;
    --loaded_;
    --left_;
    return code;
  }

 private:
  PatternView strand_;
  std::uint64_t left_;
  std::uint64_t codes_;
  std::uint32_t loaded_;
};

/// Rows of the suffixes that start with the last symbols of a strand, and how many are left.
template <class Pos>
struct Seed {
  Interval<Pos> rows;
  Pos before;  ///< how many rows there were a step earlier
  std::uint64_t left;
};

/// Looks up the strand's last k symbols and takes the first few steps, after which most patterns
/// that occur nowhere, such as most reverse strands, are known to. Pre: strand.length > 0.
template <class Pos>
__device__ Seed<Pos> seed_of(const Search<Pos>& search, const PatternView& strand) {
  const FmView& fm = search.index.fm;
  std::uint64_t left = 0;
  Interval<Pos> rows = first_rows<Pos>(fm, strand, left);
  CodeSource codes;
  codes.start(strand, left);
  Pos before = ~Pos{0};
  for (std::uint32_t step = 0;; ++step) {
    if (rows.end > fm.rows()) {
      *search.d_fault = 1;
      rows = {0, 0};
    }
    if (step == tuning::first_steps || codes.left() == 0 || rows.begin >= rows.end) break;
    before = rows.count();
    rows = fm.extend(rows, codes.next());
  }
  return {rows, before, codes.left()};
}

/// Compares candidates with the text: each row of a seed, that many symbols before it.
/// Pre: at most 32 rows.
template <class Pos>
__device__ Found<Pos> verify(const SearchView<Pos>& index, const PatternView& strand,
                             Interval<Pos> rows, std::uint64_t left) {
  Found<Pos> found{rows.begin, 0, static_cast<Pos>(left), 0};
  const auto candidates = static_cast<std::uint32_t>(rows.count());
  for (std::uint32_t k = 0; k < candidates; ++k) {
    const Pos position = index.sa[rows.begin + k];
    if (position >= left && matches_at(index.text, position - left, strand)) found.mask |= 1u << k;
  }
  found.count = static_cast<Pos>(__popc(found.mask));
  return found;
}

template <class Pos>
__global__ void __launch_bounds__(block_threads) begin_kernel(Search<Pos> search) {
  const std::uint64_t job = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (job >= search.jobs.count) return;
  const PatternView strand = search.strand(job);
  Seed<Pos> seed{{0, 0}, 0, 0};
  if (strand.length != 0 && strand.length < search.index.fm.rows() &&
      search.patterns.foreign[search.jobs.pattern(job)] == 0) {
    seed = seed_of(search, strand);
  }
  const Next next = decide(search.verify, seed.rows, seed.before, seed.left);
  search.d_found[job] = next == Next::verify ? verify(search.index, strand, seed.rows, seed.left)
                                             : found_so_far(seed.rows, seed.left);
  const JobList& list = search.verify ? search.repeated : search.to_walk;
  list.append(next == Next::walk, static_cast<std::uint32_t>(job));
}

/// Tries the other seeds of patterns whose last symbols are those of a repeat: every occurrence of
/// a pattern holds one of each, so the one with the fewest rows is as good as the last, and one
/// without any settles it. Copies of a repeat that differ here and there mostly leave one.
template <class Pos>
__global__ void __launch_bounds__(block_threads) reseed_kernel(Search<Pos> search) {
  const std::uint64_t seed_length = search.index.fm.kmers.k + tuning::first_steps;
  for (std::uint32_t job = 0; search.repeated.take(job);) {
    const PatternView strand = search.strand(job);
    const std::uint64_t stride =
        strand.length < seed_length ? 0 : (strand.length - seed_length) / tuning::other_seeds;
    Found<Pos> best{0, ~Pos{0}, 0, 0};
    for (std::uint32_t i = 1; i <= tuning::other_seeds && stride >= tuning::least_stride; ++i) {
      const Seed<Pos> seed = seed_of(search, strand.prefix(strand.length - i * stride));
      const Found<Pos> found = found_so_far(seed.rows, seed.left);
      if (found.count < best.count) best = found;
      if (best.count <= tuning::few_candidates) break;
    }
    const bool narrow = best.count <= tuning::most_candidates;
    if (narrow) search.d_found[job] = best;
    search.to_walk.append(!narrow, job);
    search.to_verify.append(narrow && best.count > 0, job);
  }
}

/// One step per iteration, of whichever pattern the thread is at.
template <class Pos>
__global__ void __launch_bounds__(block_threads) walk_kernel(Search<Pos> search) {
  const FmView& fm = search.index.fm;
  std::uint32_t job = 0;
  Interval<Pos> rows{0, 0};
  CodeSource codes;
  for (bool walking = false;;) {
    if (!walking) {
      if (!search.to_walk.take(job)) return;
      const Found<Pos> found = search.d_found[job];
      rows = {found.begin, static_cast<Pos>(found.begin + found.count)};
      codes.start(search.strand(job), found.offset);
    }
    const Pos before = rows.count();
    rows = fm.extend(rows, codes.next());
    if (rows.end > fm.rows()) {
      *search.d_fault = 1;
      rows = {0, 0};
    }
    const Next next = decide(search.verify, rows, before, codes.left());
    walking = next == Next::walk;
    if (walking) continue;
    search.d_found[job] = found_so_far(rows, codes.left());
    search.to_verify.append(next == Next::verify, job);
  }
}

template <class Pos>
__global__ void __launch_bounds__(block_threads) verify_kernel(Search<Pos> search) {
  for (std::uint32_t job = 0; search.to_verify.take(job);) {
    const Found<Pos> found = search.d_found[job];
    const Interval<Pos> rows{found.begin, static_cast<Pos>(found.begin + found.count)};
    search.d_found[job] = verify(search.index, search.strand(job), rows, found.offset);
  }
}

template <class Pos>
__global__ void counts_kernel(const Found<Pos>* d_found, std::uint64_t jobs, Pos* d_counts) {
  const std::uint64_t job = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (job < jobs) d_counts[job] = d_found[job].count;
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
                  bool verify, Found<Pos>* d_found, std::uint32_t* d_fault, DeviceStream stream) {
  if (jobs.count == 0) return;
  DeviceBuffer<std::uint32_t> lists_of_jobs(SearchLists::lists * jobs.count, stream),
      counters(SearchLists::counters, stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(counters.data(), 0, counters.bytes(), stream));
  search_async(index, patterns, jobs, verify, d_found,
               SearchLists{lists_of_jobs.data(), counters.data()}, d_fault, stream);
}

template <class Pos>
void search_async(const SearchView<Pos>& index, const PatternsView& patterns, const Jobs& jobs,
                  bool verify, Found<Pos>* d_found, const SearchLists& lists,
                  std::uint32_t* d_fault, DeviceStream stream) {
  if (jobs.count == 0) return;
  verify = verify && index.sa != nullptr;
  const auto list = [&](std::uint32_t i) {
    return JobList{lists.d_jobs + i * jobs.count, lists.d_counters + 2 * i,
                   lists.d_counters + 2 * i + 1};
  };
  const Search<Pos> search{index,   patterns, jobs,    verify, d_found,
                           list(0), list(1),  list(2), d_fault};
  const unsigned all = blocks_for(jobs.count, block_threads);
  const unsigned resident = std::min(all, multiprocessors() * tuning::walk_blocks);
  begin_kernel<<<all, block_threads, 0, stream>>>(search);
  GSX_CUDA_CHECK(cudaGetLastError());
  if (verify) {
    reseed_kernel<<<resident, block_threads, 0, stream>>>(search);
    GSX_CUDA_CHECK(cudaGetLastError());
  }
  walk_kernel<<<resident, block_threads, 0, stream>>>(search);
  GSX_CUDA_CHECK(cudaGetLastError());
  if (!verify) return;
  verify_kernel<<<resident, block_threads, 0, stream>>>(search);
  GSX_CUDA_CHECK(cudaGetLastError());
}

template <class Pos>
void extract_counts_async(const Found<Pos>* d_found, std::uint64_t jobs, Pos* d_counts,
                          DeviceStream stream) {
  if (jobs == 0) return;
  counts_kernel<<<blocks_for(jobs, block_threads), block_threads, 0, stream>>>(d_found, jobs,
                                                                               d_counts);
  GSX_CUDA_CHECK(cudaGetLastError());
}

using Narrow = std::uint32_t;
using Wide = std::uint64_t;
template void search_async(const SearchView<Narrow>&, const PatternsView&, const Jobs&, bool,
                           Found<Narrow>*, std::uint32_t*, DeviceStream);
template void search_async(const SearchView<Wide>&, const PatternsView&, const Jobs&, bool,
                           Found<Wide>*, std::uint32_t*, DeviceStream);
template void search_async(const SearchView<Narrow>&, const PatternsView&, const Jobs&, bool,
                           Found<Narrow>*, const SearchLists&, std::uint32_t*, DeviceStream);
template void search_async(const SearchView<Wide>&, const PatternsView&, const Jobs&, bool,
                           Found<Wide>*, const SearchLists&, std::uint32_t*, DeviceStream);
template void extract_counts_async(const Found<Narrow>*, std::uint64_t, Narrow*, DeviceStream);
template void extract_counts_async(const Found<Wide>*, std::uint64_t, Wide*, DeviceStream);

}  // namespace gsx::cuda
