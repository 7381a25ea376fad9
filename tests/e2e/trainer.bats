#!/usr/bin/env bats
# Does the MPI trainer learn, whatever the number of ranks, and keep the checkpoint contract?

load cluster
load trainer

setup() { scratch; unset HORA_BATCH_MIN; }
teardown() { clean; }

@test "the result is the same on 1, 2 and 4 ranks, and good" {
    for ranks in 1 2 4; do
        on_ranks $ranks >out.$ranks
        assert_at_least "$(final_accuracy out.$ranks)" 95
        assert_near "$(final_loss out.1)" "$(final_loss out.$ranks)"
    done
}

@test "uneven shares change nothing but who computes what" {
    "$trainer" --epochs 3 >even
    with_shares "40 20 4" --epochs 3 >uneven
    assert_contains "$(head -1 uneven)" "batch 64 on 3 ranks (40 20 4)"
    assert_near "$(final_loss even)" "$(final_loss uneven)"
    with_shares "64 0" --epochs 3 >idle
    assert_near "$(final_loss even)" "$(final_loss idle)"
}

@test "the same run prints the same numbers again" {
    "$trainer" --epochs 3 --seed 7 | sed 's/seconds.*//' >one
    "$trainer" --epochs 3 --seed 7 | sed 's/seconds.*//' >two
    cmp one two
    "$trainer" --epochs 3 --seed 8 | sed 's/seconds.*//' >other
    ! cmp -s one other || return 1
}

@test "shares that do not sum to the batch are refused by one rank" {
    run with_shares "40 20" --epochs 1
    assert_contains "$output" "HORA_SHARE is set on 2 of 2 ranks and sums to 60, the batch is 64"
    assert_equal "$(grep -c HORA_SHARE <<<"$output")" 1
}

@test "a usage error says what is wrong" {
    run env HORA_BATCH=many "$trainer"
    assert_equal "$status" 2
    assert_contains "$output" 'HORA_BATCH="many" is not a whole number'
    run env HORA_BATCH_MIN=65 "$trainer"
    assert_equal "$status" 2
    assert_contains "$output" "the smallest batch is 65 and the batch 64; correct HORA_BATCH_MIN"
    run "$trainer" --epochs 0
    assert_equal "$status" 2
    run "$trainer" --data /nonexistent.csv
    assert_equal "$status" 1
    assert_contains "$output" 'install python3-sklearn'
    run "$trainer" --help
    assert_equal "$status" 0
    assert_contains "$output" "computes on CPUs only"
}

@test "ranks that do not see each other are refused" {
    run env SLURM_STEP_NUM_TASKS=4 "$trainer" --epochs 1
    assert_equal "$status" 1
    assert_contains "$output" "srun started 4 tasks but MPI sees one rank; use srun --mpi=pmix"
}

@test "the batch comes from Hora and each step leaves a line" {
    HORA_BATCH=128 HORA_PROGRESS=progress on_ranks 2 --epochs 2 >out
    assert_contains "$(head -1 out)" "batch 128 on 2 ranks (64 64)"
    assert_steps 24
    assert_equal "$(tail -1 progress | jq -c '[.step, .epoch, .samples]')" "[24,2,2874]"
    assert_equal "$(jq -s 'map(.seconds > 0) | all' progress)" true
}

@test "a checkpointed training goes on elsewhere, no step lost or repeated" {
    "$trainer" --epochs 40 >whole
    export HORA_PROGRESS=progress HORA_CHECKPOINT_DIR=checkpoints SLURM_RESTART_COUNT=3
    touch brake
    start on_ranks 2 --epochs 40 --brake brake
    wait_for has_steps 20
    ask_for_checkpoint USR1
    assert_equal "$(cat checkpoints/READY)" "$(tail -1 progress | jq .step) 3"
    end_at_once
    rm brake
    on_ranks 4 --epochs 40 >out
    assert_contains "$(sed -n 2p out)" "resumed after step"
    assert_steps 920
    assert_near "$(final_loss whole)" "$(final_loss out)"
    [ ! -e checkpoints/READY ]
}

@test "a range of batches changes nothing at the smallest one" {
    "$trainer" --epochs 3 >without
    HORA_BATCH_MIN=64 on_ranks 2 --epochs 3 >with
    assert_near "$(final_loss without)" "$(final_loss with)"
}

@test "the batch changes at a restart, and the training ends as well as with the smallest" {
    export HORA_PROGRESS=progress HORA_CHECKPOINT_DIR=checkpoints HORA_BATCH_MIN=64
    touch brake
    HORA_BATCH=64 start "$trainer" --brake brake
    wait_for has_steps 30
    ask_for_checkpoint USR1
    end_at_once
    HORA_BATCH=512 start on_ranks 2 --brake brake
    wait_for has_steps 60
    ask_for_checkpoint USR1
    assert_contains "$(head -1 out)" "batch 512 on 2 ranks (256 256)"
    end_at_once
    rm brake
    HORA_BATCH=128 with_shares "96 32" >out
    assert_contains "$(sed -n 2p out)" "resumed after step"
    assert_at_least "$(final_accuracy out)" 95
    # 20 epochs of 23 steps of 64 samples, in fewer steps.
    assert_steps "$(wc -l <progress)"
    assert_at_least 459 "$(wc -l <progress)"
    assert_equal "$(jq -s 'map(.samples) | . == sort' progress)" true
    assert_equal "$(tail -1 progress | jq .samples)" 29440
    assert_equal "$(tail -1 progress | jq '.noise_scale > 0')" true
}

