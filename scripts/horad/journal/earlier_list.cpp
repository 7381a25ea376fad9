// What did a horad before the journal leave of a list?
#include "scripts/horad/journal/earlier_list.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "libplanner/read/file.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::horad {
namespace {

constexpr std::size_t largest_file = std::size_t{64} << 20;

}  // namespace

Expected<EarlierText> read_earlier_text(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        return errno == ENOENT ? Expected<EarlierText>(EarlierText{})
                               : failure(fmt::format("cannot look at {}: {}", read::quoted(path),
                                                     std::strerror(errno)));
    }
    if (!S_ISREG(status.st_mode)) {
        return EarlierText{.text = {}, .damage = Error{"it is no regular file"}};
    }
    auto text = read::read_file(path, largest_file);
    if (!text && static_cast<std::size_t>(status.st_size) > largest_file) {
        return EarlierText{.text = {}, .damage = text.error()};
    }
    return text ? Expected<EarlierText>(EarlierText{.text = *std::move(text), .damage = {}})
                : unexpected(text.error());
}

Expected<nlohmann::json> parse_object(const std::string& text) {
    auto document = nlohmann::json::parse(text, nullptr, false);
    if (document.is_discarded() || !document.is_object()) {
        return failure("it is no JSON object");
    }
    return document;
}

Error set_damaged_aside(const std::string& path, const Error& damage) {
    const auto aside = scripts::set_aside(path);
    return {fmt::format("{} is damaged: {}; {}", read::quoted(path), damage.message,
                        aside ? "it is set aside as " + read::quoted(*aside)
                              : aside.error().message + "; move it away")};
}

Expected<void> remove_earlier(const std::string& path) {
    return ::unlink(path.c_str()) == 0 || errno == ENOENT
               ? Expected<void>()
               : failure(fmt::format("cannot remove {}, which the journal has taken over: {}",
                                     read::quoted(path), std::strerror(errno)));
}

}  // namespace hora::horad
