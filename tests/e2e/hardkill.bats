#!/usr/bin/env bats
# Does a job go on that slurmctld, killed hard, has forgotten to have started?

load cluster
load controller
load elastic

setup_file() {
    local conf
    conf=$(mktemp /tmp/hora-hardkill.XXXXXX)
    # slurmctld itself requeues a job that no node runs, but only one that began a while ago.
    echo "BatchStartTimeout=1000" >"$conf"
    elastic_up fcfs --laboratory --conf "$conf" || return 1
    rm -f "$conf"
    start_horad
}
teardown_file() { cluster_down; }

setup() {
    cd "$work" || return 1
    release_horad
}

teardown() {
    release_horad
    scontrol update NodeName=n[1-4] State=RESUME || true
    clear_after_failure
}

stop_horad() {
    kill -STOP "$(<"$CLUSTER_DIR/run/horad.pid")"
}

release_horad() {
    kill -CONT "$(<"$CLUSTER_DIR/run/horad.pid")"
}

# is_saved WHAT: since the mark was made.
is_saved() {
    [ "$CLUSTER_DIR/state/$1" -nt "$work/mark" ]
}

is_restart() {
    entries restarts | jq -e --argjson job "$1" ".[] | select(.job == \$job) | $2"
}

is_unknown() { entries restarts | jq -e --argjson job "$1" 'all(.job != $job)'; }

waits_to_restart() {
    is_in_state "$1" "waiting to start" && [ "$(squeue --noheader --format=%T --jobs="$1")" = PENDING ] &&
        [ "$(job_field "$1" EligibleTime)" '<' "$(date +%FT%T)" ] && is_restart "$1" .restarts
}

# A job of one or two GPUs that was resized and runs again, which slurmctld will not know of after
# kill_controller: $job, $own its own priority.
restart_unsaved() {
    job=$(pretend 1-2 3000 -N1 --mem=10)
    wait_for_job "$job" RUNNING
    own=$(job_field "$job" Priority)
    wait_for has_reported "$job"
    hora resize "$job" $((3 - $(job_field "$job" NumTasks)))
    # It cannot start before slurmctld has saved that it is pending.
    scontrol update NodeName=n[1-4] State=DRAIN Reason=test
    wait_for waits_to_restart "$job"
    stop_horad
    touch "$work/mark"
    scontrol update JobId="$job" Comment="for slurmctld to save"
    wait_for is_saved job_state
    cp "$CLUSTER_DIR/state/job_state" "$work/job_state"
    touch "$work/mark"
    scontrol update NodeName=n[1-4] State=RESUME
    wait_for is_saved node_state
    scontrol update JobId="$job" Comment="for slurmctld to look"
    wait_for_job "$job" RUNNING
}

# As if it had been killed before it saved that the job runs.
kill_controller() {
    local pid
    pid=$(<"$CLUSTER_DIR/run/slurmctld.pid")
    kill -KILL "$pid"
    wait_for is_gone "$pid"
    cp "$work/job_state" "$CLUSTER_DIR/state/job_state"
    start_controller
}

# A node that reported the job to slurmctld before the job begins would get an order to end it first.
kill_controller_and_refuse() {
    local -a running
    node=$(job_field "$job" NodeList)
    mapfile -t running < <(stepds_of "$job.")
    kill -STOP "${running[@]}"
    kill_controller
    wait_for has_refused "$node"
    kill -CONT "${running[@]}"
    wait_for is_held_by_slurmctld "$job"
}

has_refused() {
    [[ $(sinfo --noheader --nodes="$1" --format=%E) = "Duplicate jobid" ]]
}

# A job of one or two GPUs that runs, of which slurmctld knows no more after kill_controller: $job.
run_saved() {
    wait_for gets_a_plan
    job=$(pretend 1-2 3000 -N1 --mem=10)
    wait_for_job "$job" RUNNING
    wait_for has_reported "$job"
    touch "$work/mark"
    scontrol update JobId="$job" Comment="for slurmctld to save"
    wait_for is_saved job_state
    cp "$CLUSTER_DIR/state/job_state" "$work/job_state"
}

# slurmctld may have been killed before it saved that they are drained.
resume_drained() {
    scontrol update NodeName="n[$1]" State=RESUME || true
}

resize_begins() {
    hora resize "$job" $((3 - $(job_field "$job" NumTasks)))
    wait_for is_restart "$job" .restarts
}