@test "SIGTERM asks for a checkpoint as well" {
    export HORA_PROGRESS=progress HORA_CHECKPOINT_DIR=checkpoints
    touch brake
    start on_ranks 2 --epochs 40 --brake brake
    wait_for has_steps 20
    ask_for_checkpoint TERM
    assert_equal "$(cat checkpoints/READY)" "$(tail -1 progress | jq .step) 0"
    end_at_once
}

@test "training goes on at once when READY disappears" {
    export HORA_PROGRESS=progress HORA_CHECKPOINT_DIR=checkpoints
    touch brake
    start on_ranks 2 --epochs 40 --brake brake
    wait_for has_steps 20
    ask_for_checkpoint USR1
    rm checkpoints/READY brake
    wait_for_launcher
    assert_equal "$status" 0
    assert_steps 920
    [ ! -e checkpoints/READY ]
    # Waiting is not training.
    assert_equal "$(jq -s 'map(.seconds) | max < 5' progress)" true
}

@test "training goes on after a while when it is not ended" {
    export HORA_PROGRESS=progress HORA_CHECKPOINT_DIR=checkpoints
    touch brake
    start on_ranks 2 --epochs 40 --ready-wait 0.5 --brake brake
    wait_for has_steps 20
    ask_for_checkpoint USR1
    rm brake
    wait_for_launcher
    assert_equal "$status" 0
    assert_steps 920
    [ ! -e checkpoints/READY ]
}

@test "a second request gets a checkpoint of its own" {
    export HORA_PROGRESS=progress HORA_CHECKPOINT_DIR=checkpoints
    touch brake
    start "$trainer" --epochs 40 --brake brake
    wait_for has_steps 20
    ask_for_checkpoint USR1
    first=$(cat checkpoints/READY)
    rm checkpoints/READY
    wait_for has_steps $((${first% *} + 20))
    ask_for_checkpoint USR1
    assert_at_least "$(cut -d' ' -f1 checkpoints/READY)" $((${first% *} + 20))
    end_at_once
}

@test "a signal before the handler stands does no harm, one after it counts" {
    export HORA_PROGRESS=progress HORA_CHECKPOINT_DIR=checkpoints
    touch brake
    # As Hora starts programs: SIGUSR1 is ignored.
    start bash -c 'trap "" USR1; exec "$@"' trainer "$trainer" --epochs 40 --brake brake
    wait_for outlives_usr1 "$launcher"
    for _ in $(seq 20); do
        kill -USR1 "$launcher"
    done
    rm -f checkpoints/READY
    wait_for has_steps 1
    ask_for_checkpoint USR1
    end_at_once
}

@test "without a folder SIGUSR1 does nothing and SIGTERM ends the program" {
    export HORA_PROGRESS=progress
    start "$trainer" --epochs 1000
    wait_for has_steps 10
    kill -USR1 "$launcher"
    wait_for has_steps 50
    kill -TERM "$launcher"
    wait_for_launcher
    assert_equal "$status" 143
}

@test "a program that has finished is not trained again" {
    export HORA_CHECKPOINT_DIR=checkpoints
    "$trainer" --epochs 2 >first
    "$trainer" --epochs 2 >second
    assert_contains "$(cat second)" "resumed after step 46"
    assert_equal "$(final_loss first)" "$(final_loss second)"
}

@test "a damaged checkpoint is skipped, and the older one gives the same result" {
    "$trainer" --epochs 5 >whole
    export HORA_CHECKPOINT_DIR=checkpoints
    "$trainer" --epochs 3
    truncate -s 1000 checkpoints/checkpoint-0000000069
    on_ranks 2 --epochs 5 >out 2>err
    assert_contains "$(cat err)" 'skipping the checkpoint "checkpoints/checkpoint-0000000069": damaged'
    assert_contains "$(cat out)" "resumed after step 46"
    assert_near "$(final_loss whole)" "$(final_loss out)"
}

@test "a file that is no checkpoint is skipped" {
    export HORA_CHECKPOINT_DIR=checkpoints
    mkdir checkpoints
    echo "shopping list" >checkpoints/checkpoint-9999999999
    "$trainer" --epochs 1 2>err
    assert_contains "$(cat err)" 'checkpoint-9999999999": not a checkpoint'
    [ -e checkpoints/checkpoint-9999999999 ]
}

@test "the checkpoint of another training is refused and kept" {
    export HORA_CHECKPOINT_DIR=checkpoints
    "$trainer" --epochs 1
    run on_ranks 2 --epochs 1 --seed 2
    assert_contains "$output" "is of another training (seed 1, batch 64, rate 0.05, 1437 samples, 3818 parameters)"
    [ -e checkpoints/checkpoint-0000000023 ]
}

@test "a full disk stops no training" {
    [ "$(id -u)" = 0 ] || skip "needs root to mount a small disk"
    mkdir full
    mount -t tmpfs -o size=100k none full || skip "cannot mount"
    export HORA_PROGRESS=full/progress HORA_CHECKPOINT_DIR=full/checkpoints
    mkdir full/checkpoints
    ln -s full/checkpoints checkpoints
    # Room for one checkpoint and not for a second.
    touch brake
    start on_ranks 2 --epochs 40 --brake brake
    wait_for grep -q "no checkpoint, training goes on: cannot write .*No space left" err
    for rank in $(ranks_of "$launcher"); do
        kill -USR1 "$rank"
    done
    rm brake
    wait_for_launcher
    assert_equal "$status" 0
    assert_at_least "$(final_accuracy out)" 95
    [ ! -e full/checkpoints/READY ]
    assert_equal "$(find full/checkpoints -type f -printf '%f ')" "checkpoint-0000000023 "
}
