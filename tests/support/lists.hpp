// Reads lists, and compares what they hold.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "base/error.hpp"
#include "records/sequence_reader.hpp"
#include "support/files.hpp"

namespace gsx::testing {

/// What a list holds: "name:sequence comment;" for each record, or the error.
inline std::string read_list(const std::string& path, ListForm form, std::uint64_t block_bytes,
                             int threads = 1) {
  std::string all;
  SequenceReader reader({path}, {.threads = threads,
                                 .block_bytes = block_bytes,
                                 .allow_empty = true,
                                 .decoding = {.lists = form}});
  try {
    RecordBatch batch;
    while (reader.next(batch)) {
      for (std::size_t i = 0; i < batch.size(); ++i) {
        const std::string comment(is_list(batch.format) ? batch.comment(i) : "");
        all += std::string(batch.name(i)) + ':' + std::string(batch.sequence(i)) +
               (comment.empty() ? "" : ' ' + comment) + ';';
      }
    }
  } catch (const InputError& error) {
    const std::string what = error.what();
    all += "ERROR" + what.substr(path.rfind('/') + 1);
  }
  return all;
}

struct ListCase {
  const char* what;
  std::string text;
  std::string named;    ///< as patterns, guides and entries
  std::string counted;  ///< as barcodes; empty: not tried
};

inline void check_list(const TemporaryFolder& folder, const ListCase& list) {
  CAPTURE(std::string(list.what));
  const std::string path = folder.write("list", list.text);
  // Blocks of one byte, too: most lines are read without those before them.
  for (const std::uint64_t block : {std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{1} << 20}) {
    CAPTURE(block);
    if (!list.named.empty() || list.counted.empty())
      CHECK(read_list(path, ListForm::named, block) == list.named);
    if (!list.counted.empty() && list.counted != ":;")
      CHECK(read_list(path, ListForm::counted, block) == list.counted);
  }
  CHECK(read_list(path, ListForm::named, 1, 3) == read_list(path, ListForm::named, 1));
}

}  // namespace gsx::testing
