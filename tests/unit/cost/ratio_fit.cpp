#include "libplanner/cost/ratio_fit.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace hora::cost {
namespace {

constexpr double low = 1e-2;
constexpr double high = 1e2;

// The time of a measurement at scale 1: a part that the ratio does not change, and one that it
// does.
struct Part {
    double fixed;
    double by_ratio;
};

Seconds time_of(const Part& part, double ratio) {
    return Seconds(part.fixed + part.by_ratio * ratio);
}

RatioFit fit(const std::vector<Part>& parts, const std::vector<Seconds>& measured, double assumed,
             Offset offset = Offset::none) {
    return fit_ratio(
        measured, [&](std::size_t i, double ratio) { return time_of(parts[i], ratio); }, low, high,
        assumed, offset);
}

std::vector<Seconds> times(const std::vector<Part>& parts, double ratio, double scale) {
    std::vector<Seconds> measured;
    for (const Part& part : parts) {
        measured.push_back(Seconds(scale * time_of(part, ratio).count()));
    }
    return measured;
}

double residual(const std::vector<Part>& parts, const std::vector<Seconds>& measured, double ratio,
                double scale) {
    double sum = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        sum += std::pow(1 - scale * (time_of(parts[i], ratio) / measured[i]), 2);
    }
    return std::sqrt(sum / static_cast<double>(parts.size()));
}

double positive(int most) {
    return *rc::gen::inRange(1, most) / 10.0;
}

std::vector<Part> some_parts() {
    std::vector<Part> parts;
    for (int i = *rc::gen::inRange(2, 6); i > 0; --i) {
        parts.push_back({positive(100), positive(100)});
    }
    return parts;
}

struct Case {
    const char* sentence;
    std::vector<Part> parts;
    double actual;
    double assumed;
    double found;
};

const Case cases[] = {
    {"two measurements of other proportions say the ratio", {{1, 1}, {1, 9}}, 3, 1, 3},
    {"of the same proportions they say none, and it is as assumed", {{1, 1}, {3, 3}}, 3, 7, 7},
    {"so it is with one measurement", {{1, 1}}, 3, 0.5, 0.5},
    {"a ratio above the range is its highest", {{1, 1}, {1, 9}}, 1e3, 1, high},
    {"one below it is its lowest", {{1, 1}, {1, 9}}, 1e-4, 1, low},
};

TEST(RatioFit, FindsTheRatioThatTheMeasurementsSay) {
    for (const Case& test : cases) {
        SCOPED_TRACE(test.sentence);
        const auto measured = times(test.parts, test.actual, 2);
        const RatioFit found = fit(test.parts, measured, test.assumed);
        EXPECT_NEAR(found.ratio, test.found, 1e-4 * test.found);
        EXPECT_GE(found.ratio, low);
        EXPECT_LE(found.ratio, high);
        EXPECT_NEAR(found.residual, residual(test.parts, measured, found.ratio, found.scale), 1e-9);
    }
}

RC_GTEST_PROP(RatioFit, IsNeverWorseThanAnyRatioAndScale, ()) {
    const std::vector<Part> parts = some_parts();
    std::vector<Seconds> measured;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        measured.emplace_back(positive(1000));
    }
    const RatioFit found = fit(parts, measured, 1);
    for (double ratio = low; ratio <= high; ratio *= 1.3) {
        for (const double factor : {0.5, 0.9, 0.99, 1.0, 1.01, 1.1, 2.0}) {
            RC_ASSERT(found.residual <=
                      residual(parts, measured, ratio, factor * found.scale) + 1.1e-6);
        }
    }
}

TEST(RatioFit, FindsThePartThatIsTheSameInAll) {
    const std::vector<Part> parts{{1, 1}, {1, 9}, {5, 2}, {8, 30}};
    std::vector<Seconds> measured = times(parts, 3, 2);
    for (Seconds& time : measured) {
        time += Seconds(7);
    }
    const RatioFit found = fit(parts, measured, 1, Offset::fitted);
    EXPECT_NEAR(found.offset.count(), 7, 1e-3);
    EXPECT_NEAR(found.ratio, 3, 1e-3);
    EXPECT_NEAR(found.scale, 2, 1e-3);
    EXPECT_EQ(fit(parts, measured, 1).offset.count(), 0) << "not asked for";
    const RatioFit none = fit(parts, times(parts, 3, 2), 1, Offset::fitted);
    EXPECT_NEAR(none.offset.count(), 0, 1e-3) << "there is none";
    EXPECT_NEAR(none.ratio, 3, 1e-2);
}

// A shape in bytes at 1 byte a second, a time of milliseconds: their columns are 1e15 apart.
TEST(RatioFit, FindsThatPartInWhateverUnitTheShapeIs) {
    for (const double unit : {1e-9, 1.0, 1e9, 1e12, 1e15}) {
        SCOPED_TRACE(unit);
        std::vector<Part> parts{{1, 1}, {1, 9}, {5, 2}, {8, 30}};
        std::vector<Seconds> measured = times(parts, 3, 2);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            measured[i] = (measured[i] + Seconds(7)) / 1000;
            parts[i] = {parts[i].fixed * unit, parts[i].by_ratio * unit};
        }
        const RatioFit found = fit(parts, measured, 1, Offset::fitted);
        EXPECT_NEAR(found.offset.count(), 7e-3, 1e-6);
        EXPECT_NEAR(found.ratio, 3, 1e-3);
        EXPECT_NEAR(found.scale * unit, 2e-3, 1e-6);
    }
}

RC_GTEST_PROP(RatioFit, IsNoWorseForAnOffset, ()) {
    const std::vector<Part> parts = some_parts();
    std::vector<Seconds> measured;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        measured.emplace_back(positive(1000));
    }
    const RatioFit found = fit(parts, measured, 1, Offset::fitted);
    RC_ASSERT(found.offset >= Seconds(0));
    RC_ASSERT(found.residual <= fit(parts, measured, 1).residual + 1.1e-6);
}

RC_GTEST_PROP(RatioFit, HasNearItWhatIsWithinOnePerCent, ()) {
    const std::vector<Part> parts = some_parts();
    const double actual = positive(300);
    const auto measured = times(parts, actual, 0.5);
    const RatioFit found = fit(parts, measured, 1);
    RC_ASSERT(found.residual < 1e-3);
    for (const RatioFit::Near& near : found.near) {
        RC_ASSERT(residual(parts, measured, near.ratio, near.scale) <= found.residual + 0.0101);
    }
    RC_ASSERT(found.near.front().ratio == found.ratio);
    RC_ASSERT(found.near.size() > 1);
}

}  // namespace
}  // namespace hora::cost
