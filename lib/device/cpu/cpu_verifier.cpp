// Checking on the CPU.
#include "device/registry.hpp"
#include "index/sa/checker.hpp"
#include "index/store/verify.hpp"

namespace gsx {
namespace {

class CpuVerifier final : public Verifier {
 public:
  std::string name() const override { return "cpu"; }

  std::optional<std::uint64_t> find_wrong_row(const TextView& text, const SuffixArray& rows,
                                              int threads) override {
    return gsx::find_wrong_row(text, rows, threads);
  }

  std::uint64_t verify_bwt(const Index& index, int threads,
                           const ProgressReport& progress) override {
    return gsx::verify_bwt(index, threads, progress);
  }
};

}  // namespace

std::unique_ptr<Verifier> make_cpu_verifier() {
  return std::make_unique<CpuVerifier>();
}

}  // namespace gsx
