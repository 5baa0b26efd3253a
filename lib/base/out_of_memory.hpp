// The error of an allocation.
#pragma once

#include "base/error.hpp"

namespace gsx {

/// There is too little memory, not too little room on a disk: less at a time may help.
struct OutOfMemoryError : ResourceError {
  using ResourceError::ResourceError;
};

}  // namespace gsx
