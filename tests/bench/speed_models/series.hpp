// Which measured step times belong to one job, and which of them were known when others had to be
// predicted?
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"

namespace hora::bench {

struct Point {
    std::uint32_t gpus = 1;
    std::uint32_t nodes = 1;
    double local = 0;   // samples of a GPU in one pass
    double passes = 1;  // over such parts of the batch, before gradients are exchanged
    double step = 0;    // seconds
};

// One job with a fixed global batch.
struct Series {
    std::string set;  // which data
    std::string model;
    std::string device;
    double batch = 0;
    double gradient = 0;  // bytes
    double inside = 0;    // bytes a second between GPUs of a node, as its data sheet has it
    double between = 0;   // of a node, to others
    std::uint32_t gpus_per_node = 1;
    std::vector<Point> known;     // on at most 4 GPUs
    std::vector<Point> one_node;  // as many as a node has, and no more
    std::vector<Point> unknown;   // on more than 8
    std::vector<Point> all;
    // One GPU's time of one pass by local batch, as other jobs of the model have shown it.
    std::vector<Point> one_gpu;
};

// "resnet" of resnet50, resnet18-cifar10, …
std::string family_of(const Series& series);
std::string device_of(const Series& series);

// From the folder with strong-scaling-a100.csv, step-times-t4-2080ti.csv and models.csv.
Expected<std::vector<Series>> read_series(const std::string& folder);

}  // namespace hora::bench
