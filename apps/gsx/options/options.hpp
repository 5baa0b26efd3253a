// Options that several subcommands share.
#pragma once

#include <CLI/App.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/cpu_path.hpp"
#include "device/backend.hpp"
#include "device/verifier.hpp"
#include "index/store/index.hpp"
#include "options/numbers.hpp"
#include "options/option_kinds.hpp"
#include "process/session.hpp"

namespace gsx::app {

/// What the description of -t adds in commands whose threads sleep while a GPU searches.
inline constexpr const char* more_threads_with_gpu =
    " (with a GPU 2 N, because those that wait for it sleep)";
inline constexpr const char* more_threads_with_mismatches =
    " (with -k or --iupac on a GPU 2 N, because those that wait for it sleep)";

/// Adds -t, -q, -v and --progress. `threads` goes on where the description of -t says "N threads".
void add_session_options(CLI::App& command, Session& session, const char* threads = "");

/// Which device to use, and how much of its memory.
struct DeviceOptions {
  std::string device = "auto";
  std::uint64_t gpu_memory = unlimited;  ///< bytes

  /// The same options, but the CPU for "auto" where a GPU does not pay: `memory` leaves its driver
  /// no room in host memory, or the sequences of `files` are few.
  DeviceOptions for_run(const SizeLimit& memory, const std::vector<std::string>& files = {}) const;
  /// The same for the text of an index, if there is one.
  DeviceOptions for_text(const SizeLimit& memory, const std::optional<Index>& index,
                         const std::vector<std::string>& files) const;
  /// A back end that builds; given a path, it also searches with its instructions.
  std::unique_ptr<Backend> make(CpuPath path = best_cpu_path()) const;
  std::unique_ptr<Verifier> make_verifier() const;
};
/// Adds --device and --gpu-memory. Returns the former, for further rules of the command. `several`
/// continues its description by what several GPUs do; without it, a list of GPUs is refused.
CLI::Option* add_device_options(CLI::App& command, DeviceOptions& options,
                                const char* several = "");

/// Throws UsageError if the name of an output asks for compression, which `what` do without, as in
/// "indexes".
void refuse_compression(const std::string& output, const std::string& what);
/// Throws UsageError if two of the outputs go to one place. The first may be "", which is standard
/// output; another one that is "" is not asked for.
void refuse_same_outputs(const std::vector<std::string>& outputs);

}  // namespace gsx::app
