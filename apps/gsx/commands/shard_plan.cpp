#include "commands/shard_plan.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "bytes/output.hpp"
#include "commands/index_shards.hpp"
#include "index/store/writer.hpp"
#include "options/cram_option.hpp"
#include "output/lines/text_format.hpp"
#include "records/reading_bounds.hpp"
#include "records/sequence_reader.hpp"

namespace gsx::app {
namespace {

/// The text of the first symbols of the input, about as many.
Text first_symbols(const ShardPlan& plan, SymbolPolicy policy, std::uint64_t symbols,
                   Session& session) {
  const ReadingBounds bounds = reading_bounds(plan.input.memory_limit.bytes);
  SequenceReader reader(plan.input.files,
                        {.block_bytes = std::min<std::uint64_t>(symbols, std::uint64_t{1} << 20),
                         .split_records = true,
                         .header_bytes = bounds.header_bytes,
                         .decoding = {.unpack_bytes = bounds.unpack_bytes,
                                      .record_bytes = bounds.record_bytes,
                                      .cram = cram_references(plan.input.cram_reference),
                                      .allow_no_eof = plan.input.allow_no_eof,
                                      .warns = false}});
  ReadTextOptions read;
  read.text.alphabet = policy;
  read.threads = session.threads;
  const bool is_dna = policy == SymbolPolicy::dna;
  std::uint64_t indexed = 0;
  std::mutex mutex;
  const auto next = [&](RecordBatch& batch) {
    const std::lock_guard lock(mutex);
    if (indexed >= symbols || !reader.next(batch)) return false;
    indexed += static_cast<std::uint64_t>(std::ranges::count_if(
        batch.symbols, [is_dna](char c) { return !is_dna || (c != 'N' && c != 'n'); }));
    return true;
  };
  return text_of_records(next, 0, read);
}

/// How long a build takes, by its symbols. The time per symbol grows with the logarithm of their
/// number, since more of them miss the caches.
class BuildTimes {
 public:
  /// Measures builds of at most so many symbols: those of a shard, for which memory suffices.
  BuildTimes(const ShardPlan& plan, SymbolPolicy policy, std::uint64_t symbols, Backend& backend,
             Session& session)
      : policy_(policy), most_(std::clamp<std::uint64_t>(symbols, 8, std::uint64_t{1} << 22)) {
    session.report("measuring", -1);
    measure(plan, most_ / 8, backend, session);  // the first build of a process is slow
    const double few = measure(plan, most_ / 8, backend, session);
    per_symbol_ = measure(plan, most_, backend, session);
    growth_ = std::max(0.0, per_symbol_ - few) / 3;
  }

  double seconds(std::uint64_t symbols) const {
    const double more =
        std::log2(std::max(1.0, static_cast<double>(symbols) / static_cast<double>(most_)));
    return static_cast<double>(symbols) * (per_symbol_ + growth_ * more);
  }

 private:
  double measure(const ShardPlan& plan, std::uint64_t symbols, Backend& backend,
                 Session& session) const {
    const Text text = first_symbols(plan, policy_, symbols, session);
    BuildOptions build = build_options(plan.input, session);
    build.sample_rate = plan.sample_rate;
    build.progress = {};
    const Stopwatch watch;
    backend.build_index(text.view(), build);
    return watch.seconds() / static_cast<double>(text.length());
  }

  SymbolPolicy policy_;
  std::uint64_t most_;
  double per_symbol_ = 0;
  double growth_ = 0;
};

/// What is known of a shard before the time of a build is.
struct PlannedShard {
  std::string text;  ///< of its line, and the rest of it
  std::string rest;
  JsonMembers facts;  ///< the same as JSON
  SymbolPolicy policy = SymbolPolicy::dna;
  std::uint64_t symbols = 0;
  double reading = 0;  ///< seconds until it was read
};

PlannedShard planned(const ShardPlan& plan, std::uint64_t shard, const std::string& file,
                     const Text& text, Backend& backend, Session& session) {
  PlannedShard made;
  BuildOptions build = build_options(plan.input, session);
  build.sample_rate = plan.sample_rate;
  const BuildPlan builds = backend.plan(text.view(), BuildTarget::index, build);
  made.policy = text.alphabet.policy();
  made.symbols = text.length();
  made.text = std::to_string(shard) + '\t';
  append_name(made.text, file);
  for (const std::uint64_t number :
       {std::uint64_t{text.records.size()}, text.length() - text.segment_offsets.size(),
        build.memory.total(builds.host_bytes), builds.device_bytes, index_bytes(text, build.fm())})
    append_column(made.text, number);
  const bool fits = build.memory.has_room(builds.host_bytes);
  made.rest =
      printable(fits ? "memory suffices" : build.memory.shortage(builds.host_bytes, "this build"));
  made.facts = index_plan_table(text, builds, build, backend.name(), plan.folder).members();
  made.facts.insert(made.facts.begin(), {{"shard", shard}, {"file", file}});
  return made;
}

std::vector<PlannedShard> plan_shards(const ShardPlan& plan, Backend& backend, Session& session) {
  const Stopwatch watch;
  const ShardSplit split(plan.shards, plan.input, session);
  const std::uint64_t shards = split.shards_named(plan.input, session);
  ShardInput reader(plan.input, session, split.rule(), split.names_by_file());
  std::vector<PlannedShard> all;
  for (std::uint64_t shard = 0; !plan.shards.shard || shard <= *plan.shards.shard; ++shard) {
    if (plan.shards.shard && shard < *plan.shards.shard) {
      if (reader.skip()) continue;
      break;
    }
    const std::optional<Text> text = reader.next();
    if (!text) break;
    const double reading = watch.seconds();
    all.push_back(
        planned(plan, shard, shard_path(plan.path, shard, shards), *text, backend, session));
    all.back().reading = reading;
  }
  return all;
}

}  // namespace

void print_shard_plan(const ShardPlan& plan, Backend& backend, Session& session) {
  if (plan.shards.manifest_only) throw UsageError("--manifest-only builds nothing to be planned");
  require_shard_place(plan.path);
  require_readable_twice(plan.input.files, "--plan", "write it to a file");
  const std::vector<PlannedShard> shards = plan_shards(plan, backend, session);
  if (shards.empty()) {
    throw UsageError(
        fmt::format("--shard {}: the input makes fewer shards; a record is never divided",
                    plan.shards.shard.value_or(0)));
  }
  const std::uint64_t most = std::ranges::max(shards, {}, &PlannedShard::symbols).symbols;
  const BuildTimes times(plan, shards.front().policy, most, backend, session);
  std::string text =
      "shard\tfile\trecords\tindexed_symbols\thost_bytes\tdevice_bytes\tdisk_bytes\tseconds\t"
      "conclusion\n";
  std::vector<JsonValue> all;
  for (const PlannedShard& shard : shards) {
    const auto seconds =
        static_cast<std::uint64_t>(std::ceil(shard.reading + times.seconds(shard.symbols)));
    text += fmt::format("{}\t{}\t{}\n", shard.text, seconds, shard.rest);
    all.emplace_back(shard.facts).members.push_back({"seconds", seconds});
  }
  Output out("-");
  out.write(plan.output.json ? json_text(JsonMembers{{"shards", all}}) + '\n' : text);
  out.commit();
}

}  // namespace gsx::app
