#include "records/known_files.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/messages.hpp"
#include "bytes/file_kind.hpp"
#include "bytes/line_text.hpp"

namespace gsx {
namespace {

using namespace std::string_view_literals;

/// How the files of a format begin, what they are, and what to do.
struct KnownStart {
  std::string_view bytes;
  const char* what;
  const char* advice;
};

constexpr const char* unzip = "unzip -p FILE | gsx ... -";
constexpr const char* to_fasta = "seqret FILE fasta::stdout | gsx ... -";
constexpr const char* no_sequences = "";

/// Those that begin with '>' or '@', too, come from here. An advice is a command, if there is one.
constexpr KnownStart known_starts[] = {
    // Compressed, and packed.
    {"PK\x03\x04"sv, "a zip archive", unzip},
    {"PK\x05\x06"sv, "an empty zip archive", no_sequences},
    {"Rar!\x1a\x07"sv, "a RAR archive", "unrar p -inul FILE | gsx ... -"},
    {"7z\xbc\xaf\x27\x1c"sv, "a 7z archive", "7z x -so FILE | gsx ... -"},
    {"\x1f\x9d"sv, "compressed by compress (.Z)", "gzip -dc FILE | gsx ... -"},
    {"\x1f\xa0"sv, "compressed by compress (.z)", "gzip -dc FILE | gsx ... -"},
    {"\x04\x22\x4d\x18"sv, "compressed by lz4", "lz4 -dc FILE | gsx ... -"},
    {"LZIP"sv, "compressed by lzip", "lzip -dc FILE | gsx ... -"},
    {"\x5d\0\0"sv, "compressed by lzma", "xz --format=lzma -dc FILE | gsx ... -"},
    {"\x89LZO\0\r\n\x1a\n"sv, "compressed by lzop", "lzop -dc FILE | gsx ... -"},
    {"\xff\x06\0\0sNaPpY"sv, "compressed by snappy", "snzip -dc FILE | gsx ... -"},
    // Reads and sequences in other formats.
    {"CRAM"sv, "CRAM of a version that is not known", "samtools fastq FILE | gsx ... -"},
    {"NCBI.sra"sv, "an SRA archive", "fasterq-dump --stdout FILE | gsx ... -"},
    {"\x89HDF\r\n\x1a\n"sv, "HDF5, as FAST5 is: raw signals of nanopores",
     "dorado basecaller hac FOLDER --emit-fastq > reads.fq"},
    {"\x8bPOD\r\n\x1a\n"sv, "POD5: raw signals of nanopores",
     "dorado basecaller hac FOLDER --emit-fastq > reads.fq"},
    {".sff"sv, "SFF", "sff2fastq FILE | gsx ... -"},
    {"ABIF"sv, "a trace of ABI", to_fasta},
    {"LOCUS  "sv, "GenBank", to_fasta},
    {"ID   "sv, "EMBL or UniProt text", to_fasta},
    {"CLUSTAL"sv, "an alignment of Clustal", to_fasta},
    {"# STOCKHOLM"sv, "an alignment in the format of Stockholm", to_fasta},
    {"#NEXUS"sv, "NEXUS", to_fasta},
    {"H\tVN:Z:"sv, "GFA", "gfatools gfa2fa FILE | gsx ... -"},
    {"GSXINDEX"sv, "a gsx index: 'gsx extract' gives its sequences, and queries take it with -x",
     no_sequences},
    // Formats that hold no sequences.
    {"##fileformat=VCF"sv, "VCF, which holds variants",
     "bcftools consensus -f GENOME.fa FILE.vcf.gz > genome.fa"},
    {"BCF\x02"sv, "BCF, which holds variants",
     "bcftools consensus -f GENOME.fa FILE.bcf > genome.fa"},
    {"##gff-version"sv, "GFF, which holds features", "bedtools getfasta -fi GENOME.fa -bed FILE"},
    {"#!genome-build"sv, "GTF, which holds features", "bedtools getfasta -fi GENOME.fa -bed FILE"},
    {"track "sv, "a track of a browser", "bedtools getfasta -fi GENOME.fa -bed FILE"},
    {"browser "sv, "a track of a browser", "bedtools getfasta -fi GENOME.fa -bed FILE"},
    {"BAI\x01"sv, "the index of a BAM file; name the BAM file", no_sequences},
    {"TBI\x01"sv, "the index of a table; it holds no sequences", no_sequences},
    {"CSI\x01"sv, "the index of another file; it holds no sequences", no_sequences},
    {"\x26\xfc\x8f\x88"sv, "bigWig, which holds values", no_sequences},
    {"\x88\x8f\xfc\x26"sv, "bigWig, which holds values", no_sequences},
    {"\xeb\xf2\x89\x87"sv, "bigBed, which holds features", "bigBedToBed FILE features.bed"},
    {"PAR1"sv, "Parquet, which holds tables", no_sequences},
    {"%PDF"sv, "a PDF document; fetch the sequences themselves", no_sequences},
    {"\xd0\xcf\x11\xe0"sv, "a document of an office program; save it as plain text", no_sequences},
    {"{\\rtf"sv, "a document in RTF; save it as plain text", no_sequences},
    // Text that is nearly right.
    {byte_order_mark, "text that begins with a byte-order mark",
     "sed '1s/^\\xef\\xbb\\xbf//' FILE | gsx ... -"},
    {"\xff\xfe\0\0"sv, "text in UTF-32, with a byte-order mark",
     "iconv -f UTF-32 -t ASCII FILE | gsx ... -"},
    {"\xff\xfe"sv, "text in UTF-16, with a byte-order mark",
     "iconv -f UTF-16 -t ASCII FILE | gsx ... -"},
    {"\xfe\xff"sv, "text in UTF-16, with a byte-order mark",
     "iconv -f UTF-16 -t ASCII FILE | gsx ... -"},
};

bool starts_as(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() &&
         std::equal(lower.begin(), lower.end(), text.begin(), [](char a, char b) {
           return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b | 0x20) : b);
         });
}

