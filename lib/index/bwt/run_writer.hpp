// Run-length encodings of the BWT of DNA, in the formats that other programs read.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace gsx {

/// Takes bytes of a file in order.
using ByteSink = std::function<void(std::string_view)>;

/// Writes the runs of a BWT. Symbols are 0 for separators and 1 to 4 for A C G T.
class RunWriter {
 public:
  virtual ~RunWriter() = default;
  /// Appends the codes of rows, Bwt::separator or 0 to 3. Cost: one step per row.
  void add(std::span<const std::uint8_t> codes);
  /// Ends the file. Must be the last call.
  void finish();

 private:
  /// Takes a run; the next one has another symbol. Pre: length > 0.
  virtual void put(std::uint8_t symbol, std::uint64_t length) = 0;
  virtual void end() = 0;

  std::uint8_t symbol_ = 0;
  std::uint64_t length_ = 0;  ///< of the run in progress
};

/// BRE, the binary run-length encoding of ropebwt3 (Li 2024, ropebwt3 -e): a header; a byte for the
/// symbol and two for the length of each run, of which long ones are several; a footer with counts.
std::unique_ptr<RunWriter> make_bre_writer(ByteSink sink);

/// FMD, the run-length delta encoding of fermi and ropebwt3 (Li 2012, "Exploring single-sample SNP
/// and INDEL calling with whole-genome de novo assembly", section 2.2): Elias delta codes of the
/// runs in blocks of 64 bytes that begin with counts, and an index of the blocks. All of it is in
/// memory until finish(), since its size stands in the header. Before memory grows,
/// `require(bytes)` is called, which may throw.
std::unique_ptr<RunWriter> make_fmd_writer(ByteSink sink,
                                           std::function<void(std::uint64_t bytes)> require);

}  // namespace gsx
