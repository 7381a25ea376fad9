// Where does a job keep its checkpoints?
#include "libplanner/read/settings/checkpoint_path.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "libplanner/base/nearest.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

constexpr std::size_t longest_path = 4000;  // leaves room below PATH_MAX for the files in it
constexpr std::array<std::string_view, 5> names{"user", "uid", "cluster", "job", "submit"};

// A name from outside may not climb out of the folder or add parts to the path.
std::string as_part(std::string_view name) {
    std::string part(name);
    std::replace_if(
        part.begin(), part.end(),
        [](char letter) { return letter == '/' || static_cast<unsigned char>(letter) < 0x20; },
        '_');
    return part.empty() || part == "." || part == ".." ? "_" : part;
}

Expected<std::string> value_of(std::string_view name, const CheckpointOwner& owner) {
    if (name == "user") {
        return as_part(owner.user);
    }
    if (name == "uid") {
        return std::to_string(owner.uid);
    }
    if (name == "cluster") {
        return as_part(owner.cluster);
    }
    if (name == "job") {
        return std::to_string(owner.job);
    }
    if (name == "submit") {
        return std::to_string(owner.submit);
    }
    return failure(fmt::format("unknown name {} in checkpoint.path; use {{{}}}{}", quoted(name),
                               fmt::join(names, "}, {"), did_you_mean(name, names)));
}

Expected<std::string> fill(std::string_view path_template, const CheckpointOwner& owner) {
    std::string path;
    while (!path_template.empty()) {
        const std::size_t open = path_template.find('{');
        path += path_template.substr(0, open);
        if (open == std::string_view::npos) {
            break;
        }
        const std::size_t close = path_template.find('}', open);
        if (close == std::string_view::npos) {
            return failure("checkpoint.path has a '{' without its '}'");
        }
        const auto value = value_of(path_template.substr(open + 1, close - open - 1), owner);
        if (!value) {
            return unexpected(value.error());
        }
        path += *value;
        path_template.remove_prefix(close + 1);
    }
    return path;
}

bool climbs(std::string_view path) {
    return ("/" + std::string(path) + "/").find("/../") != std::string::npos;
}

// Its parts alone: behind a slash or "/." at its end a link in the folder's place would be
// followed, and the folder above would be taken for another.
std::string normalised(std::string_view path) {
    std::string parts;
    const bool is_absolute = path.starts_with('/');
    while (!path.empty()) {
        const std::size_t end = std::min(path.find('/'), path.size());
        const std::string_view part = path.substr(0, end);
        if (!part.empty() && part != ".") {
            parts += parts.empty() && !is_absolute ? "" : "/";
            parts += part;
        }
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return parts;
}

}  // namespace

bool is_default_place(std::string_view folder, std::uint32_t uid) {
    folder.remove_prefix(folder.rfind('/') + 1);  // npos + 1 is 0
    return folder == fmt::format(".hora-{}", uid);
}

Expected<std::string> checkpoint_path(std::string_view path_template,
                                      const CheckpointOwner& owner) {
    const std::string_view used = path_template.empty() ? default_checkpoint_path : path_template;
    for (const std::string_view needed : {"{job}", "{submit}"}) {
        if (used.find(needed) == std::string_view::npos) {
            return failure(fmt::format("checkpoint.path {} lacks {}: jobs would share a folder",
                                       quoted(used), needed));
        }
    }
    auto path = fill(used, owner);
    if (!path) {
        return path;
    }
    if (climbs(*path)) {
        return failure(fmt::format("checkpoint.path {} holds \"..\"", quoted(used)));
    }
    *path = normalised(*path);
    if (!path->starts_with('/')) {
        if (!owner.work_directory.starts_with('/')) {
            return failure("the job's working directory is not known");
        }
        const bool is_root = owner.work_directory == "/";
        *path = owner.work_directory + (is_root ? "" : "/") + *path;
    }
    if (path->size() > longest_path) {
        return failure(
            fmt::format("the checkpoint folder's path is longer than {} characters", longest_path));
    }
    return path;
}

}  // namespace hora::read
