// How fast is each application on each number of GPUs, by a table of measured step times?
#include "libplanner/read/trace/speed_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <vector>

#include "libplanner/read/format/table_field.hpp"
#include "libplanner/read/format/table_text.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

constexpr std::uint32_t most_gpus = 4096;

struct Columns {
    std::size_t application = 0;
    std::size_t batch = 0;
    std::size_t gpus = 0;
    std::size_t step = 0;
    std::size_t steps = 0;
    std::optional<std::size_t> nodes;
    std::optional<std::size_t> gradients;
};

struct Row {
    std::pair<std::string, std::uint64_t> key;
    domain::SpreadSpeed speed;
    std::uint32_t steps = 1;
    Bytes gradients;
};

// All of one application at one batch.
struct Rows {
    std::vector<domain::SpreadSpeed> speeds;
    std::uint32_t steps = 1;
    Bytes gradients;
};

Expected<Columns> find_columns(const TableText& table) {
    constexpr std::string_view applications[] = {"app", "application"};
    constexpr std::string_view batches[] = {"batch_size", "batch"};
    constexpr std::string_view gpus[] = {"gpus"};
    constexpr std::string_view steps[] = {"iter_time_s"};
    constexpr std::string_view totals[] = {"total_iters"};
    constexpr std::string_view nodes[] = {"nodes"};
    constexpr std::string_view gradients[] = {"gradient_bytes"};
    Columns columns;
    const std::pair<std::size_t*, std::span<const std::string_view>> needed[] = {
        {&columns.application, applications},
        {&columns.batch, batches},
        {&columns.gpus, gpus},
        {&columns.step, steps},
        {&columns.steps, totals},
    };
    for (const auto& [place, names] : needed) {
        const auto column = table.need(names);
        if (!column) {
            return unexpected(column.error());
        }
        *place = *column;
    }
    columns.nodes = table.find(nodes);
    columns.gradients = table.find(gradients);
    return columns;
}

Expected<Row> read_row(const TableText& table, const Columns& columns) {
    constexpr auto most = std::numeric_limits<std::uint32_t>::max();
    const auto batch = count_field(table, columns.batch, most);
    const auto gpus = count_field(table, columns.gpus, most_gpus);
    const auto step = seconds_field(table, columns.step, Seconds(1e-9));
    const auto steps = count_field(table, columns.steps, most);
    const auto nodes =
        columns.nodes ? count_field(table, *columns.nodes, most_gpus) : Expected<std::uint32_t>(1);
    const auto gradients =
        columns.gradients ? bytes_field(table, *columns.gradients) : Expected<Bytes>(Bytes(0));
    for (const auto& problem : {&batch, &gpus, &steps, &nodes}) {
        if (!*problem) {
            return unexpected(problem->error());
        }
    }
    if (!step) {
        return unexpected(step.error());
    }
    if (!gradients) {
        return unexpected(gradients.error());
    }
    return Row{{std::string(table.field(columns.application)), *batch},
               {*gpus, *nodes, *step * static_cast<double>(*steps)},
               *steps,
               *gradients};
}

// `points` have distinct sizes, ascending.
std::vector<Seconds> fill(const std::vector<domain::SpreadSpeed>& points) {
    std::vector<Seconds> curve;
    std::size_t next = 0;
    for (std::uint32_t gpus = 1; gpus <= points.back().gpus; ++gpus) {
        while (points[next].gpus < gpus) {
            ++next;
        }
        const domain::SpreadSpeed& above = points[next];
        if (above.gpus == gpus || next == 0) {  // below the least nobody runs
            curve.push_back(above.epoch);
            continue;
        }
        const domain::SpreadSpeed& below = points[next - 1];
        const double part = std::log(static_cast<double>(gpus) / below.gpus) /
                            std::log(static_cast<double>(above.gpus) / below.gpus);
        curve.push_back(below.epoch * std::pow(above.epoch / below.epoch, part));
    }
    return curve;
}

// The rows of an application: the fewest nodes of a size are its packed time.
domain::TrueSpeed speed_of(const std::string& name, Rows rows) {
    std::sort(rows.speeds.begin(), rows.speeds.end(),
              [](const domain::SpreadSpeed& one, const domain::SpreadSpeed& other) {
                  return std::tie(one.gpus, one.nodes) < std::tie(other.gpus, other.nodes);
              });
    domain::TrueSpeed speed;
    speed.name = name;
    speed.least = rows.speeds.front().gpus;
    speed.steps = rows.steps;
    speed.gradients = rows.gradients;
    std::vector<domain::SpreadSpeed> packed;
    for (const domain::SpreadSpeed& row : rows.speeds) {
        const bool is_packed = packed.empty() || packed.back().gpus != row.gpus;
        (is_packed ? packed : speed.spread).push_back(row);
    }
    speed.epoch_seconds = fill(packed);
    return speed;
}

}  // namespace

Expected<SpeedTable> read_speed_table(std::string_view text) {
    auto table = TableText::open(text, ',');
    const auto columns = table ? find_columns(*table) : unexpected(table.error());
    if (!columns) {
        return unexpected(columns.error());
    }
    std::map<std::pair<std::string, std::uint64_t>, Rows> rows;
    while (true) {
        const auto has_row = table->next();
        if (!has_row) {
            return unexpected(has_row.error());
        }
        if (!*has_row) {
            break;
        }
        auto row = read_row(*table, *columns);
        if (!row) {
            return unexpected(row.error());
        }
        Rows& all = rows.try_emplace(row->key, Rows{{}, row->steps, row->gradients}).first->second;
        auto& known = all.speeds;
        const bool is_again = std::any_of(known.begin(), known.end(), [&row](const auto& other) {
            return other.gpus == row->speed.gpus && other.nodes == row->speed.nodes;
        });
        if (is_again) {
            return table->bad(fmt::format("{} with batch {} on {} GPUs is there twice",
                                          quoted(row->key.first), row->key.second,
                                          row->speed.gpus));
        }
        known.push_back(row->speed);
    }
    if (rows.empty()) {
        return wrong_use("has no row below its first line");
    }
    SpeedTable speeds;
    for (auto& [key, known] : rows) {
        speeds.emplace(
            key, speed_of(fmt::format("{}, batch {}", key.first, key.second), std::move(known)));
    }
    return speeds;
}

}  // namespace hora::read
