// Names of temporary files: only gsx gives such names, and they prove which process made the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gsx {

/// Identifies a process among all processes of all machines at all times.
struct Maker {
  std::string boot;                 ///< boot_id: the kernel's random name for this boot
  std::uint64_t pid_namespace = 0;  ///< the namespace of `pid`; containers have their own
  std::uint64_t pid = 0;
  std::uint64_t start = 0;  ///< start time of the process, in the clock ticks of /proc/PID/stat

  bool operator==(const Maker&) const = default;

  /// This process. If the system does not tell, `boot` is empty, and maker_of() recognises no file
  /// of it.
  static Maker self();
  /// Whether the process still runs. Pre: boot and pid_namespace are those of this process.
  bool is_alive() const;
};

/// `.BASE.gsx-PID-START-NAMESPACE-RANDOM-CHECK.tmp`, at most 255 bytes. CHECK is a hash of the
/// other parts, the whole BASE and the maker's boot, so no other program, user or machine makes
/// such a name. A long BASE is cut to its beginning.
std::string temporary_name(std::string_view base, const Maker& maker, std::uint64_t random);

/// The maker of a temporary file of this name for `base`, if it was made on this machine since boot
/// `boot`. None for any name that temporary_name() does not give.
std::optional<Maker> maker_of(std::string_view name, std::string_view base,
                              const std::string& boot);

/// Whether a name has the form of a temporary file's name, whoever gave it.
bool has_temporary_form(std::string_view name);

}  // namespace gsx
