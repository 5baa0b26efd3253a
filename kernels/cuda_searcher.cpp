#include "kernels/cuda_searcher.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "backend/impossible_walk.hpp"
#include "base/log.hpp"
#include "kernels/cuda_sequence.hpp"
#include "kernels/device.hpp"
#include "kernels/hits.hpp"
#include "kernels/search_lane.hpp"
#include "kernels/tuning.hpp"

namespace gsx::cuda {
namespace {

/// A flag that kernels raise when the index leads outside itself.
class Fault {
 public:
  explicit Fault(cudaStream_t stream) : flag_(1, stream), stream_(stream) {
    GSX_CUDA_CHECK(cudaMemsetAsync(flag_.data(), 0, flag_.bytes(), stream));
  }
  std::uint32_t* data() { return flag_.data(); }
  /// Waits for the stream; throws CorruptIndexError if the flag is up.
  void check() const {
    if (first_value(flag_, stream_) != 0) throw_impossible_walk();
  }

 private:
  DeviceBuffer<std::uint32_t> flag_;
  cudaStream_t stream_;
};

template <class Pos>
class CudaSearcher final : public Searcher {
 public:
  CudaSearcher(const Index& index, int device, int threads, const Residency& residency,
               Transfer& transfer, bool verify)
      : device_(device),
        threads_(threads),
        complements_(index.alphabet().has_reverse_complement()),
        verify_(verify),
        index_(index, residency, transfer, placing_.get()),
        sequence_(index_.view().fm.bwt, device, lanes_) {}

  int concurrency() const override { return threads_; }
  const SequenceQueries* sequence() const override { return &sequence_; }

  void count(const Patterns& patterns, Strands strands,
             std::vector<StrandCounts>& counts) const override {
    counts.assign(patterns.size(), {});
    for_each_slice(patterns, [&](SearchLane& lane, std::uint64_t first, std::uint64_t last) {
      count_slice(lane, patterns, first, last, strands, counts.data() + first);
    });
  }

  void locate(const Patterns& patterns, Strands strands, std::uint64_t max_hits,
              Hits& hits) const override {
    hits.counts.assign(patterns.size(), {});
    hits.hits.clear();
    hits.hit_ends.clear();
    for_each_slice(patterns, [&](SearchLane& lane, std::uint64_t first, std::uint64_t last) {
      // What a slice that runs out of memory has appended is not there twice.
      hits.hit_ends.resize(first);
      hits.hits.resize(first == 0 ? 0 : hits.hit_ends.back());
      locate_slice(lane, patterns, first, last, strands, max_hits, hits);
    });
  }

 private:
  /// Calls work(lane, first, last) for the patterns in slices that fit the memory, in order: each
  /// is halved as long as there is too little for it.
  template <class Work>
  void for_each_slice(const Patterns& patterns, const Work& work) const {
    make_current(device_);
    const SearchLanes::Guard lane = lanes_.take();
    std::uint64_t most = tuning::patterns_at_once;
    for (std::uint64_t first = 0; first < patterns.size();) {
      const std::uint64_t begin = first == 0 ? 0 : patterns.ends[first - 1];
      std::uint64_t last = first + 1;
      while (last < patterns.size() && last - first < most &&
             patterns.ends[last] - begin <= tuning::codes_at_once) {
        ++last;
      }
      try {
        work(*lane, first, last);
        first = last;
      } catch (const ResourceError&) {
        if (last - first == 1) throw;
        most = (last - first) / 2;
      }
    }
  }

  void count_slice(SearchLane& lane, const Patterns& patterns, std::uint64_t first,
                   std::uint64_t last, Strands strands, StrandCounts* result) const {
    const SearchView<Pos> view = index_.view();
    const PackedPatterns packed =
        lane.upload(patterns, first, last, view.text.symbols.bits, view.fm.sigma);
    const Jobs jobs = Jobs::of(last - first, strands, complements_);
    DeviceBuffer<Found<Pos>> d_found(jobs.count, lane.stream());
    DeviceBuffer<Pos> d_counts(jobs.count, lane.stream());
    Fault fault(lane.stream());
    search_async(view, packed.view(), jobs, verify_, d_found.data(), fault.data(), lane.stream());
    extract_counts_async(d_found.data(), jobs.count, d_counts.data(), lane.stream());
    std::vector<Pos> counts(jobs.count);
    lane.to_host(counts.data(), d_counts.data(), d_counts.bytes());
    fault.check();
    for (std::uint64_t job = 0; job < jobs.count; ++job) {
      StrandCounts& strand_counts = result[jobs.pattern(job)];
      (jobs.is_reverse(job) ? strand_counts.reverse : strand_counts.forward) = counts[job];
    }
  }

