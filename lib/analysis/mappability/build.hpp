// K-mers of a text, counted by its suffix array on any device.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "analysis/mappability/frequencies.hpp"
#include "analysis/mappability/near_kmers.hpp"
#include "analysis/mappability/unique_lengths.hpp"
#include "device/backend.hpp"
#include "text/both_strands.hpp"

namespace gsx {

/// Throws UsageError if a k is not above matching.mismatches: all such k-mers are alike.
void require_longer(std::span<const std::uint64_t> lengths, const KmerMatching& matching);

/// How often the k-mers of a text occur, an array for each k. The suffix array is sorted in blocks
/// where options.memory has no room for all of it. Pre: require_longer().
/// Throws ResourceError, and what the back end throws. Memory: frequency_bytes() beside the
/// suffix array, and what the builders take where suffixes have much in common; on a device that
/// counts itself, 2 bytes per position for each k, and 2 more for mismatches. Suffixes are sorted
/// three times for mismatches, and twice for k above 1024, once of these for the LCP array:
/// comparing suffixes anew might take long. A device that counts itself sorts once, and once more
/// for each k with mismatches.
/// Calls between() before suffixes are sorted again: a program may give back what has been freed to
/// the system, which counts as held otherwise.
std::vector<std::unique_ptr<FrequencyCodes>> count_kmers(Backend& backend,
                                                         const BothStrandsView& text,
                                                         std::span<const std::uint64_t> lengths,
                                                         const KmerMatching& matching,
                                                         const BuildOptions& options,
                                                         const std::function<void()>& between = {});
/// How count_kmers() goes where the device counts k-mers itself: with no suffix array in host
/// memory, and all that it takes there among its host_bytes. Throws ResourceError where that is
/// too much.
std::optional<BuildPlan> plan_kmers(Backend& backend, const BothStrandsView& text,
                                    std::span<const std::uint64_t> lengths,
                                    const KmerMatching& matching, const BuildOptions& options);
std::uint64_t frequency_bytes(const BothStrandsView& text, std::span<const std::uint64_t> lengths,
                              const KmerMatching& matching);

using AnyPalindromes = std::variant<Palindromes<std::uint32_t>, Palindromes<std::uint64_t>>;

/// What UniqueKmers are told by. No palindromes are found in a text of one strand.
struct UniqueParts {
  SharedLengths shared;
  AnyPalindromes palindromes;
};

/// The shortest unique k-mers of a text, and the counts of its k-mers for every k.
class UniqueKmers {
 public:
  /// As count_kmers(). Memory: what beside_unique_kmers() counts beside the suffix array, and more
  /// where suffixes have much in common (analysis/mappability/shared_lengths.hpp). A device that
  /// compares suffixes does so while the CPU finds palindromes.
  UniqueKmers(Backend& backend, const BothStrandsView& text, const BuildOptions& options);

  /// As UniqueLengths::for_each().
  template <class OnLength>
  void for_each(std::uint64_t begin, std::uint64_t end, const OnLength& on_length) const {
    with_lengths([&](const auto& lengths) { lengths.for_each(begin, end, on_length); });
  }
  /// As UniqueLengths::fill().
  void fill(std::uint64_t begin, std::span<std::uint32_t> values, std::uint32_t none) const {
    with_lengths([&](const auto& lengths) { lengths.fill(begin, values, none); });
  }
  /// Throws ResourceError.
  KmerSpectrum spectrum(int threads) const;

 private:
  bool both() const { return text_.half < text_.text.length(); }
  template <class Work>
  void with_lengths(const Work& work) const {
    std::visit(
        [&]<class Pos>(const Palindromes<Pos>& palindromes) {
          work(UniqueLengths<Pos>(text_, parts_.shared, both() ? &palindromes : nullptr));
        },
        parts_.palindromes);
  }

  BothStrandsView text_;
  RequireMemory require_;
  UniqueParts parts_;
};
/// How UniqueKmers are found where the device compares suffixes itself, with no suffix array in
/// host memory. All that they take there is among its host_bytes.
std::optional<BuildPlan> plan_unique_kmers(Backend& backend, const BothStrandsView& text,
                                           const BuildOptions& options);
/// options.memory with what UniqueKmers takes counted as used, beside the suffix array, or as its
/// peak, once that is gone.
HostMemory beside_unique_kmers(const BothStrandsView& text, const BuildOptions& options);

}  // namespace gsx
