#include "records/lists/list_words.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace gsx {
namespace {

using Words = std::vector<std::string>;

/// The words of a heading, in lower case: "targetSeq" and "target_seq" have two, "sgRNA" has one.
Words words_of(std::string_view field) {
  Words words;
  bool inside = false;
  char before = '\0';
  for (std::size_t i = 0; i < field.size(); ++i) {
    const char c = field[i];
    const bool letter = in_lower(c) >= 'a' && in_lower(c) <= 'z';
    const bool rna = (before == 'g' || before == 'r') && field.substr(i, 3) == "RNA";
    const bool hump = c >= 'A' && c <= 'Z' && before >= 'a' && before <= 'z' && !rna;
    if (letter && (!inside || hump)) words.emplace_back();
    if (letter) words.back() += in_lower(c);
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
bool all_are(const Words& words, std::initializer_list<std::string_view> wanted) {
  return std::ranges::all_of(words,
                             [wanted](const std::string& word) { return any_is({word}, wanted); });
}

/// Words of counts that are of other things than the sequence, or shares of them.
bool counts_others(const Words& words) {
  return any_is(words, {"gene", "genes", "feature", "features", "cells", "pct", "percent",
                        "percentage", "mito", "mitochondrial", "mt"}) ||
         (any_is(words, {"cell"}) && !any_is(words, {"per"}));
}

int rank_of_counts(const Words& words) {
  if (!any_is(words, {"count", "counts", "reads", "umis"})) {
    const bool vague = any_is(words, {"n", "total", "num", "number"});
    return vague ? 1 : 2;
  }
  const bool exact = all_are(words, {"count", "counts", "reads", "umis", "n", "num", "number",
                                     "total", "umi", "read", "rna", "of"});
  return exact ? 3 : 2;
}

int rank_of_sequences(const Words& words) {
  // What is around the sequence that is searched, or is more than that.
  if (any_is(words, {"context", "flanking", "flank", "genomic", "amplicon", "scaffold", "oligo",
                     "oligos", "oligonucleotide", "complement", "template"}))
    return 1;
  if (!any_is(words, {"sequence", "sequences", "seq"})) return 2;
  const bool exact = all_are(words, {"sequence", "sequences", "seq", "to"}) ||
                     any_is(words, {"guide", "guides", "sgrna", "sgrnas", "grna", "grnas", "crrna",
                                    "crrnas", "pegrna", "spacer", "barcode", "target", "probe",
                                    "barcodes", "primer", "protospacer", "primers"});
  return exact ? 4 : 3;
}

int rank_of_names(const Words& words) {
  if (any_is(words, {"gene"})) return any_is(words, {"id", "ids", "identifier"}) ? 1 : 2;
  const bool of_what = any_is(words, {"pair", "assay", "amplicon", "marker", "locus", "accession"});
  return surely_names + (words.size() == 1 ? (of_what ? 0 : 2) : 1);
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
  if (words.empty() || words.size() > 6 || words == Words{"n", "a"}) return Heading::other;
  if (any_is(words, {"count", "counts", "reads", "freq", "frequency", "abundance", "number", "num",
                     "occurrences", "total", "n", "umis", "copies"}))
    return words.size() == 1 || !(any_is(words, {"sequence", "seq"}) || counts_others(words))
               ? Heading::count
               : Heading::other;
  if (says_more(words)) return Heading::other;
  if (any_is(words,
             {"name", "names", "id", "ids", "uid", "identifier", "label", "sample", "title"}))
    return Heading::name;
  const bool sequences = any_is(words, {"sequence", "sequences", "seq"});
  if (any_is(words, {"gene"}) && any_is(words, {"target", "symbol"}) && !sequences)
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
  if (any_is(words, {"gene", "pair", "assay", "amplicon", "marker", "locus", "accession"}))
    return Heading::name;
  return Heading::other;
}

bool is_file_heading(std::string_view field) {
  if (field.size() > 60 || field.find_first_of("/.0123456789") != field.npos) return false;
  return any_is(words_of(field), {"path",      "paths",      "file",   "files",     "filename",
                                  "filenames", "filepath",   "fasta",  "fastas",    "fastq",
                                  "assembly",  "assemblies", "genome", "genomes",   "contigs",
                                  "sequence",  "sequences",  "reads",  "reference", "location"});
}

bool is_property_heading(std::string_view field) {
  return says_more(words_of(field));
}

bool says_something(std::string_view field) {
  return std::ranges::any_of(words_of(field), [](const auto& word) { return word.size() > 1; });
}

int heading_rank(std::string_view field) {
  const Words words = words_of(field);
  switch (heading_of(field)) {
    case Heading::count:
      return rank_of_counts(words);
    case Heading::sequence:
      return rank_of_sequences(words);
    case Heading::name:
      return rank_of_names(words);
    default:
      return words.size() == 1 ? 2 : 1;
  }
}

}  // namespace gsx
