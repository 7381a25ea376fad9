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

setup() { begin_with_horad; }

teardown() {
    [ -z "${BATS_TEST_COMPLETED:-}" ] || return 0
    ! mountpoint -q "$(state)" || umount --lazy "$(state)"
    open_nodes
    clear_after_failure
}

state() { dirname "$(journal)"; }

# Jobs are submitted without root's rights.
sbatch() { as_user "$(type -P sbatch)" "$@"; }

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

# is_set JOB: an operator has set its priority, so that Slurm takes no nice value for it.
is_set() {
    local before after
    before=$(nice_of "$1")
    scontrol update JobId="$1" Nice=77
    after=$(nice_of "$1")
    [ "$after" = "$before" ]
}
has_priority() { [ "$(job_field "$1" Priority)" = "$2" ] && is_nobodys_priority; }
is_raised() { scontrol --oneliner show job "$1" | grep -q "hora-priority=$2:$3"; }

# run_beside PRIORITY: $job runs, and has this one, of an operator's; $other, that takes no GPU,
# waits above it.
run_beside() {
    job=$(pretend 1-2 600 --nodes=1)
    wait_for_job "$job" RUNNING
    scontrol update JobId="$job" Priority="$1"
    other=$(command sbatch --parsable --output=/dev/null --hora-off --begin=now+1hour --wrap true)
    scontrol update JobId="$other" Priority=500000
}

# enter_window PRIORITY: $job, which has it, waits above $other, and no node takes it.
enter_window() {
    run_beside "$1"
    begin_resize "$job" "$(other_size)"
    close_nodes
    kill -CONT "$(pretender)"
    wait_for is_raised "$job" "$1" 500001
    assert_equal "$(job_field "$job" Priority)" 500001
}

leave() {
    scancel "$job" "$other"
    wait_for nothing_left
    assert_nothing_left
}

# bats test_tags=releases
@test "a priority that an operator set is the job's again after each resize" {
    for own in 777 1; do
        run_beside "$own"
        for _ in 1 2; do
            gpus=$(other_size)
            resize "$job" "$gpus"
            wait_for runs_on "$job" "$gpus"
            wait_for has_priority "$job" "$own"
        done
        grep -aq "set priority to 500001 for JobId=$job" "$CLUSTER_DIR/log/slurmctld.log"
        is_set "$job"
        leave
    done
}

@test "a computed priority stays computed" {
    job=$(pretend 1-2 600 --nodes=1)
    wait_for_job "$job" RUNNING
    other=$(command sbatch --parsable --output=/dev/null --hora-off --begin=now+1hour --wrap true)
    scontrol update JobId="$other" Priority=500000
    gpus=$(other_size)
    resize "$job" "$gpus"
    wait_for runs_on "$job" "$gpus"
    wait_for has_nice "$job" 0
    run is_set "$job"
    assert_equal "$status" 1
    leave
}

@test "a job that is cancelled and requeued amid a resize has what an operator set" {
    for own in 777 1; do
        enter_window "$own"
        wait_for gets_no_plan
        as_user scancel "$job"
        wait_for job_is "$job" CANCELLED
        wait_for is_settled "$job"
        as_user scontrol requeue "$job"
        wait_for has_priority "$job" "$own"
        is_set "$job"
        leave
        open_nodes
    done
}

@test "a horad that starts amid a resize gives back what an operator set, journal or none" {
    for is_lost in false true; do
        enter_window 777
        wait_for gets_no_plan
        kill_horad
        ! $is_lost || rm "$(journal)"
        start_horad
        open_nodes
        wait_for -t 150 job_is "$job" RUNNING
        wait_for has_priority "$job" 777
        is_set "$job"
        leave
    done
}

# Begun anew where horad opens a file to write between the two.
make_read_only() {
    mount --bind "$1" "$1"
    mount -o remount,bind,ro "$1" || {
        umount --lazy "$1"
        return 1
    }
}

# Where the journal can be written again: once its nodes are open $job trains, and has the operator's
# priority still.
trains_at_777() {
    wait_for gets_no_plan
    open_nodes
    wait_for -t 150 job_is "$job" RUNNING
    wait_for -t 90 is_settled "$job"
    assert_equal "$(job_field "$job" Priority)" 777
    leave
}

# Where it has not started within elastic.fallback it is to be changed, which the journal has to say.
@test "a job does not keep a priority of horad's while its journal cannot be written" {
    enter_window 777
    wait_for make_read_only "$(state)"
    wait_for has_priority "$job" 777
    job_is "$job" PENDING
    grep -q "job $job: has its own priority back; the journal" "$CLUSTER_DIR/log/horad.log"
    umount "$(state)"
    trains_at_777
}

@test "a horad that starts on a read-only disk gives back what an operator set" {
    enter_window 777
    wait_for gets_no_plan
    kill_horad
    wait_for make_read_only "$(state)"
    run_horad
    wait_for has_priority "$job" 777
    job_is "$job" PENDING
    grep -q '\.lock": Read-only file system; until the journal beside it' \
        "$CLUSTER_DIR/log/horad.log"
    run resize "$job" 1
    assert_equal "$status" 1
    umount --lazy "$(state)"  # the lock is open there
    trains_at_777
}
