// The loops of induced sorting for texts of few symbols, many rows at a time.
#pragma once

#include <cstdint>

#include "base/parallel.hpp"
#include "index/sa/bstar/induction_rows.hpp"

namespace gsx {

/// Texts whose left contexts take one byte, with 32-bit positions.
using VectorRows = InductionRows<std::uint32_t, false>;

#ifdef __x86_64__
inline constexpr bool vector_induction_exists = true;
#else
inline constexpr bool vector_induction_exists = false;
#endif

/// Whether this CPU has the instructions: AVX-512 (F, BW, VL) and BMI2. Without
/// them the loops must not run.
bool has_vector_induction();

/// Reads the left contexts of `slice` that are not known, stores them, and adds the symbols that
/// they begin with to `counts`. `step` is the direction in which the rows will be passed.
template <int step>
void read_contexts(const VectorRows& rows, Slice slice, std::uint64_t* counts);

/// Passes the rows of `slice`, as InductionRows::pass() does one by one. Pre: their contexts are
/// known.
template <int step>
void pass_known_rows(const VectorRows& rows, Slice slice, InductionPlace* places,
                     WantedSymbols wanted);
/// Does both: reads and passes the rows of `slice`.
template <int step>
void pass_rows(const VectorRows& rows, Slice slice, InductionPlace* places, WantedSymbols wanted);

}  // namespace gsx
