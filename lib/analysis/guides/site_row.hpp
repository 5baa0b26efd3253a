// The columns of the sites of guides.
#pragma once

#include <cstdint>

#include "output/lines/place_row.hpp"

namespace gsx {

/// A site. `name` is the guide, and `total` the number of its sites.
struct SiteRow : PlaceRow {
  std::uint32_t mismatches = 0;
  Word site;    ///< its bases in the direction of the guide, mismatches in lower case
  Score score;  ///< none if it has a bulge
  Word bulge_type;
  std::uint32_t bulge_size = 0;
  Word aligned_guide, aligned_site;
  Word guide_and_pam;  ///< letters of the guide, and N for each of the PAM
};

using SiteColumns =
    Joined<Columns<Column<"guide_id", &SiteRow::name>>, PlaceColumns,
           Columns<Column<"mismatches", &SiteRow::mismatches>>, TotalColumns,
           Columns<Column<"site", &SiteRow::site>, Column<"score", &SiteRow::score>>>;
/// With the columns that a search with bulges adds.
using BulgedSiteColumns =
    Joined<SiteColumns, Columns<Column<"bulge_type", &SiteRow::bulge_type>,
                                Column<"bulge_size", &SiteRow::bulge_size>,
                                Column<"aligned_guide", &SiteRow::aligned_guide>,
                                Column<"aligned_site", &SiteRow::aligned_site>>>;

using SiteBed = BedLine<SiteColumns, "guide_id", "mismatches">;
template <class List>
using SiteGff3 = Gff3Line<List, "nuclease_binding_site", "guide_id", Pick<List, "score">>;

/// Those of Cas-OFFinder 2, and of cas-offinder-bulge.
using CasOffinderColumns =
    Joined<Columns<Column<"guide", &SiteRow::guide_and_pam>>,
           Pick<SiteColumns, "target_id", "start", "site", "strand", "mismatches">>;
using CasOffinderBulgeColumns =
    Columns<Column<"#Bulge type", &SiteRow::bulge_type>, Column<"crRNA", &SiteRow::aligned_guide>,
            Column<"DNA", &SiteRow::aligned_site>, Column<"Chromosome", &SiteRow::target>,
            Column<"Position", &SiteRow::start>, Column<"Direction", &SiteRow::strand>,
            Column<"Mismatches", &SiteRow::mismatches>, Column<"Bulge Size", &SiteRow::bulge_size>>;

}  // namespace gsx
