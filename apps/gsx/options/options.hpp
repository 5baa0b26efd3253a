// Options that several subcommands share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/cpu_path.hpp"
#include "device/backend.hpp"
#include "device/cost.hpp"
#include "device/verifier.hpp"
#include "index/store/index.hpp"
#include "options/command_line.hpp"
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

/// Adds -o, for an output that is compressed if its name asks for that.
CLI::Option* add_output(CLI::App& command, std::string& output);
/// Adds --no-header, for a command whose formats do not all have a header.
CLI::Option* add_no_header(CLI::App& command, bool& no_header);

/// Which device to use, and how much of its memory.
struct DeviceOptions {
  std::string device = "auto";
  std::uint64_t gpu_memory = unlimited;  ///< bytes

  /// These options, but the CPU for "auto" where so many threads do the work sooner than a GPU,
  /// or where `memory` leaves its driver no room in host memory.
  DeviceOptions for_work(const WorkCost& cost, const SizeLimit& memory, int threads) const;
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
/// Throws UsageError for outputs that would replace a file that the run reads, or each other, and
/// for BGZF to a terminal. The first may be "", which is standard output; another one that is "" is
/// not asked for. Call it before work that takes long: an output is checked again when it is
/// opened.
void check_outputs(const std::vector<std::string>& outputs, Session& session);

}  // namespace gsx::app
