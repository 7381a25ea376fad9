#!/usr/bin/env bats
# Does the PyTorch trainer learn on any number of ranks and keep the checkpoint contract?

load cluster
load trainer

setup() {
    /usr/bin/python3 -c 'import torch' 2>/dev/null || skip "without python3-torch"
    scratch
}
teardown() { clean; }

free_port() {
    /usr/bin/python3 -c 'import socket
with socket.socket() as one:
    one.bind(("127.0.0.1", 0))
    print(one.getsockname()[1])'
}

# python_ranks "SHARE …" ARGUMENT…: a rank a share, "-" for one that is not given.
python_ranks() {
    local rank=0 world share port
    world=$(wc -w <<<"$1")
    port=$(free_port)
    local parts=()
    for share in $1; do
        [ "$share" != - ] || share=
        MASTER_ADDR=127.0.0.1 MASTER_PORT=$port RANK=$rank WORLD_SIZE=$world HORA_SHARE=$share \
            /usr/bin/python3 "$root/contrib/pytorch/train.py" "${@:2}" >out.$rank 2>err.$rank 3>&- &
        parts+=($!)
        rank=$((rank + 1))
    done
    pids+=("${parts[@]}")
    ranks=("${parts[@]}")
}

wait_for_ranks() {
    local rank
    for rank in "${ranks[@]}"; do
        wait_for_end "$rank" 300 || { cat err.*; return 1; }
    done
}

@test "plain python trains well, and uneven ranks give the same result" {
    /usr/bin/python3 "$root/contrib/pytorch/train.py" >alone
    assert_at_least "$(final_accuracy alone)" 95
    python_ranks "40 24"
    wait_for_ranks
    assert_near "$(final_loss alone)" "$(final_loss out.0)"
    assert_equal "$(cat out.1)" ""
}

@test "a checkpointed training goes on with fewer ranks, no step lost or repeated" {
    /usr/bin/python3 "$root/contrib/pytorch/train.py" --epochs 30 >whole
    export HORA_PROGRESS=progress HORA_CHECKPOINT_DIR=checkpoints SLURM_RESTART_COUNT=1
    : >progress
    touch brake
    python_ranks "- -" --epochs 30 --brake brake
    wait_for -t 60 has_steps 10
    kill -USR1 "${ranks[@]}"
    wait_for -t 20 test -e checkpoints/READY
    assert_equal "$(cat checkpoints/READY)" "$(tail -1 progress | jq .step) 1"
    kill -KILL "${ranks[@]}"
    rm brake
    /usr/bin/python3 "$root/contrib/pytorch/train.py" --epochs 30 >out
    assert_contains "$(sed -n 2p out)" "resumed after step"
    assert_steps 690
    assert_near "$(final_loss whole)" "$(final_loss out)"
    [ ! -e checkpoints/READY ]
}

@test "a request that comes as Python ends harms no finished training" {
    # What the C library calls when Python is gone: kill(0, SIGUSR1) of a process group of its own.
    cat >sitecustomize.py <<'PYTHON'
import ctypes, signal
library = ctypes.CDLL(None)
library.on_exit(library.kill, int(signal.SIGUSR1))
PYTHON
    export HORA_CHECKPOINT_DIR=checkpoints PYTHONPATH=$PWD
    setsid --wait /usr/bin/python3 "$root/contrib/pytorch/train.py" --epochs 1 >out
    setsid --wait /usr/bin/python3 "$root/contrib/pytorch/train.py" --epochs 1 >again
    assert_contains "$(cat again)" "resumed after step 23"
}

@test "a rank that cannot start says why" {
    python_ranks "- -" --data nowhere.csv
    ! wait_for_ranks
    assert_contains "$(cat err.0)" 'train.py: cannot read the digits from "nowhere.csv"'
    assert_contains "$(cat err.1)" 'train.py: rank 1: cannot read the digits from "nowhere.csv"'
    head -c 3000 "$(/usr/bin/python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import digits
print(digits.DIGITS)' "$root/contrib/pytorch")" >cut.csv.gz
    run /usr/bin/python3 "$root/contrib/pytorch/train.py" --data cut.csv.gz
    assert_equal "$status" 1
    assert_contains "$output" 'cannot read the digits from "cut.csv.gz"'
    python_ranks "1 2" --batch 4
    ! wait_for_ranks
    assert_contains "$(cat err.0)" "HORA_SHARE is [1, 2]"
    assert_equal "$(cat err.1)" ""
}

@test "damaged and foreign checkpoints are told apart" {
    export HORA_CHECKPOINT_DIR=checkpoints
    /usr/bin/python3 "$root/contrib/pytorch/train.py" --epochs 2
    truncate -s 500 checkpoints/checkpoint-0000000046
    run /usr/bin/python3 "$root/contrib/pytorch/train.py" --epochs 2
    assert_equal "$status" 0
    assert_contains "$output" 'checkpoint-0000000046": damaged'
    assert_contains "$output" "resumed after step 23"
    run /usr/bin/python3 "$root/contrib/pytorch/train.py" --epochs 2 --seed 2
    assert_equal "$status" 1
    assert_contains "$output" "is of another training"
}

@test "DDP with sampled rows brings each gradient to all ranks, once" {
    port=$(free_port)
    ranks=()
    for rank in 0 1; do
        MASTER_ADDR=127.0.0.1 MASTER_PORT=$port RANK=$rank WORLD_SIZE=2 /usr/bin/python3 \
            "$root/tests/e2e/sampled_rows.py" "$root/contrib/pytorch" >out.$rank 2>err.$rank 3>&- &
        ranks+=($!)
    done
    pids+=("${ranks[@]}")
    wait_for_ranks
    assert_equal "$(cat out.0 out.1)" $'rank 0: fine\nrank 1: fine'
}
