// What came of the job's earlier starts, as this program noted it in the checkpoint folder?
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/base/units.hpp"

namespace hora::watch {

// One start. Its line is written when it begins, and anew when it ends in a requeue at a
// checkpoint.
struct PastStart {
    std::uint32_t restarts = 0;  // SLURM_RESTART_COUNT that it had
    std::uint64_t step = 0;      // of its checkpoint; 0: none that ended it
    Seconds ran{};               // from its start to there

    friend bool operator==(const PastStart&, const PastStart&) = default;
};

// A line "RESTARTS STEP SECONDS" each, ascending by restarts; of two for one start the later one
// holds, and what is no such line is passed over.
std::vector<PastStart> read_starts(std::string_view text);
std::string to_line(const PastStart& start);

// What is noted in the folder; nothing where no file is there.
std::vector<PastStart> load_starts(const std::string& folder);
// Durable when it returns. Fails, naming the file, where it cannot be written.
Expected<void> note_start(const std::string& folder, const PastStart& start);

}  // namespace hora::watch
