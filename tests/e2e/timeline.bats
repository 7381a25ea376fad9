#!/usr/bin/env bats
# Does --hora-timeline record what the ranks of a job do, so that hora timeline shows it?

load cluster
load trainer

# Ranks of all virtual nodes share this machine: no shared memory between "nodes", no busy waiting.
export OMPI_MCA_btl=self,tcp OMPI_MCA_mpi_yield_when_idle=1

owner=$tester
stranger=mail

setup_file() { cluster_up; }
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
