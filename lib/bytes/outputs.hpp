// The outputs of a run: all opened before the work, and all complete before the first has its name.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bytes/output.hpp"

namespace gsx {

/// The result of a run, its side files and its summary. They get their names in the order in which
/// they were opened, so a summary is opened last: if it exists, all others do.
class Outputs {
 public:
  /// BGZF is compressed on up to `threads` threads per output.
  explicit Outputs(int threads = 1) : threads_(threads) {}

  /// Opens an output, in the encoding that its name asks for unless another is given. Throws what
  /// Output does, and UsageError for a name that asks for a compression which gsx does not write.
  /// The output lives as long as this object, and is not to be committed on its own.
  Output& open(const std::string& path) { return open(path, encoding_for(path)); }
  Output& open(const std::string& path, Encoding encoding);
  /// Opens an output that need not be asked for: null if `path` is "".
  Output* open_if_named(const std::string& path) { return path.empty() ? nullptr : &open(path); }

  /// Sets Output::check_before_writing() of all outputs, those that are opened later, too.
  void check_before_writing(std::function<void()> check);
  /// Writes what streams hold; see Output::flush(). Files are left alone: a run that fails has
  /// none.
  void flush_streams();
  /// Completes all; see commit_all(). Must be the last call.
  void commit();

 private:
  int threads_;
  std::function<void()> check_;
  std::vector<std::unique_ptr<Output>> outputs_;
};

}  // namespace gsx
