// The CPU back end: every core, no device.
#include <algorithm>
#include <utility>

#include "base/bits.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/resources.hpp"
#include "device/cpu/cpu_plan.hpp"
#include "device/registry.hpp"
#include "index/fm/block_index.hpp"
#include "index/sa/builder.hpp"

namespace gsx {
namespace {

class CpuBackend final : public Backend {
 public:
  explicit CpuBackend(CpuPath path) : Backend(path) {}

  std::string name() const override { return "cpu"; }

  BuildPlan plan(const TextView& text, BuildTarget target, const BuildOptions& options) override {
    return plan_cpu_build(text, target, options);
  }

  void build_rows(const TextView& text, const BuildOptions& options,
                  const TakeRows& take) override {
    const CpuBuild build = cpu_build(text, BuildTarget::suffix_array, options);
    if (build.rows) return build_in_blocks(text, build, take);
    take(build_suffix_array(text, build.options.threads, options.width, options.progress,
                            has_room_for_phrases(text, BuildTarget::suffix_array, options)));
  }

  void build_codes(const TextView& text, const BuildOptions& options,
                   const TakeCodes& take) override {
    const CpuBuild build = cpu_build(text, BuildTarget::bwt, options);
    if (!build.rows) return take(build_order(text, BuildTarget::bwt, build.options).bwt);
    build_in_blocks(text, build, [&](const SuffixArray& block) {
      give_codes(text, block, build.options.threads, take);
    });
  }

  FmIndex build_index(const TextView& text, const BuildOptions& options) override {
    const CpuBuild build = cpu_build(text, BuildTarget::index, options);
    const int threads = build.options.threads;
    if (build.rows) {
      return build_index_in_blocks(text, options.fm(), *build.rows, threads, options.width,
                                   options.progress);
    }
    Stopwatch watch;
    SaAndBwt order = build_order(text, BuildTarget::index, build.options);
    log().debug("suffix array built in {:.3f} s", watch.lap());
    FmIndex index(text, std::move(order), options.fm(), threads);
    log().debug("FM-index built in {:.3f} s", watch.lap());
    return index;
  }

 private:
  static SaAndBwt build_order(const TextView& text, BuildTarget target,
                              const BuildOptions& options) {
    return build_sa_and_bwt(text, options.threads, options.width, options.progress,
                            has_room_for_phrases(text, target, options));
  }

  static void build_in_blocks(const TextView& text, const CpuBuild& build, const TakeRows& take) {
    const BuildOptions& options = build.options;
    build_suffix_blocks(text, *build.rows, options.threads, options.width, take, options.progress);
  }

  static void give_codes(const TextView& text, const SuffixArray& block, int threads,
                         const TakeCodes& take) {
    constexpr std::uint64_t piece = std::uint64_t{1} << 20, task = std::uint64_t{1} << 15;
    for (std::uint64_t first = 0; first < block.size(); first += piece) {
      const std::uint64_t size = std::min(piece, block.size() - first);
      Buffer<std::uint8_t> codes(size, "codes of a block");
      parallel_for(threads, divide_up(size, task), [&](std::uint64_t t, int) {
        const std::uint64_t begin = t * task;
        block.visit([&](const auto* rows) {
          bwt_codes(text, rows + first + begin, std::min(task, size - begin), codes.data() + begin);
        });
      });
      take(std::move(codes));
    }
  }
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(CpuPath path) {
  return std::make_unique<CpuBackend>(path);
}

}  // namespace gsx
