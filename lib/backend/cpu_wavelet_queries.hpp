// Batched queries to a wavelet tree on the CPU.
#pragma once

#include <memory>

#include "backend/backend.hpp"

namespace gsx {

/// Refers to the arrays of `wavelet`, which must outlive it.
std::unique_ptr<WaveletQueries> make_cpu_wavelet_queries(const WaveletView& wavelet, int threads);

}  // namespace gsx
