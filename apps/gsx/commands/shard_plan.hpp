// index --plan with shards: what building each of them would take.
#pragma once

#include <string>

#include "commands/shard_split.hpp"
#include "device/backend.hpp"
#include "inputs/input_options.hpp"
#include "outputs/plan.hpp"
#include "process/session.hpp"

namespace gsx::app {

struct ShardPlan {
  const ShardOptions& shards;  ///< with options.shard, the plan of that one
  const InputOptions& input;
  std::uint32_t sample_rate;
  std::string folder;  ///< where the shards would be
  std::string path;    ///< of the manifest
  const PlanOptions& output;
};

/// Reads the input, and prints a line per shard: its memory, its bytes on the disk, and about how
/// many seconds a job takes that builds it on this machine. Builds the index of the first symbols
/// of the input to measure that. Throws UsageError for input that can be read once only.
void print_shard_plan(const ShardPlan& plan, Backend& backend, Session& session);

}  // namespace gsx::app
