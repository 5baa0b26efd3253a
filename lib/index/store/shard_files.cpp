#include "index/store/shard_files.hpp"

#include <filesystem>

#include "base/messages.hpp"

namespace gsx {

void require_shard(const std::string& file, const std::string& manifest) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) {
    throw ForeignIndexError("'" + printable(file) + "', a shard of '" + printable(manifest) +
                            "', is missing; copy it there, or make the shards again");
  }
  const bool foreign = status.type() != std::filesystem::file_type::regular ||
                       (std::filesystem::file_size(file, error) == 0 && !error);
  if (!foreign) return;
  throw CorruptIndexError("'" + printable(file) + "', a shard of '" + printable(manifest) +
                          "', is " + (is_regular_file(status) ? "empty" : "not a file") +
                          "; copy it there, or make it again");
}

void refuse_other_shard(const std::string& file, const std::string& manifest) {
  throw CorruptIndexError("'" + printable(file) + "' is not the shard that '" +
                          printable(manifest) +
                          "' was made with; copy all of them again, or make them again");
}

void refuse_shard_for_resources(const ResourceError& error) {
  throw ResourceError(std::string(error.what()) +
                      ": each shard is an open file; or make fewer, larger shards");
}

}  // namespace gsx
