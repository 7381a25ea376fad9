// Below a row of boxes some pairs are joined by brackets: on which line does each run, and where
// does it leave its boxes?
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hora::report {

struct Bracket {
    std::uint32_t a = 0;  // of the boxes, counted from left to right
    std::uint32_t b = 0;
    bool is_outer = false;  // runs below all that are not
    double left = 0;        // where it leaves the boxes
    double right = 0;
    std::size_t line = 0;  // 0: nearest to the boxes
};

// Of two that overlap the wider runs below, and leaves a box nearer to its middle, so that they
// cross only where they must. `middles` are those of the boxes, from left to right. On each side of
// a box's middle there is half of `room`, used in steps of `step` as long as they fit; the middle
// itself stays free. Returns how many
// lines there are for those that are not outer, and fills in the rest.
std::size_t lay_brackets(std::vector<Bracket>& brackets, const std::vector<double>& middles,
                         double room, double step);

}  // namespace hora::report
