// What of a policy's answer is done now, and to which jobs?
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <unordered_set>
#include <vector>

#include "libplanner/domain/elastic.hpp"
#include "libplanner/elastic/policies/policy.hpp"
#include "libplanner/elastic/state_of_jobs.hpp"

namespace hora::elastic {

struct Change {
    std::uint64_t id = 0;
    std::uint32_t from = 0;  // of a job that waits: what it asks for
    std::uint32_t to = 0;    // of one that runs, 0: it is suspended
    bool waits = false;      // it has not started
    std::string why;
    // Of one that runs: what will do as well where no nodes give `to`, the largest first.
    std::vector<std::uint32_t> instead{};
    std::uint32_t fallback = 1;  // at least so many, where it waits in vain for `to`
    // Of one that restarts with as many: on at most so many nodes; 0: it is resized.
    std::uint32_t nodes = 0;

    friend bool operator==(const Change&, const Change&) = default;
};

struct Verdict {
    std::vector<Change> now;    // these at once
    std::vector<Change> later;  // these when GPUs have become free
};

// The jobs of these lists.
std::unordered_set<std::uint64_t> jobs_of(
    std::initializer_list<const std::vector<Change>*> changes);

// What of an answer is worth its cost, and possible at this moment: a job gives GPUs back first,
// another takes them when they are there.
Verdict judge(const Pool& pool, const Question& question, const Allocation& answer);
// The same of an answer to another state of the question's jobs, in their order.
Verdict judge(const Pool& pool, const Question& question, const domain::ElasticState& state,
              const Allocation& answer);

}  // namespace hora::elastic
