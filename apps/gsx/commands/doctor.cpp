// gsx doctor: what this machine has, and what gsx can and cannot do with it.
#include <unistd.h>

#include <CLI/App.hpp>
#include <cstdlib>

#include "base/machine.hpp"
#include "base/messages.hpp"
#include "bytes/compression/block_inflater.hpp"
#include "bytes/compression/stream_inflater.hpp"
#include "bytes/compression/unpacker.hpp"
#include "bytes/outputs.hpp"
#include "commands.hpp"
#include "device/registry.hpp"
#include "index/sa/bstar/vector_induction.hpp"
#include "options/format_suffix.hpp"
#include "options/option_kinds.hpp"
#include "options/options.hpp"
#include "outputs/fact_table.hpp"
#include "process/environment.hpp"
#include "records/formats/htslib_build.hpp"
#include "search/exact/vector_steps.hpp"

namespace gsx::app {
namespace {

struct DoctorOptions {
  std::string output;
  DeviceOptions device;
  bool json = false;
};

/// All facts, and what they mean in words.
struct Diagnosis {
  MachineFacts machine;
  MemoryRoom room;
  CudaFacts cuda;
  HtslibBuild htslib;
  std::string block_inflater;   ///< the library that inflates BGZF
  std::string stream_inflater;  ///< the library that inflates plain gzip
  CpuPath path = CpuPath::baseline;
  int threads = 1;
  std::string temporary;  ///< the folder for temporary files
  std::vector<std::string> conclusions;
};

std::string from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

const char* name_of(CpuPath path) {
  return path == CpuPath::avx2 ? "avx2" : "baseline";
}

std::string megabytes(std::uint64_t bytes) {
  return std::to_string(bytes / 1'000'000) + " MB";
}

std::string conclusion_of_gpu(std::size_t number, const GpuFacts& gpu) {
  const std::string which = "GPU " + std::to_string(number) + " (" + gpu.name + "): ";
  if (!gpu.problem.empty()) return which + "not usable: " + gpu.problem;
  return which + "builds, searches and bench run there with --device " +
         (number == 0 ? "auto (the default) or cuda" : "cuda:" + std::to_string(number)) + "; " +
         megabytes(gpu.memory_free) + " of its memory are free";
}

void conclude_devices(Diagnosis& found) {
  if (found.cuda.gpus.empty()) {
    found.conclusions.push_back("no GPU (" + found.cuda.problem +
                                "): everything runs on the CPU; --device cuda ends with exit "
                                "code 7");
  }
  for (std::size_t i = 0; i < found.cuda.gpus.size(); ++i)
    found.conclusions.push_back(conclusion_of_gpu(i, found.cuda.gpus[i]));
  const std::string threads =
      "CPU: " + std::to_string(found.threads) + (found.threads == 1 ? " thread" : " threads");
  const std::string searching =
      found.path == CpuPath::avx2 ? std::string(", searching with AVX2 and POPCNT") +
                                        (has_vector_steps() ? " (DNA with AVX-512)" : "")
      : best_cpu_path() == CpuPath::avx2
          ? ", searching without the AVX2 that the CPU has, because GSX_CPU says so"
          : ", searching with baseline instructions: slower than with AVX2 and POPCNT";
  found.conclusions.push_back(
      threads + searching +
      (has_vector_induction() ? ", sorting the suffixes of DNA with AVX-512" : ""));
}

void conclude_memory(Diagnosis& found) {
  found.conclusions.push_back("memory: a run may take " + megabytes(found.room.bytes) +
                              " (limited by " + found.room.limited_by + ')');
  if (found.machine.huge_pages == "never") {
    found.conclusions.emplace_back(
        "huge pages are switched off: building and searching large indexes on the CPU is slower");
  }
}

void conclude_files(Diagnosis& found) {
  if (access(found.temporary.c_str(), W_OK | X_OK) != 0) {
    found.conclusions.push_back("bench cannot write its files: '" + printable(found.temporary) +
                                "' is not a folder that it can write to; set TMPDIR");
  }
  if (access(".", W_OK | X_OK) != 0) {
    found.conclusions.emplace_back(
        "outputs named without a folder cannot be written: this folder is read-only");
  }
  if (!found.htslib.libdeflate) {
    found.conclusions.emplace_back(
        "this htslib lacks libdeflate: outputs whose names end in .gz are compressed more slowly");
  }
  if (found.block_inflater == "zlib") {
    found.conclusions.emplace_back(
        "this gsx was built without libdeflate: it reads BGZF input more slowly");
  }
  if (found.stream_inflater == "zlib") {
    found.conclusions.emplace_back(
        "this gsx was built without ISA-L: it reads gzip input more slowly");
  }
  for (const Packing packing : all_packings) {
    if (can_unpack(packing)) continue;
    found.conclusions.push_back("this gsx was built without the library of " +
                                std::string(name_of(packing)) +
                                ": such input must be decompressed by that program");
  }
  const std::string index = from_environment("GSX_INDEX");
  if (!index.empty() && access(index.c_str(), R_OK) != 0) {
    found.conclusions.push_back("GSX_INDEX names '" + printable(index) +
                                "', which cannot be read: count, locate, extract, info and verify "
                                "need -x");
  }
}

Diagnosis examine(const Session& session) {
  Diagnosis found;
  found.threads = session.threads;
  found.machine = machine_facts();
  found.room = memory_room(found.machine, found.threads);
  found.cuda = cuda_facts();
  found.htslib = htslib_build();
  found.block_inflater = block_inflater_name();
  found.stream_inflater = stream_inflater_name();
  found.path = cpu_path();
  found.temporary = scratch_place().path;
  conclude_devices(found);
  conclude_memory(found);
  conclude_files(found);
  return found;
}

void add_cpu(FactTable& table, const Diagnosis& found) {
  const std::string forced = from_environment("GSX_CPU");
  table.word("cpu", found.machine.cpu_model);
  table.number("cpu_threads_available", static_cast<std::uint64_t>(available_threads()));
  table.limit("cpu_threads_limit_cgroup", found.machine.cgroup_threads);
  table.number("threads", static_cast<std::uint64_t>(found.threads));
  table.word("cpu_instructions", name_of(found.path));
  table.word("cpu_instructions_best", name_of(best_cpu_path()));
  table.word("cpu_instructions_sorting", has_vector_induction() ? "avx512" : "baseline");
  table.word("gsx_cpu", forced);
}

void add_memory(FactTable& table, const Diagnosis& found) {
  const MachineFacts& machine = found.machine;
  table.number("memory_total_bytes", machine.memory_total);
  table.number("memory_available_bytes", machine.memory_available);
  table.limit("memory_limit_cgroup_bytes", machine.cgroup_limit);
  table.limit("memory_limit_address_space_bytes", machine.address_space_limit);
  table.limit("memory_limit_data_bytes", machine.data_limit);
  table.number("memory_for_a_run_bytes", found.room.bytes);
  table.word("memory_for_a_run_limited_by", found.room.limited_by);
  table.number("page_bytes", machine.page_bytes);
  table.word("huge_pages", machine.huge_pages);
}

void add_files(FactTable& table, const Diagnosis& found) {
  table.limit("open_files_limit", found.machine.open_files_limit);
  table.limit("file_size_limit_bytes", found.machine.file_size_limit);
  table.word("temporary_folder", found.temporary);
  table.number("temporary_folder_free_bytes", free_disk_bytes(found.temporary));
  table.number("this_folder_free_bytes", free_disk_bytes("."));
  table.word("htslib_version", found.htslib.version);
  table.word("htslib_libdeflate", found.htslib.libdeflate ? "yes" : "no");
  table.word("bgzf_inflater", found.block_inflater);
  table.word("gzip_inflater", found.stream_inflater);
  for (const Packing packing : all_packings)
    table.word("reads_" + std::string(name_of(packing)), can_unpack(packing) ? "yes" : "no");
}

void add_gpus(FactTable& table, const CudaFacts& cuda) {
  table.word("cuda_built", cuda.runtime.empty() ? "no" : "yes");
  table.word("cuda_runtime", cuda.runtime);
  table.word("cuda_architectures", cuda.architectures);
  table.word("cuda_driver_serves", cuda.driver_serves);
  table.word("cuda_visible_devices", from_environment("CUDA_VISIBLE_DEVICES"));
  table.number("gpus", cuda.gpus.size());
  for (std::size_t i = 0; i < cuda.gpus.size(); ++i) {
    const GpuFacts& gpu = cuda.gpus[i];
    const std::string prefix = "gpu" + std::to_string(i) + '_';
    table.word(prefix + "name", gpu.name);
    table.word(prefix + "compute_capability", gpu.compute_capability);
    table.number(prefix + "memory_total_bytes", gpu.memory_total);
    table.number(prefix + "memory_free_bytes", gpu.memory_free);
    table.word(prefix + "usable", gpu.problem.empty() ? "yes" : "no");
  }
}

FactTable table_of(const Diagnosis& found) {
  FactTable table;
  table.word("gsx_version", GSX_VERSION);
  add_cpu(table, found);
  add_memory(table, found);
  add_files(table, found);
  add_gpus(table, found.cuda);
  table.words("conclusion", "conclusions", found.conclusions);
  return table;
}

void run_doctor(DoctorOptions& options, Session& session) {
  options.json |= output_format(options.output,
                                {"doctor", options.json ? "json" : "text or json", "-o",
                                 "JSON is chosen by --json"},
                                session.files) == "json";
  Outputs outputs;
  Output& out = outputs.open(options.output);
  const FactTable table = table_of(examine(session));
  out.write(options.json ? table.json() : table.text());
  outputs.commit();
  // Write the report first, then fail if a demanded GPU is not usable.
  session.used(*options.device.make());
}

}  // namespace

void add_doctor_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<DoctorOptions>();
  CLI::App* command =
      add_command(app, "doctor", "Show what this machine has and what gsx can do on it");
  command->footer(
      "Output is one fact per line, name and value; '.' stands for what is unknown or "
      "absent. The lines named conclusion say what follows from the facts. The exit "
      "code is 0 whatever was found, or 7 if --device demands a GPU that is not usable.\n\n"
      "Examples:\n"
      "  gsx doctor\n"
      "  gsx doctor --json | jq -r '.conclusions[]'\n"
      "  gsx doctor --device cuda > /dev/null && echo a GPU is usable");
  add_output(*command, options->output);
  add_flag(*command, "--json", options->json, "Write one JSON object")->group("Output");
  add_device_options(*command, options->device, "; cuda:N,M,... and cuda:all demand several");
  add_session_options(*command, session);
  set_work(*command, run, [options](Session& started) { run_doctor(*options, started); });
}

}  // namespace gsx::app
