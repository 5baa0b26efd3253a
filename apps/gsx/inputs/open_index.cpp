#include "inputs/open_index.hpp"

#include "base/log.hpp"
#include "base/messages.hpp"
#include "gsx/index.hpp"

namespace gsx::app {

Index open_index(const std::string& path, IndexUse use, Session& session,
                 const OpenIndexOptions& options) {
  session.files.reads_index(path);
  Index joined = gsx::open_index(path, Load::map, session.threads);
  if (options.check) options.check(joined);
  if (use == IndexUse::parts || joined.parts().empty()) return joined;
  log().info("{}: this command needs one index, so the {} shards are indexed together, in memory",
             printable(path), joined.parts().size());
  session.report("joining shards", -1);
  return join_shards(joined, {.device = options.device,
                              .threads = session.threads,
                              .memory_limit = options.memory_limit.bytes,
                              .progress = session.progress()});
}

IndexLookup open_lookup(const std::string& path, Session& session) {
  session.files.reads_index(path);
  return IndexLookup::open(path, session.threads);
}

}  // namespace gsx::app
