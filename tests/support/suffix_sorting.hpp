// Sorting a text by a plan, against what the CPU builds.
#pragma once

#include <cstdint>
#include <span>

#include "device/products.hpp"
#include "device/registry.hpp"
#include "kernels/base/device_link.hpp"
#include "kernels/index/bwt/collectors.hpp"
#include "kernels/text/device_text.hpp"

namespace gsx::testing {

struct SortedText {
  SuffixArray rows;
  Buffer<std::uint8_t> bwt;
};

inline SortedText sort_on_cpu(const Text& text) {
  const auto cpu = make_cpu_backend();
  BuildOptions options;
  options.threads = 2;
  return {build_suffix_array(*cpu, text.view(), options), build_bwt(*cpu, text.view(), options)};
}

/// Whether a plan sorts the text correctly, with the help of these GPUs.
template <class Pos>
bool sorts(cuda::DeviceLink& gpu, const Text& text, const cuda::SortPlan& plan,
           const SortedText& expected, std::span<const cuda::SortHelper> helpers = {}) {
  cuda::Transfer& transfer = gpu.transfer(2);
  const cuda::DeviceStream stream = gpu.stream();
  const cuda::DeviceText d_text(text.view(), transfer, stream);
  const auto collected = [&](auto&& collector) {
    cuda::sort_suffixes<Pos>(d_text.view(), plan, collector, stream, {}, helpers);
    return collector.result();
  };
  const Buffer<Pos> sorted =
      collected(cuda::SuffixArrayCollector<Pos>(text.length(), transfer, stream));
  const Buffer<std::uint8_t> codes =
      collected(cuda::BwtCollector<Pos>(d_text.view(), plan.at_once, transfer, stream));
  for (std::uint64_t row = 0; row < text.length(); ++row) {
    if (sorted[row] != expected.rows[row] || codes[row] != expected.bwt[row]) return false;
  }
  return true;
}

}  // namespace gsx::testing
