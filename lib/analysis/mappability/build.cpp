#include "analysis/mappability/build.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/resources.hpp"
#include "device/products.hpp"
#include "index/lcp/lcp_builder.hpp"

namespace gsx {
namespace {

/// The largest k up to which rows are compared for every k anew.
constexpr std::uint64_t most_compared = 1024;

/// What is said of texts that take more than is planned.
constexpr const char* so_much = "a text whose suffixes have so much in common";
/// Rows that are compared, and what else is of a fixed size.
constexpr std::uint64_t small_things = std::uint64_t{32} << 20;

/// Calls work(builder of Pos) with all rows of the suffix array added to it. The builder takes
/// `bytes`, and what it asks for.
template <template <class> class Builder, class Work, class... Arguments>
auto with_all_rows(Backend& backend, const TextView& text, BuildOptions options,
                   std::uint64_t bytes, const Work& work, const Arguments&... arguments) {
  const RequireMemory require = options.memory.require_as_needed(so_much);
  options.memory = options.memory.now();
  options.memory.used += bytes + small_things;
  const auto run = [&]<class Pos>(Pos) {
    Builder<Pos> builder(arguments..., require);
    add_all_rows(backend, text, options, builder);
    return work(builder);
  };
  return is_wide(text.length(), options.width) ? run(std::uint64_t{}) : run(std::uint32_t{});
}

constexpr auto finished = [](auto& builder) { return builder.finish(); };

bool compares_far(std::span<const std::uint64_t> lengths) {
  return !lengths.empty() && *std::ranges::max_element(lengths) > most_compared;
}

bool needs_lcps(std::span<const std::uint64_t> lengths, const KmerMatching& matching) {
  return compares_far(lengths) || matching.mismatches > 0;
}

/// What LcpBuilder, FrequencyBuilder and NearKmerBuilder take, one after another.
struct FrequencyBytes {
  std::uint64_t lcps = 0, codes = 0, near = 0;

  FrequencyBytes(const BothStrandsView& text, std::span<const std::uint64_t> lengths,
                 const KmerMatching& matching) {
    if (needs_lcps(lengths, matching)) lcps = LcpBuilder<std::uint32_t>::bytes(text.text.length());
    codes = 2 * text.half * lengths.size();
    if (matching.mismatches > 0) near = (4 * text.half + text.half / 4) * lengths.size();
  }
};

/// Frequencies that the device counts itself, or none; `bytes` of memory are needed later.
std::vector<std::unique_ptr<FrequencyCodes>> counted_by_device(
    Backend& backend, const BothStrandsView& text, std::span<const std::uint64_t> lengths,
    BuildOptions options, std::uint64_t bytes) {
  std::vector<std::unique_ptr<FrequencyCodes>> codes;
  if (compares_far(lengths)) return codes;
  const RequireMemory require = options.memory.require_as_needed(so_much);
  options.memory = options.memory.now();
  options.memory.used += bytes + small_things;
  for (KmerFrequencies& counts : backend.measure<KmerMeasure>(text, lengths, options))
    codes.push_back(std::make_unique<FrequencyCodes>(std::move(counts), options.threads, require));
  return codes;
}

/// Whether a device that counts k-mers with mismatches can be asked for these.
bool may_be_near_on_device(std::span<const std::uint64_t> lengths, const KmerMatching& matching) {
  return matching.mismatches > 0 && matching.cap > 0 && matching.cap <= NearKmers::most_cap &&
         !compares_far(lengths);
}
/// What one more array of counts takes that comes from the device.
std::uint64_t near_bytes(const BothStrandsView& text) {
  return 2 * text.half;
}

/// Frequencies with mismatches that the device counts itself, or none.
std::vector<std::unique_ptr<FrequencyCodes>> near_counted_by_device(
    Backend& backend, const BothStrandsView& text, std::span<const std::uint64_t> lengths,
    const KmerMatching& matching, const BuildOptions& options,
    const std::function<void()>& between) {
  std::vector<std::unique_ptr<FrequencyCodes>> codes;
  // Exact counts would be for nothing otherwise.
  if (!may_be_near_on_device(lengths, matching)) return codes;
  for (const std::uint64_t k : lengths) {
    if (!backend.plan_measure<NearKmerMeasure>(text, {{k, matching.mismatches, matching.cap}},
                                               options))
      return codes;
  }
  codes = counted_by_device(backend, text, lengths, options, near_bytes(text));
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const Buffer<std::uint16_t> exact = codes[i]->capped(matching.cap, options.threads);
    codes[i].reset();
    if (between) between();
    BuildOptions now = options;
    now.memory = options.memory.now();
    now.memory.used += small_things;
    auto all = backend.measure<NearKmerMeasure>(
        text, {{lengths[i], matching.mismatches, matching.cap}, {exact.data(), exact.size()}}, now);
    if (!all) return {};
    codes[i] = std::make_unique<FrequencyCodes>(std::move(*all), matching.cap);
  }
  return codes;
}

bool has_two_strands(const BothStrandsView& text) {
  return text.half < text.text.length();
}

/// What UniqueKmers takes.
struct UniqueBytes {
  std::uint64_t rows = 0;  ///< beside the suffix array
  std::uint64_t palindromes = 0;
  std::uint64_t lengths = 0;
  std::uint64_t most = 0;  ///< once the suffix array is gone

