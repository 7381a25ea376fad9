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

@test "the administrator is told once which board a name is taken for" {
    "$hora" cluster snapshot >/dev/null 2>remarks
    cat remarks
    assert_equal "$(grep -c 'GPUs of type "a100" count as a100-40gb, and may be a100-80gb as well' remarks)" 1
    assert_equal "$(grep -c v100 remarks)" 0
}
