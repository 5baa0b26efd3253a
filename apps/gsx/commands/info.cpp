// gsx info: what an index holds and where it comes from.
#include <CLI/App.hpp>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "bytes/outputs.hpp"
#include "commands.hpp"
#include "inputs/open_index.hpp"
#include "inputs/target_choice.hpp"
#include "options/format_suffix.hpp"
#include "options/option_kinds.hpp"
#include "options/options.hpp"
#include "output/json/json.hpp"
#include "output/lines/text_format.hpp"
#include "text/record_md5.hpp"

namespace gsx::app {
namespace {

struct InfoOptions {
  std::string argument;
  TargetOptions target;
  std::string output;
  bool json = false;
  bool records = false;
  bool files = false;
  bool shards = false;
  bool md5 = false;
  bool no_header = false;
};

/// The facts of an index, in the order of the output and under their JSON names.
std::vector<std::pair<const char*, std::uint64_t>> numbers_of(const IndexLookup& index) {
  const Meta& meta = index.meta();
  return {{"file_bytes", index.file_bytes()},
          {"records", meta.records},
          {"symbols", meta.counts.total()},
          {"indexed_symbols", meta.length - meta.segments},
          {"segments", meta.segments},
          {"alphabet_size", meta.sigma},
          {"n", meta.counts.n},
          {"iupac", meta.counts.iupac},
          {"gaps", meta.counts.gap},
          {"other", meta.counts.other},
          {"soft_masked", meta.counts.lower_case},
          {"sa_rate", meta.sample_rate},
          {"kmer_length", meta.kmer_length}};
}

/// The files of an index in shards: name, bytes, records, symbols.
void write_shard_table(const IndexLookup& index, bool header, Output& file) {
  if (!index.is_in_shards())
    throw UsageError("--shards: the index '" + printable(index.path()) + "' is one file");
  std::string out = header ? "path\tfile_bytes\trecords\tsymbols\n" : "";
  for (const auto& shard : index.files()) {
    out += printable(shard->table().path());
    append_column(out, shard->file_bytes());
    append_column(out, shard->meta().records);
    append_column(out, shard->meta().counts.total());
    out += '\n';
  }
  file.write(out);
}

std::vector<std::pair<const char*, std::string>> words_of(const IndexLookup& index) {
  const Meta& meta = index.meta();
  return {{"format_version", std::to_string(format_version)},
          {"alphabet", std::string(name_of(static_cast<SymbolPolicy>(meta.policy)))},
          {"alphabet_symbols", std::string(index.alphabet().symbols())},
          {"soft_mask", index.traits().keeps_case   ? "keep"
                        : meta.soft_mask_split != 0 ? "split"
                                                    : "fold"},
          {"md5_stored", index.traits().has_md5 ? "yes" : "no"},
          {"files_kept", index.traits().has_files ? "yes" : "no"}};
}

/// The MD5 of each record: stored, or else computed from the text, for which all of the index is
/// opened.
class RecordMd5s {
 public:
  RecordMd5s(const IndexLookup& index, Session& session) : index_(index) {
    if (index.traits().has_md5) return;
    const Index whole = open_index(index.path(), IndexUse::parts, session);
    computed_ = md5s_of_records(whole.text(), whole.records(), whole.alphabet(), session.threads);
    whole.require_unchanged();
  }
  std::string operator[](std::uint64_t record) const {
    if (!computed_.empty()) return to_hex(computed_[record]);
    const auto [file, number] = index_.place_of(record);
    return to_hex(file.md5(number));
  }

