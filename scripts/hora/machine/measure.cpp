// `hora topology FILE --measure`: what do the links between the GPUs of this machine really carry?
#include "scripts/hora/machine/measure.hpp"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <vector>

#include "libplanner/base/counted.hpp"
#include "libplanner/read/nccl/measured_links.hpp"
#include "libplanner/read/pci_address.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/report/machine/measured_links.hpp"
#include "libplanner/report/machine/ring.hpp"
#include "scripts/hora/command/atomic_file.hpp"
#include "scripts/hora/command/command.hpp"
#include "scripts/hora/machine/cuda_driver.hpp"
#include "scripts/hora/machine/link_test.hpp"

namespace hora::scripts {
namespace {

constexpr int not_shown = -1;

const domain::PciAddress& address_of(const domain::Topology& topology, std::size_t gpu) {
    return topology.objects[topology.gpus[gpu].object].address;
}

// CUDA's number of each GPU of the topology.
Expected<std::vector<int>> numbers_of(const domain::Topology& topology, const CudaDriver& driver,
                                      const std::string& path) {
    const auto devices = driver.devices();
    if (!devices) {
        return unexpected(devices.error());
    }
    std::map<domain::PciAddress, std::size_t> known;
    for (std::size_t i = 0; i < topology.gpus.size(); ++i) {
        known.emplace(address_of(topology, i), i);
    }
    std::vector<int> numbers(topology.gpus.size(), not_shown);
    int shown = 0;
    for (std::size_t i = 0; i < devices->size(); ++i) {
        const auto found = known.find((*devices)[i]);
        if (found == known.end()) {
            return failure(
                fmt::format("CUDA has the GPU {}, which {} lacks; is the file of "
                            "another machine?",
                            read::format_pci_address((*devices)[i]), read::quoted(path)));
        }
        shown += numbers[found->second] == not_shown ? 1 : 0;
        numbers[found->second] = static_cast<int>(i);
    }
    if (shown < 2) {
        return failure(
            fmt::format("CUDA shows {} here; two are needed for a link", counted(shown, "GPU")));
    }
    return numbers;
}

class Measurement {
  public:
    Measurement(const domain::Topology& topology, const CudaDriver& driver,
                std::vector<int> numbers)
        : topology_(topology), driver_(driver), numbers_(std::move(numbers)) {}

    Expected<void> take(std::size_t a, std::size_t b) {
        const domain::GpuPath& path = topology_.path(a, b);
        if (numbers_[a] == not_shown || numbers_[b] == not_shown) {
            if (path.is_measured) {
                keep(a, b, path.bandwidth);
            }
            return {};
        }
        const auto tested = test_link(driver_, numbers_[a], numbers_[b]);
        if (!tested) {
            return unexpected(tested.error());
        }
        keep(a, b, tested->bandwidth);
        fmt::format_to(std::back_inserter(table_), "  {:>3} - {:<3}  {:<6}  {:>12}  {:>12}{}\n", a,
                       b, domain::path_kind_names[static_cast<std::size_t>(path.kind)],
                       report::speed_text(path.bandwidth), report::speed_text(tested->bandwidth),
                       tested->has_peer_access ? "" : "   through the host: no peer access");
        return {};
    }

    const std::vector<report::MeasuredLink>& links() const { return links_; }
    std::string table() const {
        return fmt::format("  {:>3}   {:<3}  {:<6}  {:>12}  {:>12}\n", "a", "b", "kind", "before",
                           "measured") +
               table_;
    }

  private:
    void keep(std::size_t a, std::size_t b, Bandwidth bandwidth) {
        links_.push_back({address_of(topology_, a), address_of(topology_, b), bandwidth});
    }

    const domain::Topology& topology_;
    const CudaDriver& driver_;
    std::vector<int> numbers_;
    std::vector<report::MeasuredLink> links_;
    std::string table_;
};

}  // namespace

Expected<std::string> measure_links(const domain::Topology& topology,
                                    const TopologyRequest& request) {
    if (request.path.empty()) {
        return wrong_use(
            "--measure stores its figures beside a file; write one with 'hora "
            "topology --local --json' and name it");
    }
    const auto driver = CudaDriver::load();
    if (!driver) {
        return unexpected(driver.error().within("cannot measure"));
    }
    auto numbers = numbers_of(topology, *driver, request.path);
    if (!numbers) {
        return unexpected(numbers.error().within("cannot measure"));
    }
    Measurement measurement(topology, *driver, *std::move(numbers));
    for (std::size_t a = 0; a < topology.gpus.size(); ++a) {
        for (std::size_t b = a + 1; b < topology.gpus.size(); ++b) {
            if (const auto taken = measurement.take(a, b); !taken) {
                return unexpected(taken.error());
            }
        }
    }
    const std::string path = read::measured_links_path(request.path);
    if (const auto stored = replace_file(path, report::to_json(measurement.links())); !stored) {
        return unexpected(stored.error());
    }
    print_remark("stored in " + read::quoted_path(path));
    return measurement.table();
}

}  // namespace hora::scripts
