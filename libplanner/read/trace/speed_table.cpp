// How fast is each application on each number of GPUs, by a table of measured step times?
#include "libplanner/read/trace/speed_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
    std::optional<std::size_t> type;
};

struct Row {
    std::string application;
    std::uint64_t batch = 1;
    domain::SpreadSpeed speed;
    std::uint32_t steps = 1;
    Bytes gradients;
};

// All of one application at one batch on one type of GPU.
struct Rows {
    std::vector<domain::SpreadSpeed> speeds;
    std::uint32_t steps = 1;
    Bytes gradients;
    std::string type;  // of the first row that names one
};
using AllRows = std::map<SpeedTable::key_type, Rows>;

Expected<Columns> find_columns(const TableText& table) {
    constexpr std::string_view applications[] = {"app", "application"};
    constexpr std::string_view batches[] = {"batch_size", "batch"};
    constexpr std::string_view gpus[] = {"gpus"};
    constexpr std::string_view steps[] = {"iter_time_s"};
    constexpr std::string_view totals[] = {"total_iters"};
    constexpr std::string_view nodes[] = {"nodes"};
    constexpr std::string_view gradients[] = {"gradient_bytes"};
    constexpr std::string_view types[] = {"gpu_type"};
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
    columns.type = table.find(types);
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
    return Row{std::string(table.field(columns.application)),
               *batch,
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
        if (above.gpus == gpus || next == 0) {  // below the least no job runs
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
domain::TrueSpeed speed_of(const SpeedTable::key_type& key, Rows rows) {
    std::sort(rows.speeds.begin(), rows.speeds.end(),
              [](const domain::SpreadSpeed& one, const domain::SpreadSpeed& other) {
                  return std::tie(one.gpus, one.nodes) < std::tie(other.gpus, other.nodes);
              });
    domain::TrueSpeed speed;
    const auto& [type, application, batch] = key;
    speed.name = fmt::format("{}, batch {}", application, batch);
    speed.gpu_type = type;
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

// Of the types that the row holds on. Where nodes are alike there is one type at most.
Expected<void> add_row(const TableText& table, const Columns& columns,
                       std::span<const std::string> types, AllRows& rows) {
    const auto row = read_row(table, columns);
    if (!row) {
        return unexpected(row.error());
    }
    const std::string_view own = columns.type ? table.field(*columns.type) : std::string_view();
    for (const std::string& type : types) {
        if (!type.empty() && !own.empty() && own != type) {
            continue;
        }
        Rows& all = rows.try_emplace({type, row->application, row->batch},
                                     Rows{{}, row->steps, row->gradients, {}})
                        .first->second;
        all.type = all.type.empty() ? own : all.type;
        if (type.empty() && !own.empty() && own != all.type) {
            return table.bad(fmt::format(
                "{} with batch {} has speeds of GPUs of types {} and {}; keep one type's, or say "
                "with --node-type which nodes have which",
                quoted(row->application), row->batch, quoted(all.type), quoted(own)));
        }
        auto& known = all.speeds;
        const bool is_again = std::any_of(known.begin(), known.end(), [&row](const auto& other) {
            return other.gpus == row->speed.gpus && other.nodes == row->speed.nodes;
        });
        if (is_again) {
            return table.bad(fmt::format("{} with batch {} on {} GPUs{} is there twice",
                                         quoted(row->application), row->batch, row->speed.gpus,
                                         type.empty() ? "" : " of type " + type));
        }
        known.push_back(row->speed);
    }
    return {};
}

}  // namespace

Expected<SpeedTable> read_speed_table(std::string_view text,
                                      std::span<const std::string> gpu_types) {
    auto table = TableText::open(text, ',');
    const auto columns = table ? find_columns(*table) : unexpected(table.error());
    if (!columns) {
        return unexpected(columns.error());
    }
    const std::string alike[] = {""};
    const std::span<const std::string> types = gpu_types.empty() ? alike : gpu_types;
    AllRows rows;
    bool has_rows = false;
    const auto read = table->for_each_row([&]() -> Expected<void> {
        has_rows = true;
        return add_row(*table, *columns, types, rows);
    });
    if (!read) {
        return unexpected(read.error());
    }
    if (!has_rows) {
        return wrong_use("has no row below its first line");
    }
    if (rows.empty()) {
        return wrong_use(
            fmt::format("has no row that holds on GPUs of type {}", fmt::join(types, ", ")));
    }
    SpeedTable speeds;
    for (auto& [key, known] : rows) {
        speeds.emplace(key, speed_of(key, std::move(known)));
    }
    return speeds;
}

}  // namespace hora::read
