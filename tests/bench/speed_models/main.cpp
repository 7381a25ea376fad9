// How well do models of a training step's speed meet what was measured, and how well do they
// predict more than 8 GPUs from at most 4? `speed_models FOLDER [--by-model]`, the folder with
// strong-scaling-a100.csv, step-times-t4-2080ti.csv and models.csv.
//
// The first table is by Hora's own constants (libplanner/elastic/speed/speed_model.hpp), which are
// the best of a grid on these very data. The second tells what a new model or device would see: for
// each family of models, and for each type of device, the constants are chosen on all the others.
// The terms of the model itself were chosen in sight of all of them.
// `--by-model` prints the errors by model, which shows where one set of constants does less well.
#include <fmt/format.h>

#include <cstdio>
#include <string_view>

#include "tests/bench/speed_models/error_table.hpp"
#include "tests/bench/speed_models/held_out.hpp"
#include "tests/bench/speed_models/hora_model.hpp"

namespace {

using namespace hora;
using namespace hora::bench;

struct Model {
    std::string_view name;
    Fit fit;
};

Predict hora_by_own_constants(const Series& series, std::span<const Point> points) {
    return hora_model(series, points);
}

const Model models[] = {
    {"a/g + b(g-1)/g + c", shared_ring_fixed},
    {"one GPU + ring", one_gpu_and_ring},
    {"Pollux, 7 parameters", pollux},
    {"Hora", hora_by_own_constants},
};

constexpr std::string_view extrapolation = "<= 4 to > 8";

ErrorTable extrapolate(const Fit& fit, const std::vector<Series>& all, bool by_model) {
    ErrorTable table;
    for (const Series& series : all) {
        if (!series.unknown.empty()) {
            add(table, series, by_model, fit(series, series.known), series.unknown);
        }
    }
    return table;
}

ErrorTable fit_all_points(const Fit& fit, const std::vector<Series>& all, bool by_model) {
    ErrorTable table;
    for (const Series& series : all) {
        // Its points are those of "placements" once more.
        if (series.set != "scalability") {
            add(table, series, by_model, fit(series, series.all), series.all);
        }
    }
    return table;
}

std::string text_of(const elastic::SpeedConstants& constants) {
    return fmt::format("power {:g}, unknown part {:g}, slow-down {:g}", constants.power,
                       constants.unknown_part, constants.slow_down_error);
}

std::string held_out_lines(std::string_view what, HeldOut::PartOf part_of,
                           const std::vector<Series>& all, bool by_model) {
    const HeldOut held_out(all, part_of);
    const Fit fit = [&](const Series& series, std::span<const Point> points) {
        return hora_model(series, points, held_out.without(series));
    };
    std::string text = lines("Hora", what, extrapolate(fit, all, by_model));
    for (const auto& [part, constants] : held_out.chosen()) {
        text += fmt::format("  without {:<12} {}\n", part, text_of(constants));
    }
    return text + fmt::format("  on all {:<13} {}\n", "", text_of(held_out.of_all()));
}

// As the rows are known: a line at a time.
void print_all(const std::vector<Series>& all, bool by_model) {
    std::string others;
    fmt::print("{}", header_line());
    for (const Model& model : models) {
        const std::string text =
            lines(model.name, extrapolation, extrapolate(model.fit, all, by_model));
        fmt::print("{}{}", text,
                   lines(model.name, "all points", fit_all_points(model.fit, all, by_model)));
        others += model.name == "Hora" ? std::string() : text;
    }
    fmt::print(
        "\nHeld out: constants chosen on the other families or devices, {} GPUs; "
        "the other models have no constants\n{}{}",
        extrapolation, header_line(), others);
    fmt::print("{}", held_out_lines("family held out", family_of, all, by_model));
    fmt::print("{}", held_out_lines("device held out", device_of, all, by_model));
}

}  // namespace

int main(int count, char** arguments) {
    const bool by_model = count == 3 && std::string_view(arguments[2]) == "--by-model";
    if (count != 2 && !by_model) {
        fmt::print(stderr, "use: speed_models FOLDER [--by-model]\n");
        return 2;
    }
    const auto all = read_series(arguments[1]);
    if (!all) {
        fmt::print(stderr, "speed_models: {}\n", all.error().message);
        return 1;
    }
    print_all(*all, by_model);
    return 0;
}
