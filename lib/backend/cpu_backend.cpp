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
    const std::uint64_t symbols = bits > 2 ? 2 * length : length;
    plan.host_bytes = text + std::max(sorting, entry * length + symbols + plan.index_bytes);
    return plan;
  }

  SuffixArray build_suffix_array(const TextView& text, const BuildOptions& options) override {
    return gsx::build_suffix_array(text, options.threads, options.width, options.progress);
  }

  Buffer<std::uint8_t> build_bwt(const TextView& text, const BuildOptions& options) override {
    return build_order(text, options).before;
  }

  FmIndex build_index(const TextView& text, const BuildOptions& options) override {
    Stopwatch watch;
    SuffixOrder order = build_order(text, options);
    log().debug("suffix array built in {:.3f} s", watch.lap());
    FmIndex index(text, std::move(order), options.fm(), options.threads);
    log().debug("FM-index built in {:.3f} s", watch.lap());
    return index;
  }

  std::vector<QueryRate> measure_queries(const Index&, int) override { return {}; }

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

 private:
  static SuffixOrder build_order(const TextView& text, const BuildOptions& options) {
    return build_suffix_order(text, options.threads, options.width, options.progress);
  }
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend() {
  return std::make_unique<CpuBackend>();
}

}  // namespace gsx
