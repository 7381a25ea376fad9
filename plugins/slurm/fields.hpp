// How are the fields read that a request to Slurm and its record of a job have in common?
#pragma once

#include <slurm/slurm.h>

#include <cstdint>
#include <string_view>

#include "plugins/slurm/tres.hpp"

namespace hora::slurm {

// libslurm's null strings are empty here.
inline std::string_view text_of(const char* text) {
    return text != nullptr ? std::string_view(text) : std::string_view();
}

// 0 for Slurm's "not said".
inline std::uint32_t said(std::uint16_t value) {
    return value < NO_VAL16 ? value : 0;
}
inline std::uint32_t said(std::uint32_t value) {
    return value < NO_VAL ? value : 0;
}

// --threads-per-core, --ntasks-per-socket and its kin, -S, --gres-flags.
template <class Record>
bool has_own_bindings(const Record& record) {
    constexpr std::uint64_t bindings = GRES_ENFORCE_BIND | GRES_DISABLE_BIND;
    return said(record.threads_per_core) > 0 || said(record.ntasks_per_socket) > 0 ||
           said(record.ntasks_per_core) > 0 || said(record.ntasks_per_board) > 0 ||
           said(record.core_spec) > 0 || (record.bitflags & bindings) != 0;
}

// Whose limits a job counts against and what nodes it asks for; partition and reservation have
// other names in each.
template <class Record, class Wanted>
void read_place(const Record& record, Wanted& wanted) {
    wanted.account = text_of(record.account);
    wanted.qos = text_of(record.qos);
    wanted.features = text_of(record.features);
    wanted.prefer = text_of(record.prefer);
    wanted.required_nodes = text_of(record.req_nodes);
    wanted.excluded_nodes = text_of(record.exc_nodes);
}

// --mem and --mem-per-cpu, which share a field, in MiB. 0: all of the node's, whose default memory
// does not count then.
template <class Wanted>
void read_memory(std::uint64_t memory, Wanted& wanted) {
    if (memory == NO_VAL64) {
        return;
    }
    if ((memory & MEM_PER_CPU) != 0) {
        wanted.memory_per_cpu = memory & ~MEM_PER_CPU;
    } else {
        wanted.memory_per_node = memory;
    }
}

// --mem-per-gpu, "gres:gpu:300", in MiB.
template <class Wanted>
void read_memory_by_gpu(const char* list, Wanted& wanted) {
    const auto tres = parse_tres(text_of(list));
    const std::uint64_t memory = tres ? count_gpus(*tres).all : 0;
    if (memory > 0) {
        wanted.memory_per_gpu = memory;
    }
}

}  // namespace hora::slurm