  UniqueBytes(const BothStrandsView& text, PositionWidth width) : rows(4 * text.half) {
    const bool both = has_two_strands(text);
    if (both) {
      palindromes = 9 * text.half / (is_wide(text.half, width) ? 1 : 2);
    }
    lengths = SharedLengths::bytes(text.half, both);
    const std::uint64_t marks = text.text.length() / 3;
    most = lengths + std::max(rows + marks, palindromes);
  }
};

SharedLengths shared_by_rows(Backend& backend, const BothStrandsView& text,
                             const BuildOptions& options) {
  const UniqueBytes bytes(text, options.width);
  options.memory.require(bytes.most + small_things, "the lengths that suffixes share");
  return with_all_rows<SharedLengthsBuilder>(backend, text.text, options, bytes.rows, finished,
                                             text, options.threads);
}

/// Those of a text with two strands; see Palindromes for `meanwhile` and `coming`.
AnyPalindromes find_palindromes(const BothStrandsView& text, const BuildOptions& options,
                                const std::function<void()>& meanwhile = {},
                                std::atomic<std::uint64_t>* coming = nullptr) {
  const Stopwatch watch;
  AnyPalindromes found;
  if (is_wide(text.half, options.width)) {
    found.emplace<1>(text, options.threads, meanwhile, coming);
  } else {
    found.emplace<0>(text, options.threads, meanwhile, coming);
  }
  log().debug("{} in {:.3f} s", meanwhile ? "shared lengths and palindromes" : "palindromes found",
              watch.seconds());
  return found;
}

/// What the device finds itself, while the CPU finds palindromes; or nothing.
std::optional<UniqueParts> parts_by_device(Backend& backend, const BothStrandsView& text,
                                           const BuildOptions& options) {
  const std::optional<BuildPlan> plan = plan_unique_kmers(backend, text, options);
  if (!plan) return std::nullopt;
  options.memory.require(plan->host_bytes, "the lengths that suffixes share");
  // Palindromes are written while the device is at work, and the process holds them by and by.
  std::atomic<std::uint64_t> coming = 0;
  std::optional<SharedLengths> shared;
  const auto share = [&] {
    BuildOptions now = options;
    now.memory.coming = &coming;
    now.memory = now.memory.now();
    now.memory.used += small_things;
    shared = backend.measure<SharedPrefixMeasure>(text, {}, now);
  };
  AnyPalindromes palindromes;
  if (has_two_strands(text)) {
    palindromes = find_palindromes(text, options, share, &coming);
  } else {
    share();
  }
  // Without the lengths, the palindromes go, too: rows are not planned to be beside them.
  if (!shared) return std::nullopt;
  return UniqueParts{std::move(*shared), std::move(palindromes)};
}

UniqueParts unique_parts(Backend& backend, const BothStrandsView& text,
                         const BuildOptions& options) {
  if (std::optional<UniqueParts> found = parts_by_device(backend, text, options))
    return std::move(*found);
  const RequireMemory require = options.memory.require_as_needed(so_much);
  UniqueParts parts{shared_by_rows(backend, text, options), {}};
  if (!has_two_strands(text)) return parts;
  require(UniqueBytes(text, options.width).palindromes);
  parts.palindromes = find_palindromes(text, options);
  return parts;
}

}  // namespace

void require_longer(std::span<const std::uint64_t> lengths, const KmerMatching& matching) {
  for (const std::uint64_t k : lengths) {
    if (k > static_cast<std::uint64_t>(matching.mismatches)) continue;
    throw UsageError("k-mers of " + std::to_string(k) + " symbols with " +
                     std::to_string(matching.mismatches) +
                     " mismatches are all alike: make them longer, or allow fewer mismatches");
  }
}

std::uint64_t frequency_bytes(const BothStrandsView& text, std::span<const std::uint64_t> lengths,
                              const KmerMatching& matching) {
  const FrequencyBytes bytes(text, lengths, matching);
  return bytes.lcps + bytes.codes + bytes.near + small_things;
}

