// Several GPUs that share the searches of a run.
#pragma once

#include <memory>
#include <vector>

#include "device/backend.hpp"

namespace gsx {

/// Every batch goes to the searcher that has the fewest batches in work, so that a slow one delays
/// nobody; among equals they take turns. Callers that keep their batches in order get the same
/// output. Pre: at least one, all of the same index.
std::unique_ptr<Searcher> make_multi_device_searcher(
    std::vector<std::unique_ptr<Searcher>> searchers);

/// Builds with the first back end; an index is opened on all of them, each holding a copy. Pre: at
/// least one.
std::unique_ptr<Backend> make_multi_device_backend(std::vector<std::unique_ptr<Backend>> backends);

}  // namespace gsx
