// What a device can find of the k-mers of a text while it sorts the suffixes: a table, by kind.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "device/build.hpp"
#include "index/lcp/kmer_frequencies.hpp"
#include "index/lcp/shared_lengths.hpp"
#include "text/both_strands.hpp"

namespace gsx {

/// Counts the k-mers at positions [0, text.half), an array for each k that is asked for, as
/// FrequencyBuilder (analysis/mappability/frequencies.hpp) does. Pre: there is a k, and each is at
/// least 1.
struct KmerMeasure {
  using Request = std::span<const std::uint64_t>;  ///< each k
  using Result = std::vector<KmerFrequencies>;
};

/// Finds what suffixes share at positions [0, text.half), as SharedLengthsBuilder
/// (analysis/mappability/shared_lengths.hpp) does. The host bytes of a plan are those beside
/// SharedLengths.
struct SharedPrefixMeasure {
  struct Request {};
  using Result = std::optional<SharedLengths>;
};

/// Adds to `exact` the k-mers that differ from that of a position in 1 to near.mismatches symbols,
/// as NearKmerBuilder (analysis/mappability/near_kmers.hpp) does. `exact` and the result hold a
/// frequency per position of [0, text.half), near.cap where it is larger, 0 where no k-mer begins.
/// Pre: near.k > near.mismatches >= 1, 1 <= near.cap <= NearKmers::most_cap. A plan needs no
/// `exact`, and the result is no part of its host bytes.
struct NearKmerMeasure {
  struct Request {
    NearKmers near;
    std::span<const std::uint16_t> exact = {};
  };
  using Result = std::optional<Buffer<std::uint16_t>>;
};

/// How a device takes a measure. Both functions throw ResourceError, and `take` what build_rows
/// throws.
template <class Kind>
struct Measure {
  /// How it will go, or nothing where the device will return nothing.
  std::function<std::optional<BuildPlan>(const BothStrandsView&, const typename Kind::Request&,
                                         const BuildOptions&)>
      plan = {};
  /// The result; nothing where the device does not find it itself, or not for this text: then the
  /// rows of the suffix array tell.
  std::function<typename Kind::Result(const BothStrandsView&, const typename Kind::Request&,
                                      const BuildOptions&)>
      take = {};
};

class Measures {
 public:
  template <class Kind>
  void set(Measure<Kind> measure) {
    std::get<Entry<Kind>>(table_).measure = std::move(measure);
  }
  /// The measure of a kind; its functions are empty where the device has none.
  template <class Kind>
  const Measure<Kind>& of() const {
    return std::get<Entry<Kind>>(table_).measure;
  }
  /// Calls make(kind, measure) for each kind, where `kind` is a value of it and `measure` its
  /// entry.
  template <class Make>
  void for_each(const Make& make) {
    std::apply([&](auto&... entries) { (make(entries.kind, entries.measure), ...); }, table_);
  }

 private:
  template <class Kind>
  struct Entry {
    Kind kind;
    Measure<Kind> measure;
  };
  std::tuple<Entry<KmerMeasure>, Entry<SharedPrefixMeasure>, Entry<NearKmerMeasure>> table_;
};

}  // namespace gsx
