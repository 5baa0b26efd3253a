#include "open_index.hpp"

#include "base/log.hpp"
#include "base/messages.hpp"
#include "gsx/index.hpp"
#include "store/index_batches.hpp"
#include "store/shard_manifest.hpp"
#include "text/read_text_within.hpp"

namespace gsx::app {
namespace {

/// The text of all records of shards, as reading their files gives it.
Text text_of(const Index& index, Session& session, const SizeLimit& memory_limit) {
  IndexBatches batches(index);
  ReadTextOptions options;
  options.text.alphabet = index.alphabet().policy();
  options.text.soft_mask = index.letter_case().kept            ? SoftMaskPolicy::keep
                           : index.meta().soft_mask_split != 0 ? SoftMaskPolicy::split
                                                               : SoftMaskPolicy::fold;
  options.threads = session.threads;
  options.memory_limit = memory_limit.bytes;
  Text text = text_of_records([&](RecordBatch& batch) { return batches.next(batch); },
                              index.meta().length, options);
  const SourceFilesView files = index.records().files;
  for (std::uint64_t f = 0; f < files.size(); ++f)
    text.files.add_name(files.name(f));
  if (!files.empty())
    text.files.record_ends.assign(files.record_ends.begin(), files.record_ends.end());
  return text;
}

}  // namespace

Index open_index(const std::string& path, IndexUse use, Session& session, const std::string& device,
                 const SizeLimit& memory_limit) {
  if (!begins_as_manifest(path)) return Index::open(path, Load::map, session.threads);
  Index joined = Index::open_shards(path, Load::map, session.threads);
  if (use == IndexUse::parts) return joined;
  log().info("{}: this command needs one index, so the {} shards are indexed together, in memory",
             printable(path), joined.parts().size());
  session.report("joining shards", -1);
  return build_index(text_of(joined, session, memory_limit),
                     {.device = device,
                      .threads = session.threads,
                      .sample_rate = joined.meta().sample_rate,
                      .md5 = !joined.md5s().empty(),
                      .memory_limit = memory_limit.bytes,
                      .progress = session.progress()});
}

}  // namespace gsx::app
