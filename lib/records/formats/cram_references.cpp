#include "records/formats/cram_references.hpp"

#include <htslib/cram.h>
#include <htslib/hts.h>
#include <htslib/kstring.h>
#include <htslib/sam.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include "base/messages.hpp"
#include "bytes/source_error.hpp"

namespace gsx {
namespace {

bool is_file(const std::string& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && access(path.c_str(), R_OK) == 0;
}

bool is_checksum(std::string_view text) {
  return text.size() == 32 && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
         });
}

/// The part of REF_PATH before anything that htslib may take for something else than a folder.
std::string_view local_part(std::string_view path) {
  std::size_t end = path.size();
  for (const std::string_view other : {"http:", "https:", "ftp:", "URL=", "|", "::", "//"})
    end = std::min(end, path.find(other));
  if (end == path.size()) return path;
  const std::size_t border = path.substr(0, end).rfind(':');
  return path.substr(0, border == std::string_view::npos ? 0 : border);
}

/// Whether htslib finds the sequence of this checksum in a local file, before it looks elsewhere.
bool is_found(const CramReferences& references, const std::string& checksum) {
  if (!is_checksum(checksum)) return false;
  if (!references.cache.empty() && is_file(expand_reference_place(references.cache, checksum))) {
    return true;
  }
  std::string_view places = local_part(references.path);
  while (!places.empty()) {
    const std::string place(places.substr(0, places.find(':')));
    if (!place.empty() && is_file(expand_reference_place(place, checksum))) return true;
    places.remove_prefix(std::min(places.size(), place.size() + 1));
  }
  return false;
}

/// Whether a place that the header names is a FASTA file here, with an index, so that htslib writes
/// none.
bool is_indexed_fasta(std::string place) {
  if (place.starts_with("file:")) place.erase(0, 5);
  return place.starts_with('/') && place.find("##") == std::string::npos && is_file(place) &&
         is_file(place + ".fai");
}

/// A tag of a sequence of the header; empty if it has none.
std::string tag_of(sam_hdr_t& header, const char* sequence, const char* tag) {
  kstring_t text = KS_INITIALIZE;
  const int status = sam_hdr_find_tag_id(&header, "SQ", "SN", sequence, tag, &text);
  std::string found = status == 0 && text.s != nullptr ? text.s : "";
  ks_free(&text);
  return found;
}

void remove_tag(sam_hdr_t& header, const char* sequence, const char* tag) {
  if (sam_hdr_remove_tag_id(&header, "SQ", "SN", sequence, tag) < 0) fail_damaged();
}

}  // namespace

CramReferences usual_references(const std::function<std::string(const char*)>& variable) {
  CramReferences references;
  references.search = true;
  references.path = variable("REF_PATH");
  references.cache = variable("REF_CACHE");
  if (!references.path.empty() || !references.cache.empty()) return references;
  std::string folder = variable("XDG_CACHE_HOME");
  if (folder.empty())
    if (const std::string home = variable("HOME"); !home.empty()) folder = home + "/.cache";
  for (const char* name : {"TMPDIR", "TEMP"})
    if (folder.empty()) folder = variable(name);
  references.cache = (folder.empty() ? "/tmp" : folder) + "/hts-ref/%2s/%2s/%s";
  return references;
}

std::string expand_reference_place(const std::string& place, const std::string& checksum) {
  std::string path;
  std::size_t used = 0;  // of the checksum
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (place[i] != '%') {
      path += place[i];
      continue;
    }
    std::size_t end = i + 1, count = 0;
    for (; end < place.size() && place[end] >= '0' && place[end] <= '9'; ++end)
      count = std::min<std::size_t>(10 * count + static_cast<std::size_t>(place[end] - '0'), 1000);
    if (end == place.size() || place[end] != 's') {
      path += '%';
      continue;
    }
    if (end == i + 1) count = checksum.size();
    const std::string part = checksum.substr(used, count);
    path += part;
    used += part.size();
    i = end;
  }
  if (used == checksum.size()) return path;
  if (!path.ends_with('/')) path += '/';
  return path + checksum.substr(used);
}

void set_reference(htsFile& file, const CramReferences& references) {
  if (references.fasta.empty()) return;
  const std::string& fasta = references.fasta;
  const std::string shown = printable(fasta);
  const std::unique_ptr<char, decltype(&std::free)> path(realpath(fasta.c_str(), nullptr),
                                                         &std::free);
  if (!path || !is_file(path.get())) {
    throw SourceError("its reference '" + shown +
                      "' cannot be read: " + std::strerror(path ? EACCES : errno));
  }
  // An absolute path: htslib takes it for no URL.
  if (!is_file(std::string(path.get()) + ".fai")) {
    throw SourceError("its reference '" + shown + "' has no index; run: samtools faidx '" + shown +
                      "'");
  }
  if (hts_set_opt(&file, CRAM_OPT_REFERENCE, path.get()) != 0) {
    throw SourceError("its reference '" + shown +
                      "' or the index of that cannot be read; run: samtools faidx '" + shown + "'");
  }
}

LocalReferences keep_local_references(htsFile& file, const CramReferences& references) {
  // That which the decoder looks at. Readers of the file get a copy.
  sam_hdr_t& header = *cram_fd_get_header(file.fp.cram);
  LocalReferences kept;
  const int count = sam_hdr_nref(&header);
  for (int i = 0; i < count; ++i) {
    const char* const sequence = sam_hdr_tid2name(&header, i);
    if (sequence == nullptr) continue;
    const std::string checksum = tag_of(header, sequence, "M5");
    const std::string place = tag_of(header, sequence, "UR");
    const bool found = references.search && is_found(references, checksum);
    const bool placed = references.search && is_indexed_fasta(place);
    if (!checksum.empty() && !found) remove_tag(header, sequence, "M5");
    if (!place.empty() && !placed) remove_tag(header, sequence, "UR");
    kept.missing += found || placed ? 0 : 1;
    if (!found && !placed && references.fasta.empty()) continue;
    kept.longest = std::max(kept.longest, static_cast<std::uint64_t>(sam_hdr_tid2len(&header, i)));
  }
  return kept;
}

}  // namespace gsx
