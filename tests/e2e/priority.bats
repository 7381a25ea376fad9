#!/usr/bin/env bats
# Does a job have its own priority after a resize where slurmctld computes priorities?

load cluster
load controller
load elastic

setup_file() {
    printf '%s\n' PriorityType=priority/multifactor PriorityWeightPartition=100000 \
        >"$BATS_FILE_TMPDIR/conf"
    elastic_up fcfs --conf "$BATS_FILE_TMPDIR/conf"
    scontrol update PartitionName=main PriorityJobFactor=100
    start_horad
}
teardown_file() { cluster_down; }

setup() { cd "$work" || return 1; }
teardown() { clear_after_failure; }

nice_of() { scontrol --oneliner show job "$1" | grep -o ' Nice=[^ ]*'; }
# has_nice JOB VALUE: and no priority of Hora's.
has_nice() { [ "$(nice_of "$1")" = " Nice=$2" ] && is_nobodys_priority; }

@test "a job with a nice value is resized, above what waits, and has that value again" {
    job=$(pretend 1-2 600 --nodes=1 --nice=300)
    wait_for_job "$job" RUNNING
    own=$(job_field "$job" Priority)
    # It waits for its time, and takes no GPU.
    other=$(command sbatch --parsable --output=/dev/null --hora-off --begin=now+1hour --wrap true)
    scontrol update JobId="$other" Priority=$((own + 5000))
    for _ in 1 2; do
        gpus=$(other_size)
        resize "$job" "$gpus"
        wait_for runs_on "$job" "$gpus"
        assert_equal "$(hora explain "$job" | grep -c 'changed the job')" 0
        wait_for has_nice "$job" 300
    done
    grep -aq "set priority to $((own + 5001)) for JobId=$job" "$CLUSTER_DIR/log/slurmctld.log"
    scancel "$job" "$other"
    wait_for nothing_left
    assert_nothing_left
}
