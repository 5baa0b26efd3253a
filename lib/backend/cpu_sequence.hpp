// Batches of access, rank and select on the CPU.
#pragma once

#include "backend/backend.hpp"
#include "backend/searched_fm.hpp"
#include "base/cpu_path.hpp"

namespace gsx {

class CpuSequence final : public SequenceQueries {
 public:
  /// Keeps `fm`, which must outlive it.
  CpuSequence(const SearchedFm& fm, CpuPath path) : fm_(&fm), path_(path) {}

  void access(std::span<const std::uint64_t> rows, std::uint8_t* codes) const override;
  void rank(std::span<const std::uint8_t> codes, const std::uint64_t* rows,
            std::uint64_t* ranks) const override;
  void select(std::span<const std::uint8_t> codes, const std::uint64_t* ranks,
              std::uint64_t* rows) const override;

 private:
  const SearchedFm* fm_;
  CpuPath path_;
};

}  // namespace gsx
