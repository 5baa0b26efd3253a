#include "run/build_job.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "index/store/writer.hpp"
#include "text/record_checksum.hpp"

namespace gsx {

Index build_in_memory(const BuildJob& job, Text& text) {
  const BuildOptions& build = job.build;
  FmIndex fm;
  // A GPU leaves the CPU to the checksums, but for the threads that bring it its data.
  const int aside = job.backend.name() == "cpu" ? 1 : std::max(1, build.threads / 2);
  checksum_records_beside(text, build.threads, aside,
                          [&] { fm = job.backend.build_index(text.view(), build); });
  build.memory.now().require(index_bytes(text, build.fm()), "the index in memory");
  return Index::of(index_image(text, fm, build.threads), build.threads);
}

}  // namespace gsx
