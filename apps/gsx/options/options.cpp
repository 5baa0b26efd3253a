#include "options/options.hpp"

#include "options/option_kinds.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "bytes/output.hpp"
#include "bytes/output_place.hpp"
#include "device/registry.hpp"
#include "process/device_choice.hpp"

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
  CLI::Option* const quiet =
      command.add_flag("-q,--quiet", session.quiet, "Log errors only")->group("General");
  command.add_flag("-v,--verbose", session.verbosity, "Log more")
      ->group("General")
      ->excludes(quiet);
  add_choice(command, "--progress", session.progress_mode, {"auto", "none", "bar", "json"},
             "Show progress on standard error: auto shows a bar on a terminal, json "
             "writes lines")
      ->group("General");
  command.set_help_flag("-h,--help", "Show this page")->group("General");
}

DeviceOptions DeviceOptions::for_run(const SizeLimit& memory,
                                     const std::vector<std::string>& files) const {
  DeviceOptions chosen = *this;
  if (device != "auto") return chosen;
  if (is_too_little_for_driver(memory.bytes)) {
    log().debug("using the CPU: {} leaves a GPU's driver too little memory", memory.given_by);
    chosen.device = "cpu";
  } else if (is_few_symbols(files)) {
    log().debug("using the CPU: the input is short");
    chosen.device = "cpu";
  }
  return chosen;
}

DeviceOptions DeviceOptions::for_text(const SizeLimit& memory, const std::optional<Index>& index,
                                      const std::vector<std::string>& files) const {
  if (!index) return for_run(memory, files);
  DeviceOptions chosen = for_run(memory);
  chosen.device = device_for(chosen.device, index->meta().length);
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
      ->group("Resources");
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

void refuse_same_outputs(const std::vector<std::string>& outputs) {
  std::vector<OutputPlace> places;
  for (const std::string& output : outputs) {
    if (output.empty() && !places.empty()) continue;
    const std::string name = output.empty() ? "-" : output;
    const OutputPlace place = OutputPlace::of(name);
    for (const OutputPlace& other : places) {
      if (!place.collides_with(other)) continue;
      throw UsageError("two outputs go to " +
                       (name == "-" ? "standard output" : "'" + printable(name) + "'") +
                       "; give each output its own");
    }
    places.push_back(place);
  }
}

}  // namespace gsx::app
