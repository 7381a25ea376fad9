// What a training needs to go on after a restart, and how it is kept on disk.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "contrib/trainer/noise_scale.hpp"
#include "libplanner/base/error.hpp"

namespace hora::trainer {

// A checkpoint continues only the training it came from. The number of ranks is not part of it, nor
// is a batch above the smallest one.
struct Identity {
    std::uint64_t seed = 0;
    std::uint64_t batch = 0;  // the smallest one, where it may change at a restart
    std::uint64_t samples = 0;
    std::uint64_t data_checksum = 0;
    std::uint64_t parameters = 0;
    double rate = 0;

    friend bool operator==(const Identity&, const Identity&) = default;
};

struct Checkpoint {
    std::uint64_t step = 0;      // steps done
    double work = 0;             // what they were worth, in steps of the smallest batch
    std::uint64_t epoch = 0;     // whole ones done
    std::uint64_t position = 0;  // samples of the next epoch that are done
    NoiseScale::State noise{};
    double epoch_loss = 0;  // sum over the samples of the epoch so far
    double last_loss = 0;   // mean of the last whole epoch
    double seconds = 0;     // trained so far
    std::vector<double> parameters;
    std::vector<double> velocity;  // as many, or none
};

// One folder of one training; only rank 0 touches it.
class CheckpointFolder {
  public:
    explicit CheckpointFolder(std::string path) : path_(std::move(path)) {}

    // Makes the folder if need be and clears away what an interrupted writer left: unfinished
    // checkpoints, and a READY without an answer. Fails where the folder cannot be read.
    Expected<void> prepare() const;
    // Under a temporary name, fsynced, renamed; a failure leaves nothing behind. Of the older ones
    // only the newest is kept.
    Expected<void> write(const Checkpoint& checkpoint, const Identity& identity) const;
    // The newest complete one, empty if there is none; a line in `skipped` for each newer file that
    // cannot be used. Fails where the newest complete one is of another training, and where the
    // folder cannot be read: training would begin anew.
    Expected<std::optional<Checkpoint>> newest(const Identity& identity,
                                               std::vector<std::string>& skipped) const;

    // READY says that the requested checkpoint is complete.
    Expected<void> announce(std::uint64_t step, const std::string& restart_count) const;
    bool is_announced() const;
    void withdraw() const;

  private:
    std::string path_;
};

}  // namespace hora::trainer
