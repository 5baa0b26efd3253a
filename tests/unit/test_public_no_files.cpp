// What is done in memory writes no file.
#include <doctest/doctest.h>
#include <poll.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "gsx/error.hpp"
#include "gsx/search.hpp"
#include "gsx/suffix_array.hpp"
#include "support/files.hpp"
#include "support/scan.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// While it lives, the process works in an empty folder, which is also that of temporary files, and
/// cannot write a byte to any file.
class NoFiles {
 public:
  NoFiles() : before_(std::filesystem::current_path()) {
    if (const char* given = std::getenv("TMPDIR")) temporary_ = given;
    std::filesystem::current_path(folder_.path());
    setenv("TMPDIR", folder_.path().c_str(), 1);
    inotify_add_watch(watch_, folder_.path().c_str(), IN_CREATE | IN_MOVED_TO);
    signal_ = signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit_);
    const rlimit none{0, limit_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &none);
  }
  ~NoFiles() {
    setrlimit(RLIMIT_FSIZE, &limit_);
    signal(SIGXFSZ, signal_);
    close(watch_);
    if (temporary_) setenv("TMPDIR", temporary_->c_str(), 1);
    if (!temporary_) unsetenv("TMPDIR");
    std::filesystem::current_path(before_);
  }
  NoFiles(const NoFiles&) = delete;
  NoFiles& operator=(const NoFiles&) = delete;

  /// Whether a file was made in the folder, even if it is gone.
  bool has_seen_file() const {
    pollfd events{watch_, POLLIN, 0};
    return poll(&events, 1, 0) > 0;
  }

 private:
  TemporaryFolder folder_;
  std::filesystem::path before_;
  std::optional<std::string> temporary_;
  int watch_ = inotify_init1(IN_CLOEXEC);
  void (*signal_)(int) = nullptr;
  rlimit limit_{};
};

}  // namespace

TEST_CASE("public: what is built and searched in memory writes no file") {
  Random random(909);
  const std::vector<std::string> records = {random_string(random, 20'000, "ACGT"),
                                            mutated_copies(random, 200, 10, 50, "ACGT")};
  const std::string pattern = records[0].substr(500, 12);
  const std::vector<std::string_view> patterns(100, pattern);
  bool seen = true, seen_saving = false, saved = true;
  std::vector<Occurrence> found;
  std::size_t hits = 0;
  {
    const NoFiles alone;
    const Index index = build_index(text_of_records(records), {.device = "cpu"});
    found = locate(index, pattern);
    BatchSearcher(index, {.device = "cpu"}).locate(patterns, {}, [&](const HitChunk& chunk) {
      hits += chunk.hits.size();
    });
    (void)inverse_suffix_array(suffix_array(records[0], {.device = "cpu"}));
    (void)bwt(records[0], {.device = "cpu", .memory_limit = 1'000'000'000});
    seen = alone.has_seen_file();
    try {  // so the watch sees what is written
      index.save("g.gsx");
    } catch (const Error&) {
      saved = false;
    }
    seen_saving = alone.has_seen_file();
  }
  CHECK_FALSE(seen);
  CHECK(seen_saving);
  CHECK_FALSE(saved);
  CHECK(found == scan(records, pattern));
  CHECK(hits == patterns.size() * found.size());
}
