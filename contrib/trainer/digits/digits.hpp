// The handwritten digits: 1,797 images of 8 by 8, and which of them are trained on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"

namespace hora::trainer {

constexpr std::size_t image_side = 8;
constexpr std::size_t image_size = image_side * image_side;
constexpr std::size_t class_count = 10;

// Where Debian's python3-sklearn keeps them.
constexpr const char* default_digits =
    "/usr/lib/python3/dist-packages/sklearn/datasets/data/digits.csv.gz";

constexpr const char* digits_format = "CSV file of the digits, gzip'd or not";

struct Digit {
    std::array<double, image_size> pixels{};  // 0 white to 1 black, row by row
    std::size_t label = 0;
};

struct Digits {
    std::vector<Digit> training;  // four fifths
    std::vector<Digit> test;      // the rest, never trained on
    std::uint32_t checksum = 0;  // of the file's text: two runs with the same sum saw the same data
};

// Reads a CSV file, gzip'd or not: 64 pixels from 0 to 16 and the digit on each line.
Expected<Digits> read_digits(const std::string& path, std::uint64_t seed);

}  // namespace hora::trainer
