// Options that several subcommands have, registered in one place.
#pragma once

#include <CLI/App.hpp>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "backend/verifier.hpp"
#include "machine/cpu_path.hpp"
#include "option_kinds.hpp"
#include "session.hpp"

namespace gsx::app {

/// -t, -q, -v, --progress.
void add_session_options(CLI::App& command, Session& session);

/// Which device, and how much of it.
struct DeviceOptions {
  std::string device = "auto";
  std::uint64_t gpu_memory = unlimited;  ///< bytes

  /// A back end that builds; given a path, it also searches with its instructions.
  std::unique_ptr<Backend> make(CpuPath path = best_cpu_path()) const;
  std::unique_ptr<Verifier> make_verifier() const;
};
/// --device and --gpu-memory; gives the former for rules of the command's own.
CLI::Option* add_device_options(CLI::App& command, DeviceOptions& options);

/// Throws UsageError when the output would replace one of the files that the run reads.
void refuse_overwriting(const std::string& output, const std::vector<std::string>& inputs);

}  // namespace gsx::app
