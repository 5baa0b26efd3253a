// The outputs of a command that writes a table and, on request, a picture.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bytes/output.hpp"

namespace gsx::app {

class TableAndPicture {
 public:
  /// Opens both; the picture has no output if its name is "". Throws UsageError for outputs that
  /// replace what the run reads, or each other, and for BGZF to a terminal; else what Output does.
  TableAndPicture(const std::string& table, const std::string& picture, int threads);

  Output& table() { return *table_; }
  /// None if it is not asked for.
  Output* picture() { return picture_.get(); }
  void check_before_writing(const std::function<void()>& check);
  void commit();

 private:
  std::unique_ptr<Output> table_, picture_;
};

}  // namespace gsx::app
