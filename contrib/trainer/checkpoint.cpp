// What a training needs to go on after a restart, and how it is kept on disk.
#include "contrib/trainer/checkpoint.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <utility>

#include "contrib/trainer/file.hpp"

namespace hora::trainer {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view name_prefix = "checkpoint-";
constexpr std::string_view ready_name = "READY";

// A checkpoint is written and read on one kind of machine: the header and the arrays as they are
// in memory, and their checksum behind them.
struct Header {
    char magic[8] = {'d', 'i', 'g', 'i', 't', 's', '\n', '1'};
    Identity identity;
    std::uint64_t step = 0;
    double epoch_loss = 0;
    double last_loss = 0;
    double seconds = 0;
};
static_assert(std::is_trivially_copyable_v<Header>);

using Checksum = std::uint64_t;

Checksum checksum(std::string_view bytes) {
    return crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
}

void append(std::string& bytes, const void* data, std::size_t size) {
    bytes.append(static_cast<const char*>(data), size);
}

std::string to_bytes(const Checkpoint& checkpoint, const Identity& identity) {
    Header header;
    header.identity = identity;
    header.step = checkpoint.step;
    header.epoch_loss = checkpoint.epoch_loss;
    header.last_loss = checkpoint.last_loss;
    header.seconds = checkpoint.seconds;
    std::string bytes;
    append(bytes, &header, sizeof header);
    append(bytes, checkpoint.parameters.data(), checkpoint.parameters.size() * sizeof(double));
    append(bytes, checkpoint.velocity.data(), checkpoint.velocity.size() * sizeof(double));
    const Checksum sum = checksum(bytes);
    append(bytes, &sum, sizeof sum);
    return bytes;
}

bool has_magic(const Header& header) {
    return std::memcmp(header.magic, Header().magic, sizeof header.magic) == 0;
}

// Bytes of a file that begins so; it may be of a larger network than this one.
Expected<std::size_t> most_bytes(const std::string& path) {
    constexpr std::uint64_t most_parameters = std::uint64_t{1} << 40U;
    Header header;
    std::ifstream file(path, std::ios::binary);
    if (!file.read(reinterpret_cast<char*>(&header), sizeof header) || !has_magic(header)) {
        return failure("not a checkpoint");
    }
    if (header.identity.parameters > most_parameters) {
        return failure("damaged");
    }
    return sizeof header + 2 * header.identity.parameters * sizeof(double) + sizeof(Checksum);
}

Expected<std::string> read_checkpoint(const std::string& path) {
    const auto most = most_bytes(path);
    return most ? read_file(path, *most) : unexpected(most.error());
}

struct Found {
    Identity identity;
    Checkpoint checkpoint;
};

Expected<Found> from_bytes(std::string_view bytes) {
    Header header;
    if (bytes.size() < sizeof header + sizeof(Checksum)) {
        return failure("damaged");
    }
    const std::string_view body = bytes.substr(0, bytes.size() - sizeof(Checksum));
    Checksum sum = 0;
    std::memcpy(&sum, bytes.data() + body.size(), sizeof sum);
    std::memcpy(static_cast<void*>(&header), body.data(), sizeof header);
    const std::size_t array = header.identity.parameters * sizeof(double);
    const std::size_t arrays = body.size() - sizeof header;
    if (sum != checksum(body) || (arrays != array && arrays != 2 * array)) {
        return failure("damaged");
    }
    Found found{.identity = header.identity, .checkpoint = {}};
    Checkpoint& checkpoint = found.checkpoint;
    checkpoint.step = header.step;
    checkpoint.epoch_loss = header.epoch_loss;
    checkpoint.last_loss = header.last_loss;
    checkpoint.seconds = header.seconds;
    const auto values_at = [&](std::size_t offset) {
        std::vector<double> values(header.identity.parameters);
        if (values.empty()) {  // it points nowhere
            return values;
        }
        std::memcpy(values.data(), body.data() + sizeof header + offset, array);
        return values;
    };
    checkpoint.parameters = values_at(0);
    if (arrays > array) {
        checkpoint.velocity = values_at(array);
    }
    return found;
}

// Names of checkpoints, newest first: the step in the name has a fixed number of digits.
std::vector<std::string> checkpoint_names(const std::string& folder) {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        std::string name = entry.path().filename();
        if (name.starts_with(name_prefix)) {
            names.push_back(std::move(name));
        }
    }
    std::sort(names.begin(), names.end(), std::greater<>());
    return names;
}

}  // namespace

Expected<void> CheckpointFolder::prepare() const {
    std::error_code error;
    fs::create_directories(path_, error);
    if (error) {
        return failure(
            fmt::format("cannot make the checkpoint folder \"{}\": {}", path_, error.message()));
    }
    withdraw();
    for (const auto& entry : fs::directory_iterator(path_, error)) {
        const std::string name = entry.path().filename();
        if (name.starts_with(unfinished_prefix)) {
            fs::remove(entry.path(), error);
        }
    }
    return {};
}

Expected<void> CheckpointFolder::write(const Checkpoint& checkpoint,
                                       const Identity& identity) const {
    const std::string name = fmt::format("{}{:010}", name_prefix, checkpoint.step);
    if (auto written = replace_file(path_, name, to_bytes(checkpoint, identity)); !written) {
        return unexpected(written.error().within("no checkpoint, training goes on"));
    }
    bool has_older = false;
    for (const std::string& other : checkpoint_names(path_)) {
        if (other < name && std::exchange(has_older, true)) {
            std::error_code error;  // one file too many does no harm
            fs::remove(path_ + "/" + other, error);
        }
    }
    return {};
}

Expected<std::optional<Checkpoint>> CheckpointFolder::newest(
    const Identity& identity, std::vector<std::string>& skipped) const {
    for (const std::string& name : checkpoint_names(path_)) {
        const std::string path = path_ + "/" + name;
        const auto bytes = read_checkpoint(path);
        auto found = bytes ? from_bytes(*bytes) : unexpected(bytes.error());
        if (!found) {
            skipped.push_back(
                fmt::format("skipping the checkpoint \"{}\": {}", path, found.error().message));
            continue;
        }
        if (!(found->identity == identity)) {
            return failure(fmt::format(
                "the checkpoint \"{}\" is of another training (seed {}, batch {}, rate {}, {} "
                "samples, {} parameters); use its settings and data, or another folder",
                path, found->identity.seed, found->identity.batch, found->identity.rate,
                found->identity.samples, found->identity.parameters));
        }
        return std::move(found->checkpoint);
    }
    return std::nullopt;
}

Expected<void> CheckpointFolder::announce(std::uint64_t step,
                                          const std::string& restart_count) const {
    return replace_file(path_, std::string(ready_name),
                        fmt::format("{} {}\n", step, restart_count));
}

bool CheckpointFolder::is_announced() const {
    std::error_code error;
    return fs::exists(fmt::format("{}/{}", path_, ready_name), error);
}

void CheckpointFolder::withdraw() const {
    std::error_code error;  // not there is as good as removed
    fs::remove(fmt::format("{}/{}", path_, ready_name), error);
}

}  // namespace hora::trainer
