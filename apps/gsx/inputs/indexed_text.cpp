#include "inputs/indexed_text.hpp"

#include <CLI/App.hpp>
#include <cstdlib>
#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "index/store/verify.hpp"
#include "inputs/by_file_option.hpp"
#include "inputs/open_index.hpp"
#include "options/option_kinds.hpp"
#include "process/input_bytes.hpp"

namespace gsx::app {

void add_text_target(CLI::App& command, TargetOptions& target) {
  CLI::Option* const file = command.get_option("FILE");
  file->required(false)->description(file->get_description() + "; or an index");
  add_target_options(command, target, "The same as FILE; repeat -r for more files");
}

TextJob::TextJob(const CLI::App& command, TargetOptions target, InputOptions input,
                 Session& session)
    : input_(std::move(input)), session_(session), outputs_(session.threads) {
  choose_target(target, input_.files, ArgumentKind::sequences);
  if (target.in_memory()) {
    input_.files = std::move(target.references);
    session.files.reads(input_.files_read());
    return;
  }
  refuse_options(
      command,
      {"--alphabet", "--ambiguous", "--soft-mask", "--allow-no-eof", "--whole-header", "--batch"},
      "is for sequences; the index '" + printable(target.index) + "' was made with its own");
  index_.emplace(open_index(target.index, IndexUse::parts, session));
  if (input_.keep_files) require_kept_files(*index_);
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
