#include "options/options.hpp"

#include <CLI/App.hpp>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "bytes/output.hpp"
#include "bytes/output_place.hpp"
#include "device/registry.hpp"

namespace gsx::app {
namespace {

bool names_several_gpus(const std::string& device) {
  return device.starts_with("cuda:") &&
         (device == "cuda:all" || device.find(',') != std::string::npos);
}

}  // namespace

void add_session_options(CLI::App& command, Session& session, const char* threads) {
  add_number(command, "-t,--threads", session.threads, {0, 4096},
             std::string("Use N threads") + threads +
                 "; 0 uses as many as the CPU affinity and the control group allow")
      ->group("Resources");
  begin_group(command, "General");
  CLI::Option* const quiet = add_flag(command, "-q,--quiet", session.quiet, "Log errors only");
  command.add_flag("-v,--verbose", session.verbosity, "Log more")->excludes(quiet);
  add_choice(command, "--progress", session.progress_mode, {"auto", "none", "bar", "json"},
             "Show progress on standard error: auto shows a bar on a terminal, json writes lines");
  command.set_help_flag("-h,--help", "Show this page")->group("General");
}

CLI::Option* add_output(CLI::App& command, std::string& output) {
  return add_path(command, "-o,--output", output,
                  "Write to FILE instead of standard output (-), as BGZF if the name ends in .gz "
                  "or .bgz")
      ->group("Output");
}

CLI::Option* add_no_header(CLI::App& command, bool& no_header) {
  return add_flag(command, "--no-header", no_header,
                  "Leave out the header line, if the format has one")
      ->group("Output");
}

DeviceOptions DeviceOptions::for_work(const WorkCost& cost, const SizeLimit& memory,
                                      int threads) const {
  DeviceOptions chosen = *this;
  chosen.device = faster_device(device, cost, threads, memory.bytes);
  return chosen;
}

std::unique_ptr<Backend> DeviceOptions::make(CpuPath path) const {
  return make_backend(device, gpu_memory, path);
}

std::unique_ptr<Verifier> DeviceOptions::make_verifier() const {
  return gsx::make_verifier(device, gpu_memory);
}

CLI::Option* add_device_options(CLI::App& command, DeviceOptions& options, const char* several) {
  add_size(command, "--gpu-memory", options.gpu_memory,
           "Use at most SIZE of GPU memory at a time, such as 8GiB; larger work is "
           "split (default: all free memory)")
      ->envname("GSX_GPU_MEMORY")
      ->group("Tuning");
  const bool one = *several == '\0';
  return add_parsed(command, "--device", "auto|cpu|cuda[:N]",
                    std::string("Compute on the CPU or on a GPU; auto takes a GPU where one is "
                                "usable and the work is worth starting it. cuda:N names one GPU") +
                        several,
                    [&options, one](const std::string& text) {
                      if (one && names_several_gpus(text))
                        throw UsageError("'" + shown_name(text) +
                                         "' names several GPUs, and this command uses one; give "
                                         "cuda or cuda:N");
                      options.device = text;
                    })
      ->default_str(options.device)
      ->group("Resources");
}

void refuse_compression(const std::string& output, const std::string& what) {
  if (encoding_for(output) == Encoding::plain) return;
  throw UsageError(what + " are not compressed: leave out the suffix of '" + printable(output) +
                   "'");
}

void check_outputs(const std::vector<std::string>& outputs, Session& session) {
  std::vector<std::string> names;
  for (const std::string& output : outputs) {
    if (output.empty() && !names.empty()) continue;
    const std::string& name = names.emplace_back(output.empty() ? "-" : output);
    session.check_output(name, encoding_for(name));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!OutputPlace::of(names[i]).collides_with(OutputPlace::of(names[j]))) continue;
      throw UsageError("two outputs go to " +
                       (names[i] == "-" ? "standard output" : "'" + printable(names[i]) + "'") +
                       "; give each output its own");
    }
  }
}

}  // namespace gsx::app
