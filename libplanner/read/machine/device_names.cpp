// Which known GPU is meant by a name as users, Slurm's AutoDetect and nvidia-smi write it?
#include "libplanner/read/machine/device_names.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>

#include "libplanner/base/lower_case.hpp"
#include "libplanner/read/machine/device_catalog.hpp"

namespace hora::read {
namespace {

enum class Form { any, sxm, pcie };

// What a name says.
struct Words {
    std::string model;  // without a separator: "rtx2080ti"
    Form form = Form::any;
    std::uint32_t memory = 0;  // GB, as boards are sold; 0: not said
};

constexpr std::string_view separators = "-_ ./:=()";
// Of vendors and lines of boards, and what all boards of a model have.
constexpr std::string_view left_out[] = {"nvidia", "tesla", "geforce",    "quadro", "gpu",
                                         "mem",    "vram",  "generation", "hbm2",   "hbm2e",
                                         "hbm3",   "hbm3e", "memory",     "amd",    "instinct",
                                         "oam",    "mcm",   "ac",         "mba"};

bool is_digit(char character) {
    return character >= '0' && character <= '9';
}

// "80gb" and "80g"; 0 for any other word.
std::uint32_t memory_of(std::string_view word) {
    constexpr std::size_t most_digits = 4;
    const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
    const std::string_view unit = word.substr(digits);
    if (digits == 0 || digits > most_digits || (unit != "gb" && unit != "g" && unit != "gib")) {
        return 0;
    }
    return static_cast<std::uint32_t>(std::stoul(std::string(word.substr(0, digits))));
}

void take_word(Words& words, std::string_view word) {
    const bool is_sxm = word.starts_with("sxm") && word.size() <= 4;
    if (is_sxm || word == "pcie") {
        words.form = is_sxm ? Form::sxm : Form::pcie;
    } else if (const std::uint32_t memory = memory_of(word); memory != 0) {
        words.memory = memory;
    } else if (std::ranges::find(left_out, word) == std::end(left_out)) {
        words.model += word;
    }
}

Words words_of(std::string_view name) {
    const std::string lower = lower_case(name);
    Words words;
    for (std::size_t at = 0; at < lower.size();) {
        const std::size_t end = std::min(lower.find_first_of(separators, at), lower.size());
        take_word(words, std::string_view(lower).substr(at, end - at));
        at = end + 1;
    }
    // The driver writes "RTX A6000" for what people call an A6000.
    if (words.model.starts_with("rtxa") && words.model.size() > 4 && is_digit(words.model[4])) {
        words.model.erase(0, 3);
    }
    return words;
}

// Drivers report up to a tenth less than a board is sold with.
bool has_memory(const domain::Device& device, const Words& said, std::uint32_t wanted) {
    const double gib = device.memory.count() / (1 << 30);
    return said.memory != 0 ? said.memory == wanted
                            : gib <= wanted && gib >= 0.85 * static_cast<double>(wanted);
}

Words with_features(Words words, const std::vector<std::string>& features) {
    for (const std::string& feature : features) {
        const Words more = words_of(feature);
        if (more.model.empty() || more.model == words.model) {
            words.form = words.form == Form::any ? more.form : words.form;
            words.memory = words.memory == 0 ? more.memory : words.memory;
        }
    }
    return words;
}

}  // namespace

NamedDevice named_device(const std::vector<domain::Device>& devices, std::string_view name,
                         const std::vector<std::string>& features) {
    const Words wanted = with_features(words_of(name), features);
    const domain::Device* const same = find_device(devices, lower_case(name));
    const auto fits = [&](const domain::Device& device, const Words& said) {
        return wanted.memory == 0 || has_memory(device, said, wanted.memory);
    };
    if (wanted.model.empty() || (same != nullptr && fits(*same, words_of(same->name)))) {
        return {same, {}};
    }
    struct Candidate {
        const domain::Device* device;
        Words said;
    };
    std::vector<Candidate> candidates;
    for (const domain::Device& device : devices) {
        const Words said = words_of(device.name);
        if (said.model == wanted.model && fits(device, said)) {
            candidates.push_back({&device, said});
        }
    }
    // The form that was said, else the model's own name, which is the SXM board where there is one.
    const auto rank = [&](const Candidate& one) {
        const bool is_other = wanted.form != Form::any && one.said.form != wanted.form &&
                              !(one.said.form == Form::any && wanted.form == Form::sxm);
        const bool says_more = wanted.form == Form::any && one.said.form != Form::any;
        return std::tuple(is_other, says_more, one.device->memory.count());
    };
    const auto best = std::ranges::min_element(candidates, {}, rank);
    if (best == candidates.end()) {
        return {same, {}};
    }
    NamedDevice named{best->device, {}};
    for (const Candidate& one : candidates) {
        const bool is_alike = std::get<0>(rank(one)) == std::get<0>(rank(*best)) &&
                              std::get<1>(rank(one)) == std::get<1>(rank(*best));
        if (is_alike && one.device->memory != best->device->memory) {
            named.otherwise.push_back(one.device->name);
        }
    }
    return named;
}

}  // namespace hora::read