std::optional<BuildPlan> plan_kmers(Backend& backend, const BothStrandsView& text,
                                    std::span<const std::uint64_t> lengths,
                                    const KmerMatching& matching, const BuildOptions& options) {
  if (lengths.empty() || compares_far(lengths)) return std::nullopt;
  const bool near = matching.mismatches > 0;
  if (near && !may_be_near_on_device(lengths, matching)) return std::nullopt;
  const std::uint64_t bytes = frequency_bytes(text, lengths, {}) + (near ? near_bytes(text) : 0);
  BuildOptions beside = options;
  beside.memory.used += bytes;
  std::optional<BuildPlan> plan = backend.plan_measure<KmerMeasure>(text, lengths, beside);
  for (std::size_t i = 0; i < lengths.size() && near && plan; ++i) {
    auto other = backend.plan_measure<NearKmerMeasure>(
        text, {{lengths[i], matching.mismatches, matching.cap}}, beside);
    // The text is sorted again for each of them.
    if (other) {
      other->host_bytes = std::max(other->host_bytes, plan->host_bytes);
      other->device_bytes = std::max(other->device_bytes, plan->device_bytes);
      other->stages.insert(other->stages.begin(), plan->stages.begin(), plan->stages.end());
    }
    plan = std::move(other);
  }
  if (plan) {
    plan->host_bytes += bytes;
    for (BuildStage& stage : plan->stages)
      stage.host_bytes += bytes;
  }
  return plan;
}

std::vector<std::unique_ptr<FrequencyCodes>> count_kmers(Backend& backend,
                                                         const BothStrandsView& text,
                                                         std::span<const std::uint64_t> lengths,
                                                         const KmerMatching& matching,
                                                         const BuildOptions& options,
                                                         const std::function<void()>& between) {
  auto near = near_counted_by_device(backend, text, lengths, matching, options, between);
  if (!near.empty()) return near;
  const auto [of_lcps, of_codes, of_near] = FrequencyBytes(text, lengths, matching);
  std::optional<LcpArray> known;
  if (needs_lcps(lengths, matching)) {
    known = with_all_rows<LcpBuilder>(backend, text.text, options, of_lcps + of_codes + of_near,
                                      finished, text.text, options.threads);
  }
  if (known && between) between();
  const LcpArray* const lcps = compares_far(lengths) ? &*known : nullptr;
  auto codes = counted_by_device(backend, text, lengths, options, of_near);
  if (codes.empty()) {
    codes = with_all_rows<FrequencyBuilder>(backend, text.text, options, of_codes + of_near,
                                            finished, text, lengths, options.threads, lcps);
  }
  if (matching.mismatches > 0) {
    if (between) between();
    const std::span<const std::unique_ptr<FrequencyCodes>> exact = codes;
    with_all_rows<NearKmerBuilder>(backend, text.text, options, of_near, finished, text, lengths,
                                   exact, matching, options.threads, *known);
  }
  return codes;
}

std::optional<BuildPlan> plan_unique_kmers(Backend& backend, const BothStrandsView& text,
                                           const BuildOptions& options) {
  std::optional<BuildPlan> plan = backend.plan_measure<SharedPrefixMeasure>(text, {}, options);
  if (!plan) return plan;
  const UniqueBytes bytes(text, options.width);
  const std::uint64_t beside = bytes.lengths + bytes.palindromes + small_things;
  plan->host_bytes += beside;
  for (BuildStage& stage : plan->stages)
    stage.host_bytes += beside;
  return plan;
}

HostMemory beside_unique_kmers(const BothStrandsView& text, const BuildOptions& options) {
  const UniqueBytes bytes(text, options.width);
  HostMemory memory = options.memory;
  memory.peak = memory.total(bytes.most + small_things);
  memory.used += bytes.rows + small_things;
  return memory;
}

UniqueKmers::UniqueKmers(Backend& backend, const BothStrandsView& text, const BuildOptions& options)
    : text_(text),
      require_(options.memory.require_as_needed(so_much)),
      parts_(unique_parts(backend, text, options)) {}

KmerSpectrum UniqueKmers::spectrum(int threads) const {
  const Stopwatch watch;
  KmerSpectrum spectrum = std::visit(
      [&]<class Pos>(const Palindromes<Pos>& palindromes) {
        return kmer_spectrum(text_, parts_.shared, both() ? &palindromes : nullptr, threads,
                             require_);
      },
      parts_.palindromes);
  log().debug("spectrum counted in {:.3f} s", watch.seconds());
  return spectrum;
}

}  // namespace gsx
