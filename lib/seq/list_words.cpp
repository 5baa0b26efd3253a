#include "seq/list_words.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace gsx {
namespace {

using Words = std::vector<std::string>;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

/// The words of a heading, in lower case: "targetSeq" and "target_seq" have two, "sgRNA" has one.
Words words_of(std::string_view field) {
  Words words;
  bool inside = false;
  char before = '\0';
  for (std::size_t i = 0; i < field.size(); ++i) {
    const char c = field[i];
    const bool letter = lower(c) >= 'a' && lower(c) <= 'z';
    const bool rna = (before == 'g' || before == 'r') && field.substr(i, 3) == "RNA";
    const bool hump = c >= 'A' && c <= 'Z' && before >= 'a' && before <= 'z' && !rna;
    if (letter && (!inside || hump)) words.emplace_back();
    if (letter) words.back() += lower(c);
    inside = letter;
    before = c;
  }
  return words;
}

bool any_is(const Words& words, std::initializer_list<std::string_view> wanted) {
  return std::ranges::any_of(words, [wanted](const std::string& word) {
    return std::find(wanted.begin(), wanted.end(), word) != wanted.end();
  });
}

/// Words that say more of a sequence than what it is.
bool says_more(const Words& words) {
  return any_is(words, {"tm",    "gc",   "length", "len",  "score",    "position", "pos",
                        "start", "end",  "strand", "mer",  "size",     "type",     "scale",
                        "pool",  "well", "plate",  "rank", "distance", "pam"});
}

}  // namespace

Heading heading_of(std::string_view field) {
  // A star is a letter of proteins.
  if (field.size() > 60 || field.find('*') != field.npos) return Heading::other;
  const Words words = words_of(field);
  if (words.empty() || words.size() > 6) return Heading::other;
  if (any_is(words, {"count", "counts", "reads", "freq", "frequency", "abundance", "number", "num",
                     "occurrences", "total", "n", "umis", "copies"}))
    return words.size() == 1 || !any_is(words, {"sequence", "seq"}) ? Heading::count
                                                                    : Heading::other;
  if (says_more(words)) return Heading::other;
  if (any_is(words, {"name", "names", "id", "ids", "identifier", "label", "sample", "title"}))
    return Heading::name;
  const bool sense = any_is(words, {"sense"}), anti = any_is(words, {"anti"});
  if (any_is(words, {"forward", "fwd", "fw", "fwdprimer", "left", "f", "fp"}) || (sense && !anti))
    return Heading::forward;
  if (any_is(words, {"reverse", "rev", "revprimer", "rv", "right", "r", "rp", "antisense"}) ||
      (sense && anti))
    return Heading::reverse;
  if (any_is(words,
             {"sequence", "sequences", "seq",     "barcode",    "barcodes",    "tag",
              "tags",     "umi",       "guide",   "guides",     "spacer",      "grna",
              "grnas",    "sgrnas",    "crrnas",  "pegrna",     "sgrna",       "crrna",
              "oligo",    "primer",    "pattern", "patterns",   "protospacer", "kmer",
              "peptide",  "peptides",  "query",   "index",      "protein",     "cb",
              "bc",       "target",    "motif",   "adapter",    "oligos",      "oligonucleotide",
              "primers",  "probe",     "bases",   "nucleotides"}))
    return Heading::sequence;
  if (any_is(words, {"gene", "pair", "assay", "amplicon"})) return Heading::name;
  return Heading::other;
}

bool is_file_heading(std::string_view field) {
  if (field.size() > 60 || field.find_first_of("/.0123456789") != field.npos) return false;
  return any_is(words_of(field), {"path",      "paths",      "file",   "files",     "filename",
                                  "filenames", "filepath",   "fasta",  "fastas",    "fastq",
                                  "assembly",  "assemblies", "genome", "genomes",   "contigs",
                                  "sequence",  "sequences",  "reads",  "reference", "location"});
}

bool is_gene_heading(std::string_view field) {
  return any_is(words_of(field), {"gene"});
}

bool says_something(std::string_view field) {
  return std::ranges::any_of(words_of(field), [](const auto& word) { return word.size() > 1; });
}

bool is_exact_heading(std::string_view field, Heading heading) {
  const Words words = words_of(field);
  if (heading == Heading::sequence) return any_is(words, {"sequence", "sequences", "seq"});
  return words.size() == 1;
}

}  // namespace gsx
