// Runs a fuzz target over the files of its corpus, where libFuzzer is not at hand.
// Arguments: files or folders; without any, the corpus of the program's own name.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

void run_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file),
                                  std::istreambuf_iterator<char>()};
    std::fprintf(stderr, "%s\n", path.c_str());  // the last line names what crashed
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

int run_all(const fs::path& path) {
    if (!fs::is_directory(path)) {
        run_file(path);
        return 1;
    }
    int files = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
        files += run_all(entry.path());
    }
    return files;
}

fs::path own_corpus(const char* program) {
    const char* const source = std::getenv("srcdir");
    return fs::path(source == nullptr ? "." : source) / "tests/fuzz/corpus" /
           fs::path(program).filename();
}

}  // namespace

int main(int argc, char** argv) {
    int files = 0;
    for (int i = 1; i < argc; ++i) {
        files += run_all(argv[i]);
    }
    if (argc == 1) {
        files = run_all(own_corpus(argv[0]));
    }
    std::printf("replayed %d files\n", files);
    return files > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
