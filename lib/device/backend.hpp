// What a device must be able to do: build suffix arrays and indexes, and search batches.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "base/cpu_path.hpp"
#include "device/build.hpp"
#include "device/device.hpp"
#include "device/measures.hpp"
#include "device/searches.hpp"
#include "index/bwt/bwt_bytes.hpp"
#include "index/fm/fm_index.hpp"
#include "index/sa/block_builder.hpp"
#include "index/store/index.hpp"
#include "search/sets/prefix_set.hpp"
#include "text/text.hpp"

namespace gsx {

/// A device that builds and searches. The results do not depend on which one it is.
class Backend : public Device {
 public:
  /// With the searches of the CPU, until a device sets its own, and no measures.
  explicit Backend(CpuPath path = best_cpu_path());
  Backend(const Backend&) = delete;  // the entries of the tables refer to it
  Backend& operator=(const Backend&) = delete;

  /// How a build with these options will go. Throws ResourceError when there is too little memory
  /// for it.
  virtual BuildPlan plan(const TextView& text, BuildTarget target, const BuildOptions& options) = 0;
  /// Gives `take` the suffix array of a text: the whole of it, or blocks where options.memory has
  /// no room for that.
  virtual void build_rows(const TextView& text, const BuildOptions& options,
                          const TakeRows& take) = 0;
  /// Gives `take` the BWT, whole or in blocks: one code per row, Bwt::separator for separators.
  virtual void build_codes(const TextView& text, const BuildOptions& options,
                           const TakeCodes& take) = 0;
  virtual FmIndex build_index(const TextView& text, const BuildOptions& options) = 0;
  /// The text of a BWT, as invert_bwt (index/bwt/inverse.hpp) gives it. Throws what that throws.
  virtual Buffer<std::uint8_t> invert(const BwtBytes& bwt, const BuildOptions& options);
  /// How many threads keep `cores` cores busy with queries that take long: more than there are
  /// cores where a thread sleeps while a device searches for it.
  virtual int search_threads(int cores) const { return cores; }

  /// Opens a searcher. A device holds an index once for all its searchers that are open, and must
  /// outlive them.
  template <class Kind>
  std::unique_ptr<typename Kind::Searcher> open(const typename Kind::Setup& setup) const {
    return searches_.open<Kind>(setup);
  }
  /// Takes a measure of a text (device/measures.hpp), or plans that; nothing where the device does
  /// not.
  template <class Kind>
  typename Kind::Result measure(const BothStrandsView& text, const typename Kind::Request& request,
                                const BuildOptions& options) const {
    const auto& take = measures_.of<Kind>().take;
    return take ? take(text, request, options) : typename Kind::Result();
  }
  template <class Kind>
  std::optional<BuildPlan> plan_measure(const BothStrandsView& text,
                                        const typename Kind::Request& request,
                                        const BuildOptions& options) const {
    const auto& plan = measures_.of<Kind>().plan;
    return plan ? plan(text, request, options) : std::nullopt;
  }

 protected:
  Searches& searches() { return searches_; }
  Measures& measures() { return measures_; }

 private:
  CpuPath path_;
  Searches searches_;
  Measures measures_;
};

}  // namespace gsx
