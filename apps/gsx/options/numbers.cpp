#include "options/numbers.hpp"

#include <spdlog/fmt/fmt.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <charconv>
#include <new>
#include <optional>

#include "base/byte_text.hpp"
#include "base/error.hpp"
#include "base/messages.hpp"
#include "base/out_of_memory.hpp"
#include "base/resources.hpp"

namespace gsx::app {
namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// A plain decimal number below 2^64; none for any other text.
std::optional<std::uint64_t> decimal(std::string_view text) {
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) return std::nullopt;
  if (text.size() > 1 && text[0] == '0') return std::nullopt;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

[[noreturn]] void refuse(std::string_view text, const std::string& allowed) {
  throw UsageError("'" + shown_name(text) + "' is not " + allowed);
}

std::string allowed_in(const NumberRange& range) {
  const std::string numbers =
      range.most == largest
          ? "of at least " + std::to_string(range.least) + " and below 2^64"
          : "from " + std::to_string(range.least) + " to " + std::to_string(range.most);
  return "a whole decimal number " + numbers + ", without sign, blanks and leading zeros";
}

std::string list_of(const std::vector<std::uint64_t>& numbers) {
  std::string list;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    list += (i == 0 ? "" : i + 1 == numbers.size() ? " or " : ", ") + std::to_string(numbers[i]);
  return list;
}

struct Unit {
  std::string_view name;  ///< in lower case
  std::uint64_t bytes;
};
constexpr Unit units[] = {{"", 1},
                          {"b", 1},
                          {"k", std::uint64_t{1} << 10},
                          {"m", std::uint64_t{1} << 20},
                          {"g", std::uint64_t{1} << 30},
                          {"t", std::uint64_t{1} << 40},
                          {"kib", std::uint64_t{1} << 10},
                          {"mib", std::uint64_t{1} << 20},
                          {"gib", std::uint64_t{1} << 30},
                          {"tib", std::uint64_t{1} << 40},
                          {"kb", 1'000},
                          {"mb", 1'000'000},
                          {"gb", 1'000'000'000},
                          {"tb", 1'000'000'000'000}};

/// Bytes of the unit of that name, in any case; 0 if there is no such unit.
std::uint64_t unit_named(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  for (const Unit& unit : units) {
    if (unit.name == lower) return unit.bytes;
  }
  return 0;
}

/// Bytes of 0.FRACTION units; none if that is not a whole number of bytes.
std::optional<std::uint64_t> part_of(std::string_view fraction, std::uint64_t unit) {
  constexpr std::size_t most_digits = 6;  // 10^6 * 2^40 < 2^64
  if (fraction.empty() || fraction.size() > most_digits) return std::nullopt;
  std::uint64_t digits = 0, scale = 1;
  for (const char c : fraction) {
    digits = digits * 10 + static_cast<std::uint64_t>(c - '0');
    scale *= 10;
  }
  if (digits * unit % scale != 0) return std::nullopt;
  return digits * unit / scale;
}

std::optional<std::uint64_t> size_in(std::string_view text) {
  const auto whole_end = std::find_if_not(text.begin(), text.end(), is_digit);
  const auto whole_size = static_cast<std::size_t>(whole_end - text.begin());
  const auto whole = decimal(text.substr(0, whole_size));
  if (!whole) return std::nullopt;
  std::string_view rest = text.substr(whole_size), fraction = "0";
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    const auto end = std::find_if_not(rest.begin(), rest.end(), is_digit);
    fraction = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
    rest.remove_prefix(fraction.size());
    if (unit_named(rest) <= 1) return std::nullopt;
  }
  const std::uint64_t unit = unit_named(rest);
  if (unit == 0 || *whole > largest / unit) return std::nullopt;
  const auto part = part_of(fraction, unit);
  if (!part || *part > largest - *whole * unit) return std::nullopt;
  return *whole * unit + *part;
}

}  // namespace

std::uint64_t parse_number(std::string_view text, const NumberRange& range) {
  const auto number = decimal(text);
  if (number && *number >= range.least && *number <= range.most) return *number;
  refuse(text, allowed_in(range));
}

std::uint64_t parse_length(std::string_view text, const NumberRange& range) {
  const std::string_view units = "kmg";
  std::uint64_t unit = 1;
  std::string_view digits = text;
  if (!text.empty() && !is_digit(text.back())) {
    const std::size_t power = units.find(static_cast<char>(text.back() | 0x20));
    digits.remove_suffix(1);
    for (std::size_t i = 0; power != units.npos && i <= power; ++i)
      unit *= 1000;
    if (unit == 1) digits = {};
  }
  const auto number = decimal(digits);
  if (number && *number <= range.most / unit && *number * unit >= range.least)
    return *number * unit;
  refuse(text, allowed_in(range) + "; K, M or G may follow (powers of 1000)");
}

std::uint64_t parse_number_of(std::string_view text, const std::vector<std::uint64_t>& allowed) {
  const auto number = decimal(text);
  if (number && std::find(allowed.begin(), allowed.end(), *number) != allowed.end()) return *number;
  refuse(text, list_of(allowed));
}

std::uint64_t parse_size(std::string_view text) {
  if (const auto size = size_in(text)) return *size;
  refuse(text, std::string("a size below 2^64 bytes: ") + size_units);
}

CLI::Option* add_numbers(CLI::App& command, const std::string& name,
                         std::vector<std::uint32_t>& target, NumberRange range,
                         const std::string& description) {
  range.most = std::min<std::uint64_t>(range.most, std::numeric_limits<std::uint32_t>::max());
  std::string defaults;
  for (const std::uint32_t number : target)
    defaults += (defaults.empty() ? "" : ",") + std::to_string(number);
  return add_parsed(command, name, "N,...", description,
                    [&target, range](const std::string& text) {
                      std::vector<std::uint32_t> numbers;
                      for (const std::string& one : split_at_commas(text))
                        numbers.push_back(static_cast<std::uint32_t>(parse_number(one, range)));
                      target = std::move(numbers);
                    })
      ->default_str(defaults);
}

CLI::Option* add_length(CLI::App& command, const std::string& name, std::uint64_t& target,
                        const NumberRange& range, const std::string& description) {
  return add_parsed(
             command, name, "N", description,
             [&target, range](const std::string& text) { target = parse_length(text, range); })
      ->default_str(std::to_string(target));
}

CLI::Option* add_size(CLI::App& command, const std::string& name, std::uint64_t& target,
                      const std::string& description) {
  return add_parsed(command, name, "SIZE", description,
                    [&target](const std::string& text) { target = parse_size(text); });
}

CLI::Option* add_memory_limit(CLI::App& command, SizeLimit& limit, const std::string& description) {
  return add_parsed(command, "--memory-limit", "SIZE", description,
                    [&limit, &command](const std::string& text) {
                      limit.bytes = parse_size(text);
                      limit.given_by = giver_of(*command.get_option("--memory-limit"));
                    })
      ->envname("GSX_MEMORY_LIMIT")
      ->group("Resources");
}

void require_memory(const SizeLimit& limit, const std::string& what, std::uint64_t bytes) {
  const std::uint64_t needed = peak_host_bytes() + bytes;
  if (needed <= limit.bytes) return;
  throw ResourceError(memory_shortage(what, needed, limit.given_by, limit.bytes, " in all"));
}

void with_memory_cure(const MemoryCure& cure, const std::function<void()>& work) {
  try {
    work();
  } catch (const LongQueryError& error) {
    throw ResourceError(std::string(error.what()) + "; raise --memory-limit" +
                        (cure.fewer_threads ? ", or lower --threads" : ""));
  } catch (const OutOfMemoryError& error) {
    throw ResourceError(error.what() + ("; see " + cure.options));
  } catch (const std::bad_alloc&) {
    throw ResourceError("out of memory while " + cure.work + "; see " + cure.options);
  }
}

}  // namespace gsx::app
