// What happens in sbatch, salloc and srun: options are checked, and the model is read.
#pragma once

#include <string>

#include "libplanner/domain/job_options.hpp"
#include "plugins/spank/settings_source.hpp"
#include "plugins/spank/slurm_spank.hpp"

namespace hora::spank {

class SubmitSide {
  public:
    // `asks_for_job`: a job is to come of it, not a step within one.
    void start(SettingsSource source, bool asks_for_job);

    // One option as it was typed. False, having told the user what is wrong, if it is refused: then
    // Slurm adds "Invalid --NAME argument" and ends with 255.
    bool take(std::string_view name, std::string_view value);

    bool has_options() const { return has_options_; }

    // All options are known: hands on what job_submit and the nodes need.
    void finish(spank_t spank);

  private:
    bool read_model();

    SettingsSource source_;
    bool asks_for_job_ = false;
    bool has_options_ = false;
    bool has_warned_ = false;
    domain::JobOptions options_;
    std::string workload_;
    std::string remark_;  // the last one shown
};

}  // namespace hora::spank
