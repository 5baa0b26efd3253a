// The words that head the columns of tables with sequences.
#pragma once

#include <cstdint>
#include <string_view>

namespace gsx {

/// Lower case of an ASCII letter, any other byte unchanged.
constexpr char in_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

enum class Heading : std::uint8_t { other, name, sequence, forward, reverse, count };

/// What a column with this heading holds, as far as its words tell. Case, blanks and marks do not
/// matter: "Sequence (5' to 3')" heads sequences.
Heading heading_of(std::string_view field);

/// Whether a field heads paths of files, as "Path" or "fasta_file". A field with a mark of paths
/// ('/', '.', a digit) does not: it may be one.
bool is_file_heading(std::string_view field);

/// Whether the heading is of a property of the sequence, as "Tm" or "PAM", and of no names.
bool is_property_heading(std::string_view field);

/// Whether the heading has a word: "x", "V2" and an empty one have none.
bool says_something(std::string_view field);

/// How surely a column of this heading is the one that its kind, `heading_of(field)`, stands for,
/// among others of the kind: more is better, from 1. Sequences: "sgRNA sequence" and "Sequence",
/// "DNA sequence", "sgRNA", then what is around them, as "Context sequence". Counts: "n_reads",
/// "raw count", then "n". Names: "name", "Guide ID", then genes by symbol and by id.
int heading_rank(std::string_view field);

/// The least rank of names that are none of genes, of which several lines may be.
constexpr int surely_names = 4;

}  // namespace gsx
