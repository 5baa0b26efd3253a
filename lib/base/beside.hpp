// Two works at a time on one number of threads.
#pragma once

#include <cstdint>
#include <functional>

namespace gsx {

/// Calls `main` on this thread and task(i) once for each i in [0, tasks), beside it, on up to
/// `aside` threads; all together never run more than `threads`. While tasks run, run_threads() in
/// `main` starts so many threads fewer; as soon as they are done, their threads take part in what
/// `main` does on several threads. What is left of the tasks when `main` is done gets all threads.
/// With one thread the tasks come after `main`. The first exception is rethrown, main's before all.
void run_beside(int threads, int aside, std::uint64_t tasks,
                const std::function<void(std::uint64_t)>& task, const std::function<void()>& main);

}  // namespace gsx
