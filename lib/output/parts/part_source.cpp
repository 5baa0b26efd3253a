#include "output/parts/part_source.hpp"

#include "base/error.hpp"
#include "base/messages.hpp"
#include "output/parts/part_format.hpp"
#include "records/sequence_file.hpp"

namespace gsx {
namespace {

[[noreturn]] void fail_to_read(const std::string& label, const SourceError& error) {
  throw input_error(label, 0, {}, 0, "cannot read it: " + std::string(error.what()));
}

}  // namespace

std::string_view PartSource::start() const {
  try {
    bool whole = false;
    return bytes->peek_start(
        part_magic.size(), [](std::string_view some) { return some.size() >= part_magic.size(); },
        whole);
  } catch (const SourceError& error) {
    fail_to_read(label, error);
  }
}

bool PartSource::is_part_file() const {
  return start().starts_with(part_magic);
}

void PartSource::require_whole_start(bool named, bool beside) const {
  if (is_part_file()) return;
  const std::string_view begin = start();
  const bool cut = part_magic.starts_with(begin) && (!begin.empty() || beside);
  if (named || cut)
    throw input_error(
        label, 0, {}, 0,
        "it is no file of --format part, or one that is cut or damaged: make it again");
}

PartSource open_part(const std::string& path) {
  std::string label = path == "-" ? "standard input" : printable(path);
  try {
    auto bytes = std::make_unique<ByteSource>(path, 1, std::function<void()>(),
                                              Decoding{.no_eof_advice = "make it again"});
    return {std::move(label), std::move(bytes)};
  } catch (const OpenFilesError& error) {
    throw ResourceError("cannot open '" + label + "': " + error.what() +
                        "; or raise the number of files that may be open (ulimit -n)");
  } catch (const SourceError& error) {
    fail_to_read(label, error);
  }
}

}  // namespace gsx
