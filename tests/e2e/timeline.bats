#!/usr/bin/env bats
# Does --hora-timeline record what the ranks of a job do, so that hora timeline shows it?

load cluster
load trainer

# Ranks of all virtual nodes share this machine: no shared memory between "nodes", no busy waiting.
export OMPI_MCA_btl=self,tcp OMPI_MCA_mpi_yield_when_idle=1

owner=$tester
stranger=mail

setup_file() {
    cluster_up
    # Its user may not see the build.
    [ ! -x "$HORA_BUILD/tests/e2e/late_reducer" ] || cp "$HORA_BUILD/tests/e2e/late_reducer" "$work/"
}
teardown_file() { cluster_down; }
setup() {
    [ -x "$trainer" ] || skip "built without MPI"
    cd "$work" || return 1
    unset HORA_BATCH HORA_SHARE HORA_PROGRESS HORA_CHECKPOINT_DIR SLURM_RESTART_COUNT
}

# as_owner [SBATCH OPTION…] <<END: submits the script.
as_owner() {
    as_user bash -c "$(declare -f submit submit_script); work=$work submit_script \"\$@\"" bash "$@"
}

# recorded ARGUMENT…: a job of the trainer's on two nodes, which writes into `folder` where it is
# recorded.
recorded() {
    rm -f folder
    as_owner -N2 --ntasks-per-node=1 --hora-timeline <<END2
#!/bin/bash
echo "\$HORA_CHECKPOINT_DIR/trace" >$work/folder
srun --mpi=$mpi hora-train-digits $*
END2
}

@test "all ranks of a job and their collectives stand in one trace" {
    job=$(recorded --epochs 3) || return 1
    wait_for_job "$job" COMPLETED,FAILED,CANCELLED 120
    assert_equal "$(job_field "$job" JobState)" COMPLETED
    as "$owner" hora timeline "$(cat folder)" >trace.json
    assert_equal "$(jq '[.traceEvents[] | select(.ph == "X") | .pid] | unique | length' trace.json)" 2
    assert_equal "$(jq '[.traceEvents[] | select(.ph == "X" and (.name | test("AllReduce")))] |
        length > 10' trace.json)" true
    assert_equal "$(stat -c %a "$(cat folder)/0.0")" 700
    as "$owner" hora timeline --html page.html "$(cat folder)"
    grep -q "<canvas\|<svg" page.html
}

@test "a job's record is found though Slurm took the job seconds after sbatch began" {
    job=$(recorded --epochs 1) || return 1
    wait_for_job "$job" COMPLETED,FAILED,CANCELLED 120
    record=$(dirname "$(cat folder)")
    mv "$record" "${record%-*}-$((${record##*-} - 3))"
    as "$owner" hora timeline "$job" >found.json
    assert_equal "$(jq '[.traceEvents[] | select(.ph == "X") | .pid] | unique | length' found.json)" 2
}

# A rank that is stopped at random, each time for longer than a reduction takes, while it trains.
disturb() {
    local record
    record=$(grep -l '"rank":2,"device"' "$(cat folder)"/0.0/*.jsonl) || return 1
    local pid
    pid=$(head -1 "$record" | jq .pid)
    while kill -STOP "$pid" 2>/dev/null; do
        sleep 0.2
        kill -CONT "$pid" 2>/dev/null || break # it had ended when it was stopped
        sleep "0.$((RANDOM % 4))$((RANDOM % 10))"
    done
}

all_ranks_record() {
    [ "$(grep -lh AllReduce "$(cat folder 2>/dev/null)"/0.0/*.jsonl 2>/dev/null | wc -l)" = 4 ]
}

@test "a trainer with a late rank is as good, and no step of it is lost" {
    rm -f folder
    job=$(as_owner -N2 --ntasks-per-node=2 --hora-timeline --hora-allreduce=bypass <<END2
#!/bin/bash
echo "\$HORA_CHECKPOINT_DIR/trace" >$work/folder
srun --mpi=$mpi hora-train-digits --epochs 30
END2
    ) || return 1
    wait_for all_ranks_record
    disturb
    wait_for_job "$job" COMPLETED,FAILED,CANCELLED 120
    assert_equal "$(job_field "$job" JobState)" COMPLETED
    assert_at_least "$(final_accuracy "$work/$job.out")" 95 || { cat "$work/$job.out"; return 1; }
    as "$owner" hora timeline "$job" >late.json
    jq '[.traceEvents[] | select(.cat == "step") | .name[5:] | tonumber]' late.json >steps.json
    assert_equal "$(jq '. == [range(1; length + 1)] and length > 100' steps.json)" true
    assert_equal "$(jq '[.traceEvents[] | select(.cat == "late" and .pid == 2)] | length > 0' late.json)" true
    assert_equal "$(jq '.otherData.waiting_of_step >= 0' late.json)" true
}

# reduced: a job of ranks that reduce a long vector, of which rank 2 is late now and then; its events
# are in ahead.json.
reduced() {
    job=$(as_owner -N2 --ntasks-per-node=2 --hora-timeline --hora-allreduce=bypass <<END2
#!/bin/bash
srun --mpi=$mpi $work/late_reducer 3000000 24 2
END2
    ) || return 1
    wait_for_job "$job" COMPLETED,FAILED,CANCELLED 120
    assert_equal "$(cat "$work/$job.out")" "wrong 0"
    as "$owner" hora timeline "$job" >ahead.json
}

# The trainer's gradients are too short for the ring, and so for going ahead. Which way a long vector
# takes follows from what was measured of the network, which on a busy machine may be anything.
@test "the timeline of a job shows who went ahead of its late rank" {
    for _ in 1 2 3 4 5; do
        reduced || return 1
        ahead=$(jq '[.traceEvents[] | select(.name == "ahead of rank 2" and .args.pieces > 0)] |
            length' ahead.json)
        [ "$ahead" = 0 ] || break
    done
    assert_at_least "$ahead" 1
    assert_at_least "$(jq '[.traceEvents[] | select(.cat == "late" and .pid == 2)] | length' ahead.json)" 1
    as "$owner" hora timeline --html ahead.html "$job"
    assert_contains "$(cat ahead.html)" "ahead of rank 2"
}

@test "another user cannot read a record" {
    run as "$stranger" hora timeline "$(cat folder)"
    assert_equal "$status" 1
    assert_contains "$output" "ermission denied"
}

@test "the record of a job that was killed is legible" {
    job=$(recorded --epochs 100000) || return 1
    wait_for has_steps
    scancel --signal=KILL "$job"
    wait_for_job "$job" COMPLETED,FAILED,CANCELLED
    as "$owner" hora timeline "$(cat folder)" >killed.json
    assert_equal "$(jq '[.traceEvents[] | select(.ph == "X") | .pid] | unique | length' killed.json)" 2
}

has_steps() {
    [ "$(grep -ch AllReduce "$(cat folder 2>/dev/null)"/0.0/*.jsonl 2>/dev/null | sort -n | head -1)" -gt 20 ]
}

@test "a job that does not ask records nothing" {
    rm -f folder
    job=$(as_owner -N1 <<END2
#!/bin/bash
srun bash -c 'echo "[\$HORA_TRACE_DIR]" >$work/folder'
END2
    ) || return 1
    wait_for_job "$job" COMPLETED,FAILED,CANCELLED 120
    assert_equal "$(cat folder)" "[]"
}
