#include "index_object.hpp"

#include "choice.hpp"
#include "gsx/error.hpp"

namespace gsx::python {

Strands strands_named(const std::string& word) {
  return choose<Strands>(
      word, "strands",
      {{"both", Strands::both}, {"forward", Strands::forward}, {"reverse", Strands::reverse}});
}

std::uint64_t number_or(const std::optional<std::int64_t>& value, std::uint64_t otherwise,
                        const char* name, std::int64_t least) {
  if (!value) return otherwise;
  if (*value >= least) return static_cast<std::uint64_t>(*value);
  throw UsageError(std::string(name) + " is " + std::to_string(*value) + ", and must be at least " +
                   std::to_string(least));
}

std::uint32_t number_within(std::int64_t value, std::int64_t least, std::int64_t most,
                            const char* name) {
  if (value >= least && value <= most) return static_cast<std::uint32_t>(value);
  throw UsageError(std::string(name) + " is " + std::to_string(value) + ", and must be from " +
                   std::to_string(least) + " to " + std::to_string(most));
}

}  // namespace gsx::python
