#!/usr/bin/env bats
# What does an owner gain who changes a job while horad restarts it at another size?

load cluster
load controller
load elastic

setup_file() {
    elastic_up fcfs
    start_horad
}
teardown_file() { cluster_down; }

setup() { begin_with_horad; }

teardown() {
    [ -z "${BATS_TEST_COMPLETED:-}" ] || return 0
    open_nodes
    clear_after_failure
}

# Jobs are submitted without root's rights.
sbatch() { as_user "$(type -P sbatch)" "$@"; }

# is_raised JOB: it has a priority of Hora's.
is_raised() { scontrol --oneliner show job "$1" | grep -q 'hora-priority='; }
has_priority() { [ "$(job_field "$1" Priority)" = "$2" ] && ! is_raised "$1"; }

has_priority_below() {
    local now
    now=$(job_field "$1" Priority)
    [ "$now" -gt 0 ] && [ "$now" -lt "$2" ] && ! is_raised "$1"
}

# begins_later JOB: in many hours.
begins_later() {
    [ "$(date -d "$(job_field "$1" EligibleTime)" +%s)" -gt $(($(date +%s) + 28800)) ]
}

# Puts $job, of one GPU, and $other, that waits with a priority of an operator's above its own,
# where horad lets the one wait above the other: no node takes any of them. $own is its own.
enter_window() {
    job=$(pretend 1-2 600 --nodes=1)
    wait_for_job "$job" RUNNING
    [ "$(job_field "$job" NumTasks)" = 1 ] || resize "$job" 1
    wait_for runs_on "$job" 1
    own=$(job_field "$job" Priority)
    begin_resize "$job" 2
    close_nodes
    other=$(command sbatch --parsable --output=/dev/null --hora-off --nodes=4 --gres=gpu:4 \
        --wrap "sleep 1")
    scontrol update JobId="$other" Priority=$((own + 10))
    kill -CONT "$(pretender)"
    wait_for is_raised "$job"
    assert_equal "$(job_field "$job" Priority)" $((own + 11))
    wait_for gets_no_plan
}

leave_window() {
    scancel "$job" "$other"
    wait_for nothing_left
    open_nodes
    assert_nothing_left
}

@test "a job that is cancelled and requeued in the window has its own priority again" {
    enter_window
    as_user scancel "$job"
    wait_for job_is "$job" CANCELLED
    wait_for is_settled "$job"
    as_user scontrol requeue "$job"
    wait_for job_is "$job" PENDING
    wait_for has_priority "$job" "$own"
    # As often as its owner likes.
    as_user scancel "$job"
    wait_for job_is "$job" CANCELLED
    as_user scontrol requeue "$job"
    wait_for has_priority "$job" "$own"
    leave_window
}

@test "a job whose entry in the journal is lost has its own priority again" {
    enter_window
    kill_horad
    rm "$(journal)"
    start_horad
    wait_for has_priority "$job" "$own"
    grep -q "job $job: has its own priority back" "$CLUSTER_DIR/log/horad.log"
    leave_window
}

@test "what is changed in the window stands, and the job has its own priority first" {
    for change in Dependency=afterany ExcNodeList=n4 Contiguous=1 \
        StartTime=now+9hours Partition=debug; do
        enter_window
        [ "$change" != Dependency=afterany ] || change=$change:$other
        scontrol update JobId="$job" "$change"
        wait_for has_priority "$job" "$own"
        wait_for is_settled "$job"
        scontrol show job "$job" >shown
        case $change in
        StartTime*) begins_later "$job" ;;
        *) grep -q "${change%:*}" shown ;;
        esac
        leave_window
    done
}

@test "no user puts another job where a job that restarts has its nodes reserved" {
    job=$(pretend 1-2 600 --nodes=1)
    wait_for_job "$job" RUNNING
    gpus=$(other_size)
    begin_resize "$job" "$gpus"
    wait_for is_reserved
    later=$(submit --hora-off --begin=now+1hour --wrap "sleep 1")
    for as in "" as_user; do
        run $as "$(type -P sbatch)" --reservation=hora-restarts --hora-off --wrap "sleep 1"
        [ "$status" -ne 0 ]
        assert_contains "$output" "is for jobs that Hora restarts; leave it out"
    done
    run as_user scontrol update JobId="$later" ReservationName=hora-restarts
    [ "$status" -ne 0 ]
    assert_contains "$output" "ccess denied to requested reservation"
    kill -CONT "$(pretender)"
    wait_for runs_on "$job" "$gpus"
    wait_for -t 90 is_settled "$job"
    scancel "$job" "$later"
    wait_for nothing_left
    assert_nothing_left
}

@test "an owner can change nothing but a hold and the time limit in the window" {
    enter_window
    for change in Dependency=afterany:"$other" Features=nosuch NumNodes=2 TresPerNode="$gres:4" \
        StartTime=now Partition=debug Nice=5 Contiguous=1 Comment=a; do
        run as_user scontrol update JobId="$job" "$change"
        [ "$status" -ne 0 ]
        assert_contains "$output" "can not be altered now"
        is_raised "$job"
    done
    as_user scontrol update JobId="$job" TimeLimit=77
    assert_equal "$(job_field "$job" TimeLimit)" 01:17:00
    as_user scontrol hold "$job"
    wait_for is_settled "$job"
    as_user scontrol release "$job"
    wait_for has_priority_below "$job" $((own + 10))
    # It is not in horad's hands any more.
    wait_for as_user scontrol update JobId="$job" Comment=a
    leave_window
}
