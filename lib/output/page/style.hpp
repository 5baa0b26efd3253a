// How a page looks.
#pragma once

#include <string_view>

namespace gsx {

/// The style sheet: light and dark as the reader prefers, readable on paper and on narrow screens.
/// Text has a contrast of at least 4.5 to its ground.
extern const std::string_view page_style;

}  // namespace gsx
