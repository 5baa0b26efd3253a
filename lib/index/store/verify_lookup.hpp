// Proves what look-ups in an index rely on, beside the rest of it.
#pragma once

#include "index/store/index.hpp"

namespace gsx {

/// Compares the sums of all pages with their bytes. Throws CorruptIndexError that names the section
/// in which the first page with a wrong sum begins. Does nothing for an index without sums. Pre:
/// the index is one file, whose sections have been checked. Cost: one pass over the file.
void verify_page_sums(const Index& index, int threads);

/// Compares the table of names with the names of the records. Throws CorruptIndexError that names
/// the section with the fault. Does nothing for an index without a table. Pre: as
/// verify_page_sums(). Cost: that of making the table.
void verify_name_table(const Index& index, int threads);

}  // namespace gsx
