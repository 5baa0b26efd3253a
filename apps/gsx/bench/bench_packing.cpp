// gsx bench: packing integers on the CPU.
#include <cstring>

#include "arrays/packing/pack.hpp"
#include "base/parallel.hpp"
#include "bench/bench.hpp"
#include "bench/cpu_arrays.hpp"
#include "process/environment.hpp"

namespace gsx::app {
namespace {

constexpr std::uint64_t most_accesses = std::uint64_t{1} << 22;

/// Measures arrays of `size` random integers of Value, in fewer bits.
template <class Value>
class PackingBench {
 public:
  PackingBench(const BenchOptions& options, std::uint32_t bits, int threads, Report& report)
      : options_(options),
        bits_(bits),
        threads_(threads),
        report_(report),
        values_(options.length, "values to pack"),
        unpacked_(options.length, "values unpacked") {
    in_slices([&](const Slice& slice) {
      for (std::uint64_t i = slice.begin; i < slice.end; ++i) {
        const std::uint64_t upper = measured_value(2 * i), lower = measured_value(2 * i + 1);
        values_[i] = static_cast<Value>((upper << 32 | lower) >> (64 - bits));
      }
    });
  }

  void run() {
    add("copied", 2.0 * sizeof(Value), [&] {
      in_slices([&](const Slice& slice) {
        std::memcpy(unpacked_.data() + slice.begin, values_.data() + slice.begin,
                    (slice.end - slice.begin) * sizeof(Value));
      });
    });
    const std::span<const Value> values(values_.data(), values_.size());
    const double bytes = sizeof(Value) + bits_ / 8.0;
    PackedArray stream;
    add("packed, stream", bytes, [&] { stream = pack(values, bits_, threads_); });
    run("stream", bytes, stream.view());
    InterleavedArray interleaved;
    add("packed, interleaved", bytes,
        [&] { interleaved = pack_interleaved(values, bits_, threads_, cpu_path()); });
    run("interleaved", bytes, interleaved.view());
  }

 private:
  template <class View>
  void run(const std::string& layout, double bytes, const View& view) {
    add("unpacked, " + layout, bytes,
        [&] { unpack(view, 0, unpacked_.span(), threads_, cpu_path()); });
    std::vector<std::uint64_t> sums(static_cast<std::size_t>(threads_));
    const double accesses = static_cast<double>(most_accesses) * threads_;
    report_.rows.push_back(
        measure(name("read at random, " + layout), accesses, "values/s", options_.repeat, [&] {
          run_threads(threads_, [&](int thread) {
            const std::uint64_t first = static_cast<std::uint64_t>(thread) * most_accesses;
            std::uint64_t sum = 0;
            for (std::uint64_t k = first; k < first + most_accesses; ++k)
              sum += view[measured_value(k) * view.size >> 32];
            sums[static_cast<std::size_t>(thread)] = sum;  // so that the reads are not left out
          });
        }));
  }

  /// Adds a row of work on all values, of which each moves `bytes`.
  template <class Work>
  void add(const std::string& work, double bytes, const Work& run) {
    Row row =
        measure(name(work), static_cast<double>(options_.length), "values/s", options_.repeat, run);
    row.traffic = {row.rate * bytes, "B/s"};
    report_.rows.push_back(std::move(row));
  }
  std::string name(const std::string& work) const {
    return std::to_string(bits_) + " of " + std::to_string(8 * sizeof(Value)) + " bits: " + work;
  }

  /// Calls work(slice) for parts of the array, on all threads.
  template <class Work>
  void in_slices(const Work& work) {
    const auto parts = static_cast<std::uint64_t>(threads_);
    run_threads(threads_, [&](int thread) {
      work(slice_of(options_.length, parts, static_cast<std::uint64_t>(thread)));
    });
  }

  const BenchOptions& options_;
  std::uint32_t bits_;
  int threads_;
  Report& report_;
  Buffer<Value> values_;
  Buffer<Value> unpacked_;
};

}  // namespace

void bench_packing(const BenchOptions& options, int threads, Report& report) {
  PackingBench<std::uint8_t>(options, 2, threads, report).run();
  PackingBench<std::uint32_t>(options, 13, threads, report).run();
  PackingBench<std::uint32_t>(options, 26, threads, report).run();
  PackingBench<std::uint64_t>(options, 40, threads, report).run();
}

}  // namespace gsx::app
