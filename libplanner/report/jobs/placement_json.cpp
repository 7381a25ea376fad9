// Which GPUs was a job promised, as programs read it?
#include "libplanner/report/jobs/placement_json.hpp"

#include "libplanner/report/jobs/decision_token.hpp"

namespace hora::report {

nlohmann::ordered_json json_of(const domain::Placement& placement) {
    if (placement.promise == domain::Promise::nothing) {
        return nullptr;
    }
    nlohmann::ordered_json object{{"promise", name_of(placement.promise)},
                                  {"what", placement.what},
                                  {"enforced", placement.is_enforced}};
    if (placement.is_enforced) {
        object["free"] = placement.is_free;
        object["wait"] = placement.wait.count();
    }
    return object;
}

}  // namespace hora::report
