// -t N is N threads in total: building, checksums, inflating and searching share them.
#include <filesystem>
#include <fstream>

#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

/// Threads of a process that have not ended.
int threads_of(pid_t pid) {
  int threads = 0;
  std::error_code error;
  const std::string tasks = "/proc/" + std::to_string(pid) + "/task";
  for (auto task = std::filesystem::directory_iterator(tasks, error);
       !error && task != std::filesystem::directory_iterator(); task.increment(error)) {
    std::ifstream file(task->path() / "stat");
    std::string line;
    std::getline(file, line);
    const std::size_t name_end = line.rfind(") ");
    if (name_end == line.npos) continue;
    const char state = line[name_end + 2];
    threads += state != 'Z' && state != 'X';
  }
  return threads;
}

/// Runs gsx and samples its number of threads. A thread that is ending may be seen together with
/// the one started after it, so a few samples may show more threads than are working.
void check_threads(const TemporaryFolder& folder, Arguments arguments, int threads) {
  CAPTURE(arguments[0]);
  CAPTURE(threads);
  arguments.insert(arguments.end(), {"-q", "--device", "cpu", "-t", std::to_string(threads)});
  Process process(gsx_command(arguments), {.folder = folder.path()});
  int looks = 0, more = 0, most = 0;
  while (!process.ended()) {
    const int now = threads_of(process.pid());
    ++looks;
    more += now > threads;
    most = std::max(most, now);
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
  CHECK(process.wait().exit_code == 0);
  CAPTURE(looks);
  CAPTURE(most);
  CHECK(looks > 10);
  CHECK(more * 10 <= looks);
  CHECK(most >= threads);
}

}  // namespace

TEST_CASE("a run has as many threads as it was given, and no more") {
  GSX_SKIP_IF(sanitized, "sanitizers have threads of their own");
  const TemporaryFolder folder;
  Random random(11);
  std::string genome, queries;
  for (int r = 0; r < 40; ++r)
    genome += ">r" + std::to_string(r) + '\n' + random_string(random, 50'000, "ACGT") + '\n';
  for (int q = 0; q < 60'000; ++q)
    queries += ">q" + std::to_string(q) + '\n' + random_string(random, 60, "ACGT") + '\n';
  folder.write("g.fa", genome);
  write_bgzf(folder / "g.bgz", genome);
  write_bgzf(folder / "q.bgz", queries);
  for (const int threads : {2, 3}) {
    check_threads(folder, {"index", "g.fa", "-o", "g.gsx"}, threads);
    check_threads(folder, {"index", "g.bgz", "-o", "g.gsx"}, threads);
    check_threads(folder, {"count", "-x", "g.gsx", "q.bgz", "--batch", "200000"}, threads);
    check_threads(folder, {"locate", "-x", "g.gsx", "q.bgz", "--batch", "200000"}, threads);
  }
}
