// Which free GPUs does each part of the cluster hold, counted by what makes them differ?
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "libplanner/domain/cluster.hpp"
#include "libplanner/plan/price/pricing.hpp"
#include "libplanner/plan/price/set_link.hpp"
#include "libplanner/plan/price/some_nodes.hpp"

namespace hora::plan {

Shape shape_of(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus);

// Units of one shape in a part, by the overhead of their node, ascending.
struct Run {
    Seconds overhead;
    std::uint64_t upto = 0;  // units with this overhead or less

    friend bool operator==(const Run&, const Run&) = default;
};
struct Group {
    std::uint32_t shape = 0;
    std::vector<Run> runs;

    std::uint64_t units() const { return runs.back().upto; }
    // With no less overhead than those before.
    void add(Seconds overhead, std::uint64_t units) {
        if (runs.empty() || runs.back().overhead != overhead) {
            runs.push_back({overhead, runs.empty() ? 0 : runs.back().upto});
        }
        runs.back().upto += units;
    }
    friend bool operator==(const Group&, const Group&) = default;
};

// Of all groups together.
std::uint64_t units_of(std::span<const Group> groups);

// Parts that hold the same and have the same link: they are priced once.
struct PartClass {
    std::vector<Group> groups;
    std::uint64_t units = 0;
    std::vector<std::uint32_t> parts;
    std::uint32_t only = 0;  // the number of GPUs that a set must have; 0: any

    bool suits(std::uint64_t members) const { return only == 0 || only == members; }
};
struct LinkClasses : PartLink {
    std::vector<PartClass> classes;  // by units, most first
};

// The best of a mesh's free GPUs, as many as the set has. It counts as a part: its number follows
// those of the cluster's, and sets of its own size alone are chosen from it.
struct MeshPart {
    std::uint32_t node = 0;
    MeshSet set = 0;
    domain::Link link;
};

// Of a part of several nodes those inside of which no link is slower than `inside`. It counts as a
// part as well. In layout any, a set of it is on two nodes: what is counted is then one `pair`.
struct SomeNodes {
    std::uint32_t outer = 0;
    domain::Link inside;
    std::vector<std::uint32_t> pair;  // empty in layout uniform
};

// The GPUs of a part are among these.
struct GpuRange {
    std::uint32_t first = 0;
    std::uint32_t end = 0;
};

class FreeGpus {
  public:
    // Leaves out GPUs that are not free and devices that cannot train one sample. In place of the
    // parts inside a mesh's node, and the node, stand its best sets by size. Beside each part of
    // several nodes stand those of its nodes, and in layout any those pairs of them, that exchange
    // faster than sets of the part at large (some_nodes.hpp).
    FreeGpus(const Pricing& pricing, domain::Layout layout);

    std::span<const Shape> shapes() const { return shapes_; }
    std::span<const LinkClasses> links() const { return links_; }
    GpuRange range_of(std::uint32_t part) const { return ranges_[part]; }
    // Both null: the part is the cluster's.
    const MeshPart* mesh_part(std::uint32_t part) const {
        return part < first_mesh_part_ || part >= first_some_nodes_
                   ? nullptr
                   : &mesh_parts_[part - first_mesh_part_];
    }
    const SomeNodes* some_nodes(std::uint32_t part) const {
        return part < first_some_nodes_ ? nullptr : &some_nodes_[part - first_some_nodes_];
    }
    std::uint32_t parts() const { return static_cast<std::uint32_t>(ranges_.size()); }
    std::uint64_t total() const { return total_; }
    // The most free GPUs of one node.
    std::uint32_t most_in_a_node() const { return most_in_a_node_; }
    std::uint32_t most_in_a_mesh() const { return most_in_a_mesh_; }

  private:
    // What one node gives to a part: most parts lie in one node and hold nothing else.
    struct Portion {
        std::uint32_t part = domain::no_part;  // no_part: nothing yet
        std::uint32_t shape = 0;               // index into portions_
        Seconds overhead;
    };
    struct PartContent {
        Portion first;
        std::vector<Group> groups;  // once a second node has come
    };
    using ClassKey = std::pair<std::size_t, std::size_t>;  // index of the link, of the class

    void count_nodes(const Pricing& pricing, domain::Layout layout);
    std::uint32_t portion_id(const Shape& shape);
    void count_node(const domain::Cluster& cluster, std::span<const std::uint32_t> gpus);
    Shape& shape_in_node(std::uint32_t part);
    void add_mesh(const domain::Cluster& cluster, MeshSets& sets, std::uint32_t node,
                  std::span<const std::uint32_t> gpus);
    void add_offer(std::uint32_t part, const NodeOffer& offer, domain::Layout layout);
    void add_some_nodes(domain::Layout layout);
    void add_portion(const Portion& portion, domain::Layout layout);
    void add_groups(std::vector<Group>& groups, const Portion& portion,
                    domain::Layout layout) const;
    PartLink link_of(const domain::Cluster& cluster, std::uint32_t part,
                     domain::Layout layout) const;
    void classify(const domain::Cluster& cluster, domain::Layout layout);

    std::vector<Shape> portions_;
    std::vector<std::vector<std::uint32_t>> id_of_one_kind_;  // by device, by count; 0 = none, +1
    std::vector<Shape> shapes_;
    std::vector<PartContent> contents_;  // by part
    std::vector<GpuRange> ranges_;       // by part
    std::vector<LinkClasses> links_;
    std::uint32_t first_mesh_part_ = 0;
    std::vector<MeshPart> mesh_parts_;
    std::uint32_t first_some_nodes_ = 0;
    std::vector<SomeNodes> some_nodes_;
    // By part of several nodes: its nodes, and the slowest link inside one of them.
    std::vector<std::vector<NodeOffer>> offers_;
    std::vector<domain::Link> inside_;
    bool are_insides_alike_ = true;                      // of all nodes
    std::vector<std::pair<std::uint32_t, Shape>> node_;  // of the node at hand: part, what is free
    std::size_t parts_of_node_ = 0;                      // so many of them
    std::uint64_t total_ = 0;
    std::uint32_t most_in_a_node_ = 0;
    std::uint32_t most_in_a_mesh_ = 0;
};

}  // namespace hora::plan
