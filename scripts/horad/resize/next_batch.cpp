// With which global batch does a job start at another size?
#include "scripts/horad/resize/next_batch.hpp"

#include <cstdint>

#include "plugins/slurm/jobs/batch_word.hpp"

namespace hora::horad {
namespace {

std::uint64_t word_of(const slurm::Job& job) {
    return slurm::batch_word(job.admin_comment).value_or(0);
}

// A larger one comes after the size, and a smaller one before it: whenever the job starts or horad
// dies, no batch is on fewer GPUs than it was meant for. Without a word it is the smallest.
void put(slurm::JobChange& change, const slurm::Job& job, std::uint64_t batch) {
    change.is_comment_first = batch < word_of(job);
    change.admin_comment =
        slurm::with_batch(change.admin_comment.value_or(job.admin_comment), batch);
}

}  // namespace

void note_batch(ResizeEntry& entry, const slurm::Job& job) {
    entry.batch_was = word_of(job);
    entry.next_batch = entry.resize.batch != 0 ? entry.resize.batch : entry.batch_was;
}

bool is_batch_due(const ResizeEntry& entry, const slurm::Job& job) {
    return (entry.resize.batch != 0 || entry.has_fallen_back) && word_of(job) != entry.next_batch;
}

void put_batch(slurm::JobChange& change, const ResizeEntry& entry, const slurm::Job& job) {
    put(change, job, entry.next_batch);
}

void put_back_batch(slurm::JobChange& change, const ResizeEntry& entry, const slurm::Job& job) {
    if (entry.resize.batch != 0 && word_of(job) == entry.next_batch) {
        put(change, job, entry.batch_was);
    }
}

}  // namespace hora::horad
