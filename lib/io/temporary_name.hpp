// The names of temporary files, which only gsx gives and which prove who made them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gsx {

/// A process, told apart from every other one of any machine at any time.
struct Maker {
  std::string boot;                 ///< the kernel's random name of this start of the machine
  std::uint64_t pid_namespace = 0;  ///< in which `pid` counts: containers have their own
  std::uint64_t pid = 0;
  std::uint64_t start = 0;  ///< of the process, in the clock ticks of /proc/PID/stat

  bool operator==(const Maker&) const = default;

  /// This process. Where the system does not say, `boot` is empty, and nobody knows it again.
  static Maker self();
  /// Whether a process of the same boot and the same pid_namespace as ours lives.
  bool is_alive() const;
};

/// `.BASE.gsx-PID-START-NAMESPACE-RANDOM-CHECK.tmp`, at most 255 bytes. CHECK is a hash of all the
/// others, of the whole BASE, and of the maker's boot; so no other program, no user and no other
/// machine gives such a name. Of a long BASE only the beginning is in it.
std::string temporary_name(std::string_view base, const Maker& maker, std::uint64_t random);

/// Who made a temporary file of this name for `base`, if that was since `boot` began on this
/// machine; none for every name that temporary_name() does not give.
std::optional<Maker> maker_of(std::string_view name, std::string_view base,
                              const std::string& boot);

/// Whether a name looks like a temporary file's, whoever gave it.
bool has_temporary_form(std::string_view name);

}  // namespace gsx
