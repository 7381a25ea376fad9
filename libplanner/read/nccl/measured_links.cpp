// Which bandwidths were measured between the GPUs of a machine?
#include "libplanner/read/nccl/measured_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "libplanner/read/format/json_object.hpp"
#include "libplanner/read/pci_address.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

constexpr std::size_t max_size = std::size_t{16} << 20;
constexpr std::size_t max_links = std::size_t{1} << 17;

std::optional<std::size_t> gpu_at(const domain::Topology& topology, std::string_view busid) {
    const auto address = parse_pci_address(busid);
    const auto found = std::find_if(
        topology.gpus.begin(), topology.gpus.end(), [&](const domain::TopologyGpu& gpu) {
            return address && topology.objects[gpu.object].address == *address;
        });
    return found == topology.gpus.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - topology.gpus.begin()));
}

class LinkReader {
  public:
    LinkReader(const domain::Topology& topology, JsonProblem& problem)
        : topology_(topology), paths_(topology.paths), problem_(problem) {}

    void read(JsonObject item) {
        const std::string a = item.text("a", 32);
        const std::string b = item.text("b", 32);
        const double bandwidth = item.number("bandwidth", {1, 1e15});
        item.finish();
        const auto one = gpu_at(topology_, a);
        const auto other = gpu_at(topology_, b);
        if (problem_.is_there()) {
            return;
        }
        if (!one || !other) {
            problem_.report(fmt::format(
                "the link between {} and {} was measured on another machine: {} is no GPU of this "
                "topology; remove the file and measure again with 'hora topology FILE --measure'",
                read::quoted(a), read::quoted(b), read::quoted(one ? b : a)));
            return;
        }
        if (one == other) {
            problem_.report(fmt::format("a link leads from {} to itself", read::quoted(a)));
            return;
        }
        for (const auto& [from, to] : {std::pair(*one, *other), std::pair(*other, *one)}) {
            domain::GpuPath& path = paths_[from * topology_.gpus.size() + to];
            path.bandwidth = Bandwidth(bandwidth);
            path.is_measured = true;
        }
    }

    std::vector<domain::GpuPath> take_paths() { return std::move(paths_); }

  private:
    const domain::Topology& topology_;
    std::vector<domain::GpuPath> paths_;
    JsonProblem& problem_;
};

}  // namespace

std::string measured_links_path(const std::string& topology_path) {
    return topology_path + ".measured.json";
}

Expected<void> apply_measured_links(domain::Topology& topology, std::string_view json) {
    const auto document = parse_object(
        json, max_size, "remove it and measure again with 'hora topology FILE --measure'");
    if (!document) {
        return unexpected(document.error());
    }
    JsonProblem problem;
    JsonObject root(*document, "measured", JsonObject::only_one, problem);
    if (const std::uint64_t version = root.whole("version", 1000000); version != 1) {
        root.reject("version", fmt::format("is {}, this reads 1", version));
    }
    LinkReader reader(topology, problem);
    std::size_t index = 0;
    for (const auto& value : root.list("links", max_links)) {
        reader.read(JsonObject(value, "links", index++, problem));
    }
    root.finish();
    if (problem.is_there()) {
        return unexpected(problem.error());
    }
    topology.paths = reader.take_paths();
    return {};
}

}  // namespace hora::read