 private:
  const IndexLookup& index_;
  std::vector<Md5> computed_;
};

/// Bytes of text gathered before a write.
constexpr std::size_t piece_bytes = std::size_t{1} << 16;

void write_if_long(std::string& text, Output& out) {
  if (text.size() < piece_bytes) return;
  out.write(text);
  text.clear();
}

/// The symbols of the records of a file.
std::uint64_t length_of(const IndexLookup& index, const SourceFilesView& files,
                        std::uint64_t file) {
  std::uint64_t length = 0;
  for (std::uint64_t r = files.first_record(file); r < files.record_ends[file]; ++r)
    length += index.length(r);
  return length;
}

void write_json(const IndexLookup& index, const std::optional<RecordMd5s>& md5s, Output& file) {
  using enum JsonValue::Kind;
  std::string out;
  JsonWriter json(out);
  json.begin(object);
  json.member("path", index.path());
  for (const auto& [name, value] : words_of(index))
    json.member(name, value);
  for (const auto& [name, value] : numbers_of(index))
    json.member(name, value);
  json.name("targets");
  json.begin(array);
  for (std::uint64_t r = 0; r < index.size(); ++r) {
    json.begin(object);
    json.member("name", index.name(r));
    json.member("length", index.length(r));
    if (md5s) json.member("md5", (*md5s)[r]);
    json.end(object);
    write_if_long(out, file);
  }
  json.end(array);
  const SourceFiles kept = index.source_files();
  if (const SourceFilesView files = kept.view(); !files.empty()) {
    json.name("files");
    json.begin(array);
    for (std::uint64_t f = 0; f < files.size(); ++f) {
      json.value(JsonMembers{{"name", files.name(f)},
                             {"records", files.record_ends[f] - files.first_record(f)},
                             {"length", length_of(index, files, f)}});
      write_if_long(out, file);
    }
    json.end(array);
  }
  json.end(object);
  file.write(out + '\n');
}

void write_file_table(const IndexLookup& index, bool header, Output& file) {
  const SourceFiles kept = index.source_files();
  const SourceFilesView files = kept.view();
  if (files.empty()) {
    throw UsageError("--files: the index '" + printable(index.path()) +
                     "' does not know the files of its records; gsx index --files keeps them");
  }
  std::string out = header ? "file_id\trecords\tlength\n" : "";
  for (std::uint64_t f = 0; f < files.size(); ++f) {
    append_name(out, files.name(f));
    append_column(out, files.record_ends[f] - files.first_record(f));
    append_column(out, length_of(index, files, f));
    out += '\n';
    write_if_long(out, file);
  }
  file.write(out);
}

void write_text(const IndexLookup& index, Output& file) {
  std::string out = "path\t" + printable(index.path()) + '\n';
  for (const auto& [name, value] : words_of(index)) {
    out += std::string(name) + '\t' + printable(value) + '\n';
  }
  for (const auto& [name, value] : numbers_of(index)) {
    out += std::string(name) + '\t';
    append_number(out, value);
    out += '\n';
  }
  file.write(out);
}

void write_record_table(const IndexLookup& index, const std::optional<RecordMd5s>& md5s,
                        bool header, Output& file) {
  std::string out = !header ? "" : md5s ? "target_id\tlength\tmd5\n" : "target_id\tlength\n";
  for (std::uint64_t r = 0; r < index.size(); ++r) {
    append_name(out, index.name(r));
    out += '\t';
    append_number(out, index.length(r));
    if (md5s) out += '\t' + (*md5s)[r];
    out += '\n';
    write_if_long(out, file);
  }
  file.write(out);
}

void run_info(InfoOptions& options, Session& session) {
  const bool is_table = options.records || options.files || options.shards || options.md5;
  if (options.no_header && !is_table)
    throw UsageError("--no-header is for the tables of --records, --files, --shards and --md5");
  const std::string format = output_format(
      options.output,
      {"info",
       is_table       ? "tsv"
       : options.json ? "json"
                      : "tsv or json",
       "-o", is_table ? "a table has no other format" : "give FILE another suffix, or none"},
      session.files);
  options.json |= format == "json";
  choose_target(options.target, options.argument);
  const IndexLookup index = open_lookup(options.target.index, session);
  Outputs outputs;
  Output& out = outputs.open(options.output);
  out.check_before_writing([&] { index.require_unchanged(); });
  std::optional<RecordMd5s> md5s;
  if (options.md5) md5s.emplace(index, session);
  const bool header = !options.no_header;
  if (options.json || options.records || options.files || options.md5) index.check_names();
  if (options.json) {
    write_json(index, md5s, out);
  } else if (options.shards) {
    write_shard_table(index, header, out);
  } else if (options.files) {
    write_file_table(index, header, out);
  } else if (options.records || options.md5) {
    write_record_table(index, md5s, header, out);
  } else {
    write_text(index, out);
  }
  outputs.commit();
}

}  // namespace

void add_info_command(CLI::App& app, Session& session, Run& run) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command = add_command(app, "info", "Show what an index holds");
  command->footer(
      "The MD5 of a record is that of its upper-case sequence, as M5 in SAM headers. gsx index "
      "--md5 stores it; otherwise --md5 computes it from the text. DNA is stored with T in place "
      "of U, so the MD5 of a record that held U is not its M5: it is that of the sequence that "
      "gsx extract gives.\n\n"
      "Examples:\n"
      "  gsx info genome.gsx\n"
      "  gsx info genome.gsx --records\n"
      "  gsx info genome.gsx --records --no-header > genome.sizes\n"
      "  gsx info genome.gsx --md5\n"
      "  gsx info bacteria.gsx --files\n"
      "  gsx info genome.gsx --json | jq .targets");
  add_path(*command, "INDEX", options->argument, "The index, in place of -x")->type_name("INDEX");
  add_target_options(*command, options->target);
  begin_group(*command, "Output");
  add_output(*command, options->output);
  auto* json =
      add_flag(*command, "--json", options->json, "Write one JSON object, records included");
  add_flag(*command, "--records", options->records, "Write a TSV of the records: name, length")
      ->excludes(json);
  auto* files = add_flag(*command, "--files", options->files,
                         "Write a TSV of the input files, of an index made with --files: "
                         "name, records, length")
                    ->excludes(json)
                    ->excludes("--records");
  add_flag(*command, "--shards", options->shards,
           "Write a TSV of the files of an index in shards: path, bytes, records, symbols")
      ->excludes(json)
      ->excludes("--records")
      ->excludes(files);
  add_flag(*command, "--md5", options->md5,
           "Give the MD5 of each record as well, in that TSV or in the JSON object")
      ->excludes(files);
  add_flag(*command, "--no-header", options->no_header,
           "Leave out the header line of these tables; --records then gives what bedtools -g reads")
      ->excludes(json);
  add_session_options(*command, session);
  set_work(*command, run, [options](Session& started) { run_info(*options, started); });
}

}  // namespace gsx::app
