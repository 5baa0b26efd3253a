#include "options.hpp"

#include <filesystem>

#include "backend/registry.hpp"
#include "base/error.hpp"

namespace gsx::app {

void add_session_options(CLI::App& command, Session& session) {
  command.add_option("-t,--threads", session.threads, "Threads; 0 takes all cores")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  command.add_flag("-q,--quiet", session.quiet, "Log errors only");
  command.add_flag("-v,--verbose", session.verbosity, "Log more");
  command
      .add_option("--progress", session.progress_mode,
                  "Progress on standard error: auto (a bar on a terminal), none, bar or json")
      ->check(CLI::IsMember({"auto", "none", "bar", "json"}))
      ->capture_default_str();
}

std::unique_ptr<Backend> DeviceOptions::make() const {
  return make_backend(device, gpu_memory);
}

CLI::Option* add_device_options(CLI::App& command, DeviceOptions& options) {
  command
      .add_option("--gpu-memory", options.gpu_memory,
                  "Most GPU memory to hold at a time, such as 8GB; work that takes more is split "
                  "[all that is free]")
      ->transform(CLI::AsSizeValue(false))
      ->envname("GSX_GPU_MEMORY");
  return command
      .add_option("--device", options.device,
                  "Where to compute: auto (a GPU when one is usable, and worth starting for the "
                  "queries, else the CPU), cpu, cuda, cuda:N, or cuda:N,M,... or cuda:all, which "
                  "share count and locate")
      ->capture_default_str();
}

void refuse_overwriting(const std::string& output, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    std::error_code error;
    if (std::filesystem::is_regular_file(output, error) &&
        std::filesystem::equivalent(output, input, error)) {
      throw UsageError("the output would replace the input '" + printable(input) + "'");
    }
  }
}

}  // namespace gsx::app
