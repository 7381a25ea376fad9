#!/usr/bin/env bats
# Are jobs planned on GPUs whose types a site names otherwise than Hora does?

load cluster
load command
load controller

setup_file() { cluster_up --nodes "$BATS_TEST_DIRNAME/names.toml"; }
teardown_file() { cluster_down; }

setup() { cd "$work" || return 1; }

@test "a job is planned on a type that users write, and asks Slurm for just that" {
    local job
    job=$(submit_script --hora-model=resnet50 --hora-batch=64 --hora-gpus=2 --constraint=a100 <<<'#!/bin/bash
srun true' 2>notice)
    cat notice
    assert_contains "$(cat notice)" "2 x a100 on 1 node"
    wait_for_job "$job" COMPLETED
}

@test "the administrator gets one line on which board a name is taken for" {
    "$hora" cluster snapshot 2>remarks
    cat remarks
    assert_equal "$(grep -c 'GPUs of type "a100" count as a100-40gb, and may be a100-80gb as well' remarks)" 1
    assert_equal "$(grep -c v100 remarks)" 0
}

@test "a feature of the node tells boards of one name apart" {
    "$hora" cluster snapshot
    assert_equal "$(jq -r '.devices[] | "\(.name) \(.memory / pow(2; 30) | round)"' \
        "$CLUSTER_DIR/state/hora/snapshot.json")" "$(printf '%s\n' "a100 39" "v100-32gb 31" "v100 31" "T4 15")"
}

@test "a type in capitals is planned on and asked for as Slurm has it" {
    local job
    job=$(held --hora-model=resnet50 --hora-batch=64 --hora-gpus=2 --gpus=T4:2 2>notice)
    cat notice
    assert_contains "$(cat notice)" "2 x T4 on 1 node"
    assert_equal "$(job_field "$job" TresPerNode)" $gres:T4:2
}
