#!/usr/bin/env bats
# Do the tasks of a job with --hora-allreduce reduce by Hora, and nothing else of it?

load cluster
load trainer

# Ranks of all virtual nodes share this machine: no shared memory between "nodes", no busy waiting.
export OMPI_MCA_btl=self,tcp OMPI_MCA_mpi_yield_when_idle=1

setup_file() {
    cluster_up
    # show NAME [CHILD]: what is preloaded into this process, and into one that it starts.
    cat >"$work/show" <<'END2'
#!/bin/sh
grep -q libhora_mpi.so "/proc/$$/maps" && loaded=yes || loaded=no
echo "$1 loaded=$loaded LD_PRELOAD=${LD_PRELOAD:--} HORA_ALLREDUCE=${HORA_ALLREDUCE:--}"
[ -z "$2" ] || "$0" "$2"
END2
    chmod 755 "$work/show"
}
teardown_file() { cluster_down; }
setup() {
    [ -x "$trainer" ] || skip "built without MPI"
    cd "$work" || return 1
    unset HORA_BATCH HORA_SHARE HORA_PROGRESS HORA_CHECKPOINT_DIR SLURM_RESTART_COUNT
    plugstack=$CLUSTER_DIR/etc/plugstack.conf
}

# run_job [SBATCH OPTION…] <<END: $out is the file of what the script, now over, has printed.
run_job() {
    local job
    job=$(as_user bash -c "$(declare -f submit submit_script); work=$work submit_script \"\$@\"" \
        bash "$@") || return 1
    wait_for_job "$job" COMPLETED,FAILED,CANCELLED 120 || return 1
    out=$work/$job.out
}

@test "the trainer learns as well by Hora's all-reduce as by MPI" {
    for whose in mpi ring bypass; do
        run_job -N2 --ntasks-per-node=2 --hora-allreduce=$whose <<END2
#!/bin/bash
unset HORA_CHECKPOINT_DIR
srun --mpi=$mpi hora-train-digits --epochs 10
END2
        cp "$out" "$work/trained.$whose"
        assert_at_least "$(final_accuracy "$out")" 95 || { cat "$out"; return 1; }
        ! grep "not all ranks" "$out" || [ "$mpi" != pmix ] || return 1
    done
    assert_near "$(final_loss trained.mpi)" "$(final_loss trained.ring)"
    assert_near "$(final_loss trained.mpi)" "$(final_loss trained.bypass)"
}

@test "ranks of which one is without the library learn by MPI and wait for nothing" {
    for without in 0 3; do
        for rank in 0 1 2 3; do
            if [ $rank = $without ]; then
                echo "$rank /bin/sh -c 'exec hora-train-digits --epochs 10'"
            else
                echo "$rank hora-train-digits --epochs 10"
            fi
        done >"$work/programs"
        run_job -N2 --ntasks-per-node=2 --hora-allreduce=ring --hora-timeline <<END2
#!/bin/bash
unset HORA_CHECKPOINT_DIR
HORA_TRACE_DIR=$work/trace.$without timeout 60 srun --mpi=$mpi --multi-prog $work/programs
END2
        assert_at_least "$(final_accuracy "$out")" 95 || { cat "$out"; return 1; }
        assert_near "$(final_loss trained.mpi)" "$(final_loss "$out")"
        # The first rank that has the library says so; without PMIx only rank 0 may.
        local lines=1
        [ "$mpi" = pmix ] || lines=$((without != 0))
        assert_equal "$(grep -c "hora: not all ranks are known to have" "$out")" $lines
        [ ! -e "$work/trace.$without" ]
    done
}

@test "tasks have the library, and neither the script nor what tasks start" {
    run_job -N2 --ntasks-per-node=1 --hora-allreduce=ring <<END2
#!/bin/bash
$work/show script child
srun $work/show task child
LD_PRELOAD=libm.so.6 srun -N1 -n1 $work/show beside child
HORA_ALLREDUCE=mpi srun -N1 -n1 $work/show unwanted child
srun -N1 -n1 --hora-allreduce=mpi $work/show otherwise child
END2
    local line
    while read -r line; do
        assert_equal "$(grep -cxF "${line#* }" "$out") ${line#* }" "$line"
    done <<'END2'
1 script loaded=no LD_PRELOAD=- HORA_ALLREDUCE=-
2 task loaded=yes LD_PRELOAD=- HORA_ALLREDUCE=ring
1 beside loaded=yes LD_PRELOAD=libm.so.6 HORA_ALLREDUCE=ring
1 unwanted loaded=no LD_PRELOAD=- HORA_ALLREDUCE=mpi
1 otherwise loaded=no LD_PRELOAD=- HORA_ALLREDUCE=-
2 child loaded=no LD_PRELOAD=- HORA_ALLREDUCE=ring
1 child loaded=no LD_PRELOAD=libm.so.6 HORA_ALLREDUCE=ring
1 child loaded=no LD_PRELOAD=- HORA_ALLREDUCE=mpi
2 child loaded=no LD_PRELOAD=- HORA_ALLREDUCE=-
END2
}

@test "a job that does not ask has none of it" {
    for option in --hora-allreduce=mpi --hora-batch=64; do
        run_job $option <<END2
#!/bin/bash
srun $work/show task child
END2
        assert_equal "$(cat "$out")" "\
task loaded=no LD_PRELOAD=- HORA_ALLREDUCE=-
child loaded=no LD_PRELOAD=- HORA_ALLREDUCE=-"
    done
}

@test "a node without the library says so, and the job runs" {
    sed -i.kept 's/libhora_mpi.so/nothing.so/' "$plugstack"
    run_job --hora-allreduce=ring <<END2
#!/bin/bash
srun $work/show task
srun $work/show task
END2
    mv "$plugstack.kept" "$plugstack"
    assert_contains "$(cat "$out")" "--hora-allreduce=ring: this node has no "
    assert_equal "$(grep -c "this node has no" "$out")" 1
    assert_equal "$(grep -c "task loaded=no LD_PRELOAD=- HORA_ALLREDUCE=-" "$out")" 2
}

@test "what was asked for stands with the plan" {
    local job
    job=$(submit -H --hora-model=resnet50 --hora-batch=64 --hora-gpus=1-2 --hora-allreduce=ring \
        --wrap true) || return 1
    run hora explain "$job"
    assert_contains "$output" "--hora-allreduce=ring"
    scancel "$job"
}

@test "a value that is none of its names is refused" {
    run as_user sbatch --hora-allreduce=rings --wrap true
    assert_equal "$status" 255
    assert_contains "$output" '--hora-allreduce: "rings" is none of mpi, ring, bypass, bypass=owner, bypass=successor'
}
