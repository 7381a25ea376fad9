// What a training needs to go on after a restart, and how it is kept on disk.
#include "contrib/trainer/checkpoint.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
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

// A checkpoint is written and read on one kind of machine: the headers and the arrays as they are
// in memory, and their checksum behind them.
constexpr std::string_view old_magic("digits\n1", 8);  // without a WorkHeader
constexpr std::string_view new_magic("digits\n2", 8);

struct Header {
    char magic[8] = {};
    Identity identity;
    std::uint64_t step = 0;
    double epoch_loss = 0;
    double last_loss = 0;
    double seconds = 0;
};

// How far the steps came, which may have been of several batches.
struct WorkHeader {
    double work = 0;
    std::uint64_t epoch = 0;
    std::uint64_t position = 0;
    NoiseScale::State noise;
};
static_assert(std::is_trivially_copyable_v<Header> && std::is_trivially_copyable_v<WorkHeader>);

using Checksum = std::uint64_t;

Checksum checksum(std::string_view bytes) {
    return crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
}

void append(std::string& bytes, const void* data, std::size_t size) {
    bytes.append(static_cast<const char*>(data), size);
}

std::string to_bytes(const Checkpoint& checkpoint, const Identity& identity) {
    Header header;
    std::ranges::copy(new_magic, header.magic);
    header.identity = identity;
    header.step = checkpoint.step;
    header.epoch_loss = checkpoint.epoch_loss;
    header.last_loss = checkpoint.last_loss;
    header.seconds = checkpoint.seconds;
    const WorkHeader work{.work = checkpoint.work,
                          .epoch = checkpoint.epoch,
                          .position = checkpoint.position,
                          .noise = checkpoint.noise};
    std::string bytes;
    append(bytes, &header, sizeof header);
    append(bytes, &work, sizeof work);
    append(bytes, checkpoint.parameters.data(), checkpoint.parameters.size() * sizeof(double));
    append(bytes, checkpoint.velocity.data(), checkpoint.velocity.size() * sizeof(double));
    const Checksum sum = checksum(bytes);
    append(bytes, &sum, sizeof sum);
    return bytes;
}

std::string_view magic_of(const Header& header) {
    return {header.magic, sizeof header.magic};
}

// Bytes of a file that begins so; it may be of a larger network than this one.
Expected<std::size_t> most_bytes(const std::string& path) {
    constexpr std::uint64_t most_parameters = std::uint64_t{1} << 40U;
    Header header;
    std::ifstream file(path, std::ios::binary);
    if (!file.read(reinterpret_cast<char*>(&header), sizeof header) ||
        (magic_of(header) != old_magic && magic_of(header) != new_magic)) {
        return failure("not a checkpoint");
    }
    if (header.identity.parameters > most_parameters) {
        return failure("damaged");
    }
    return sizeof header + sizeof(WorkHeader) + 2 * header.identity.parameters * sizeof(double) +
           sizeof(Checksum);
}

Expected<std::string> read_checkpoint(const std::string& path) {
    const auto most = most_bytes(path);
    return most ? read_file(path, *most) : unexpected(most.error());
}

struct Found {
    Identity identity;
    Checkpoint checkpoint;
};

// The next bytes, taken off `rest`; false where it has too few.
template <class T>
bool take(std::string_view& rest, T& value) {
    if (rest.size() < sizeof value) {
        return false;
    }
    std::memcpy(static_cast<void*>(&value), rest.data(), sizeof value);
    rest.remove_prefix(sizeof value);
    return true;
}

// How far so many steps of one batch came.
WorkHeader after_equal_steps(std::uint64_t step, const Identity& identity) {
    const std::uint64_t batch = std::max<std::uint64_t>(identity.batch, 1);
    const std::uint64_t in_epoch =
        std::max<std::uint64_t>((identity.samples + batch - 1) / batch, 1);
    return {.work = static_cast<double>(step),
            .epoch = step / in_epoch,
            .position = step % in_epoch * batch,
            .noise = {}};
}

