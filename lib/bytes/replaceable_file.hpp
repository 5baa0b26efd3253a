// Whether a finished file can take the name of one that is there.
#pragma once

#include <sys/stat.h>

#include <iosfwd>
#include <string>

namespace gsx {

/// Throws RuntimeError if no other file can be renamed to `path`, the name of a file that may be
/// written to: a mount point (a file that a container binds), or one in a folder that may not be
/// changed. `in_place` says whether > of the shell would write the same bytes, and is advised.
void require_replaceable_file(const std::string& path, const struct stat& file, bool in_place);

/// Whether `mounts`, with the lines of /proc/self/mountinfo, has this absolute path as mount point.
bool is_mount_point(std::istream& mounts, const std::string& path);

/// Whether `user`, who is not root, may not replace the file although the folder can be written to:
/// in a folder with the sticky bit, as /tmp, only its owner or that of the file may.
bool is_kept_by_sticky_folder(const struct stat& folder, const struct stat& file, uid_t user);

}  // namespace gsx
