// An index of a text, made by the CPU and opened from a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "device/registry.hpp"
#include "index/store/writer.hpp"
#include "support/sequence_files.hpp"

namespace gsx::testing {

class OpenIndex {
 public:
  explicit OpenIndex(const Text& text, std::uint32_t rate = 16) {
    BuildOptions options;
    options.sample_rate = rate;
    const std::string path = folder_ / "g.gsx";
    Output out(path);
    write_index(out, text, make_cpu_backend()->build_index(text.view(), options), 2);
    out.commit();
    index_.emplace(Index::open(path, Load::map, 2));
  }
  const Index& operator*() const { return *index_; }

 private:
  TemporaryFolder folder_;
  std::optional<Index> index_;
};

}  // namespace gsx::testing
