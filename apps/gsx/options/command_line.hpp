// The classes of CLI11 that headers name. A source that calls their functions includes
// <CLI/App.hpp>, which takes seconds to compile.
#pragma once

namespace CLI {  // NOLINT(readability-identifier-naming): its own name
class App;
class Option;
}  // namespace CLI
