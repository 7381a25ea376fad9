// Which known GPU is meant by a name as users, Slurm's AutoDetect and nvidia-smi write it?
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/domain/device.hpp"

namespace hora::read {

// Of Slurm's own names of GPU types and nodes.
constexpr std::string_view name_letters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
constexpr std::size_t longest_device_name = 64;

// May a device, or a GPU type, be called so?
constexpr bool is_device_name(std::string_view name) {
    return !name.empty() && name.size() <= longest_device_name &&
           name.find_first_not_of(name_letters) == name.npos;
}

struct NamedDevice {
    const domain::Device* device = nullptr;   // nullptr: none; good as long as the list
    std::vector<std::string_view> otherwise;  // other boards that the name may mean as well
};

// The device of just this name; else the one whose name says the same in other words, by model
// ("a100", "NVIDIA A100-SXM4-80GB", "rtx_3090"), form (SXM or PCIe) and memory. What the name
// leaves open a feature of its node may say: the same model with more ("a100-80gb"), or memory or
// form alone ("80gb", "gpu_mem:80gb", "pcie"). What is open still: as said at the model's own name,
// and the smaller memory.
NamedDevice named_device(const std::vector<domain::Device>& devices, std::string_view name,
                         const std::vector<std::string>& features = {});

}  // namespace hora::read
