// Which numbers of GPUs may a job hold, and how long does it take on them?
#pragma once

#include <cstdint>

#include "libplanner/domain/elastic.hpp"

namespace hora::elastic {

// The smallest number of GPUs that the job may run on: its request if it is rigid.
std::uint32_t lowest_size(const domain::ElasticJob& job);

// The next larger number that it may run on; 0: there is none. After 0 comes the lowest.
std::uint32_t next_size(const domain::ElasticJob& job, std::uint32_t gpus);

// The largest number that it may run on and that is no larger than `gpus`; 0: there is none.
std::uint32_t largest_size(const domain::ElasticJob& job, std::uint32_t gpus);

// What a decision has to leave it: nothing if it waits, all that it holds if it is rigid.
std::uint32_t floor_size(const domain::ElasticJob& job);

// One epoch on `gpus` >= 1. Beyond the end of its curve the last known time holds.
Seconds epoch_time(const domain::ElasticJob& job, std::uint32_t gpus);

// The relative standard error of that; 0 where all times are certain.
double uncertainty_of(const domain::ElasticJob& job, std::uint32_t gpus);

// All that is left of it on `gpus` >= 1.
Seconds remaining_time(const domain::ElasticJob& job, std::uint32_t gpus);

}  // namespace hora::elastic
