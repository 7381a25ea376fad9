// How is it reported what would have become of a site's jobs?
#pragma once

#include <optional>
#include <span>
#include <string>

#include "libplanner/sim/replay.hpp"
#include "libplanner/sim/result.hpp"
#include "libplanner/sim/simulate.hpp"

namespace hora::report {

struct ReplayRow {
    std::string policy;                   // or "as it was"
    std::optional<double> elastic_share;  // empty: as it was
    sim::Summary summary;
};

struct ReplayView {
    const sim::Setup& setup;
    const sim::Assumptions& assumptions;
    std::span<const ReplayRow> rows;
    std::size_t jobs = 0;
    std::size_t parts = 0;  // of them, of arrays and heterogeneous jobs: never elastic
    std::size_t without_gpus = 0;
    std::size_t never_ran = 0;
    std::size_t refused = 0;    // too large for the cluster
    std::size_t timed_out = 0;  // by the accounting, of those played
};

std::string to_json(const ReplayView& view);
std::string to_table(const ReplayView& view);

}  // namespace hora::report
