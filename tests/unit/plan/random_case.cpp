// Random clusters and requests that reach every rule of the chooser.
#include "tests/unit/plan/random_case.hpp"

#include "tests/unit/plan/gpu_sets.hpp"

#include <cmath>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

namespace hora::tests {

namespace {

using domain::PartKind;

class Maker {
  public:
    explicit Maker(std::uint64_t seed) : random_(seed) {}

    RandomCase make(std::uint32_t most_gpus) {
        RandomCase made;
        add_devices(made.cluster);
        add_workload(made.request);
        add_rules(made.request, most_gpus);
        add_sizes(made.request, most_gpus);
        add_nodes(made.cluster, most_gpus);
        return made;
    }

  private:
    std::uint64_t number(std::uint64_t least, std::uint64_t most) {
        return std::uniform_int_distribution<std::uint64_t>(least, most)(random_);
    }
    std::uint32_t small(std::uint32_t least, std::uint32_t most) {
        return static_cast<std::uint32_t>(number(least, most));
    }
    bool chance(double probability) { return std::bernoulli_distribution(probability)(random_); }
    double spread(double least, double most) {
        return std::exp(
            std::uniform_real_distribution<double>(std::log(least), std::log(most))(random_));
    }
    template <class T>
    T one_of(std::initializer_list<T> values) {
        return *(values.begin() + number(0, values.size() - 1));
    }

    void add_devices(domain::Cluster& cluster) {
        const std::uint64_t count = number(1, 3);
        for (std::uint64_t i = 0; i < count; ++i) {
            domain::Device device;
            device.name = "type" + std::to_string(i);
            device.peak[0] = FlopRate(static_cast<double>(number(1, 8)) * 1e12);
            device.memory_bandwidth = Bandwidth(static_cast<double>(number(1, 8)) * 1e11);
            device.memory = Bytes(chance(0.7) ? 0 : spread(1e6, 1e10));
            cluster.devices.push_back(device);
        }
    }

    void add_workload(domain::Request& request) {
        const std::uint64_t layers = number(1, 6);
        for (std::uint64_t i = 0; i < layers; ++i) {
            request.workload.layers.push_back(
                {static_cast<std::uint64_t>(spread(1e6, 1e10)),
                 chance(0.2) ? 0 : static_cast<std::uint64_t>(spread(1e4, 1e9)),
                 static_cast<std::uint64_t>(spread(1e3, 1e8))});
            domain::LayerCost& layer = request.workload.layers.back();
            if (layer.weight_bytes > 0 && chance(0.2)) {
                layer.row_bytes = std::min<std::uint64_t>(number(1, 4096), layer.weight_bytes);
                layer.words = number(1, 100);
            }
        }
        request.batch = chance(0.8) ? number(1, 20) : number(20, 100);
        if (chance(0.7)) {
            request.samples = number(1, 1000);
            request.epochs = number(1, 5);
        }
        request.cost.overlap = chance(0.6);
        request.cost.exchange =
            one_of({domain::Exchange::automatic, domain::Exchange::automatic,
                    domain::Exchange::ring, domain::Exchange::tree, domain::Exchange::server});
    }

    void add_rules(domain::Request& request, std::uint32_t most_gpus) {
        using domain::Mode;
        request.accepts_balanced = chance(0.4);
        request.accepts_async = chance(0.4);
        request.accepts_hierarchy = chance(0.5);
        if (chance(0.4)) {
            request.min_sample_rate = one_of({0.5, 0.1, 0.07, 0.01});
            request.max_sample_rate = chance(0.7) ? 1 : request.min_sample_rate;
        }
        if (chance(0.25)) {
            request.mode = one_of({Mode::independent, Mode::sync, Mode::async, Mode::balanced});
        }
        request.min_gpus = chance(0.7) ? 1 : small(1, 4);
        request.max_gpus = chance(0.6) ? domain::unlimited_gpus : small(1, most_gpus);
        request.min_efficiency = chance(0.6) ? 0 : one_of({0.2, 0.5, 0.7, 0.9});
        request.objective = chance(0.6) ? domain::Objective::time : domain::Objective::efficiency;
        request.tolerance = one_of({0.0, 0.0, 0.02, 0.3});
        request.slowdown = one_of({0.0, 0.1, 0.5, 2.0});
        request.async_threshold = one_of({0.0, 0.1, 0.2, 0.5});
        if (chance(0.5)) {
            request.layout = domain::Layout::uniform;
            request.min_nodes = chance(0.8) ? 1 : small(1, 3);
            request.max_nodes = chance(0.8) ? domain::unlimited_nodes : small(1, 4);
            if (chance(0.2)) {
                request.gpus_per_node = small(1, 4);
            }
        }
    }

    void add_sizes(domain::Request& request, std::uint32_t most_gpus) {
        using Kind = domain::SizeRule::Kind;
        if (chance(0.2)) {
            request.sizes = {Kind::powers, {}};
        } else if (chance(0.2)) {
            request.sizes = {Kind::listed, {}};
            for (std::uint32_t gpus = 1; gpus <= most_gpus; ++gpus) {
                if (chance(0.4)) {
                    request.sizes.listed.push_back(gpus);
                }
            }
        }
    }

