// What nearly every unit test includes; see libplanner/base/precompiled.hpp.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "libplanner/base/precompiled.hpp"
