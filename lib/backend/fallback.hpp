// A GPU when it can do the work, else the CPU.
#pragma once

#include <memory>

#include "backend/backend.hpp"

namespace gsx {

/// Tries `first` for every request; when it throws DeviceError or ResourceError, logs why (debug)
/// and has `second` do the work from the start. A searcher that fails that way goes over to
/// `second`, too, within one run; it refers to the back end, which must outlive it. name() is that
/// of `first`, and after any failure "FIRST, then SECOND".
std::unique_ptr<Backend> make_fallback_backend(std::unique_ptr<Backend> first,
                                               std::unique_ptr<Backend> second);

}  // namespace gsx
