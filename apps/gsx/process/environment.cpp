#include "process/environment.hpp"

#include <cstdlib>
#include <string>

#include "base/error.hpp"
#include "base/messages.hpp"

namespace gsx::app {
namespace {

/// The value of a variable; empty if it is not set.
std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

}  // namespace

CpuPath cpu_path() {
  const std::string name = variable("GSX_CPU");
  if (name.empty()) return best_cpu_path();
  if (name == "baseline") return CpuPath::baseline;
  if (name != "avx2") {
    throw UsageError("GSX_CPU is '" + printable(name) + "'; it may be baseline or avx2");
  }
  if (best_cpu_path() != CpuPath::avx2) {
    throw UsageError("GSX_CPU is avx2, and this CPU does not have these instructions");
  }
  return CpuPath::avx2;
}

std::string log_level() {
  const std::string name = variable("GSX_LOG");
  if (name.empty()) return "info";
  if (name == "error" || name == "warning" || name == "info" || name == "debug") return name;
  throw UsageError("GSX_LOG is '" + printable(name) + "'; it may be error, warning, info or debug");
}

CramReferences local_cram_references() {
  return usual_references(variable);
}

ScratchPlace scratch_place() {
  ScratchPlace place{.set_by = "TMPDIR"};
  if (std::string path = variable("TMPDIR"); !path.empty()) place.path = std::move(path);
  return place;
}

}  // namespace gsx::app
