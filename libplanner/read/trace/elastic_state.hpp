// What does a JSON file say of the jobs whose GPUs are to be decided on?
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/elastic.hpp"

namespace hora::read {

// As the file has it: a number or a text.
using JobName = std::variant<std::uint64_t, std::string>;

// With what its jobs' spans look at; it may be moved, not copied.
struct ElasticStateFile {
    ElasticStateFile() = default;
    ElasticStateFile(const ElasticStateFile&) = delete;
    ElasticStateFile& operator=(const ElasticStateFile&) = delete;
    ElasticStateFile(ElasticStateFile&&) = default;
    ElasticStateFile& operator=(ElasticStateFile&&) = default;

    domain::ElasticState state;  // a job's id is its place in the file
    std::vector<JobName> names;  // by that place
    std::vector<std::string> remarks;
    std::deque<std::vector<Seconds>> curves;
    std::deque<std::vector<double>> uncertainties;
    std::deque<std::vector<std::uint32_t>> sizes;
};

// Fails as a usage error with the place, such as jobs[3].max, and what is wrong there: an unknown
// key with the nearest known one, a job named twice, more GPUs held than there are.
Expected<ElasticStateFile> read_elastic_state(std::string_view json);

}  // namespace hora::read
