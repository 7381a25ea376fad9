// How well do models of a training step's speed meet what was measured, and how well do they
// predict more than 8 GPUs from at most 4, and several nodes from one? `speed_models FOLDER
// [--by-model]`, the folder with strong-scaling-a100.csv, step-times-t4-2080ti.csv and models.csv.
//
// The first table is by Hora's own constants (libplanner/elastic/speed/speed_model.hpp and
// slow_down.hpp). "Hora" expects of exchanges between nodes what other families of models have
// shown on the device, "Hora, new device" what is expected of a device that nothing is known of.
// The second table shows what a new model or device would see: for each family of models, and for
// each device, the constants, too, are chosen on all the others. The terms of the model itself were
// chosen in sight of all of them.
// `--by-model` prints the errors by model, which shows where one set of constants does less well.
#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <string>
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

constexpr std::string_view few_gpus = "<= 4 to > 8";
constexpr std::string_view one_node = "one node to more";

ErrorTable extrapolate(const Fit& fit, const std::vector<Series>& all,
                       const std::vector<Point> Series::*known, bool by_model) {
    ErrorTable table;
    for (const Series& series : all) {
        if (!series.unknown.empty() && !(series.*known).empty()) {
            add(table, series, by_model, fit(series, series.*known), series.unknown);
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

std::string extrapolations(const Model& model, const std::vector<Series>& all, bool by_model) {
    return lines(model.name, few_gpus, extrapolate(model.fit, all, &Series::known, by_model)) +
           lines(model.name, one_node, extrapolate(model.fit, all, &Series::one_node, by_model));
}

std::string text_of(const Constants& constants) {
    return fmt::format(
        "power {:g}, unknown part {:g}, slow-down {:g} +- {:g}, errors {:g} of a size, {:g} of a "
        "doubling",
        constants.speed.power, constants.speed.unknown_part, constants.slow_down.usual,
        constants.slow_down.between_applications, constants.speed.size_error,
        constants.speed.doubling_error);
}

// Each with the constants that were chosen without it.
std::string held_out_lines(std::string_view name, Part part, const std::vector<Series>& all,
                           bool by_model) {
    const HeldOut held_out(all, part);
    std::map<std::string, Shown> shown;  // with its constants
    std::string chosen;
    for (const auto& [left_out, constants] : held_out.chosen()) {
        shown.try_emplace(left_out, all, constants);
        chosen += fmt::format("  without {:<12} {}\n", left_out.empty() ? "none" : left_out,
                              text_of(constants));
    }
    const Fit fit = [&](const Series& series, std::span<const Point> points) {
        return hora_model(series, points, shown.at(name_of(series, part)).to(series, part),
                          held_out.without(series).speed);
    };
    return extrapolations({name, fit}, all, by_model) + chosen;
}

// As the rows are known: a line at a time.
void print_all(const std::vector<Series>& all, bool by_model) {
    const Shown shown(all, {});
    const Model models[] = {
        {"a/g + b(g-1)/g + c", shared_ring_fixed},
        {"one GPU + ring", one_gpu_and_ring},
        {"Pollux, 7 parameters", pollux},
        {"Hora",
         [&](const Series& series, std::span<const Point> points) {
             return hora_model(series, points, shown.without_family(series));
         }},
        {"Hora, new device",
         [&](const Series& series, std::span<const Point> points) {
             return hora_model(series, points, shown.without_device());
         }},
    };
    std::string ring;
    fmt::print("{}", header_line());
    for (const Model& model : models) {
        const std::string text = extrapolations(model, all, by_model);
        fmt::print("{}{}", text,
                   lines(model.name, "all points", fit_all_points(model.fit, all, by_model)));
        ring += model.name == "one GPU + ring" ? text : std::string();
    }
    fmt::print(
        "\nHeld out: constants chosen on the other families or devices; one GPU + ring has "
        "none\n{}{}",
        header_line(), ring);
    fmt::print("{}", held_out_lines("Hora, new family", Part::family, all, by_model));
    fmt::print("{}", held_out_lines("Hora, new device", Part::device, all, by_model));
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
