#!/usr/bin/env bats
# Does `hora calibrate` turn progress files into a device entry that Hora itself accepts?

load cluster
load trainer

setup() { scratch; }
teardown() { clean; }

# run_of BATCH SECONDS: twenty steps, the first of them slow, and a torn last line.
run_of() {
    local step
    echo '{"step":1,"epoch":1,"samples":'"$1"',"seconds":9.5}'
    for step in $(seq 2 20); do
        echo '{"step":'"$step"',"epoch":1,"samples":'$((step * $1))',"seconds":'"$2"'}'
    done
    printf '{"step":21,"epo'
}

@test "a synthetic device is found again" {
    # alexnet-mnist on 20 GFLOP/s and memory that is never in the way.
    mac=$("$hora" model alexnet-mnist --json | jq .mac)
    for batch in 8 64 512; do
        run_of $batch "$(jq -n "3 * 2 * $mac * $batch / 20e9")" >run.$batch
    done
    "$hora" calibrate --model alexnet-mnist --json --memory "1 GiB" --progress run.8 \
        --progress run.64 --progress run.512 >found
    assert_equal "$(jq '.gpu | .points == 3 and .residual < 0.01' found)" true
    assert_equal "$(jq '.gpu.peak.value / 20e9 | . > 0.98 and . < 1.02' found)" true
}

@test "the entry says on how much it rests" {
    run_of 64 0.25 >progress
    run "$hora" calibrate --model alexnet-mnist --gpu lab.cpu --memory "1 GiB" --progress progress
    assert_equal "$status" 0
    assert_contains "${lines[0]}" '# measured with "alexnet-mnist"; 1 batch size, off by 0.00 %'
    assert_contains "${lines[1]}" "one batch size cannot tell peak from memory bandwidth"
    assert_equal "${lines[3]}" '[gpu."lab.cpu"]'
    assert_contains "${lines[4]}" 'peak = { fp32 = "'
    assert_contains "${lines[5]}" 'memory_bandwidth = "'
    assert_equal "${lines[6]}" 'memory = "1 GiB"'
}

@test "a cluster file with the entry is accepted and predicts what was measured" {
    run_of 64 0.25 >progress
    run_of 128 0.30 >progress.2
    "$hora" calibrate --model alexnet-mnist --gpu local --memory "8 GiB" --world 1 --world 2 \
        --progress progress --progress progress.2 >cluster.toml
    assert_contains "$(cat cluster.toml)" "[network]"
    printf '\n[[node]]\nname = "n[1-2]"\ngpu = "local"\ncount = 1\n' >>cluster.toml
    "$hora" --help | grep -q '^  plan ' || skip "built without hora plan"
    "$hora" plan --model alexnet-mnist --batch 64 --cluster cluster.toml --gpus 1 --json >plan
    assert_equal "$(jq '.step_seconds / 0.25 | . > 0.99 and . < 1.01' plan)" true
    "$hora" plan --model alexnet-mnist --batch 128 --cluster cluster.toml --gpus 2-2 --json >plan
    assert_equal "$(jq '.step_seconds / 0.30 | . > 0.97 and . < 1.01' plan)" true
}

# entry_of FACTOR: of a v100 whose steps take so many times as long as planned.
entry_of() {
    local batch
    printf 'version = 1\n[[node]]\nname = "n1"\ngpu = "v100"\ncount = 1\n' >v100.toml
    for batch in 16 64 128; do
        "$hora" plan --model resnet50 --batch $batch --cluster v100.toml --gpus 1 --json >plan
        run_of $batch "$(jq "$1 * .step_seconds" plan)" >run.$batch
    done
    "$hora" calibrate --model resnet50 --gpu v100 --progress run.16 --progress run.64 \
        --progress run.128
}

@test "the entry of a known GPU says what its programs attain, whatever the number format" {
    entry_of 4 >entry
    cat v100.toml entry >calibrated.toml
    for dtype in fp32 fp16; do
        for cluster in v100 calibrated; do
            "$hora" plan --model resnet50 --batch 64 --cluster $cluster.toml --gpus 1 --json \
                --dtype $dtype >$cluster.json
        done
        assert_equal "$(jq -s '.[1].step_seconds / .[0].step_seconds | . > 3.6 and . < 4.4' \
            v100.json calibrated.json)" true
    done
}

@test "a known GPU keeps its figures where networks differ by as much" {
    entry_of 1.4 >entry
    assert_equal "$(grep -v '^#' entry)" ""
    assert_contains "$(cat entry)" "#attained = { compute = 0."
}

@test "a usage error says what is wrong" {
    run_of 64 0.25 >progress
    run "$hora" calibrate --model alexnet-mnist --progress progress
    assert_equal "$status" 2
    assert_contains "$output" '"local" is no known GPU: say with --memory how much memory it has'
    run "$hora" calibrate --model alexnet-mnist --gpu t4 --batch 32 --progress progress
    assert_equal "$status" 2
    assert_contains "$output" '"progress": the lines say 64 samples a step, --batch says 32'
    run "$hora" calibrate --model alexnet-mnist --gpu t4 --world 2 --progress progress
    assert_equal "$status" 2
    assert_contains "$output" "no run on one device"
    run "$hora" calibrate --model alexnet-mnist --gpu t4 --progress /nonexistent
    assert_equal "$status" 1
    : >empty
    run "$hora" calibrate --model alexnet-mnist --gpu t4 --progress empty
    assert_equal "$status" 1
    assert_contains "$output" "too few progress lines"
}

# calibrates_itself: from runs of its own. Where something else had the processors meanwhile, the fit
# is off by more than 15 % of these, and refused.
calibrates_itself() {
    local batch
    for batch in 16 64 256; do
        rm -f run.$batch
        "$trainer" --batch $batch --epochs 3 --progress run.$batch >/dev/null || return 1
    done
    "$hora" calibrate --model "$root/contrib/trainer/digits/digits.toml" --memory "1 GiB" --json \
        --progress run.16 --progress run.64 --progress run.256 >fit
}

@test "the trainer calibrates the machine it runs on" {
    wait_for -t 120 calibrates_itself
    assert_equal "$(jq '.gpu.points' fit)" 3
}
