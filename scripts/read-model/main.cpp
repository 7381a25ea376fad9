// hora-read-model: prints a model's numbers as the one line of text that travels with a job.
//
// It reads a file of the user's with the user's rights, so a broken or hostile one can cost no more
// than this process: bounded processor time, wall time and memory.
#include <fmt/core.h>
#include <getopt.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <string>

#include "libplanner/model/workload.hpp"
#include "libplanner/read/model/model_file.hpp"
#include "libplanner/read/model/workload_text.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/reading_limits.hpp"
#include "libplanner/read/words.hpp"

namespace {

using hora::Expected;

constexpr rlim_t most_seconds = 20;         // of processor time
constexpr unsigned most_wall_seconds = 60;  // a file system that hangs
constexpr int failed = 2;

struct Options {
    std::string model;
    std::optional<hora::domain::DataType> data_type;
    hora::model::NetworkOptions network;
};

Expected<std::uint64_t> number_of(const char* text) {
    std::uint64_t number = 0;
    const char* const end = text + std::strlen(text);
    const auto [stop, error] = std::from_chars(text, end, number);
    if (error != std::errc() || stop != end) {
        return hora::wrong_use("--sequence needs a whole number");
    }
    return number;
}

Expected<void> take_option(int letter, Options& options) {
    if (letter == 'd') {
        const auto type = hora::read::find_data_type(optarg);
        if (!type) {
            return hora::unexpected(type.error().within("--dtype"));
        }
        options.data_type = *type;
        return {};
    }
    if (letter == 's') {
        return number_of(optarg).map(
            [&](std::uint64_t number) { options.network.sequence = number; });
    }
    return hora::wrong_use("usage: hora-read-model NAME|FILE [--dtype TYPE] [--sequence N]");
}

Expected<Options> read_options(int argc, char** argv) {
    const option known[] = {{"dtype", required_argument, nullptr, 'd'},
                            {"sequence", required_argument, nullptr, 's'},
                            {nullptr, 0, nullptr, 0}};
    Options options;
    opterr = 0;
    for (int letter = 0; (letter = getopt_long(argc, argv, "", known, nullptr)) != -1;) {
        if (const Expected<void> taken = take_option(letter, options); !taken) {
            return hora::unexpected(taken.error());
        }
    }
    if (argc - optind != 1) {
        return take_option('?', options).map([&] { return options; });
    }
    options.model = argv[optind];
    return options;
}

int fail(const char* message) {
    std::fprintf(stderr, "hora: %s\n", message);
    return failed;
}

int print_workload(const Options& options) {
    const auto network = hora::read::read_model(options.model, options.network);
    if (!network) {
        return fail(network.error().message.c_str());
    }
    if (!network->remark.empty()) {
        std::fprintf(stderr, "hora: %s\n", network->remark.c_str());
    }
    const std::string text =
        hora::read::to_text(hora::model::to_workload(*network, options.data_type));
    if (std::puts(text.c_str()) == EOF || std::fflush(stdout) != 0) {
        return fail("cannot write the output");
    }
    return 0;
}

int run(int argc, char** argv) {
    hora::read::limit_reading(most_seconds);
    alarm(most_wall_seconds);
    const Expected<Options> options = read_options(argc, argv);
    if (!options) {
        return fail(options.error().message.c_str());
    }
    try {
        return print_workload(*options);
    } catch (const std::bad_alloc&) {
        const std::string message = fmt::format(
            "{} needs more memory than reading a model may take, {} GiB; keep its weights in "
            "another file",
            hora::read::quoted(options->model), hora::read::most_memory >> 30);
        return fail(message.c_str());
    }
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        return fail(error.what());
    }
}
