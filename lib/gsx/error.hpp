// The errors that gsx throws, by kind.
#pragma once

#include "base/error.hpp"
