// Which GPUs of one node lie closest together and break fewest groups of free ones?
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "libplanner/domain/cluster.hpp"

namespace hora::plan {

// Groups of free GPUs that a choice takes some of and leaves some of: whole parts of a node, the
// node itself among them, of which all GPUs are free; and what is free of other parts.
struct Broken {
    std::uint32_t whole = 0;
    std::uint32_t rest = 0;

    Broken& operator+=(const Broken& other) {
        whole += other.whole;
        rest += other.rest;
        return *this;
    }
    friend auto operator<=>(const Broken&, const Broken&) = default;
};

// GPUs of one node, counted from its first. Of as many GPUs, the set with the lower ones is less.
class GpuSet {
  public:
    static constexpr std::uint32_t most = 256;

    void add(std::uint32_t gpu) { words_[gpu / 64] |= std::uint64_t{1} << gpu % 64; }
    bool has(std::uint32_t gpu) const { return (words_[gpu / 64] >> gpu % 64 & 1) != 0; }
    GpuSet& operator|=(const GpuSet& other) {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            words_[i] |= other.words_[i];
        }
        return *this;
    }
    friend bool operator==(const GpuSet&, const GpuSet&) = default;
    friend std::strong_ordering operator<=>(const GpuSet& a, const GpuSet& b) {
        for (std::size_t i = 0; i < a.words_.size(); ++i) {
            if (const std::uint64_t differ = a.words_[i] ^ b.words_[i]; differ != 0) {
                const std::uint64_t lowest = differ & -differ;
                return (a.words_[i] & lowest) != 0 ? std::strong_ordering::less
                                                   : std::strong_ordering::greater;
            }
        }
        return std::strong_ordering::equal;
    }

  private:
    std::array<std::uint64_t, most / 64> words_{};
};

struct NodeChoice {
    double link = 0;  // bandwidth, see Closeness; infinite for one GPU alone
    Broken broken;
    GpuSet picks;

    auto worth() const { return std::tie(broken, picks); }
};

// What a node offers, by the number of GPUs taken: choices over ever slower links, each better
// than those over faster ones.
class NodeFit {
  public:
    explicit NodeFit(std::vector<std::vector<NodeChoice>> choices) : choices_(std::move(choices)) {}

    std::uint32_t most() const { return static_cast<std::uint32_t>(choices_.size()) - 1; }
    double fastest_link(std::size_t count) const { return choices_[count].front().link; }
    // The best choice over links of at least this bandwidth, which is at most the fastest.
    const NodeChoice& best(std::size_t count, double link) const;
    // The most GPUs that can be had over such links; one GPU needs none.
    std::uint32_t most_over(double link) const;
    std::span<const std::vector<NodeChoice>> choices() const { return choices_; }

  private:
    std::vector<std::vector<NodeChoice>> choices_;
};

// What is compared: the bandwidth of the whole set, which is on this node alone; or of the smallest
// part around what it has here. They differ in meshes.
enum class Closeness { of_all, inside_one_of_several };

// Nodes that look alike are worked out once.
class NodeFits {
  public:
    explicit NodeFits(const domain::Cluster& cluster) : cluster_(cluster) {}

    // `eligible` are GPUs of one node, ascending. The answer lives as long as this; null for a node
    // of more GPUs than any reader lets pass.
    const NodeFit* find(Closeness closeness, std::span<const std::uint32_t> eligible);
    std::uint32_t first_of_node(std::uint32_t gpu) const;

  private:
    void describe(std::uint32_t first, std::span<const std::uint32_t> eligible);

    const domain::Cluster& cluster_;
    std::string description_;  // of the node at hand
    std::unordered_map<std::string, NodeFit> known_;
};

}  // namespace hora::plan