  void locate_slice(SearchLane& lane, const Patterns& patterns, std::uint64_t first,
                    std::uint64_t last, Strands strands, std::uint64_t max_hits,
                    Hits& result) const {
    const SearchView<Pos> view = index_.view();
    const PackedPatterns packed =
        lane.upload(patterns, first, last, view.text.symbols.bits, view.fm.sigma);
    const Jobs jobs = Jobs::of(last - first, strands, complements_);
    DeviceBuffer<Found<Pos>> d_found(jobs.count, lane.stream());
    Fault fault(lane.stream());
    search_async(view, packed.view(), jobs, verify_, d_found.data(), fault.data(), lane.stream());
    DeviceBuffer<StrandCounts> d_counts(jobs.patterns, lane.stream());
    DeviceBuffer<std::uint64_t> d_ends(jobs.patterns, lane.stream());
    count_reported_async(jobs, d_found.data(), max_hits, d_counts.data(), d_ends.data(),
                         lane.stream());
    lane.to_host(result.counts.data() + first, d_counts.data(), d_counts.bytes());
    std::vector<std::uint64_t> ends(jobs.patterns);
    lane.to_host(ends.data(), d_ends.data(), d_ends.bytes());
    fault.check();
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    lane.to_device(d_ends.data(), ends.data(), d_ends.bytes());

    const std::uint64_t before = result.hits.size();
    result.hits.resize(before + (ends.empty() ? 0 : ends.back()));
    for (const std::uint64_t end : ends)
      result.hit_ends.push_back(before + end);
    const GatherWork work{lane, view, jobs, d_found.data(), d_ends.data(), fault};
    for (std::uint64_t i = 0; i < ends.size();) {
      const std::uint64_t begin = i == 0 ? 0 : ends[i - 1];
      std::uint64_t stop = i + 1;
      while (stop < ends.size() && ends[stop] - begin <= tuning::hits_at_once)
        ++stop;
      Hit* hits = result.hits.data() + before + begin;
      if (ends[stop - 1] - begin > tuning::hits_at_once) {
        gather_huge(work, i, ends[i] - begin, hits);
      } else {
        gather(work, i, stop, ends[stop - 1] - begin, hits);
      }
      i = stop;
    }
    fault.check();
  }

  struct GatherWork {
    SearchLane& lane;
    const SearchView<Pos>& view;
    const Jobs& jobs;
    const Found<Pos>* d_found;
    const std::uint64_t* d_ends;
    Fault& fault;
  };

  static_assert(sizeof(Hit) == sizeof(std::uint64_t), "hits cross the bus as they are");

  void gather(const GatherWork& work, std::uint64_t first, std::uint64_t last, std::uint64_t count,
              Hit* hits) const {
    DeviceBuffer<std::uint64_t> d_hits(count, work.lane.stream());
    gather_hits(work.view, work.jobs, work.d_found, work.d_ends, first, last, d_hits,
                work.fault.data(), work.lane.stream());
    work.lane.to_host(hits, d_hits.data(), d_hits.bytes());
  }

  /// One pattern with very many hits, in pieces; the host sorts them.
  void gather_huge(const GatherWork& work, std::uint64_t pattern, std::uint64_t count,
                   Hit* hits) const {
    DeviceBuffer<std::uint64_t> d_hits(tuning::hits_at_once, work.lane.stream());
    for (std::uint64_t done = 0; done < count; done += d_hits.size()) {
      const std::uint64_t some = std::min<std::uint64_t>(d_hits.size(), count - done);
      gather_some_async(work.view, work.jobs, work.d_found, pattern, done, some, d_hits.data(),
                        work.fault.data(), work.lane.stream());
      work.lane.to_host(hits + done, d_hits.data(), some * sizeof(Hit));
    }
    std::sort(hits, hits + count);
  }

  int device_;
  int threads_;
  bool complements_;
  bool verify_;
  Stream placing_;
  DeviceIndex<Pos> index_;
  mutable SearchLanes lanes_;
  CudaSequence sequence_;
};

template <class Pos>
std::unique_ptr<Searcher> make_searcher_of(const Index& index, int device, int threads,
                                           Transfer& transfer, const SearcherOptions& options) {
  Residency residency = plan_residency(index, sizeof(Pos), available_bytes(device));
  if (!options.whole_rows) residency.whole_rows = false;
  require_device_bytes(device, residency.bytes, "the index");
  log().debug("GPU memory for the index: {} bytes{}", residency.bytes,
              residency.whole_rows ? ", the whole suffix array among them" : "");
  return std::make_unique<CudaSearcher<Pos>>(index, device, threads, residency, transfer,
                                             options.verify);
}

}  // namespace

std::unique_ptr<Searcher> make_searcher(const Index& index, int device, int threads,
                                        Transfer& transfer, const SearcherOptions& options) {
  return is_wide(index.meta().length, options.width)
             ? make_searcher_of<std::uint64_t>(index, device, threads, transfer, options)
             : make_searcher_of<std::uint32_t>(index, device, threads, transfer, options);
}

}  // namespace gsx::cuda
