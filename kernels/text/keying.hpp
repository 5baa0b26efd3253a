// What the leading bits of suffixes are taken from.
#pragma once

namespace gsx::cuda {

/// The packed symbols of the text; words of a code (kernels/text/symbol_code.hpp); or words where
/// they are much shorter than symbols. DNA is always keyed by its packed symbols.
enum class Keying { packed, words, shorter };

}  // namespace gsx::cuda
