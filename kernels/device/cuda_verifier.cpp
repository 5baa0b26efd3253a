// Checking on the GPU: the same faults as on the CPU, which then says where the first one is.
#include <span>
#include <string>

#include "base/error.hpp"
#include "device/registry.hpp"
#include "index/sa/checker.hpp"
#include "index/store/verify.hpp"
#include "kernels/base/copies.hpp"
#include "kernels/base/device_link.hpp"
#include "kernels/index/fm/bwt_walker.hpp"
#include "kernels/index/fm/device_fm.hpp"
#include "kernels/index/sa/row_checker.hpp"
#include "kernels/text/device_text.hpp"

namespace gsx {
namespace {

class CudaVerifier final : public Verifier {
 public:
  CudaVerifier(int device, std::uint64_t memory_limit)
      : link_(device, memory_limit), name_(cuda::describe_device(device)) {}

  std::string name() const override { return name_; }
  std::uint64_t peak_device_bytes() const override { return link_.pool()->peak(); }

  std::optional<std::uint64_t> find_wrong_row(const TextView& text, const SuffixArray& rows,
                                              int threads) override {
    const cuda::CurrentDevice current = link_.make_current();
    const bool right = rows.visit([&](const auto* entries) {
      return check_rows(text, std::span(entries, rows.size()), threads);
    });
    if (right) return std::nullopt;
    if (const auto wrong = gsx::find_wrong_row(text, rows, threads)) return wrong;
    throw RuntimeError(disagreement("suffix array"));
  }

  std::uint64_t verify_bwt(const Index& index, int threads,
                           const ProgressReport& progress) override {
    const cuda::CurrentDevice current = link_.make_current();
    verify_slack(index);
    verify_counts(index, threads);
    const TextView text = index.text();
    const FmView fm = index.fm();
    cuda::require_device_bytes(*link_.pool(),
                               cuda::DeviceText::bytes(text) + cuda::DeviceFm::bytes(fm),
                               "checking the BWT");
    if (progress) progress("checking the BWT", -1);
    const cuda::DeviceText d_text(text, link_.transfer(threads), link_.stream());
    const cuda::DeviceFm d_fm(fm, link_.transfer(threads), link_.stream());
    const BwtWalk walk(d_fm.view(d_text.view().segments), d_text.view());
    if (const auto longest = cuda::longest_walk(walk, PositionWidth::automatic, link_.stream())) {
      return *longest;
    }
    throw_first_fault(index, threads, progress);
    throw RuntimeError(disagreement("BWT"));
  }

 private:
  template <class Pos>
  bool check_rows(const TextView& text, std::span<const Pos> rows, int threads) {
    cuda::require_device_bytes(*link_.pool(), cuda::DeviceText::bytes(text) + 2 * rows.size_bytes(),
                               "checking the suffix array");
    const cuda::DeviceText d_text(text, link_.transfer(threads), link_.stream());
    const auto d_rows =
        cuda::copy_to_device(rows.data(), rows.size(), link_.transfer(threads), link_.stream());
    return cuda::is_suffix_array(d_text.view(), d_rows, link_.stream());
  }

  static std::string disagreement(const std::string& what) {
    return "the GPU finds the " + what +
           " wrong and the CPU does not: this is a bug in gsx or a fault of the machine";
  }

  cuda::DeviceLink link_;
  std::string name_;
};

}  // namespace

std::unique_ptr<Verifier> make_cuda_verifier(int device, std::uint64_t memory_limit) {
  return std::make_unique<CudaVerifier>(device, memory_limit);
}

}  // namespace gsx
