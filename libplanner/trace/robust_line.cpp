// Which line do points follow, some of which lie far off?
#include "libplanner/trace/robust_line.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "libplanner/base/median.hpp"

namespace hora::trace {
namespace {

constexpr std::size_t least_for_slope = 8;

std::vector<double> distances(std::span<const Point> points, const Line& line) {
    std::vector<double> all;
    all.reserve(points.size());
    for (const Point& point : points) {
        all.push_back(std::abs(point.y - line.at(point.x)));
    }
    return all;
}

double median_height(std::span<const Point> points, const Line& line) {
    std::vector<double> heights;
    heights.reserve(points.size());
    for (const Point& point : points) {
        heights.push_back(point.y - line.slope * (point.x - line.middle));
    }
    return median(heights);
}

double median_slope(std::span<const Point> points) {
    std::vector<double> slopes;
    const std::size_t half = points.size() / 2;
    for (std::size_t i = 0; i + half < points.size(); ++i) {
        const double width = points[i + half].x - points[i].x;
        if (width > 0) {
            slopes.push_back((points[i + half].y - points[i].y) / width);
        }
    }
    return slopes.empty() ? 0 : median(slopes);
}

// Over the points within `reach` of the line.
Line least_squares(std::span<const Point> points, const Line& line, double reach) {
    double count = 0;
    double x = 0;
    double y = 0;
    const auto is_near = [&](const Point& point) {
        return std::abs(point.y - line.at(point.x)) <= reach;
    };
    for (const Point& point : points) {
        if (is_near(point)) {
            count += 1;
            x += point.x - line.middle;
            y += point.y - line.height;
        }
    }
    x /= count;
    y /= count;
    double xx = 0;
    double xy = 0;
    double yy = 0;
    for (const Point& point : points) {
        if (is_near(point)) {
            const double dx = point.x - line.middle - x;
            const double dy = point.y - line.height - y;
            xx += dx * dx;
            xy += dx * dy;
            yy += dy * dy;
        }
    }
    Line fitted{.middle = line.middle + x, .height = line.height + y, .slope = 0, .scatter = 0};
    if (count < least_for_slope || xx <= 0) {
        return fitted;
    }
    const double slope = xy / xx;
    const double left = std::max(yy - slope * xy, 0.0) / (count - 2);
    if (slope * slope > 4 * left / xx) {
        fitted.slope = slope;
    }
    return fitted;
}

}  // namespace

Line fit_line(std::span<const Point> points) {
    Line line{.middle = points[points.size() / 2].x, .height = 0, .slope = 0, .scatter = 0};
    if (points.size() >= least_for_slope) {
        line.slope = median_slope(points);
    }
    line.height = median_height(points, line);
    if (points.size() >= least_for_slope) {
        auto off = distances(points, line);
        // 1.4826 medians are one deviation of the normal distribution.
        line = least_squares(points, line, 4 * 1.4826 * median(off));
    }
    auto off = distances(points, line);
    line.scatter = median(off);
    return line;
}

}  // namespace hora::trace
