// Measures a device: its limits, and kinds of queries that no command makes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/cpu_path.hpp"
#include "index/store/index.hpp"
#include "search/exact/hits.hpp"

namespace gsx {

/// A measured limit of the machine: a ceiling, in the words of the roofline model.
struct Ceiling {
  std::string name;
  double rate;  ///< units per second
  std::string unit;
  std::uint64_t bytes =
      0;  ///< for random reads: the size of the memory that they were spread over, if that matters
};

/// How fast a device answers queries that are in its own memory.
struct QueryRate {
  std::string name;
  double rate;  ///< units per second
  std::string unit;
  double gathers =
      0;             ///< sectors that a query fetches from random places, at least; 0 if not known
  double bytes = 0;  ///< that each unit reads and writes; 0 if not known, or gathers are
};

/// Batches of the three kinds of queries that searches make of a BWT. Separators are not codes:
/// access gives 0 for them, and no rank counts them. Any number of threads may use it.
class RankSelectQueries {
 public:
  virtual ~RankSelectQueries() = default;
  /// Sets codes[i] to the code at rows[i]. Pre: rows are below the number of rows.
  virtual void access(std::span<const std::uint64_t> rows, std::uint8_t* codes) const = 0;
  /// Sets ranks[i] to the occurrences of codes[i] in [0, rows[i]). Pre: codes of the alphabet.
  virtual void rank(std::span<const std::uint8_t> codes, const std::uint64_t* rows,
                    std::uint64_t* ranks) const = 0;
  /// Sets rows[i] to the row of the occurrence of codes[i] with ranks[i] before it. Pre: there is
  /// one.
  virtual void select(std::span<const std::uint8_t> codes, const std::uint64_t* ranks,
                      std::uint64_t* rows) const = 0;
};

class DeviceBench {
 public:
  virtual ~DeviceBench() = default;
  /// Measures the limits of the machine itself, which bound any program, for work on at most
  /// `bytes` of memory. Takes seconds.
  virtual std::vector<Ceiling> measure_ceilings(int threads, std::uint64_t bytes) = 0;
  /// Rates at which the device answers queries on an index, with queries and results in its own
  /// memory; none on the CPU, which shares the caller's memory. Takes seconds.
  virtual std::vector<QueryRate> measure_queries(const Index& index, int threads) = 0;
  /// Rates for nearest smaller values and range minima of `size` random numbers, and for the LCP
  /// array of a text, all in the device's own memory. Throws ResourceError, DeviceError. Takes
  /// seconds.
  virtual std::vector<QueryRate> measure_arrays(std::uint64_t size, int threads) = 0;
  virtual std::vector<QueryRate> measure_lcp(const TextView& text, int threads) = 0;
  /// Rates for packing `size` random integers of several widths, in both layouts, for unpacking
  /// them, and for copying as many, in the device's own memory and from host memory through it;
  /// none on the CPU. Throws ResourceError, DeviceError. Takes seconds.
  virtual std::vector<QueryRate> measure_packing(std::uint64_t size, int threads) = 0;
  /// Rates for the wavelet sequences of measured_sequences (bench/measured_sequences.hpp), of
  /// `size` elements each, built and asked in the device's own memory, and from host memory. Throws
  /// ResourceError, DeviceError. Takes seconds.
  virtual std::vector<QueryRate> measure_wavelet(std::uint64_t size, int threads) = 0;
  /// Rates for all pairs of neighbours of `size` random 16-mers, fewer than 2^31, at distance 1,
  /// and of a smaller set at distance 2, in the device's own memory and from host memory. Throws
  /// ResourceError, DeviceError. Takes seconds.
  virtual std::vector<QueryRate> measure_neighbors(std::uint64_t size, int threads) = 0;
  /// Rates for the longest prefixes of `size` queries, or as many as take seconds, in a set of a
  /// million. Throws ResourceError, DeviceError.
  virtual std::vector<QueryRate> measure_prefixes(std::uint64_t size, int threads) = 0;
  /// Queries for `threads` threads. Refers to the index and to this object, which must outlive it.
  virtual std::unique_ptr<RankSelectQueries> open(const Index& index, int threads) = 0;
};

/// Measures the first device that make_backend (device/registry.hpp) chooses for `device`; throws
/// the same errors. "auto" measures queries on the CPU if the GPU cannot answer them.
std::unique_ptr<DeviceBench> make_device_bench(const std::string& device,
                                               std::uint64_t gpu_memory = unlimited,
                                               CpuPath path = best_cpu_path());

/// Pre: this CPU has the instructions of `path`.
std::unique_ptr<DeviceBench> make_cpu_bench(CpuPath path = best_cpu_path());

/// Throws DeviceError. Defined in kernels/ with CUDA, in bench/no_cuda.cpp without.
std::unique_ptr<DeviceBench> make_cuda_bench(int device, std::uint64_t memory_limit = unlimited);

}  // namespace gsx
