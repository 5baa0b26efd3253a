// The words that head the columns of tables with sequences.
#pragma once

#include <cstdint>
#include <string_view>

namespace gsx {

enum class Heading : std::uint8_t { other, name, sequence, forward, reverse, count };

/// What a column with this heading holds, as far as its words tell. Case, blanks and marks do not
/// matter: "Sequence (5' to 3')" heads sequences.
Heading heading_of(std::string_view field);

/// Whether a field heads paths of files, as "Path" or "fasta_file". A field with a mark of paths
/// ('/', '.', a digit) does not: it may be one.
bool is_file_heading(std::string_view field);

/// Whether the heading is of genes, of which several lines may be.
bool is_gene_heading(std::string_view field);

/// Whether the heading has a word: "x", "V2" and an empty one have none.
bool says_something(std::string_view field);

/// Whether the heading says just that, in one word, such as "sequence".
bool is_exact_heading(std::string_view field, Heading heading);

}  // namespace gsx
