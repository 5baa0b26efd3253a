// The CPU back end: every core, no device.
#include "backend/cpu_searcher.hpp"
#include "backend/registry.hpp"
#include "base/log.hpp"
#include "base/resources.hpp"
#include "sa/builder.hpp"
#include "store/writer.hpp"

namespace gsx {
namespace {

class CpuBackend final : public Backend {
 public:
  std::string name() const override { return "cpu"; }

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

  FmIndex build_index(const TextView& text, const BuildOptions& options) override {
    Stopwatch watch;
    const SuffixArray rows = build_suffix_array(text, options);
    log().debug("suffix array built in {:.3f} s", watch.lap());
    FmIndex index(text, rows, options.sample_rate, options.threads);
    log().debug("FM-index built in {:.3f} s", watch.lap());
    return index;
  }

  std::unique_ptr<Searcher> open(const Index& index, int threads) override {
    return std::make_unique<CpuSearcher>(index, threads);
  }
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend() { return std::make_unique<CpuBackend>(); }

}  // namespace gsx
