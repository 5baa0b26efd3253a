// Paths of files, as Python has them.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "records/decoding.hpp"

namespace gsx::python {

/// The bytes of a path, which may be a str, bytes or an os.PathLike. Throws ArgumentTypeError,
/// which names it `what`, for anything else.
std::string path_of(nanobind::handle object, const std::string& what);

/// Whether the object is one of these.
bool is_path(nanobind::handle object);

/// Whether it is one that is read from: its items are lines, and no paths.
bool is_open_file(nanobind::handle object);

/// Throws ArgumentTypeError, which names the type of the object, and says what to give in its
/// place.
[[noreturn]] void refuse_type(nanobind::handle object, const std::string& what,
                              const std::string& advice);

/// Those of one path, or of an iterable of paths. Throws ArgumentTypeError.
std::vector<std::string> paths_of(const nanobind::object& source);

/// Where the references of CRAM are: in the FASTA file, if one is named, and in the places that the
/// environment names. Throws InputError for a file that does not exist.
CramReferences references_of(const nanobind::object& fasta);

}  // namespace gsx::python
