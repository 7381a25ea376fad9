// How does a link look in a picture: its colour and width by its speed, and what the legend says?
#include "libplanner/report/svg/link_colour.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>

namespace hora::report {
namespace {

constexpr LinkLook not_known_look{"#7a7a7a", 2};

struct Step {
    double below;  // GB/s
    LinkLook look;
};

// Sixteen lanes carry 3.9, 7.9, 15.8, 31.5 and 63 GB/s.
constexpr std::array steps = {
    Step{1.375, {"#67001f", 2}}, Step{2.75, {"#a50f15", 2}}, Step{5.5, {"#d6412b", 2.5}},
    Step{11, {"#e07b00", 3}},    Step{22, {"#3c9bd6", 3.5}}, Step{44, {"#1f6fb8", 4.5}},
    Step{88, {"#16479b", 5.5}},
};
constexpr LinkLook fastest_look{"#7434c4", 6.5};

// 0: none that there is.
std::size_t generation_of(double gigatransfers) {
    constexpr std::array rates = {2.5, 5.0, 8.0, 16.0, 32.0, 64.0};
    for (std::size_t i = 0; i < rates.size(); ++i) {
        if (gigatransfers == rates[i]) {
            return i + 1;
        }
    }
    return 0;
}

}  // namespace

LinkLook look_of(Bandwidth bandwidth) {
    if (!(bandwidth > Bandwidth(0))) {
        return not_known_look;
    }
    for (const Step& step : steps) {
        if (bandwidth.count() < step.below * 1e9) {
            return step.look;
        }
    }
    return fastest_look;
}

std::string rounded_speed(Bandwidth bandwidth) {
    if (!(bandwidth > Bandwidth(0))) {
        return "speed not known";
    }
    const double gigabytes = bandwidth.count() / 1e9;
    constexpr double three_digits_end = 999.5;  // from there on they would be 1e+03
    return gigabytes < three_digits_end ? fmt::format("{:.3g} GB/s", gigabytes)
                                        : fmt::format("{:.0f} GB/s", gigabytes);
}

std::string pcie_text(const domain::PcieLink& link) {
    const std::size_t generation = generation_of(link.gigatransfers);
    return fmt::format("PCIe{}{}, {}", generation > 0 ? fmt::format(" {}.0", generation) : "",
                       link.lanes > 0 ? fmt::format(" ×{}", link.lanes) : "",
                       rounded_speed(link.bandwidth));
}

}  // namespace hora::report
