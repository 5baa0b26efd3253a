#include "options.hpp"

#include <cstdlib>
#include <string>

namespace gsx::emulation {
namespace {

std::uint64_t number_in(const char* variable, std::uint64_t otherwise) {
  const char* const value = std::getenv(variable);
  return value == nullptr || *value == '\0' ? otherwise : std::stoull(value);
}

}  // namespace

const Options& options() {
  static const Options options{
      static_cast<int>(number_in("GSX_EMULATED_GPUS", 1)),
      number_in("GSX_EMULATED_MEMORY", std::uint64_t{4} << 30),
      number_in("GSX_EMULATION_SEED", 0),
      number_in("GSX_EMULATION_EAGER", 0) != 0,
  };
  return options;
}

}  // namespace gsx::emulation
