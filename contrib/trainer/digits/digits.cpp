// The handwritten digits: reads the file and splits it.
#include "contrib/trainer/digits/digits.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <charconv>
#include <string_view>

#include "contrib/trainer/data_file.hpp"
#include "contrib/trainer/shuffle.hpp"

namespace hora::trainer {
namespace {

constexpr std::size_t largest_file = 16 << 20;  // the real one is 0.5 MB
constexpr double darkest_pixel = 16;

Expected<std::string> unpacked_text(const std::string& path) {
    std::string text;
    const auto read = read_parts({.path = path, .what = "the digits", .package = "python3-sklearn"},
                                 [&](std::span<const char> part) {
                                     text.append(part.data(), part.size());
                                     return text.size() <= largest_file;
                                 });
    if (!read) {
        return unexpected(read.error());
    }
    if (text.size() > largest_file) {
        return failure(
            fmt::format("\"{}\" is too large for the digits; name another file with --data", path));
    }
    return text;
}

// The number at the start of `rest`, taken off it together with the comma behind it.
bool take_number(std::string_view& rest, double& number) {
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (error != std::errc()) {
        return false;
    }
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (rest.starts_with(',')) {
        rest.remove_prefix(1);
    }
    return true;
}

bool read_line(std::string_view line, Digit& digit) {
    for (double& pixel : digit.pixels) {
        if (!take_number(line, pixel) || !(pixel >= 0 && pixel <= darkest_pixel)) {
            return false;
        }
        pixel /= darkest_pixel;
    }
    double label = 0;
    if (!take_number(line, label) || !line.empty() || !(label >= 0 && label < class_count)) {
        return false;
    }
    digit.label = static_cast<std::size_t>(label);
    return static_cast<double>(digit.label) == label;
}

Expected<std::vector<Digit>> read_lines(std::string_view text, const std::string& path) {
    std::vector<Digit> digits;
    for (std::size_t number = 1; !text.empty(); ++number) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        Digit digit;
        if (!read_line(line, digit)) {
            return failure(fmt::format(
                "\"{}\", line {}: not {} pixels from 0 to 16 and a digit, between commas", path,
                number, image_size));
        }
        digits.push_back(digit);
    }
    return digits;
}

}  // namespace

Expected<Digits> read_digits(const std::string& path, std::uint64_t seed) {
    const auto text = unpacked_text(path);
    if (!text) {
        return unexpected(text.error());
    }
    auto all = read_lines(*text, path);
    if (!all) {
        return unexpected(all.error());
    }
    constexpr std::size_t parts = 5;
    if (all->size() < parts) {
        return failure(fmt::format("\"{}\" holds {} images; at least {} are needed", path,
                                   all->size(), parts));
    }
    shuffle(*all, seed);
    const auto first_test =
        all->begin() + static_cast<std::ptrdiff_t>(all->size() - all->size() / parts - 1);
    Digits digits;
    digits.training.assign(all->begin(), first_test);
    digits.test.assign(first_test, all->end());
    digits.checksum = static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(text->data()), static_cast<uInt>(text->size())));
    return digits;
}

}  // namespace hora::trainer
