#include "run/build_job.hpp"

#include <algorithm>
#include <functional>

#include "base/log.hpp"
#include "base/resources.hpp"
#include "index/store/writer.hpp"
#include "text/record_checksum.hpp"

namespace gsx {

FmIndex build_beside_checksums(const BuildJob& job, Text& text, Output* out) {
  const Stopwatch watch;
  const BuildOptions& build = job.build;
  const bool by_cpu = job.backend.name() == "cpu";
  const std::uint64_t bytes = index_bytes(text, build.fm());
  std::function<void()> reserve;
  if (!by_cpu && out != nullptr && build.memory.has_room(bytes + 8 * text.length()))
    reserve = [out, bytes] { out->reserve(bytes); };
  FmIndex index;
  checksum_records_beside(
      text, build.threads, by_cpu ? 1 : std::max(1, build.threads / 2),
      [&] {
        index = job.backend.build_index(text.view(), build);
        log().debug("built after {:.3f} s", watch.seconds());
      },
      reserve);
  log().debug("records' checksums after {:.3f} s", watch.seconds());
  return index;
}

Index build_in_memory(const BuildJob& job, Text& text) {
  const FmIndex fm = build_beside_checksums(job, text);
  job.build.memory.now().require(index_bytes(text, job.build.fm()), "the index in memory");
  return Index::of(index_image(text, fm, job.build.threads), job.build.threads);
}

}  // namespace gsx
