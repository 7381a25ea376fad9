// Numbers for property tests.
#pragma once

#include <rapidcheck.h>

namespace hora::testing {

// Evenly from [least, end), where inRange() alone begins with small ones.
template <class Number>
Number any_number(Number least, Number end) {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(least, end));
}

}  // namespace hora::testing
