// What does one line of NCCL's log say?
#include "libplanner/read/nccl/nccl_line.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace hora::read {
namespace {

constexpr std::string_view marker = " NCCL INFO ";
constexpr std::string_view blanks = " \t\r";

std::string_view take_word(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    const std::string_view word = text.substr(0, text.find_first_of(blanks));
    text.remove_prefix(word.size());
    return word;
}

std::optional<std::uint32_t> number(std::string_view word) {
    std::uint32_t value = 0;
    const char* const end = word.data() + word.size();
    const auto [stop, problem] = std::from_chars(word.data(), end, value);
    return problem == std::errc() && stop == end && !word.empty() ? std::optional(value)
                                                                  : std::nullopt;
}

struct Origin {
    std::string_view thread;  // "host:pid:tid"
    std::string_view host;
};

// Of "[1,2]<stdout>:host:pid:tid [0]", whatever stands before.
std::optional<Origin> origin_of(std::string_view head) {
    const std::size_t bracket = head.rfind('[');
    if (bracket == head.npos || bracket == 0) {
        return std::nullopt;
    }
    std::string_view word = head.substr(0, head.find_last_not_of(blanks, bracket - 1) + 1);
    word = word.substr(word.find_last_of(blanks) + 1);  // npos + 1 is 0
    const std::size_t thread = word.rfind(':');
    const std::size_t process = thread == 0 ? word.npos : word.rfind(':', thread - 1);
    if (thread == word.npos || process == word.npos || process == 0) {
        return std::nullopt;
    }
    const std::size_t before = word.rfind(':', process - 1);
    word.remove_prefix(before == word.npos ? 0 : before + 1);
    return Origin{word, word.substr(0, word.find(':'))};
}

// "Channel 00/02 :" or "Ring 00 :", of which the channel's number is taken off.
std::optional<std::uint32_t> take_channel(std::string_view& line, std::string_view word) {
    if (take_word(line) != word) {
        return std::nullopt;
    }
    std::string_view name = take_word(line);
    name = name.substr(0, name.find('/'));
    return take_word(line) == ":" ? number(name) : std::nullopt;
}

std::optional<std::vector<std::uint32_t>> take_ranks(std::string_view line) {
    std::vector<std::uint32_t> ranks;
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
        const auto rank = number(word);
        if (!rank) {
            return std::nullopt;  // a connection: "0[1a000] -> 1[1b000] via P2P/IPC"
        }
        ranks.push_back(*rank);
    }
    return ranks.empty() ? std::nullopt : std::optional(std::move(ranks));
}

// "3 -> 0 -> 1" and nothing behind it.
std::optional<NcclRingStep> take_step(std::uint32_t channel, std::string_view line) {
    const auto before = number(take_word(line));
    const bool is_first = take_word(line) == "->";
    const auto rank = number(take_word(line));
    const bool is_second = take_word(line) == "->";
    const auto next = number(take_word(line));
    const bool is_good = before && is_first && rank && is_second && next && take_word(line).empty();
    return is_good ? std::optional(NcclRingStep{channel, *rank, *next}) : std::nullopt;
}

std::optional<NcclIdentity> take_identity(std::string_view line, std::string_view host) {
    NcclIdentity identity;
    identity.self.host = host;
    identity.is_start = line.find("Init START") != line.npos;
    const std::size_t comm = line.find("comm 0x");
    if (comm == line.npos || (!identity.is_start && line.find("Init COMPLETE") == line.npos)) {
        return std::nullopt;
    }
    line.remove_prefix(comm);
    std::optional<std::uint32_t> rank;
    std::optional<std::uint32_t> size;
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
        if (word == "rank") {
            rank = number(take_word(line));
        } else if (word == "nranks") {
            size = number(take_word(line));
        } else if (word == "cudaDev") {
            identity.self.cuda_device = number(take_word(line)).value_or(0);
        } else if (word == "nvmlDev") {
            identity.self.nvml_device = number(take_word(line));
        } else if (word == "busId") {
            identity.self.address = parse_nccl_bus_id(take_word(line));
        } else if (word == "commId") {
            identity.id = take_word(line);
        }
    }
    if (!rank || !size || *rank >= *size) {
        return std::nullopt;
    }
    identity.self.rank = *rank;
    identity.size = *size;
    return identity;
}

}  // namespace

std::optional<domain::PciAddress> parse_nccl_bus_id(std::string_view hex) {
    std::uint64_t id = 0;
    const char* const end = hex.data() + hex.size();
    const auto [stop, problem] = std::from_chars(hex.data(), end, id, 16);
    const std::uint64_t device = id >> 4 & 0xff;
    if (problem != std::errc() || stop != end || hex.empty() || id >> 52 != 0 || device > 0x1f ||
        (id & 0xf) > 7) {
        return std::nullopt;
    }
    return domain::PciAddress{
        static_cast<std::uint32_t>(id >> 20), static_cast<std::uint8_t>(id >> 12 & 0xff),
        static_cast<std::uint8_t>(device), static_cast<std::uint8_t>(id & 0xf)};
}

std::optional<NcclLine> parse_nccl_line(std::string_view line) {
    const std::size_t at = line.find(marker);
    const auto origin = at == line.npos ? std::nullopt : origin_of(line.substr(0, at + 1));
    if (!origin) {
        return std::nullopt;
    }
    NcclLine result{origin->thread, origin->host, {}};
    line.remove_prefix(at + marker.size());
    std::string_view rest = line;
    if (const auto channel = take_channel(rest, "Channel")) {
        if (auto ranks = take_ranks(rest)) {
            result.says = NcclRingList{*channel, std::move(*ranks)};
        }
        return result;
    }
    rest = line;
    if (const auto channel = take_channel(rest, "Ring")) {
        if (const auto step = take_step(*channel, rest)) {
            result.says = *step;
        }
        return result;
    }
    if (auto identity = take_identity(line, origin->host)) {
        result.says = std::move(*identity);
    }
    return result;
}

}  // namespace hora::read
