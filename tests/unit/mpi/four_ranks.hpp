// A test that starts itself on four ranks: what mpirun needs on a machine for tests.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace hora::mpi::test {

// Root in a container, more ranks than cores, and no report of what MPI itself does not free; a
// library that is preloaded may come before a sanitizer.
inline void set_up_mpirun() {
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
    setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 1);
    setenv("OMPI_MCA_mpi_yield_when_idle", "1", 1);
    setenv("ASAN_OPTIONS", "detect_leaks=0:verify_asan_link_order=0", 1);
}

// Becomes the command; gives back 1 where that cannot be started.
inline int become(std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    execvp(arguments.front(), arguments.data());
    std::fputs("mpirun cannot be started; install openmpi-bin\n", stderr);
    return 1;
}

// The program with its arguments, on four ranks that find the mark set.
inline int start_on_four_ranks(int argc, char** argv, const char* mark) {
    setenv(mark, "1", 1);
    set_up_mpirun();
    std::vector<std::string> words = {"mpirun", "-np", "4", argv[0]};
    words.insert(words.end(), argv + 1, argv + argc);
    return become(words);
}

}  // namespace hora::mpi::test
