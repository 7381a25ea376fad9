// What does TensorFlow need to know of its step? (TF_CONFIG)
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "plugins/spank/job/step_layout.hpp"

namespace hora::spank {

// Longer than this nobody gets it: a task's whole environment has limits.
constexpr std::size_t longest_tf_config = 32'000;

// The JSON of one task, or empty where it would be too long or the task is alone. Without a
// parameter server every task is a worker; with one, that task is "ps", and of three or more the
// first of the others is "chief". Places as in StepLayout::place.
std::string tf_config(const StepLayout& layout, std::optional<std::uint32_t> server,
                      const std::function<std::uint16_t(std::uint32_t local_rank)>& port);

}  // namespace hora::spank
