#include "inputs/indexed_text.hpp"

#include <CLI/App.hpp>
#include <cstdlib>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "index/store/verify.hpp"
#include "inputs/index_choice.hpp"
#include "inputs/open_index.hpp"
#include "options/option_kinds.hpp"
#include "process/input_bytes.hpp"

namespace gsx::app {

void add_indexed_text_option(CLI::App& command, std::string& named) {
  CLI::Option* const file = command.get_option("FILE");
  file->required(false)->description(file->get_description() + "; or an index");
  add_path(command, "-x,--index", named, "Take the text of this index instead of FILE")
      ->type_name("INDEX")
      ->group("Input");
}

TextJob::TextJob(const CLI::App& command, const std::string& named, const InputOptions& input,
                 Session& session)
    : input_(input), session_(session), outputs_(session.threads) {
  const std::vector<std::string>& files = input.files;
  if (named.empty() && files.empty()) throw UsageError("FILE is required; - is standard input");
  const bool is_first = named.empty() && is_index_or_folder(files[0]);
  if (named.empty() && !is_first) return;
  const std::string path = choose_index(named, is_first ? files[0] : "");
  if (files.size() > (is_first ? 1 : 0)) {
    throw UsageError("the index '" + printable(path) + "' and '" +
                     printable(files[is_first ? 1 : 0]) +
                     "': give an index or sequences, not both");
  }
  refuse_options(
      command,
      {"--alphabet", "--ambiguous", "--soft-mask", "--allow-no-eof", "--whole-header", "--batch"},
      "is for sequences; the index '" + printable(path) + "' was made with its own");
  index_.emplace(open_index(path, IndexUse::parts, session));
  verify_text(*index_, session.threads);
  outputs_.check_before_writing([this] { index_->require_unchanged(); });
}

Amount TextJob::symbols() const {
  return index_ ? Amount(index_->meta().length) : symbols_in(input_.files);
}

void TextJob::take_device(const DeviceOptions& options, const WorkCost& cost,
                          const PlanOptions& plan) {
  device_ = options.for_work(cost, input_.memory_limit, session_.threads);
  if (plan.asked) {
    backend_ = make_backend_for(plan, device_);
  } else {
    starting_ = StartingBackend(device_, !index_ && bytes_of_files(input_.files) != 0);
  }
  if (!index_) require_files(input_.files);
}

Target TextJob::read() {
  Target target = starting_.meanwhile(
      [&] { return index_ ? Target(*index_) : Target(read_input(input_, session_)); });
  if (!backend_) backend_ = starting_.get();
  return target;
}

void TextJob::finish() {
  if (backend_) session_.used(*backend_);
  outputs_.commit();
}

void refuse_options(const CLI::App& command, std::initializer_list<const char*> names,
                    const std::string& why) {
  for (const char* name : names) {
    const CLI::Option* const option = command.get_option_no_throw(name);
    if (option == nullptr || option->count() == 0) continue;
    throw UsageError(std::string(name) + ' ' + why);
  }
}

void refuse_device_options(const CLI::App& command, const DeviceOptions& options,
                           const std::string& why) {
  // $GSX_GPU_MEMORY is for all commands, and counts as if the option were given.
  if (std::getenv("GSX_GPU_MEMORY") == nullptr) refuse_options(command, {"--gpu-memory"}, why);
  if (options.device != "auto" && options.device != "cpu")
    refuse_options(command, {"--device"}, why);
}

}  // namespace gsx::app
