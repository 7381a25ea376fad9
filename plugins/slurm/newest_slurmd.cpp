// When was a slurmd last started?
#include "plugins/slurm/newest_slurmd.hpp"

#include <slurm/slurm_errno.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include "libplanner/read/slurm/hostlist.hpp"
#include "plugins/slurm/messages.hpp"

namespace hora::slurm {

Expected<std::optional<std::int64_t>> newest_slurmd(std::string_view nodes) {
    auto names = nodes.empty() ? Expected<std::vector<std::string>>(std::vector<std::string>())
                               : read::expand_hostlist(nodes);
    if (!names) {
        return unexpected(names.error());
    }
    const auto list = load_nodes();
    if (!list && errno == ESLURM_ACCESS_DENIED) {
        return std::nullopt;
    }
    if (!list) {
        return unexpected(list.error());
    }
    std::sort(names->begin(), names->end());
    std::int64_t newest = 0;
    for (std::uint32_t i = 0; i < (*list)->record_count; ++i) {
        const node_info_t& node = (*list)->node_array[i];
        if (names->empty() ||
            std::binary_search(names->begin(), names->end(), text_of(node.name))) {
            newest = std::max<std::int64_t>(newest, node.slurmd_start_time);
        }
    }
    return newest;
}

}  // namespace hora::slurm
