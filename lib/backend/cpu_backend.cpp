// The CPU back end: every core, no device.
#include <algorithm>

#include "backend/cpu_ceilings.hpp"
#include "backend/cpu_searcher.hpp"
#include "backend/registry.hpp"
#include "base/bits.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/resources.hpp"
#include "sa/builder.hpp"
#include "sa/checker.hpp"
#include "store/verify.hpp"
#include "store/writer.hpp"

namespace gsx {
namespace {

class CpuBackend final : public Backend {
 public:
  std::string name() const override { return "cpu"; }

  std::vector<Ceiling> measure_ceilings(int threads) override {
    return measure_cpu_ceilings(threads);
  }

  BuildPlan plan(std::uint64_t length, std::uint32_t bits,
                 const BuildOptions& options) const override {
    BuildPlan plan;
    plan.index_bytes = index_bytes(length, bits, options.sample_rate);
    const std::uint64_t text = PackedView::bytes_for(length, bits);
    const std::uint64_t sorting = suffix_array_bytes(length, options.threads, options.width);
    const std::uint64_t entry = is_wide(length, options.width) ? 8 : 4;
    const std::uint64_t symbols = bits > 2 ? 2 * length : 0;
    plan.host_bytes = text + std::max(sorting, entry * length + symbols + plan.index_bytes);
    return plan;
  }

  SuffixArray build_suffix_array(const TextView& text, const BuildOptions& options) override {
    return gsx::build_suffix_array(text, options.threads, options.width, options.progress);
  }

  Buffer<std::uint8_t> build_bwt(const TextView& text, const BuildOptions& options) override {
    const SuffixArray rows = build_suffix_array(text, options);
    const Bwt bwt(text, rows);
    Buffer<std::uint8_t> codes(bwt.size(), "BWT");
    constexpr std::uint64_t piece = std::uint64_t{1} << 18;
    parallel_for(options.threads, divide_up(bwt.size(), piece), [&](std::uint64_t i, int) {
      const std::uint64_t begin = i * piece;
      bwt.codes(begin, std::min(bwt.size(), begin + piece), codes.data() + begin);
    });
    return codes;
  }

  FmIndex build_index(const TextView& text, const BuildOptions& options) override {
    Stopwatch watch;
    const SuffixArray rows = build_suffix_array(text, options);
    log().debug("suffix array built in {:.3f} s", watch.lap());
    FmIndex index(text, rows, options.fm(), options.threads);
    log().debug("FM-index built in {:.3f} s", watch.lap());
    return index;
  }

  std::vector<Ceiling> measure_queries(const Index&, int) override { return {}; }

  std::unique_ptr<Searcher> open(const Index& index, int threads) override {
    return std::make_unique<CpuSearcher>(index, threads);
  }

  std::optional<std::uint64_t> find_wrong_row(const TextView& text, const SuffixArray& rows,
                                              int threads) override {
    return gsx::find_wrong_row(text, rows, threads);
  }

  void verify_bwt(const Index& index, int threads, const ProgressReport& progress) override {
    gsx::verify_bwt(index, threads, progress);
  }
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend() {
  return std::make_unique<CpuBackend>();
}

}  // namespace gsx
