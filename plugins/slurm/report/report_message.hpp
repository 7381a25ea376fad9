// What does a running job report of itself, and how is that written?
//
// A report is one short text of plain numbers; what carries it says whose it is. Whoever takes it
// compares that uid with the job's owner, and `restarts` with the job's restart_cnt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/base/units.hpp"

namespace hora::slurm {

enum class ReportKind {
    progress,    // so far it is, and so fast
    checkpoint,  // the checkpoint of `step` is written, and the program waits to be ended
    ended,       // the batch script has ended by itself; nothing more comes of this start
    resize,      // not from the job: an administrator asks for `gpus`; of any start, and
                 // `restarts` is a number that tells apart two that ask for the same
    force,       // the same, though its time limit may end the job then
};

constexpr bool asks_for_gpus(ReportKind kind) {
    return kind == ReportKind::resize || kind == ReportKind::force;
}

struct Report {
    std::uint32_t job = 0;
    std::uint32_t restarts = 0;  // SLURM_RESTART_COUNT of the start that it speaks of
    ReportKind kind = ReportKind::ended;
    std::uint64_t step = 0;  // of progress and checkpoint: steps done since the first start
    // Of progress only, but that `gpus` is what `resize` and `force` ask for.
    std::uint64_t epoch = 0;    // as the program counts them
    std::uint64_t samples = 0;  // trained on since the first start
    Seconds step_seconds{};     // median of the newest steps; 0: not known yet; 11 days at most
    std::uint32_t gpus = 0;     // that this start holds
    std::uint32_t nodes = 0;
    std::uint64_t noise_scale = 0;  // of its gradients, in samples; 0: not said
    std::optional<Seconds> late{};  // of a step, waiting for late ranks; empty: not known

    friend bool operator==(const Report&, const Report&) = default;
};

// Both without the end of the line.
constexpr std::size_t longest_report = 160;
constexpr std::size_t longest_answer = 200;

// "1 JOB RESTARTS progress STEP EPOCH SAMPLES NANOSECONDS GPUS NODES", and NOISE_SCALE after that
// where it is said, and NANOSECONDS that a step waits for late ranks after that where they are
// known (then NOISE_SCALE may be 0); a daemon that does not know these refuses them; "1 JOB
// RESTARTS checkpoint STEP", "1 JOB RESTARTS ended", "1 JOB TAG resize GPUS", "1 JOB TAG force
// GPUS"; the first number is the version.
std::string to_text(const Report& report);

// Fails, saying what is wrong, on a text of any other shape or with a number out of bounds.
Expected<Report> read_report(std::string_view text);

// "ok", or "refused WHY" with control characters and what is too long left out.
std::string answer_text(const Expected<void>& outcome);

// Fails with WHY, and on any other text.
Expected<void> read_answer(std::string_view text);

}  // namespace hora::slurm
