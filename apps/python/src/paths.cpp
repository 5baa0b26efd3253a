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

std::string path_of(nb::handle object, const std::string& what) {
  if (!is_path(object)) refuse_type(object, what, "give a path, as str or os.PathLike");
  const nb::object bytes = nb::module_::import_("os").attr("fsencode")(object);
  return {PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr()))};
}

bool is_path(nb::handle object) {
  return nb::isinstance<nb::str>(object) || nb::isinstance<nb::bytes>(object) ||
         nb::hasattr(object, "__fspath__");
}

bool is_open_file(nb::handle object) {
  return nb::hasattr(object, "read");
}

void refuse_type(nb::handle object, const std::string& what, const std::string& advice) {
  const std::string type = nb::type_name(object.type()).c_str();
  if (is_open_file(object)) {
    throw ArgumentTypeError(what + " is an open file, of type " + type +
                            ": give the path of a file; what is in memory, write to one, or pass "
                            "as strings where sequences are taken");
  }
  throw ArgumentTypeError(what + " is of type " + type + ": " + advice);
}

std::vector<std::string> paths_of(const nb::object& source) {
  constexpr const char* advice = "give a path or a list of paths";
  if (is_path(source)) return {path_of(source, "source")};
  if (is_open_file(source)) refuse_type(source, "source", advice);
  const nb::object items = items_of(source);
  if (!items.is_valid()) refuse_type(source, "source", advice);
  std::vector<std::string> paths;
  for (const nb::handle item : items)
    paths.push_back(path_of(item, "source[" + std::to_string(paths.size()) + "]"));
  if (paths.empty()) throw UsageError("source holds no paths; a glob may have matched no file");
  return paths;
}

CramReferences references_of(const nb::object& fasta) {
  CramReferences references = usual_references(variable);
  if (fasta.is_none()) return references;
  references.fasta = path_of(fasta, "cram_reference");
  std::error_code error;
  if (!std::filesystem::is_regular_file(references.fasta, error))
    throw InputError("cram_reference: there is no file '" + printable(references.fasta) + "'");
  return references;
}

}  // namespace gsx::python
