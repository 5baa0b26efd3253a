#include "commands/extract_source.hpp"

#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "inputs/input_options.hpp"
#include "inputs/open_index.hpp"
#include "text/extract.hpp"

namespace gsx::app {
namespace {

/// Throws UsageError where letters of upper case are other symbols.
void require_folded(const Alphabet& alphabet) {
  if (alphabet.policy() == SymbolPolicy::bytes)
    throw UsageError("--case upper: in bytes the two cases are different symbols");
}

class IndexSource : public ExtractSource {
 public:
  explicit IndexSource(IndexLookup index) : index_(std::move(index)), records_(index_) {}

  RegionRecords& records() override { return records_; }
  const Alphabet& alphabet() const override { return index_.alphabet(); }
  std::uint64_t size() const override { return index_.size(); }
  std::uint64_t symbols() const override { return index_.meta().counts.total(); }
  bool keeps_case(const std::string& letter_case) const override {
    const bool known = index_.traits().keeps_case;
    const bool folded = alphabet().policy() != SymbolPolicy::bytes;
    const bool split = index_.meta().soft_mask_split != 0;  // knows the case of bases only
    if (letter_case == "keep" && split) return true;
    if (letter_case == "keep" && folded && !known) {
      throw UsageError("--case keep: the index '" + printable(index_.path()) +
                       "' has all letters in upper case; make it with gsx index --soft-mask keep");
    }
    if (letter_case == "upper") require_folded(alphabet());
    return known && letter_case != "upper";
  }
  void read(std::uint64_t record, std::uint64_t begin, std::uint64_t end, bool keep_case,
            std::string& out) const override {
    index_.read(record, begin, end, keep_case, out);
  }
  void check_all() override { index_.check_all(); }
  void require_unchanged() const override { index_.require_unchanged(); }

 private:
  IndexLookup index_;
  LookedUpRecords records_;
};

class TextSource : public ExtractSource {
 public:
  explicit TextSource(Text text) : text_(std::move(text)), records_(text_.records_view()) {}

  RegionRecords& records() override { return records_; }
  const Alphabet& alphabet() const override { return text_.alphabet; }
  std::uint64_t size() const override { return text_.records.size(); }
  std::uint64_t symbols() const override { return text_.counts.total(); }
  bool keeps_case(const std::string& letter_case) const override {
    if (letter_case != "upper") return true;
    require_folded(text_.alphabet);
    return false;
  }
  void read(std::uint64_t record, std::uint64_t begin, std::uint64_t end, bool keep_case,
            std::string& out) const override {
    const std::size_t before = out.size();
    extract(text_.view(), text_.records_view(), text_.alphabet, record, begin, end, out);
    if (keep_case && text_.letter_case.kept)
      restore_case(text_.letter_case.view(), record, begin, out.data() + before, end - begin);
  }

 private:
  Text text_;
  ViewedRecords records_;
};

}  // namespace

std::unique_ptr<ExtractSource> open_extract_source(const TargetOptions& target,
                                                   ReferenceOptions reading, Session& session) {
  if (!target.in_memory()) return std::make_unique<IndexSource>(open_lookup(target.index, session));
  reading.keep_case = true;
  require_files(target.references);
  return std::make_unique<TextSource>(read_references(target.references, reading, {}, session));
}

}  // namespace gsx::app
