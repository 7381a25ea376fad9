// What does TensorFlow need to know of its step? (TF_CONFIG)
#include "plugins/spank/variables/tf_config.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace hora::spank {
namespace {

struct Seat {
    const char* type = "worker";
    std::size_t index = 0;
};

}  // namespace

std::string tf_config(const StepLayout& layout, std::optional<std::uint32_t> server,
                      const std::function<std::uint16_t(std::uint32_t local_rank)>& port) {
    if (layout.world < 2) {
        return {};
    }
    const bool has_chief = server.has_value() && layout.world >= 3;
    nlohmann::json cluster = nlohmann::json::object();
    Seat own;
    std::uint32_t place = 0;
    for (std::size_t node = 0; node < layout.nodes.size(); ++node) {
        for (std::uint32_t task = 0; task < layout.tasks_per_node[node]; ++task, ++place) {
            const char* const type = place == server                           ? "ps"
                                     : has_chief && !cluster.contains("chief") ? "chief"
                                                                               : "worker";
            nlohmann::json& seats = cluster[type];
            if (place == layout.place()) {
                own = {type, seats.size()};
            }
            seats.push_back(fmt::format("{}:{}", layout.nodes[node], port(task)));
        }
    }
    const nlohmann::json config{{"cluster", cluster},
                                {"task", {{"type", own.type}, {"index", own.index}}}};
    std::string text = config.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    return text.size() > longest_tf_config ? std::string() : text;
}

}  // namespace hora::spank
