// Runs two kinds of work at once on one budget of threads.
#pragma once

#include <cstdint>
#include <functional>

namespace gsx {

/// Calls `main` on this thread and, at the same time, task(i) once for each i in [0, tasks), on up
/// to `aside` threads. Never more than `threads` threads run. While tasks run, run_threads() in
/// `main` starts that many threads fewer; when the tasks are done, their threads join what `main`
/// does on several threads. If `main` ends first, all threads take the remaining tasks. With one
/// thread, the tasks run after `main`. Rethrows the first exception; one of `main` takes
/// precedence.
void run_beside(int threads, int aside, std::uint64_t tasks,
                const std::function<void(std::uint64_t)>& task, const std::function<void()>& main);

}  // namespace gsx