has_asked_anew() {
    grep -q "job $job: .*forgot that it had gone back to the queue" "$CLUSTER_DIR/log/horad.log"
}

is_held_by_slurmctld() {
    [ "$(job_field "$1" Reason)" = launch_failed_requeued_held ] && job_is "$1" PENDING
}

restarts_of() {
    job_field "$1" Restarts
}

ends_well() {
    release_brake
    wait_for_job "$job" COMPLETED 120
    assert_nothing_left
}

has_restarted_once() {
    [ "$(restarts_of "$job")" = 1 ]
}

has_own_priority() {
    [ "$(job_field "$job" Priority)" = "$own" ]
}

@test "a hold by slurmctld is taken off once, and the job has its own priority" {
    restart_unsaved
    kill_controller_and_refuse
    release_horad
    wait_for_job "$job" RUNNING
    wait_for has_own_priority
    assert_equal "$(restarts_of "$job")" 2
    assert_equal "$(grep -c "job $job: .*released" "$CLUSTER_DIR/log/horad.log")" 1
    wait_for is_nobodys_priority
    assert_contains "$(hora history "$job")" released
    assert_contains "$(hora explain "$job")" "refused this one, and slurmctld held the job"
    # The node is the administrator's affair.
    assert_contains "$(sinfo --noheader --list-reasons)" "Duplicate jobid"
    wait_for sh -c "hora status --json | jq -e '.remarks[] | select(contains(\"NodeName=$node State=RESUME\"))'"
    ends_well
}

@test "a hold by an administrator stays" {
    restart_unsaved
    kill_controller_and_refuse
    scontrol hold "$job"
    release_horad
    wait_for -t 60 is_settled "$job"
    wait_for -t 60 is_unknown "$job"
    assert_equal "$(job_field "$job" Priority)" 0
    scontrol release "$job"
    scontrol update JobId="$job" StartTime=now+2
    ends_well
}

has_begun_to_rest() {
    grep -q "job $job: slurmctld was killed and forgot that it ran" "$CLUSTER_DIR/log/horad.log"
}

@test "a job that horad knows to have run rests until its node has ended it" {
    restart_unsaved
    release_horad
    wait_for is_restart "$job" .has_run
    kill_controller
    wait_for has_begun_to_rest
    wait_for_job "$job" RUNNING
    assert_equal "$(restarts_of "$job")" 1
    assert_equal "$(sinfo --noheader --list-reasons)" ""
    wait_for is_settled "$job"
    ends_well
}

@test "a requeue that slurmctld forgot, and no node runs the job: it goes on" {
    run_saved
    hora resize "$job" $((3 - $(job_field "$job" NumTasks)))
    scontrol update NodeName=n[1-4] State=DRAIN Reason=test
    wait_for waits_to_restart "$job"
    kill_controller
    resume_drained 1-4
    job_is "$job" RUNNING
    assert_equal "$(restarts_of "$job")" 0
    wait_for -t 60 has_asked_anew
    wait_for -t 60 has_restarted_once
    wait_for_job "$job" RUNNING
    assert_contains "$(hora history "$job")" released
    ends_well
}

@test "a requeue that slurmctld forgot, and it takes the end of that start for the job's: it goes on" {
    run_saved
    begin_resize "$job" $((3 - $(job_field "$job" NumTasks)))
    pid=$(pretender)
    wait_for is_signalled "$pid"
    stepd=$(stepds_of "$job.batch")
    kill -STOP "$stepd"
    kill -CONT "$pid"
    wait_for is_restart "$job" .restarts
    kill_controller
    kill -CONT "$stepd"
    wait_for_job "$job" FAILED
    wait_for -t 60 has_restarted_once
    wait_for_job "$job" RUNNING
    assert_contains "$(hora history "$job")" released
    ends_well
}

@test "a start that slurmctld takes for the one before goes on from a checkpoint" {
    run_saved
    scontrol update NodeName=n[2-4] State=DRAIN Reason=test
    resize_begins
    wait_for -t 60 is_settled "$job"
    kill_controller
    resume_drained 2-4
    job_is "$job" RUNNING
    assert_equal "$(restarts_of "$job")" 0
    wait_for -t 60 has_asked_anew
    wait_for -t 15 has_restarted_once
    wait_for_job "$job" RUNNING
    wait_for has_reported "$job"
    ends_well
}
