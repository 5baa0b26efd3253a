#include "bytes/temporary_name.hpp"

#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <csignal>

#include <array>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <sstream>

namespace gsx {
namespace {

constexpr std::string_view mark = ".gsx-";
constexpr std::string_view suffix = ".tmp";
constexpr std::size_t longest_name = 255;  // NAME_MAX

std::string hex(std::uint64_t value) {
  char digits[16];
  return {digits, std::to_chars(digits, digits + sizeof digits, value, 16).ptr};
}

/// pid, start, pid_namespace, random, check.
using Parts = std::array<std::uint64_t, 5>;

/// The numbers at the end of a name, if they are written exactly as hex() writes them.
std::optional<Parts> parts_of(std::string_view numbers) {
  Parts parts{};
  const char* at = numbers.data();
  const char* const end = at + numbers.size();
  std::string again;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0 && (at == end || *at++ != '-')) return std::nullopt;
    const auto [next, error] = std::from_chars(at, end, parts[i], 16);
    if (error != std::errc{}) return std::nullopt;
    again += (i > 0 ? "-" : "") + hex(parts[i]);
    at = next;
  }
  if (again != numbers) return std::nullopt;
  return parts;
}

struct Pieces {
  std::string_view base;  ///< the base, or its beginning if it was shortened
  Parts parts;
};

std::optional<Pieces> pieces_of(std::string_view name) {
  if (!name.starts_with('.') || !name.ends_with(suffix)) return std::nullopt;
  name.remove_suffix(suffix.size());
  const std::size_t at = name.rfind(mark);
  if (at == name.npos || at == 0) return std::nullopt;
  const auto parts = parts_of(name.substr(at + mark.size()));
  if (!parts) return std::nullopt;
  return Pieces{name.substr(1, at - 1), *parts};
}

/// The beginning of a base that leaves room for the rest of the name. Does not cut a UTF-8
/// character.
std::string_view shortened(std::string_view base, std::size_t most) {
  if (base.size() <= most) return base;
  while (most > 0 && (static_cast<unsigned char>(base[most]) & 0xc0) == 0x80)
    --most;
  return base.substr(0, most);
}

struct ProcessState {
  char letter = '?';  ///< Z and X: the process has ended, and its parent has not reaped it
  std::uint64_t start = 0;
};

/// None if there is no such process, or if the system does not tell.
std::optional<ProcessState> state_of(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/stat");
  std::ostringstream content;
  content << file.rdbuf();
  const std::string line = std::move(content).str();
  const std::size_t name_end = line.rfind(')');  // the name itself may contain blanks and brackets
  if (name_end == line.npos) return std::nullopt;
  std::istringstream fields(line.substr(name_end + 1));
  ProcessState state;
  fields >> state.letter;
  std::string field;
  constexpr int start_field = 22, first_after_letter = 4;
  for (int i = first_after_letter; i < start_field; ++i)
    fields >> field;
  if (!(fields >> state.start)) return std::nullopt;
  return state;
}

}  // namespace

Maker Maker::self() {
  Maker maker;
  struct stat status {};
  const auto state = state_of("self");
  if (!state || stat("/proc/self/ns/pid", &status) != 0) return maker;
  maker.pid_namespace = status.st_ino;
  maker.pid = static_cast<std::uint64_t>(getpid());
  maker.start = state->start;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> maker.boot;
  return maker;
}

bool Maker::is_alive() const {
  if (kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH) return false;
  const auto now = state_of(std::to_string(pid));
  return !now || (now->start == start && now->letter != 'Z' && now->letter != 'X');
}

std::string temporary_name(std::string_view base, const Maker& maker, std::uint64_t random) {
  const std::string numbers = hex(maker.pid) + '-' + hex(maker.start) + '-' +
                              hex(maker.pid_namespace) + '-' + hex(random) + '-';
  std::string all = maker.boot + '\n' + numbers + '\n';
  all += base;
  const std::string end =
      std::string(mark) + numbers + hex(XXH3_64bits(all.data(), all.size())) + std::string(suffix);
  return '.' + std::string(shortened(base, longest_name - 1 - end.size())) + end;
}

std::optional<Maker> maker_of(std::string_view name, std::string_view base,
                              const std::string& boot) {
  const auto pieces = pieces_of(name);
  if (!pieces || boot.empty() || !base.starts_with(pieces->base)) return std::nullopt;
  const auto& [pid, start, pid_namespace, random, check] = pieces->parts;
  const Maker maker{boot, pid_namespace, pid, start};
  if (temporary_name(base, maker, random) != name) return std::nullopt;
  return maker;
}

bool has_temporary_form(std::string_view name) {
  return pieces_of(name).has_value();
}

}  // namespace gsx
