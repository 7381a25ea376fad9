// What does slurmctld answer to a client whose request Hora does not take as it is?
#include "plugins/job_submit/reply.hpp"

#include <cstddef>
#include <string>

#include "libplanner/read/character_cut.hpp"
#include "plugins/job_submit/log.hpp"
#include "plugins/slurm/compat.hpp"

namespace hora::submit {
namespace {

// Three lines with a constraint or a list of nodes that a person may have typed.
constexpr std::size_t longest = 4096;

}  // namespace

void tell(char** message, std::string_view text) {
    if (message != nullptr) {
        std::string shown(read::cut_between_characters(text, longest));
        if (text.size() > longest) {
            shown += "...";
        }
        slurm::set_string(*message, shown.c_str());
    }
}

int refuse(char** message, std::string_view text, int error, std::string_view whose) {
    tell(message, "hora: " + std::string(text));
    log_info("refused: " + std::string(whose) + std::string(text));
    return error;
}

}  // namespace hora::submit
