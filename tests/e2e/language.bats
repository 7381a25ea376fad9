#!/usr/bin/env bats
# Does the language model learn, whatever it exchanges, and does its training go on when it is
# resized?

load cluster
load controller
load elastic
load trainer

trainer=$build/contrib/language-model/hora-train-language
small="--words 20000 --vocabulary 1000 --width 16"

setup_file() {
    [ -x "$trainer" ] || return 0
    elastic_up fcfs # a policy that resizes nothing: the test does it by hand
    start_horad
}
teardown_file() { [ ! -x "$trainer" ] || cluster_down; }
setup() {
    [ -x "$trainer" ] || skip "built without MPI or Eigen"
    scratch
}
teardown() {
    clean
    clear_after_failure
}

# assert_as_good A B: perplexities of two runs, the second at most 3 % worse.
assert_as_good() {
    awk -v a="$(final_perplexity "$1")" -v b="$(final_perplexity "$2")" \
        'BEGIN { exit !(a > 1 && b > 1 && b <= 1.03 * a) }' || { tail -n 2 "$1" "$2"; return 1; }
}

@test "it learns as well by some rows as by all, on any way" {
    for network in recurrent feed-forward; do
        on_ranks 4 $small --epochs 3 --network $network >all
        assert_at_least 130 "$(final_perplexity all)"
        for way in "allreduce" "server" "hierarchy --group 2 --outer-rate 0.05"; do
            on_ranks 4 $small --epochs 3 --network $network --sample-rate 0.1 --exchange $way >some
            assert_as_good all some
            part=$(sed -n 's/^exchanged.*(1\/\([^)]*\)).*/\1/p' some)
            assert_at_least "$part" 1.5
        done
    done
}

@test "the rate comes from the environment, and the option before it" {
    HORA_SAMPLE_RATE=0.05 "$trainer" $small --epochs 1 >environment
    "$trainer" $small --epochs 1 --sample-rate 0.05 >option
    HORA_SAMPLE_RATE=0.5 "$trainer" $small --epochs 1 --sample-rate 0.05 >both
    for run in option both; do
        assert_equal "$(grep ^exchanged $run)" "$(grep ^exchanged environment)"
    done
    "$trainer" $small --epochs 1 >all
    assert_contains "$(cat all)" "(1/1.0)"
}

@test "the exchange that the plan counts on comes from the environment, and the option before it" {
    export HORA_EXCHANGE=hierarchy
    run on_ranks 2 $small --epochs 1 --group 2
    assert_equal "$status" 0
    run "$trainer" $small --epochs 1 --exchange allreduce --group 2
    assert_equal "$status" 2
    assert_contains "$output" "--outer-rate and --group need --exchange=hierarchy"
    HORA_EXCHANGE=tree run "$trainer" $small --epochs 1 --group 2
    assert_equal "$status" 2
}

@test "a checkpointed training goes on elsewhere, with what was not exchanged yet" {
    on_ranks 2 $small --epochs 3 --sample-rate 0.05 >whole
    export HORA_PROGRESS=progress HORA_CHECKPOINT_DIR=checkpoints SLURM_RESTART_COUNT=3
    touch brake
    start on_ranks 2 $small --epochs 3 --sample-rate 0.05 --brake brake
    wait_for has_steps 5
    ask_for_checkpoint USR1
    assert_equal "$(cat checkpoints/READY)" "$(tail -1 progress | jq .step) 3"
    end_at_once
    rm brake
    on_ranks 3 $small --epochs 3 --sample-rate 0.05 >out
    assert_contains "$(sed -n 2p out)" "resumed after step"
    assert_equal "$(jq .step progress | xargs)" "$(seq "$(sed -n 's/.*steps \([0-9]*\).*/\1/p' whole)" | xargs)"
    assert_as_good whole out
}

@test "a usage error says what is wrong" {
    run env HORA_SAMPLE_RATE=much "$trainer" $small
    assert_equal "$status" 2
    assert_contains "$output" 'HORA_SAMPLE_RATE="much" is not a number from 0 to 1'
    run "$trainer" --sample-rate 1.5
    assert_equal "$status" 2
    run "$trainer" $small --no-feedback --exchange hierarchy --outer-rate 0.1
    assert_equal "$status" 2
    assert_contains "$output" "--no-feedback needs --outer-rate to be --sample-rate"
    run "$trainer" $small --outer-rate 0.1
    assert_equal "$status" 2
    assert_contains "$output" "--outer-rate and --group need --exchange=hierarchy"
    run env HORA_SAMPLE_RATE=nan "$trainer" $small
    assert_equal "$status" 2
    run "$trainer" $small --frequent-rows nan
    assert_equal "$status" 2
    assert_contains "$output" "--frequent-rows: nan is not a number"
    run "$trainer" --exchange gossip
    assert_equal "$status" 2
    assert_contains "$output" "allreduce"
    run "$trainer" --width 60000
    assert_equal "$status" 2
    assert_contains "$output" "give a smaller --width or --vocabulary"
    run mpirun --oversubscribe -np 1 "$trainer" $small : -np 1 env HORA_SAMPLE_RATE=0.1 "$trainer" $small
    assert_equal "$status" 2
    assert_contains "$output" "rank 1 has another text or other options than rank 0"
    run "$trainer" --data /nonexistent
    assert_equal "$status" 1
    assert_contains "$output" "dict-gcide"
}

@test "its perplexity goes on across a resize" {
    local options="$small --epochs 60"
    cd "$work" || return 1
    brake
    job=$(submit_script --open-mode=append --hora-model=p4-rnn-lm --hora-batch=64 \
        --hora-samples=960 --hora-epochs=60 --hora-gpus=1-4 --hora-elastic \
        --hora-accepts=sampling <<END
#!/bin/bash
echo "\$HORA_CHECKPOINT_DIR" >"$work/\$SLURM_JOB_ID.folder"
echo "\$HORA_SAMPLE_RATE" >>"$work/rates"
srun --mpi=$mpi hora-train-language $options --brake "$work/brake"
END
    )
    wait_for_job "$job" RUNNING
    goes_on "$job"
    for gpus in 1 3; do
        resize "$job" "$gpus"
        wait_for runs_on "$job" "$gpus"
        goes_on "$job"
    done
    release_brake
    wait_for_job "$job" COMPLETED 120
    assert_equal "$(job_output "$job" | grep -c "^resumed after step")" 2
    assert_equal "$(xargs <rates)" "0.1 0.1 0.1"
    job_output "$job" >resized
    "$trainer" $options --sample-rate 0.1 >whole
    assert_as_good whole resized
    assert_equal "$(progress_of "$job" | jq .step | sort -n | xargs)" "$(seq 900 | xargs)"
    assert_nothing_left
}
