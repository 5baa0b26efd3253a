// A GPU when it can do the work, else the CPU.
#pragma once

#include <memory>

#include "device/backend.hpp"
#include "device/verifier.hpp"

namespace gsx {

/// Tries `first` for every request; when it throws DeviceError, ResourceError or std::bad_alloc,
/// logs that, the first DeviceError as a warning, and has `second` do the work from the start. A
/// searcher that fails in this way goes on with `second`, in the middle of a run; it refers to the
/// back end, which must outlive it. name() is that of `first`, and "FIRST, then SECOND" after a
/// failure.
std::unique_ptr<Backend> make_fallback_backend(std::unique_ptr<Backend> first,
                                               std::unique_ptr<Backend> second);

/// Tries `first` for every check, and has `second` do it from the start as make_fallback_backend().
std::unique_ptr<Verifier> make_fallback_verifier(std::unique_ptr<Verifier> first,
                                                 std::unique_ptr<Verifier> second);

}  // namespace gsx
