// What the benchmark measures on a device: its limits, and queries that no command asks.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "machine/cpu_path.hpp"
#include "search/hits.hpp"
#include "store/index.hpp"

namespace gsx {

/// A limit of the machine, as measured.
struct Ceiling {
  std::string name;
  double rate;  ///< units per second
  std::string unit;
  std::uint64_t bytes = 0;  ///< of random reads: the memory they were spread over, if that matters
};

/// How fast a device answers queries that lie in its own memory.
struct QueryRate {
  std::string name;
  double rate;  ///< units per second
  std::string unit;
  double gathers = 0;  ///< sectors that a query fetches at random places, at least; 0: not known
};

/// Batches of the three queries of a BWT that searches are made of. Separators are no codes: access
/// gives 0 for them, and no rank counts them. Any number of threads may call.
class RankSelectQueries {
 public:
  virtual ~RankSelectQueries() = default;
  /// codes[i] = code at rows[i]. Pre: rows are below the number of rows.
  virtual void access(std::span<const std::uint64_t> rows, std::uint8_t* codes) const = 0;
  /// ranks[i] = occurrences of codes[i] in [0, rows[i]). Pre: codes of the alphabet.
  virtual void rank(std::span<const std::uint8_t> codes, const std::uint64_t* rows,
                    std::uint64_t* ranks) const = 0;
  /// rows[i] = row of the occurrence of codes[i] with ranks[i] before it. Pre: there is one.
  virtual void select(std::span<const std::uint8_t> codes, const std::uint64_t* ranks,
                      std::uint64_t* rows) const = 0;
};

class DeviceBench {
 public:
  virtual ~DeviceBench() = default;
  /// The machine's own limits, measured now: what any program here is bound by. Takes seconds.
  virtual std::vector<Ceiling> measure_ceilings(int threads) = 0;
  /// Rates of the device's own work on an index, queries and results in its memory; none on the
  /// CPU, whose memory is the caller's. Takes seconds.
  virtual std::vector<QueryRate> measure_queries(const Index& index, int threads) = 0;
  /// For `threads` threads. Refers to the index and to this, which must outlive it.
  virtual std::unique_ptr<RankSelectQueries> open(const Index& index, int threads) = 0;
};

/// For the first device that make_backend (backend/registry.hpp) takes for `device`, with the same
/// errors. "auto" measures queries on the CPU where the GPU cannot.
std::unique_ptr<DeviceBench> make_device_bench(const std::string& device,
                                               std::uint64_t gpu_memory = unlimited,
                                               CpuPath path = best_cpu_path());

/// Pre: this CPU has the instructions of `path`.
std::unique_ptr<DeviceBench> make_cpu_bench(CpuPath path = best_cpu_path());

/// Throws DeviceError. Defined in kernels/ where CUDA is on, in bench/no_cuda.cpp where it is off.
std::unique_ptr<DeviceBench> make_cuda_bench(int device, std::uint64_t memory_limit = unlimited);

}  // namespace gsx
