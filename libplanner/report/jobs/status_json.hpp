// How is what the daemon knows written down for those who ask?
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "libplanner/domain/status.hpp"

namespace hora::report {

// JSON with "format": "hora-status" and "version": 1, one trailing newline; read::read_status()
// gives an equal value. Text is cut and made printable, for users choose some of it.
std::string to_json(const domain::Status& status);
nlohmann::ordered_json json_of(const domain::StatusHold& held);

}  // namespace hora::report
