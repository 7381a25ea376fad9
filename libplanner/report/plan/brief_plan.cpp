// What can be said of a job's plan where only its word is at hand?
#include "libplanner/report/plan/brief_plan.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "libplanner/base/counted.hpp"
#include "libplanner/domain/mode_names.hpp"
#include "libplanner/report/duration.hpp"
#include "libplanner/report/text/text_table.hpp"

namespace hora::report {

std::string to_text(const BriefJob& job) {
    const domain::PlanWord& word = job.word;
    std::string text =
        fmt::format("job {}      \"{}\", {}\n", job.id, terminal_text(job.name), job.state);
    text += word.has_plan
                ? fmt::format("plan        {} x {} on {}, {}: {} a step{}\n", word.gpus, word.type,
                              counted(word.nodes, "node"), name_of(word.mode),
                              duration(word.step_seconds),
                              word.seconds ? ", " + duration(*word.seconds) + " in all" : "")
                : "plan        none\n";
    return text + fmt::format("request     {}\nkey         {}\n", word.operating, word.key);
}

std::string to_json(const BriefJob& job) {
    using nlohmann::ordered_json;
    const domain::PlanWord& word = job.word;
    ordered_json plan;
    if (word.has_plan) {
        plan = {{"mode", name_of(word.mode)},
                {"gpus", word.gpus},
                {"nodes", word.nodes},
                {"type", word.type},
                {"step_seconds", word.step_seconds.count()},
                {"seconds", nullptr}};
        if (word.seconds) {
            plan["seconds"] = word.seconds->count();
        }
    }
    const ordered_json object{{"version", 1},
                              {"job", job.id},
                              {"name", job.name},
                              {"state", job.state},
                              {"is_brief", true},
                              {"key", word.key},
                              {"operating", word.operating},
                              {"plan", plan}};
    return object.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace hora::report
