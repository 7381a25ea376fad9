// Does any list of Slurm's resources break its readers, or read as something that it does not say?
//
// Of two lines the first is what a node has, and the second what of it is used.
#include "plugins/slurm/tres.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "libplanner/read/index_ranges.hpp"
#include "plugins/slurm/collect/collect_nodes.hpp"
#include "plugins/slurm/jobs/charge.hpp"
#include "tests/fuzz/lines.hpp"

namespace {

// With '=' between, as "gres:" before a count would be no name.
std::string text_of(const hora::slurm::Tres& tres) {
    const std::string type = tres.type.empty() ? "" : "=" + tres.type;
    const std::string remark =
        !tres.indices.empty()   ? fmt::format("(IDX:{})", hora::read::fold_ranges(tres.indices))
        : !tres.sockets.empty() ? fmt::format("(S:{})", hora::read::fold_ranges(tres.sockets))
                                : "";
    return fmt::format("{}{}{}={}{}", tres.is_gres ? "gres/" : "", tres.name, type, tres.count,
                       remark);
}

void check(std::string_view text) {
    const auto list = hora::slurm::parse_tres(text);
    if (!list) {
        return;
    }
    std::string written;
    std::uint64_t gpus = 0;
    for (const auto& item : *list) {
        if (item.count > std::uint64_t{1} << 53) {
            std::abort();
        }
        gpus += item.name == "gpu" ? item.count : 0;
        written += (written.empty() ? "" : ",") + text_of(item);
    }
    const auto again = hora::slurm::parse_tres(written);
    const auto counted = hora::slurm::count_gpus(*list);
    if ((written.size() < 65536 && (!again || *again != *list)) || counted.all > gpus) {
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text = hora::fuzz::text_of(data, size);
    check(text);
    const hora::slurm::Charge charge = hora::slurm::read_charge(text);
    if (charge.memory > 1'000'000'000'000'000 || charge.billing > 1'000'000'000'000'000) {
        std::abort();
    }
    const std::string_view configured = hora::fuzz::take_until(text, '\n');
    if (const auto gpus = hora::slurm::read_node_gpus(configured, text)) {
        const bool is_ascending = std::ranges::is_sorted(gpus->busy, std::less_equal()) &&
                                  std::ranges::is_sorted(gpus->sockets, std::less_equal());
        if (gpus->types.size() > 128 || !is_ascending ||
            (!gpus->busy.empty() && gpus->busy.back() >= gpus->types.size())) {
            std::abort();
        }
    }
    return 0;
}