/// Formats that are not known by the first bytes alone.
KnownStart look_closer(std::string_view text) {
  constexpr std::size_t tar_mark = 257;
  if (text.size() > tar_mark && text.substr(tar_mark).starts_with("ustar")) {
    return {{}, "a tar archive", "tar -xOf FILE | gsx ... -"};
  }
  for (const std::string_view tag : {"<!doctype html"sv, "<html"sv, "<head"sv}) {
    if (starts_as(text, tag)) {
      return {{},
              "a page of HTML: a server has sent it in place of the file; fetch it again",
              no_sequences};
    }
  }
  if (text.starts_with('<')) return {{}, "XML, which is no FASTA or FASTQ", no_sequences};
  if (text.starts_with('{') || text.starts_with("[{")) {
    return {{}, "JSON, which is no FASTA or FASTQ", no_sequences};
  }
  if (text.size() > 3 && text[0] != '\0' && text[1] == '\0' && text[3] == '\0') {
    return {{}, "text in UTF-16", "iconv -f UTF-16LE -t ASCII FILE | gsx ... -"};
  }
  if (text.size() > 3 && text[0] == '\0' && (text[1] == '>' || text[1] == '@') && text[2] == '\0') {
    return {{}, "text in UTF-16", "iconv -f UTF-16BE -t ASCII FILE | gsx ... -"};
  }
  if (begins_as_sam(text)) {
    return {{},
            "SAM that does not begin as such; give it a header",
            "(printf '@HD\\tVN:1.6\\n'; cat FILE) | gsx ... -"};
  }
  return {};
}

/// What is wrong with data that is still compressed; empty if it is not.
std::string describe_packed(std::string_view text, const char* packing) {
  constexpr std::pair<std::string_view, const char*> starts[] = {{"\x1f\x8b"sv, "gzip"},
                                                                 {"BZh"sv, "bzip2"},
                                                                 {"\xfd"
                                                                  "7zXZ"sv,
                                                                  "xz"},
                                                                 {"\x28\xb5\x2f\xfd"sv, "zstd"},
                                                                 {"CRAM"sv, "CRAM"}};
  for (const auto& [bytes, name] : starts) {
    if (!text.starts_with(bytes)) continue;
    if (packing != nullptr) {
      return std::string(name == "CRAM"sv ? "" : "compressed twice, ") + name + " inside " +
             packing + "; run: " + packing + " -dc FILE | gsx ... -";
    }
    if (name != "CRAM"sv)
      return std::string(name) +
             " data that is damaged, or cut off, in its first bytes; fetch it again";
  }
  return {};
}

}  // namespace

std::string known_format(std::string_view text, const char* packing) {
  if (std::string packed = describe_packed(text, packing); !packed.empty()) return packed;
  const auto* found = std::ranges::find_if(
      known_starts, [&](const KnownStart& known) { return text.starts_with(known.bytes); });
  const KnownStart known = found == std::end(known_starts) ? look_closer(text) : *found;
  if (known.what == nullptr) return {};
  const std::string_view advice = known.advice;
  return known.what + (advice.empty() ? "" : "; run: " + std::string(advice));
}

std::string refusal_of(std::string_view text, const char* packing) {
  const std::string format = known_format(text, packing);
  return format.empty() ? format : "not FASTA or FASTQ: it is " + format;
}

std::string with_file_named(std::string advice, const std::string& path) {
  constexpr std::string_view word = "FILE", plain = "/._-+=:,@%";
  if (path == "-" || printable(path) != path || path.find('\'') != std::string::npos) return advice;
  const bool is_plain = std::ranges::all_of(path, [&](char c) {
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ||
           plain.find(c) != std::string_view::npos;
  });
  const std::string name = (path.starts_with('-') ? "./" : "") + path;
  const std::string shown = is_plain ? name : '\'' + name + '\'';
  for (std::size_t at = 0; (at = advice.find(word, at)) != std::string::npos;) {
    const std::size_t end = at + word.size();
    const bool alone = at != 0 && advice[at - 1] == ' ' &&
                       (end == advice.size() || advice[end] == ' ' || advice[end] == ')');
    if (alone) advice.replace(at, word.size(), shown);
    at += alone ? shown.size() : word.size();
  }
  return advice;
}

std::string describe_start(std::string_view text, const char* packing, bool after_comments) {
  if (std::string refusal = refusal_of(text, packing); !refusal.empty()) return refusal;
  const auto byte = static_cast<unsigned char>(text.front());
  char hex[8];
  std::snprintf(hex, sizeof hex, "0x%02X", byte);
  const bool ascii = byte >= 0x20 && byte < 0x7f;
  const std::string shown = ascii ? "'" + std::string(1, text.front()) + "'" : hex;
  std::string what =
      "not FASTA or FASTQ: " + std::string(after_comments ? "behind comments, " : "") +
      "it begins with " + shown + " where '>' or '@' should be";
  if (ascii) {
    what += "; a plain sequence needs a header: (echo '>name'; ";
    what += after_comments ? "grep -v '^[#;]' FILE)" : "cat FILE)";
  }
  return what;
}

}  // namespace gsx
