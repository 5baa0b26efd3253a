// A back end that has others do its work.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "device/backend.hpp"

namespace gsx {

/// Forwards each request to one of the back ends that `Devices` has. These have
///   ask(request)               what request(backend) returns of the back end that does it;
///   hand_over(take, build)     the same of build(backend, take), which gives `take` parts;
///   open<Kind>(setup)          a searcher of all of them;
///   searching()                the back end that says how many threads search;
///   name(), peak_bytes()       what name() and peak_device_bytes() of this one are.
template <class Devices>
class ForwardingBackend final : public Backend {
 public:
  template <class... Values>
  explicit ForwardingBackend(Values&&... of_devices)
      : devices_(std::forward<Values>(of_devices)...) {
    searches().for_each([this]<class Kind>(const Kind&, OpenSearcher<Kind>& open) {
      open = [this](const typename Kind::Setup& setup) {
        return devices_.template open<Kind>(setup);
      };
    });
    measures().for_each([this]<class Kind>(const Kind&, Measure<Kind>& measure) {
      measure.plan = [this](const auto&... asked) {
        return devices_.ask([&](Backend& backend) { return backend.plan_measure<Kind>(asked...); });
      };
      measure.take = [this](const auto&... asked) {
        return devices_.ask([&](Backend& backend) { return backend.measure<Kind>(asked...); });
      };
    });
  }

  std::string name() const override { return devices_.name(); }
  std::uint64_t peak_device_bytes() const override { return devices_.peak_bytes(); }
  int search_threads(int cores) const override {
    return devices_.searching().search_threads(cores);
  }

  BuildPlan plan(const TextView& text, BuildTarget target, const BuildOptions& options) override {
    return devices_.ask([&](Backend& backend) { return backend.plan(text, target, options); });
  }
  void build_rows(const TextView& text, const BuildOptions& options,
                  const TakeRows& take) override {
    devices_.hand_over(take, [&](Backend& backend, const TakeRows& take_rows) {
      backend.build_rows(text, options, take_rows);
    });
  }
  void build_codes(const TextView& text, const BuildOptions& options,
                   const TakeCodes& take) override {
    devices_.hand_over(take, [&](Backend& backend, const TakeCodes& take_codes) {
      backend.build_codes(text, options, take_codes);
    });
  }
  FmIndex build_index(const TextView& text, const BuildOptions& options) override {
    return devices_.ask([&](Backend& backend) { return backend.build_index(text, options); });
  }
  Buffer<std::uint8_t> invert(const BwtBytes& bwt, const BuildOptions& options) override {
    return devices_.ask([&](Backend& backend) { return backend.invert(bwt, options); });
  }

 private:
  Devices devices_;
};

}  // namespace gsx