bool is_possible(const WorkHeader& work, const Identity& identity) {
    const NoiseScale::State& noise = work.noise;
    return std::isfinite(work.work) && work.work >= 0 &&
           (work.position == 0 || work.position < identity.samples) &&
           std::isfinite(noise.signal) && std::isfinite(noise.noise) && noise.weight >= 0 &&
           noise.weight <= 1 && std::isfinite(noise.value) && noise.value >= 0;
}

Expected<Found> from_bytes(std::string_view bytes) {
    Header header;
    WorkHeader work;
    Checksum sum = 0;
    if (bytes.size() < sizeof sum) {
        return failure("damaged");
    }
    const std::string_view body = bytes.substr(0, bytes.size() - sizeof sum);
    std::memcpy(&sum, bytes.data() + body.size(), sizeof sum);
    std::string_view rest = body;
    if (sum != checksum(body) || !take(rest, header)) {
        return failure("damaged");
    }
    if (magic_of(header) == old_magic) {
        work = after_equal_steps(header.step, header.identity);
    } else if (!take(rest, work)) {
        return failure("damaged");
    }
    const std::size_t array = header.identity.parameters * sizeof(double);
    if ((rest.size() != array && rest.size() != 2 * array) || !is_possible(work, header.identity)) {
        return failure("damaged");
    }
    Found found{.identity = header.identity, .checkpoint = {}};
    Checkpoint& checkpoint = found.checkpoint;
    checkpoint.step = header.step;
    checkpoint.work = work.work;
    checkpoint.epoch = work.epoch;
    checkpoint.position = work.position;
    checkpoint.noise = work.noise;
    checkpoint.epoch_loss = header.epoch_loss;
    checkpoint.last_loss = header.last_loss;
    checkpoint.seconds = header.seconds;
    const auto values_at = [&](std::size_t offset) {
        std::vector<double> values(header.identity.parameters);
        if (values.empty()) {  // it points nowhere
            return values;
        }
        std::memcpy(values.data(), rest.data() + offset, array);
        return values;
    };
    checkpoint.parameters = values_at(0);
    if (rest.size() > array) {
        checkpoint.velocity = values_at(array);
    }
    return found;
}

// Names that begin so, of files in the folder, in descending order: the newest checkpoint first, as
// the step in its name has a fixed number of digits.
Expected<std::vector<std::string>> names_in(const std::string& folder, std::string_view prefix) {
    std::vector<std::string> names;
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    while (!error && entry != fs::directory_iterator()) {
        std::string name = entry->path().filename();
        if (name.starts_with(prefix)) {
            names.push_back(std::move(name));
        }
        entry.increment(error);
    }
    if (error) {
        return failure(
            fmt::format("cannot read the checkpoint folder \"{}\": {}", folder, error.message()));
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
    return names_in(path_, unfinished_prefix).map([&](const std::vector<std::string>& names) {
        for (const std::string& name : names) {
            fs::remove(path_ + "/" + name, error);
        }
    });
}

Expected<void> CheckpointFolder::write(const Checkpoint& checkpoint,
                                       const Identity& identity) const {
    const std::string name = fmt::format("{}{:010}", name_prefix, checkpoint.step);
    if (auto written = replace_file(path_, name, to_bytes(checkpoint, identity)); !written) {
        return unexpected(written.error().within("no checkpoint, training goes on"));
    }
    bool has_older = false;
    const auto others = names_in(path_, name_prefix).value_or(std::vector<std::string>());
    for (const std::string& other : others) {
        if (other < name && std::exchange(has_older, true)) {
            std::error_code error;  // one file too many does no harm
            fs::remove(path_ + "/" + other, error);
        }
    }
    return {};
}

Expected<std::optional<Checkpoint>> CheckpointFolder::newest(
    const Identity& identity, std::vector<std::string>& skipped) const {
    const auto names = names_in(path_, name_prefix);
    if (!names) {
        return unexpected(names.error());
    }
    for (const std::string& name : *names) {
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
