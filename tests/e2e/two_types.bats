#!/usr/bin/env bats
# Do jobs get the planned type of GPU on nodes that have two, and those that mix types their own mix?

load cluster
load controller

setup_file() { cluster_up --nodes "$BATS_TEST_DIRNAME/two_types.toml"; }
teardown_file() { cluster_down; }

setup() {
    cd "$work" || return 1
    model=(--hora-model=resnet18 --hora-batch=32 --hora-samples=32000 --hora-epochs=1)
}

@test "GPUs of the planned type are requested by its name, also under -w" {
    for request in --nodes=1 --nodelist=n2; do
        job=$(submit "${model[@]}" --hora-gpus=2 "$request" --wrap true 2>notice)
        cat notice
        assert_contains "$(cat notice)" "2 x titanx on 1 node"
        assert_equal "$(job_field "$job" TresPerNode)" $gres:titanx:2
        assert_equal "$(job_field "$job" Features)" "(null)"
        wait_for_job "$job" COMPLETED
    done
}

@test "two types side by side are left to the job's owner" {
    job=$(submit "${model[@]}" --gres=gpu:titanx:1,gpu:tesla_k80:1 --wrap true 2>notice)
    cat notice
    assert_contains "$(cat notice)" "GPUs of several types are left as they are"
    assert_equal "$(job_field "$job" TresPerNode)" $gres:titanx:1,$gres:tesla_k80:1
    wait_for_job "$job" COMPLETED
}
