// A backend for tests that gives rows of the suffix array, and whatever a test adds, but no more.
#pragma once

#include <memory>
#include <string>

#include "base/error.hpp"
#include "device/registry.hpp"

namespace gsx::testing {

/// Sorts on the CPU, and counts how often.
class RowsBackend : public Backend {
 public:
  std::string name() const override { return "rows"; }
  BuildPlan plan(const TextView&, BuildTarget, const BuildOptions&) override { fail(); }
  void build_rows(const TextView& text, const BuildOptions& build, const TakeRows& take) override {
    ++sorted;
    cpu_->build_rows(text, build, take);
  }
  void build_codes(const TextView&, const BuildOptions&, const TakeCodes&) override { fail(); }
  FmIndex build_index(const TextView&, const BuildOptions&) override { fail(); }

  int sorted = 0;

 private:
  [[noreturn]] static void fail() { throw ResourceError("it only sorts rows"); }

  std::unique_ptr<Backend> cpu_ = make_cpu_backend();
};

}  // namespace gsx::testing
