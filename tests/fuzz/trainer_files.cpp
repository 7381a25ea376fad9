// Does any checkpoint, or any file of a trainer's data, break its reader or give what cannot be
// trained on?
//
// The first line says what the rest is. A checkpoint's sum is written behind it, as it is checked
// before anything else.
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "contrib/language-model/text.hpp"
#include "contrib/trainer/checkpoint.hpp"
#include "contrib/trainer/digits/digits.hpp"
#include "tests/fuzz/lines.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace {

using namespace hora::trainer;

constexpr Identity identity{
    .seed = 1, .batch = 64, .samples = 1438, .data_checksum = 7, .parameters = 2, .rate = 0.05};

void check_checkpoint(std::string bytes) {
    static const hora::tests::ScratchFolder scratch;
    const std::uint64_t sum =
        crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
    scratch.write("checkpoint-0000000005", bytes);
    std::vector<std::string> skipped;
    const auto newest = CheckpointFolder(scratch.path()).newest(identity, skipped);
    if (newest && *newest) {
        const std::size_t velocity = (*newest)->velocity.size();
        if ((*newest)->parameters.size() != identity.parameters ||
            (velocity != 0 && velocity != identity.parameters)) {
            std::abort();
        }
    }
}

void check_digits(std::string_view text) {
    const hora::fuzz::MemoryFile file(text);
    const auto digits = read_digits(file.path(), 1);
    if (!digits) {
        return;
    }
    for (const auto* part : {&digits->training, &digits->test}) {
        for (const Digit& digit : *part) {
            const bool is_image = std::ranges::all_of(
                digit.pixels, [](double pixel) { return pixel >= 0 && pixel <= 1; });
            if (digit.label >= class_count || !is_image) {
                std::abort();
            }
        }
    }
    if (digits->training.empty() || digits->test.empty()) {
        std::abort();
    }
}

void check_text(std::string_view words) {
    const hora::fuzz::MemoryFile file(words);
    const auto text = read_text(file.path(), 10'000, 100);
    if (!text) {
        return;
    }
    for (const auto* part : {&text->training, &text->test}) {
        if (part->empty() || std::ranges::any_of(*part, [&](std::uint32_t word) {
                return word >= text->vocabulary;
            })) {
            std::abort();
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text = hora::fuzz::text_of(data, size);
    const std::string_view kind = hora::fuzz::take_until(text, '\n');
    if (kind == "checkpoint") {
        check_checkpoint(std::string(text));
    } else if (kind == "digits") {
        check_digits(text);
    } else if (kind == "text") {
        check_text(text);
    }
    return 0;
}
