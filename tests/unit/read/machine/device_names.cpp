#include "libplanner/read/machine/device_names.hpp"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "libplanner/read/machine/device_catalog.hpp"

namespace hora::read {
namespace {

std::string name_of(const NamedDevice& named) {
    return named.device == nullptr ? "" : named.device->name;
}

TEST(DeviceNames, AreUnderstoodAsTheyOccur) {
    struct Case {
        const char* name;
        const char* device;
    };
    const Case cases[] = {
        // users
        {"a100", "a100-40gb"},
        {"A100", "a100-40gb"},
        {"a100-80g", "a100-80gb"},
        {"a100_80gb", "a100-80gb"},
        {"a100-sxm4-80gb", "a100-80gb"},
        {"a100-pcie", "nvidia_a100-pcie-40gb"},
        {"h100", "h100"},
        {"h100-80gb", "h100"},
        {"h100-sxm", "h100"},
        {"h100pcie", ""},
        {"h100-pcie", "nvidia_h100_pcie"},
        {"v100-32gb", "tesla_v100-sxm2-32gb"},
        {"v100-16gb", "v100"},
        {"v100-pcie-32gb", "tesla_v100-pcie-32gb"},
        {"rtx_3090", "rtx3090"},
        {"rtx-2080-ti", "rtx2080ti"},
        {"gtx_1080_ti", "gtx1080ti"},
        {"titan_rtx", "titanrtx"},
        {"rtx_a6000", "a6000"},
        {"k40m", "tesla_k40m"},
        // nvidia-smi
        {"NVIDIA A100-SXM4-80GB", "nvidia_a100-sxm4-80gb"},
        {"NVIDIA H100 80GB HBM3", "h100"},
        {"NVIDIA H100 PCIe", "nvidia_h100_pcie"},
        {"Tesla V100-SXM2-16GB", "tesla_v100-sxm2-16gb"},
        {"NVIDIA GeForce RTX 3090", "rtx3090"},
        {"NVIDIA RTX 6000 Ada Generation", "rtx6000ada"},
        {"Quadro RTX 6000", "rtx6000"},
        {"NVIDIA RTX 4000 Ada Generation", "rtx4000ada"},
        {"Quadro RTX 4000", "rtx4000"},
        {"NVIDIA RTX A4000", "a4000"},
        {"NVIDIA GeForce RTX 3080 Ti", "rtx3080ti"},
        {"NVIDIA GeForce RTX 2070 SUPER", "rtx2070super"},
        {"NVIDIA TITAN Xp", "titanxp"},
        {"Tesla P40", "p40"},
        {"Tesla V100S-PCIE-32GB", "v100s"},
        {"Quadro GV100", "gv100"},
        {"NVIDIA A30", "a30"},
        {"NVIDIA L40", "l40"},
        {"NVIDIA L40S", "l40s"},
        {"NVIDIA H100 NVL", "h100-nvl"},
        {"NVIDIA GH200 120GB", "gh200"},
        {"NVIDIA GH200 480GB", "gh200"},
        {"NVIDIA A800-SXM4-80GB", "a800"},
        {"NVIDIA GB200", "gb200"},
        {"NVIDIA B300 SXM6 AC", "b300"},
        // rocm-smi and AutoDetect=rsmi
        {"AMD Instinct MI210", "mi210"},
        {"AMD INSTINCT MI250 (MCM) OAM AC MBA", "mi250"},
        {"AMD Instinct MI250X", "mi250x"},
        {"amd_instinct_mi300x_oam", "mi300x"},
        {"amd_instinct_mi300a", "mi300a"},
        {"mi250x-64gb", "mi250x"},
        {"mi300x-192gb", "mi300x"},
        // AutoDetect
        {"nvidia_a100-sxm4-80gb", "nvidia_a100-sxm4-80gb"},
        {"nvidia_h100_80gb_hbm3", "nvidia_h100_80gb_hbm3"},
        {"tesla_v100-sxm2-32gb", "tesla_v100-sxm2-32gb"},
        // none
        {"", ""},
        {"gpu", ""},
        {"80gb", ""},
        {"a1000", ""},
        {"x100", ""},
        {"a100-12345678901234567890gb", ""},
    };
    for (const Case& each : cases) {
        const NamedDevice named = named_device(known_devices(), each.name);
        EXPECT_EQ(name_of(named) == each.device ||
                      (named.device != nullptr && *each.device != 0 &&
                       named.device->memory == find_device(known_devices(), each.device)->memory &&
                       named.device->nvlink == find_device(known_devices(), each.device)->nvlink),
                  true)
            << each.name << " is " << name_of(named) << ", not " << each.device;
    }
}

TEST(DeviceNames, LeaveOpenWhatTheNodeMaySay) {
    struct Case {
        const char* name;
        std::vector<std::string> features;
        double gib;
        bool is_open;
    };
    const Case cases[] = {
        {"a100", {}, 39, true},
        {"a100", {"intel", "ib"}, 39, true},
        {"a100", {"a100-80gb"}, 80, false},
        {"a100", {"intel", "80gb"}, 80, false},
        {"a100", {"gpu_mem:80gb"}, 80, false},
        {"a100", {"v100-32gb"}, 39, true},
        {"a100", {"40gb"}, 39, false},
        {"a100", {"1tb", "99gb"}, 0, false},
        {"v100", {}, 15, false},
        {"v100", {"32gb"}, 31, false},
        {"h100", {"80gb"}, 79, false},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name + (each.features.empty() ? "" : " " + each.features.back()));
        const NamedDevice named = named_device(known_devices(), each.name, each.features);
        EXPECT_EQ(named.device != nullptr, each.gib > 0);
        if (named.device != nullptr) {
            EXPECT_NEAR(named.device->memory.count() / (1 << 30), each.gib, 1.1);
        }
        EXPECT_EQ(!named.otherwise.empty(), each.is_open);
    }
}

TEST(DeviceNames, TakeASitesOwnFirst) {
    std::vector<domain::Device> devices = known_devices();
    devices.push_back(*find_device(devices, "a100-80gb"));
    devices.back().name = "a100";
    for (const std::vector<std::string>& features :
         {std::vector<std::string>{}, {"80gb"}, {"sxm4"}, {"ib"}}) {
        EXPECT_EQ(named_device(devices, "A100", features).device, &devices.back());
    }
}

// Boards, not the names that the same one has besides.
TEST(DeviceNames, AreOfSixtyBoards) {
    std::set<std::tuple<double, double, double, double>> boards;
    for (const domain::Device& device : known_devices()) {
        boards.emplace(device.peak_for(domain::DataType::fp16).count(),
                       device.memory_bandwidth.count(), device.memory.count(),
                       device.nvlink.count());
    }
    EXPECT_GE(boards.size(), 60U);
}

TEST(DeviceNames, EveryKnownNameMeansItself) {
    for (const domain::Device& device : known_devices()) {
        EXPECT_EQ(named_device(known_devices(), device.name).device, &device);
    }
}

}  // namespace
}  // namespace hora::read
