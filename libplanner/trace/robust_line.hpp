// Which line do points follow, some of which lie far off?
#pragma once

#include <span>

namespace hora::trace {

struct Point {
    double x = 0;
    double y = 0;
};

struct Line {
    double middle = 0;  // of the points' x
    double height = 0;  // at `middle`
    double slope = 0;
    double scatter = 0;  // median distance of the points from it

    double at(double x) const { return height + slope * (x - middle); }
};

// Least squares over the points that lie within four deviations of a first line: the median of the
// slopes between each point and the one half the points further on, and the median height (Theil's
// estimator over n/2 pairs; up to a quarter of the points may lie anywhere). A slope that the
// scatter hides, at two standard errors, is 0, and so it is of fewer than 8 points.
// The points, at least one, ascend by x. O(n).
Line fit_line(std::span<const Point> points);

}  // namespace hora::trace
