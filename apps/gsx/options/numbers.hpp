// Parses numbers and sizes on the command line and in environment variables: decimal, checked, and
// refused if they do not fit.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "options/command_line.hpp"
#include "options/option_kinds.hpp"

namespace gsx::app {

/// The numbers that an option takes, both ends included.
struct NumberRange {
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};

/// How help and messages describe a size.
constexpr const char* size_units =
    "a number of bytes, or a number with a unit: kB, MB, GB, TB are powers of 1000; "
    "KiB, MiB, GiB, TiB, and K, M, G, T alone, powers of 1024";

/// Parses digits without sign, blank or leading zero. Throws UsageError, with the text and what is
/// allowed, for anything else and for a number outside `range`.
std::uint64_t parse_number(std::string_view text, const NumberRange& range);

/// Parses a number of symbols: as above, and K, M or G may follow, in either case: powers of 1000.
std::uint64_t parse_length(std::string_view text, const NumberRange& range);

/// Parses a number as above and an optional unit. Before a unit, a fraction ("1.5GB") may follow if
/// it gives whole bytes. Throws UsageError as above.
std::uint64_t parse_size(std::string_view text);

/// Parses one of a few allowed numbers, such as the number of a GPU. Throws UsageError as above.
std::uint64_t parse_number_of(std::string_view text, const std::vector<std::uint64_t>& allowed);

/// Adds an option that takes a number in `range` into `target`; its value now is the default.
template <class Integer>
CLI::Option* add_number(CLI::App& command, const std::string& name, Integer& target,
                        NumberRange range, const std::string& description) {
  static_assert(std::is_integral_v<Integer>);
  constexpr auto fits = static_cast<std::uint64_t>(std::numeric_limits<Integer>::max());
  if (range.most > fits) range.most = fits;
  return add_parsed(
      command, name, "N", description,
      [&target, range](const std::string& text) {
        target = static_cast<Integer>(parse_number(text, range));
      },
      std::to_string(target));
}

/// Adds an option that takes one of a few numbers.
template <class Integer>
CLI::Option* add_number_of(CLI::App& command, const std::string& name, Integer& target,
                           const std::vector<std::uint64_t>& allowed,
                           const std::string& description) {
  return add_parsed(command, name, "N", description, [&target, allowed](const std::string& text) {
    target = static_cast<Integer>(parse_number_of(text, allowed));
  });
}

/// Adds an option that takes a number of symbols in `range`.
CLI::Option* add_length(CLI::App& command, const std::string& name, std::uint64_t& target,
                        const NumberRange& range, const std::string& description);

/// Adds an option that takes numbers in `range`, separated by commas.
CLI::Option* add_numbers(CLI::App& command, const std::string& name,
                         std::vector<std::uint32_t>& target, NumberRange range,
                         const std::string& description);

/// Adds an option that takes a size in bytes into `target`.
CLI::Option* add_size(CLI::App& command, const std::string& name, std::uint64_t& target,
                      const std::string& description);

/// A limit set by an option or by its environment variable, and the name of whichever set it.
struct SizeLimit {
  std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();  ///< by default no limit
  std::string given_by;
};

/// Adds --memory-limit, which $GSX_MEMORY_LIMIT also sets.
CLI::Option* add_memory_limit(CLI::App& command, SizeLimit& limit, const std::string& description);

/// Throws ResourceError if `bytes` more, which `what` takes, exceed the limit.
void require_memory(const SizeLimit& limit, const std::string& what, std::uint64_t bytes);

/// What to do where a command lacks memory.
struct MemoryCure {
  std::string work;                        ///< of the command, as in "reading queries"
  std::string options = "--memory-limit";  ///< that help
  bool fewer_threads = false;              ///< whether these leave more room for a long query
};
/// Does the work of a command. Lack of memory becomes the ResourceError that ends the command and
/// says what to do.
void with_memory_cure(const MemoryCure& cure, const std::function<void()>& work);

}  // namespace gsx::app
