#include "bytes/compression/unpacker.hpp"

#include "bytes/source_error.hpp"

// What CMake has not found, it does not define.
#if !defined(GSX_WITH_BZIP2)
#define GSX_WITH_BZIP2 0
#endif
#if !defined(GSX_WITH_XZ)
#define GSX_WITH_XZ 0
#endif
#if !defined(GSX_WITH_ZSTD)
#define GSX_WITH_ZSTD 0
#endif

namespace gsx {
namespace {

std::string command_for(Packing packing) {
  return std::string(name_of(packing)) + " -dc FILE | gsx ... -";
}

std::string mebibytes(std::uint64_t bytes) {
  return std::to_string((bytes + (std::uint64_t{1} << 20) - 1) >> 20) + " MiB";
}

#if !(GSX_WITH_BZIP2 && GSX_WITH_XZ && GSX_WITH_ZSTD)
[[noreturn]] void fail_without_library(Packing packing) {
  throw SourceError("it is compressed by " + std::string(name_of(packing)) +
                    ", which this gsx was built without; run: " + command_for(packing));
}
#endif

}  // namespace

const char* name_of(Packing packing) {
  if (packing == Packing::bzip2) return "bzip2";
  return packing == Packing::xz ? "xz" : "zstd";
}

bool can_unpack(Packing packing) {
  constexpr bool built[] = {GSX_WITH_BZIP2, GSX_WITH_XZ, GSX_WITH_ZSTD};
  return built[static_cast<std::size_t>(packing)];
}

std::unique_ptr<Unpacker> make_unpacker(Packing packing, std::uint64_t most_bytes) {
  if (packing == Packing::bzip2) return make_bzip2_unpacker();
  return packing == Packing::xz ? make_xz_unpacker(most_bytes) : make_zstd_unpacker(most_bytes);
}

void fail_damaged(Packing packing, const std::string& reason) {
  throw SourceError("the " + std::string(name_of(packing)) + " data is damaged" +
                    (reason.empty() ? "" : " (" + reason + ")") + "; fetch the file again");
}

void fail_on_memory(Packing packing, std::uint64_t needed_bytes, std::uint64_t most_bytes) {
  const std::string needed = needed_bytes == 0 ? "more" : mebibytes(needed_bytes) + ", more";
  const bool lowered = most_bytes < usual_unpack_bytes;
  const std::string command =
      packing == Packing::zstd ? "zstd --long=31 -dc FILE | gsx ... -" : command_for(packing);
  const std::string what = "to decompress this " + std::string(name_of(packing)) + " data takes " +
                           needed + " memory than the " + mebibytes(most_bytes) + " allowed; ";
  if (!lowered) throw SourceError(what + "run: " + command);
  throw MemoryError(what + "raise the memory limit, or run: " + command);
}

#if !GSX_WITH_BZIP2
std::unique_ptr<Unpacker> make_bzip2_unpacker() {
  fail_without_library(Packing::bzip2);
}
#endif

#if !GSX_WITH_XZ
std::unique_ptr<Unpacker> make_xz_unpacker(std::uint64_t /*most_bytes*/) {
  fail_without_library(Packing::xz);
}
#endif

#if !GSX_WITH_ZSTD
std::unique_ptr<Unpacker> make_zstd_unpacker(std::uint64_t /*most_bytes*/) {
  fail_without_library(Packing::zstd);
}
#endif

}  // namespace gsx
