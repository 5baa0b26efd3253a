// Jobs on a text: of sequences that are read, or of an index.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>

#include "bytes/outputs.hpp"
#include "device/cost.hpp"
#include "index/store/index.hpp"
#include "inputs/input_options.hpp"
#include "inputs/target_choice.hpp"
#include "options/options.hpp"
#include "options/starting_backend.hpp"
#include "outputs/plan.hpp"
#include "run/target.hpp"

namespace gsx::app {

/// Adds -x, which excludes input files, and -r, which stands for them.
void add_text_target(CLI::App& command, TargetOptions& target);

/// The steps of a command that works on a text, in their order.
class TextJob {
 public:
  /// Opens the index, if choose_target() chooses one and not sequences. Throws what that throws,
  /// UsageError if there is an index and an option for reading sequences, what Index::open()
  /// throws, and CorruptIndexError if the text holds codes outside its alphabet. Where the input
  /// is to keep files, so must an index have.
  TextJob(const CLI::App& command, TargetOptions target, InputOptions input, Session& session);
  TextJob(const TextJob&) = delete;  // the outputs refer to this object
  TextJob& operator=(const TextJob&) = delete;

  /// Null if the input is sequences.
  const Index* index() const { return index_ ? &*index_ : nullptr; }
  /// Those of the text, about.
  Amount symbols() const;
  /// Takes the device for this work. A GPU starts while the input is read, but for a plan, whose
  /// DeviceError says why it needs the GPU. Throws InputError for files that are not there.
  void take_device(const DeviceOptions& options, const WorkCost& cost,
                   const PlanOptions& plan = {});
  /// What take_device() chose.
  const DeviceOptions& device() const { return device_; }
  /// The outputs: none is written unless the index is as it was.
  Outputs& outputs() { return outputs_; }
  /// The index, if there is one, and else the text of the input, which it reads.
  Target read();
  /// Pre: the text has been read.
  Backend& backend() { return *backend_; }
  /// Notes what the device took, and gives all outputs their names.
  void finish();

 private:
  InputOptions input_;  ///< its files are those chosen
  Session& session_;
  std::optional<Index> index_;
  DeviceOptions device_;
  StartingBackend starting_;
  std::unique_ptr<Backend> backend_;
  Outputs outputs_;
};

/// Throws UsageError "NAME why" for the first of these options that was given.
void refuse_options(const CLI::App& command, std::initializer_list<const char*> names,
                    const std::string& why);
/// Refuses so the options that only matter for work on a GPU.
void refuse_device_options(const CLI::App& command, const DeviceOptions& options,
                           const std::string& why);

}  // namespace gsx::app
