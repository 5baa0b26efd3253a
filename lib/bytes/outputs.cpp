#include "bytes/outputs.hpp"

#include <utility>

namespace gsx {

Output& Outputs::open(const std::string& path, Encoding encoding) {
  Output& output = *outputs_.emplace_back(std::make_unique<Output>(path, encoding, threads_));
  if (check_) output.check_before_writing(check_);
  return output;
}

void Outputs::check_before_writing(std::function<void()> check) {
  check_ = std::move(check);
  for (const auto& output : outputs_)
    output->check_before_writing(check_);
}

void Outputs::flush_streams() {
  for (const auto& output : outputs_)
    if (output->is_stream()) output->flush();
}

void Outputs::commit() {
  std::vector<Output*> all;
  all.reserve(outputs_.size());
  for (const auto& output : outputs_)
    all.push_back(output.get());
  commit_all(all);
}

}  // namespace gsx
