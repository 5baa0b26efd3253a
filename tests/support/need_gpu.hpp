// For tests of the device.
#pragma once

#include <doctest/doctest.h>

#include "kernels/testing/view_checks.hpp"

/// Skips the test case, and says so, where there is no GPU.
#define GSX_NEED_GPU()                    \
  if (!gsx::testing::have_gpu()) {        \
    MESSAGE("no test case ran on a GPU"); \
    return;                               \
  }
