// States to decide on: made up one by one or at random, with what their jobs' spans look at.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "libplanner/domain/elastic.hpp"

namespace hora::elastic {

// Keeps the curves and sizes of its jobs: neither copied nor moved.
class MadeState {
  public:
    MadeState() = default;
    MadeState(const MadeState&) = delete;
    MadeState& operator=(const MadeState&) = delete;

    domain::ElasticState state;

    // The new job's id is its place in the queue; its max is the length of the curve.
    domain::ElasticJob& add(std::uint32_t gpus, double epochs_left, std::vector<double> seconds);
    void allow(domain::ElasticJob& job, std::vector<std::uint32_t> sizes);

  private:
    std::deque<std::vector<Seconds>> curves_;
    std::deque<std::vector<std::uint32_t>> sizes_;
};

// Up to 8 jobs on up to 24 GPUs: waiting or running, rigid or elastic, with all kinds of sizes and
// with curves that fall, level out, jump or rise. Call it within a property.
void make_up(MadeState& made);

}  // namespace hora::elastic
