#include "paths.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/messages.hpp"
#include "errors.hpp"
#include "items.hpp"

namespace nb = nanobind;

namespace gsx::python {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

}  // namespace

std::string path_of(nb::handle object) {
  const nb::object bytes = nb::module_::import_("os").attr("fsencode")(object);
  return {PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr()))};
}

bool is_path(nb::handle object) {
  return nb::isinstance<nb::str>(object) || nb::hasattr(object, "__fspath__");
}

std::vector<std::string> paths_of(const nb::object& source) {
  if (is_path(source)) return {path_of(source)};
  const nb::object items = items_of(source);
  if (!items.is_valid()) throw ArgumentTypeError("source is neither a path nor a list of paths");
  std::vector<std::string> paths;
  for (const nb::handle item : items) {
    if (!is_path(item)) throw ArgumentTypeError("source has an item that is no path");
    paths.push_back(path_of(item));
  }
  if (paths.empty()) throw UsageError("source holds no paths; a glob may have matched no file");
  return paths;
}

CramReferences references_of(const nb::object& fasta) {
  CramReferences references = usual_references(variable);
  if (fasta.is_none()) return references;
  references.fasta = path_of(fasta);
  std::error_code error;
  if (!std::filesystem::is_regular_file(references.fasta, error))
    throw InputError("cram_reference: there is no file '" + printable(references.fasta) + "'");
  return references;
}

}  // namespace gsx::python
