#include "commands/grown_index.hpp"

#include <filesystem>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "index/store/verify.hpp"

namespace gsx::app {

GrownIndex::GrownIndex(const std::string& path, int threads)
    : path_(path),
      opened_(FileIdentity::of(path)),
      index_(Index::open(path, Load::map, threads)),
      batches_(index_, IndexBatches::Names::as_read) {}

void GrownIndex::check(Session& session) const {
  session.report("checking the index", -1);
  verify_text(index_, session.threads);
  verify_records(index_, session.threads, session.progress());
}

void GrownIndex::require_in_place(const std::string& path) const {
  std::error_code none;
  if (std::filesystem::weakly_canonical(path, none) !=
      std::filesystem::weakly_canonical(path_, none))
    return;
  if (FileIdentity::of(path) == opened_) return;
  throw RuntimeError(
      "'" + printable(path) +
      "' was replaced while it was read, by a program that knows no lock; nothing was "
      "written: run the command again");
}

std::string GrownIndex::soft_mask() const {
  if (index_.letter_case().kept) return "keep";
  return index_.meta().soft_mask_split != 0 ? "split" : "fold";
}

void GrownIndex::adopt(const GrownOptions& given, InputOptions& input) const {
  const auto require_same = [&](const char* option, const std::string& asked,
                                const std::string& there) {
    if (asked.empty() || asked == there) return;
    throw UsageError(std::string(option) + " " + asked + ": the index '" +
                     printable(index_.path()) + "' was made with " + there +
                     ", and all records of an index are read alike");
  };
  const std::string alphabet(name_of(index_.alphabet().policy()));
  require_same("--alphabet", given.alphabet == "auto" ? "" : given.alphabet, alphabet);
  require_same("--soft-mask", given.soft_mask, soft_mask());
  const bool keeps_files = !index_.records().files.empty();
  if (input.keep_files && !keeps_files) {
    throw UsageError("--files: the index '" + printable(index_.path()) +
                     "' does not know the files of its records; build it again with --files");
  }
  const bool whole_header = index_.whole_header();
  if (input.whole_header && !whole_header && !index_.records().comments.empty()) {
    throw UsageError("--whole-header: the index '" + printable(index_.path()) +
                     "' was made without it, and all records of an index are named alike; build "
                     "it again with --whole-header");
  }
  input.whole_header = input.whole_header || whole_header;
  input.guessed = given.alphabet.empty() || given.alphabet == "auto";
  input.alphabet = alphabet;
  input.soft_mask = soft_mask();
  input.keep_files = keeps_files;
}

EarlierRecords GrownIndex::records() {
  return {[this](RecordBatch& batch) { return batches_.next(batch); }, batches_.size(),
          index_.meta().length, index_.records().files};
}

}  // namespace gsx::app