    // A part's link is never faster than a link inside it.
    std::uint32_t add_part(domain::Cluster& cluster, PartKind kind, std::uint32_t parent) {
        domain::Part part{kind, parent, {Bandwidth(spread(1e7, 1e10)), Seconds(0)}, ""};
        if (chance(0.7)) {
            part.link.latency = Seconds(spread(1e-6, 1e-2));
        }
        if (parent != domain::no_part) {
            part.link = cluster.parts[parent].link;
            if (chance(0.7)) {
                part.link.bandwidth = part.link.bandwidth * one_of({2.0, 4.0, 20.0});
                part.link.latency = part.link.latency * one_of({0.1, 0.5, 1.0});
            }
        }
        cluster.parts.push_back(part);
        return static_cast<std::uint32_t>(cluster.parts.size() - 1);
    }

    void add_nodes(domain::Cluster& cluster, std::uint32_t most_gpus) {
        std::vector<std::uint32_t> leaves{add_part(cluster, PartKind::fabric, domain::no_part)};
        for (std::uint64_t left = number(0, 2); left > 0; --left) {
            leaves.push_back(add_part(cluster, PartKind::leaf_switch, 0));
        }
        const bool has_history = chance(0.4);
        const std::uint32_t wanted = small(1, most_gpus);
        while (cluster.gpus.size() < wanted) {
            const auto node = static_cast<std::uint32_t>(cluster.nodes.size());
            cluster.nodes.push_back({"n" + std::to_string(node), Seconds(0), 0});
            if (has_history) {
                cluster.nodes.back().overhead = Seconds(one_of({0.0, 0.001, 0.5, spread(0.01, 9)}));
            }
            const std::uint32_t leaf = leaves[number(0, leaves.size() - 1)];
            add_gpus(cluster, node, add_part(cluster, PartKind::node, leaf),
                     wanted - static_cast<std::uint32_t>(cluster.gpus.size()));
        }
    }

    void add_gpus(domain::Cluster& cluster, std::uint32_t node, std::uint32_t node_part,
                  std::uint32_t most) {
        std::vector<std::uint32_t> inside{node_part};
        if (chance(0.5)) {
            const std::uint32_t outer =
                chance(0.3) ? add_part(cluster, PartKind::socket, node_part) : node_part;
            inside.push_back(add_part(cluster, PartKind::pcie_switch, outer));
            inside.push_back(add_part(cluster, PartKind::pcie_switch, outer));
            inside.push_back(add_part(cluster, PartKind::pcie_switch, node_part));
            inside.erase(inside.begin(), inside.begin() + (chance(0.7) ? 1 : 0));
        }
        const std::uint32_t count = small(1, std::min(most, chance(0.7) ? 4U : 8U));
        const auto device = small(0, static_cast<std::uint32_t>(cluster.devices.size()) - 1);
        const bool is_mixed = chance(0.2);
        const double how_free = chance(0.5) ? 0.95 : 0.6;
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto other = small(0, static_cast<std::uint32_t>(cluster.devices.size()) - 1);
            cluster.gpus.push_back({node, i, is_mixed ? other : device,
                                    inside[number(0, inside.size() - 1)], chance(how_free)});
        }
        if (!is_mixed && count > 1 && chance(0.3)) {
            add_mesh(cluster, node);
        }
    }

    // Its sets exchange at least what the parts around them do.
    void add_mesh(domain::Cluster& cluster, std::uint32_t node) {
        const auto gpus = domain::gpus_of_node(cluster, node);
        domain::Mesh mesh{static_cast<std::uint32_t>(gpus.size()), Seconds(1), {}};
        for (const domain::Gpu& gpu : gpus) {
            mesh.latency = std::min(mesh.latency, cluster.parts[gpu.part].link.latency);
        }
        const bool are_few = chance(0.5);
        for (std::uint32_t set = 0; set < 1U << gpus.size(); ++set) {
            std::vector<std::uint32_t> chosen;
            for (std::uint32_t i = 0; i < gpus.size(); ++i) {
                if ((set >> i & 1U) != 0) {
                    chosen.push_back(static_cast<std::uint32_t>(&gpus[i] - cluster.gpus.data()));
                }
            }
            const Bandwidth least =
                chosen.size() < 2 ? Bandwidth(0)
                                  : cluster.parts[spanning_part(cluster, chosen)].link.bandwidth;
            mesh.bandwidths.push_back(least * (are_few ? one_of({1.0, 2.0, 4.0}) : spread(1, 30)));
        }
        cluster.nodes[node].mesh = static_cast<std::uint32_t>(cluster.meshes.size());
        cluster.meshes.push_back(std::move(mesh));
    }

    std::mt19937_64 random_;
};

}  // namespace

RandomCase random_case(std::uint64_t seed, std::uint32_t most_gpus) {
    return Maker(seed).make(most_gpus);
}

}  // namespace hora::tests
