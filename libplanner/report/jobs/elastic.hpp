// How is it reported which jobs a policy gives other GPUs, and why?
#pragma once

#include <string>

#include "libplanner/elastic/policies/policy.hpp"
#include "libplanner/read/trace/elastic_state.hpp"

namespace hora::report {

struct ElasticDecision {
    const elastic::PolicyInfo& policy;
    const read::ElasticStateFile& file;
    const elastic::Allocation& allocation;  // for the file's jobs
};

std::string to_json(const ElasticDecision& decision);
std::string to_table(const ElasticDecision& decision);

}  // namespace hora::report
