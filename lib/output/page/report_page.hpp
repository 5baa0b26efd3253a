// Reports of an index and of runs as one HTML page, which loads nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "output/page/index_facts.hpp"
#include "output/page/run_facts.hpp"
#include "output/page/spectrum_facts.hpp"

namespace gsx {

/// All that a report shows.
struct ReportData {
  std::string version;  ///< of the gsx that writes the page
  std::optional<IndexFacts> index;
  std::optional<std::vector<SpectrumPoint>> spectrum;
  std::vector<RunFacts> runs;
};

/// The page, which is well-formed XML too. The same data gives the same bytes. Size: some 20 kB,
/// and for each record and run that is told one by one at most some 700 bytes.
std::string report_page(const ReportData& data);

// Its sections.

/// Nothing if there is one record.
std::string lengths_section(const IndexFacts& index);
std::string composition_section(const IndexFacts& index);
/// Nothing if there are none.
std::string n_runs_section(const IndexFacts& index);
std::string records_section(const IndexFacts& index);
/// What made the index, and its sections by size.
std::string file_section(const IndexFacts& index);
std::string spectrum_section(const std::vector<SpectrumPoint>& all);
/// `shown` is the index of the page, or null: runs on another one are marked.
std::string runs_section(const std::vector<RunFacts>& runs, const IndexFacts* shown = nullptr);

/// Bytes with a unit of 1000.
std::string shown_bytes(std::uint64_t bytes);

}  // namespace gsx
