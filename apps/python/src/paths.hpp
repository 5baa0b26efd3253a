// Paths of files, as Python has them.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "seq/decoding.hpp"

namespace gsx::python {

/// The bytes of a path, which may be a str, bytes or an os.PathLike.
std::string path_of(nanobind::handle object);

/// Whether the object is a str or an os.PathLike.
bool is_path(nanobind::handle object);

/// Those of one path, or of an iterable of paths. Throws ArgumentTypeError.
std::vector<std::string> paths_of(const nanobind::object& source);

/// Where the references of CRAM are: in the FASTA file, if one is named, and in the places that the
/// environment names. Throws InputError for a file that does not exist.
CramReferences references_of(const nanobind::object& fasta);

}  // namespace gsx::python
